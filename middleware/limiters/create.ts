import type { RedisAddress } from "./redis_url.ts";
import type { SharedLimiter, SharedLimiterOptions } from "./shared.ts";

/**
 * Makes the rate limiter that counts in a store of several processes. It is not
 * connected yet. The code of a store is loaded only if the store is used, so that
 * the other processes start without it.
 *
 * @param store Deno KV, or the address of a Redis server
 * @param options the limits and the log
 * @returns the limiter
 *
 * @example
 * ```ts
 * import { createSharedLimiter } from "./create.ts";
 * import { assert } from "@std/assert";
 *
 * const limiter = await createSharedLimiter("kv", {
 *   limit: 60,
 *   maxClients: 250_000,
 *   warn: () => {},
 * });
 * assert(!limiter.isConnected);
 * ```
 */
export async function createSharedLimiter(
  store: "kv" | RedisAddress,
  options: Omit<SharedLimiterOptions, "store">,
): Promise<SharedLimiter> {
  const { limit } = options;
  const { SharedLimiter } = await import("./shared.ts");
  if (store === "kv") {
    const { KvStore } = await import("./kv.ts");
    const open = () => Deno.openKv();
    return new SharedLimiter({
      ...options,
      store: new KvStore({ limit, open }),
    });
  }
  const { RedisStore } = await import("./redis.ts");
  return new SharedLimiter({
    ...options,
    store: new RedisStore({ limit, address: store }),
  });
}
