/**
 * The service: configuration, composition, and the life of the process.
 *
 * @module
 */
import {
  type Config,
  ConfigError,
  HELP,
  PLATFORM_VARIABLES,
  readConfig,
} from "./config.ts";
import metadata from "./deno.json" with { type: "json" };
import { createLog, type Log } from "./log.ts";
import { accessLog } from "./middleware/access_log.ts";
import { NO_PROXIES } from "./middleware/client.ts";
import { head } from "./middleware/head.ts";
import { headers, preflight } from "./middleware/headers.ts";
import { problems } from "./middleware/problem.ts";
import { rateLimit } from "./middleware/rate_limit.ts";
import type {
  SharedLimiter,
  SharedStore,
} from "./middleware/limiters/shared.ts";
import {
  type RateLimiter,
  SlidingWindowLimiter,
  type SlidingWindowOptions,
  WINDOW_MS,
} from "./middleware/limiters/sliding_window.ts";
import { compose } from "./middleware/types.ts";
import { limitUnread } from "./middleware/unread_responses.ts";
import { bodiesArrived } from "./routes/body.ts";
import { docs } from "./routes/docs/mod.ts";
import { health } from "./routes/health.ts";
import { API, hosted, requestPath, router } from "./routes/mod.ts";
import { openapi } from "./routes/openapi.ts";
import { PAGE } from "./routes/page/mod.ts";
import type { Handler } from "./routes/types.ts";

/** How long requests in flight may take after a signal to stop, in ms. */
const DRAIN_MS = 10_000;

/**
 * Signals within so many ms are one: `deno task` passes Ctrl-C on, which the
 * terminal has sent to the service already.
 */
const SAME_SIGNAL_MS = 500;

/** A certificate is reported so many days before it expires. */
const EXPIRY_DAYS = 14;

const DAY_MS = 86_400_000;

/** How long the last lines may take to be written, in ms. */
const FLUSH_MS = 1000;

/** Of so many servers, whose listeners failed, the connections are awaited. */
const MAX_SERVERS = 10;

/** How long to wait before listening again after the listener failed, in ms. */
const RELISTEN_MS = 1000;

const { log, flush } = createLog(Deno.stdout, Deno.stderr);

/** What the service is handed besides its configuration. */
export interface Surroundings {
  /** Writes a line. */
  readonly log: Log;
  /**
   * A clock that never goes back, in milliseconds. The default is
   * `performance.now`, which a changed wall clock does not move.
   */
  readonly now?: () => number;
  /** Whether the process stops. The default is that it does not. */
  readonly isStopping?: () => boolean;
  /** What decides on requests. The default counts in memory. */
  readonly limiter?: RateLimiter;
}

/**
 * Puts the service together.
 *
 * @param config what it is told from outside
 * @param surroundings where it logs, and its clock
 * @returns what Deno.serve calls for each request
 *
 * @example
 * ```ts
 * import { readConfig } from "./config.ts";
 * import { createHandler } from "./main.ts";
 * import { assertEquals } from "@std/assert";
 *
 * const config = await readConfig([], () => undefined);
 * if (typeof config === "string") throw new Error("Unexpected --help");
 * const handler = createHandler(config, { log: () => {} });
 * const response = await handler(
 *   new Request("http://localhost/healthz"),
 *   "192.0.2.1",
 * );
 * assertEquals(await response.json(), { status: "ok" });
 * ```
 */
export function createHandler(
  config: Config,
  { log, now, limiter, isStopping = () => false }: Surroundings,
): (
  request: Request,
  peer: string,
  connection?: { readonly completed: Promise<void> },
) => Response | Promise<Response> {
  const proxies = config.trustedProxies ?? NO_PROXIES;
  const limited = rateLimit({
    limit: config.rateLimit,
    limiter: limiter ??
      new SlidingWindowLimiter(windowOptions(config, log, now)),
    proxies,
  });

  const table = new Map<string, Map<string, Handler>>();
  const described = { limit: config.rateLimit, seconds: WINDOW_MS / 1000 };
  const documents = {
    ...PAGE,
    ...docs(described),
    "/openapi/v1.json": openapi(described),
  };
  const unread = limitUnread({ proxies });
  for (const [path, document] of Object.entries(documents)) {
    table.set(path, new Map([["GET", compose(document, unread, hosted)]]));
  }
  table.set("/healthz", new Map([["GET", hosted(health(isStopping))]]));
  for (const [path, endpoint] of Object.entries(API)) {
    const post = compose(endpoint, limited, hosted);
    const options = hosted(preflight);
    table.set(path, new Map([["POST", post], ["OPTIONS", options]]));
  }

  const layers = [
    head,
    // What comes through Deno Deploy came over TLS; and if not, the browser
    // ignores the field (RFC 6797, section 8.1).
    headers({ tls: config.tls !== undefined || config.onDenoDeploy, proxies }),
    problems((entry) => log("error", entry)),
  ];
  if (config.accessLog === "json") {
    layers.unshift(accessLog({
      log: (line) => log("info", line),
      except: ["/healthz"],
    }));
  }
  const handler = compose(router(table), ...layers);
  return (request, peer, connection) => {
    const host = request.headers.get("host");
    return handler(request, {
      path: requestPath(request.url, host),
      peer,
      connection,
      host,
    });
  };
}

