/**
 * Measures the memory that one connection takes while its client reads nothing,
 * and whether another client is served meanwhile. Only for Linux.
 * Usage: deno task bench:connections [--connections 600]
 *
 * @module
 */
// deno-lint-ignore-file no-console
import {
  acceptSettings,
  get,
  INITIAL_WINDOW_SIZE,
  preface,
  send,
  unfinished,
} from "../tests/helpers/http2.ts";
import {
  requestWords,
  residentMegabytes,
  type Running,
  serve,
} from "../tests/helpers/program.ts";
import { readOptions } from "./options.ts";

const { connections } = readOptions({ connections: 600 });
const env = { PWGEN_TRUSTED_PROXIES: "loopback" };
/** The header fields of a client that is not the attacker. */
const OTHER = { "x-forwarded-for": "192.0.2.2" };

const HOST = "Host: localhost\r\n";
const SETTINGS = preface([0, INITIAL_WINDOW_SIZE, 0, 0, 0, 0]);
const CLIENT = { isSecure: false, client: "192.0.2.1" };
const GETS = Array.from(
  { length: 199 },
  (_, i) => get(2 * i + 3, "/unknown", CLIENT),
).flat();

async function http1(service: Running, text: string): Promise<Deno.Conn> {
  const connection = await Deno.connect({ port: service.port });
  // The service stops reading if nobody reads its responses.
  const bytes = new TextEncoder().encode(text);
  (async () => {
    for (let at = 0; at < bytes.length;) {
      at += await connection.write(bytes.subarray(at));
    }
  })().catch(() => {});
  return connection;
}

async function http2(service: Running, bytes: number[]): Promise<Deno.Conn> {
  const connection = await send(service, SETTINGS);
  await acceptSettings(connection, bytes);
  return connection;
}

const post = unfinished("POST", 1, 1_000_000);
const both = [...post, ...GETS];
const first = [...unfinished("POST", 1, 1), ...GETS];
const fromGet = unfinished("GET", 1, 1_000_000);

const KINDS: Record<string, (service: Running) => Promise<Deno.Conn>> = {
  "HTTP/1.1: nothing": (service) => http1(service, ""),
  "HTTP/1.1: 60 kB of a header": (service) =>
    http1(service, `GET / HTTP/1.1\r\n${HOST}X-A: ${"a".repeat(60_000)}`),
  "HTTP/1.1: 15 kB of a body": (service) =>
    http1(
      service,
      `POST /api/pwgen/words HTTP/1.1\r\n${HOST}Content-Type: application/json\r\nContent-Length: 16000\r\n\r\n${
        " ".repeat(15_000)
      }`,
    ),
  "HTTP/1.1: 20,000 requests": (service) =>
    http1(service, `GET /unknown HTTP/1.1\r\n${HOST}\r\n`.repeat(20_000)),
  "HTTP/2: nothing": (service) => http2(service, []),
  "HTTP/2: a POST with 1 MB": (service) => http2(service, post),
  "HTTP/2: a GET with 1 MB": (service) => http2(service, fromGet),
  "HTTP/2: 200 requests": (service) => http2(service, first),
  "HTTP/2: a POST with 1 MB, 199 requests": (service) => http2(service, both),
};

for (const [kind, open] of Object.entries(KINDS)) {
  await using service = await serve({ env });
  await requestWords(service);
  const before = residentMegabytes(service);
  const all: Deno.Conn[] = [];
  for (let i = 0; i < connections; i++) all.push(await open(service));
  await new Promise((resolve) => setTimeout(resolve, 2000));
  const grown = residentMegabytes(service) - before;
  const start = performance.now();
  const { status } = await requestWords(service, OTHER);
  const ms = (performance.now() - start).toFixed(0);
  for (const connection of all) connection.close();
  const each = (1000 * grown / connections).toFixed(0);
  console.log(
    `${kind}: ${each} kB for each connection, ${
      grown.toFixed(0)
    } MB for all; another request: ${status} in ${ms} ms`,
  );
}
