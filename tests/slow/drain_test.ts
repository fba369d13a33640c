/** How the program stops, and how it lives through a want of file descriptors. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { setTimeout as pause } from "node:timers/promises";
import { DRAIN_MS, FLUSH_MS } from "../../main.ts";
import { RawConnection } from "../helpers/connection.ts";
import {
  frame,
  get,
  INITIAL_WINDOW_SIZE,
  preface,
  send,
  WINDOW_UPDATE,
} from "../helpers/http2.ts";
import {
  end,
  isListening,
  listening,
  onUnix,
  post,
  ROOT,
  type Running,
  serve,
  spawn,
  START_ARGS,
  TLS,
  until,
  untilHealthIs,
} from "../helpers/program.ts";
import { readPassword, readProblem } from "../helpers/service.ts";

const WORDS = "/api/pwgen/words";
/** The header of a request without the fields that describe its body. */
const HEAD = `POST ${WORDS} HTTP/1.1\r\nHost: localhost\r\n` +
  "Content-Type: application/json\r\n";

/** Checks that a service makes a password. */
async function assertServes({ url }: Running): Promise<void> {
  await readPassword(await post(url + WORDS, "{}"), "words");
}

/** Begins a request; its body is complete after "}". */
async function beginRequest({ port }: Running): Promise<RawConnection> {
  const connection = await RawConnection.connect(port);
  await connection.write(
    `${HEAD}Expect: 100-continue\r\nContent-Length: 2\r\n\r\n`,
  );
  // The service sends 100 when it starts to read the body.
  assertEquals((await connection.read()).status, 100);
  await connection.write("{");
  return connection;
}

/** Waits until a service has received a signal to stop. */
const untilStopping = (service: Running) => untilHealthIs(503, service);

/** Waits until a service accepts no connection. */
const untilClosed = ({ port }: Running) =>
  until(async () => !await isListening(port));

/** The time since a start, in seconds. */
function secondsSince(start: number): number {
  return (performance.now() - start) / 1000;
}

/** Requests a document and does not read it: its flow-control window is empty. */
async function holdResponse(service: Running): Promise<Deno.Conn> {
  const connection = await send(service, [
    ...preface([0, INITIAL_WINDOW_SIZE, 0, 0, 0, 0]),
    ...get(1, "/openapi/v1.json", {
      isSecure: service.url.startsWith("https:"),
      client: "192.0.2.1",
    }),
  ]);
  await connection.read(new Uint8Array(65_536));
  return connection;
}

/** Starts a service that may have 100 file descriptors. */
function serveWithFewDescriptors(
  env: Record<string, string> = {},
): Promise<Running> {
  const script = 'ulimit -n 100; exec "$0" "$@"';
  const args = ["-c", script, Deno.execPath(), ...START_ARGS];
  return listening(spawn("sh", args, env));
}

/** Uses up the descriptors of a service, until its listener fails. */
async function useDescriptors({ port }: Running): Promise<DisposableStack> {
  const connections = new DisposableStack();
  try {
    for (let i = 0; i < 150; i++) {
      connections.use(await RawConnection.connect(port));
    }
  } catch {
    // The listener has failed.
  }
  return connections;
}

/** Uses up the descriptors of a service, and waits until it listens again. */
async function exhaust(service: Running): Promise<void> {
  const lines = service.stdout.text;
  const connections = await useDescriptors(service);
  await untilClosed(service);
  connections.dispose();
  await until(() => service.stdout.text !== lines);
}

onUnix.test("the program drains requests in flight after a signal, and exits with 0", async () => {
  const signals = ["SIGTERM", "SIGINT", "SIGHUP"] as const;
  await Promise.all(signals.map(async (signal) => {
    await using service = await serve();
    using idle = await RawConnection.connect(service.port);
    using pending = await beginRequest(service);
    service.process.kill(signal);
    await untilStopping(service);
    // Later requests get 503, on a new connection and on an old one.
    const complete = `${HEAD}Content-Length: 2\r\n\r\n{}`;
    using other = await RawConnection.connect(service.port);
    for (const connection of [idle, other]) {
      await connection.write(complete);
      const late = await connection.read();
      assertEquals([late.status, JSON.parse(late.body).status], [503, 503]);
      assertEquals(late.headers.get("connection"), "close");
    }
    await pending.write("}");
    const { status, body } = await pending.read();
    assertEquals([status, JSON.parse(body).type], [200, "words"]);
    const { code, stderr } = await end(service);
    assertEquals([code, stderr], [0, ""]);
    await untilClosed(service);
  }));
});

