/**
 * The program with a Redis server as its shared store: several processes, while
 * the server fails.
 */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { RawConnection } from "../helpers/connection.ts";
import {
  assertRemaining,
  CERT,
  end,
  freePorts,
  KEY,
  onUnix,
  requestWords,
  type Running,
  serve,
  start,
  untilHealthIs,
} from "../helpers/program.ts";
import { onRedis, startRedis } from "../helpers/redis.ts";

const LIMIT = 60;
const PASSWORD = "p@ss-hunter2";

/**
 * The environment of a process that counts in Redis. Redis without a password
 * takes any password of the user "default", and then there is no warning.
 */
function environment(url: string): Record<string, string> {
  const login = url.includes("@") ? "" : "default:hunter2@";
  return {
    PWGEN_RATE_LIMIT_STORE: url.replace("//", `//${login}`),
    PWGEN_TRUSTED_PROXIES: "loopback",
  };
}

let clients = 0;

/**
 * Sends 70 requests of a new client to each service, ten at a time.
 *
 * @returns how many are admitted; all others are above the limit
 */
async function admitted(services: readonly Running[]): Promise<number> {
  const fields = { "x-forwarded-for": `198.51.100.${++clients}` };
  const statuses: number[] = [];
  for (let i = 0; i < 7; i++) {
    const requests = services.flatMap((service) =>
      Array.from({ length: 10 }, () => requestWords(service, fields))
    );
    const responses = await Promise.all(requests);
    statuses.push(...responses.map(({ status }) => status));
  }
  const others = statuses.filter((status) => status !== 200);
  assertEquals(others, Array(others.length).fill(429));
  return statuses.length - others.length;
}

/** The line of an outage with its reason. */
function outageLine(reason: string): string {
  return `Rate limit: cannot use Redis: ${reason}; this process counts by itself until it can\n`;
}

const LATE = outageLine("no answer within 450 ms");
const AGAIN = "Rate limit: Redis is in use again\n";

/**
 * Removes the lines of outages in which Redis was late, as on a busy machine, and tells
 * whether there were some: then a process has counted alone.
 */
async function wereLate(services: readonly Running[]): Promise<boolean> {
  let wereLate = false;
  for (const { stderr } of services) {
    while (stderr.text.startsWith(LATE)) {
      wereLate = true;
      await stderr.match(RegExp(`^${LATE}${AGAIN}`));
      stderr.text = stderr.text.slice(LATE.length + AGAIN.length);
    }
  }
  return wereLate;
}

/** Checks that a client has exactly its limit in all processes together. */
async function assertExact(services: readonly Running[]): Promise<void> {
  let count: number;
  do count = await admitted(services); while (await wereLate(services));
  assertEquals(count, LIMIT);
}

/**
 * Waits until each process has written only the lines of an outage with these
 * reasons, and of its end, and removes them. Without reasons, there is no line.
 */
async function assertOutage(
  services: readonly Running[],
  ...reasons: string[]
): Promise<void> {
  const end = reasons.length > 0 ? AGAIN : "";
  const lines = RegExp(`^${reasons.map(outageLine).join("")}${end}`);
  for (const { stderr } of services) {
    await stderr.match(lines);
    stderr.text = stderr.text.replace(lines, "");
  }
  await wereLate(services);
  for (const { stderr } of services) assertEquals(stderr.text, "");
}

onRedis.test("four processes share exact limits on Redis, during and after its failures", async () => {
  await using redis = await startRedis("--requirepass", PASSWORD);
  const cli = (...args: string[]) =>
    redis.cli("--no-auth-warning", "-a", PASSWORD, ...args);
  const encoded = encodeURIComponent(PASSWORD);
  const env = environment(redis.url.replace("//", `//:${encoded}@`));
  await using stack = new AsyncDisposableStack();
  const services: Running[] = [];
  for (let i = 0; i < 3; i++) services.push(stack.use(await serve({ env })));
  const untilAllReport = async (pattern: RegExp) => {
    for (const { stderr } of services) await stderr.match(pattern);
  };
  const survives = async (
    event: () => Promise<unknown>,
    ...reasons: string[]
  ) => {
    const during = admitted([...services]);
    await event();
    // At most its limit in each process.
    assert(await during <= LIMIT * services.length);
    await assertOutage(services, ...reasons);
    await assertExact(services);
  };
  await assertExact(services);
  await assertOutage(services);

  // The server is killed and restarted.
  await survives(async () => {
    redis.signal("SIGKILL");
    await untilAllReport(/cannot use Redis/);
    await redis.restart();
  }, "(the server closed the connection|.*\\(os error \\d+\\))");

  // The server accepts connections and does not respond.
  await survives(async () => {
    redis.signal("SIGSTOP");
    await untilAllReport(/no answer/);
    redis.signal("SIGCONT");
  }, "no answer within 450 ms");

  // The server loses its data, and a new process starts.
  await survives(async () => {
    await cli("FLUSHALL");
    services.push(stack.use(await serve({ env })));
  });
  for (const { stdout } of services) {
    assert(!stdout.text.includes("hunter2"), stdout.text);
  }
});

