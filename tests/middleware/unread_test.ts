import { assertEquals } from "@std/assert";
import { spy } from "@std/testing/mock";
import {
  get,
  INITIAL_WINDOW_SIZE,
  preface,
  readHeaders,
  send,
} from "../helpers/http2.ts";
import { type Running, serve, until } from "../helpers/program.ts";
import { handlerFor, postInit, service } from "../helpers/service.ts";

/** The limits of a client, an IPv6 /48 and the process. */
const [CLIENT, NETWORK, ALL] = [128, 512, 2048];

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

Deno.test("a client, an IPv6 /48 and all clients have a limit of unread documents, until their connections end", async () => {
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
  // The limit of one client is for all of its connections.
  assertEquals(await open("192.0.2.1", "192.0.2.1"), [CLIENT, 0]);
  const network = [0, 1, 2, 3, 4].map((i) => `2001:db8:1:${i}::1`);
  const sent = await open(...network, "2001:db8:2::1");
  assertEquals(sent, [...Array(NETWORK / CLIENT).fill(CLIENT), 0, CLIENT]);
  assertEquals(await fetchDocument(service), 200);
  const left = ALL - NETWORK - 2 * CLIENT;
  const others = Array.from({ length: 20 }, (_, i) => `192.0.2.${2 + i}`);
  const ofOthers = (await open(...others)).reduce((sum, n) => sum + n);
  assertEquals(ofOthers, left);
  assertEquals(await fetchDocument(service), 503);
  for (const { close } of opened) close();
  await until(async () => await fetchDocument(service) === 200);
});

Deno.test("of the API, the responses to slow requests are limited, before a password is drawn", async () => {
  const { handler } = await service("--rate-limit=1000");
  const info = { completed: new Promise<void>(() => {}) };
  const statusOf = async (body: string, headers = {}) => {
    const init = postInit(body, headers);
    const request = new Request("http://localhost/api/pwgen/words", init);
    const response = await handler(request, "192.0.2.1", info);
    await response.body?.cancel();
    return response.status;
  };
  for (let i = 0; i < CLIENT; i++) {
    assertEquals(await statusOf("{}"), 200);
    const accept = i % 2 === 0 ? "text/plain" : "application/json";
    assertEquals(await statusOf('{"count":1}', { accept }), 200);
  }
  assertEquals(await statusOf("{}"), 200);
  // No password is drawn for a response that is not sent.
  using drawn = spy(crypto, "getRandomValues");
  for (let i = 0; i < 100; i++) {
    assertEquals(await statusOf('{"count":100}'), 503);
  }
  assertEquals(drawn.calls.length, 0);
});

Deno.test("unread responses never hide /metrics, and an unknown path is a document", async () => {
  for (const [flag, last] of [["off", 503], ["on", 200]] as const) {
    const handler = await handlerFor([`--metrics=${flag}`]);
    const info = { completed: new Promise<void>(() => {}) };
    let status = 0;
    for (let i = 0; i <= CLIENT; i++) {
      const request = new Request("http://localhost/metrics");
      ({ status } = await handler(request, "192.0.2.1", info));
    }
    assertEquals(status, last, flag);
  }
});
