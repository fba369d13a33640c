/**
 * The life cycle of the process: settings, listen, signals, drain, exit.
 *
 * @module
 */
import {
  createHandler,
  createSharedLimiter,
  type ServerHandler,
} from "./app.ts";
import {
  type Config,
  ConfigError,
  HELP,
  PLATFORM_VARIABLES,
  readConfig,
} from "./config.ts";
import metadata from "./deno.json" with { type: "json" };
import { createLog } from "./log.ts";
import type { SharedLimiter } from "./middleware/limiters/shared.ts";

/** The oldest supported version of Deno: major.minor. */
const OLDEST_DENO = "2.9";

/**
 * The time for requests in flight after a signal to stop, in milliseconds. It
 * should not be shorter than the deadline of a body (routes/api/body.ts).
 */
const DRAIN_MS = 10_000;

/**
 * The time in milliseconds within which two signals count as one. On Ctrl-C both
 * the terminal and `deno task` send a signal.
 */
const SAME_SIGNAL_MS = 500;

/** The log reports a certificate this many days before it expires. */
const EXPIRY_DAYS = 14;

const DAY_MS = 86_400_000;

/** The time for writing the last log lines, in milliseconds. */
const FLUSH_MS = 1000;

/** The maximum number of servers to drain. A failed listener adds one. */
const MAX_SERVERS = 10;

/** The pause before listening again after a failure, in milliseconds. */
const RELISTEN_MS = 1000;

// Plain text until the settings are read.
let { log, flush, lostLines } = createLog(Deno.stdout, Deno.stderr);

/**
 * Makes the shared limiter and connects it to its store.
 *
 * @param stopped a promise; when it settles, the function stops waiting
 * @returns the limiter; undefined if the process counts in memory
 * @throws {ConfigError} if the store can never be used with these settings
 */
async function startSharedLimiter(
  config: Config,
  stopped?: Promise<void>,
): Promise<SharedLimiter | undefined> {
  const limiter = await createSharedLimiter(config, log);
  const started = limiter?.start();
  try {
    await Promise.race([started, stopped ?? started]);
    return limiter;
  } catch (error) {
    throw new ConfigError(
      `PWGEN_RATE_LIMIT_STORE: cannot use ${storeName(config)}: ${
        reasonOf(error)
      }; use memory, or the URL of a server that this process may use`,
    );
  }
}

/** The name of the rate limiter's store. */
function storeName({ rateLimitStore: store }: Config): string {
  return store === "memory" ? store : store === "kv" ? "Deno KV" : "Redis";
}

/** Reads a PEM file. */
function readPem(variable: string, path: string): string {
  try {
    return Deno.readTextFileSync(path);
  } catch (error) {
    throw new ConfigError(
      `${variable}: cannot read ${JSON.stringify(path)}: ${
        reasonOf(error)
      }; use ${
        error instanceof Deno.errors.NotCapable
          ? "deno task start:tls, and a path without a comma"
          : "the path of a PEM file that this process may read"
      }`,
    );
  }
}

/**
 * Logs a certificate that is not valid now, or that expires soon.
 *
 * @param pem the certificate chain; the first one is the service's own
 */
async function reportValidity(pem: string): Promise<void> {
  const { X509Certificate } = await import("node:crypto");
  const [own = pem] =
    /-----BEGIN CERTIFICATE-----[^]+?-----END CERTIFICATE-----/.exec(pem) ?? [];
  let certificate;
  try {
    certificate = new X509Certificate(own);
  } catch {
    return; // Deno.serve reports it
  }
  const now = Date.now();
  const from = Date.parse(certificate.validFrom);
  const to = Date.parse(certificate.validTo);
  const day = (time: number) => new Date(time).toISOString().slice(0, 10);
  const name = "PWGEN_TLS_CERT: the certificate";
  const advice = "renew it and restart the service";
  if (now < from) {
    log(
      "error",
      `${name} is not valid before ${
        day(from)
      }; use a valid one, or set the clock of this machine`,
    );
  } else if (now > to) {
    log("error", `${name} expired on ${day(to)}; ${advice}`);
  } else if (to - now < EXPIRY_DAYS * DAY_MS) {
    log("warning", `${name} expires on ${day(to)}; ${advice}`);
  }
}

/** Reads certificate and key; undefined without TLS. */
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
    return "no permission from Deno";
  }
  const text = error instanceof Error ? error.message : String(error);
  return text.split("\n", 1)[0]!;
}

function isLoopback(host: string): boolean {
  return host.toLowerCase() === "localhost" || host === "::1" ||
    /^127\.[\d.]+$/.test(host);
}

/** The URL of the service on this machine. */
function urlOf(host: string, port: number, isSecure: boolean): string {
  const name = host === "0.0.0.0" || host === "::"
    ? "localhost"
    : host.includes(":")
    ? `[${host}]`
    : host;
  return `${isSecure ? "https" : "http"}://${name}:${port}/`;
}

