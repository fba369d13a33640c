/**
 * The life cycle of the process: settings, listen, signals, drain, exit.
 *
 * @module
 */
import { createHandler } from "./app.ts";
import {
  type Config,
  ConfigError,
  HELP,
  PLATFORM_VARIABLES,
  readConfig,
  reasonOf,
} from "./config.ts";
import metadata from "./deno.json" with { type: "json" };
import {
  consoleLog,
  createLog,
  type Log,
  type LogFormat,
  type ProcessLog,
} from "./log.ts";
import { listen, readCertificate, reportPlainHttp, urlOf } from "./serve.ts";

/**
 * Deno 2.8.3 to 2.9.5 close connections of HTTP/1.1 after some bodies
 * (denoland/deno#36657).
 */
const OLDEST_DENO = "2.9.6";

/**
 * The time for the requests in flight when the drain begins. It is longer than
 * the deadline of a body (routes/api/body.ts), 11 s at most.
 */
export const DRAIN_MS = 12_000;

/** Deno Deploy kills a process 5 seconds after SIGINT. */
export const PLATFORM_DRAIN_MS = 4000;

/**
 * The time to close connections after the last body: a client may leave a response
 * unread, or not even begin the TLS handshake.
 */
const CLOSE_MS = 3000;

/**
 * Two signals within this time count as one: on Ctrl-C both the terminal and
 * `deno task` send a signal.
 */
const SAME_SIGNAL_MS = 500;

/** The time for the last lines of the log. */
export const FLUSH_MS = 1000;

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

const IS_ON_PLATFORM = PLATFORM_VARIABLES.some((name) => readVariable(name));

/**
 * Makes the shared limiter and connects it to its store. Returns undefined if the
 * process counts in memory. The code of a store is loaded only if it is used:
 * it would make each start a third longer.
 *
 * @throws {ConfigError} if the store can never be used with these settings, or, for
 *   --check, cannot be used now
 */
async function startSharedLimiter(config: Config, log: Log) {
  const { rateLimit: limit, maxClients, rateLimitStore: store } = config;
  if (store === "memory") return undefined;
  const openKv = () => Deno.openKv();
  const { SharedLimiter } = await import("./middleware/limiters/shared.ts");
  const limiter = new SharedLimiter({
    limit,
    maxClients,
    now: () => performance.now(),
    warn: (line) => log("warning", line),
    store: store === "kv"
      ? (await import("./middleware/limiters/kv.ts")).kvStore(openKv)
      : (await import("./middleware/limiters/redis.ts")).redisStore(store),
  });
  try {
    await limiter.start({ retry: !config.checkOnly });
    return limiter;
  } catch (error) {
    const [name, reason] = [storeName(config), reasonOf(error)];
    throw new ConfigError(
      `PWGEN_RATE_LIMIT_STORE: cannot use ${name}: ${reason}; use memory, or the URL of a server that this process may use`,
    );
  }
}

function storeName({ rateLimitStore: store }: Config): string {
  return store === "memory" ? store : store === "kv" ? "Deno KV" : "Redis";
}

/**
 * Serves until a signal to stop, and drains the requests in flight.
 *
 * Since Deno 2.9 shutdown() aborts bodies that are not read yet
 * (denoland/deno#36809), so this function first waits for pending decisions and
 * pending bodies. In this time new requests get 503.
 */
async function serve(
  config: Config,
  { log, lostLines }: ProcessLog,
): Promise<void> {
  // Before the start line, since other programs may send a signal right after it.
  let isStopping = false;
  const stopped = stopSignal(log).then(() => void (isStopping = true));
  let isDraining = false;
  const certificate = readCertificate(config);
  const limiter = await Promise.race([
    startSharedLimiter(config, log),
    stopped,
  ]);
  if (isStopping) return;
  const { handler, drain } = createHandler(config, {
    log,
    lostLines,
    isStopping: () => isStopping,
    isDraining: () => isDraining,
    ...(limiter && { limiter }),
    tlsNotAfter: certificate &&
      (async () => (await certificate.validity())[1] / 1000),
  });
  const server = listen(config, certificate, handler, log, () => isDraining);
  reportPlainHttp(config, log);
  certificate?.watch(log);
  // The single binary may read any file, since the path of the certificate is
  // not known when it is built; no file is read from now on.
  Deno.permissions.revokeSync({ name: "read" });
  await stopped;
  // A load balancer notices by /healthz, while every request is still served.
  await pause(1000 * config.drainDelay);
  isDraining = true;
  const drained = (async () => {
    await limiter?.close();
    await drain();
    await Promise.race([server.shutdown(), pause(CLOSE_MS)]);
  })();
  const drainMs = config.onDenoDeploy ? PLATFORM_DRAIN_MS : DRAIN_MS;
  await Promise.race([drained, pause(drainMs)]);
}

