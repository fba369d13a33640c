/**
 * Redis or Valkey as the shared store of the rate limit.
 *
 * @module
 */
import { hash } from "node:crypto";
import {
  ProtocolError,
  type Reply,
  ReplyError,
  type RespAddress,
  RespClient,
} from "./resp.ts";
import { newSecret, pseudonym, type SharedStore, StoreError } from "./store.ts";
import { type ClientKey, type Decision, WINDOW_MS } from "./sliding_window.ts";

/** How often a process renews the secret, in milliseconds. */
const RENEW_MS = 60_000;

/** How long Redis keeps the secret after the last renewal, in seconds. */
const SECRET_TTL_S = 3600;

const SECRET_KEY = "pwgen:secret";

/**
 * The rule of the sliding window as a script, which Redis runs as one atomic
 * step. The value of a client is a list of the times of its admitted requests, in
 * microseconds of the server's clock, oldest first.
 *
 * KEYS[1] is the client, ARGV[1] the limit, ARGV[2] the window in milliseconds.
 * The reply is an array: admitted (1 or 0), remaining requests, microseconds until
 * the oldest request leaves the window.
 *
 * A stored time that is more than 60 seconds later than now does not count. It
 * shows that the clock was set back after the time was stored.
 *
 * RPUSH must be the first command that writes, since Redis without free memory
 * refuses only the first writing command of a script. LTRIM is called every time,
 * so that one run shows whether the user may run all commands of the script.
 */
export const SCRIPT = `
local key, limit, window = KEYS[1], tonumber(ARGV[1]), ARGV[2] * 1000
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local length = redis.call('LLEN', key)
local left, oldest = 0, now
while left < length do
  oldest = tonumber(redis.call('LINDEX', key, left))
  if math.abs(now - oldest) < window then break end
  left = left + 1
end
local count = length - left
if count == 0 then oldest = now end
local admitted = count < limit
if admitted then
  redis.call('RPUSH', key, now)
  redis.call('PEXPIRE', key, ARGV[2])
  count = count + 1
end
redis.call('LTRIM', key, left, -1)
return {
  admitted and 1 or 0,
  math.max(0, limit - count),
  math.min(window, oldest + window - now)
}
`;

const SCRIPT_SHA1 = hash("sha1", SCRIPT);

/** The address of a Redis server and the login. */
export interface RedisAddress extends RespAddress {
  /** The name of the user; undefined for the default user. */
  readonly username: string | undefined;
  /** The password; undefined without one. */
  readonly password: string | undefined;
  /** The number of the database, from 0. */
  readonly database: number;
}

/**
 * Reads the URL of a Redis server:
 * `redis://[user[:password]@]host[:port][/database]`, or `rediss://` for TLS.
 *
 * @param text the URL
 * @returns the address, with port 6379 and database 0 by default; undefined if
 *   the text is not such a URL
 *
 * @example
 * ```ts
 * import { readRedisUrl } from "./redis.ts";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(readRedisUrl("rediss://:p%40ss@[::1]/2"), {
 *   hostname: "::1",
 *   port: 6379,
 *   tls: true,
 *   username: undefined,
 *   password: "p@ss",
 *   database: 2,
 * });
 * assertEquals(readRedisUrl("redis://localhost/?db=2"), undefined);
 * ```
 */
export function readRedisUrl(text: string): RedisAddress | undefined {
  // Only visible ASCII, since URL silently removes line breaks.
  if (!/^rediss?:\/\/[!-~]+$/.test(text)) return undefined;
  const url = URL.parse(text);
  if (
    url === null || url.search !== "" || url.hash !== "" ||
    !/^(\[[\da-f:.]+\]|[\w.-]+)$/i.test(url.hostname) ||
    url.port === "0" || !/^(\/(0|[1-9]\d{0,4})?)?$/.test(url.pathname)
  ) return undefined;
  try {
    return {
      hostname: url.hostname.replace(/^\[(.*)\]$/, "$1"),
      port: Number(url.port || 6379),
      tls: url.protocol === "rediss:",
      username: decodeURIComponent(url.username) || undefined,
      password: decodeURIComponent(url.password) || undefined,
      database: Number(url.pathname.slice(1)),
    };
  } catch {
    return undefined; // "%" without two hexadecimal digits
  }
}

