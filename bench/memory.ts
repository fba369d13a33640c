/**
 * Measures the memory of the rate limiter per client, and the time of a
 * decision during a flood of client addresses.
 * Usage: deno task bench:memory
 *
 * @module
 */
// deno-lint-ignore-file no-console
import { SlidingWindowLimiter } from "../middleware/limiters/sliding_window.ts";

declare const gc: () => void;

let now = 0;

function windowOf(maxClients: number): SlidingWindowLimiter {
  return new SlidingWindowLimiter({ limit: 60, maxClients, now: () => now });
}

/** The nth IPv4 address from 10.0.0.0 on. */
function address(n: number): string {
  return `-1:${0x0a000000 + n}`;
}

/** Memory after garbage collection: of the process, and of JavaScript alone. */
function memory(): { rss: number; used: number } {
  gc();
  gc();
  const { rss, heapUsed, external } = Deno.memoryUsage();
  return { rss, used: heapUsed + external };
}

function perClient(name: string, clients: number, requests: number): void {
  const window = windowOf(10_000_000);
  const before = memory();
  for (let n = 0; n < clients; n++) {
    const key = address(n);
    for (let i = 0; i < requests; i++) window.admit(key);
  }
  const after = memory();
  console.log(
    `${name}: ${
      ((after.rss - before.rss) / clients).toFixed(0)
    } bytes resident, ${
      ((after.used - before.used) / clients).toFixed(0)
    } in use, per client`,
  );
  now += 120_000;
  const start = performance.now();
  window.admit(address(-1));
  const took = performance.now() - start;
  const quiet = memory();
  console.log(
    `  after two quiet windows and one request (${took.toFixed(2)} ms): ${
      ((quiet.used - before.used) / 1e6).toFixed(1)
    } MB in use`,
  );
}

function flood(): void {
  const window = windowOf(250_000);
  const before = memory();
  const times = new Float64Array(1_000_000);
  for (let n = 0; n < 10_000_000; n++) {
    now += 0.001;
    const key = address(n);
    const start = performance.now();
    window.admit(key);
    if (n % 10 === 0) times[n / 10] = performance.now() - start;
  }
  times.sort();
  const at = (q: number) => (times[Math.floor(q * 999_999)]! * 1000).toFixed(2);
  console.log(
    `flood of 10,000,000 addresses: ${window.size} clients remembered, ${
      ((memory().rss - before.rss) / 1e6).toFixed(0)
    } MB more resident; a decision p50 ${at(0.5)} us, p99 ${
      at(0.99)
    } us, p99.99 ${at(0.9999)} us, longest ${
      (times.at(-1)! / 1).toFixed(1)
    } ms`,
  );
}

perClient("1,000,000 clients with one request each", 1_000_000, 1);
perClient("200,000 clients at their limit", 200_000, 60);
flood();
