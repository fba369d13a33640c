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
  readonly isSecret?: boolean;
  /** Parses a value; undefined if it is not allowed. */
  readonly read: (text: string) => T | undefined;
}

// The kinds of a setting: default value, allowed values, and how a text is read.

const integer = (defaultValue: number, minimum: number, maximum: number) => ({
  defaultValue,
  expected: `an integer from ${minimum} to ${maximum}`,
  read: (text: string) => {
    const value = /^(0|[1-9][0-9]*)$/.test(text) ? Number(text) : NaN;
    return value >= minimum && value <= maximum ? value : undefined;
  },
});

/** The first value is the default. */
const choice = <T extends string>(...values: [T, ...T[]]) => ({
  defaultValue: values[0],
  expected: values.join(" or "),
  read: (text: string) => values.find((value) => value === text),
});

const HOST = {
  defaultValue: "127.0.0.1",
  expected: "an IP address or a host name",
  // An IPv6 address may have a zone here.
  read: (text: string) =>
    /^(?=.*[a-z])[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/i.test(text) ||
      parseAddress(text.replace(/(?<=:.*)%[\w.-]+$/, ""))
      ? text
      : undefined,
};

const STORE = {
  defaultValue: "memory" as "memory" | "kv" | RedisAddress,
  expected:
    "memory, kv (on Deno Deploy), redis://[user[:password]@]host[:port][/database] (a special character of the password is %XX), or rediss:// for TLS; valkey:// and valkeys:// are the same",
  isSecret: true,
  read: (text: string) =>
    text === "memory" || text === "kv" ? text : readRedisUrl(text),
};

const ADDRESSES = {
  defaultValue: undefined as AddressList | undefined,
  expected:
    'IP addresses, networks such as 10.0.0.0/8 (not of all addresses), or "loopback", separated by commas',
  read: parseAddressList,
};

const PEM_PATH = {
  defaultValue: undefined as string | undefined,
  expected: "the path of a PEM file",
  // With PWGEN_TLS_KEY_FILE, a text of several lines may be the key itself.
  read: (text: string) => /\n|^["'].*["']$/.test(text) ? undefined : text,
};

/**
 * The settings by name: kind with default and range, and description. The flag of
 * `maxClients` is `--max-clients`, and its variable `PWGEN_MAX_CLIENTS`.
 */
export const SETTINGS = {
  port: {
    ...integer(8000, 0, 65_535),
    description: "TCP port, which PORT can set too; 0 takes any free port",
  },
  host: {
    ...HOST,
    description: "address or host name to listen on; on Deno Deploy 0.0.0.0",
  },
  trustedProxies: {
    ...ADDRESSES,
    description:
      "proxies whose X-Forwarded-For, -Proto and X-Request-Id are trusted",
  },
  exemptClients: {
    ...ADDRESSES,
    description: "clients that the rate limit does not apply to",
  },
  rateLimit: {
    ...integer(60, 1, 10_000),
    description: "requests a minute that one client may send",
  },
  rateLimitStore: { ...STORE, description: "where the rate limit counts" },
  maxClients: {
    ...integer(250_000, 2, 10_000_000),
    description:
      "maximum number of clients that the rate limit remembers; it never forgets the latest half too early",
  },
  drainDelay: {
    ...integer(0, 0, 60),
    description:
      "seconds for which a stopping process still serves, while /healthz is 503",
  },
  accessLog: {
    ...choice("off", "json"),
    description: "one line per request; json is then the format of all lines",
  },
  logFormat: {
    ...choice("text", "json", "journal"),
    description:
      "the format of all lines (journal: text with priorities for systemd); --access-log=json makes it json",
  },
  metrics: {
    ...choice("off", "on"),
    description: "GET /metrics, for Prometheus",
  },
  tlsCert: { ...PEM_PATH, description: "certificate chain, for TLS" },
  tlsKey: { ...PEM_PATH, description: "private key of the certificate" },
  hstsMaxAge: {
    ...integer(31_536_000, 0, 63_072_000), // the preload list asks for two years
    description:
      "seconds for which browsers use only HTTPS for this host; 0 undoes it",
  },
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
  /** Those whose value came from a file. No error repeats such a value. */
  readonly fileSettings: readonly string[];
  /** Lines for the log about a variable that is ignored, or not safe. */
  readonly warnings: readonly string[];
}

/** The environment variable of a setting. */
export function variableOf(name: string): string {
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
export const PLATFORM_VARIABLES = ["DENO_DEPLOYMENT_ID", "DENO_DEPLOY"];

/**
 * The value of PWGEN_PORT in a pod, if the namespace has a Service "pwgen"
 * (https://kubernetes.io/docs/concepts/services-networking/service/#environment-variables).
 */
const SERVICE_LINK = /^(tcp|udp|sctp):\/\/\S+:\d+$/;

/** What may be a URL with a password, or a private key, also in base64. */
const MAY_BE_SECRET = /:\/\/|@|PRIVATE KEY|^LS0t/;

/** The size of the longest file that a setting may name. */
const MAX_FILE_BYTES = 65_536;

/**
 * Reads a file that a setting names: a regular file of at most 64 KiB, since a start
 * would wait for ever for the end of others.
 *
 * @param variable the variable of the setting
 * @param path the path of the file, or of a link to it
 * @param remedy how the process gets the permission of Deno to read the file
 * @param isSecret whether the path must not be in the error
 * @returns the text of the file
 * @throws {ConfigError} if the process may not read the file, or cannot
 */
export function readSettingFile(
  variable: string,
  path: string,
  remedy: string,
  isSecret = false,
): string {
  try {
    const { isFile, size } = Deno.statSync(path);
    if (isFile && size <= MAX_FILE_BYTES) return Deno.readTextFileSync(path);
    throw new Error("not a regular file of at most 64 KiB");
  } catch (error) {
    const isHidden = isSecret || MAY_BE_SECRET.test(path);
    const name = isHidden ? "this path" : `"${path}"`;
    // Deno repeats the path after most reasons.
    const [reason] = reasonOf(error).split(/: (?:stat|readfile) /, 1);
    const use = error instanceof Deno.errors.NotCapable
      ? remedy
      : "the path of a file that this process may read";
    throw new ConfigError(
      `${variable}: cannot read ${name}: ${reason}; use ${use}`,
    );
  }
}

/**
 * Reads a setting from its flag, its file, its variable or PORT.
 *
 * @returns the value and the variable; undefined if it is not set
 */
function readSetting(
  name: string,
  { expected, isSecret, read }: Setting<unknown>,
  flag: string | undefined,
  env: (name: string) => string | undefined,
) {
  let variable = variableOf(name);
  const file = `${variable}_FILE`;
  const path = flag === undefined && env(file);
  if (path && env(variable)) {
    throw new ConfigError(
      `${file}: set although ${variable} is; set one of them`,
    );
  }
  const remedy =
    `${variable}="$(cat FILE)", or the flag --allow-read=FILE of Deno`;
  // Many platforms set PORT, and only that.
  const isUnset = !path && !env(variable);
  if (name === "port" && isUnset && env("PORT")) variable = "PORT";
  const text = path
    ? readSettingFile(file, path, remedy).trimEnd()
    : flag ?? (env(variable) || undefined);
  if (text === undefined) return undefined;

  const value = text === "" ? undefined : read(text);
  if (value !== undefined) return { value, variable, isInFile: Boolean(path) };
  const flagName = `--${flagOf(name)} (${variable})`;
  const source = path ? file : flag === undefined ? variable : flagName;
  const isHidden = isSecret || path || MAY_BE_SECRET.test(text);
  const repeated = isHidden ? "this value" : `"${text}"`;
  const quotes = /^["']|["']$/.test(text) ? " with its quotation marks" : "";
  const problem = text
    ? `${repeated}${quotes} is not allowed`
    : "needs a value";
  throw new ConfigError(`${source}: ${problem}; use ${expected}`);
}

/** The values, and what else decides whether they fit together. */
interface Facts extends Values {
  readonly onDenoDeploy: boolean;
  /** Whether PWGEN_PORT is that of a Kubernetes Service. */
  readonly isLink: boolean;
}

/** A line for people, and when it applies. */
type Rule = readonly [condition: (facts: Facts) => boolean, message: string];

/** Settings that exclude each other. */
const CONFLICTS: readonly Rule[] = [
  [
    ({ tlsCert, tlsKey }) => tlsCert !== undefined && tlsKey === undefined,
    "PWGEN_TLS_KEY: not set although PWGEN_TLS_CERT is; set both or neither",
  ],
  [
    ({ tlsCert, tlsKey }) => tlsCert === undefined && tlsKey !== undefined,
    "PWGEN_TLS_CERT: not set although PWGEN_TLS_KEY is; set both or neither",
  ],
  [
    ({ onDenoDeploy, drainDelay }) => onDenoDeploy && drainDelay > 0,
    "PWGEN_DRAIN_DELAY: Deno Deploy kills a process 5 seconds after its signal; unset it",
  ],
  [
    ({ onDenoDeploy, metrics }) => onDenoDeploy && metrics === "on",
    "PWGEN_METRICS: on Deno Deploy anyone could read them, and each response would be from another instance; unset it, and use the metrics of the platform",
  ],
  [
    ({ onDenoDeploy, rateLimitStore }) =>
      !onDenoDeploy && rateLimitStore === "kv",
    "--rate-limit-store (PWGEN_RATE_LIMIT_STORE): kv is a database of Deno Deploy; use memory, or the URL of a Redis server",
  ],
  [
    ({ trustedProxies: proxies, exemptClients: clients }) =>
      proxies !== undefined && clients !== undefined &&
      overlap(proxies, clients),
    "PWGEN_EXEMPT_CLIENTS: has an address that is also in PWGEN_TRUSTED_PROXIES; use addresses of clients, without the proxies",
  ],
];

const WARNINGS: readonly Rule[] = [
  [
    ({ isLink }) => isLink,
    "PWGEN_PORT: ignored, since Kubernetes sets this value for a Service named pwgen; use enableServiceLinks: false in the pod",
  ],
  [
    ({ rateLimitStore: store }) => typeof store === "object" && !store.password,
    "PWGEN_RATE_LIMIT_STORE: this URL has no password, so whoever reads the database can find the addresses of clients in it; use a long random password",
  ],
];

function messagesOf(rules: readonly Rule[], facts: Facts): string[] {
  return rules.filter(([condition]) => condition(facts))
    .map(([, message]) => message);
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

  const isLink = SERVICE_LINK.test(env("PWGEN_PORT") ?? "");
  const variables = (name: string) =>
    isLink && name === "PWGEN_PORT" ? "" : env(name)?.trimEnd();
  const values: Record<string, unknown> = {};
  const [explicitSettings, fileSettings]: [string[], string[]] = [[], []];
  for (const [name, setting] of Object.entries<Setting<unknown>>(SETTINGS)) {
    const flag = flags.get(name)?.toString().trimEnd();
    const found = readSetting(name, setting, flag, variables);
    values[name] = found ? found.value : setting.defaultValue;
    if (found) explicitSettings.push(found.variable);
    if (found?.isInFile) fileSettings.push(found.variable);
  }
  const onDenoDeploy = PLATFORM_VARIABLES.some((name) => env(name));
  // On Deno Deploy, requests do not come from the machine itself.
  const keepsHost = !onDenoDeploy || explicitSettings.includes("PWGEN_HOST");
  if (!keepsHost) values["host"] = "0.0.0.0";
  const facts = { ...values as Values, onDenoDeploy, isLink };
  const [conflict] = messagesOf(CONFLICTS, facts);
  if (conflict) throw new ConfigError(conflict);
  const { tlsCert: cert, tlsKey: key, isLink: _, ...others } = facts;
  return {
    ...others,
    logFormat: others.accessLog === "json" ? "json" : others.logFormat,
    tls: cert && key ? { cert, key } : undefined,
    checkOnly: flags.has("check"),
    explicitSettings,
    fileSettings,
    warnings: messagesOf(WARNINGS, facts),
  };
}
