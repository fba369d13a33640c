import { assert, assertEquals } from "@std/assert";
import { withSeed } from "../../helpers/random.ts";
import { keyOf } from "../../helpers/key.ts";
import {
  SlidingWindowLimiter,
  type SlidingWindowOptions,
} from "../../../middleware/limiters/sliding_window.ts";

/** A window whose clock stands still until it is told the second. */
function windowAt(options: Partial<SlidingWindowOptions> = {}) {
  let now = 0;
  let evicted = 0;
  const window = new SlidingWindowLimiter({
    limit: 60,
    maxClients: 1000,
    now: () => now,
    onEvict: () => evicted++,
    ...options,
  });
  return {
    window,
    at: (second: number) => now = second * 1000,
    /** Asks `count` times; how many were admitted. */
    ask: (key: string, count = 1) => {
      let admitted = 0;
      for (let i = 0; i < count; i++) {
        if (window.admit(keyOf(key)).admitted) admitted++;
      }
      return admitted;
    },
    evicted: () => evicted,
  };
}

Deno.test("SlidingWindowLimiter admits the 60th and refuses the 61st", () => {
  const { ask, at } = windowAt();
  assertEquals(ask("a", 60), 60);
  assertEquals(ask("a"), 0);
  at(59.999);
  assertEquals(ask("a"), 0);
  at(60);
  assertEquals(ask("a", 61), 60);
});

Deno.test("SlidingWindowLimiter slides: 30 at 0 s, 30 at 40 s, 30 more at 61 s, none more then", () => {
  const { ask, at } = windowAt();
  assertEquals(ask("a", 30), 30);
  at(40);
  assertEquals(ask("a", 31), 30);
  at(61);
  assertEquals(ask("a", 31), 30);
  at(99.9);
  assertEquals(ask("a", 10), 0);
  at(100);
  assertEquals(ask("a", 60), 30);
});

Deno.test("SlidingWindowLimiter does not count refused requests", () => {
  const { ask, at } = windowAt();
  ask("a", 60);
  for (let second = 1; second < 60; second++) {
    at(second);
    assertEquals(ask("a", 100), 0);
  }
  at(60);
  assertEquals(ask("a", 100), 60);
});

Deno.test("SlidingWindowLimiter gives each client a budget of its own", () => {
  const { ask } = windowAt();
  assertEquals(ask("a", 61), 60);
  assertEquals(ask("b", 60), 60);
});

Deno.test("SlidingWindowLimiter tells what remains and when the oldest request leaves", () => {
  const { window, at } = windowAt({ limit: 2 });
  assertEquals(window.admit(keyOf("a")), {
    admitted: true,
    remaining: 1,
    resetMs: 60_000,
  });
  at(10);
  assertEquals(window.admit(keyOf("a")), {
    admitted: true,
    remaining: 0,
    resetMs: 50_000,
  });
  at(20);
  assertEquals(window.admit(keyOf("a")), {
    admitted: false,
    remaining: 0,
    resetMs: 40_000,
  });
  at(60);
  assertEquals(window.admit(keyOf("a")), {
    admitted: true,
    remaining: 0,
    resetMs: 10_000,
  });
});

Deno.test(
  "SlidingWindowLimiter never names more than a window, whatever the fractions",
  withSeed((random) => {
    for (let i = 0; i < 10_000; i++) {
      const { window, at } = windowAt();
      at(random() * 10 ** (i % 8));
      assertEquals(window.admit(keyOf("a")).resetMs, 60_000);
    }
  }),
);

Deno.test(
  "SlidingWindowLimiter agrees with the definition, request by request",
  withSeed((random) => {
    // The definition: admitted when fewer than `limit` were in the 60 s before.
    for (const limit of [1, 2, 3, 7, 60]) {
      const { window, at } = windowAt({ limit });
      const admissions: number[] = [];
      let now = 0;
      for (let i = 0; i < 5000; i++) {
        now += random() ** 3 * (120_000 / limit);
        at(now / 1000);
        const inWindow = admissions.filter((t) =>
          (now / 1000 * 1000) - t < 6e4
        );
        const decision = window.admit(keyOf("a"));
        assertEquals(decision.admitted, inWindow.length < limit);
        if (decision.admitted) {
          admissions.push(now / 1000 * 1000);
          inWindow.push(now / 1000 * 1000);
        }
        assertEquals(decision.remaining, limit - inWindow.length);
      }
    }
  }),
);

Deno.test("SlidingWindowLimiter agrees with the definition in bursts that leave before its memory has grown", () => {
  const { ask, at } = windowAt({ limit: 8 });
  const bursts = [[0, 2, 2], [30, 2, 2], [61, 3, 3], [91, 9, 5], [121, 9, 3]];
  for (const [second, asked, admitted] of bursts) {
    at(second!);
    assertEquals(ask("a", asked!), admitted, `at ${second} s`);
  }
});

