/**
 * Listening: the address, the errors, and listening again after a failure.
 *
 * @module
 */
import type { ServerHandler } from "./app.ts";
import { type Config, ConfigError, reasonOf } from "./config.ts";
import metadata from "./deno.json" with { type: "json" };
import type { Log } from "./log.ts";

/**
 * A failed listener keeps its connections until this many others have started
 * after it, at most one each second. shutdown() then aborts its pending bodies,
 * but those from before its failure have ended in these 12 seconds
 * (routes/api/body.ts).
 */
const MAX_SERVERS = 12;

/** The pause before listening again after a failure. */
const RELISTEN_MS = 1000;

/** Returns the URL of the service for a client on this machine. */
export function urlOf(host: string, port: number, isSecure: boolean): string {
  const name = host === "0.0.0.0" || host === "::"
    ? "localhost"
    : host.includes(":")
    ? `[${host}]`
    : host;
  return `${isSecure ? "https" : "http"}://${name}:${port}/`;
}

/** Logs a warning if others can read the passwords on their way. */
export function reportPlainHttp(
  { host, tls, trustedProxies, onDenoDeploy }: Config,
  log: Log,
): void {
  const isLoopback = /^(localhost|::1|127\.[\d.]+)$/i.test(host);
  if (tls || trustedProxies || onDenoDeploy || isLoopback) return;
  log(
    "warning",
    "Plain HTTP on an address that others reach; passwords must travel over HTTPS. Set PWGEN_TLS_CERT and PWGEN_TLS_KEY, or put a TLS proxy in front and name it in PWGEN_TRUSTED_PROXIES",
  );
}

/** Turns an error of Deno.serve into an error that names the settings. */
function listenError(error: unknown, { host, port, tls }: Config): ConfigError {
  const reason = reasonOf(error);
  const needsPermission = error instanceof Deno.errors.NotCapable;
  // Deno checks the certificate before the address. Only errors of an address
  // have a code of the operating system, except for these two.
  const isOfAddress = (error as { code?: string }).code !== undefined ||
    needsPermission || reason.startsWith("failed to lookup");
  if (tls && !isOfAddress) {
    return new ConfigError(
      `PWGEN_TLS_CERT, PWGEN_TLS_KEY: cannot use them: ${reason}; use a certificate chain and its own private key, in PEM`,
    );
  }
  const remedy = needsPermission
    ? "the flag --allow-net of Deno"
    : error instanceof Deno.errors.PermissionDenied
    ? "a port from 1024 on, or a user with the right to this one"
    : "an address of this machine and a port that is free";
  return new ConfigError(
    `PWGEN_PORT, PWGEN_HOST: cannot listen on ${host}, port ${port}: ${reason}; use ${remedy}`,
  );
}

/**
 * Starts to listen, and logs the URL.
 *
 * Deno's listener fails when the process has no file descriptor left ("Too many
 * open files"), which idle connections can cause. Until the drain begins, the
 * service then listens again.
 *
 * @returns a function that stops accepting connections and waits for the requests
 *   in flight, also those of a listener that has failed
 * @throws {ConfigError} if the service cannot listen
 */
export function listen(
  config: Config,
  certificate: Deno.TlsCertifiedKeyPem | undefined,
  handler: ServerHandler,
  log: Log,
  isDraining: () => boolean,
): () => Promise<unknown> {
  const serve = (port: number) =>
    Deno.serve(
      {
        hostname: config.host,
        port,
        ...certificate,
        onListen: ({ hostname, port }) => {
          const url = urlOf(hostname, port, certificate !== undefined);
          log("info", `pwgen-api ${metadata.version}: ${url}`);
        },
      },
      (request, info) => handler(request, info.remoteAddr.hostname, info),
    );
  const servers: Deno.HttpServer<Deno.NetAddr>[] = [];
  /** The servers beyond the maximum, until their last response is complete. */
  const closing = new Set<Promise<unknown>>();
  try {
    servers.push(serve(config.port));
  } catch (error) {
    throw listenError(error, config);
  }
  const { port } = servers[0]!.addr;
  reportPlainHttp(config, log);

  (async () => {
    while (true) {
      try {
        return await servers.at(-1)!.finished; // after shutdown()
      } catch (error) {
        if (isDraining()) return;
        log(
          "error",
          `Cannot accept connections: ${reasonOf(error)}; listening again in ${
            RELISTEN_MS / 1000
          } s (see the limit of open files)`,
        );
      }
      await new Promise((resolve) => setTimeout(resolve, RELISTEN_MS));
      if (isDraining()) return;
      try {
        servers.push(serve(port));
        if (servers.length > MAX_SERVERS) {
          const closed: Promise<unknown> = Promise.allSettled([
            servers.shift()!.shutdown(),
          ]).then(() => closing.delete(closed));
          closing.add(closed);
        }
      } catch {
        // The next round reports the failed server again, and waits.
      }
    }
  })();
  return () =>
    Promise.allSettled([
      ...servers.map((server) => server.shutdown()),
      ...closing,
    ]);
}
