import { assert, assertEquals, assertMatch } from "@std/assert";
import { createLog, MAX_QUEUED_CHARACTERS, type Writer } from "../log.ts";
import { tempDir } from "./helpers/files.ts";
import {
  freePorts,
  isListening,
  post,
  spawn,
  START_ARGS,
  stop,
  unless,
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
function setUp(...format: ["json"] | []) {
  const [stdout, stderr] = [new TestWriter(), new TestWriter()];
  return { stdout, stderr, ...createLog(stdout, stderr, ...format) };
}

const BEING_LOST = "Log: lines for standard output are being lost\n";

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
    await flush(10_000);
    const inOrder = (line: (i: number) => string) =>
      [1, 2, 3].map(line).join("");
    assertEquals(stdout.text, inOrder((i) => `line ${i}\n{"request":${i}}\n`));
    assertEquals(stderr.text, inOrder((i) => `error ${i}\nwarning ${i}\n`));
  }
});

Deno.test("createLog() drops lines it cannot write, and reports their number later", async () => {
  const { stdout, stderr, log, flush, lostLines } = setUp();
  stdout.writesLeft = stderr.writesLeft = 0;
  for (let i = 0; i < 5; i++) log("info", "lost");
  log("error", "lost");
  await flush(10_000);
  stdout.writesLeft = stderr.writesLeft = Infinity;
  log("info", "kept");
  log("error", "kept");
  await flush(10_000);
  assertEquals(stdout.text, "kept\n");
  assertEquals(stderr.text.split("\n").sort(), [
    "",
    "Log: 2 line(s) for standard error were lost",
    "Log: 5 line(s) for standard output were lost",
    "kept",
  ]);
  assertEquals(lostLines(), 7);
  // A loss is reported once, at once. A later report names only its lines.
  const reported = stderr.text;
  stdout.writesLeft = 0;
  for (let i = 0; i < 3; i++) log("info", "lost");
  await flush(10_000);
  assertEquals(stderr.text, reported + BEING_LOST);
  stdout.writesLeft = Infinity;
  log("info", "kept");
  await flush(10_000);
  assertEquals(
    stderr.text,
    `${reported}${BEING_LOST}Log: 3 line(s) for standard output were lost\n`,
  );
  assertEquals(lostLines(), 10);
});

Deno.test("createLog() begins a new line after a line that was written in part", async () => {
  const { stdout, stderr, log, flush } = setUp();
  stdout.accepts = 4;
  stdout.writesLeft = 1;
  log("info", "half of this");
  await flush(10_000);
  stdout.accepts = stdout.writesLeft = Infinity;
  log("info", "whole");
  await flush(10_000);
  assertEquals(stdout.text, "half\nwhole\n");
  assertEquals(
    stderr.text,
    `${BEING_LOST}Log: 1 line(s) for standard output were lost\n`,
  );
});

Deno.test("createLog() writes time, level, message and request id in JSON, and access lines as they are", async () => {
  const message = 'a "quote",\nå, \u2028 and \\';
  const { stdout, stderr, log, flush } = setUp("json");
  log("access", '{"status":200}');
  log("error", message, "the-request");
  log("warning", message);
  await flush(10_000);
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
  await text.flush(10_000);
  assertEquals(text.stderr.text, "with (request the-request)\n");
});

Deno.test("createLog() limits its queue for a stream that accepts nothing", async () => {
  const { stdout, stderr, log, flush } = setUp();
  const { promise, resolve: unblock } = Promise.withResolvers<void>();
  stdout.ready = promise;
  const line = "x".repeat(1023);
  const sent = 3 * MAX_QUEUED_CHARACTERS / 1024;
  for (let i = 0; i < sent; i++) log("info", line);
  log("error", "not delayed");
  await flush(50);
  assertEquals(stderr.text, `${BEING_LOST}not delayed\n`);
  unblock();
  await flush(10_000);
  const kept = stdout.text.split("\n").length - 1;
  // The first line left the queue before the others were logged.
  assertEquals(stdout.text.length, kept * 1024);
  assert(kept * 1024 <= MAX_QUEUED_CHARACTERS + 1024, `${kept} kept`);
  const lost = `Log: ${sent - kept} line(s) for standard output were lost\n`;
  assertEquals(stderr.text, `${BEING_LOST}not delayed\n${lost}`);
});

const onLinux = unless(
  Deno.build.os === "linux" ? "" : "only Linux has /dev/full",
);
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
    const url = `http://127.0.0.1:${port}`;
    await until(() => isListening(port));
    // This makes more lines than a pipe holds.
    for (let i = 0; i < 1500; i++) {
      const response = await post(`${url}/api/pwgen/words`, "{}", {
        "x-forwarded-for": `192.0.2.${i % 3}`,
      });
      await response.body?.cancel();
      assertEquals(response.status, 200, redirection);
    }
    const metrics = await (await fetch(`${url}/metrics`)).text();
    // A closed stream is /dev/null, and the pipe and the queue hold all lines.
    const lost = /^pwgen_log_lines_lost_total (\d+)$/m.exec(metrics)![1]!;
    assertEquals(Number(lost) > 0, redirection.includes("full"), metrics);
    assertMatch(metrics, /^pwgen_rate_limit_store_outage 1$/m);
    assertMatch(metrics, /^pwgen_rate_limit_clients_evicted_total 1498$/m);
    assertEquals((await stop(program)).code, 0, redirection);
  }
});