onRedis.test("the program does not repeat a command whose reply is lost", async () => {
  await using redis = await startRedis();
  await using service = await serve({ env: environment(redis.url) });
  const client = { "x-forwarded-for": "192.0.2.1" };
  // Redis gets the command, and replies when the program has stopped waiting.
  redis.signal("SIGSTOP");
  await assertRemaining(service, 59, client);
  redis.signal("SIGCONT");
  await assertOutage([service], "no answer within 450 ms");
  // Redis and the process have each counted the first request once.
  await assertRemaining(service, 58, client);
  const keys = (await redis.cli("KEYS", "pwgen:*")).split("\n");
  const key = keys.find((key) => key !== "pwgen:try");
  assertEquals(await redis.cli("LLEN", key!), "2");
});

onRedis.test("the program drains requests that wait for Redis after SIGTERM", async () => {
  await using redis = await startRedis();
  for (const responds of [true, false]) {
    await using service = await serve({ env: environment(redis.url) });
    const head = "POST /api/pwgen/words HTTP/1.1\r\nHost: localhost\r\n" +
      "Content-Type: application/json\r\nContent-Length: 2\r\n\r\n";
    using complete = await RawConnection.connect(service.port);
    using partial = await RawConnection.connect(service.port);
    redis.signal("SIGSTOP");
    await complete.write(`${head}{}`);
    await partial.write(`${head}{`);
    // The service has read the two requests before a later one.
    await untilHealthIs(200, service);
    service.process.kill("SIGTERM");
    await untilHealthIs(503, service);
    if (responds) redis.signal("SIGCONT");
    const { status, body } = await complete.read();
    assertEquals([status, JSON.parse(body).type], [200, "words"]);
    await partial.write("}");
    assertEquals((await partial.read()).status, 200);
    redis.signal("SIGCONT");
    assertEquals((await end(service)).code, 0);
  }
});

onUnix.test("the program stops on SIGTERM while it waits for Redis at the start", async () => {
  using silent = Deno.listen({ port: 0, hostname: "127.0.0.1" });
  const program = start({
    env: environment(`redis://127.0.0.1:${silent.addr.port}`),
  });
  using _connection = await silent.accept();
  program.process.kill("SIGTERM");
  const stdout = "Stopping: SIGTERM\n";
  // If it waited on, it would log that Redis gave no answer.
  assertEquals(await end(program), { code: 0, stdout, stderr: "" });
});

onRedis.test("the program connects to Redis over TLS, with a certificate that only DENO_CERT trusts", async () => {
  await using redis = await startRedis(
    "--tls-port",
    "0",
    "--tls-auth-clients",
    "no",
    "--tls-cert-file",
    CERT,
    "--tls-key-file",
    KEY,
    "--tls-ca-cert-file",
    CERT,
  );
  // The start needs redis-cli, which uses a port without TLS.
  const [port] = freePorts(1);
  assertEquals(await redis.cli("CONFIG", "SET", "tls-port", `${port}`), "OK");
  const env = environment(`rediss://localhost:${port}`);
  const trusting = { ...env, DENO_CERT: CERT };
  await using one = await serve({ env: trusting });
  await using other = await serve({ env: trusting });
  const client = { "x-forwarded-for": "192.0.2.1" };
  await assertRemaining(one, 59, client);
  await assertRemaining(other, 58, client);
  assertEquals(one.stderr.text + other.stderr.text, "");

  const { code, stdout, stderr } = await end(start({ env }));
  assertEquals([code, stdout], [2, ""], stderr);
  assertMatch(
    stderr,
    /^PWGEN_RATE_LIMIT_STORE: cannot use Redis: invalid .*DENO_CERT names .*\n$/,
  );
  assert(!stderr.includes("hunter2"), stderr);

  // The certificate is for another address, so no file of DENO_CERT would help.
  await redis.cli("CONFIG", "SET", "bind", "127.0.0.1 127.0.0.2");
  const byAddress = environment(`rediss://127.0.0.2:${port}`);
  const wrong = await end(start({ env: { ...byAddress, DENO_CERT: CERT } }));
  assertMatch(
    wrong.stderr,
    /^PWGEN_RATE_.* invalid peer certificate: .* "127\.0\.0\.2".*\n$/,
  );
  assert(!wrong.stderr.includes("DENO_CERT"), wrong.stderr);

  await redis.cli("CONFIG", "SET", "tls-auth-clients", "yes");
  const refused = await end(start({ env: trusting }));
  assertEquals([refused.code, refused.stdout], [2, ""]);
  assertMatch(
    refused.stderr,
    /^PWGEN_RATE_.* alert: CertificateRequired; .*\n$/,
  );
});

onRedis.test("the program starts without a usable Redis, reports it in one line, and uses Redis as soon as it can", async () => {
  await using replica = await startRedis("--replicaof", "127.0.0.1", "1");
  // This server accepts connections and does not respond.
  using silent = Deno.listen({ port: 0, hostname: "127.0.0.1" });
  const url = `redis://127.0.0.1:${silent.addr.port}`;
  await using other = await serve({ env: environment(url) });
  assertEquals((await requestWords(other)).status, 200);
  await other.stderr.match(/\n/);
  assertEquals(other.stderr.text, outageLine("no answer within 5000 ms"));

  await using service = await serve({ env: environment(replica.url) });
  const line = outageLine("it replied READONLY to EVAL");
  await service.stderr.match(/\n/);
  assertEquals(service.stderr.text, line);
  await replica.cli("REPLICAOF", "NO", "ONE");
  await service.stderr.match(/\nRate limit: Redis is in use again\n$/);
});
