import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { stub } from "@std/testing/mock";
import { setTimeout as pause } from "node:timers/promises";
import { redisStore } from "../../middleware/limiters/redis.ts";
import { StoreError } from "../../middleware/limiters/shared.ts";
import { until } from "../helpers/program.ts";
import { onRedis, startRedis } from "../helpers/redis.ts";
import {
  readRedisUrl,
  type RedisAddress,
} from "../../middleware/limiters/redis_url.ts";

Deno.test("readRedisUrl() reads host, port, database, user and password, and refuses every other text", () => {
  const defaults = {
    hostname: "a.example",
    port: 6379,
    tls: false,
    username: undefined,
    password: undefined,
    database: 0,
  };
  const cases: [string, Partial<RedisAddress>][] = [
    ["redis://a.example/", {}],
    ["rediss://a.example", { tls: true }],
    ["valkey://a.example", {}],
    ["valkeys://a.example", { tls: true }],
    ["redis://a.example:1/15", { port: 1, database: 15 }],
    ["redis://[2001:db8::1]:65535", { hostname: "2001:db8::1", port: 65_535 }],
    ["redis://my_redis", { hostname: "my_redis" }],
    ["redis://u:p@a.example", { username: "u", password: "p" }],
    ["redis://u@a.example", { username: "u" }],
    ["redis://:p@:x@a.example", { password: "p@:x" }],
    ["redis://:%C3%A5%2F%20%25@a.example", { password: "å/ %" }],
  ];
  for (const [url, expected] of cases) {
    assertEquals(readRedisUrl(url), { ...defaults, ...expected }, url);
  }
  for (
    const url of [
      "redis",
      "redis://",
      "redis:///1",
      "redis://:p@",
      "//a",
      "http://a",
      "redis+tls://a",
      "redisss://a",
      "keydb://a",
      " redis://a",
      "redis://ä",
      "redis://a\n",
      "redis://a:0",
      "redis://a:65536",
      "redis://a:b",
      "redis://a b",
      "redis://a/x",
      "redis://a/-1",
      "redis://a/01",
      "redis://a/1/2",
      "redis://a/999999",
      "redis://a?db=1",
      "redis://a#1",
      "redis://%zz@a",
    ]
  ) assertEquals(readRedisUrl(url), undefined, url);
});

/** Connects; the result decides about requests of a client until its disposal. */
async function connect(url: string, onLost = (_reason: string) => {}) {
  const closing = new AbortController();
  const close = () => closing.abort();
  try {
    const decide = await redisStore(readRedisUrl(url)!)
      .connect(closing.signal, ({ message }) => onLost(message));
    const admit = (key = "x") => decide(key, 60, 60_000);
    return { admit, close, [Symbol.dispose]: close };
  } catch (error) {
    close();
    throw error;
  }
}

onRedis.test("redisStore() sends the script again after SCRIPT FLUSH, but after no other error", async () => {
  await using redis = await startRedis();
  using store = await connect(redis.url);
  const evals = async () => {
    const statistics = await redis.cli("INFO", "commandstats");
    return Number(/cmdstat_eval:calls=(\d+)/.exec(statistics)![1]);
  };
  const before = await evals();
  await redis.cli("SCRIPT", "FLUSH");
  assertEquals((await store.admit()).remaining, 59);
  await redis.cli("CONFIG", "SET", "maxmemory", "1");
  await assertRejects(() => store.admit(), StoreError, "OOM");
  assertEquals(await evals(), before + 1);
});

onRedis.test("redisStore() writes a hash of an address, keyed with the password of the URL; every key expires", async () => {
  await using redis = await startRedis();
  await redis.cli("CONFIG", "SET", "requirepass", "one");
  await redis.cli("-a", "one", "ACL", "SETUSER", "default", ">other");
  const client = `-1:${0xc000024d | 0}`;
  // Twice the same password, as two processes have it.
  for (const password of ["one", "one", "other"]) {
    const url = redis.url.replace("//", `//:${password}@`);
    using store = await connect(url);
    await store.admit(client);
  }
  const cli = (...args: string[]) =>
    redis.cli("--no-auth-warning", "-a", "one", ...args);
  const keys = (await cli("KEYS", "*")).split("\n");
  assertEquals(keys.length, 2);
  for (const key of keys) {
    assertMatch(key, /^pwgen:[\da-f]{32}$/);
    const ttl = Number(await cli("PTTL", key));
    assert(ttl > 0 && ttl <= 60_000, String(ttl));
  }
});