/** What every rate limit is made of. */
function windowOptions(
  { rateLimit, maxClients }: Config,
  log: Log,
  now: () => number = () => performance.now(),
): SlidingWindowOptions {
  const onEvict = evictionReport(maxClients, log, now);
  return { limit: rateLimit, maxClients, now, onEvict };
}

/** Loads the code of a store: who counts in memory does not wait for it. */
async function openStore(
  limit: number,
  store: Exclude<Config["rateLimitStore"], "memory">,
): Promise<SharedStore> {
  if (store === "kv") {
    const { KvStore } = await import("./middleware/limiters/kv.ts");
    return new KvStore({ limit, open: () => Deno.openKv() });
  }
  const { RedisStore } = await import("./middleware/limiters/redis.ts");
  return new RedisStore({ limit, address: store });
}

/**
 * Connects to the shared store; a setting that is wrong shows here.
 *
 * @param stopped gives up waiting for the store when it settles
 */
async function startSharedLimiter(
  config: Config,
  stopped?: Promise<void>,
): Promise<SharedLimiter | undefined> {
  const { rateLimit, rateLimitStore } = config;
  if (rateLimitStore === "memory") return undefined;
  const { SharedLimiter } = await import("./middleware/limiters/shared.ts");
  const store = await openStore(rateLimit, rateLimitStore);
  const limiter = new SharedLimiter({
    ...windowOptions(config, log),
    store,
    warn: (line) => log("error", line),
  });
  try {
    const started = limiter.start();
    await Promise.race([started, stopped ?? started]);
    return limiter;
  } catch (error) {
    throw new ConfigError(
      `PWGEN_RATE_LIMIT_STORE: cannot use ${store.name}: ${
        reasonOf(error)
      }; use memory, or the URL of a server that this process may use`,
    );
  }
}

/** Reports, once a minute at most, how many clients had to leave. */
function evictionReport(
  maxClients: number,
  log: Log,
  now: () => number,
): () => void {
  let evicted = 0;
  let lastReport = -Infinity;
  return () => {
    evicted++;
    if (now() - lastReport < 60_000) return;
    log(
      "error",
      `Rate limit: forgot ${evicted} client(s) before their minute was over; PWGEN_MAX_CLIENTS (${maxClients}) is reached`,
    );
    evicted = 0;
    lastReport = now();
  };
}

/** Reads a PEM file; a file that cannot be read is a setting gone wrong. */
function readPem(variable: string, path: string): string {
  try {
    return Deno.readTextFileSync(path);
  } catch (error) {
    throw new ConfigError(
      `${variable}: cannot read ${JSON.stringify(path)}: ${
        reasonOf(error)
      }; use the path of a PEM file that this process may read`,
    );
  }
}

/**
 * Reports a certificate that expires soon or has expired.
 *
 * @param pem the certificate chain; its first certificate is the service's own
 */
async function reportExpiry(pem: string): Promise<void> {
  const { X509Certificate } = await import("node:crypto");
  const [own = pem] =
    /-----BEGIN CERTIFICATE-----[^]+?-----END CERTIFICATE-----/.exec(pem) ?? [];
  let expiry: number;
  try {
    expiry = Date.parse(new X509Certificate(own).validTo);
  } catch {
    return; // Deno.serve judges it
  }
  const leftMs = expiry - Date.now();
  if (leftMs >= EXPIRY_DAYS * DAY_MS) return;
  log(
    "error",
    `PWGEN_TLS_CERT: the certificate ${
      leftMs < 0 ? "has expired" : "expires"
    } on ${
      new Date(expiry).toISOString().slice(0, 10)
    }; renew it and restart the service`,
  );
}

/** Reads certificate and key, where TLS is set. */
function readCertificate(
  { tls }: Config,
): { cert: string; key: string } | undefined {
  return tls && {
    cert: readPem("PWGEN_TLS_CERT", tls.cert),
    key: readPem("PWGEN_TLS_KEY", tls.key),
  };
}

