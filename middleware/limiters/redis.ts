/**
 * Redis or Valkey as the shared store of the rate limit.
 *
 * @module
 */
import { hash, scryptSync } from "node:crypto";
import type { RedisAddress } from "./redis_url.ts";
import { ProtocolError, ReplyError, RespClient } from "./resp.ts";
import { pseudonym, type SharedStore, StoreError } from "./shared.ts";
import type { Decision } from "./sliding_window.ts";

/**
 * The rule of the sliding window as a script, which Redis runs as one atomic
 * step. The value of a client is a list of the times of its admitted requests, in
 * microseconds of the server's clock, oldest first.
 *
 * KEYS[1] is the client, ARGV[1] the limit, ARGV[2] the window in milliseconds.
 * The reply is a status such as "59 60000000": remaining requests, or -1 if the
 * request is refused, and microseconds until the oldest request leaves the window.
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
local reset = math.min(window, oldest + window - now)
return redis.status_reply(string.format('%d %d', math.max(-1, remaining), reset))
`;

/** The commands that run the script: the first sends it, the second names it. */
const [EVAL, EVALSHA] = [["EVAL", SCRIPT], ["EVALSHA", hash("sha1", SCRIPT)]];

/** The key for requests of the service itself. */
const TRY_KEY = "pwgen:try";

/** Servers and firewalls close idle connections, some after 4 minutes. */
const HEARTBEAT_MS = 60_000;

/**
 * Counts in Redis 6 or later, or in Valkey, with the clock of the server. Its
 * deadline, with the last check (Deadlines), is half a second.
 *
 * @param address the address of the server, and the login. The names of clients
 *   depend on the password, so all processes need the same one.
 * @returns the store, not yet connected
 */
export function redisStore(address: RedisAddress): SharedStore {
  // Takes 40 ms: someone who reads the database and knows an address in it needs
  // this time for each guess of the password, and not a microsecond.
  const secret = scryptSync(address.password ?? "", "pwgen-api", 32)
    .toString("base64");
  return {
    name: "Redis",
    deadlineMs: 450,
    connect: async (signal, onLost) => {
      try {
        const client = await RespClient.connect(address, signal);
        await prepare(client, address);
        const heartbeat = setInterval(
          () => decide(client, EVALSHA, [TRY_KEY], 1, 1).catch(() => {}),
          HEARTBEAT_MS,
        );
        Deno.unrefTimer(heartbeat);
        client.ended.then((error) => {
          clearInterval(heartbeat);
          if (!signal.aborted) onLost(asStoreError(error));
        });
        return (key, limit, windowMs) => {
          const keys = [`pwgen:${pseudonym(secret, key)}`];
          const run = (script: readonly string[]) =>
            decide(client, script, keys, limit, windowMs);
          return run(EVALSHA)
            .catch((error) => {
              // The only error after which the request is certainly not counted.
              if (/^NOSCRIPT/.test(error.message)) return run(EVAL);
              throw error;
            })
            .catch((error) => {
              throw asStoreError(error);
            });
        };
      } catch (error) {
        throw asStoreError(error as Error);
      }
    },
  };
}

/** Logs in, and runs the script. */
async function prepare(
  client: RespClient,
  { username, password, database }: RedisAddress,
): Promise<void> {
  const commands: Promise<unknown>[] = [];
  if (username !== undefined || password !== undefined) {
    const user = username === undefined ? [] : [username];
    commands.push(client.send("AUTH", ...user, password ?? ""));
  }
  if (database !== 0) commands.push(client.send("SELECT", String(database)));
  // This detects a missing right, or a replica, before the first request.
  // The limits of 0 and 1 run each command of the script. Without the right to
  // call PEXPIRE the key stays, so all processes use the same one. A server in
  // cluster mode refuses two keys.
  // The first failure is thrown: it is the cause of the failures after it.
  await Promise.all([
    ...commands,
    decide(client, EVAL, [TRY_KEY, "pwgen:other"], 0, 1),
    decide(client, EVALSHA, [TRY_KEY], 1, 1),
  ]);
}

/**
 * Runs {@linkcode SCRIPT} with the key of a client, and others that it does not use.
 * Another program, or a proxy, may send any reply, and NaN would refuse every client.
 *
 * @throws {ProtocolError} if the script cannot have sent the reply
 */
async function decide(
  client: RespClient,
  script: readonly string[],
  keys: readonly string[],
  limit: number,
  windowMs: number,
): Promise<Decision> {
  const numbers = [keys.length, ...keys, limit, windowMs].map(String);
  const reply = await client.send(...script, ...numbers);
  const [, remaining, resetUs] = (/^(-1|\d{1,5}) (\d{1,8})$/.exec(reply) ?? [])
    .map(Number) as [number, number, number];
  if (!(remaining < limit && resetUs <= 1000 * windowMs)) {
    throw new ProtocolError("not a decision");
  }
  return {
    admitted: remaining >= 0,
    remaining: Math.max(0, remaining),
    resetMs: resetUs / 1000,
  };
}

/**
 * The code of an error reply, such as "NOAUTH". Redis 6 puts that of a command
 * after that of the script. "ERR" can mean anything, but this text is from Redis.
 */
const CODE =
  /^(?:ERR Error running script .*? -)?(ERR max number of clients|[A-Z]+)/;

/**
 * Error replies and connection errors that a wrong setting causes. Any other "ERR" may
 * be temporary: a proxy sends it while it cannot reach its server.
 */
const PERMANENT_REPLY =
  /^(?:NOAUTH|WRONGPASS|NOPERM|DENIED|ERR (?:AUTH |DB index|unknown ))|script can't run this command/i;
const PERMANENT =
  /^(ProtocolError|InvalidData|NotCapable|Error: Failed opening CA file)/;

/** Error replies that only a server in cluster mode sends. */
const CLUSTER_REPLY = /^(?:MOVED|ASK|CROSSSLOT|CLUSTERDOWN|ERR SELECT is not)/;

/**
 * Describes an error. Of an error reply, only the code is repeated: its text may
 * contain an argument, such as the password.
 */
function asStoreError(error: Error): StoreError {
  if (error instanceof ReplyError) {
    const [, code = "an error"] = CODE.exec(error.message) ?? [];
    const isCluster = CLUSTER_REPLY.test(error.message);
    const cause = isCluster
      ? ", since it is in cluster mode; the service needs a server without it"
      : "";
    return new StoreError(`it replied ${code} to ${error.command}${cause}`, {
      permanent: isCluster || PERMANENT_REPLY.test(error.message),
    });
  }
  const [reason] = error.message.split("\n", 1);
  const isProtocol = error instanceof ProtocolError;
  const hint = /^invalid peer certificate: UnknownIssuer/.test(reason!)
    ? " (the file that DENO_CERT names must have the certificate of its issuer)"
    : "";
  return new StoreError(
    isProtocol ? `it is not Redis, or expects TLS: ${reason}` : reason + hint,
    { permanent: PERMANENT.test(String(error)) },
  );
}
