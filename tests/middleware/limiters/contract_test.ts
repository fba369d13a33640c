import { kvStore } from "../../../middleware/limiters/kv.ts";
import { SlidingWindowLimiter } from "../../../middleware/limiters/sliding_window.ts";
import { view } from "../../helpers/kv.ts";
import {
  clockFrom2027,
  maxClients,
  testLimiter,
  testShared,
} from "./contract.ts";

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