function reasonOf(error: unknown): string {
  if (error instanceof Deno.errors.AddrInUse) return "address already in use";
  if (error instanceof Deno.errors.NotFound) return "no such file";
  if (error instanceof Deno.errors.NotCapable) {
    return "no permission from Deno (deno task start:tls grants it, for paths without a comma)";
  }
  const text = error instanceof Error ? error.message : String(error);
  return text.split("\n", 1)[0]!;
}

function isLoopback(host: string): boolean {
  return host.toLowerCase() === "localhost" || host === "::1" ||
    /^127\.[\d.]+$/.test(host);
}

/** The URL of the service for a client on this machine. */
function urlOf(host: string, port: number, isSecure: boolean): string {
  const name = host === "0.0.0.0" || host === "::"
    ? "localhost"
    : host.includes(":")
    ? `[${host}]`
    : host;
  return `${isSecure ? "https" : "http"}://${name}:${port}/`;
}

/** Starts to listen, and says where. */
function listen(
  config: Config,
  port: number,
  tls: { cert: string; key: string } | undefined,
  handler: ReturnType<typeof createHandler>,
): Deno.HttpServer<Deno.NetAddr> {
  const { host } = config;
  const options: Deno.ServeTcpOptions & Partial<Deno.TlsCertifiedKeyPem> = {
    hostname: host,
    port,
    ...tls,
    onListen: ({ hostname, port }) => {
      const url = urlOf(hostname, port, tls !== undefined);
      log("info", `pwgen-api ${metadata.version}: ${url}`);
      if (
        !tls && !config.trustedProxies && !config.onDenoDeploy &&
        !isLoopback(host)
      ) {
        log(
          "error",
          "Warning: plain HTTP on an address that others reach; passwords must travel over HTTPS. Set PWGEN_TLS_CERT and PWGEN_TLS_KEY, or put a TLS proxy in front and name it in PWGEN_TRUSTED_PROXIES",
        );
      }
    },
  };
  try {
    return Deno.serve(
      options,
      (request, info) => handler(request, info.remoteAddr.hostname, info),
    );
  } catch (error) {
    // The certificate is judged before the address is taken.
    if (tls && !isListenError(error)) throw certificateError(error);
    throw new ConfigError(
      `PORT, PWGEN_HOST: cannot listen on ${host}, port ${port}: ${
        reasonOf(error)
      }; use ${
        error instanceof Deno.errors.PermissionDenied
          ? "a port from 1024 on, or a user with the right to this one"
          : "an address of this machine and a port that is free"
      }`,
    );
  }
}

function certificateError(error: unknown): ConfigError {
  return new ConfigError(
    `PWGEN_TLS_CERT, PWGEN_TLS_KEY: cannot use them: ${
      reasonOf(error)
    }; use a certificate chain and its own private key, in PEM`,
  );
}

function isListenError(error: unknown): boolean {
  return error instanceof Deno.errors.AddrInUse ||
    error instanceof Deno.errors.AddrNotAvailable ||
    error instanceof Deno.errors.PermissionDenied ||
    (error instanceof Error && error.message.startsWith("failed to lookup"));
}

/**
 * Serves until told to stop.
 *
 * When the process runs out of file descriptors, Deno's listener ends
 * ("Too many open files"), and would end the process. Connections that say
 * nothing are enough for that, so it is opened again until it holds.
 *
 * @param stopped settles when the process is told to stop
 * @returns the servers, since one whose listener failed still has connections,
 *   and the limiter if it has a store;
 *   undefined if the process was told to stop before it listened
 */
async function serve(
  config: Config,
  stopped: Promise<void>,
): Promise<
  { servers: Deno.HttpServer[]; limiter: SharedLimiter | undefined } | undefined
> {
  const tls = readCertificate(config);
  if (tls) {
    reportExpiry(tls.cert);
    Deno.unrefTimer(setInterval(() => reportExpiry(tls.cert), DAY_MS));
  }
  let isStopping = false;
  stopped.then(() => isStopping = true);
  const limiter = await startSharedLimiter(config, stopped);
  if (isStopping) return undefined;
  const handler = createHandler(config, {
    log,
    isStopping: () => isStopping,
    ...(limiter && { limiter }),
  });
  const servers = [listen(config, config.port, tls, handler)];
  // The one binary is permitted to read any file, since nobody knows beforehand
  // where the certificate lies. Now it is read.
  Deno.permissions.revokeSync({ name: "read" });
  const { port } = servers[0]!.addr;
  while (true) {
    const failure = await Promise.race([
      stopped,
      servers.at(-1)!.finished.then(() => undefined, (error: unknown) => error),
    ]);
    if (failure === undefined) return { servers, limiter };
    log(
      "error",
      `Cannot accept connections: ${reasonOf(failure)}; listening again in ${
        RELISTEN_MS / 1000
      } s (see the limit of open files)`,
    );
    await sleep(RELISTEN_MS);
    try {
      servers.push(listen(config, port, tls, handler));
      if (servers.length > MAX_SERVERS) servers.shift();
    } catch {
      // Not yet: the next round reports and waits again.
    }
  }
}

