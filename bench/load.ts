/**
 * Servers under the load of wrk, for the benchmarks over HTTP.
 *
 * @module
 */
import {
  end,
  isInstalled,
  listening,
  post,
  ROOT,
  type Running,
  serveDirectly,
  spawn,
} from "../tests/helpers/program.ts";
import { stop } from "../tools/needs.ts";

if (!await isInstalled("wrk")) {
  stop("Cannot find wrk; install it (Debian: wrk)");
}

/** Starts the service behind a loopback proxy. */
export function startService(
  env: Record<string, string> = {},
): Promise<Running> {
  return serveDirectly({
    PWGEN_TRUSTED_PROXIES: "loopback",
    PWGEN_MAX_CLIENTS: "10000000",
    ...env,
  });
}

/**
 * Starts a bare Deno.serve that responds as the service does to one request.
 *
 * @param service the service
 * @param path the path of the request
 * @param body the body of the request
 * @returns the bare server
 */
export async function startBare(
  service: Running,
  path: string,
  body: string,
): Promise<Running> {
  const response = await post(service.url + path, body);
  const own = new Set(["content-type", "content-length", "date", "vary"]);
  const fields = [...response.headers].filter(([field]) => !own.has(field));
  const parts = [
    response.status,
    response.headers.get("content-type"),
    await response.text(),
    ...fields,
  ];
  const args = ["run", "--allow-net", "bench/bare.ts", JSON.stringify(parts)];
  return listening(spawn(Deno.execPath(), args));
}

/** Starts a service of the same kind with Hono on Deno; "same" promises as much. */
export function startHono(kind: "minimal" | "same"): Promise<Running> {
  const args = ["run", "--no-lock", "--allow-all", "bench/peers/hono.ts", kind];
  return listening(spawn(Deno.execPath(), args));
}

/** Starts a service of the same kind with Fastify on Node; a folder gets its packages. */
export async function startFastify(folder: string): Promise<Running> {
  if (!await isInstalled("npm")) {
    stop("Cannot find npm; install it (Debian: npm)");
  }
  const packages = [
    "fastify@5.12.8",
    "@fastify/rate-limit@11.2.0",
    "generate-password@1.7.1",
  ];
  const install = ["install", "--no-audit", "--prefix", folder, ...packages];
  const { code, stderr } = await end(spawn("npm", install));
  if (code !== 0) stop(`Cannot install Fastify: ${stderr}`);
  return listening(spawn("node", ["bench/peers/fastify.cjs"], {
    NODE_PATH: `${folder}/node_modules`,
    NODE_ENV: "production",
  }));
}

/** CPU time of a process so far, in microseconds; a tick is 10 ms. */
function cpuTime({ process: { pid } }: Running): number {
  const fields = Deno.readTextFileSync(`/proc/${pid}/stat`).split(") ")[1]!
    .split(" ");
  return (Number(fields[11]) + Number(fields[12])) * 10_000;
}

async function runWrk(
  options: string[],
  env: Record<string, string>,
): Promise<string> {
  const { success, stdout, stderr } = await new Deno.Command("wrk", {
    args: ["-t1", ...options],
    env,
    cwd: ROOT,
  }).output();
  const decoder = new TextDecoder();
  const text = decoder.decode(stdout);
  if (!success) throw new Error(`wrk failed: ${text}${decoder.decode(stderr)}`);
  return text;
}

/** The results of wrk. */
export interface Measurement {
  requests: number;
  perSecond: number;
  /** CPU time of the server, in microseconds per request. */
  cpu: number;
  /** Latency, in milliseconds. */
  p50: number;
  p99: number;
  /** Whether a status was not 2xx or 3xx. */
  hasErrors: boolean;
}

/** The load of wrk. */
interface LoadOptions {
  path: string;
  body: string;
  seconds: number;
}

let runs = 0;

/** Sends requests from many client addresses, as many as possible. */
export async function load(
  server: Running,
  { path, body, seconds }: LoadOptions,
): Promise<Measurement> {
  const before = cpuTime(server);
  const text = await runWrk(
    ["-c32", `-d${seconds}s`, "--latency", "-s"]
      .concat("bench/clients.lua", server.url + path),
    { BODY: body, RUN: String(runs++) },
  );
  const cpu = cpuTime(server) - before;
  const find = (pattern: RegExp) => pattern.exec(text)?.[1] ?? "";
  const latency = (percentile: string) => {
    const [, number, unit] = new RegExp(`${percentile}% +([\\d.]+)(us|ms|s)`)
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
    hasErrors: /Non-2xx/.test(text),
  };
}

/** The results of a load at a fixed rate; times in milliseconds. */
export interface RateReport {
  requests: number;
  seconds: number;
  errors: number;
  p50: number;
  p99: number;
}

let sent = 0;

/** Sends requests at a rate per second; 0 for as many as possible. */
export async function loadAtRate(
  server: Running,
  { rate, seconds }: { rate: number; seconds: number },
): Promise<RateReport> {
  const text = await runWrk(
    ["-c256", `-d${seconds}s`, "-s"]
      .concat("bench/soak.lua", `${server.url}/api/pwgen/characters`),
    { RATE: String(rate), FIRST: String(sent) },
  );
  const report: RateReport = JSON.parse(/^\{.*\}$/m.exec(text)![0]);
  sent += report.requests;
  return report;
}
