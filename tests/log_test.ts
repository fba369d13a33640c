import { assert, assertEquals, assertMatch } from "@std/assert";
import metadata from "../deno.json" with { type: "json" };
import { createLog, MAX_QUEUED_CHARACTERS, type Writer } from "../log.ts";
import { tempDir } from "./helpers/files.ts";
import { frame, get, preface, RST_STREAM, send } from "./helpers/http2.ts";
import {
  end,
  freePorts,
  post,
  type Program,
  serve,
  spawn,
} from "./helpers/program.ts";

/** A stream that takes what it is told to take. */
class Stream implements Writer {
  text = "";
  /** How many bytes one call takes; an error to throw instead. */
  takes: number | Error = Infinity;
  /** Settled when it may write. */
  ready: Promise<void> = Promise.resolve();

  async write(bytes: Uint8Array): Promise<number> {
    await this.ready;
    if (this.takes instanceof Error) throw this.takes;
    const taken = bytes.subarray(0, this.takes);
    this.text += new TextDecoder().decode(taken);
    return taken.length;
  }
}

Deno.test("createLog() writes each level to its stream, in order, in pieces of any size", async () => {
  for (const takes of [1, 3, Infinity]) {
    const [stdout, stderr] = [new Stream(), new Stream()];
    stdout.takes = takes;
    const { log, flush } = createLog(stdout, stderr);
    for (const i of [1, 2, 3]) {
      log("info", `line ${i}`);
      log("error", `error ${i}`);
    }
    await flush(10_000);
    assertEquals(stdout.text, "line 1\nline 2\nline 3\n");
    assertEquals(stderr.text, "error 1\nerror 2\nerror 3\n");
  }
});

Deno.test("createLog() loses the lines that cannot be written, and says later how many", async () => {
  const [stdout, stderr] = [new Stream(), new Stream()];
  const { log, flush } = createLog(stdout, stderr);
  stdout.takes = stderr.takes = new Error("No space left on device");
  for (let i = 0; i < 5; i++) log("info", "lost");
  log("error", "lost");
  await flush(10_000);
  stdout.takes = stderr.takes = Infinity;
  log("info", "kept");
  log("error", "kept");
  await flush(10_000);
  assertEquals(stdout.text, "kept\n");
  assertEquals(stderr.text.split("\n").sort(), [
    "",
    "Log: 1 line(s) for standard error were lost",
    "Log: 5 line(s) for standard output were lost",
    "kept",
  ]);
});

Deno.test("createLog() begins a new line after one that was written in part", async () => {
  const [stdout, stderr] = [new Stream(), new Stream()];
  const { log, flush } = createLog(stdout, stderr);
  stdout.takes = 4;
  const write = stdout.write.bind(stdout);
  stdout.write = async (bytes) => {
    const taken = await write(bytes);
    stdout.takes = new Error("No space left on device");
    return taken;
  };
  log("info", "half of this");
  await flush(10_000);
  stdout.write = write;
  stdout.takes = Infinity;
  log("info", "whole");
  await flush(10_000);
  assertEquals(stdout.text, "half\nwhole\n");
  assertEquals(stderr.text, "Log: 1 line(s) for standard output were lost\n");
});

Deno.test("createLog() bounds what waits for a stream that takes nothing", async () => {
  const [stdout, stderr] = [new Stream(), new Stream()];
  let free!: () => void;
  stdout.ready = new Promise((resolve) => free = resolve);
  const { log, flush } = createLog(stdout, stderr);
  const line = "x".repeat(1023);
  const sent = 3 * MAX_QUEUED_CHARACTERS / 1024;
  for (let i = 0; i < sent; i++) log("info", line);
  log("error", "not delayed");
  const start = performance.now();
  await flush(50);
  assert(performance.now() - start >= 49);
  assertEquals(stderr.text, "not delayed\n");
  free();
  await flush(10_000);
  const kept = stdout.text.split("\n").length - 1;
  // One line was taken before the others came.
  assertEquals(stdout.text.length, kept * 1024);
  assert(kept * 1024 <= MAX_QUEUED_CHARACTERS + 1024, `${kept} kept`);
  assertMatch(
    stderr.text,
    RegExp(`^not delayed\nLog: ${sent - kept} line\\(s\\) for standard output`),
  );
});

const COMMAND = metadata.tasks.start.command.replace(
  /^deno /,
  `"${Deno.execPath()}" `,
);

