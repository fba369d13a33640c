/**
 * The program as Deno Deploy runs it, on this Deno and on the one that the
 * documentation of the platform names.
 */
import { assert, assertEquals, assertMatch, assertNotMatch } from "@std/assert";
import { testWay } from "./contract.ts";
import { Collector } from "../../helpers/collector.ts";
import { tempDir } from "../../helpers/files.ts";
import {
  clientOf,
  denoFromNpm,
  Front,
  NO_UNIX_SOCKETS,
  type PlatformOptions,
  runStep,
  spawnInstance,
} from "../../helpers/platform.ts";
import {
  assertRemaining,
  end,
  listening,
  post,
  requestWords,
  serve,
  spawn,
  stop,
  unless,
  until,
} from "../../helpers/program.ts";
import { PLATFORM_DRAIN_MS } from "../../../main.ts";
import { KINDS, outcome, TABLES } from "../../oracle.ts";

/** The last release of the version in deploy/reference/runtime of its documentation. */
const PLATFORM_DENO = "2.5.7";
const deno = NO_UNIX_SOCKETS ? undefined : await denoFromNpm(PLATFORM_DENO);

const onUnix = unless(NO_UNIX_SOCKETS);

const startInstance = (
  env: Record<string, string> = {},
  options: PlatformOptions = {},
) => listening(spawnInstance(env, options));

for (
  const [version, options, missing] of [
    [Deno.version.deno, {}, NO_UNIX_SOCKETS],
    [
      PLATFORM_DENO,
      { deno },
      deno ? "" : `no Deno ${PLATFORM_DENO} from npm (Debian: npm)`,
    ],
  ] as const
) {
  const name = `an instance on Deno Deploy with Deno ${version}`;
  const on = unless(missing);

  testWay({
    name,
    missing,
    host: "localhost",
    start: (env = {}) => spawnInstance(env, options),
    open: (instance) => new Front(instance),
  });

  on.test(`two of ${name} and a database admit 60 requests of a client, whichever instance it reaches`, async () => {
    await using database = await tempDir();
    const kv = `${database.path}/database`;
    const env = { PWGEN_RATE_LIMIT_STORE: "kv" };
    await using one = await startInstance(env, { ...options, kv });
    await using other = await startInstance(env, { ...options, kv });
    await using front = new Front(one, other);
    // One after the other: SQLite, unlike the database of the platform, is locked.
    for (let left = 59; left >= 0; left--) await assertRemaining(front, left);
    for (const _ of [one, other]) {
      assertEquals((await requestWords(front)).status, 429);
    }
    using client = Deno.createHttpClient({ localAddress: "127.0.0.2" });
    await assertRemaining(front, 59, {}, { client });
    // The log names 127.0.0.1, a private address.
    assertNotMatch(one.stderr.text + other.stderr.text, /Deno KV/);
  });

  on.test(`${name} answers what it has accepted and ends by itself after SIGINT, whatever its clients do`, async () => {
    const instance = await startInstance(
      { PWGEN_RATE_LIMIT: "10000" },
      options,
    );
    await using front = new Front(instance);
    const url = `${front.url}/api/pwgen/words`;
    /** A request whose body ends after an event. */
    const slow = (event: Promise<unknown>) =>
      fetch(url, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: ReadableStream.from((async function* () {
          yield new TextEncoder().encode("{");
          await event;
          yield new TextEncoder().encode("}");
        })()),
      });
    const stopping = instance.stdout.match(/Stopping: SIGINT/);
    const late = Array.from({ length: 10 }, () => slow(stopping));
    const stuck = slow(instance.process.status);
    await Promise.all(Array.from({ length: 100 }, () => requestWords(front)));
    const load = Array.from({ length: 100 }, () => requestWords(front));
    const ended = stop(instance, "SIGINT");
    for (const { status } of await Promise.all(load)) {
      assert([200, 502, 503].includes(status), `${status}`);
    }
    for (const response of await Promise.all(late)) {
      assertEquals(response.status, 200);
      await response.body?.cancel();
    }
    const { code, stderr } = await ended;
    assertEquals([code, stderr], [0, ""]);
    const { status, body } = await stuck;
    await body?.cancel();
    assertEquals(status, 502);
  });

  on.test(`${name} answers every valid value of a field as the oracle says`, async () => {
    const env = { PWGEN_RATE_LIMIT: "10000" };
    await using instance = await startInstance(env, options);
    await using front = new Front(instance);
    for (const kind of KINDS) {
      for (const [field, row] of Object.entries(TABLES[kind])) {
        const values = row.type === "boolean"
          ? [true, false]
          : row.type === "integer"
          ? row.range
          : row.type === "text"
          ? row.valid
          : row.values;
        for (const value of values) {
          const body = { [field]: value };
          const text = JSON.stringify(body);
          const response = await post(`${front.url}/api/pwgen/${kind}`, text);
          await response.body?.cancel();
          const isRefused = outcome(kind, body).errors.length > 0;
          assertEquals(response.status, isRefused ? 400 : 200, text);
        }
      }
    }
    assertNotMatch(instance.stderr.text, /Cannot answer/);
  });

  on.test(`${name} is not deployed with a wrong setting`, async () => {
    assertEquals((await runStep("install", {}, options)).code, 0);
    const env = { PWGEN_METRICS: "on" };
    const wrong = await runStep("predeploy", env, options);
    assertEquals(wrong.code, 2, wrong.stderr);
    assertMatch(wrong.stderr, /^PWGEN_METRICS: on Deno Deploy /);
    const { code, stdout } = await runStep("predeploy", {}, options);
    assertEquals(code, 0);
    assertMatch(
      stdout,
      / would serve .* counted in memory; settings: PORT\n$/,
    );
  });
}