onUnix.test("the program serves during the drain delay, with 503 at /healthz", async () => {
  await using service = await serve({ flags: ["--drain-delay=2"] });
  const start = performance.now();
  service.process.kill("SIGTERM");
  await untilStopping(service);
  // A body that begins in the delay is still pending when the drain begins.
  using pending = await beginRequest(service);
  await assertServes(service);
  assertEquals((await fetch(service.url)).status, 200);
  await until(async () => {
    const response = await post(service.url + WORDS, "{}");
    await response.body?.cancel();
    return response.status === 503;
  });
  const seconds = secondsSince(start);
  assert(seconds >= 2, `drained after ${seconds} s`);
  await pending.write("}");
  assertEquals((await pending.read()).status, 200);
  assertEquals((await end(service)).code, 0);
});

onUnix.test("the program ends at once with status 1 on a second signal", async () => {
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    await using service = await serve();
    using _pending = await beginRequest(service);
    service.process.kill(signal);
    // A second signal within 500 ms counts as the first.
    service.process.kill(signal);
    await untilStopping(service);
    await pause(600);
    const health = await fetch(`${service.url}/healthz`);
    await readProblem(health, 503, "/healthz");
    service.process.kill(signal);
    // After a drain it would be 0.
    assertEquals((await end(service)).code, 1);
  }
});

onUnix.test("the program drains for 12 s after SIGTERM, which is longer than the deadline of a body", async () => {
  await using service = await serve();
  using _unread = await holdResponse(service);
  using pending = await beginRequest(service);
  const start = performance.now();
  service.process.kill("SIGTERM");
  assertEquals((await pending.read()).status, 408);
  assertEquals((await end(service)).code, 0);
  const seconds = secondsSince(start);
  assert(seconds > 11.9, `took ${seconds} s`);
  // After this time systemd or Docker would kill the process.
  assert(DRAIN_MS + FLUSH_MS < 15_000);
  const limits = {
    "deploy/pwgen-api.service": /^TimeoutStopSec=(\d+)$/m,
    "deploy/compose.yaml": /^ +stop_grace_period: (\d+)s$/m,
  };
  for (const [path, pattern] of Object.entries(limits)) {
    const text = await Deno.readTextFile(ROOT + path);
    const [, limit] = pattern.exec(text)!;
    const [, delay] = /PWGEN_DRAIN_DELAY(?:=|: )"?(\d+)/.exec(text)!;
    assertEquals(Number(limit), 15 + Number(delay), path);
  }
});

onUnix.test("the program drains at most 3 s longer for a response that nobody reads, or a connection without TLS handshake", async () => {
  await using other = await serve();
  for (const task of ["start", "start:tls"] as const) {
    const isSecure = task === "start:tls";
    await using service = await serve({ task, env: isSecure ? TLS : {} });
    using _silent = await RawConnection.connect(service.port);
    using _unread = await holdResponse(service);
    service.process.kill("SIGTERM");
    // A body that begins now is late in 10 s.
    using pending = await beginRequest(other);
    const ended = await Promise.race([end(service), pending.next("POST")]);
    assert(ended !== undefined && "code" in ended, "took 10 s");
    assertEquals(ended.code, 0);
  }
});

onUnix.test("the program does not listen again after SIGTERM", async () => {
  await using service = await serveWithFewDescriptors();
  using pending = await beginRequest(service);
  using _connections = await useDescriptors(service);
  await service.stderr.match(/listening again in 1 s/);
  service.process.kill("SIGTERM");
  await pause(1500);
  await pending.write("}");
  assertEquals((await pending.read()).status, 200);
  const { code, stdout } = await end(service);
  assertEquals(code, 0);
  assertMatch(stdout, /\nStopping: SIGTERM\n$/);
});

onUnix.test("the program serves again after it had no file descriptor left, and drains a response from before", async () => {
  const env = { PWGEN_HOST: "0.0.0.0" };
  await using service = await serveWithFewDescriptors(env);
  using reader = await holdResponse(service);
  // More failures than the servers that serve.ts keeps open.
  for (let i = 0; i < 14; i++) await exhaust(service);
  // It does not repeat the warning when it listens again.
  assertMatch(
    service.stderr.text,
    /^Plain HTTP .*\n(Cannot accept connections: .*Too many.*\n)+$/,
  );
  await assertServes(service);
  service.process.kill("SIGTERM");
  await untilClosed(service);
  const increment = [0, 0x0f, 0, 0];
  await reader.write(Uint8Array.from([
    ...frame(WINDOW_UPDATE, 0, 0, increment),
    ...frame(WINDOW_UPDATE, 0, 1, increment),
  ]));
  const buffer = new Uint8Array(65_536);
  let received = 0;
  while (received < 20_000) {
    const length = await reader.read(buffer);
    assert(length !== null, `closed after ${received} bytes`);
    received += length;
  }
});
