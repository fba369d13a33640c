import { kvStore } from "../../../middleware/limiters/kv.ts";
import { redisStore } from "../../../middleware/limiters/redis.ts";
import { readRedisUrl } from "../../../middleware/limiters/redis_url.ts";
import {
  SharedLimiter,
  type SharedStore,
} from "../../../middleware/limiters/shared.ts";
import { SlidingWindowLimiter } from "../../../middleware/limiters/sliding_window.ts";
import { view } from "../../helpers/kv.ts";
import { NO_REDIS_CLOCK, startRedisWithClock } from "../../helpers/redis.ts";
import { type Counts, testLimiter } from "./contract.ts";

const maxClients = 100_000;
const clockFrom2027 = () => ({ now: 1_800_000_000_000 });

/** A server or a database, and how a process uses it. */
interface Store extends Omit<Counts, "start"> {
  use(): SharedStore;
}

/** Tests SharedLimiter with a store of four processes. */
function testShared(
  name: string,
  tickMs: number,
  open: () => Promise<Store>,
  missing = "",
): void {
  testLimiter({
    name: `SharedLimiter with ${name}`,
    missing,
    processes: 4,
    tickMs,
    open: async () => {
      const stack = new AsyncDisposableStack();
      const store = stack.use(await open());
      const now = () => store.clock.now;
      const start = async (limit: number) => {
        const options = { limit, maxClients, now, warn: () => {} };
        // On a busy machine a store can be later than its own deadline.
        const shared = { ...store.use(), deadlineMs: 60_000 };
        const limiter = new SharedLimiter({ ...options, store: shared });
        stack.defer(() => limiter.close());
        await limiter.start();
        return limiter;
      };
      const dispose = () => stack.disposeAsync();
      return { ...store, start, [Symbol.asyncDispose]: dispose };
    },
  });
}

testLimiter({
  name: "SlidingWindowLimiter",
  processes: 1,
  tickMs: 1 / 8,
  open: async () => {
    const clock = clockFrom2027();
    const now = () => clock.now;
    const start = async (limit: number) =>
      new SlidingWindowLimiter({ limit, maxClients, now });
    return { clock, start, [Symbol.asyncDispose]: async () => {} };
  },
});

testShared("Redis", 1 / 8, async () => {
  const redis = await startRedisWithClock(clockFrom2027().now);
  const address = readRedisUrl(redis.url)!;
  return {
    ...redis,
    use: () => redisStore(address),
    fail: () => redis.signal("SIGKILL"),
  };
}, NO_REDIS_CLOCK);

testShared("Deno KV", 1, async () => {
  let kv = await Deno.openKv(":memory:");
  const clock = clockFrom2027();
  const now = () => clock.now;
  const open = async () => view(kv);
  return {
    clock,
    use: () => kvStore(open, now),
    fail: () => kv.close(),
    restart: async () => void (kv = await Deno.openKv(":memory:")),
    [Symbol.asyncDispose]: async () => kv.close(),
  };
});
