/**
 * Redis or Valkey as the shared store of the rate limit.
 *
 * @module
 */
import { hash } from "node:crypto";
import { type Reply, ReplyError, RespClient } from "./resp.ts";
import type { RedisAddress } from "./redis_url.ts";
import { newSecret, pseudonym, type SharedStore, StoreError } from "./store.ts";
import { type Decision, WINDOW_MS } from "./sliding_window.ts";

/** How often a process renews the secret. */
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
 * The reply is an array: remaining requests, or -1 if the request is refused, and
 * microseconds until the oldest request leaves the window.
 *
 * A stored time that is more than 60 seconds later than now does not count. It
 * shows that the clock was set back after the time was stored.
 *
 * RPUSH adds the request before it is decided, and LTRIM removes a refused one.
 * Each command costs about 1 us, and RPUSH also returns the length. It must be the
 * first command that writes, since Redis without free memory refuses only the
 * first writing command of a script.
 */
const SCRIPT = `
local key, limit, window = KEYS[1], tonumber(ARGV[1]), ARGV[2] * 1000
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local length = redis.call('RPUSH', key, now)
local left, oldest = 0, redis.call('LINDEX', key, 0)
while math.abs(now - oldest) >= window do
  left = left + 1
  oldest = redis.call('LINDEX', key, left)
end
local remaining = limit - (length - left)
if remaining < 0 then
  redis.call('LTRIM', key, left, -2)
else
  redis.call('PEXPIRE', key, ARGV[2])
  if left > 0 then redis.call('LTRIM', key, left, -1) end
end
return { math.max(-1, remaining), math.min(window, oldest + window - now) }
`;

const SCRIPT_SHA1 = hash("sha1", SCRIPT);

/** Options of a {@linkcode RedisStore}. */
export interface RedisStoreOptions {
  /** Requests admitted from a client in a window, at least 1. */
  readonly limit: number;
  /** The address of the server. */
  readonly address: RedisAddress;
}

/** Counts in Redis 6 or later, or in Valkey, with the clock of the server. */
export class RedisStore implements SharedStore {
  /** The name in log lines. */
  readonly name = "Redis";
  /** The deadline for a decision. */
  readonly deadlineMs = 1000;
  #client: RespClient | undefined;
  /** Closes the connection, or cancels the attempt to connect. */
  #closing = new AbortController();
  #secret = newSecret();

  /** Makes a store without a connection. */
  constructor(private readonly options: RedisStoreOptions) {}

  /**
   * Connects, logs in, reads the shared secret, and runs the script once.
   *
   * @param onLost called when the connection is lost
   * @throws {StoreError} if the server cannot be used
   */
  async connect(onLost: (error: StoreError) => void): Promise<void> {
    const { signal } = this.#closing = new AbortController();
    try {
      const client = await RespClient.connect(this.options.address, signal);
      this.#client = client;
      await this.#prepare(client);
      const renewal = setInterval(
        () => this.#shareSecret(client).catch((error) => client.close(error)),
        RENEW_MS,
      );
      Deno.unrefTimer(renewal);
      client.ended.then((error) => {
        clearInterval(renewal);
        if (!signal.aborted) onLost(asStoreError(error));
      });
    } catch (error) {
      throw asStoreError(error);
    }
  }

  /** See {@linkcode SharedStore.admit}. */
  async admit(key: string): Promise<Decision> {
    try {
      const client = this.#client!;
      const args = [
        `pwgen:${pseudonym(this.#secret, key)}`,
        String(this.options.limit),
        String(WINDOW_MS),
      ];
      let reply = await client.send(["EVALSHA", SCRIPT_SHA1, "1", ...args]);
      // The only error after which the request is certainly not counted.
      if (reply instanceof ReplyError && /^NOSCRIPT/.test(reply.message)) {
        reply = await client.send(["EVAL", SCRIPT, "1", ...args]);
      }
      if (reply instanceof ReplyError) throw reply;
      return decisionOf(reply, this.options.limit, WINDOW_MS);
    } catch (error) {
      throw asStoreError(error);
    }
  }

  /** Closes the connection. Decisions that are pending fail. */
  close(): void {
    this.#closing.abort();
  }

  async #prepare(client: RespClient): Promise<void> {
    const { username, password, database } = this.options.address;
    const commands: string[][] = [];
    if (username !== undefined || password !== undefined) {
      const user = username === undefined ? [] : [username];
      commands.push(["AUTH", ...user, password ?? ""]);
    }
    if (database !== 0) commands.push(["SELECT", String(database)]);
    // A missing right, or a replica, is detected here and not at a request.
    // The limits of 0 and 1 run each command of the script. Without the right to
    // call PEXPIRE the key stays, so all processes use the same one.
    const key = "pwgen:try";
    const decide = async (command: string, script: string, limit: number) => {
      const args = [command, script, "1", key, String(limit), "1"];
      decisionOf(await ask(client, args), limit, 1);
    };
    // The first failure is thrown: it is the cause of the failures after it.
    await Promise.all([
      ...commands.map((command) => ask(client, command)),
      decide("EVAL", SCRIPT, 0),
      decide("EVALSHA", SCRIPT_SHA1, 1),
      this.#shareSecret(client),
    ]);
  }

  /**
   * Stores the secret of this process if Redis has none, and then uses the secret
   * in Redis. All processes must use the same secret, also after Redis has lost
   * its data.
   */
  async #shareSecret(client: RespClient): Promise<void> {
    const ttl = String(SECRET_TTL_S);
    const [, , secret] = await Promise.all([
      ask(client, ["SET", SECRET_KEY, this.#secret, "EX", ttl, "NX"]),
      ask(client, ["EXPIRE", SECRET_KEY, ttl]),
      ask(client, ["GET", SECRET_KEY]),
    ]);
    if (typeof secret === "string") this.#secret = secret;
  }
}

