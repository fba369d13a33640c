import { KvStore } from "../../../middleware/limiters/kv.ts";
import {
  readRedisUrl,
  RedisStore,
} from "../../../middleware/limiters/redis.ts";
import { SharedLimiter } from "../../../middleware/limiters/shared.ts";
import { SlidingWindowLimiter } from "../../../middleware/limiters/sliding_window.ts";
import type { SharedStore } from "../../../middleware/limiters/store.ts";
import { view } from "../../helpers/kv.ts";
import { NO_REDIS_CLOCK, startRedisWithClock } from "../../helpers/redis.ts";
import { type Counts, testLimiter } from "./contract.ts";

const BEGIN = 1_800_000_000_000;

/** Starts limiters on a store, as of several processes, and stops them. */
function processes(
  clock: Counts["clock"],
  storeOf: (limit: number) => SharedStore,
) {
  const limiters: SharedLimiter[] = [];
  return {
    start: async (limit: number) => {
      const limiter = new SharedLimiter({
        limit,
        maxClients: 100_000,
        store: storeOf(limit),
        now: () => clock.now,
        warn: () => {},
      });
      limiters.push(limiter);
      await limiter.start();
      return limiter;
    },
    stop: () => Promise.all(limiters.map((limiter) => limiter.close())),
  };
}

testLimiter({
  name: "SlidingWindowLimiter",
  processes: 1,
  tickMs: 1 / 8,
  open: async () => {
    const clock = { now: BEGIN };
    return {
      clock,
      start: async (limit) =>
        new SlidingWindowLimiter({
          limit,
          maxClients: 100_000,
          now: () => clock.now,
        }),
      [Symbol.asyncDispose]: async () => {},
    };
  },
});

testLimiter({
  name: "SharedLimiter with Redis",
  missing: NO_REDIS_CLOCK,
  processes: 4,
  tickMs: 1 / 8,
  open: async () => {
    const redis = await startRedisWithClock(BEGIN);
    const address = readRedisUrl(redis.url)!;
    const { start, stop } = processes(
      redis.clock,
      (limit) => new RedisStore({ limit, address }),
    );
    return {
      clock: redis.clock,
      start,
      fail: () => redis.signal("SIGKILL"),
      restore: () => redis.restart(),
      [Symbol.asyncDispose]: async () => {
        await stop();
        await redis[Symbol.asyncDispose]();
      },
    };
  },
});

testLimiter({
  name: "SharedLimiter with Deno KV",
  processes: 4,
  tickMs: 1,
  open: async () => {
    let kv = await Deno.openKv(":memory:");
    const clock = { now: BEGIN };
    // The processes share the database, so none of them closes it.
    const { start, stop } = processes(
      clock,
      (limit) =>
        new KvStore({
          limit,
          open: async () => view(kv),
          now: () => clock.now,
        }),
    );
    return {
      clock,
      start,
      fail: () => kv.close(),
      restore: async () => void (kv = await Deno.openKv(":memory:")),
      [Symbol.asyncDispose]: async () => {
        await stop();
        kv.close();
      },
    };
  },
});