onRedis.test("redisStore() keeps a connection on which no client sends a request", async () => {
  await using redis = await startRedis("--timeout", "5");
  const { setInterval } = globalThis;
  let beats = 0;
  using _faster = stub(
    globalThis,
    "setInterval",
    ((beat: () => void, ms: number) =>
      setInterval(() => {
        beats++;
        beat();
      }, ms / 300)) as typeof setInterval,
  );
  using store = await connect(redis.url);
  // The server closes another idle connection.
  using idle = await Deno.connect({ port: redis.port });
  assertEquals(await idle.read(new Uint8Array(1)), null);
  assertEquals((await store.admit()).remaining, 59);
  store.close();
  beats = 0;
  await pause(500);
  assertEquals(beats, 0);
});

onRedis.test("connect() of redisStore() needs each permission that the documents list", async () => {
  const document = await Deno.readTextFile(
    new URL("../../docs/operate.md", import.meta.url),
  );
  const [, rule] = /ACL SETUSER pwgen on '>PASSWORD' (.*)$/m.exec(document)!;
  const rights = rule!.split(" ");
  assert(rights.length > 8, rule);
  await using redis = await startRedis();
  await redis.cli("ACL", "SETUSER", "default", "on", ">admin");
  for (const missing of [undefined, ...rights]) {
    await redis.cli(
      "--no-auth-warning",
      "-a",
      "admin",
      "ACL",
      "SETUSER",
      "pwgen",
      "reset",
      "on",
      ">pass",
      ...rights.filter((right) => right !== missing),
    );
    const url = `redis://pwgen:pass@127.0.0.1:${redis.port}/1`;
    if (missing !== undefined) {
      // Redis 7 says "ERR" about a right that the script needs.
      const reason = /^it replied (NOPERM|ERR) to [A-Z]+, permanent$/;
      assertMatch(await failure(url), reason, missing);
      continue;
    }
    using store = await connect(url);
    for (let i = 0; i < 3; i++) await store.admit();
  }
});

const RUNBOOK = await Deno.readTextFile(
  new URL("../../docs/runbook.md", import.meta.url),
);

/**
 * The reason why a server cannot be used, and that it stays if it does. An operator
 * finds the code of an error reply in the runbook.
 */
async function failure(url: string): Promise<string> {
  const { message, permanent } = await assertRejects(
    () => connect(url),
    StoreError,
  );
  const [, code = "NOAUTH"] = /^it replied ([A-Z].*) to /.exec(message) ?? [];
  assertMatch(RUNBOOK, RegExp(`^- .*\`${code}\``, "m"));
  return message + (permanent ? ", permanent" : "");
}

onRedis.test("connect() of redisStore() gives the reason of a failure, and if it is permanent", async () => {
  await using redis = await startRedis();
  const fail = (login: string, path = "") =>
    failure(`redis://${login}127.0.0.1:${redis.port}${path}`);
  const noDatabase = "it replied ERR to SELECT, permanent";
  assertEquals(await fail("", "/99"), noDatabase);
  const noPassword = "it replied ERR to AUTH, permanent";
  assertEquals(await fail(":x@"), noPassword);
  await redis.cli("REPLICAOF", "127.0.0.1", "1");
  assertEquals(await fail(""), "it replied READONLY to EVAL");
  await redis.cli("REPLICAOF", "NO", "ONE");
  await redis.cli("CONFIG", "SET", "maxmemory", "1");
  assertEquals(await fail(""), "it replied OOM to EVAL");
  await redis.cli("CONFIG", "SET", "maxmemory", "0");
  // A key of another program.
  await redis.cli("SET", "pwgen:try", "a");
  assertEquals(await fail(""), "it replied WRONGTYPE to EVAL");
  await redis.cli("CONFIG", "SET", "requirepass", "secret");
  assertEquals(await fail(""), "it replied NOAUTH to EVAL, permanent");
  const wrong = "it replied WRONGPASS to AUTH, permanent";
  assertEquals(await fail(":x@"), wrong);
  assertEquals(await fail("nobody:secret@"), wrong);
});

const IN_CLUSTER =
  ", since it is in cluster mode; the service needs a server without it, permanent";

