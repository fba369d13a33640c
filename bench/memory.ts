/**
 * Measures the memory of the rate limiter per client.
 * Usage: deno task bench:memory
 *
 * @module
 */
// deno-lint-ignore-file no-console
import { SlidingWindowLimiter } from "../middleware/limiters/sliding_window.ts";

declare const gc: () => void;

const maxClients = 1_000_000;
const now = () => performance.now();

/** Memory of JavaScript after garbage collection, in bytes. */
function memory(): number {
  gc();
  gc();
  const { heapUsed, external } = Deno.memoryUsage();
  return heapUsed + external;
}

for (const [clients, requests] of [[maxClients, 1], [200_000, 60]] as const) {
  const limiter = new SlidingWindowLimiter({ limit: 60, maxClients, now });
  const before = memory();
  for (let n = 0; n < clients; n++) {
    for (let i = 0; i < requests; i++) limiter.admit(`-1:${0x0a000000 + n}`);
  }
  const bytes = (memory() - before) / clients;
  console.log(
    `${clients} clients with ${requests} requests each: ${
      bytes.toFixed(0)
    } bytes per client`,
  );
  limiter.admit("a client"); // keeps the limiter from being collected earlier
}
