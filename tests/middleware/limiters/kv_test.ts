import { assertEquals, assertMatch, assertRejects } from "@std/assert";
import { kvStore } from "../../../middleware/limiters/kv.ts";
import {
  type SharedStore,
  StoreError,
} from "../../../middleware/limiters/shared.ts";
import { view } from "../../helpers/kv.ts";

/** Connects for ever; the result decides about requests of a client. */
async function connect(store: SharedStore) {
  const decide = await store.connect(new AbortController().signal, () => {});
  return (key: string) => decide(key, 60, 60_000);
}

Deno.test("kvStore() writes a keyed hash instead of an address, which expires", async () => {
  using kv = await Deno.openKv(":memory:");
  const expiries: unknown[] = [];
  const atomic = () => {
    const operation = kv.atomic();
    const set = operation.set.bind(operation);
    operation.set = (key, value, options) => {
      if (key[1] === "times") expiries.push(options);
      return set(key, value, options);
    };
    return operation;
  };
  const admit = await connect(kvStore(async () => view(kv, { atomic })));
  await admit(`-1:${0xc000024d | 0}`);
  await admit(`${0x20010db8}:${0x00010002}`);
  const names: string[] = [];
  for await (const { key } of kv.list({ prefix: ["pwgen"] })) {
    names.push(String(key[1]));
    if (key[1] === "times") assertMatch(String(key[2]), /^[\da-f]{32}$/);
  }
  assertEquals(names, ["secret", "times", "times", "try"]);
  assertEquals(expiries, [{ expireIn: 60_000 }, { expireIn: 60_000 }]);
});

Deno.test("kvStore() with clocks 5 s apart admits requests 5 s early at most", async () => {
  using kv = await Deno.openKv(":memory:");
  let now = 1_000_000_000_000;
  const open = async () => view(kv);
  const behind = await connect(kvStore(open, () => now));
  const ahead = await connect(kvStore(open, () => now + 5000));
  /** Sends requests at once; returns how many are admitted. */
  const admit = async (decide: typeof ahead, count: number) => {
    const decisions = await Promise.all(
      Array.from({ length: count }, () => decide("x")),
    );
    return decisions.filter(({ admitted }) => admitted).length;
  };
  assertEquals(await admit(behind, 61), 60);
  now += 54_999;
  assertEquals(await admit(ahead, 61), 0);
  now += 1;
  // 55 s later by a correct clock, which is the worst case.
  assertEquals(await admit(ahead, 61), 60);
  // For the clock behind, these requests leave after 65 s.
  now += 64_999;
  assertEquals(await admit(behind, 61), 0);
  now += 1;
  assertEquals(await admit(behind, 61), 60);
  // Both processes admit requests in one window.
  now += 120_000;
  assertEquals(await admit(ahead, 30), 30);
  assertEquals(await admit(behind, 61), 30);
  assertEquals(await admit(ahead, 61), 0);
});

Deno.test("the signal of kvStore() closes the database, also one that opens later", async () => {
  using kv = await Deno.openKv(":memory:");
  for (const isLate of [false, true]) {
    let closed = 0;
    const opening = Promise.withResolvers<Deno.Kv>();
    const closing = new AbortController();
    const connecting = kvStore(() => opening.promise)
      .connect(closing.signal, () => {});
    if (isLate) closing.abort();
    opening.resolve(view(kv, { close: () => closed++ }));
    await connecting;
    closing.abort();
    assertEquals(closed, 1);
  }
});

Deno.test("connect() of kvStore() throws a StoreError if the database does not open, or can only be read", async () => {
  using kv = await Deno.openKv(":memory:");
  const fail = () => Promise.reject(new TypeError("disk full"));
  const forbidden = new Deno.errors.NotCapable("x");
  const cases: [() => Promise<Deno.Kv>, string, boolean][] = [
    [fail, "TypeError", false],
    [async () => view(kv, { set: fail }), "TypeError", false],
    [() => Promise.reject(forbidden), "no permission from Deno", true],
  ];
  for (const [open, message, permanent] of cases) {
    const error = await assertRejects(
      () => connect(kvStore(open)),
      StoreError,
      message,
    );
    assertEquals(error.permanent, permanent, message);
  }
});
