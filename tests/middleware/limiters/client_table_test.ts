import { assert, assertEquals } from "@std/assert";
import {
  ClientTable,
  NONE,
} from "../../../middleware/limiters/client_table.ts";
import type { ClientKey } from "../../../middleware/limiters/sliding_window.ts";
import { withSeed } from "../../helpers/random.ts";

/** A client in the model. */
interface ModelClient {
  readonly client: number;
  lastSeen: number;
  readonly timestamps: number[];
}

/**
 * Keys that are hard to tell apart, for an index from 4. Half of them have the same low half, the
 * others the same high half. An even index and the next one always collide: their
 * keys differ in both top bits, and the hash multiplies each half by an odd
 * factor, so that it differs by 2^31 + 2^31, which is 0 modulo 2^32.
 */
function keyAt(index: number): ClientKey {
  const topBit = index << 31;
  const half = (index >> 2) ^ topBit;
  return (index & 2) === 0
    ? { high: topBit, low: half }
    : { high: half, low: topBit };
}

Deno.test(
  "ClientTable agrees with a Map, whatever the order of operations",
  withSeed((random) => {
    const below = (limit: number) => Math.floor(random() * limit);
    const table = new ClientTable();
    const model = new Map<number, ModelClient>(); // least recently seen first
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

    for (let phase = 0; phase < 25; phase++) {
      // A new table has room for 1,024 clients.
      const most = 1 + below(4000);
      for (let i = 0; i < 5000; i++) {
        now += random();
        if (model.size > most) removeLeastRecent();
        const index = 4 + below(6000);
        const key = keyAt(index);
        let entry = model.get(index);
        assertEquals(table.find(key), entry?.client ?? NONE);
        if (entry === undefined) {
          entry = { client: table.insert(key), lastSeen: now, timestamps: [] };
          touch(index, entry);
          peak = Math.max(peak, model.size);
          assert(entry.client < peak, "a free record was not used again");
        } else if (random() < 0.3) {
          touch(index, entry);
        } else if (random() < 0.5) {
          for (let pushes = below(12); pushes > 0; pushes--) {
            table.push(entry.client, now);
            entry.timestamps.push(now++);
          }
        } else {
          for (
            let rest = below(entry.timestamps.length + 1);
            rest > 0;
            rest--
          ) {
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
  }),
);
