/**
 * Flags and environment variables, read into one configuration.
 *
 * @module
 */
import type { Proxies } from "./middleware/client.ts";
import type { RedisAddress } from "./middleware/limiters/redis.ts";

// node:net and node:util are loaded where a setting needs them: they take longer
// to load than all the rest of the program.

/** What the service is told from outside. */
export interface Config {
  /** The TCP port to listen on, 0 to 65,535; 0 takes any free one. */
  readonly port: number;
  /** The address or host name to listen on. */
  readonly host: string;
  /** The proxies whose X-Forwarded-* is believed; undefined without any. */
  readonly trustedProxies: Proxies | undefined;
  /** Requests a minute that one client may send, 1 to 10,000. */
  readonly rateLimit: number;
  /** Where requests are counted: in this process, in Deno KV, or in Redis. */
  readonly rateLimitStore: "memory" | "kv" | RedisAddress;
  /** Clients that the rate limit remembers at most. */
  readonly maxClients: number;
  /** Whether to write an access log, and in which form. */
  readonly accessLog: "off" | "json";
  /** Whether it runs on Deno Deploy, which speaks TLS for it. */
  readonly onDenoDeploy: boolean;
  /** The paths of certificate and private key (PEM); undefined without TLS. */
  readonly tls: { readonly cert: string; readonly key: string } | undefined;
  /** Whether to check the settings instead of serving. */
  readonly checkOnly: boolean;
}

/**
 * A setting that cannot be used. The message is one line that says which
 * setting, what is wrong and what is allowed.
 *
 * @example
 * ```ts
 * import { ConfigError, readConfig } from "./config.ts";
 * import { assertRejects } from "@std/assert";
 *
 * await assertRejects(
 *   () => readConfig(["--port", "http"], () => undefined),
 *   ConfigError,
 *   "--port",
 * );
 * ```
 */
export class ConfigError extends Error {
  /** The name of the class. */
  override name = "ConfigError";
}

/** One setting: its names, what it takes, and how that is read. */
interface Setting<T> {
  readonly variable: string;
  readonly byDefault: T;
  /** How the default is shown. */
  readonly shown: string;
  readonly meaning: string;
  readonly allowed: string;
  /** Whether a value may contain a password: then no error repeats it. */
  readonly isSecret?: true;
  /** Reads a text; undefined for what is not allowed. */
  readonly read: (text: string) => T | undefined | Promise<T | undefined>;
}

function integerSetting(
  variable: string,
  [minimum, maximum]: readonly [number, number],
  byDefault: number,
  meaning: string,
): Setting<number> {
  return {
    variable,
    byDefault,
    shown: String(byDefault),
    meaning,
    allowed: `an integer from ${minimum} to ${maximum}`,
    read: (text) =>
      /^(0|[1-9][0-9]{0,8})$/.test(text) && Number(text) >= minimum &&
        Number(text) <= maximum
        ? Number(text)
        : undefined,
  };
}

const PATH = "the path of a PEM file";