/** A test that needs a disk that is always full. */
function testLinux(name: string, fn: () => Promise<void>): void {
  const ignore = Deno.build.os !== "linux";
  const reason = ignore ? " (skipped: no /dev/full but on Linux)" : "";
  Deno.test({ name: name + reason, ignore, fn });
}

/** Starts the program with its streams redirected by a shell. */
function redirected(
  redirection: string,
  env: Record<string, string>,
): Program {
  return spawn("sh", ["-c", `set -f; exec ${COMMAND} ${redirection}`], env);
}

/** Waits until something answers on a port. */
async function answers(url: string): Promise<void> {
  for (let tries = 0;; tries++) {
    try {
      await (await fetch(`${url}/healthz`)).body?.cancel();
      return;
    } catch (error) {
      if (tries > 200) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

testLinux(
  "the program serves, and stops, whatever takes its lines",
  async () => {
    await using folder = await tempDir();
    const fifo = `${folder.path}/fifo`;
    await new Deno.Command("mkfifo", { args: [fifo] }).output();
    for (
      const redirection of [
        ">/dev/full 2>/dev/full",
        ">&- 2>&-",
        // Open at both ends, and nobody reads.
        `>${fifo} 2>&1 <>${fifo}`,
      ]
    ) {
      const [port] = freePorts(1) as [number];
      const program = redirected(
        redirection.replace(/^(.*) (<>.*)$/, "$2 $1"),
        {
          PORT: String(port),
          PWGEN_ACCESS_LOG: "json",
          PWGEN_RATE_LIMIT: "10000",
          // Nobody listens there: a line, and each client has one forgotten.
          PWGEN_RATE_LIMIT_STORE: "redis://127.0.0.1:1",
          PWGEN_MAX_CLIENTS: "1",
          PWGEN_TRUSTED_PROXIES: "loopback",
        },
      );
      const url = `http://127.0.0.1:${port}`;
      await answers(url);
      // More lines than a pipe holds.
      for (let i = 0; i < 1500; i++) {
        const response = await post(`${url}/api/pwgen/words`, "{}", {
          "x-forwarded-for": `192.0.2.${i % 2}`,
        });
        await response.body?.cancel();
        assertEquals(response.status, 200, redirection);
      }
      await answers(url);
      program.process.kill("SIGTERM");
      assertEquals((await end(program)).code, 0, redirection);
    }
  },
);

Deno.test("the program says its version and its help in full before it ends", async () => {
  const { stdout } = await end(spawn("sh", [
    ...["-c", `set -f; ${COMMAND} --help`],
  ]));
  assertMatch(stdout, /^pwgen-api: [^]*print the version and exit\n/);
});

testLinux(
  "the program goes on when it has no descriptors left and cannot say so",
  async () => {
    const [port] = freePorts(1) as [number];
    const program = spawn("sh", [
      ...["-c", `ulimit -n 64; set -f; exec ${COMMAND} 2>/dev/full`],
    ], { PORT: String(port) });
    const url = `http://127.0.0.1:${port}`;
    await answers(url);
    const connections: Deno.Conn[] = [];
    try {
      while (connections.length < 120) {
        connections.push(await Deno.connect({ port, hostname: "127.0.0.1" }));
      }
    } catch {
      // Refused: there are no more descriptors.
    }
    await new Promise((resolve) => setTimeout(resolve, 500));
    for (const connection of connections) connection.close();
    await answers(url);
    program.process.kill("SIGTERM");
    assertEquals((await end(program)).code, 0);
  },
);

Deno.test("Deno itself writes nothing for a client that resets its streams", async () => {
  await using service = await serve();
  const CANCEL = [0, 0, 0, 8];
  const streams = Array.from({ length: 50 }, (_, i) => 2 * i + 1);
  for (let i = 0; i < 5; i++) {
    const connection = await send(service, [
      ...preface(),
      ...streams.flatMap((stream) => [
        ...get(stream, "/healthz", { isSecure: false, client: "192.0.2.1" }),
        ...frame(RST_STREAM, 0, stream, CANCEL),
      ]),
    ]);
    // Until it hangs up, or has answered what it could.
    await connection.read(new Uint8Array(65_536));
    connection.close();
  }
  await answers(service.url);
  service.process.kill("SIGTERM");
  assertEquals((await end(service)).stderr, "");
});
