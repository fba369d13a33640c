import { assert, assertEquals, assertMatch } from "@std/assert";
import { spy } from "@std/testing/mock";
import { InFlight } from "../../http/in_flight.ts";
import { clientOf } from "../../middleware/client.ts";
import { MAX_UNREAD } from "../../middleware/unread.ts";
import {
  get,
  INITIAL_WINDOW_SIZE,
  preface,
  readHeaders,
  send,
} from "../helpers/http2.ts";
import { ROOT, type Running, serve, until } from "../helpers/program.ts";
import { handlerFor, postInit, service } from "../helpers/service.ts";

/** What unread responses may take, in bytes. */
const LIMITS = {
  client: 1_500_000,
  network: 3_000_000,
  neighbour: 200_000,
  process: 12_000_000,
};

/** How many responses with a body of so many bytes reach a limit. */
const upTo = (limit: keyof typeof LIMITS, bytes: number) =>
  Math.ceil(LIMITS[limit] / (8000 + 2 * bytes));

/**
 * Requests a document in many streams whose window is 0, and reads no body. (The
 * client of node:http2 fails if it closes with so many open streams.)
 */
async function openUnread(
  service: Running,
  streams: number,
  client: string,
): Promise<{ sent: number; close: () => void }> {
  const connection = await send(service, [
    ...preface([0, INITIAL_WINDOW_SIZE, 0, 0, 0, 0]),
    ...Array.from(
      { length: streams },
      (_, i) => get(2 * i + 1, "/openapi/v1.json", { isSecure: false, client }),
    ).flat(),
  ]);
  const sent = await readHeaders(connection, streams);
  return { sent, close: () => connection.close() };
}

/** Requests the document as a client that reads it. */
async function fetchDocument({ url }: Running) {
  const headers = { "x-forwarded-for": "192.0.2.99" };
  const response = await fetch(`${url}/openapi/v1.json`, { headers });
  return { status: response.status, bytes: (await response.bytes()).length };
}

Deno.test("a client, an IPv6 /48 and all clients have a limit of unread bytes, until their connections end; a neighbour has a part", async () => {
  const env = { PWGEN_TRUSTED_PROXIES: "loopback" };
  await using service = await serve({ env });
  const opened: Awaited<ReturnType<typeof openUnread>>[] = [];
  /** Returns how many of 200 documents are sent to each client. */
  const open = async (...clients: string[]) => {
    const sent: number[] = [];
    for (const client of clients) {
      opened.push(await openUnread(service, 200, client));
      sent.push(opened.at(-1)!.sent);
    }
    return sent;
  };
  const { bytes } = await fetchDocument(service);
  const ofClient = upTo("client", bytes);
  // The limit of one client is for all of its connections.
  assertEquals(await open("192.0.2.1", "192.0.2.1"), [ofClient, 0]);
  const network = (i: number) => `2001:db8:1:${i}::1`;
  const rest = upTo("network", bytes) - ofClient;
  const ofNeighbour = upTo("neighbour", bytes);
  assertEquals(
    await open(...[0, 1, 2, 3].map(network), "2001:db8:2::1"),
    [ofClient, rest, ofNeighbour, ofNeighbour, ofClient],
  );
  assertEquals((await fetchDocument(service)).status, 200);
  const others = Array.from({ length: 20 }, (_, i) => `192.0.2.${2 + i}`);
  await open(...others);
  const all = opened.reduce((sum, { sent }) => sum + sent, 0);
  assertEquals(all, upTo("process", bytes));
  assertEquals(await open(network(4)), [0]);
  assertEquals((await fetchDocument(service)).status, 503);
  for (const { close } of opened) close();
  await until(async () => (await fetchDocument(service)).status === 200);
});

Deno.test("as few networks and addresses as SECURITY.md says take all that clients may leave unread", async () => {
  const text = await Deno.readTextFile(`${ROOT}SECURITY.md`);
  assertMatch(text, /Three IPv6 \/48 networks or 8 IPv4 addresses/);
  const countUntilFull = (addressesOf: (one: number) => string[]) => {
    const unread = new InFlight(MAX_UNREAD);
    let count = 0;
    for (; unread.size < MAX_UNREAD.process; count++) {
      for (const address of addressesOf(count)) {
        while (unread.take(clientOf(address, null), 8000));
      }
    }
    return count;
  };
  const subnets = Array.from({ length: 100 }, (_, i) => i);
  const network = (one: number) =>
    subnets.map((i) => `2001:db8:${one}:${i}::1`);
  assertEquals(countUntilFull(network), 3);
  assertEquals(countUntilFull((one) => [`192.0.2.${one}`]), 8);
});

Deno.test("of the API, only lists count as unread, and no password is drawn for one that has no place", async () => {
  const { handler } = await service("--rate-limit=1000");
  const info = { completed: new Promise<void>(() => {}) };
  const statusOf = async (body: string, headers = {}) => {
    const init = postInit(body, headers);
    const request = new Request("http://localhost/api/pwgen/words", init);
    const response = await handler(request, "192.0.2.1", info);
    await response.body?.cancel();
    return response.status;
  };
  const most = upTo("client", 0);
  let lists = 0;
  for (let i = 0; lists <= most; i++) {
    // A single password does not count.
    assertEquals(await statusOf('{"maximumLength":30,"count":0}'), 200);
    const accept = i % 2 === 0 ? "text/plain" : "application/json";
    if (await statusOf('{"Count":1}', { accept }) === 503) break;
    lists++;
  }
  assert(lists > 0.95 * most && lists <= most, `${lists}`);
  using drawn = spy(crypto, "getRandomValues");
  for (let i = 0; i < 100; i++) {
    assertEquals(await statusOf('{"count":100}'), 503);
  }
  assertEquals(drawn.calls.length, 0);
});

Deno.test("unread responses never hide /metrics and /healthz, and an unknown path is a document", async () => {
  const cases = [
    ["off", "metrics", 503],
    ["on", "metrics", 200],
    ["on", "healthz", 200],
  ] as const;
  for (const [flag, path, last] of cases) {
    const handler = await handlerFor([`--metrics=${flag}`]);
    const info = { completed: new Promise<void>(() => {}) };
    let status = 0;
    for (let i = 0; i <= upTo("client", 0); i++) {
      const request = new Request(`http://localhost/${path}`);
      ({ status } = await handler(request, "192.0.2.1", info));
    }
    assertEquals(status, last, `${flag} ${path}`);
  }
});
