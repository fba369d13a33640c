/**
 * Servers under wrk, and what they cost: for the benches over HTTP.
 *
 * @module
 */
import { fromFileUrl } from "@std/path";
import metadata from "../deno.json" with { type: "json" };

const ROOT = fromFileUrl(import.meta.resolve("../"));

try {
  await new Deno.Command("wrk", { args: ["-v"], stdout: "null" }).output();
} catch {
  // deno-lint-ignore no-console
  console.error("Cannot run wrk; Debian has it as wrk");
  Deno.exit(1);
}

/** A server that runs. */
export interface Server {
  url: string;
  process: Deno.ChildProcess;
}

/** Starts Deno and waits until it says where it listens. */
export async function start(args: string[], env = {}): Promise<Server> {
  const process = new Deno.Command(Deno.execPath(), {
    args,
    env: { PORT: "0", NO_COLOR: "1", ...env },
    cwd: ROOT,
    stdout: "piped",
  }).spawn();
  for await (const chunk of process.stdout) {
    const url = /http:\/\/[\d.]+:\d+/.exec(new TextDecoder().decode(chunk))
      ?.[0];
    if (url) return { url, process };
  }
  throw new Error("Cannot start the server: it said no address");
}

/** Starts the service as `deno task start` does, behind a loopback proxy. */
export function startService(env = {}): Promise<Server> {
  return start(metadata.tasks.start.command.split(" ").slice(1), {
    PWGEN_TRUSTED_PROXIES: "loopback",
    PWGEN_MAX_CLIENTS: "10000000",
    ...env,
  });
}

/**
 * Starts a bare Deno.serve that answers as the service answers a request.
 *
 * @param service the service
 * @param path what it is asked for
 * @param body the body of the request
 * @returns the bare server
 */
export async function startBare(
  service: Server,
  path: string,
  body: string,
): Promise<Server> {
  const response = await fetch(service.url + path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body,
  });
  const own = new Set(["content-type", "content-length", "date", "vary"]);
  const fields = [...response.headers].filter(([field]) => !own.has(field));
  const answer = [
    response.status,
    response.headers.get("content-type"),
    await response.text(),
    ...fields,
  ];
  return start(["run", "--allow-net", "bench/bare.ts", JSON.stringify(answer)]);
}

/** Ends a server. */
export async function stop({ process }: Server): Promise<void> {
  process.kill("SIGTERM");
  await process.status;
}

/** CPU time of a process so far, in microseconds; a tick is 10 ms. */
export function cpuTime(pid: number): number {
  const fields = Deno.readTextFileSync(`/proc/${pid}/stat`).split(") ")[1]!
    .split(" ");
  return (Number(fields[11]) + Number(fields[12])) * 10_000;
}

/** Resident memory of a process, in MB. */
export function residentMemory({ process }: Server): number {
  const status = Deno.readTextFileSync(`/proc/${process.pid}/status`);
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)![1]) / 1000;
}

/** What a run of wrk tells. */
export interface Measure {
  requests: number;
  perSecond: number;
  /** CPU time of the server, in microseconds a request. */
  cpu: number;
  /** Latency, in milliseconds. */
  p50: number;
  p99: number;
  /** Whether an answer was other than 2xx or 3xx. */
  refused: boolean;
}

/** How wrk asks. */
export interface LoadOptions {
  path: string;
  body: string;
  seconds: number;
  /** How many addresses the requests come from, each 50 at a time. */
  clients?: number;
}

let runs = 0;

/** Drives a server with wrk over many client addresses. */
export async function load(
  { url, process }: Server,
  { path, body, seconds, clients = 0 }: LoadOptions,
): Promise<Measure> {
  const before = cpuTime(process.pid);
  const { stdout } = await new Deno.Command("wrk", {
    args: ["-t1", "-c32", `-d${seconds}s`, "--latency", "-s"]
      .concat(`${ROOT}bench/clients.lua`, url + path),
    env: { BODY: body, RUN: String(runs++), CLIENTS: String(clients) },
  }).output();
  const cpu = cpuTime(process.pid) - before;
  const text = new TextDecoder().decode(stdout);
  const find = (pattern: RegExp) => pattern.exec(text)?.[1] ?? "";
  const latency = (share: string) => {
    const [, number, unit] = new RegExp(`${share}% +([\\d.]+)(us|ms|s)`)
      .exec(text)!;
    return Number(number) * { us: 0.001, ms: 1, s: 1000 }[unit!]!;
  };
  const requests = Number(find(/(\d+) requests in/));
  return {
    requests,
    perSecond: Number(find(/Requests\/sec: +([\d.]+)/)),
    cpu: cpu / requests,
    p50: latency("50"),
    p99: latency("99"),
    refused: /Non-2xx/.test(text),
  };
}

/** What a load at a fixed rate shows; times in milliseconds. */
export interface RateReport {
  requests: number;
  seconds: number;
  errors: number;
  p50: number;
  p99: number;
}

let sent = 0;

/** Drives a server with wrk at a rate, 0 for as much as possible. */
export async function loadAtRate(
  url: string,
  { rate, seconds, connections = 256 }: {
    rate: number;
    seconds: number;
    connections?: number;
  },
): Promise<RateReport> {
  const { stdout, stderr } = await new Deno.Command("wrk", {
    args: ["-t1", `-c${connections}`, `-d${seconds}s`, "-s"]
      .concat(`${ROOT}bench/soak.lua`, `${url}/api/pwgen/characters`),
    env: { RATE: String(rate), FIRST: String(sent) },
  }).output();
  const text = new TextDecoder().decode(stdout);
  const json = /^\{.*\}$/m.exec(text)?.[0];
  if (json === undefined) {
    throw new Error(`wrk failed: ${text}${new TextDecoder().decode(stderr)}`);
  }
  const report: RateReport = JSON.parse(json);
  sent += report.requests;
  return report;
}

/** The one in the middle. */
export function median(numbers: number[]): number {
  return [...numbers].sort((a, b) => a - b)[numbers.length >> 1]!;
}
