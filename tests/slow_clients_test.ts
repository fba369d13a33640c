import { assert, assertEquals, assertMatch } from "@std/assert";
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

/** A connection that sends one byte per second, and its response. */
class SlowClient {
  readonly #connection: RawConnection;
  readonly #start = performance.now();
  response: { status: number; head: string; seconds: number } | undefined;
  isClosed = false;
  /** Settles at the response, or when the connection is closed. */
  readonly ended: Promise<void>;

  private constructor(connection: RawConnection) {
    this.#connection = connection;
    this.ended = connection.read().then(
      ({ status, head }) => {
        const seconds = (performance.now() - this.#start) / 1000;
        this.response = { status, head, seconds };
      },
      () => void (this.isClosed = true),
    );
  }

  static async connect(port: number, text: string): Promise<SlowClient> {
    const connection = await RawConnection.connect(port);
    await connection.write(text);
    return new SlowClient(connection);
  }

  async sendByte(): Promise<void> {
    if (this.response || this.isClosed) return;
    await this.#connection.write("x").catch(() => {});
  }

  [Symbol.dispose](): void {
    this.#connection[Symbol.dispose]();
  }
}

/** Sends a byte per second on each connection, spread over the second. */
function sendSlowly(clients: SlowClient[]): Disposable {
  let tick = 0;
  const timer = setInterval(() => {
    tick = (tick + 1) % 100;
    for (let i = tick; i < clients.length; i += 100) clients[i]!.sendByte();
  }, 10);
  return { [Symbol.dispose]: () => clearInterval(timer) };
}

/**
 * Sends one request after another on one connection.
 *
 * @param isOver ends it, after `REQUESTS` requests at least
 */
async function normalClient(
  port: number,
  isOver: () => boolean,
): Promise<void> {
  using connection = await RawConnection.connect(port);
  for (let sent = 0; !isOver() || sent < REQUESTS; sent++) {
    // Each address sends 50 requests, fewer than the limit.
    const fields = head(3, Math.floor(sent / 50));
    await connection.write(`${fields}Content-Length: 2\r\n\r\n{}`);
    const { status, body } = await connection.read();
    assertEquals(status, 200, body);
    await pause(1); // limits the load
  }
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
  const slow: SlowClient[] = [];
  using _sending = sendSlowly(slow);
  const connect = async (count: number, text: (n: number) => string) => {
    const first = slow.length;
    for (let n = 0; n < count; n++) {
      slow.push(clients.use(await SlowClient.connect(port, text(n))));
    }
    return slow.slice(first);
  };
  const headers = await connect(HEADERS, (n) => head(0, n) + "X-Slow: ");
  let isOver = false;
  const normal = normalClient(port, () => isOver);
  try {
    const endless = (n: number) =>
      head(1, n) + "Content-Length: 16000\r\n\r\n{";
    const bodies = await connect(BODIES + EXCESS, endless);
    await Promise.all(bodies.map(({ ended }) => ended));
    const responses = bodies.map(({ response }) => response);
    assert(responses.every((response) => response !== undefined));
    const late = responses.filter(({ status }) => status === 408);
    const excess = responses.filter(({ status }) => status === 503);
    assertEquals([late.length, excess.length], [BODIES, EXCESS]);
    for (const { seconds } of late) {
      assert(seconds > 9.9, `408 after ${seconds} s`);
    }
    for (const { seconds, head } of excess) {
      assert(seconds < 9.9, `503 after ${seconds} s`);
      assertMatch(head, /\r\nretry-after: 10(\r\n|$)/i);
    }
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
  // The slow headers were still pending at the end.
  assert(headers.every(({ response, isClosed }) => !response && !isClosed));
});