/**
 * Checks what the start would check, except listening, and says what would be
 * served. Where a permission is missing it says what was not checked.
 *
 * @returns the exit status: 0, or 2 if the store cannot be used now
 * @throws {ConfigError} if a setting cannot be used
 */
async function check(config: Config): Promise<number> {
  const { host, port, tls: paths, rateLimitStore: store } = config;
  const unchecked: string[] = [];
  const mayConnect = isGranted({ name: "net" });
  if (paths !== undefined) {
    const mayRead = [paths.cert, paths.key].every((path) =>
      isGranted({ name: "read", path })
    );
    if (mayRead && mayConnect) {
      const tls = readCertificate(config)!;
      try {
        Deno.listenTls({ hostname: "127.0.0.1", port: 0, ...tls }).close();
      } catch (error) {
        throw certificateError(error);
      }
      await reportExpiry(tls.cert);
    } else unchecked.push("certificate and key");
  }
  if (store !== "memory") {
    if (mayConnect) {
      const limiter = await startSharedLimiter(config);
      const isConnected = limiter!.isConnected;
      await limiter!.close();
      if (!isConnected) return 2; // the limiter has said why
    } else unchecked.push("the store");
  }
  const counting = typeof store === "string" ? store : "Redis";
  log(
    "info",
    `pwgen-api ${metadata.version} would serve ${
      urlOf(host, port, paths !== undefined)
    }, ${config.rateLimit} requests a minute, counted in ${counting}` +
      (unchecked.length > 0
        ? `; not checked, without permission: ${unchecked.join(", ")}`
        : ""),
  );
  return 0;
}

function isGranted(permission: Deno.PermissionDescriptor): boolean {
  return Deno.permissions.querySync(permission).state === "granted";
}

/**
 * Stops accepting, and lets requests in flight finish.
 *
 * Since Deno 2.9 shutdown() breaks off the bodies that have not been read
 * (denoland/deno#36809), so decisions and bodies come first. Without any it
 * stops accepting at once.
 */
async function stop(
  servers: Deno.HttpServer[],
  limiter: SharedLimiter | undefined,
): Promise<void> {
  if (limiter !== undefined) {
    await limiter.close();
    await sleep(0); // the requests decided last begin to read their bodies
  }
  await bodiesArrived();
  await Promise.allSettled(servers.map((server) => server.shutdown()));
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/**
 * Resolves when the process is told to stop. When it is told so again, it ends
 * at once with status 1.
 */
function stopSignal(): Promise<void> {
  const signals: Deno.Signal[] = Deno.build.os === "windows"
    ? ["SIGINT", "SIGBREAK"]
    : ["SIGINT", "SIGTERM", "SIGHUP"];
  return new Promise((resolve) => {
    let first: number | undefined;
    const onSignal = () => {
      first ??= performance.now();
      resolve();
      if (performance.now() - first >= SAME_SIGNAL_MS) Deno.exit(1);
    };
    for (const signal of signals) Deno.addSignalListener(signal, onSignal);
  });
}

/** Reads a variable; one of the platform counts as not set where it is not permitted. */
function variable(name: string): string | undefined {
  if (PLATFORM_VARIABLES.includes(name)) {
    if (!isGranted({ name: "env", variable: name })) return undefined;
  }
  return Deno.env.get(name);
}

/**
 * Serves until told to stop, then lets requests in flight finish.
 *
 * @param args the command line after the name of the program
 * @returns the exit status: 0, or 2 for a setting that cannot be used
 */
async function main(args: string[]): Promise<number> {
  try {
    const config = await readConfig(args, variable);
    if (typeof config === "string") {
      if (config === "help") log("info", HELP);
      if (config === "version") log("info", metadata.version);
      return 0;
    }
    if (config.checkOnly) return await check(config);
    // Heard from before the start line on, which others take for readiness.
    const served = await serve(config, stopSignal());
    if (served !== undefined) {
      await Promise.race([
        stop(served.servers, served.limiter),
        sleep(DRAIN_MS),
      ]);
    }
    return 0;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    log("error", error.message);
    return 2;
  }
}

if (import.meta.main) {
  const status = await main(Deno.args);
  await flush(FLUSH_MS);
  Deno.exit(status);
}
