import { assertEquals, assertMatch } from "@std/assert";
import { createLog, type LogFormat, type Writer } from "../log.ts";
import { tempDir } from "./helpers/files.ts";
import {
  freePorts,
  isListening,
  onLinux,
  requestWords,
  spawn,
  START_ARGS,
  stop,
  until,
} from "./helpers/program.ts";

/** A stream that accepts a limited number of bytes in each write, or fails. */
class TestWriter implements Writer {
  text = "";
  /** How many bytes each write accepts. */
  accepts = Infinity;
  /** How many writes succeed before the disk is full. */
  writesLeft = Infinity;
  /** A write waits for it. */
  ready: Promise<void> = Promise.resolve();

  async write(bytes: Uint8Array): Promise<number> {
    await this.ready;
    if (this.writesLeft-- <= 0) throw new Error("No space left on device");
    const accepted = bytes.subarray(0, this.accepts);
    this.text += new TextDecoder().decode(accepted);
    return accepted.length;
  }
}

/** A log on two streams. */
function setUp(...format: [LogFormat] | []) {
  const [stdout, stderr] = [new TestWriter(), new TestWriter()];
  return { stdout, stderr, ...createLog(stdout, stderr, ...format) };
}

Deno.test("createLog() writes each level to its stream, in order, in pieces of any size", async () => {
  for (const accepts of [1, 3, Infinity]) {
    const { stdout, stderr, log, flush } = setUp();
    stdout.accepts = accepts;
    for (const i of [1, 2, 3]) {
      log("info", `line ${i}`);
      log("error", `error ${i}`);
      log("warning", `warning ${i}`);
      log("access", `{"request":${i}}`);
    }
    await flush();
    const inOrder = (line: (i: number) => string) =>
      [1, 2, 3].map(line).join("");
    assertEquals(stdout.text, inOrder((i) => `line ${i}\n{"request":${i}}\n`));
    assertEquals(stderr.text, inOrder((i) => `error ${i}\nwarning ${i}\n`));
  }
});

Deno.test("createLog() counts lines that it cannot write, and writes later ones", async () => {
  const { stdout, stderr, log, flush, lostLines } = setUp();
  stdout.accepts = 7;
  stdout.writesLeft = 2; // two lines, and a part of the third
  for (let i = 0; i < 5; i++) log("info", "line");
  stderr.writesLeft = 0;
  log("error", "lost");
  await flush();
  const part = "line\nline\nli";
  assertEquals([stdout.text, stderr.text, lostLines()], [part, "", 4]);
  stdout.accepts = stdout.writesLeft = stderr.writesLeft = Infinity;
  log("info", "kept");
  log("error", "kept");
  await flush();
  assertEquals([stdout.text, stderr.text], [`${part}kept\n`, "kept\n"]);
  assertEquals(lostLines(), 4);
});

Deno.test("createLog() writes time, level, message and request id in JSON, and access lines as they are", async () => {
  const message = 'a "quote",\nå, \u2028 and \\';
  const { stdout, stderr, log, flush } = setUp("json");
  log("access", '{"status":200}');
  log("error", message, "the-request");
  log("warning", message);
  await flush();
  assertEquals(stdout.text, '{"status":200}\n');
  const entries = stderr.text.trim().split("\n").map((line) => {
    const { time, ...rest } = JSON.parse(line);
    // The form of the time in the access log.
    assertMatch(time, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    return rest;
  });
  assertEquals(entries, [
    { level: "error", message, requestId: "the-request" },
    { level: "warning", message },
  ]);

  const text = setUp();
  text.log("error", "with", "the-request");
  await text.flush();
  assertEquals(text.stderr.text, "with (request the-request)\n");
});

Deno.test("createLog() writes the priority of warnings and errors for systemd, and none before JSON", async () => {
  const { stdout, stderr, log, flush } = setUp("journal");
  log("info", "start");
  log("access", '{"status":200}');
  log("warning", "w");
  log("error", "e", "the-request");
  await flush();
  assertEquals(stdout.text, 'start\n{"status":200}\n');
  assertEquals(stderr.text, "<4>w\n<3>e (request the-request)\n");
});

Deno.test("createLog() keeps a megabyte for a stream that accepts nothing, which delays no other", async () => {
  const { stdout, stderr, log, flush, lostLines } = setUp();
  const { promise, resolve: unblock } = Promise.withResolvers<void>();
  stdout.ready = promise;
  for (let i = 0; i < 3000; i++) log("info", "x".repeat(1023));
  log("error", "not delayed");
  await until(() => stderr.text === "not delayed\n");
  unblock();
  await flush();
  // The first line left the queue before the others were logged.
  assertEquals(stdout.text.length, (1 << 20) + 1024);
  assertEquals(lostLines(), 3000 - 1025);
});

onLinux.test("the program serves and stops even if it cannot write its lines", async () => {
  await using folder = await tempDir();
  const fifo = `${folder.path}/fifo`;
  await new Deno.Command("mkfifo", { args: [fifo] }).output();
  for (
    const redirection of [
      ">/dev/full 2>/dev/full",
      ">&- 2>&-",
      // Open at both ends, without a reader.
      `<>${fifo} >${fifo} 2>&1`,
    ]
  ) {
    const [port] = freePorts(1) as [number];
    const script = `exec "$0" "$@" ${redirection}`;
    const args = ["-c", script, Deno.execPath(), ...START_ARGS];
    const program = spawn("sh", args, {
      PORT: String(port),
      PWGEN_ACCESS_LOG: "json",
      PWGEN_METRICS: "on",
      PWGEN_RATE_LIMIT: "10000",
      // No Redis listens there, and each client but two evicts another: both are logged.
      PWGEN_RATE_LIMIT_STORE: "redis://127.0.0.1:1",
      PWGEN_MAX_CLIENTS: "2",
      PWGEN_TRUSTED_PROXIES: "loopback",
    });
    await until(() => isListening(port));
    // This makes more lines than a pipe holds, 64 KiB (pipe(7)).
    for (let i = 0; i < 750; i++) {
      const client = { "x-forwarded-for": `192.0.2.${i % 3}` };
      const { status } = await requestWords({ port }, client);
      assertEquals(status, 200, redirection);
    }
    const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`))
      .text();
    // A closed stream is /dev/null, and the pipe and the queue hold all lines.
    const lost = /^pwgen_log_lines_lost_total (\d+)$/m.exec(metrics)![1]!;
    assertEquals(Number(lost) > 0, redirection.includes("full"), metrics);
    assertMatch(metrics, /^pwgen_rate_limit_store_outage 1$/m);
    assertMatch(metrics, /^pwgen_rate_limit_clients_evicted_total 748$/m);
    assertEquals((await stop(program)).code, 0, redirection);
  }
});
