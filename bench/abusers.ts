/**
 * The abusers of `deno task soak --abuse`, in a thread of their own. Each attack
 * has its own loopback addresses, because the service limits addresses.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import { type ClientHttp2Stream, connect as http2 } from "node:http2";
import { connect } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { parentPort, workerData } from "node:worker_threads";
import { fuzzRequest } from "../tests/fuzz/requests.ts";
import { frame, HEADERS, preface } from "../tests/helpers/http2.ts";
import { Random } from "../tests/helpers/random.ts";

/** The port of the service on 127.0.0.1. */
const port: number = workerData;
const MB = " ".repeat(2 ** 20);
const API = ["characters", "words", "sentence"].map((endpoint) =>
  `/api/pwgen/${endpoint}`
);
const SITE = ["/", "/docs", "/openapi/v1.json"];
/** Types of HTTP/2 frames. */
const [SETTINGS, PING, CONTINUATION] = [4, 6, 9];

/** Requests that a connection over HTTP/2 sends at once. */
interface Streams {
  count: number;
  method: string;
  /** The requests take the paths in turn. */
  paths: string[];
  body?: string;
  /** Cancels each request at once. */
  isCancelled?: true;
}

/** What the connections of an attack do. They read only if `reads` is set. */
interface Attack {
  addresses: number;
  /** The connections of each address at one time. */
  connections: number;
  /** After this time each connection is closed, and the next one begins. */
  seconds: number;
  /** What a connection sends at once; `n` is different for each connection. */
  send?: (n: number) => string | Uint8Array;
  /** The connection speaks HTTP/2, with INITIAL_WINDOW_SIZE 0. */
  streams?: Streams;
  /** What a connection sends every second, over HTTP/2 in each stream. */
  each?: string | Uint8Array;
  reads?: true;
  /** Ends each connection with a reset (RST). */
  resets?: true;
}

/** An HTTP/1.1 request. A length without a body is a body that never ends. */
function request(path: string, length = 2, body = "{}"): string {
  return `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: ` +
    `application/json\r\nContent-Length: ${length}\r\n\r\n${body}`;
}
/** A body of 16,384 chunks of one byte. */
const TINY_CHUNKS =
  "POST /api/pwgen/words HTTP/1.1\r\nHost: localhost\r\nContent-Type: " +
  "application/json\r\nTransfer-Encoding: chunked\r\n\r\n" +
  `${"1\r\n \r\n".repeat(16_384)}0\r\n\r\n`;
