import { redisStore } from "../../middleware/limiters/redis.ts";
import { readRedisUrl } from "../../middleware/limiters/redis_url.ts";
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
