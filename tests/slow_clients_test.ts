import { assert, assertEquals, assertMatch } from "@std/assert";
import { MAX_PENDING_BODIES } from "../routes/api/body.ts";
import { RawConnection } from "./helpers/connection.ts";
import { serve } from "./helpers/program.ts";
import { quantile } from "./helpers/statistics.ts";

/** Connections whose header never ends. */
const HEADERS = 1000;
/** Connections whose body never ends: as many as are awaited, and some more. */
const BODIES = MAX_PENDING_BODIES;
const BEYOND = 200;
/** What either process needs, with some for its files and the normal client. */
const DESCRIPTORS = HEADERS + BODIES + BEYOND + 300;

const P99_MS = 50;
/** So many requests at least, so that 1 % of them is more than a few. */
const REQUESTS = 3000;

/** The beginning of a request from an address of its own. */
function head(network: number, client: number): string {
  return "POST /api/pwgen/words HTTP/1.1\r\nHost: localhost\r\n" +
    "Content-Type: application/json\r\n" +
    `X-Forwarded-For: 10.${network}.${client >> 8}.${client & 255}\r\n`;
}

/** The limit of open files, as this process hands it down. */
async function openFiles(): Promise<number> {
  const command = new Deno.Command("sh", { args: ["-c", "ulimit -n"] });
  const { stdout } = await command.output();
  const said = new TextDecoder().decode(stdout).trim();
  return said === "unlimited" ? Infinity : Number(said);
}

/** A connection that sends one byte a second, and what it was answered. */
class Slow {
  readonly #wire: RawConnection;
  readonly #start = performance.now();
  answer: { status: number; head: string; seconds: number } | undefined;
  closed = false;
  readonly over: Promise<void>;

  private constructor(wire: RawConnection) {
    this.#wire = wire;
    this.over = wire.read().then(
      ({ status, head }) => {
        const seconds = (performance.now() - this.#start) / 1000;
        this.answer = { status, head, seconds };
      },
      () => void (this.closed = true),
    );
  }

  static async begin(port: number, text: string): Promise<Slow> {
    const wire = await RawConnection.connect(port);
    await wire.write(text);
    return new Slow(wire);
  }

  async drip(): Promise<void> {
    if (this.answer || this.closed) return;
    await this.#wire.write("x").catch(() => {});
  }

  [Symbol.dispose](): void {
    this.#wire[Symbol.dispose]();
  }
}

/** Lets each connection send a byte a second, spread over that second. */
function dripping(slow: Slow[]): Disposable {
  let tick = 0;
  const timer = setInterval(() => {
    tick = (tick + 1) % 100;
    for (let i = tick; i < slow.length; i += 100) slow[i]!.drip();
  }, 10);
  return { [Symbol.dispose]: () => clearInterval(timer) };
}

/**
 * Asks one request after another on one connection, until it is told to stop
 * and has asked often enough.
 *
 * @returns how long each took, in milliseconds
 */
async function normalClient(
  port: number,
  goesOn: () => boolean,
): Promise<number[]> {
  using wire = await RawConnection.connect(port);
  const times: number[] = [];
  while (goesOn() || times.length < REQUESTS) {
    // An address asks 50 times, fewer than the limit.
    const client = Math.floor(times.length / 50);
    const request = `${head(3, client)}Content-Length: 2\r\n\r\n{}`;
    const start = performance.now();
    await wire.write(request);
    const { status, body } = await wire.read();
    times.push(performance.now() - start);
    assertEquals(status, 200, body);
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  return times;
}

const NAME =
  "the program answers others fast while 2,200 clients send a byte a second, and gets rid of their bodies";
const isPossible = Deno.build.os !== "windows" &&
  await openFiles() >= DESCRIPTORS;

Deno.test({
  name: isPossible
    ? NAME
    : `${NAME} (skipped: needs ulimit -Hn ${DESCRIPTORS})`,
  ignore: !isPossible,
  fn: async () => {
    await using service = await serve({
      env: { PWGEN_TRUSTED_PROXIES: "loopback" },
    });
    const { port } = service;
    const slow: Slow[] = [];
    using _closing = {
      [Symbol.dispose]: () => slow.forEach((each) => each[Symbol.dispose]()),
    };
    using _dripping = dripping(slow);
    const begin = async (count: number, text: (client: number) => string) => {
      const begun: Slow[] = [];
      for (let client = 0; client < count; client++) {
        const each = await Slow.begin(port, text(client));
        begun.push(each);
        slow.push(each);
      }
      return begun;
    };
    const endless = "Content-Length: 16000\r\n\r\n{";
    const headers = await begin(HEADERS, (n) => head(0, n) + "X-Slow: ");
    let over = false;
    const normal = normalClient(port, () => !over);
    try {
      const bodies = await begin(BODIES + BEYOND, (n) => head(1, n) + endless);
      await Promise.all(bodies.map((each) => each.over));
      const answers = bodies.map(({ answer }) => answer);
      assert(answers.every((answer) => answer !== undefined));
      const late = answers.filter(({ status }) => status === 408);
      const crowded = answers.filter(({ status }) => status === 503);
      // Which of them came too late for a place is not told.
      assertEquals([late.length, crowded.length], [BODIES, BEYOND]);
      for (const { seconds } of late) {
        assert(seconds > 9.9 && seconds < 15, `408 after ${seconds} s`);
      }
      for (const { seconds, head } of crowded) {
        assert(seconds < 5, `503 after ${seconds} s`);
        assertMatch(head, /\r\nretry-after: 10(\r\n|$)/i);
      }
      // The places are free again.
      using next = await RawConnection.connect(port);
      await next.write(`${head(4, 0)}Content-Length: 2\r\n\r\n{`);
      await new Promise((resolve) => setTimeout(resolve, 100));
      await next.write("}");
      assertEquals((await next.read()).status, 200);
    } finally {
      over = true;
      await normal.catch(() => {});
    }

    const times = await normal;
    // They sent until now, or else this was no test.
    assert(headers.every(({ answer, closed }) => !answer && !closed));
    const p99 = quantile(times, 0.99);
    // deno-lint-ignore no-console
    console.log(
      `normal client among ${slow.length} slow ones: ${times.length} requests, ` +
        `p50 ${quantile(times, 0.5).toFixed(2)} ms, p99 ${
          p99.toFixed(2)
        } ms, ` +
        `longest ${quantile(times, 1).toFixed(1)} ms`,
    );
    assert(p99 < P99_MS, `p99 is ${p99} ms`);
  },
});