const SETTINGS = {
  "port": integerSetting(
    "PORT",
    [0, 65_535],
    8000,
    "TCP port; 0 takes any free one",
  ),
  "host": {
    variable: "PWGEN_HOST",
    byDefault: "127.0.0.1",
    shown: "127.0.0.1 (on Deno Deploy 0.0.0.0)",
    meaning: "address or host name to listen on",
    allowed: "an IP address or a host name",
    read: async (text) =>
      /^(?=.*[a-z])[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/i.test(text) ||
        (await import("node:net")).isIP(text) !== 0
        ? text
        : undefined,
  } as Setting<string>,
  "trusted-proxies": {
    variable: "PWGEN_TRUSTED_PROXIES",
    byDefault: undefined,
    shown: "none",
    meaning: "proxies whose X-Forwarded-For and -Proto are believed",
    allowed:
      'IP addresses, networks such as 10.0.0.0/8, or "loopback", separated by commas',
    read: async (text) =>
      (await import("./middleware/proxies.ts")).readProxies(text),
  } as Setting<Proxies | undefined>,
  "rate-limit": integerSetting(
    "PWGEN_RATE_LIMIT",
    [1, 10_000],
    60,
    "requests a minute that one client may send",
  ),
  "rate-limit-store": {
    variable: "PWGEN_RATE_LIMIT_STORE",
    byDefault: "memory",
    shown: "memory",
    meaning: "where the rate limit counts",
    allowed:
      "memory, kv (on Deno Deploy), redis://[user[:password]@]host[:port][/database], or rediss:// for TLS",
    isSecret: true,
    read: async (text) =>
      text === "memory" || text === "kv"
        ? text
        : (await import("./middleware/limiters/redis.ts")).readRedisUrl(text),
  } as Setting<Config["rateLimitStore"]>,
  "max-clients": integerSetting(
    "PWGEN_MAX_CLIENTS",
    [1, 10_000_000],
    250_000,
    "clients that the rate limit remembers at most",
  ),
  "access-log": {
    variable: "PWGEN_ACCESS_LOG",
    byDefault: "off",
    shown: "off",
    meaning: "one line a request on standard output",
    allowed: "off or json",
    read: (text) => text === "off" || text === "json" ? text : undefined,
  } as Setting<Config["accessLog"]>,
  "tls-cert": {
    variable: "PWGEN_TLS_CERT",
    byDefault: undefined,
    shown: "none",
    meaning: "certificate chain, for TLS",
    allowed: PATH,
    read: (text) => text,
  } as Setting<string | undefined>,
  "tls-key": {
    variable: "PWGEN_TLS_KEY",
    byDefault: undefined,
    shown: "none",
    meaning: "private key of the certificate",
    allowed: PATH,
    read: (text) => text,
  } as Setting<string | undefined>,
};

/**
 * What `--help` prints.
 *
 * @example
 * ```ts
 * import { HELP } from "./config.ts";
 * import { assertStringIncludes } from "@std/assert";
 *
 * assertStringIncludes(HELP, "PWGEN_RATE_LIMIT");
 * ```
 */
export const HELP: string = `pwgen-api: passwords over HTTP

Usage: deno task start [flags]     (or: pwgen-api [flags])

Each setting is a flag or an environment variable; the flag wins.

${
  Object.entries(SETTINGS).map(([flag, setting]) =>
    `  --${flag.padEnd(16)} ${setting.variable.padEnd(24)} ${setting.meaning}
${" ".repeat(44)}${setting.allowed}; default: ${setting.shown}`
  ).join("\n")
}
  --check                                   check what the start would check, and exit
  --help                                    print this and exit
  --version                                 print the version and exit
`;

/** The variables by which Deno Deploy makes itself known. */
export const PLATFORM_VARIABLES: readonly string[] = [
  "DENO_DEPLOYMENT_ID",
  "DENO_DEPLOY",
];

/** The flags that ask for something else than to serve. */
const COMMANDS = ["check", "help", "version"];

/** The flags of a command line by name; a flag without a value is true. */
async function readFlags(args: string[]): Promise<Map<string, string | true>> {
  const flags = new Map<string, string | true>();
  if (args.length === 0) return flags;
  const { parseArgs } = await import("node:util");
  const { tokens } = parseArgs({
    // Who is used to npm types `deno task start -- --port 80`.
    args: args[0] === "--" ? args.slice(1) : args,
    strict: false,
    tokens: true,
    allowPositionals: true,
    options: {
      ...Object.fromEntries(
        Object.keys(SETTINGS).map((
          flag,
        ) => [flag, { type: "string" as const }]),
      ),
      check: { type: "boolean" },
      help: { type: "boolean", short: "h" },
      version: { type: "boolean" },
    },
  });
  for (const token of tokens) {
    // It may be the URL of the store, with a password: it is not repeated.
    const argument = `argument ${token.index + 1}`;
    if (token.kind === "positional") {
      throw new ConfigError(
        `${argument}: not a flag; --help lists what is allowed`,
      );
    }
    if (token.kind === "option-terminator") continue;
    if (
      !Object.hasOwn(SETTINGS, token.name) && !COMMANDS.includes(token.name)
    ) {
      const name = /^--?[a-z-]+$/.test(token.rawName)
        ? token.rawName
        : argument;
      throw new ConfigError(
        `${name}: unknown flag; --help lists what is allowed`,
      );
    }
    if (COMMANDS.includes(token.name) && token.value !== undefined) {
      throw new ConfigError(`${token.rawName}: takes no value; leave it out`);
    }
    flags.set(token.name, token.value ?? true);
  }
  return flags;
}

/**
 * Reads the configuration. A flag goes before its variable; a variable that is
 * set to the empty string counts as not set.
 *
 * @param args the command line after the name of the program
 * @param env looks up an environment variable
 * @returns the configuration, or what was asked for instead of serving
 * @throws {ConfigError} if a setting has a value that is not allowed, or a flag
 *   is unknown
 *
 * @example
 * ```ts
 * import { readConfig } from "./config.ts";
 * import { assertEquals } from "@std/assert";
 *
 * const env = new Map([["PORT", "9000"], ["PWGEN_RATE_LIMIT", "10"]]);
 * const config = await readConfig(["--port=8080"], (name) => env.get(name));
 * if (typeof config === "string") throw new Error("Unexpected --help");
 * assertEquals(config.port, 8080);
 * assertEquals(config.rateLimit, 10);
 * ```
 */
export async function readConfig(
  args: string[],
  env: (name: string) => string | undefined,
): Promise<Config | "help" | "version"> {
  const flags = await readFlags(args);
  if (flags.has("help")) return "help";
  if (flags.has("version")) return "version";

  async function get<Flag extends keyof typeof SETTINGS>(
    flag: Flag,
    byDefault = SETTINGS[flag].byDefault,
  ): Promise<typeof SETTINGS[Flag]["byDefault"]> {
    const setting = SETTINGS[flag];
    const given = flags.get(flag);
    const text = given ?? (env(setting.variable) || undefined);
    if (text === undefined) return byDefault;
    const name = given === undefined
      ? setting.variable
      : `--${flag} (${setting.variable})`;
    const problem = text === true || text === ""
      ? "needs a value"
      : `${
        "isSecret" in setting || /:\/\/|@/.test(String(text))
          ? "this value"
          : JSON.stringify(text)
      } is not allowed`;
    const value = text === true || text === ""
      ? undefined
      : await setting.read(text);
    if (value === undefined) {
      throw new ConfigError(`${name}: ${problem}; use ${setting.allowed}`);
    }
    return value;
  }

  const cert = await get("tls-cert");
  const key = await get("tls-key");
  if ((cert === undefined) !== (key === undefined)) {
    const [missing, present] = cert === undefined
      ? ["PWGEN_TLS_CERT", "PWGEN_TLS_KEY"]
      : ["PWGEN_TLS_KEY", "PWGEN_TLS_CERT"];
    throw new ConfigError(
      `${missing}: not set although ${present} is; set both or neither`,
    );
  }
  const onDenoDeploy = PLATFORM_VARIABLES.some((name) => env(name));
  return {
    port: await get("port"),
    // The platform asks from outside.
    host: await get("host", onDenoDeploy ? "0.0.0.0" : undefined),
    trustedProxies: await get("trusted-proxies"),
    rateLimit: await get("rate-limit"),
    rateLimitStore: await get("rate-limit-store"),
    maxClients: await get("max-clients"),
    accessLog: await get("access-log"),
    onDenoDeploy,
    tls: cert === undefined || key === undefined ? undefined : { cert, key },
    checkOnly: flags.has("check"),
  };
}
