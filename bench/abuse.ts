/**
 * Attacks the service with its default limits for some minutes (abusers.ts), and
 * checks every response to a normal client beside the attacks. Only for Linux.
 *
 * @module
 */
// deno-lint-ignore-file no-console
import { assert, assertEquals } from "@std/assert";
import { setTimeout as pause } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import {
  post,
  residentBytes,
  type Running,
  serveDirectly,
  stop,
} from "../tests/helpers/program.ts";
import en from "../wordlists/en/mod.ts";

/** The pause between two passwords: a client may request 60 per minute. */
const PAUSE_MS = 1100;
const LINE_MS = 30_000;
const DEADLINE_MS = 10_000;
/** MemoryMax of deploy/pwgen-api.service, in MB. */
const MAX_MEMORY = 2 ** 30 / 1e6;
/** The longest time from SIGTERM to the end (docs/operate.md), in ms. */
const MAX_STOP_MS = 12_000;

/** For each attack, how often each thing happened. */
type Counts = Record<string, Record<string, number>>;

const COMMON = '{"language":"en","separator":"-","numberLength":0}';
/** What the normal client requests, and whether a password is right. */
const PASSWORDS: [type: string, body: string, (text: string) => boolean][] = [
  ["characters", "{}", (text) => /^[!-~]{20}$/.test(text)],
  ["words", COMMON, (text) => text.split("-").every(isIn(en.words))],
  ["sentence", COMMON, (text) => {
    const { adjectives, nouns, verbs, adverbs } = en;
    const lists = [adjectives, nouns, verbs, adverbs];
    const words = text.split("-");
    return words.length === 4 &&
      words.every((word, i) => isIn(lists[i]!)(word));
  }],
];
const DOCUMENTS: [path: string, text: RegExp][] = [
  ["/", /<title[^]*<\/html>\s*$/],
  ["/docs", /<title[^]*<\/html>\s*$/],
  ["/healthz", /^\{"status":"ok"\}$/],
];

function isIn(list: readonly string[]): (word: string) => boolean {
  return (word) => list.includes(word.toLowerCase());
}

/** A client that sends fewer requests than the limits permit. */
class NormalClient {
  readonly failures: string[] = [];
  readonly #times: number[] = [];
  readonly #seen = new Set<string>();
  #rounds = 0;
  /** In turn a connection that stays open, a new one for each request, HTTP/2. */
  readonly #clients = [
    Deno.createHttpClient({}),
    Deno.createHttpClient({ poolMaxIdlePerHost: 0 }),
    Deno.createHttpClient({ http1: false }),
  ];

  constructor(private readonly url: string) {}

  /** Requests a password, and sometimes a document. */
  async request(): Promise<void> {
    const round = this.#rounds++;
    const client = this.#clients[Math.floor(round / 3) % 3]!;
    await this.#measure(async (signal) => {
      const [type, body, isRight] = PASSWORDS[round % 3]!;
      const url = `${this.url}/api/pwgen/${type}`;
      const response = await post(url, body, {}, { signal, client });
      const text = await response.text();
      assertEquals(response.status, 200, type);
      const answer = JSON.parse(text);
      assertEquals([answer.type, answer.length], [
        type,
        answer.password.length,
      ]);
      assert(
        isRight(answer.password) && !this.#seen.has(answer.password),
        type,
      );
      this.#seen.add(answer.password);
    });
    if (round % 4 > 0) return;
    await this.#measure(async (signal) => {
      const [path, expected] = DOCUMENTS[round / 4 % 3]!;
      const response = await fetch(this.url + path, { signal, client });
      const text = await response.text();
      assertEquals(response.status, 200, path);
      assert(expected.test(text), path);
    });
  }

  async #measure(send: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const start = performance.now();
    try {
      await send(AbortSignal.timeout(DEADLINE_MS));
    } catch (error) {
      this.failures.push(`the normal client: ${error}`);
    }
    this.#times.push(performance.now() - start);
  }

  /** One line: requests, errors, and times in milliseconds. */
  toString(): string {
    const times = this.#times.toSorted((a, b) => a - b);
    const [p50, p99, max] = [0.5, 0.99, 1].map((share) =>
      times[Math.ceil(share * times.length) - 1]!.toFixed(1)
    );
    return `${times.length} requests, ${this.failures.length} errors, p50 ` +
      `${p50} ms, p99 ${p99} ms, maximum ${max} ms`;
  }
}

/** Counts the lines of both logs. Lines that differ only in numbers are equal. */
function logLines({ stdout, stderr }: Running): string {
  const lines = `${stdout.text}${stderr.text}`.trim().split("\n");
  const kinds = Map.groupBy(lines, (line) => line.replace(/\d+/g, "N"));
  return [...kinds].map(([kind, { length }]) => `  ${length} x ${kind}`)
    .join("\n");
}

/** One line: how often each thing happened. */
function list(counts: Record<string, number>): string {
  return Object.entries(counts).map(([what, n]) => `${what} ${n.toFixed()}`)
    .join(", ");
}

function sum(counts: Counts): Record<string, number> {
  const all: Record<string, number> = {};
  for (
    const [what, n] of Object.values(counts).flatMap(Object.entries<number>)
  ) {
    all[what] = (all[what] ?? 0) + n;
  }
  return all;
}

/**
 * Runs all attacks, and prints the results.
 *
 * @param minutes how long
 * @returns whether every response to the normal client was right, the service
 *   never returned 500, did not take more than 1 GiB, and stopped in time
 */
export async function abuse(minutes: number): Promise<boolean> {
  await using service = await serveDirectly({});
  let hasEnded = false;
  service.process.status.then(() => hasEnded = true);
  const resident = () =>
    hasEnded ? NaN : residentBytes(service.process.pid) / 1e6;
  const client = new NormalClient(service.url);
  await client.request();
  const before = resident();
  let maximum = before;

  let counts: Counts = {};
  const abusers = new Worker(new URL("abusers.ts", import.meta.url), {
    workerData: service.port,
  });
  abusers.on("message", (latest: Counts) => counts = latest);
  abusers.on("error", (error) => client.failures.push(`abusers: ${error}`));
  const start = performance.now();
  const isOver = () => performance.now() > start + minutes * 60_000;
  for (let lines = 1; !hasEnded && !isOver();) {
    await pause(PAUSE_MS);
    await client.request();
    maximum = Math.max(maximum, resident());
    const passed = performance.now() - start;
    if (passed < lines * LINE_MS) continue;
    lines++;
    console.log(
      `${
        (passed / 60_000).toFixed(1)
      } m: ${client}; resident ${resident().toFixed()} MB; attacks: ${
        list(sum(counts))
      }`,
    );
  }
  await abusers.terminate();
  await pause(PAUSE_MS);
  await client.request();
  const after = resident();

  const stopping = performance.now();
  const { code } = await stop(service);
  const stopped = performance.now() - stopping;
  for (const [name, own] of Object.entries(counts)) {
    console.log(`${name}: ${list(own)}`);
  }
  console.log(
    `normal client: ${client}
memory: ${before.toFixed()} MB at the start, at most ${maximum.toFixed()} MB, ${after.toFixed()} MB at the end
stopped with exit status ${code} after ${stopped.toFixed()} ms
log lines:
${logLines(service)}`,
  );
  const { failures } = client;
  if (sum(counts)["500"]) failures.push("the service returned 500");
  if (maximum > MAX_MEMORY) failures.push(`more than ${MAX_MEMORY} MB`);
  if (code !== 0 || stopped > MAX_STOP_MS) failures.push("no orderly stop");
  for (const failure of failures) console.error(failure);
  return failures.length === 0;
}
