// What was sent, and what came of it, is printed.
// deno-lint-ignore-file no-console
import { assert, assertEquals, assertMatch } from "@std/assert";
import { Buffer } from "node:buffer";
import {
  Dice,
  type Hostile,
  hostile,
  KINDS,
  MARK,
  type Outcome,
} from "./hostile.ts";
import { type Running, serve } from "../helpers/program.ts";
import { assertDescribed, DESCRIPTION } from "../helpers/schema.ts";
import { readPassword } from "../helpers/service.ts";

const REQUESTS = 100_000;
const CONNECTIONS = 32;
/** As many requests as are sent before the first answer is read, at most. */
const BATCH = 20;
/** How long answers may take; the longest that the service waits is 10 s. */
const PATIENCE_MS = 30_000;

const SEED = Number(Deno.env.get("PWGEN_SEED") ?? 20_260_801) | 0;

/** Bytes as text from which they can be made again. */
function shown(bytes: Uint8Array): string {
  const text = Buffer.from(bytes).toString("latin1");
  return JSON.stringify(text).replace(
    /[\x7f-\uffff]/g,
    (character) =>
      `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** An answer as it came; a header that is no HTTP/1 at all has status 0. */
interface Heard {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
}

/** A connection that reads answers one by one. */
class Line {
  #bytes = new Uint8Array(0);
  readonly #chunk = new Uint8Array(65_536);
  #deaf = false;

  private constructor(readonly socket: Deno.TcpConn) {}

  static async open(port: number): Promise<Line> {
    const socket = await Deno.connect({ port, hostname: "127.0.0.1" });
    // Or the second piece waits until the first one is acknowledged.
    socket.setNoDelay();
    return new Line(socket);
  }

  /** Writes in as many pieces as there are ends. */
  async write(bytes: Uint8Array, ends: number[]): Promise<void> {
    try {
      let at = 0;
      for (const end of [...ends, bytes.length]) {
        while (at < end) {
          at += await this.socket.write(bytes.subarray(at, end));
        }
      }
    } catch (error) {
      // The service may close on what it refuses; what it said is read.
      if (!isClosed(error)) throw error;
    }
  }

  /** Says that nothing follows. */
  async end(): Promise<void> {
    await this.socket.closeWrite().catch(() => {});
  }

  /** The next answer; undefined at the end of the connection. */
  async answer(method: string): Promise<Heard | undefined> {
    let head: number;
    while ((head = headEnd(this.#bytes)) < 0) {
      if (await this.#more()) continue;
      assertEquals(shown(this.#bytes), '""', "the connection broke off");
      return undefined;
    }
    const lines = Buffer.from(this.#bytes.subarray(0, head)).toString("latin1")
      .split("\r\n");
    const status = Number(/^HTTP\/1\.[01] (\d{3}) /.exec(lines[0]!)?.[1]);
    const headers = new Headers();
    for (const line of lines.slice(1)) {
      const colon = line.indexOf(":");
      headers.append(line.slice(0, colon), line.slice(colon + 1));
    }
    assertEquals(headers.has("transfer-encoding"), false);
    const bodiless = method === "HEAD" || status < 200 || status === 204 ||
      status === 304;
    const length = bodiless ? 0 : Number(headers.get("content-length"));
    const end = head + 4 + length;
    while (this.#bytes.length < end) {
      assert(await this.#more(), "the connection broke off in a body");
    }
    const body = new TextDecoder("utf-8", { fatal: true }).decode(
      this.#bytes.subarray(head + 4, end),
    );
    this.#bytes = this.#bytes.subarray(end);
    return status === 100
      ? await this.answer(method)
      : { status, headers, body };
  }

  async #more(): Promise<boolean> {
    if (this.#deaf) return false;
    let n: number | null = null;
    try {
      n = await this.socket.read(this.#chunk);
    } catch (error) {
      if (!isClosed(error)) throw error;
    }
    if (n === null) {
      this.#deaf = true;
      return false;
    }
    const longer = new Uint8Array(this.#bytes.length + n);
    longer.set(this.#bytes);
    longer.set(this.#chunk.subarray(0, n), this.#bytes.length);
    this.#bytes = longer;
    return true;
  }
}

function headEnd(bytes: Uint8Array): number {
  for (let at = bytes.indexOf(13); at >= 0; at = bytes.indexOf(13, at + 1)) {
    if (bytes[at + 1] === 10 && bytes[at + 2] === 13 && bytes[at + 3] === 10) {
      return at;
    }
  }
  return -1;
}

/** Whether an end is gone: a reset is an end like any other here. */
function isClosed(error: unknown): boolean {
  return error instanceof Deno.errors.ConnectionReset ||
    error instanceof Deno.errors.BrokenPipe ||
    error instanceof Deno.errors.NotConnected ||
    error instanceof Deno.errors.BadResource ||
    error instanceof Deno.errors.Interrupted;
}

/** What was found. */
class Findings {
  readonly failures: string[] = [];
  /** How often each kind had each outcome. */
  readonly outcomes = new Map<string, Map<string, number>>();
  /** Every sentence of every problem. */
  readonly sentences = new Set<string>();
  /** What is still waited for. */
  readonly late: Promise<unknown>[] = [];

  count(kind: string, outcome: string): void {
    const counts = this.outcomes.get(kind) ?? new Map();
    this.outcomes.set(kind, counts);
    counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
  }

  /** Judges one answer, or none, to a request. */
  judge(request: Hostile, right: readonly Outcome[], heard?: Heard): void {
    const outcome = heard === undefined
      ? "cut"
      : heard.headers.has("x-content-type-options")
      ? String(heard.status)
      : "refused";
    const { kind, method, path } = request;
    this.count(kind, outcome);
    const fits = right.filter((each) =>
      typeof each === "string"
        ? each === outcome
        : String(each.status) === outcome
    );
    const [first] = fits;
    assert(first, `${outcome} instead of ${JSON.stringify(right)}`);
    if (heard === undefined) return;
    const { status, headers, body } = heard;
    const head = JSON.stringify([...headers]).toLowerCase();
    assert(!head.includes(MARK), `echoed in ${head}`);
    if (typeof first === "string") {
      assertEquals([status, body], [400, ""]);
      assertEquals(headers.get("connection"), "close");
      return;
    }
    const response = new Response(null, { status, headers });
    // A Host that is none is refused alike where there is no operation.
    const isOperation = DESCRIPTION.paths[path]?.[method.toLowerCase()];
    const [where, how] = status === 400 && !isOperation
      ? ["/healthz", "GET"]
      : [path, method];
    assertDescribed(response, body, where, how);
    if (body === "") return;
    const answer = JSON.parse(body);
    if (status === 200) {
      assert(!body.toLowerCase().includes(MARK), `echoed in ${body}`);
      if (method !== "POST") return;
      assertEquals(answer.type, path.split("/").at(-1));
      assertEquals(answer.length, [...answer.password.normalize()].length);
      return;
    }
    const { instance, errors, ...rest } = answer;
    // A long path is not repeated.
    assertEquals(instance, path.length <= 200 ? path : null);
    assertEquals(rest.status, status);
    const names = Object.keys(errors ?? {}).sort().join();
    const isRight = fits.some((each) =>
      typeof each !== "string" &&
      [...each.errors ?? []].sort().join() === names
    );
    assert(isRight, `${names} instead of ${JSON.stringify(right)}`);
    for (
      const said of [
        ...Object.values(rest),
        ...Object.entries(errors ?? {}).flat(2),
      ]
    ) this.sentences.add(String(said));
  }
}

/** Sends requests over one connection and judges what comes back. */
async function exchange(
  findings: Findings,
  port: number,
  group: readonly (readonly [index: number, Hostile])[],
  line?: Line,
): Promise<Line | undefined> {
  let at = 0;
  let hung = false;
  line ??= await Line.open(port);
  const { socket } = line;
  const timer = setTimeout(() => {
    hung = true;
    socket.close();
  }, PATIENCE_MS);
  const [last, { then }] = group.at(-1)!;
  try {
    const size = group.reduce((sum, [, { bytes }]) => sum + bytes.length, 0);
    const all = new Uint8Array(size);
    let filled = 0;
    for (const [, { bytes }] of group) {
      all.set(bytes, filled);
      filled += bytes.length;
    }
    // Sometimes in two pieces, cut anywhere. (A second piece that meets a
    // closed connection resets it, and the answer to the first may be lost.)
    const dice = new Dice(~SEED, last);
    const inTwo = then === "on" && dice.below(4) === 0;
    const ends = inTwo ? [dice.below(size)] : [];
    const written = line.write(all, ends).then(() =>
      then === "half" ? line!.end() : undefined
    );
    if (then === "leave") {
      await written;
      findings.count(group.at(-1)![1].kind, "left");
      return;
    }
    for (; at < group.length; at++) {
      const [, request] = group[at]!;
      for (const right of request.answers) {
        const heard = await line.answer(request.method);
        assert(!hung, `no answer in ${PATIENCE_MS} ms`);
        findings.judge(request, right, heard);
      }
    }
    await written;
    if (then === "on") return line;
    at--;
    await line.end();
    if (then !== "wait") {
      assertEquals(await line.answer("GET"), undefined, "more than was asked");
    }
  } catch (error) {
    const [index, { kind, bytes }] = group[Math.min(at, group.length - 1)]!;
    findings.failures.push(
      `${kind}: ${error}\nPWGEN_SEED=${SEED}, request ${index}, sent:\n${
        shown(bytes)
      }`,
    );
  } finally {
    clearTimeout(timer);
    if (!hung && (then !== "on" || findings.failures.length > 0)) {
      try {
        socket.close();
      } catch {
        // Closed already.
      }
    }
  }
  return undefined;
}

/** Sends the requests from one number up to another, 32 at a time. */
async function send(
  findings: Findings,
  port: number,
  from: number,
  to: number,
): Promise<void> {
  let next = from;
  const work = async () => {
    let line: Line | undefined;
    while (next < to && findings.failures.length === 0) {
      const first = next;
      next = Math.min(next + BATCH, to);
      let group: [number, Hostile][] = [];
      const flush = async () => {
        if (group.length > 0 && findings.failures.length === 0) {
          line = await exchange(findings, port, group, line);
        }
        group = [];
      };
      const end = next;
      for (let index = first; index < end; index++) {
        const request = hostile(SEED, index);
        if (request.then === "wait") {
          findings.late.push(exchange(findings, port, [[index, request]]));
          continue;
        }
        // Where a connection is cut, answers still on their way are lost.
        if (request.then !== "on") await flush();
        group.push([index, request]);
        if (request.then !== "on") await flush();
      }
      await flush();
    }
    try {
      line?.socket.close();
    } catch {
      // Closed already.
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, work));
}

/** The process that serves; `deno task` starts it as its child. */
async function servicePid({ process: { pid } }: Running): Promise<number> {
  if (Deno.build.os !== "linux") return pid;
  const children: string[] = [];
  for await (const { name } of Deno.readDir(`/proc/${pid}/task`)) {
    const file = `/proc/${pid}/task/${name}/children`;
    children.push(...(await Deno.readTextFile(file)).trim().split(" "));
  }
  return Number(children.find((child) => child !== "") ?? pid);
}

/** What a process holds in memory; undefined where nothing tells. */
async function residentBytes(pid: number): Promise<number | undefined> {
  if (Deno.build.os !== "linux") return undefined;
  const status = await Deno.readTextFile(`/proc/${pid}/status`);
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)![1]) * 1024;
}

Deno.test("the program answers 100,000 hostile requests as described, echoes none of them, and goes on", async (t) => {
  await using service = await serve({
    env: {
      PWGEN_TRUSTED_PROXIES: "loopback",
      PWGEN_ACCESS_LOG: "json",
      // Memory for clients is full long before the first measurement.
      PWGEN_MAX_CLIENTS: "5000",
    },
  });
  const pid = await servicePid(service);
  const findings = new Findings();
  const start = performance.now();
  const half = REQUESTS / 2;
  await send(findings, service.port, 0, half);
  const before = await residentBytes(pid);
  await send(findings, service.port, half, REQUESTS);
  const after = await residentBytes(pid);
  await Promise.all(findings.late);
  const seconds = (performance.now() - start) / 1000;

  const total = new Map<string, number>();
  for (const [, counts] of findings.outcomes) {
    for (const [outcome, count] of counts) {
      total.set(outcome, (total.get(outcome) ?? 0) + count);
    }
  }
  const list = (counts: Map<string, number>) =>
    [...counts].sort().map(([name, count]) => `${name} ${count}`).join(", ");
  console.log(`PWGEN_SEED=${SEED}: ${list(total)}; ${seconds.toFixed(1)} s`);
  for (const kind of KINDS) {
    console.log(`  ${kind}: ${list(findings.outcomes.get(kind) ?? new Map())}`);
  }

  await t.step("each has an outcome that is right", () => {
    const { failures } = findings;
    assert(failures.length === 0, failures.join("\n\n"));
  });

  await t.step("every kind was sent, and each status seen", () => {
    assertEquals([...findings.outcomes.keys()].sort(), [...KINDS].sort());
  });

  await t.step("problems are told in the service's own few sentences", () => {
    // Had one of them a part of a request in it, there would be thousands.
    console.log(`  ${findings.sentences.size} sentences`);
    const told = [...findings.sentences].join("\n");
    assert(findings.sentences.size < 500, told);
    assert(!told.toLowerCase().includes(MARK), told);
  });

  await t.step(
    "one client is admitted 60 times a minute, all others always",
    () => {
      const counts = new Map(findings.outcomes.get("forwarded by nobody"));
      const refused = counts.get("429") ?? 0;
      counts.delete("429");
      const admitted = [...counts.values()].reduce((sum, n) => sum + n, 0);
      const most = 60 * (1 + Math.floor(seconds / 60));
      assert(admitted >= 60 && admitted <= most, `${admitted} in ${seconds} s`);
      assert(refused > 0);
    },
  );

  if (before === undefined) console.log("  Memory: skipped, no /proc here");
  await t.step({
    name: "its memory does not grow",
    ignore: before === undefined,
    fn: () => {
      const grown = (after! - before!) / 2 ** 20;
      console.log(
        `  ${Math.round(before! / 2 ** 20)} MiB, then ${grown.toFixed(1)} more`,
      );
      // When the collector runs moves it by some 10 MiB either way. To keep as
      // little as 1 KiB of each of the 50,000 requests makes 49 MiB.
      assert(grown < 40, `${grown} MiB more after the second half`);
    },
  });

  await t.step("it is alive, and has logged nothing of all this", async () => {
    const response = await fetch(`${service.url}/api/pwgen/words`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "x-forwarded-for": "192.0.2.1",
      },
      body: "{}",
      signal: AbortSignal.timeout(PATIENCE_MS),
    }).catch((error) => {
      // A process that hangs hears no other signal.
      Deno.kill(pid, "SIGKILL");
      throw error;
    });
    await readPassword(response, "words");
    const { stdout, stderr } = service;
    assertMatch(stderr.text, /^(Rate limit: forgot .*\n)*$/);
    assert(!stdout.text.toLowerCase().includes(MARK));
  });
});