/** Options of a {@linkcode RedisStore}. */
export interface RedisStoreOptions {
  /** Requests admitted from a client in a window, at least 1. */
  readonly limit: number;
  /** The address of the server. */
  readonly address: RedisAddress;
}

/**
 * Counts in Redis 6 or later, or in Valkey. The clock of the server decides.
 *
 * @example
 * ```ts
 * import { readRedisUrl, RedisStore } from "./redis.ts";
 * import { StoreError } from "./store.ts";
 * import { assertRejects } from "@std/assert";
 *
 * const address = readRedisUrl("redis://127.0.0.1:1")!;
 * const store = new RedisStore({ limit: 60, address });
 * await assertRejects(
 *   () => store.connect(() => {}),
 *   StoreError,
 *   "connection refused",
 * );
 * ```
 */
export class RedisStore implements SharedStore {
  /** The name of the store in the log. */
  readonly name = "Redis";
  /** The deadline for a decision, in milliseconds. */
  readonly deadlineMs = 1000;
  readonly #options: RedisStoreOptions;
  #client: RespClient | undefined;
  /** Cancels the attempt to connect. */
  #connecting: AbortController | undefined;
  #secret = newSecret();
  #renewal: ReturnType<typeof setInterval> | undefined;

  /**
   * Makes a store without a connection.
   *
   * @param options the limit and the address
   */
  constructor(options: RedisStoreOptions) {
    this.#options = options;
  }