/**
 * Checks settings, certificate and store as a start does, without using the port,
 * and logs what the service would serve.
 *
 * @throws {ConfigError} if a setting or the store cannot be used
 */
async function check(config: Config, log: Log): Promise<void> {
  const certificate = readCertificate(config);
  const refuse = () => Promise.resolve(new Response());
  await listen(config, certificate, refuse).shutdown();
  await certificate?.watch(log);
  const limiter = await startSharedLimiter(config, log);
  await limiter?.close();
  reportPlainHttp(config, log);
  const { explicitSettings, rateLimit } = config;
  const settings = explicitSettings.length > 0
    ? `; settings: ${explicitSettings.join(", ")}`
    : "";
  log(
    "info",
    `pwgen-api ${metadata.version} would serve ${
      urlOf(config)
    }, ${rateLimit} requests a minute, counted in ${
      storeName(config)
    }${settings}`,
  );
}

/** Resolves at the first signal to stop. A later one ends the process at once. */
function stopSignal(log: Log): Promise<void> {
  const signals: Deno.Signal[] = Deno.build.os === "windows"
    ? ["SIGINT", "SIGBREAK"]
    : ["SIGINT", "SIGTERM", "SIGHUP"];
  return new Promise((resolve) => {
    let firstAt: number | undefined;
    for (const signal of signals) {
      Deno.addSignalListener(signal, () => {
        if (firstAt === undefined) log("info", `Stopping: ${signal}`);
        firstAt ??= performance.now();
        resolve();
        if (performance.now() - firstAt >= SAME_SIGNAL_MS) Deno.exit(1);
      });
    }
  });
}

function mayRead(variable: string): boolean {
  const permission = { name: "env", variable } as const;
  return Deno.permissions.querySync(permission).state === "granted";
}

/**
 * A variable of Deno Deploy counts as not set if the process may not read it, as
 * with `deno task start`.
 */
function readVariable(name: string): string | undefined {
  const isReadable = !PLATFORM_VARIABLES.includes(name) || mayRead(name);
  return isReadable ? Deno.env.get(name) : undefined;
}

/** A pre-release, such as "2.10.0-rc.1+4fa2e16", counts as its release. */
function isTooOld(version: string): boolean {
  const sortable = (text: string) =>
    text.replace(/\d+/g, (number) => number.padStart(9, "0"));
  return sortable(version) < sortable(OLDEST_DENO);
}

/**
 * Reads the settings.
 *
 * @throws {ConfigError} if a setting, a flag or the version of Deno cannot be used
 */
function readSettings(args: string[]): ReturnType<typeof readConfig> {
  // Deno Deploy chooses its version itself, so a refusal there would help nobody.
  if (isTooOld(Deno.version.deno) && !IS_ON_PLATFORM) {
    throw new ConfigError(
      `pwgen-api needs Deno ${OLDEST_DENO} or later; this is Deno ${Deno.version.deno}`,
    );
  }
  return readConfig(args, readVariable);
}

function openLog(format: LogFormat): ProcessLog {
  return IS_ON_PLATFORM
    ? consoleLog(format)
    : createLog(Deno.stdout, Deno.stderr, format);
}

/** Returns the exit status, 2 for a wrong setting. */
async function main(args: string[]): Promise<number> {
  if (args[0] === "generate") {
    const { run } = await import("./cli/generate.ts");
    return run(args.slice(1));
  }
  // Until the settings are known, and for the errors in them.
  const isJournal = mayRead("PWGEN_LOG_FORMAT") &&
    Deno.env.get("PWGEN_LOG_FORMAT") === "journal";
  let processLog = openLog(isJournal ? "journal" : "text");
  let status = 0;
  try {
    const settings = readSettings(args);
    if (typeof settings === "string") {
      const text = settings === "help" ? HELP : metadata.version;
      processLog.log("info", text);
    } else {
      processLog = openLog(settings.logFormat);
      const { log } = processLog;
      for (const line of settings.warnings) log("warning", line);
      if (settings.checkOnly) await check(settings, log);
      else await serve(settings, processLog);
    }
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    processLog.log("error", error.message);
    status = 2;
  }
  await Promise.race([processLog.flush(), pause(FLUSH_MS)]);
  return status;
}

if (import.meta.main) Deno.exit(await main(Deno.args));