Deno.test("the drain on Deno Deploy is shorter than the 5 s until SIGKILL", () => {
  assert(PLATFORM_DRAIN_MS < 5000);
});

onUnix.test("an instance on Deno Deploy takes the address that the platform passes on, compresses no password, and asks for HTTPS", async () => {
  await using instance = await startInstance();
  await using front = new Front(instance);
  for (const remaining of [59, 58, 57]) {
    // The front overwrites what a client sends.
    const field = { "x-deno-client-address": `192.0.2.${remaining}:80` };
    await assertRemaining(front, remaining, field);
  }
  assertEquals(instance.stderr.text, "");
  for (const { port } of [instance, front]) {
    const url = `http://127.0.0.1:${port}/api/pwgen/words`;
    const { headers, body } = await post(url, '{"count":9}');
    await body?.cancel();
    assertEquals(headers.get("content-encoding"), null);
    const sts = headers.get("strict-transport-security");
    assertEquals(sts, "max-age=31536000");
  }
});

onUnix.test("where Deno does not read the address, the service does; clients without one share a limit, and the log says so once", async () => {
  const env = { PWGEN_RATE_LIMIT: "3" };
  await using instance = await startInstance(env, { trustsHeaders: false });
  await using front = new Front(instance);
  for (const remaining of [2, 1, 0]) await assertRemaining(front, remaining);
  using client = clientOf(instance.socket);
  const health = await fetch("http://localhost/healthz", { client });
  assertEquals(await health.json(), { status: "ok" });
  const addresses = ["", "unknown", "vsock:2", "", ""];
  for (const [i, address] of addresses.entries()) {
    const field: Record<string, string> = address
      ? { "x-deno-client-address": address }
      : {};
    const remaining = Math.max(0, 2 - i);
    await assertRemaining({ port: 80 }, remaining, field, { client });
  }
  await instance.stderr.match(
    /^Rate limit: refused a client that may be a proxy; .*\n$/,
  );
});

onUnix.test("outside of Deno Deploy, the service does not read the address of the platform", async () => {
  await using service = await serve();
  for (const remaining of [59, 58]) {
    const field = { "x-deno-client-address": `192.0.2.${remaining}:80` };
    await assertRemaining(service, remaining, field);
  }
});