/** Logs that others can read the passwords on their way. */
function reportPlainHttp(
  { host, tls, trustedProxies, onDenoDeploy }: Config,
): void {
  if (tls || trustedProxies || onDenoDeploy || isLoopback(host)) return;
  log(
    "warning",
    "Plain HTTP on an address that others reach; passwords must travel over HTTPS. Set PWGEN_TLS_CERT and PWGEN_TLS_KEY, or put a TLS proxy in front and name it in PWGEN_TRUSTED_PROXIES",
  );
}

/** Starts to listen, and logs the URL. */
function listen(
  config: Config,
  port: number,
  tls: { cert: string; key: string } | undefined,
  handler: ServerHandler,
): Deno.HttpServer<Deno.NetAddr> {
  const { host } = config;
  const options: Deno.ServeTcpOptions & Partial<Deno.TlsCertifiedKeyPem> = {
    hostname: host,
    port,
    ...tls,
    onListen: ({ hostname, port }) => {
      const url = urlOf(hostname, port, tls !== undefined);
      log("info", `pwgen-api ${metadata.version}: ${url}`);
      reportPlainHttp(config);
    },
  };
  try {
    return Deno.serve(
      options,
      (request, info) => handler(request, info.remoteAddr.hostname, info),
    );
  } catch (error) {
    throw listenError(error, config, tls !== undefined);
  }
}

/** The error in the settings because of which the process cannot listen. */
function listenError(
  error: unknown,
  { host, port }: Config,
  isSecure: boolean,
): ConfigError {
  const reason = reasonOf(error);
  // Deno checks the certificate before the address.
  return isSecure && !isAddressError(error)
    ? new ConfigError(
      `PWGEN_TLS_CERT, PWGEN_TLS_KEY: cannot use them: ${reason}; use a certificate chain and its own private key, in PEM`,
    )
    : new ConfigError(
      `PORT, PWGEN_HOST: cannot listen on ${host}, port ${port}: ${reason}; use ${
        error instanceof Deno.errors.NotCapable
          ? "the flag --allow-net of Deno"
          : error instanceof Deno.errors.PermissionDenied
          ? "a port from 1024 on, or a user with the right to this one"
          : "an address of this machine and a port that is free"
      }`,
    );
}

function isAddressError(error: unknown): boolean {
  return error instanceof Deno.errors.AddrInUse ||
    error instanceof Deno.errors.AddrNotAvailable ||
    error instanceof Deno.errors.PermissionDenied ||
    error instanceof Deno.errors.NotCapable ||
    (error instanceof Error && error.message.startsWith("failed to lookup"));
}

/**
 * Serves until a signal to stop.
 *
 * Deno's listener fails when the process has no file descriptor left ("Too many
 * open files"), which idle connections can cause. The service then listens
 * again.
 *
 * @param stopped a promise that settles at the signal to stop
 * @returns the servers, and the shared limiter if there is one. A server with a
 *   failed listener is included, since it still has connections. Undefined if the
 *   signal came before the service listened.
 */
async function serve(
  config: Config,
  stopped: Promise<void>,
): Promise<
  | {
    servers: Deno.HttpServer[];
    limiter: SharedLimiter | undefined;
    drain: () => Promise<void>;
  }
  | undefined
> {
  const tls = readCertificate(config);
  if (tls) {
    reportValidity(tls.cert);
    Deno.unrefTimer(setInterval(() => reportValidity(tls.cert), DAY_MS));
  }
  let isStopping = false;
  stopped.then(() => isStopping = true);
  const limiter = await startSharedLimiter(config, stopped);
  if (isStopping) return undefined;
  const { handler, drain } = createHandler(config, {
    log,
    lostLines,
    isStopping: () => isStopping,
    ...(limiter && { limiter }),
  });
  const servers = [listen(config, config.port, tls, handler)];
  // The single binary may read any file, since the path of the certificate is
  // not known when it is built; no file is read from now on.
  Deno.permissions.revokeSync({ name: "read" });
  const { port } = servers[0]!.addr;
  while (true) {
    const failure = await Promise.race([
      stopped,
      servers.at(-1)!.finished.then(() => undefined, (error: unknown) => error),
    ]);
    if (failure === undefined) return { servers, limiter, drain };
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
      // The next round reports the failed server again, and waits.
    }
  }
}

/**
 * Makes the same checks of the settings as a start, but does not use the port.
 * Logs what the service would serve, and which settings are set. If a permission
 * is missing, the line names the checks that were skipped.
 *
 * @returns the exit status: 0, or 2 if the store cannot be used now
 * @throws {ConfigError} if a setting cannot be used
 */
