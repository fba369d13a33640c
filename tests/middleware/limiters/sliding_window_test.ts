import { assert, assertEquals, assertMatch } from "@std/assert";
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
    clock.now = random.next() * 10 ** (3 + i % 8);
    assertEquals(limiter.admit("a").resetMs, 60_000);
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

withRandom.test("SlidingWindowLimiter remembers the last half of maxClients, at most maxClients, and says once that it forgot others", (random) => {
  for (const maxClients of [2, 3, 5, 100]) {
    const lines: string[] = [];
    const warn = (line: string) => lines.push(line);
    const { limiter, admit } = createLimiter({ limit: 1, maxClients, warn });
    /** The clients in the order of their last request. */
    let seen: number[] = [];
    let forgotten = 0;
    for (let i = 0; i < 5000; i++) {
      // At first no more than half, then more and more.
      const clients = Math.ceil(maxClients / 2) + Math.floor(i / 1000) * 3;
      const client = i < 1000
        ? random.below(Math.floor(maxClients / 2))
        : random.below(clients);
      const rank = seen.indexOf(client);
      const isNew = admit(`client ${client}`);
      if (rank >= 0) {
        const later = seen.length - rank; // this client and those after it
        if (later <= Math.floor(maxClients / 2)) {
          assert(
            !isNew,
            `of ${maxClients}, one of the last ${later} is forgotten`,
          );
        }
        if (isNew) forgotten++;
      }
      seen = [...seen.filter((each) => each !== client), client];
      assert(limiter.size <= maxClients);
      if (i < 1000) assertEquals(limiter.evicted, 0);
      assert(forgotten <= limiter.evicted);
    }
    assert(forgotten > 0);
    assertEquals(lines.length, 1);
    assertMatch(lines[0]!, /^Rate limit: forgot clients before their minute /);
  }
});