/**
 * Reads the reply to {@linkcode SCRIPT}, which got this limit and window. Another
 * program, or a proxy, may send anything, and NaN would refuse every client.
 *
 * @throws {TypeError} if the script cannot have sent this reply
 */
function decisionOf(reply: Reply, limit: number, windowMs: number): Decision {
  const isFrom = (value: Reply | undefined, range: [number, number]) =>
    typeof value === "number" && value >= range[0] && value <= range[1];
  if (
    !Array.isArray(reply) || reply.length !== 2 ||
    !isFrom(reply[0], [-1, limit - 1]) ||
    !isFrom(reply[1], [0, 1000 * windowMs])
  ) throw new TypeError("Not a decision");
  const [remaining, resetUs] = reply as [number, number];
  return {
    admitted: remaining >= 0,
    remaining: Math.max(0, remaining),
    resetMs: resetUs / 1000,
  };
}

/** Sends a command, and throws an error reply. */
async function ask(client: RespClient, command: string[]): Promise<Reply> {
  const reply = await client.send(command);
  if (reply instanceof ReplyError) throw reply;
  return reply;
}

/**
 * Errors by pattern, and their meaning; the first pattern that matches counts. An
 * error reply is matched as it is on the wire, with "-" before its text. `$1` is
 * the group of the pattern: a code, or a text of Deno.
 */
type Reasons = readonly (readonly [pattern: RegExp, reason: string])[];

/** Errors that a wrong setting causes. */
const PERMANENT: Reasons = [
  [/^-NOAUTH /, "it requires a password (NOAUTH)"],
  [/^-WRONGPASS /, "user or password is wrong (WRONGPASS)"],
  [
    /^-(?:NOPERM |.*script can't run this command)/,
    "a right is missing (NOPERM); docs/rate-limiting.md lists them",
  ],
  [/^-DENIED /, "it is in protected mode (DENIED)"],
  [/^-ERR AUTH /, "it has no password, but the URL has one"],
  [/^-.*(?:DB index|SELECT is not)/, "there is no such database"],
  [/^-.*unknown (?:redis )?command/i, "it lacks a command that is needed"],
  [/^ProtocolError/, "what listens there is not Redis, or expects TLS"],
  [/^TypeError: Not a decision/, "its reply to the script is not a decision"],
  [/^NotCapable/, "no permission from Deno to connect to it"],
  [/^InvalidData: (.*)/, "no TLS with it: $1"],
  [
    /^Error: Failed opening CA file/,
    "the file that DENO_CERT names cannot be read",
  ],
];

/** Other errors. Redis 6 appends the code of a command to that of the script. */
const TEMPORARY: Reasons = [
  [/^-.*\bLOADING\b/, "it is loading its data (LOADING)"],
  [/^-.*\bREADONLY\b/, "it is a read-only replica (READONLY)"],
  [/^-.*\bOOM\b/, "it is out of memory (OOM)"],
  [
    /^-.*\bMISCONF\b/,
    "it cannot save its data and refuses to write (MISCONF)",
  ],
  [/^-.*\bBUSY\b/, "it is busy with a script (BUSY)"],
  [/^-.*\bMASTERDOWN\b/, "it has lost its primary (MASTERDOWN)"],
  [/^-.*\bNOREPLICAS\b/, "it has too few replicas (NOREPLICAS)"],
  [/^-.*\bCLUSTERDOWN\b/, "its cluster is down (CLUSTERDOWN)"],
  [
    /^-.*\b(MOVED|ASK|TRYAGAIN)\b/,
    "it redirects to another node; clusters are not supported ($1)",
  ],
  [/^-.*max number of clients/, "it has too many clients"],
  [/^-/, "it refuses a command"],
  [/^ConnectionRefused/, "connection refused"],
  [/^UnexpectedEof/, "it closed the connection"],
  [/^ConnectionReset/, "it closed the connection; does it expect TLS?"],
  [/^Error: failed to lookup/, "its host name cannot be resolved"],
  [/^/, "the connection failed"],
];

/**
 * Describes an error. The text of the server is not repeated, since it may
 * contain an argument, such as the password.
 */
function asStoreError(error: unknown): StoreError {
  const text = error instanceof ReplyError
    ? `-${error.message}`
    : String(error);
  const matches = ([pattern]: Reasons[number]) => pattern.test(text);
  const permanent = PERMANENT.find(matches);
  const [pattern, reason] = permanent ?? TEMPORARY.find(matches)!;
  const [, group = ""] = pattern.exec(text)!;
  return new StoreError(reason.replace("$1", () => group), {
    permanent: permanent !== undefined,
  });
}
