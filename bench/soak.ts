/**
 * Keeps the service busy for a while, at a share of its capacity and from
 * 50,000 addresses, and prints how memory, errors and p99 develop. Any error
 * makes it end with status 1.
 *
 * wrk keeps the rate by a timetable (soak.lua), within 0.5 % where the machine
 * has time for both; each line says what it was. An answer's time counts from
 * when its request was sent: that a request waited for one of the 256
 * connections is not in it, but shows in the rate.
 *
 * Usage: deno task soak [--minutes 15] [--share 0.7]
 *
 * @module
 */
// deno-lint-ignore-file no-console
import { parseArgs } from "node:util";
import metadata from "../deno.json" with { type: "json" };
import { listening, spawn } from "../tests/helpers/program.ts";
import { loadAtRate } from "./load.ts";

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "15" },
    share: { type: "string", default: "0.7" },
  },
});
const MINUTES = Number(values.minutes);
const SHARE = Number(values.share);
const LINE_SECONDS = 30;
const LINES = Math.round(MINUTES * 60 / LINE_SECONDS);
if (!(LINES >= 3 && SHARE > 0 && SHARE <= 1)) {
  throw new RangeError("Use --minutes of 1.5 or more, --share above 0 up to 1");
}

await using service = await listening(
  spawn(Deno.execPath(), metadata.tasks.start.command.split(" ").slice(1), {
    PWGEN_TRUSTED_PROXIES: "loopback",
    // 50,000 addresses may ask 50,000 times a second with the limit of 60.
    PWGEN_RATE_LIMIT: "10000",
  }),
);
const { pid } = service.process;

/** Sends requests at a rate; 0 for as many as possible. */
const wrk = (rate: number, seconds: number) =>
  loadAtRate(service.url, { rate, seconds });

/** Resident memory of the service, in MB. */
function resident(): number {
  const status = Deno.readTextFileSync(`/proc/${pid}/status`);
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)![1]) * 1024 / 1e6;
}

function mean(numbers: number[]): number {
  return numbers.reduce((a, b) => a + b) / numbers.length;
}

/** The slope of the line with the least squares through the points. */
function slope(points: [x: number, y: number][]): number {
  const x0 = mean(points.map(([x]) => x));
  const y0 = mean(points.map(([, y]) => y));
  const sum = (of: (dx: number, dy: number) => number) =>
    points.reduce((total, [x, y]) => total + of(x - x0, y - y0), 0);
  return sum((dx, dy) => dx * dy) / sum((dx) => dx * dx);
}

await wrk(0, 3); // to warm up
const capacity = await wrk(0, 6);
const rate = Math.round(SHARE * capacity.requests / capacity.seconds);
console.log(
  `capacity ${Math.round(rate / SHARE)}/s; ${MINUTES} minutes at ${rate}/s`,
);
console.log(
  "   time   requests    rate/s  errors   p50 ms   p99 ms  resident MB",
);

const start = performance.now();
const minute = () => (performance.now() - start) / 60_000;
const memory: [minute: number, mb: number][] = [];
const sampling = setInterval(() => memory.push([minute(), resident()]), 1000);
const p99: number[] = [];
let requests = 0;
let errors = capacity.errors;
while (p99.length < LINES) {
  const report = await wrk(rate, LINE_SECONDS);
  p99.push(report.p99);
  requests += report.requests;
  errors += report.errors;
  console.log(
    `${minute().toFixed(1).padStart(5)} m` +
      String(report.requests).padStart(11) +
      (report.requests / report.seconds).toFixed(0).padStart(10) +
      String(report.errors).padStart(8) +
      report.p50.toFixed(2).padStart(9) +
      report.p99.toFixed(2).padStart(9) +
      resident().toFixed(1).padStart(13),
  );
}
clearInterval(sampling);

const end = minute();
const growth = slope(memory.filter(([at]) => at >= end / 3));
const third = Math.round(LINES / 3);
const [early, late] = [p99.slice(0, third), p99.slice(-third)].map(mean);
console.log(
  `${requests} requests, ${errors} errors; memory ` +
    `${growth.toFixed(2)} MB a minute over the last two thirds; p99 ` +
    `${early!.toFixed(2)} ms in the first third, ${late!.toFixed(2)} ms in ` +
    `the last (${(late! / early!).toFixed(2)} times)`,
);
if (errors > 0) Deno.exitCode = 1;
