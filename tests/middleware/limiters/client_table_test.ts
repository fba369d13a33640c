import { assert, assertEquals } from "@std/assert";
import {
  ClientTable,
  NONE,
} from "../../../middleware/limiters/client_table.ts";
import type { ClientKey } from "../../../middleware/limiters/sliding_window.ts";
import { withRandom } from "../../helpers/random.ts";

/** A client in the model. */
interface ModelClient {
  readonly client: number;
  lastSeen: number;
  readonly timestamps: number[];
}

/**
 * Keys of which many collide, and many differ in one half only. The hash is a sum
 * of both halves, each multiplied by an odd factor. Multiples of 2^29 change only
 * its three top bits: 64 keys have 8 hashes, whatever the factors.
 */
function keyAt(index: number): ClientKey {
  const high = index << 29;
  const low = index >> 3 << 29;
  const rest = (index >> 7) ** 2;
  return (index & 64) === 0
    ? { high: high ^ rest, low }
    : { high, low: low ^ rest };
}

/** Compares a new table with a Map after every operation. */
function compare(below: (limit: number) => number): void {
  const table = new ClientTable();
  const model = new Map<number, ModelClient>(); // least recently seen first
  const first = 128 * (1 + below(10_000));
  let [now, peak] = [0, 0];

  const touch = (index: number, entry: ModelClient) => {
    table.touch(entry.client, now);
    entry.lastSeen = now;
    model.delete(index);
    model.set(index, entry);
  };
  const removeLeastRecent = () => {
    const [index, { client }] = model.entries().next().value!;
    assertEquals(table.leastRecent, client);
    table.removeLeastRecent();
    model.delete(index);
    assertEquals(table.find(keyAt(index)), NONE);
  };

  // The table is full with 1,024 clients. Then it is full again with 2,048.
  for (const maxClients of [1024, 1, 2048, 1 + below(4096)]) {
    while (model.size > maxClients) removeLeastRecent();
    for (let i = 0; i < 5000 + 2 * maxClients; i++) {
      now++;
      const index = first + below(2 * maxClients);
      const key = keyAt(index);
      let entry = model.get(index);
      assertEquals(table.find(key), entry?.client ?? NONE);
      if (entry === undefined) {
        if (model.size === maxClients) removeLeastRecent();
        entry = { client: table.insert(key), lastSeen: now, timestamps: [] };
        touch(index, entry);
        peak = Math.max(peak, model.size);
        assert(entry.client < peak, "a free record was not used again");
      } else if (below(3) === 0) {
        touch(index, entry);
      } else if (below(2) === 0) {
        for (let pushes = below(12); pushes > 0; pushes--) {
          table.push(entry.client, now);
          entry.timestamps.push(now++);
        }
      } else {
        for (let rest = below(entry.timestamps.length + 1); rest > 0; rest--) {
          table.removeOldest(entry.client);
          entry.timestamps.shift();
        }
      }

      const { client, lastSeen, timestamps } = entry;
      assertEquals(table.find(key), client);
      assertEquals(table.size, model.size);
      assertEquals(table.lastSeen(client), lastSeen);
      assertEquals(table.count(client), timestamps.length);
      if (timestamps.length > 0) {
        assertEquals(table.oldest(client), timestamps[0]);
      }
    }
    assertEquals(table.mostRecent, [...model.values()].at(-1)!.client);
  }
  while (model.size > 0) removeLeastRecent();
  assertEquals(
    [table.size, table.leastRecent, table.mostRecent],
    [0, NONE, NONE],
  );
}

withRandom.test("ClientTable agrees with a Map, whatever the order of operations", (random) => {
  for (let i = 0; i < 10; i++) {
    compare((limit) => Math.floor(random() * limit));
  }
});
