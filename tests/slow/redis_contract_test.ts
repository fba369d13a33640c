import { assertEquals } from "@std/assert";
import { redisStore } from "../../middleware/limiters/redis.ts";
import { readRedisUrl } from "../../middleware/limiters/redis_url.ts";
import { SharedLimiter } from "../../middleware/limiters/shared.ts";
import { HANG_MS, unless, until } from "../helpers/program.ts";
import { NO_REDIS_CLOCK, startRedisWithClock } from "../helpers/redis.ts";
import { clockFrom2027, testShared } from "../middleware/limiters/contract.ts";

testShared("Redis", 1 / 8, async () => {
  const redis = await startRedisWithClock(clockFrom2027().now);
  const address = readRedisUrl(redis.url)!;
  return {
    ...redis,
    use: () => redisStore(address),
    fail: () => redis.signal("SIGKILL"),
  };
}, NO_REDIS_CLOCK);

unless(NO_REDIS_CLOCK).test(
  "a clock of Redis that jumps by a minute resets the store, but not the processes",
  async () => {
    const limit = 10;
    await using redis = await startRedisWithClock(clockFrom2027().now);
    const address = readRedisUrl(redis.url)!;
    const admit = async (limiter: SharedLimiter, client: string) => {
      const decisions = await Promise.all(
        Array.from({ length: 2 * limit }, () => limiter.admit(client)),
      );
      return decisions.filter(({ admitted }) => admitted).length;
    };
    await using stack = new AsyncDisposableStack();
    const connect = async () => {
      const limiter = new SharedLimiter({
        limit,
        maxClients: 100,
        now: () => 0,
        warn: () => {},
        // On a busy machine a decision can be later than the deadline.
        store: { ...redisStore(address), deadlineMs: HANG_MS },
      });
      stack.defer(() => limiter.close());
      await limiter.start();
      await until(() => limiter.isConnected);
      return limiter;
    };
    const first = await connect();
    const second = await connect();
    const third = await connect();
    for (const jump of [60_000, -60_000]) {
      const client = String(jump);
      assertEquals(await admit(first, client), limit);
      redis.clock.now += jump;
      assertEquals(await admit(first, client), 0);
      assertEquals(await admit(second, client), limit);
      assertEquals(await admit(third, client), 0);
    }
  },
);
