/**
 * What requests cost: CPU time and memory, in a process of its own, since other tests
 * run in the threads of this one.
 *
 * @module
 */
import { assertEquals } from "@std/assert";
import { fromFileUrl } from "@std/path";
import process from "node:process";
import type { ServerHandler } from "../../app.ts";
import type { JsonBody } from "../fuzz/realistic.ts";
import type { Kind } from "../oracle.ts";
import { HANG_MS } from "./program.ts";
import { ask, handlerFor, postInit } from "./service.ts";

/** A text, followed by another one until it has a length. */
export type Filled = readonly [start: string, part: string, length: number];

/** A request; with a body it is a POST. */
export interface CostlyRequest {
  readonly path: string;
  readonly headers?: Readonly<Record<string, Filled>>;
  readonly body?: string;
}

/** A request of an endpoint. */
export const requestOf = (kind: Kind, body: JsonBody): CostlyRequest => ({
  path: `/api/pwgen/${kind}`,
  body: JSON.stringify(body),
});

/** What a request costs at most. */
export interface MaxCost {
  /** CPU time of the process, in times that of {@linkcode PLAIN}. */
  readonly batches: number;
  /** What is allocated, garbage included, in bytes. */
  readonly bytes: number;
}

/** What the measuring process says. */
interface Costs {
  /** The requests above a limit, at most {@linkcode MAX_REPORTED}. */
  readonly dear: string[];
  /** How many of the requests have status 200. */
  readonly served: number;
}

const PLAIN = requestOf("characters", { count: 100, length: 128 });

/** The least of so many runs counts: the first ones compile the code. */
const RUNS = 30;

/** After so many dear requests, the rest is not measured. */
const MAX_REPORTED = 3;

const FLAGS = [
  // Compilers in other threads would be late on a busy machine.
  "--single-threaded",
  // With as much room for new objects, no collection hides what one run allocates.
  "--min-semi-space-size=64",
  "--max-semi-space-size=64",
];

/** Sends a request, which is served or refused, once. */
async function run(
  handler: ServerHandler,
  { path, headers = {}, body }: CostlyRequest,
) {
  // Filled here: as texts they would be 100 MB for this process to read.
  const fields = Object.fromEntries(
    Object.entries(headers).map(([name, [start, part, length]]) => [
      name,
      (start + part.repeat(length)).slice(0, length),
    ]),
  );
  const memory = () => {
    const { heapUsed, external } = Deno.memoryUsage();
    return heapUsed + external;
  };
  const before = memory();
  const start = process.cpuUsage();
  const init = body === undefined
    ? { headers: fields }
    : postInit(body, fields);
  const response = await ask(path, init, handler);
  await response.bytes();
  const { user, system } = process.cpuUsage(start);
  return {
    time: user + system,
    bytes: memory() - before,
    isServed: response.status === 200,
  };
}

/** Measures requests in this process. */
async function measure(
  requests: readonly CostlyRequest[],
  max: MaxCost,
): Promise<Costs> {
  // The clients of ask(), so that X-Forwarded-For is read.
  const handler = await handlerFor(["--trusted-proxies=10.0.0.0/8"]);
  for (let i = 0; i < 200; i++) await run(handler, PLAIN);
  /** The CPU times of plain requests. */
  const recent: number[] = [];
  const dear: string[] = [];
  let served = 0;
  for (const request of requests) {
    let plain = Infinity;
    let time = Infinity;
    let bytes = Infinity;
    const isDear = () => time > max.batches * plain || bytes > max.bytes;
    for (let i = 0; i < RUNS && isDear(); i++) {
      recent.push((await run(handler, PLAIN)).time);
      plain = Math.min(plain, ...recent.slice(-3));
      const result = await run(handler, request);
      if (i === 0 && result.isServed) served++;
      time = Math.min(time, result.time);
      // After a collection there can be less than before.
      if (result.bytes >= 0) bytes = Math.min(bytes, result.bytes);
      // No machine is so busy.
      if (time > 20 * max.batches * plain) break;
    }
    if (!isDear()) continue;
    const batches = Math.round(time / plain);
    const mebibytes = Math.round(bytes / 2 ** 20);
    dear.push(
      `${batches} batches, ${mebibytes} MiB: ${
        JSON.stringify(request).slice(0, 2000)
      }`,
    );
    if (dear.length === MAX_REPORTED) break;
  }
  return { dear, served };
}

/**
 * Looks for requests that cost more than a maximum.
 *
 * @returns a few of them with their costs, and how many requests have status 200
 */
export async function costsOf(
  requests: readonly CostlyRequest[],
  max: MaxCost,
): Promise<Costs> {
  // What counts the coverage would be measured too.
  const { DENO_COVERAGE_DIR: _, ...env } = Deno.env.toObject();
  const child = new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "--frozen",
      `--v8-flags=${FLAGS.join()}`,
      "--allow-env",
      "--allow-read",
      fromFileUrl(import.meta.url),
    ],
    clearEnv: true,
    env,
    stdin: "piped",
    stdout: "piped",
    signal: AbortSignal.timeout(HANG_MS),
  }).spawn();
  const input = new Blob([JSON.stringify({ requests, max })]).stream();
  const [{ code, stdout }] = await Promise.all([
    child.output(),
    input.pipeTo(child.stdin),
  ]);
  assertEquals(code, 0);
  return JSON.parse(new TextDecoder().decode(stdout));
}

if (import.meta.main) {
  const { requests, max } = await new Response(Deno.stdin.readable).json();
  // deno-lint-ignore no-console
  console.log(JSON.stringify(await measure(requests, max)));
}