Deno.test(
  "SlidingWindowLimiter agrees with the definition while its clients come, grow in number and leave",
  withSeed((random) => {
    const limit = 4;
    const { window, at } = windowAt({ limit, maxClients: 100_000 });
    const admissions = new Map<string, number[]>();
    let second = 0;
    for (let i = 0; i < 60_000; i++) {
      // Some 3,000 clients in a window; now and then all of them are quiet.
      second += i % 20_000 === 0 ? 61 : random() / 50;
      at(second);
      const now = second * 1000;
      const key = `client ${Math.floor(random() * 3000)}`;
      const before = (admissions.get(key) ?? []).filter((t) =>
        now - t < 60_000
      );
      const { admitted, remaining, resetMs } = window.admit(keyOf(key));
      assertEquals(admitted, before.length < limit);
      if (admitted) before.push(now);
      admissions.set(key, before);
      assertEquals(remaining, limit - before.length);
      assertEquals(resetMs, 60_000 - (now - before[0]!));
    }
  }),
);

Deno.test("SlidingWindowLimiter counts a request from when it came, where somebody else decided first", () => {
  const { window, at } = windowAt({ limit: 2 });
  at(5);
  assertEquals(window.admit(keyOf("a"), 1000), {
    admitted: true,
    remaining: 1,
    resetMs: 56_000,
  });
  window.admit(keyOf("a"), 2000);
  at(60.999);
  assertEquals(window.admit(keyOf("a"), 60_000).admitted, false);
  at(61);
  // What counts is the time now, not when it came.
  assertEquals(window.admit(keyOf("a"), 60_500).admitted, true);
});

Deno.test("SlidingWindowLimiter does not see the wall clock", () => {
  const { now } = Date;
  try {
    const window = new SlidingWindowLimiter({ limit: 1, maxClients: 10 });
    window.admit(keyOf("a"));
    for (const hour of [-3_600_000, 3_600_000]) {
      Date.now = () => now() + hour;
      const { admitted, resetMs } = window.admit(keyOf("a"));
      assert(!admitted && resetMs > 50_000);
    }
  } finally {
    Date.now = now;
  }
});

Deno.test("SlidingWindowLimiter forgets who was quiet for a window", () => {
  const { window, ask, at } = windowAt();
  for (let i = 0; i < 500; i++) {
    at(i / 10);
    ask(`client ${i}`);
  }
  assertEquals(window.size, 500);
  at(60);
  ask("a"); // client 0 asked at 0 s
  assertEquals(window.size, 500);
  at(85); // of the 500, those up to 25 s are gone
  ask("a");
  assertEquals(window.size, 250);
  at(145);
  ask("b");
  assertEquals(window.size, 1);
});

Deno.test("SlidingWindowLimiter forgets the longest-quiet beyond its cap, and says so", () => {
  const { window, ask, evicted } = windowAt({ limit: 1, maxClients: 3 });
  ask("a");
  ask("b");
  ask("c");
  ask("a"); // refused, but not quiet
  assertEquals(evicted(), 0);
  ask("d"); // b has been quiet for longest
  assertEquals(evicted(), 1);
  assertEquals(window.size, 3);
  assertEquals(ask("a"), 0);
  assertEquals(ask("c"), 0);
  assertEquals(ask("d"), 0);
  assertEquals(ask("b"), 1); // a budget anew; a was now the longest-quiet
  assertEquals(ask("a"), 1);
  assertEquals(evicted(), 3);
});

Deno.test("SlidingWindowLimiter keeps its cap under a flood, and its order", () => {
  const { window, ask, at } = windowAt({ maxClients: 100 });
  for (let i = 0; i < 50_000; i++) {
    at(i / 1000);
    ask(`client ${i}`);
    if (i % 7 === 0) ask(`client ${i - 50}`);
    assert(window.size <= 100);
  }
  // The very last are known still: their second request finds one counted.
  assertEquals(window.admit(keyOf("client 49999")).remaining, 58);
});

Deno.test(
  "SlidingWindowLimiter finds each client again, whoever left before",
  withSeed((random) => {
    // Keys that follow upon each other, as addresses do, and a table that is
    // always as full as it gets.
    for (const maxClients of [1, 2, 1023, 1024]) {
      const { window, at } = windowAt({ limit: 1, maxClients });
      const order: number[] = []; // the longest-quiet first
      for (let i = 0; i < 20_000; i++) {
        at(i / 1000);
        const low = Math.floor(random() * 2 * maxClients);
        const known = order.indexOf(low);
        assertEquals(window.admit({ high: 0, low }).admitted, known < 0);
        if (known >= 0) order.splice(known, 1);
        else if (order.length === maxClients) order.shift();
        order.push(low);
        assertEquals(window.size, order.length);
      }
    }
  }),
);

Deno.test("SlidingWindowLimiter tells keys apart that differ in one half", () => {
  const { window } = windowAt({ limit: 1 });
  const halves = [0, 1, -1, 2 ** 31 - 1, -(2 ** 31)];
  for (const admitted of [true, false]) {
    for (const high of halves) {
      for (const low of halves) {
        assertEquals(window.admit({ high, low }).admitted, admitted);
      }
    }
  }
});