/** A slow request: its rules must be counted for many lengths. */
const SLOW = JSON.stringify({
  passwordRules: [..."aceADF"].map((c, i) =>
    `required: [${c}${i}]; `
  ).join("") +
    "allowed: ascii-printable; max-consecutive: 1",
  minimumEntropy: 300,
  count: 17,
});
/** The header fields of a GET of / with the host "a" (RFC 7541). */
const GET_ROOT = [0x82, 0x86, 0x84, 0x01, 0x01, 0x61];
/** 200 requests with 380 header fields of a byte each: entry 62 of the table. */
const MANY_FIELDS = Uint8Array.from([
  ...preface(),
  ...Array.from({ length: 200 }, (_, i) =>
    frame(HEADERS, 5, 2 * i + 1, [
      ...GET_ROOT,
      ...(i === 0 ? [0x40, 0x01, 0x61, 0x01, 0x62] : Array(380).fill(0xbe)),
    ])).flat(),
]);
const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`;

const random = new Random(20_261_122);
/** A request of the fuzz test, or random bytes. */
function malformed(n: number): Uint8Array {
  if (n % 8 > 0) return Buffer.from(fuzzRequest(random, n).text, "latin1");
  return crypto.getRandomValues(new Uint8Array(1000));
}

const ATTACKS: Record<string, Attack> = {
  "slow bodies, HTTP/1.1": {
    addresses: 3,
    connections: 30,
    seconds: 15,
    send: (n) => request(API[n % 3]!, 16_000, "{"),
    each: " ",
    reads: true,
  },
  "slow bodies, HTTP/2": {
    addresses: 3,
    connections: 2,
    seconds: 15,
    streams: { count: 60, method: "POST", paths: API, body: "{" },
    each: " ",
  },
  "half headers, HTTP/1.1": {
    addresses: 2,
    connections: 50,
    seconds: 60,
    send: () => "GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: ",
    each: "a",
    reads: true,
  },
  "half headers, HTTP/2": {
    addresses: 2,
    connections: 10,
    seconds: 60,
    send: () =>
      Uint8Array.from([...preface(), ...frame(HEADERS, 0, 1, [0x82])]),
    // A field with the name "a" and a value of 4,000 bytes that are all "a".
    each: Uint8Array.from(
      frame(
        CONTINUATION,
        0,
        1,
        [0, 1, 97, 0x7f, 0xa1, 0x1e].concat(Array(4000).fill(97)),
      ),
    ),
    reads: true,
  },
  "unread documents": {
    addresses: 4,
    connections: 5,
    seconds: 20,
    streams: { count: 200, method: "GET", paths: SITE },
  },
  "unread small responses": {
    addresses: 4,
    connections: 5,
    seconds: 20,
    streams: { count: 200, method: "POST", paths: [...API, "/unknown"] },
  },
  "unread batches": {
    addresses: 4,
    connections: 2,
    seconds: 20,
    streams: {
      count: 60,
      method: "POST",
      paths: API,
      body: '{"count":100,"length":128}',
    },
  },
  "tiny chunks": {
    addresses: 2,
    connections: 1,
    seconds: 2,
    reads: true,
    send: () => TINY_CHUNKS,
  },
  "slow requests": {
    addresses: 25,
    connections: 1,
    seconds: 60,
    reads: true,
    send: () => request(API[0]!, SLOW.length, SLOW).repeat(60),
  },
  "1 MiB to unknown paths, HTTP/1.1": {
    addresses: 2,
    connections: 5,
    seconds: 10,
    send: () => request("/unknown", MB.length + 1, MB),
    reads: true,
  },
  "1 MiB to unknown paths, HTTP/2": {
    addresses: 2,
    connections: 5,
    seconds: 10,
    streams: { count: 2, method: "POST", paths: ["/unknown"], body: MB },
  },
  "1 MiB in a GET, HTTP/2": {
    addresses: 2,
    connections: 5,
    seconds: 20,
    streams: { count: 1, method: "GET", paths: ["/"], body: MB },
  },
  "pipelined requests, unread": {
    addresses: 2,
    connections: 5,
    seconds: 20,
    send: () => (get("/") + get("/unknown") + request(API[0]!)).repeat(5000),
  },
  "flood of the API": {
    addresses: 3,
    connections: 2,
    seconds: 30,
    each: API.map((path) => request(path)).join("").repeat(50),
    reads: true,
  },
  "flood of /": {
    addresses: 3,
    connections: 2,
    seconds: 30,
    each: get("/").repeat(150),
    reads: true,
  },
  "malformed requests": {
    addresses: 200,
    connections: 1,
    seconds: 4,
    send: malformed,
    reads: true,
  },
  "PING and SETTINGS, unread, HTTP/2": {
    addresses: 2,
    connections: 2,
    seconds: 20,
    send: () => Uint8Array.from(preface()),
    each: Uint8Array.from(
      Array(500).fill([
        ...frame(PING, 0, 0, Array(8).fill(0)),
        ...frame(SETTINGS, 0, 0, []),
      ]).flat(),
    ),
  },
  "380 header fields, HTTP/2": {
    addresses: 2,
    connections: 2,
    seconds: 2,
    reads: true,
    send: () => MANY_FIELDS,
  },
  "cancelled requests, HTTP/2": {
    addresses: 2,
    connections: 2,
    seconds: 2,
    streams: { count: 100, method: "GET", paths: SITE, isCancelled: true },
  },
  "connections closed at once": {
    addresses: 2,
    connections: 1,
    seconds: 0.04,
  },
  "connections reset after a request": {
    addresses: 2,
    connections: 1,
    seconds: 0.04,
    send: (n) => request(API[n % 3]!),
    resets: true,
  },
};

/** For each attack, how often each thing happened. */
const counts = Object.fromEntries(
  Object.keys(ATTACKS).map((name) => [name, {} as Record<string, number>]),
);
let connections = 0;

/** Opens a connection, and closes it after the time of the attack. */
async function attackOnce(
  name: string,
  localAddress: string,
  { seconds, send, streams, each, reads, resets }: Attack,
): Promise<void> {
  const count = (what: string, times = 1) => {
    const own = counts[name]!;
    own[what] = (own[what] ?? 0) + times;
  };
  count("connections");
  const socket = connect({ port, host: "127.0.0.1", localAddress });
  let isOver = false;
  // The service may close or reset the connection first.
  socket.on("error", () => {});
  socket.on("close", () => isOver || count("closed by the service"));
  const open: Pick<ClientHttp2Stream, "write" | "writable">[] = [];
  if (streams) {
    const { count: number, method, paths, body, isCancelled } = streams;
    const session = http2(`http://127.0.0.1:${port}`, {
      createConnection: () => socket,
      settings: { initialWindowSize: 0 },
    });
    session.on("error", () => {});
    for (let i = 0; i < number; i++) {
      const stream = session.request({
        ":method": method,
        ":path": paths[i % paths.length]!,
        "content-type": "application/json",
      }, { endStream: false });
      stream.on("error", () => {});
      stream.on("response", ({ ":status": status }) => count(String(status)));
      if (isCancelled) stream.close(8); // CANCEL
      else if (each) {
        stream.write(body);
        open.push(stream);
      } else stream.end(body);
    }
  } else {
    open.push(socket);
    socket.write(send?.(connections++) ?? "");
    if (reads) {
      socket.on("data", (data: Buffer) => {
        const statuses = data.toString("latin1").matchAll(
          /HTTP\/1\.1 (\d{3}) /g,
        );
        for (const [, status] of statuses) count(status!);
      });
    }
  }
  const timer = each && setInterval(() => {
    for (const stream of open) stream.writable && stream.write(each);
  }, 1000);
  await pause(1000 * seconds);
  isOver = true;
  if (timer) clearInterval(timer);
  count("kB sent", socket.bytesWritten / 1000);
  resets ? socket.resetAndDestroy() : socket.destroy();
}

/** Attacks from one address for as long as the thread runs. */
async function attack(
  name: string,
  address: string,
  options: Attack,
): Promise<void> {
  // The connections do not all begin at the same time.
  await pause(Math.random() * 1000 * options.seconds);
  while (true) await attackOnce(name, address, options);
}

Object.entries(ATTACKS).forEach(([name, options], i) => {
  for (let n = 0; n < options.addresses * options.connections; n++) {
    attack(name, `127.0.${i + 1}.${1 + n % options.addresses}`, options);
  }
});
setInterval(() => parentPort!.postMessage(counts), 500);