onRedis.test("connect() of redisStore() refuses a server in cluster mode, also one that has all keys", async () => {
  await using redis = await startRedis("--cluster-enabled", "yes");
  assertEquals(
    await failure(redis.url),
    `it replied CLUSTERDOWN to EVAL${IN_CLUSTER}`,
  );
  await redis.cli("CLUSTER", "ADDSLOTSRANGE", "0", "16383");
  await until(async () =>
    /cluster_state:ok/.test(await redis.cli("CLUSTER", "INFO"))
  );
  assertEquals(
    await failure(redis.url),
    `it replied CROSSSLOT to EVAL${IN_CLUSTER}`,
  );
  assertEquals(
    await failure(`${redis.url}/1`),
    `it replied ERR to SELECT${IN_CLUSTER}`,
  );
});

/** Error replies from the documentation that the servers above do not send. */
const REPLIES: Record<string, string> = {
  "MISCONF Redis is configured to save RDB snapshots, but ...":
    "it replied MISCONF to AUTH",
  "ASK 3999 127.0.0.1:6381": `it replied ASK to AUTH${IN_CLUSTER}`,
  "ERR max number of clients reached":
    "it replied ERR max number of clients to AUTH",
  "MOVED 3999 127.0.0.1:6381": `it replied MOVED to AUTH${IN_CLUSTER}`,
  "ERR Error running script (call to f_0): @user_script:7: -READONLY You can't write against a read only replica.":
    "it replied READONLY to AUTH",
  "ERR unknown command `AUTH`, with args beginning with: `hunter2`, ":
    "it replied ERR to AUTH, permanent",
  "ERR hunter2: upstream failure": "it replied ERR to AUTH",
  "hunter2": "it replied an error to AUTH",
  "DENIED Redis is running in protected mode":
    "it replied DENIED to AUTH, permanent",
};

/** The reason for a server that sends this text after the first command. */
async function failureAfter(text: string): Promise<string> {
  using listener = Deno.listen({ port: 0, hostname: "127.0.0.1" });
  const replied = (async () => {
    using connection = await listener.accept();
    await connection.read(new Uint8Array(4096));
    await connection.write(new TextEncoder().encode(text));
    // Open until the client closes it: only the text says what is wrong.
    while (await connection.read(new Uint8Array(4096)).catch(() => null));
  })();
  const url = `redis://:hunter2@127.0.0.1:${listener.addr.port}`;
  const reason = await failure(url);
  await replied;
  return reason;
}

Deno.test("connect() of redisStore() does not repeat the text of an error reply", async () => {
  for (const [reply, expected] of Object.entries(REPLIES)) {
    assertEquals(await failureAfter(`-${reply}\r\n`), expected, reply);
  }
});

/** Texts after the first reply that are no decision of the script with limit 0. */
const WRONG = [
  "+OK",
  "+",
  "+-1",
  "+-1 1 1",
  "+0 1000",
  "+-2 1000",
  "+-1 1001",
  "+-1 -1",
  "+-1 1.5",
  "+NaN NaN",
  ":1",
  "*2\r\n:-1\r\n:1000",
  "HTTP/1.1 400 Bad Request",
  "+-1 1\r\n+0 1\r\n+0 1",
];

Deno.test("connect() of redisStore() names a server with another protocol, and takes no decision from it", async () => {
  for (const text of WRONG) {
    assertMatch(
      await failureAfter(`+OK\r\n${text}\r\n`),
      /^it is not Redis, or expects TLS: .*, permanent$/,
      text,
    );
  }
});

onRedis.test("redisStore() reports a lost connection, but not one that it closed itself", async () => {
  await using redis = await startRedis();
  const lost: string[] = [];
  const onLost = (reason: string) => lost.push(reason);
  const first = await connect(redis.url, onLost);
  await redis.cli("CLIENT", "KILL", "TYPE", "normal");
  await assertRejects(() => first.admit(), StoreError);
  assertEquals(lost, ["the server closed the connection"]);
  first.close();
  const store = await connect(redis.url, onLost);
  assertEquals((await store.admit()).remaining, 59);
  const pending = store.admit();
  store.close();
  await assertRejects(() => pending, StoreError);
  await new Promise((resolve) => setTimeout(resolve, 0)); // let callbacks run
  assertEquals(lost.length, 1);
});
