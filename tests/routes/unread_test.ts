import { assert, assertEquals } from "@std/assert";
import { spy } from "@std/testing/mock";
import { clientOf } from "../../middleware/client.ts";
import { InFlight } from "../../routes/in_flight.ts";
import { limitUnread, MAX_UNREAD } from "../../routes/unread.ts";
import {
  get,
  INITIAL_WINDOW_SIZE,
  preface,
  readHeaders,
  send,
} from "../helpers/http2.ts";
import { type Running, serve, until } from "../helpers/program.ts";
import { handlerFor, service } from "../helpers/service.ts";
import { PAGE } from "../../routes/site/page/mod.ts";

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

/** Requests the document as a client that reads it; returns the status. */
async function fetchDocument({ url }: Running): Promise<number> {
  const headers = { "x-forwarded-for": "192.0.2.99" };
  const response = await fetch(`${url}/openapi/v1.json`, { headers });
  await response.body?.cancel();
  return response.status;
}

Deno.test("limitUnread() limits the unread documents of a client and of an IPv6 /48", async () => {
  const unread = new InFlight(MAX_UNREAD);
  const document = limitUnread(unread, async () => new Response("a"));
  /** Requests documents and does not read them; returns how many are sent. */
  const open = async (peer: string, count: number) => {
    const before = unread.size;
    for (let i = 0; i < count; i++) {
      const info = { completed: new Promise<void>(() => {}) };
      const request = new Request("http://localhost/");
      const client = clientOf(peer, null);
      const { status } = await document(request, { path: "/", client, info });
      assertEquals(status, unread.size > before + i ? 200 : 503);
    }
    return unread.size - before;
  };
  assertEquals(await open("192.0.2.1", 130), 128);
  assertEquals(await open("192.0.2.2", 130), 128);
  for (let i = 0; i < 5; i++) {
    assertEquals(await open(`2001:db8:1:${i}::1`, 130), i < 4 ? 128 : 0);
  }
  assertEquals(await open("2001:db8:2::1", 130), 128);
  // Ten people behind one address can load the page at once.
  assert(10 * Object.keys(PAGE).length <= MAX_UNREAD.client);
});

Deno.test("limitUnread() counts the responses to requests that take long, before a password is drawn, and no others of the API", async () => {
  const { handler } = await service("--rate-limit=1000", "--metrics=on");
  const info = { completed: new Promise<void>(() => {}) };
  const request = async (method: string, body: string | null, accept = "") => {
    const response = await handler(
      new Request("http://localhost/api/pwgen/words", {
        method,
        headers: { "content-type": "application/json", accept },
        body,
      }),
      "192.0.2.1",
      info,
    );
    await response.body?.cancel();
    return response.status;
  };
  for (let i = 0; i < MAX_UNREAD.client; i++) {
    assertEquals(await request("POST", "{}"), 200);
    const accept = i % 2 === 0 ? "text/plain" : "application/json";
    assertEquals(await request("POST", '{"count":1}', accept), 200);
  }
  assertEquals(await request("POST", "{}"), 200);
  {
    // No password is drawn for a response that is not sent.
    using drawn = spy(crypto, "getRandomValues");
    for (let i = 0; i < 100; i++) {
      assertEquals(await request("POST", '{"count":100}'), 503);
    }
    assertEquals(drawn.calls.length, 0);
  }
  assertEquals(await request("OPTIONS", null), 204);
});

Deno.test("limitUnread() bounds the unread responses of a process, until their connections end", async () => {
  const env = { PWGEN_TRUSTED_PROXIES: "loopback" };
  await using service = await serve({ env });
  // The limit of one client is for all of its connections.
  const one = await openUnread(service, 200, "192.0.2.1");
  const again = await openUnread(service, 200, "192.0.2.1");
  assertEquals([one.sent, again.sent], [MAX_UNREAD.client, 0]);
  assertEquals(await fetchDocument(service), 200);

  // The limit of the process is for all clients.
  const others = [];
  for (let i = 2; i < 22; i++) {
    others.push(await openUnread(service, 200, `192.0.2.${i}`));
  }
  const sent = others.reduce((sum, { sent }) => sum + sent, one.sent);
  assertEquals(sent, MAX_UNREAD.process);
  assertEquals(await fetchDocument(service), 503);

  // After the connections have ended, the document is served again.
  [one, again, ...others].forEach(({ close }) => close());
  await until(async () => await fetchDocument(service) === 200);
});

Deno.test("limitUnread() leaves out /metrics only where it exists", async () => {
  for (const [flag, last] of [["off", 503], ["on", 200]] as const) {
    const handler = await handlerFor([`--metrics=${flag}`]);
    const info = { completed: new Promise<void>(() => {}) };
    let status = 0;
    for (let i = 0; i <= MAX_UNREAD.client; i++) {
      const request = new Request("http://localhost/metrics");
      ({ status } = await handler(request, "192.0.2.1", info));
    }
    assertEquals(status, last, flag);
  }
});
