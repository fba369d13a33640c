import { assert, assertEquals } from "@std/assert";
import { withRandom } from "../../helpers/random.ts";
import {
  SlidingWindowLimiter,
  type SlidingWindowOptions,
} from "../../../middleware/limiters/sliding_window.ts";

/** A limiter whose clock, in milliseconds, stands still until the test sets it. */
function createLimiter(options: Partial<SlidingWindowOptions> = {}) {
  const clock = { now: 0 };
  const limiter = new SlidingWindowLimiter({
    limit: 60,
    maxClients: 1000,
    now: () => clock.now,
    ...options,
  });
  return {
    limiter,
    clock,
    /** Sends a request of a client; returns whether it is admitted. */
    admit: (client: string) => limiter.admit(client).admitted,
  };
}

withRandom.test("SlidingWindowLimiter never returns more than a window, whatever the fractions", (random) => {
  for (let i = 0; i < 10_000; i++) {
    const { limiter, clock } = createLimiter();
    clock.now = random() * 10 ** (3 + i % 8);
    assertEquals(limiter.admit("a").resetMs, 60_000);
  }
});

Deno.test("SlidingWindowLimiter does not depend on the wall clock", () => {
  const { now } = Date;
  try {
    const limiter = new SlidingWindowLimiter({ limit: 1, maxClients: 10 });
    limiter.admit("a");
    for (const hour of [-3_600_000, 3_600_000]) {
      Date.now = () => now() + hour;
      const { admitted, resetMs } = limiter.admit("a");
      assert(!admitted && resetMs > 50_000);
    }
  } finally {
    Date.now = now;
  }
});

Deno.test("SlidingWindowLimiter forgets clients without a request for two windows", () => {
  const { limiter, admit, clock } = createLimiter();
  for (let i = 0; i < 400; i++) {
    clock.now = 100 * i;
    admit(`client ${i}`);
  }
  assertEquals(limiter.size, 400);
  clock.now = 60_000;
  admit("a");
  clock.now = 120_000;
  admit("a");
  assertEquals([limiter.size, limiter.evicted], [1, 0]);
  clock.now = 300_000;
  admit("b");
  assertEquals([limiter.size, limiter.evicted], [1, 0]);
});

Deno.test("SlidingWindowLimiter forgets half of maxClients at once, not those seen last, and says so once", () => {
  const lines: string[] = [];
  const { limiter, admit } = createLimiter({
    ...{ limit: 1, maxClients: 4, warn: (line) => lines.push(line) },
  });
  for (const client of ["a", "b", "c"]) admit(client);
  admit("a"); // refused, but seen
  assertEquals(limiter.evicted, 0);
  admit("d"); // forgets b
  assertEquals([limiter.size, limiter.evicted, lines.length], [3, 1, 1]);
  for (const client of ["a", "c", "d"]) assert(!admit(client));
  assert(admit("b"));
  admit("e");
  admit("f");
  assert(limiter.evicted > 2);
  assertEquals(lines.length, 1);
});

Deno.test("SlidingWindowLimiter remembers at most maxClients in a flood, at least half of them", () => {
  for (const maxClients of [2, 3, 100]) {
    const { limiter, admit, clock } = createLimiter({ maxClients });
    for (let i = 0; i < 50_000; i++) {
      clock.now = i;
      admit(`client ${i}`);
      const recent = Math.max(0, i - Math.floor(maxClients / 2) + 1);
      if (i % 7 === 0) admit(`client ${recent}`);
      assert(limiter.size <= maxClients);
    }
    assertEquals(limiter.admit("client 49999").remaining, 58);
  }
});
