/**
 * The settings, from flags and environment variables.
 *
 * @module
 */
import { ConfigError, flagOf, readFlags, reasonOf } from "./flags.ts";
import {
  type AddressList,
  overlap,
  parseAddress,
  parseAddressList,
} from "./middleware/address.ts";
import {
  readRedisUrl,
  type RedisAddress,
} from "./middleware/limiters/redis_url.ts";

export { ConfigError, reasonOf };

/** A setting: one entry of {@linkcode SETTINGS}. */
export interface Setting<T> {
  /** The value if neither the flag nor the variable is set. */
  readonly defaultValue: T;
  /** What the setting does, for --help. */
  readonly description: string;
  /** The allowed values, for --help and errors. */
  readonly expected: string;
  /** Whether a value may contain a password. Errors do not repeat such a value. */
  readonly isSecret?: true;
  /** Parses a value; undefined if it is not allowed. */
  readonly read: (text: string) => T | undefined;
}

function integerSetting(
  [minimum, maximum]: readonly [number, number],
  defaultValue: number,
  description: string,
): Setting<number> {
  return {
    defaultValue,
    description,
    expected: `an integer from ${minimum} to ${maximum}`,
    read: (text) => {
      const value = /^(0|[1-9][0-9]*)$/.test(text) ? Number(text) : NaN;
      return value >= minimum && value <= maximum ? value : undefined;
    },
  };
}

/** The first value is the default. */
function choiceSetting<T extends string>(
  values: readonly [T, T],
  description: string,
): Setting<T> {
  return {
    defaultValue: values[0],
    description,
    expected: values.join(" or "),
    read: (text) => values.find((value) => value === text),
  };
}

function addressesSetting(
  description: string,
): Setting<AddressList | undefined> {
  return {
    defaultValue: undefined,
    description,
    expected:
      'IP addresses, networks such as 10.0.0.0/8 (not of all addresses), or "loopback", separated by commas',
    read: parseAddressList,
  };
}