async function check(config: Config): Promise<number> {
  const { host, port, tls: paths, rateLimitStore: store, given } = config;
  const mayListen = isGranted({ name: "net" });
  const mayRead = [paths?.cert, paths?.key].every((path) =>
    path === undefined || isGranted({ name: "read", path })
  );
  const unchecked: string[] = [];
  if (!mayListen) unchecked.push("the address");
  if (paths && !(mayListen && mayRead)) unchecked.push("certificate and key");
  if (store !== "memory" && !mayListen) unchecked.push("the store");

  if (mayListen) {
    const tls = mayRead ? readCertificate(config) : undefined;
    const address = { hostname: host, port: 0 };
    try {
      (tls ? Deno.listenTls({ ...address, ...tls }) : Deno.listen(address))
        .close();
    } catch (error) {
      throw listenError(error, config, tls !== undefined);
    }
    if (tls) await reportValidity(tls.cert);
    const limiter = await startSharedLimiter(config);
    const isConnected = limiter?.isConnected ?? true;
    await limiter?.close();
    if (!isConnected) return 2; // the limiter has logged the reason
  }
  reportPlainHttp(config);
  log(
    "info",
    [
      `pwgen-api ${metadata.version} would serve ${
        urlOf(host, port, paths !== undefined)
      }, ${config.rateLimit} requests a minute, counted in ${
        storeName(config)
      }`,
      ...(given.length > 0 ? [`settings: ${given.join(", ")}`] : []),
      ...(unchecked.length > 0
        ? [`not checked, without permission: ${unchecked.join(", ")}`]
        : []),
    ].join("; "),
  );
  return 0;
}

function isGranted(permission: Deno.PermissionDescriptor): boolean {
  return Deno.permissions.querySync(permission).state === "granted";
}

/**
 * Stops accepting connections, and drains the requests in flight.
 *
 * Since Deno 2.9 shutdown() aborts bodies that are not read yet
 * (denoland/deno#36809), so this function first waits for pending decisions and
 * pending bodies.
 */
async function stop(
  servers: Deno.HttpServer[],
  limiter: SharedLimiter | undefined,
  drain: () => Promise<void>,
): Promise<void> {
  if (limiter !== undefined) {
    await limiter.close();
    await sleep(0); // so that the last admitted requests start to read a body
  }
  await drain();
  await Promise.allSettled(servers.map((server) => server.shutdown()));
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/**
 * Resolves at the first signal to stop, and logs it. A second signal ends the
 * process at once with status 1.
 */
function stopSignal(): Promise<void> {
  const signals: Deno.Signal[] = Deno.build.os === "windows"
    ? ["SIGINT", "SIGBREAK"]
    : ["SIGINT", "SIGTERM", "SIGHUP"];
  return new Promise((resolve) => {
    let first: number | undefined;
    const onSignal = (signal: Deno.Signal) => {
      if (first === undefined) log("info", `Stopping: ${signal}`);
      first ??= performance.now();
      resolve();
      if (performance.now() - first >= SAME_SIGNAL_MS) Deno.exit(1);
    };
    for (const signal of signals) {
      Deno.addSignalListener(signal, () => onSignal(signal));
    }
  });
}

/**
 * Reads an environment variable. A variable of Deno Deploy counts as not set if
 * the process may not read it.
 */
function readVariable(name: string): string | undefined {
  if (PLATFORM_VARIABLES.includes(name)) {
    if (!isGranted({ name: "env", variable: name })) return undefined;
  }
  return Deno.env.get(name);
}

/**
 * Tells whether this Deno is older than {@linkcode OLDEST_DENO}. Deno Deploy
 * chooses its version itself, so a refusal there would help nobody.
 */
function isDenoTooOld(): boolean {
  const [major = 0, minor = 0] = Deno.version.deno.split(".").map(Number);
  const [oldestMajor = 0, oldestMinor = 0] = OLDEST_DENO.split(".").map(Number);
  const isOlder = major < oldestMajor ||
    (major === oldestMajor && minor < oldestMinor);
  return isOlder && !PLATFORM_VARIABLES.some((name) => readVariable(name));
}

/**
 * Runs the program.
 *
 * @param args the command line after the name of the program
 * @returns the exit status: 0, or 2 for a setting or a Deno that cannot be used
 */
async function main(args: string[]): Promise<number> {
  if (isDenoTooOld()) {
    log(
      "error",
      `pwgen-api needs Deno ${OLDEST_DENO} or later; this is Deno ${Deno.version.deno}`,
    );
    return 2;
  }
  try {
    const config = await readConfig(args, readVariable);
    if (typeof config === "string") {
      if (config === "help") log("info", HELP);
      if (config === "version") log("info", metadata.version);
      return 0;
    }
    if (config.accessLog === "json") {
      ({ log, flush, lostLines } = createLog(Deno.stdout, Deno.stderr, "json"));
    }
    if (config.checkOnly) return await check(config);
    // Signals work before the start line, which other programs wait for.
    const served = await serve(config, stopSignal());
    if (served !== undefined) {
      await Promise.race([
        stop(served.servers, served.limiter, served.drain),
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