  /**
   * Connects, logs in, reads the shared secret, and runs the script once.
   *
   * @param onLost called when the connection is lost
   * @throws {StoreError} if the server cannot be used
   */
  async connect(onLost: (error: StoreError) => void): Promise<void> {
    const { signal } = this.#connecting = new AbortController();
    try {
      const client = await RespClient.connect(this.#options.address, signal);
      if (signal.aborted) return client.close();
      this.#client = client;
      await this.#prepare(client);
      this.#renewal = setInterval(
        () => this.#shareSecret(client).catch((error) => client.close(error)),
        RENEW_MS,
      );
      Deno.unrefTimer(this.#renewal);
      client.ended.then((error) => {
        if (this.#client === client) onLost(asStoreError(error));
      });
    } catch (error) {
      throw asStoreError(error);
    }
  }

  /**
   * Decides about a request, and counts it if it is admitted.
   *
   * @param key the key of the client
   * @returns the decision
   * @throws {StoreError} if the server cannot decide
   */
  async admit(key: ClientKey): Promise<Decision> {
    try {
      const client = this.#client!;
      const args = [
        `pwgen:${pseudonym(this.#secret, key)}`,
        String(this.#options.limit),
        String(WINDOW_MS),
      ];
      let reply = await client.send(["EVALSHA", SCRIPT_SHA1, "1", ...args]);
      // The only error after which the request is certainly not counted.
      if (reply instanceof ReplyError && reply.code === "NOSCRIPT") {
        reply = await client.send(["EVAL", SCRIPT, "1", ...args]);
      }
      return readDecision(reply);
    } catch (error) {
      throw asStoreError(error);
    }
  }

  /** Closes the connection. Decisions that are pending fail. */
  close(): void {
    this.#connecting?.abort();
    clearInterval(this.#renewal);
    const client = this.#client;
    this.#client = undefined;
    client?.close();
  }

  async #prepare(client: RespClient): Promise<void> {
    const { username, password, database } = this.#options.address;
    const commands: string[][] = [];
    if (username !== undefined || password !== undefined) {
      const user = username === undefined ? [] : [username];
      commands.push(["AUTH", ...user, password ?? ""]);
    }
    if (database !== 0) commands.push(["SELECT", String(database)]);
    // A missing right, or a replica, is detected here and not at a request.
    const args = ["1", `pwgen:try:${crypto.randomUUID()}`, "1", "1"];
    commands.push(["EVAL", SCRIPT, ...args], ["EVALSHA", SCRIPT_SHA1, ...args]);
    const results = await Promise.allSettled([
      ...commands.map((command) => client.send(command)),
      this.#shareSecret(client),
    ]);
    // The first failure is the cause of the failures after it.
    for (const result of results) {
      if (result.status === "rejected") throw result.reason;
      throwIfError(result.value);
    }
  }

  /**
   * Stores the secret of this process if Redis has none, and then uses the secret
   * in Redis. All processes must use the same secret, also after Redis has lost
   * its data.
   */
  async #shareSecret(client: RespClient): Promise<void> {
    const ttl = String(SECRET_TTL_S);
    const replies = await Promise.all([
      client.send(["SET", SECRET_KEY, this.#secret, "EX", ttl, "NX"]),
      client.send(["EXPIRE", SECRET_KEY, ttl]),
      client.send(["GET", SECRET_KEY]),
    ]);
    replies.forEach(throwIfError);
    const [, , secret] = replies;
    if (typeof secret === "string") this.#secret = secret;
  }
}

function throwIfError(reply: Reply | void): void {
  if (reply instanceof ReplyError) throw reply;
}

function readDecision(reply: Reply): Decision {
  throwIfError(reply);
  const [admitted, remaining, resetUs] = Array.isArray(reply) ? reply : [];
  if (typeof remaining !== "number" || typeof resetUs !== "number") {
    throw new ProtocolError("Not a decision");
  }
  return { admitted: admitted === 1, remaining, resetMs: resetUs / 1000 };
}

/** The codes of temporary errors, and their meaning. */
const TEMPORARY: Record<string, string> = {
  LOADING: "it is loading its data",
  READONLY: "it is a read-only replica",
  OOM: "it is out of memory",
  MISCONF: "it cannot save its data and refuses to write",
  BUSY: "it is busy with a script",
  MASTERDOWN: "it has lost its primary",
  NOREPLICAS: "it has too few replicas",
  CLUSTERDOWN: "its cluster is down",
  MOVED: "it redirects to another node; clusters are not supported",
  ASK: "it redirects to another node; clusters are not supported",
  TRYAGAIN: "it redirects to another node; clusters are not supported",
};

/**
 * Errors that a wrong setting causes, and their meaning. A group of the pattern
 * is a text of Deno, and is added.
 */
const PERMANENT: [RegExp, string][] = [
  [/^ReplyError: NOAUTH /, "it requires a password (NOAUTH)"],
  [/^ReplyError: WRONGPASS /, "user or password is wrong (WRONGPASS)"],
  [
    /^ReplyError: (?:NOPERM |.*script can't run this command)/,
    "a right is missing (NOPERM); docs/rate-limiting.md lists them",
  ],
  [/^ReplyError: DENIED /, "it is in protected mode (DENIED)"],
  [/^ReplyError: ERR AUTH /, "it has no password, but the URL has one"],
  [/^ReplyError: .*(?:DB index|SELECT is not)/, "there is no such database"],
  [
    /^ReplyError: .*unknown (?:redis )?command/i,
    "it lacks a command that is needed",
  ],
  [/^ProtocolError/, "what listens there is not Redis, or expects TLS"],
  [/^NotCapable/, "no permission from Deno to connect to it"],
  [/^InvalidData: (.*)/, "no TLS with it: "],
  [
    /^Error: Failed opening CA file/,
    "the file that DENO_CERT names cannot be read",
  ],
];

/** Other errors and their meaning; the first pattern that matches counts. */
const OTHER: [RegExp, string][] = [
  [/^ReplyError: .*max number of clients/, "it has too many clients"],
  [/^ReplyError/, "it refuses a command"],
  [/^ConnectionRefused/, "connection refused"],
  [/^UnexpectedEof/, "it closed the connection"],
  [/^ConnectionReset/, "it closed the connection; does it expect TLS?"],
  [/^Error: failed to lookup/, "its host name cannot be resolved"],
];

/**
 * Describes an error. The text of the server is not repeated, since it may
 * contain an argument, such as the password.
 */
function asStoreError(error: unknown): StoreError {
  if (error instanceof StoreError) return error;
  const text = String(error);
  if (error instanceof ReplyError) {
    // Redis 6 appends the error of a command to that of the script.
    const code = text.match(/\b[A-Z]+\b/g)?.find((word) => word in TEMPORARY);
    if (code) return new StoreError(`${TEMPORARY[code]} (${code})`);
  }
  for (const [pattern, reason] of PERMANENT) {
    const match = pattern.exec(text);
    if (match) {
      return new StoreError(reason + (match[1] ?? ""), { permanent: true });
    }
  }
  const other = OTHER.find(([pattern]) => pattern.test(text));
  return new StoreError(other?.[1] ?? "the connection failed");
}
