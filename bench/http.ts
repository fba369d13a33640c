/**
 * What a request costs against a bare Deno.serve that reads the same body and
 * sends the same bytes and header fields. Both run in turn under wrk, from many
 * client addresses, and are compared in pairs: machines differ, ratios less.
 *
 * Usage: deno task bench:http [--seconds 4] [--pairs 3]
 *
 * @module
 */
// deno-lint-ignore-file no-console
import { fromFileUrl } from "@std/path";
import { parseArgs } from "node:util";
import metadata from "../deno.json" with { type: "json" };

const { values } = parseArgs({
  options: {
    seconds: { type: "string", default: "4" },
    pairs: { type: "string", default: "3" },
  },
});
const SECONDS = Number(values.seconds);
const PAIRS = Number(values.pairs);
const ROOT = fromFileUrl(import.meta.resolve("../"));
const ENDPOINTS = ["characters", "words", "sentence"];
const BODY = "{}";

interface Server {
  url: string;
  process: Deno.ChildProcess;
}

async function start(args: string[], env = {}): Promise<Server> {
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

/** CPU time of a process so far, in microseconds; a tick is 10 ms. */
function cpuTime(pid: number): number {
  const fields = Deno.readTextFileSync(`/proc/${pid}/stat`).split(") ")[1]!
    .split(" ");
  return (Number(fields[11]) + Number(fields[12])) * 10_000;
}

interface Measure {
  perSecond: number;
  cpu: number;
  p50: string;
  p99: string;
}

let runs = 0;

async function wrk(server: Server, path: string, seconds: number) {
  const before = cpuTime(server.process.pid);
  const { stdout } = await new Deno.Command("wrk", {
    args: ["-t1", "-c32", `-d${seconds}s`, "--latency", "-s"]
      .concat(`${ROOT}bench/clients.lua`, server.url + path),
    env: { BODY, RUN: String(runs++) },
  }).output();
  const text = new TextDecoder().decode(stdout);
  const find = (pattern: RegExp) => pattern.exec(text)?.[1] ?? "?";
  if (/Non-2xx/.test(text)) throw new Error(`Cannot compare:\n${text}`);
  const requests = Number(find(/(\d+) requests in/));
  return {
    perSecond: Number(find(/Requests\/sec: +([\d.]+)/)),
    cpu: (cpuTime(server.process.pid) - before) / requests,
    p50: find(/50% +(\S+)/),
    p99: find(/99% +(\S+)/),
  };
}

function show(name: string, { perSecond, cpu, p50, p99 }: Measure): void {
  console.log(
    `  ${name.padEnd(8)} ${String(Math.round(perSecond)).padStart(8)}/s ` +
      `${cpu.toFixed(2).padStart(7)} us CPU   p50 ${p50.padEnd(8)} p99 ${p99}`,
  );
}

function mean(numbers: number[]): number {
  return numbers.reduce((a, b) => a + b) / numbers.length;
}

for (const name of ENDPOINTS) {
  const path = `/api/pwgen/${name}`;
  const service = await start(
    metadata.tasks.start.command.split(" ").slice(1),
    { PWGEN_TRUSTED_PROXIES: "loopback", PWGEN_MAX_CLIENTS: "10000000" },
  );
  const response = await fetch(service.url + path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: BODY,
  });
  const own = new Set(["content-type", "content-length", "date", "vary"]);
  const fields = [...response.headers].filter(([field]) => !own.has(field));
  const answer = JSON.stringify([await response.text(), ...fields]);
  const bare = await start(["run", "--allow-net", "bench/bare.ts", answer]);

  console.log(`POST ${path} ${BODY}`);
  await wrk(bare, path, 1);
  await wrk(service, path, 1);
  const speed: number[] = [];
  const cpu: number[] = [];
  for (let pair = 0; pair < PAIRS; pair++) {
    const a = await wrk(bare, path, SECONDS);
    const b = await wrk(service, path, SECONDS);
    show("bare", a);
    show("service", b);
    speed.push(b.perSecond / a.perSecond);
    cpu.push(a.cpu / b.cpu);
  }
  console.log(
    `  service to bare: ${mean(speed).toFixed(2)} in requests/s, ` +
      `${mean(cpu).toFixed(2)} in CPU a request\n`,
  );
  for (const { process } of [service, bare]) {
    process.kill("SIGTERM");
    await process.status;
  }
}
