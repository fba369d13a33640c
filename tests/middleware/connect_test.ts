import { assertEquals } from "@std/assert";
import http2 from "node:http2";
import { ignoreClosed, RawConnection } from "../helpers/connection.ts";
import { fetchHttp2 } from "../helpers/http2.ts";
import { assertRemaining, type Running, serve } from "../helpers/program.ts";

const HOST = "Host: localhost\r\n";
/** A request that a client hides in the body of another one. */
const SMUGGLED = `POST /api/pwgen/words HTTP/1.1\r\n${HOST}` +
  "Content-Type: application/json\r\nContent-Length: 2\r\n" +
  "Connection: close\r\n\r\n{}";
const ANNOUNCED = `Content-Length: ${SMUGGLED.length}\r\n`;
/** A CONNECT request whose body does not follow. */
const CONNECT = `CONNECT a:1 HTTP/1.1\r\n${HOST}${ANNOUNCED}\r\n`;

/**
 * Sends a request, and another one after the response has begun; returns the status
 * codes of all responses until the connection ends.
 */
async function statuses(
  { port }: Running,
  request: string,
  next: string,
): Promise<number[]> {
  using connection = await RawConnection.connect(port);
  await connection.write(request);
  await connection.readHead();
  await connection.write(next).catch(ignoreClosed);
  const received = await connection.readToEnd();
  return Array.from(
    received.matchAll(/HTTP\/1\.1 (\d+) /g),
    ([, status]) => Number(status),
  ).filter((status) => status !== 100);
}

Deno.test("after CONNECT the connection ends, so that its body is no request", async () => {
  await using service = await serve();
  const shapes = {
    "without Host": CONNECT.replace(HOST, ""),
    "with Host": CONNECT,
    "without a body": CONNECT.replace(ANNOUNCED, ""),
    chunked: CONNECT.replace(ANNOUNCED, "Transfer-Encoding: chunked\r\n"),
    "Expect": CONNECT.replace(HOST, `${HOST}Expect: 100-continue\r\n`),
  };
  for (const [name, request] of Object.entries(shapes)) {
    assertEquals(await statuses(service, request, SMUGGLED), [405], name);
  }
  for (let i = 0; i < 50; i++) {
    // A connection that closes before it has read the body may lose the response.
    const answered = await statuses(service, CONNECT + SMUGGLED, SMUGGLED);
    assertEquals(answered, answered.length > 0 ? [405] : []);
  }

  // None of them was a request to the API.
  await assertRemaining(service, 59);
});

Deno.test("CONNECT over the request budget ends the connection too", async () => {
  await using service = await serve();
  using spending = await RawConnection.connect(service.port);
  const get = `GET /unknown HTTP/1.1\r\n${HOST}`;
  await spending.write(
    `${get}\r\n`.repeat(599) + `${get}Connection: close\r\n\r\n`,
  );
  await spending.readToEnd();
  assertEquals(await statuses(service, CONNECT, SMUGGLED), [429]);
  await assertRemaining(service, 59);
});

Deno.test("over HTTP/2 CONNECT ends its stream only", async () => {
  await using service = await serve();
  const session = http2.connect(service.url);
  for (const method of ["CONNECT", "GET", "CONNECT", "GET"]) {
    const target = method === "GET"
      ? { ":path": "/healthz" }
      : { ":authority": "a:1" };
    const fields = { ":method": method, ...target };
    const body = method === "GET" ? undefined : SMUGGLED;
    const { status } = await fetchHttp2(session, fields, body);
    assertEquals(status, method === "GET" ? 200 : 405);
  }
  session.destroy();
});
