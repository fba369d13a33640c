import { assert, assertEquals } from "@std/assert";
import { setTimeout as pause } from "node:timers/promises";
import { MAX_PENDING_BODIES } from "../routes/api/body.ts";
import { RawConnection } from "./helpers/connection.ts";
import { end, serve, spawn, unless } from "./helpers/program.ts";

/** Connections whose header never ends. */
const HEADERS = 1000;
/** Connections whose body never ends: as many as may be pending, and more. */
const BODIES = MAX_PENDING_BODIES.process;
const EXCESS = 200;
/** The descriptors that the service needs, and that this process needs. */
const DESCRIPTORS = HEADERS + BODIES + EXCESS + 300;

/** The fewest requests of the normal client. */
const REQUESTS = 3000;

/** The first header fields of a request from a client. */
function head(network: number, client: number): string {
  return "POST /api/pwgen/words HTTP/1.1\r\nHost: localhost\r\n" +
    "Content-Type: application/json\r\n" +
    `X-Forwarded-For: 10.${network}.${client >> 8}.${client & 255}\r\n`;
}

/** The limit of open files that this process and its children have. */
async function openFilesLimit(): Promise<number> {
  const { stdout } = await end(spawn("sh", ["-c", "ulimit -n"]));
  return stdout.trim() === "unlimited" ? Infinity : Number(stdout);
}

const isPossible = Deno.build.os !== "windows" &&
  await openFilesLimit() >= DESCRIPTORS;

const withDescriptors = unless(
  isPossible ? "" : `needs ulimit -Hn ${DESCRIPTORS}`,
);
withDescriptors.test("the program serves others while 2,200 clients send one byte per second", async () => {
  const env = { PWGEN_TRUSTED_PROXIES: "loopback" };
  await using service = await serve({ env });
  const { port } = service;
  using clients = new DisposableStack();
  const slow: RawConnection[] = [];
  /** Begins a request on a connection that then sends one byte per second. */
  const begin = async (text: string) => {
    const connection = clients.use(await RawConnection.connect(port));
    await connection.write(text);
    const start = performance.now();
    const response = connection.read().then(({ status, headers }) => ({
      status,
      retryAfter: headers.get("retry-after"),
      seconds: (performance.now() - start) / 1000,
    }));
    slow.push(connection);
    return { response };
  };
  const timer = setInterval(() => {
    for (const connection of slow) connection.write("x").catch(() => {});
  }, 1000);
  clients.defer(() => clearInterval(timer));

  let ended = 0;
  for (let n = 0; n < HEADERS; n++) {
    const { response } = await begin(head(0, n) + "X-Slow: ");
    response.catch(() => {}).finally(() => ended++);
  }
  let isOver = false;
  const normal = (async () => {
    using connection = await RawConnection.connect(port);
    for (let sent = 0; !isOver || sent < REQUESTS; sent++) {
      // Each address sends 50 requests, fewer than the limit.
      const fields = head(3, Math.floor(sent / 50));
      await connection.write(`${fields}Content-Length: 2\r\n\r\n{}`);
      const { status, body } = await connection.read();
      assertEquals(status, 200, body);
      await pause(1); // limits the load
    }
  })();
  try {
    const bodies = [];
    for (let n = 0; n < BODIES + EXCESS; n++) {
      bodies.push(await begin(`${head(1, n)}Content-Length: 16000\r\n\r\n{`));
    }
    const responses = await Promise.all(bodies.map(({ response }) => response));
    const late = responses.filter(({ status }) => status === 408);
    const excess = responses.filter(({ status }) => status === 503);
    assertEquals([late.length, excess.length], [BODIES, EXCESS]);
    assert(late.every(({ seconds }) => seconds > 9.9));
    assert(excess.every(({ seconds }) => seconds < 9.9));
    assert(excess.every(({ retryAfter }) => retryAfter === "10"));
    // Now a body may be pending again.
    using next = await RawConnection.connect(port);
    await next.write(
      `${head(4, 0)}Expect: 100-continue\r\nContent-Length: 2\r\n\r\n`,
    );
    assertEquals((await next.read()).status, 100);
    await next.write("{}");
    assertEquals((await next.read()).status, 200);
  } finally {
    isOver = true;
    await normal.catch(() => {});
  }
  await normal;
  assertEquals(ended, 0, "the slow headers are still pending");
});
