/**
 * Listening: the certificate, the address, and their errors.
 *
 * @module
 */
import type { ServerHandler } from "./app.ts";
import {
  type Config,
  ConfigError,
  readSettingFile,
  reasonOf,
} from "./config.ts";
import metadata from "./deno.json" with { type: "json" };
import type { Log } from "./log.ts";
import { exceptionLine } from "./middleware/respond.ts";
import { INTERNAL_ERROR } from "./http/problem.ts";

/** The log warns of a certificate that expires in less than this many days. */
const EXPIRY_DAYS = 14;

const DAY_MS = 86_400_000;

/**
 * A failed server keeps its connections until this many others have started after
 * it, at most one each second. shutdown() then aborts its pending bodies, but
 * those from before its failure have ended in these 12 seconds
 * (routes/api/body.ts).
 */
const MAX_SERVERS = 12;

/** The pause before listening again after a failure, in seconds. */
const PAUSE_S = 1;

/** A certificate chain and its private key (PEM), for Deno.serve. */
export class Certificate {
  constructor(readonly cert: string, readonly key: string) {}

  /**
   * Returns the first and the last time at which the first certificate of the
   * chain is valid, in milliseconds since 1970. Deno.serve has accepted the chain.
   */
  async validity(): Promise<[from: number, to: number]> {
    const { X509Certificate } = await import("node:crypto");
    // The file may contain the key before the certificate.
    const start = this.cert.indexOf("-----BEGIN CERTIFICATE-----");
    const { validFrom, validTo } = new X509Certificate(this.cert.slice(start));
    return [Date.parse(validFrom), Date.parse(validTo)];
  }

  /** Logs that it is not valid, or expires soon: now, and then once a day. */
  async watch(log: Log): Promise<void> {
    const [from, to] = await this.validity();
    const now = Date.now();
    const day = (time: number) => new Date(time).toISOString().slice(0, 10);
    const name = "PWGEN_TLS_CERT: the certificate";
    const expiry = `on ${day(to)}; renew it and restart the service`;
    const remedy = "use a valid one, or set the clock of this machine";
    if (now < from) {
      log("error", `${name} is not valid before ${day(from)}; ${remedy}`);
    } else if (now > to) log("error", `${name} expired ${expiry}`);
    else if (to - now < EXPIRY_DAYS * DAY_MS) {
      log("warning", `${name} expires ${expiry}`);
    }
    Deno.unrefTimer(setTimeout(() => this.watch(log), DAY_MS));
  }
}

/**
 * Reads certificate and private key; returns undefined without TLS.
 *
 * @throws {ConfigError} if a file cannot be read
 */
export function readCertificate(
  { tls, fileSettings }: Config,
): Certificate | undefined {
  const readPem = (variable: string, path: string) =>
    readSettingFile(
      variable,
      path,
      "deno task start:tls, and a path without a comma",
      fileSettings.includes(variable),
    );
  return tls && new Certificate(
    readPem("PWGEN_TLS_CERT", tls.cert),
    readPem("PWGEN_TLS_KEY", tls.key),
  );
}

/** Returns the URL of the service for a client on this machine. */
export function urlOf({ host, port, tls }: Config): string {
  let name = host.includes(":") ? `[${host}]` : host;
  if (host === "0.0.0.0" || host === "::") name = "localhost";
  return `${tls ? "https" : "http"}://${name}:${port}/`;
}

/** Logs a warning if others can read the passwords in transit. */
export function reportPlainHttp(config: Config, log: Log): void {
  const { host, tls, trustedProxies, onDenoDeploy } = config;
  const isLoopback = /^(localhost|::1|127\.[\d.]+)$/i.test(host);
  if (tls || trustedProxies || onDenoDeploy || isLoopback) return;
  log(
    "warning",
    "Plain HTTP on an address that others reach; passwords must travel over HTTPS. Set PWGEN_TLS_CERT and PWGEN_TLS_KEY, or put a TLS proxy in front and name it in PWGEN_TRUSTED_PROXIES",
  );
}

/**
 * The field in which Deno Deploy sends the address and port of the client, since its
 * connections to the process have no IP address. With DENO_TRUST_PROXY_HEADERS=1
 * Deno itself reads and removes it (ext/http of Deno).
 */
const CLIENT_ADDRESS = "x-deno-client-address";

/** Turns an error of Deno.serve into an error that names the settings. */
function listenError(error: unknown, config: Config): ConfigError {
  const { host, port, tls, fileSettings } = config;
  const reason = reasonOf(error);
  // Deno checks the certificate before the address. Only errors of an address
  // have a code of the operating system, except for that of a lookup.
  const isOfAddress = (error as { code?: string }).code !== undefined ||
    reason.startsWith("failed to lookup");
  let remedy = "an address of this machine and a port that is free";
  if (error instanceof Deno.errors.NotCapable) {
    remedy = "the flag --allow-net of Deno";
  } else if (error instanceof Deno.errors.PermissionDenied) {
    remedy = "a port from 1024 on, or a user with the right to this one";
  } else if (tls && !isOfAddress) {
    return new ConfigError(
      `PWGEN_TLS_CERT, PWGEN_TLS_KEY: cannot use them: ${reason}; use a certificate chain and its own private key, in PEM`,
    );
  }
  const isInFile = (variable: string) => fileSettings.includes(variable);
  const address = isInFile("PWGEN_HOST") ? "this host" : host;
  const portName = isInFile("PWGEN_PORT") ? "this port" : `port ${port}`;
  return new ConfigError(
    `PWGEN_PORT, PWGEN_HOST: cannot listen on ${address}, ${portName}: ${reason}; use ${remedy}`,
  );
}