onUnix.test("the service listens on a Unix socket alone, and says so", async () => {
  await using folder = await tempDir();
  const path = `${folder.path}/socket`;
  const program = spawn(Deno.execPath(), ["run", "-A", "main.ts"], {
    DENO_SERVE_ADDRESS: `unix:${path}`,
  });
  await program.stdout.match(RegExp(`^pwgen-api \\S+: unix:${path}(?: .*)?\n`));
  using client = clientOf(path);
  const health = await fetch("http://localhost/healthz", { client });
  assertEquals(await health.json(), { status: "ok" });
  assertEquals((await stop(program, "SIGINT")).code, 0);
});

onUnix.test("an instance on Deno Deploy stops when it can accept no connection any more, so that another one starts", async () => {
  await using folder = await tempDir();
  const few = `${folder.path}/deno`;
  const script = `#!/bin/sh\nulimit -n 100; exec ${Deno.execPath()} "$@"\n`;
  // Not by this process: another test could start a program in the meantime, which would
  // have the file open for writing ("Text file busy").
  const write = 'printf %s "$1" >"$0" && chmod 755 "$0"';
  await end(spawn("sh", ["-c", write, few, script]));
  const instance = await startInstance({}, { deno: few });
  using connections = new DisposableStack();
  try {
    for (let i = 0; i < 150; i++) {
      const { socket: path } = instance;
      connections.use(await Deno.connect({ transport: "unix", path }));
    }
  } catch {
    // The listener has failed.
  }
  const { code, stdout, stderr } = await end(instance);
  assertMatch(stderr, /^Cannot accept connections: .*; stopping \(see .*\)\n$/);
  assertMatch(stdout, /\nStopping: SIGINT\n$/);
  assertEquals(code, 0);
});

onUnix.test("Deno Deploy captures each line of the log as a record with its level", async () => {
  await using collector = new Collector();
  const env = {
    ...collector.env,
    PWGEN_ACCESS_LOG: "json",
    PWGEN_RATE_LIMIT: "1",
  };
  const instance = await startInstance(env, { trustsHeaders: false });
  using client = clientOf(instance.socket);
  // The second one is refused.
  for (let i = 0; i < 2; i++) await requestWords({ port: 80 }, {}, { client });
  instance.process.kill("SIGINT");
  await until(() => collector.text("/v1/logs").includes("SIGINT"));
  // With telemetry, Deno 2.9.6 sometimes does not end.
  const { stdout, stderr } = await stop(instance, "SIGKILL");
  const records = collector.logRecords();
  const textOf = (severity: string) =>
    records.filter((record) => record.severity === severity)
      .map(({ text }) => text).join("");
  assertEquals([textOf("INFO"), textOf("WARN")], [stdout, stderr]);
  assertEquals(records.length, 5, stdout + stderr);
  assertMatch(
    stdout,
    /"message":"pwgen-api .*\n.*"status":200.*\n.*"status":429.*\n.*SIGINT/,
  );

  const wrong = spawnInstance({ ...collector.env, PWGEN_RATE_LIMIT: "0" });
  await until(() => collector.logRecords().length > 5);
  const { stderr: text } = await stop(wrong, "SIGKILL");
  assertMatch(text, /^PWGEN_RATE_LIMIT: .*\n$/);
  assertEquals(collector.logRecords().slice(5), [{ severity: "ERROR", text }]);
});

onUnix.test("without a database, an instance on Deno Deploy serves, and says what to do; it is not deployed", async () => {
  const env = { PWGEN_RATE_LIMIT_STORE: "kv" };
  const reason =
    "cannot use Deno KV: no database is attached; attach one, and deploy again";
  await using instance = await startInstance(env);
  await using front = new Front(instance);
  await assertRemaining(front, 59);
  assertEquals(
    instance.stderr.text,
    `Rate limit: ${reason}; this process counts by itself until it can\n`,
  );
  const { code, stderr } = await runStep("predeploy", env);
  assertEquals([code, stderr], [
    2,
    `PWGEN_RATE_LIMIT_STORE: ${reason}; use memory, or the URL of a server that this process may use\n`,
  ]);
});
