/**
 * Loads the service for some minutes at a share of its capacity, from 50,000
 * addresses, and prints memory, errors and p99. Exits with 1 after any error. With
 * redis-server, this is the store of the rate limiter. In the middle it is killed,
 * and starts again five seconds later.
 *
 * wrk keeps the rate with a schedule (soak.lua), within 0.5 % if the CPU suffices
 * for both; each line shows the real rate. The latency of a request
 * starts when wrk sends it, so it does not include the wait for one of the 256
 * connections. Such a wait lowers the rate.
 *
 * Usage: deno task soak [--minutes 15] [--share 0.7]
 *
 * @module
 */
// deno-lint-ignore-file no-console
import { residentBytes, serveDirectly } from "../tests/helpers/program.ts";
import { NO_REDIS, startRedis } from "../tests/helpers/redis.ts";
import { loadAtRate } from "./load.ts";
import { readOptions } from "./options.ts";

const { minutes, share } = readOptions({ minutes: 15, share: 0.7 });
const LINE_SECONDS = 30;
const LINES = Math.round(minutes * 60 / LINE_SECONDS);
if (LINES < 3 || share > 1) {
  throw new RangeError("Use --minutes of 1.5 or more, --share above 0 up to 1");
}

await using redis = NO_REDIS ? undefined : await startRedis();
console.log(`store: ${redis?.url ?? "memory, since there is no redis-server"}`);
await using service = await serveDirectly({
  PWGEN_TRUSTED_PROXIES: "loopback",
  PWGEN_RATE_LIMIT_STORE: redis?.url ?? "memory",
  // With the default limit, 50,000 addresses may send only 50,000 requests per
  // second.
  PWGEN_RATE_LIMIT: "10000",
});

/** Sends requests at a rate; 0 for as many as possible. */
const wrk = (rate: number, seconds: number) =>
  loadAtRate(service, { rate, seconds });

/** Resident memory of the service, in MB. */
const resident = () => residentBytes(service.process.pid) / 1e6;

const seconds = (count: number) =>
  new Promise((resolve) => setTimeout(resolve, count * 1000));

/** Kills the store while the service is under load, and starts it again. */
async function restartStore(): Promise<void> {
  await seconds(LINE_SECONDS / 3);
  redis?.signal("SIGKILL");
  await seconds(5);
  await redis?.restart();
  console.log("the store was killed, and started again after 5 s");
}

function mean(numbers: number[]): number {
  return numbers.reduce((a, b) => a + b) / numbers.length;
}

/** The slope of the regression line of the points. */
function slope(points: [x: number, y: number][]): number {
  const x0 = mean(points.map(([x]) => x));
  const y0 = mean(points.map(([, y]) => y));
  const sum = (of: (dx: number, dy: number) => number) =>
    points.reduce((total, [x, y]) => total + of(x - x0, y - y0), 0);
  return sum((dx, dy) => dx * dy) / sum((dx) => dx * dx);
}

await wrk(0, 3); // warm-up
const capacity = await wrk(0, 6);
const rate = Math.round(share * capacity.requests / capacity.seconds);
console.log(
  `capacity ${Math.round(rate / share)}/s; ${minutes} minutes at ${rate}/s`,
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
  const isMiddle = redis !== undefined && p99.length === Math.floor(LINES / 2);
  const [report] = await Promise.all([
    wrk(rate, LINE_SECONDS),
    isMiddle ? restartStore() : undefined,
  ]);
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
    `${growth.toFixed(2)} MB per minute over the last two thirds; p99 ` +
    `${early!.toFixed(2)} ms in the first third, ${late!.toFixed(2)} ms in ` +
    `the last (${(late! / early!).toFixed(2)} times)`,
);
if (errors > 0) Deno.exitCode = 1;