/** Starts one server, and logs its URL. */
function serveOn(
  port: number,
  config: Config,
  certificate: Certificate | undefined,
  handler: ServerHandler,
  log: Log,
): Deno.HttpServer<Deno.NetAddr> {
  const { explicitSettings, onDenoDeploy } = config;
  const isSet = (name: string) => explicitSettings.includes(name);
  // A platform that sets PORT sends requests from other machines.
  const reach = isSet("PORT") && !isSet("PWGEN_HOST") && !onDenoDeploy
    ? " (only this machine can connect, since PORT is set and PWGEN_HOST is not)"
    : "";
  // A misspelled variable is missing here.
  const settings = explicitSettings.length > 0
    ? ` (settings: ${explicitSettings.join(", ")})`
    : "";
  const forwardedPeer = ({ headers }: Request) =>
    onDenoDeploy ? headers.get(CLIENT_ADDRESS) ?? undefined : undefined;
  return Deno.serve(
    {
      hostname: config.host,
      port,
      ...certificate,
      // A platform can make it the default (DENO_SERVE_AUTOMATIC_COMPRESSION).
      automaticCompression: false,
      // Deno would print the error, whose message may have a part of the request.
      onError: (error) => {
        log("error", exceptionLine(error));
        return INTERNAL_ERROR.toResponse("/");
      },
      onListen: (addr: Deno.Addr) => {
        const url = "hostname" in addr
          ? urlOf({ ...config, host: addr.hostname, port: addr.port }) + reach
          : Object.values(addr).join(":"); // DENO_SERVE_ADDRESS=unix:PATH
        log("info", `pwgen-api ${metadata.version}: ${url}${settings}`);
      },
    },
    (request, info) => {
      const peer: string | undefined = info.remoteAddr.hostname;
      return handler(request, peer ?? forwardedPeer(request), info);
    },
  );
}

/**
 * Starts to listen, and logs the URL. With --check it uses any free port.
 *
 * A server of Deno fails when the process has no file descriptor left ("Too many
 * open files", denoland/deno#10148), which idle connections can cause. Until the drain begins, the
 * service then listens again, with another server. On Deno Deploy it stops, so that
 * the platform starts another instance.
 *
 * `::` takes IPv4 too. Without IPv6 sockets, the service listens on 0.0.0.0 instead.
 *
 * @returns `shutdown`, which stops accepting connections and waits for the
 *   requests in flight, also those of a server that has failed
 * @throws {ConfigError} if the service cannot listen
 */
export function listen(
  config: Config,
  certificate: Certificate | undefined,
  handler: ServerHandler,
  log: Log = () => {},
  isDraining = () => false,
): { shutdown: () => Promise<unknown> } {
  /** All servers with connections, oldest first. Only the last one listens. */
  const servers = new Set<Deno.HttpServer<Deno.NetAddr>>();
  const close = (list: Iterable<Deno.HttpServer>) =>
    Promise.allSettled(Array.from(list, (server) => server.shutdown()));

  const start = (port: number) => {
    const server = serveOn(port, config, certificate, handler, log);
    server.finished.catch((error) => startAgain(server.addr.port, error));
    servers.add(server);
    const oldest = [...servers].at(-1 - MAX_SERVERS);
    if (oldest) close([oldest]).then(() => servers.delete(oldest));
  };

  const startAgain = async (port: number | undefined, error: unknown) => {
    if (isDraining()) return;
    // Deno listens at DENO_SERVE_ADDRESS only once in a process.
    const mustStop = config.onDenoDeploy || port === undefined;
    const next = mustStop ? "stopping" : `listening again in ${PAUSE_S} s`;
    log(
      "error",
      `Cannot accept connections: ${
        reasonOf(error)
      }; ${next} (see the limit of open files)`,
    );
    if (mustStop) return Deno.kill(Deno.pid, "SIGINT");
    await new Promise((resolve) => setTimeout(resolve, 1000 * PAUSE_S));
    if (isDraining()) return;
    try {
      start(port);
    } catch {
      startAgain(port, error); // the failed server is reported again
    }
  };

  try {
    start(config.checkOnly ? 0 : config.port);
  } catch (error) {
    // Such a kernel has no IPv6 sockets, which the image cannot know.
    if (
      config.host === "::" &&
      (error as { code?: string }).code === "EAFNOSUPPORT"
    ) {
      const onlyIPv4 = { ...config, host: "0.0.0.0" };
      return listen(onlyIPv4, certificate, handler, log, isDraining);
    }
    throw listenError(error, config);
  }
  return { shutdown: () => close(servers) };
}
