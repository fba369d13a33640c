import { assertEquals } from "@std/assert";
import { clientOf } from "../../middleware/client.ts";
import { InFlight } from "../../routes/in_flight.ts";
import { withRandom } from "../helpers/random.ts";

withRandom.test("InFlight refuses at a limit only, and nothing is left of what is given back", (random) => {
  const limit = { process: 30, network: 12, client: 5 };
  const inFlight = new InFlight(limit);
  const clients = [
    ...Array.from({ length: 6 }, (_, i) => `192.0.2.${i}`),
    ...Array.from({ length: 6 }, (_, i) => `2001:db8:1:${i}::1`),
    ...Array.from({ length: 6 }, (_, i) => `2001:db8:${i}::1`),
  ].map((address) => clientOf(address, null));
  // The second program keeps a list of what is held, and counts it each time.
  const held: { client: typeof clients[number]; place: Disposable }[] = [];
  const count = (isCounted: (client: typeof clients[number]) => boolean) =>
    held.filter(({ client }) => isCounted(client)).length;
  const takeOrGiveBack = (share: number) => {
    if (random() < share) {
      const client = clients[Math.floor(random() * clients.length)]!;
      const { key, network } = client;
      const isFull = held.length >= limit.process ||
        count((other) => other.key === key) >= limit.client ||
        (network !== undefined &&
          count((other) => other.network === network) >= limit.network);
      const place = inFlight.take(client);
      assertEquals(place === undefined, isFull);
      if (place) held.push({ client, place });
    } else if (held.length > 0) {
      const at = Math.floor(random() * held.length);
      const [{ place }] = held.splice(at, 1) as [typeof held[number]];
      place[Symbol.dispose]();
    }
    assertEquals(inFlight.size, held.length);
  };
  for (let i = 0; i < 20_000; i++) takeOrGiveBack(i % 1000 < 500 ? 0.8 : 0.2);
  for (const { place } of held) place[Symbol.dispose]();
  assertEquals(inFlight.size, 0);
  // Nothing is left of any client.
  for (const client of clients.slice(0, 6)) {
    for (let i = 0; i < limit.client; i++) {
      assertEquals(inFlight.take(client) !== undefined, true);
    }
  }
});
