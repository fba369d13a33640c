/**
 * Measures the time of a decision of the rate limiter: `deno task bench`.
 *
 * @module
 */
import { parseAddressList } from "../middleware/address.ts";
import { clientOf } from "../middleware/client.ts";
import { SlidingWindowLimiter } from "../middleware/limiters/sliding_window.ts";

/** A different IPv4 address for each number. */
function address(i: number): string {
  return `${10 + (i >> 24)}.${i >> 16 & 255}.${i >> 8 & 255}.${i & 255}`;
}

for (const known of [1, 1000, 100_000, 1_000_000]) {
  // The clock is slow, so that no client expires.
  const window = new SlidingWindowLimiter({
    limit: 60,
    maxClients: 10_000_000,
    now: () => performance.now() / 1e6,
  });
  const addresses = Array.from({ length: known }, (_, i) => address(i));
  for (const each of addresses) window.admit(clientOf(each, null).key);
  let next = 0;
  Deno.bench({
    name: `admit() with ${known.toLocaleString("en")} known clients`,
    group: "admit",
    baseline: known === 1,
    fn: () => {
      // The next client is far away in memory, so that CPU caches do not help.
      next = (next + 7919) % known;
      window.admit(`-1:${0x0a000000 + next}`);
    },
  });
}

const proxies = parseAddressList("127.0.0.1")!;
Deno.bench("clientOf(), one listed proxy", () => {
  clientOf("127.0.0.1", "203.0.113.77", proxies);
});
Deno.bench("clientOf(), IPv6", () => {
  clientOf("2001:db8:1:2:3:4:5:6", null);
});