function pemSetting(description: string): Setting<string | undefined> {
  return {
    defaultValue: undefined,
    description,
    expected: "the path of a PEM file",
    // With PWGEN_TLS_KEY_FILE, a text of several lines may be the key itself.
    read: (text) => /\n|^["'].*["']$/.test(text) ? undefined : text,
  };
}

/**
 * The settings by name. The flag of `maxClients` is `--max-clients`, and its
 * variable `PWGEN_MAX_CLIENTS`.
 */
export const SETTINGS = {
  port: integerSetting(
    [0, 65_535],
    8000,
    "TCP port, also PORT; 0 takes any free port",
  ),
  host: {
    defaultValue: "127.0.0.1",
    description: "address or host name to listen on; on Deno Deploy 0.0.0.0",
    expected: "an IP address or a host name",
    // An IPv6 address may have a zone here.
    read: (text) =>
      /^(?=.*[a-z])[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/i.test(text) ||
        parseAddress(text.replace(/(?<=:.*)%[\w.-]+$/, ""))
        ? text
        : undefined,
  } as Setting<string>,
  trustedProxies: addressesSetting(
    "proxies whose X-Forwarded-For, -Proto and X-Request-Id are trusted",
  ),
  exemptClients: addressesSetting(
    "clients that the rate limit does not apply to",
  ),
  rateLimit: integerSetting(
    [1, 10_000],
    60,
    "requests a minute that one client may send",
  ),
  rateLimitStore: {
    defaultValue: "memory",
    description: "where the rate limit counts",
    expected:
      "memory, kv (on Deno Deploy), redis://[user[:password]@]host[:port][/database] (a special character of the password is %XX), or rediss:// for TLS; valkey:// and valkeys:// are the same",
    isSecret: true,
    read: (text) =>
      text === "memory" || text === "kv" ? text : readRedisUrl(text),
  } as Setting<"memory" | "kv" | RedisAddress>,
  maxClients: integerSetting(
    [2, 10_000_000],
    250_000,
    "maximum number of clients that the rate limit remembers; the latest half is guaranteed",
  ),
  drainDelay: integerSetting(
    [0, 60],
    0,
    "seconds for which a stopping process still serves, while /healthz is 503",
  ),
  accessLog: choiceSetting(
    ["off", "json"],
    "one line per request; json is then the format of all lines",
  ),
  logFormat: choiceSetting(
    ["text", "json"],
    "the format of all lines; --access-log=json makes it json",
  ),
  metrics: choiceSetting(["off", "on"], "GET /metrics, for Prometheus"),
  tlsCert: pemSetting("certificate chain, for TLS"),
  tlsKey: pemSetting("private key of the certificate"),
  hstsMaxAge: integerSetting(
    [0, 63_072_000], // the preload list asks for two years
    31_536_000,
    "seconds for which browsers use only HTTPS for this host; 0 undoes it",
  ),
};

/** The value of each setting by name. */
export type Values = {
  readonly [Name in keyof typeof SETTINGS]:
    typeof SETTINGS[Name]["defaultValue"];
};

/** The values of the settings, and what follows from them. */
export interface Config extends Omit<Values, "tlsCert" | "tlsKey"> {
  /** Whether the process runs on Deno Deploy, which terminates TLS. */
  readonly onDenoDeploy: boolean;
  /** The paths of certificate and private key (PEM); undefined without TLS. */
  readonly tls: { readonly cert: string; readonly key: string } | undefined;
  /** Whether to check the settings instead of serving. */
  readonly checkOnly: boolean;
  /** The variables of all settings that are set, by variable or by flag. */
  readonly explicitSettings: readonly string[];
  /** Lines for the log about a variable that is ignored, or not safe. */
  readonly warnings: readonly string[];
}

function variableOf(name: string): string {
  return `PWGEN_${flagOf(name).toUpperCase().replaceAll("-", "_")}`;
}

function helpOf([name, setting]: [string, Setting<unknown>]): string {
  const { description, expected, defaultValue } = setting;
  return `  --${flagOf(name).padEnd(16)} ${
    variableOf(name).padEnd(24)
  } ${description}
${" ".repeat(44)}${expected}; default: ${defaultValue ?? "none"}`;
}

/** What `--help` prints. */
export const HELP: string = `pwgen-api: passwords over HTTP

Usage: deno task start [flags]     (or: pwgen-api [flags])
       deno task generate --help   (or: pwgen-api generate --help): passwords
                                   without a server

Each setting is a flag or an environment variable; the flag wins. NAME_FILE is
the path of a file that has the value of the variable NAME.

${Object.entries(SETTINGS).map(helpOf).join("\n")}
  --check                                   run the checks of a start, and exit
  --help                                    print this and exit
  --version                                 print the version and exit
`;

/** The environment variables that Deno Deploy sets. */
export const PLATFORM_VARIABLES: readonly string[] = [
  "DENO_DEPLOYMENT_ID",
  "DENO_DEPLOY",
];

/**
 * The value of PWGEN_PORT in a pod, if the namespace has a Service "pwgen"
 * (https://kubernetes.io/docs/concepts/services-networking/service/#environment-variables).
 */
const SERVICE_LINK = /^(tcp|udp|sctp):\/\/\S+:\d+$/;

/** What may be a URL with a password, or a private key, also in base64. */
const MAY_BE_SECRET = /:\/\/|@|PRIVATE KEY|^LS0t/;

/**
 * Reads a file that a setting names.
 *
 * @param variable the variable of the setting
 * @param path the path of the file
 * @param remedy how the process gets the permission of Deno to read the file
 * @returns the text of the file
 * @throws {ConfigError} if the process may not read the file, or cannot
 */
export function readSettingFile(
  variable: string,
  path: string,
  remedy: string,
): string {
  try {
    return Deno.readTextFileSync(path);
  } catch (error) {
    const name = MAY_BE_SECRET.test(path) ? "this path" : `"${path}"`;
    // Deno repeats the path after most reasons.
    const [reason] = reasonOf(error).split(": readfile ", 1);
    throw new ConfigError(
      `${variable}: cannot read ${name}: ${reason}; use ${
        error instanceof Deno.errors.NotCapable
          ? remedy
          : "the path of a file that this process may read"
      }`,
    );
  }
}

/** Flags without a value; with one of them the process does not serve. */
const COMMANDS = ["check", "help", "version"];

/**
 * Reads the settings. A flag has precedence over its variable, and PWGEN_PORT over
 * PORT. An empty variable counts as not set. If the variable NAME_FILE is set, the
 * value of NAME is read from that file. White space at the end of a value is removed.
 *
 * @param args the command line after the name of the program
 * @param env returns an environment variable
 * @returns the settings; or "help" or "version", if the flag of that name is set
 * @throws {ConfigError} if a value is not allowed, a flag is unknown or repeated, a
 *   variable is set both itself and by a file, or a file cannot be read
 */
export function readConfig(
  args: string[],
  env: (name: string) => string | undefined,
): Config | "help" | "version" {
  // npm needs the "--" in `task start -- --port 80`, and Deno passes it on.
  const list = args[0] === "--" ? args.slice(1) : args;
  const flags = readFlags(list, SETTINGS, COMMANDS);
  if (flags.has("help")) return "help";
  if (flags.has("version")) return "version";

  const warnings: string[] = [];
  const isLink = SERVICE_LINK.test(env("PWGEN_PORT") ?? "");
  if (isLink) {
    warnings.push(
      "PWGEN_PORT: ignored, since Kubernetes sets this value for a Service named pwgen; use enableServiceLinks: false in the pod",
    );
  }
  const variableValue = (name: string) =>
    isLink && name === "PWGEN_PORT"
      ? undefined
      : env(name)?.trimEnd() || undefined;

  const fileValue = (variable: string) => {
    const path = variableValue(`${variable}_FILE`);
    if (path === undefined) return undefined;
    if (variableValue(variable)) {
      throw new ConfigError(
        `${variable}_FILE: set although ${variable} is; set one of them`,
      );
    }
    return readSettingFile(
      `${variable}_FILE`,
      path,
      `${variable}="$(cat FILE)", or the flag --allow-read=FILE of Deno`,
    ).trimEnd();
  };

  const read: Record<string, unknown> = {};
  const explicitSettings: string[] = [];
  for (const [name, setting] of Object.entries<Setting<unknown>>(SETTINGS)) {
    let variable = variableOf(name);
    const given = flags.get(name)?.toString().trimEnd();
    const inFile = given === undefined ? fileValue(variable) : undefined;
    const isSet = inFile !== undefined || variableValue(variable);
    // Many platforms set PORT, and only that.
    if (name === "port" && !isSet && variableValue("PORT")) variable = "PORT";
    const text = given ?? inFile ?? variableValue(variable);
    read[name] = setting.defaultValue;
    if (text === undefined) continue;
    explicitSettings.push(variable);
    let source = variable;
    if (given !== undefined) source = `--${flagOf(name)} (${variable})`;
    if (inFile !== undefined) source = `${variable}_FILE`;
    const error = (problem: string) =>
      new ConfigError(`${source}: ${problem}; use ${setting.expected}`);
    if (text === "") throw error("needs a value");
    read[name] = setting.read(text);
    if (read[name] === undefined) {
      const isSecret = setting.isSecret || inFile !== undefined ||
        MAY_BE_SECRET.test(text);
      const value = isSecret ? "this value" : `"${text}"`;
      const quotes = /^["']|["']$/.test(text)
        ? " with its quotation marks"
        : "";
      throw error(`${value}${quotes} is not allowed`);
    }
  }

  const onDenoDeploy = PLATFORM_VARIABLES.some((name) => env(name));
  // On Deno Deploy, requests do not come from the machine itself.
  if (onDenoDeploy && !explicitSettings.includes("PWGEN_HOST")) {
    read["host"] = "0.0.0.0";
  }
  const { tlsCert: cert, tlsKey: key, ...values } = read as Values;

  if ((cert === undefined) !== (key === undefined)) {
    const [missing, present] = cert
      ? ["PWGEN_TLS_KEY", "PWGEN_TLS_CERT"]
      : ["PWGEN_TLS_CERT", "PWGEN_TLS_KEY"];
    throw new ConfigError(
      `${missing}: not set although ${present} is; set both or neither`,
    );
  }
  const { rateLimitStore, trustedProxies, exemptClients } = values;
  if (typeof rateLimitStore === "object" && !rateLimitStore.password) {
    warnings.push(
      "PWGEN_RATE_LIMIT_STORE: this URL has no password, so whoever reads the database can find the addresses of clients in it; use a long random password",
    );
  }
  if (onDenoDeploy && values.drainDelay > 0) {
    throw new ConfigError(
      "PWGEN_DRAIN_DELAY: Deno Deploy kills a process 5 seconds after its signal; unset it",
    );
  }
  if (onDenoDeploy && values.metrics === "on") {
    throw new ConfigError(
      "PWGEN_METRICS: on Deno Deploy anyone could read them, and each response would be from another instance; unset it, and use the metrics of the platform",
    );
  }
  if (rateLimitStore === "kv" && !onDenoDeploy) {
    throw new ConfigError(
      "--rate-limit-store (PWGEN_RATE_LIMIT_STORE): kv is a database of Deno Deploy; use memory, or the URL of a Redis server",
    );
  }
  if (
    trustedProxies && exemptClients && overlap(trustedProxies, exemptClients)
  ) {
    throw new ConfigError(
      "PWGEN_EXEMPT_CLIENTS: has an address that is also in PWGEN_TRUSTED_PROXIES; use addresses of clients, without the proxies",
    );
  }
  return {
    ...values,
    logFormat: values.accessLog === "json" ? "json" : values.logFormat,
    onDenoDeploy,
    tls: cert && key ? { cert, key } : undefined,
    checkOnly: flags.has("check"),
    explicitSettings,
    warnings,
  };
}
