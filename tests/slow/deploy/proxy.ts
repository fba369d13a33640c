/**
 * The configuration of a reverse proxy in deploy/, run by this proxy. What clients
 * send and get is a row of text (tests/helpers/rows.ts).
 *
 * | column  | cell                                                | blank            |
 * | ------- | --------------------------------------------------- | ---------------- |
 * | over    | `http`, `http to 443`, `HTTP/1.0`, `h2`             | HTTP/1.1 and TLS |
 * | request | method and target, sent as they are                 | never            |
 * | body    | what a POST sends                                   | `{}`             |
 * | size    | the body ends with spaces, to so many bytes         | no spaces        |
 * | status  | a regular expression                                | never            |
 * | by      | who made an error: `proxy` or `service`             | no error, or HEAD |
 * | left    | how many requests the client then has               | no rate limit    |
 * | others  | the value of the header field of this name          | no such field    |
 *
 * Requests come from 127.0.0.1, where a CDN is: the last address in `x-forwarded-for`
 * is the client. `everyError()` says what each error has besides.
 *
 * @module
 */
import { assert, assertEquals, assertMatch } from "@std/assert";
import http2 from "node:http2";
import { setTimeout as pause } from "node:timers/promises";
import { SITE } from "../../../routes/site/mod.ts";
import { RawConnection } from "../../helpers/connection.ts";
import { tempDir } from "../../helpers/files.ts";
import { fetchHttp2 } from "../../helpers/http2.ts";
import {
  CERT,
  end,
  freePorts,
  isListening,
  KEY,
  missing,
  post as sendPost,
  type Program,
  requestWords,
  ROOT,
  type Running,
  serveDirectly,
  spawn,
  stop,
  tlsClient,
  unless,
  until,
} from "../../helpers/program.ts";
import { NO_REDIS, startRedis } from "../../helpers/redis.ts";
import {
  assertCells,
  type Cells,
  nameOf,
  readTable,
} from "../../helpers/rows.ts";
import { readProblem } from "../../helpers/service.ts";
import { Browser, CHROMIUM, SKIPPED } from "../../helpers/webdriver.ts";

// The PATH of a user other than root may not contain it.
Deno.env.set("PATH", `${Deno.env.get("PATH")}:/usr/sbin`);

export const WORDS = "/api/pwgen/words";
export const PROXIED = { PWGEN_TRUSTED_PROXIES: "loopback" };
const UNIT = await Deno.readTextFile(`${ROOT}deploy/pwgen-api.service`);
const H2C = "AAMAAABkAAQAoAAAAAIAAAAA";
/** More than a header field, or a target, may have. */
export const LONG = "x".repeat(9000);

/** What both proxies do while the processes run. */
const RUNNING: Record<string, string> = {
  "a password": `
over     | request     | body          | accept-encoding => status | cache-control | content-encoding | strict-transport-security | text
         | POST ${WORDS} | {"count":100} | gzip, br        => 200    | no-store      |                  | max-age=31536000          | "type":"words"
HTTP/1.0 | POST ${WORDS} |               | gzip, br        => 200    | no-store      |                  | max-age=31536000          | "type":"words"
`,

  // Java's HttpClient sends h2c, and "curl --http2" with http; Apache HttpClient TLS/1.2.
  "another protocol": `
request       | connection              | upgrade   | http2-settings => status
POST ${WORDS} | Upgrade, HTTP2-Settings | h2c       | ${H2C}         => 200
POST ${WORDS} | Upgrade                 | TLS/1.2   |                => 200
GET /nowhere  | Upgrade                 | websocket |                => 404
`,

  "clients of a CDN": `
request       | x-forwarded-for           => status | left
POST ${WORDS} | 203.0.113.1, 198.51.100.1 => 200    | 59
POST ${WORDS} | 203.0.113.1, 198.51.100.2 => 200    | 59
`,

  documents: `
request          | accept-encoding | if-none-match => status | content-encoding | etag | location
GET /            | br              |               => 200    | br               | any  |
GET /            | br              | *             => 304    |                  | any  |
GET /docs/?a=b   |                 |               => 308    |                  |      | ../docs
`,

  "errors of the service": `
request                | content-type | body            => status | by      | text
POST ${WORDS}          |              | {"wordCount":0} => 400    | service | "errors":{"wordCount":
POST ${WORDS}?a=/api/b | text/plain   |                 => 415    | service |
PUT ${WORDS}           |              |                 => 405    | service |
GET /api/%22           |              |                 => 404    | service |
GET /nowhere           |              |                 => 404    | service |
`,

  bodies: `
over     | request       | size  | transfer-encoding => status | by
         | POST ${WORDS} | 16384 |                   => 200    |
         | POST ${WORDS} | 16384 | chunked           => 200    |
`,

  // A script could take the body of a redirect for a password.
  "plain HTTP": `
over | request                                               | host      | x-forwarded-proto => status | by    | location
http | GET /docs?a=b                                         | localhost | https             => 308    |       | https://HOST/docs?a=b
http | GET /api                                              | localhost | https             => 308    |       | https://HOST/api
http | {GET,POST,OPTIONS} ${WORDS}                           | localhost | https             => 403    | proxy |
http | POST {${WORDS},/pw${WORDS}?a=b,/${WORDS},/%61pi/x}    | 192.0.2.1 | https             => 403    | proxy |
http | HEAD ${WORDS}                                         | localhost | https             => 403    |       |
http | GET x:.example.org/                                   | localhost | https             => 40[03] | proxy |
`,
};

const HUNG = `
request                  => status | by
{GET,POST,OPTIONS} ${WORDS} => 50[34] | proxy
GET /docs                => 50[34] | proxy
`;

const DOWN = `
over     | request                     => status | by
         | {GET,POST,OPTIONS} ${WORDS} => 50[23] | proxy
         | HEAD ${WORDS}               => 50[23] |
         | POST /api/%22?a="           => 50[23] | proxy
HTTP/1.0 | POST ${WORDS}               => 50[23] | proxy
h2       | {GET,POST,OPTIONS} ${WORDS} => 50[23] | proxy
         | GET /docs?a=/api/           => 50[23] | proxy
`;

const BELOW_PW = `
over | request           => status | location | text
     | GET /pw           => 308    | /pw/     |
     | GET /pw?a=b       => 308    | /pw/     |
     | GET /pw/docs/?a=b => 308    | ../docs  |
     | POST /pw${WORDS}  => 200    |          | "type":"words"
http | POST /pw${WORDS}  => 403    |          |
`;

const DOWN_BELOW_PW = `
request          => status | by
POST /pw${WORDS} => 50[23] | proxy
GET /pw/docs     => 50[23] | proxy
`;

/** A change of a configuration: what, by what, and how often it occurs (once). */
export type Change = [from: string | RegExp, to: string, count?: number];

/** A kind of reverse proxy, and the file with its configuration. */
export interface Kind {
  /** The name of its program. */
  program: string;
  config: string;
  /** The changes for every test. */
  changes: (http: number, https: number) => Change[];
  /** The arguments of the program. */
  args: (config: string, folder: string) => string[];
  /** The changes for services with a shared store. */
  withSharedStore: Change[];
  /** The changes for services below /pw, as the comments describe them. */
  belowPrefix: Change[];
  /** The changes to 2 s of the times in which header and body must arrive. */
  shortTimes: Change[];
  /** The changes to a minute of the times in which a process must respond. */
  longTimes: Change[];
  /** The changes for clients of a CDN at 127.0.0.1. */
  behindCdn: Change[];
  /** The form of the request ids that the proxy makes. */
  requestId: RegExp;
  /** How it refuses CONNECT, before Deno does so with an empty 400. */
  connect: RegExp;
  /** What only this proxy does while the processes run. */
  running: string;
  hasHttp2: boolean;
  /** Whether it sends a body to another process if the first one does not respond. */
  sendsBodyTwice: boolean;
  /** What it responds while an IPv6 /64 has as many requests in flight as it may. */
  inFlight?: string;
  /** The form of a line of its log: status and id; without it, it has none. */
  logLine?: RegExp;
}

/** Two services behind a proxy. */
interface Site extends AsyncDisposable {
  kind: Kind;
  http: number;
  https: number;
  services: Running[];
  proxy: Program;
}

export async function startSite(
  kind: Kind,
  env: Record<string, string>,
  changes: Change[],
): Promise<Site> {
  await using stack = new AsyncDisposableStack();
  const services: Running[] = [];
  stack.defer(async () => {
    for (const service of services) await service[Symbol.asyncDispose]();
  });
  for (let i = 0; i < 2; i++) services.push(await serveDirectly(env));
  const [http, https] = freePorts(2) as [number, number];
  let config = await Deno.readTextFile(ROOT + kind.config);
  const all: Change[] = [
    ...kind.changes(http, https),
    ["127.0.0.1:8000", `127.0.0.1:${services[0]!.port}`],
    ["127.0.0.1:8001", `127.0.0.1:${services[1]!.port}`],
    ["/etc/ssl/pwgen/cert.pem", CERT],
    ["/etc/ssl/pwgen/key.pem", KEY],
    ...changes,
  ];
  for (const [from, to, count = 1] of all) {
    assertEquals(config.split(from).length - 1, count, String(from));
    config = config.replaceAll(from, () => to);
  }
  const folder = stack.use(await tempDir()).path;
  await Deno.writeTextFile(`${folder}/config`, config);
  const args = kind.args(`${folder}/config`, folder);
  const home = { XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
  const proxy = spawn(kind.program, args, home);
  stack.defer(async () => void await stop(proxy));
  // A proxy does not report that it listens.
  for (const port of [http, https]) {
    await until(() => {
      assert(!proxy.stderr.isOver, proxy.stderr.text);
      return isListening(port);
    });
  }
  const running = stack.move();
  return {
    kind,
    http,
    https,
    services,
    proxy,
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

/** Sends the request of a row. */
async function send(site: Site, sent: Cells): Promise<Response> {
  const { over = "", request, size = "0", body, ...fields } = sent;
  const [method, target] = request!.split(" ") as [string, string];
  const headers: Cells = { host: "localhost", ...fields };
  let content = "";
  if (method === "POST") {
    content = (body ?? "{}").padEnd(Number(size));
    headers["content-type"] ??= "application/json";
  }
  if (over === "h2") {
    using client = await tlsClient({ http1: false, http2: true });
    const url = `https://localhost:${site.https}${target}`;
    const init = { method, headers, client, body: content || null };
    const response = await fetch(url, init);
    return new Response(await response.text(), response);
  }
  if (headers["transfer-encoding"] === "chunked") {
    content = `${content.length.toString(16)}\r\n${content}\r\n0\r\n\r\n`;
  } else {
    headers["content-length"] ??= String(content.length);
  }
  using connection = over === "http"
    ? await RawConnection.connect(site.http)
    : over === "http to 443"
    ? await RawConnection.connect(site.https)
    : await RawConnection.connectTls(site.https);
  const version = over.startsWith("HTTP/") ? over : "HTTP/1.1";
  const lines = Object.entries(headers).map((field) => field.join(": "));
  const head = [`${request} ${version}`, ...lines].join("\r\n");
  await connection.write(`${head}\r\n\r\n${content}`);
  const received = await connection.next(method);
  assert(received !== undefined, "closed without a response");
  return new Response(received.body || null, received);
}

const isPage = (target: string) => /^\/(?!.*pi\/)/.test(target.split("?")[0]!);
const RETRY_AFTER: Cells = { 429: "60" };
for (const status of [500, 502, 503, 504]) RETRY_AFTER[status] = "10";

/** What every error has, by whomever it is. */
function everyError(target: string, status: number, by: string): Cells {
  const exposed = "Retry-After, RateLimit, RateLimit-Policy, Entropy-Bits";
  return {
    "content-type": by === "proxy" && isPage(target)
      ? "text/html; charset=utf-8"
      : "application/problem+json; charset=utf-8",
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    "retry-after": RETRY_AFTER[status] ?? "",
    "access-control-allow-origin": isPage(target) ? "" : "*",
    "access-control-expose-headers": isPage(target) ? "" : exposed,
  };
}

/** Sends a request, and compares the response with a row. */
async function exchange(
  site: Site,
  subject: string,
  sent: Cells,
  wanted: Cells,
): Promise<void> {
  const name = nameOf(subject, sent).replace(LONG, "x...");
  const response = await send(site, sent);
  const { status, headers } = response;
  const [method, target] = sent.request!.split(" ") as [string, string];
  const text = await response.clone().text();
  let by = "";
  if (status >= 400 && method !== "HEAD") {
    const isHtml = headers.get("content-type")?.startsWith("text/html");
    const { instance } = isHtml ? { instance: null } : JSON.parse(text);
    by = instance === null ? "proxy" : "service";
    if (isHtml) assertMatch(text, RegExp(`^<!doctype html>.*>Error ${status}`));
    else await readProblem(response, status, instance && target.split("?")[0]!);
  }
  const isWanted = RegExp(`^(${wanted.status})$`).test(String(status));
  const came = {
    ...Object.fromEntries(headers),
    status: isWanted ? wanted.status! : String(status),
    location: (headers.get("location") ?? "")
      .replace(/(?<=^https:\/\/)(localhost|pwgen\.example\.com)(?=\/)/, "HOST"),
    by,
    left: /;r=(\d+)/.exec(headers.get("ratelimit") ?? "")?.[1] ?? "",
    text,
  };
  const more = status < 400 ? {} : everyError(target, status, by);
  assertCells(came, { ...more, ...wanted }, name);
}

/** Sends the requests of a table at once, except those that the proxy cannot read. */
export async function exchangeAll(site: Site, subject: string, table: string) {
  const rows = readTable(table)
    .filter(([{ over }]) => over !== "h2" || site.kind.hasHttp2);
  await Promise.all(
    rows.map(([sent, wanted]) => exchange(site, subject, sent, wanted)),
  );
}

/** Requests words from an address of this machine, where no CDN is. */
export async function post(
  { https }: Site,
  localAddress: string,
  fields: Record<string, string> = {},
  path = WORDS,
): Promise<Response> {
  using client = await tlsClient({ localAddress });
  const url = `https://localhost:${https}${path}?length=hunter2`;
  const response = await sendPost(url, "{}", fields, { client });
  return new Response(await response.text(), response);
}

/** What the proxy sends for a request line over HTTP/1.1. */
async function sendLine({ https }: Site, line: string): Promise<string> {
  using connection = await RawConnection.connectTls(https);
  const head = `${line} HTTP/1.1\r\nHost: localhost\r\n`;
  await connection.write(`${head}Connection: close\r\n\r\n`);
  return await connection.readToEnd();
}

/** What a proxy that has HTTP/2 sends for these pseudo-header fields. */
async function sendHttp2(
  { https }: Site,
  fields: Record<string, string>,
  body?: string,
): Promise<string> {
  const ca = await Deno.readTextFile(CERT);
  const session = http2.connect(`https://localhost:${https}`, { ca });
  const received = await fetchHttp2(session, fields, body)
    .then(({ body }) => body.toString(), () => "closed");
  session.destroy();
  return received;
}

/** Targets of a request that a program may take for the path /metrics. */
function metricsTargets(prefix: string): string[] {
  const path = `${prefix}/metrics`;
  const hosts = ["localhost", "other", "a@localhost", "localhost:1", ""];
  const urls = hosts.flatMap((host) =>
    ["/metrics", path, "\\metrics", "?/metrics", "#/metrics"]
      .map((end) => `http://${host}${end}`)
  );
  return [
    ...urls,
    ...urls.map((url) => `x:${url}`),
    ...["x:", "x:http:", "x://localhost", "http:", "*", "?", "#", "\\", "x:?"]
      .map((begin) => begin + path),
    ...["", "/", "/.", "/a/..", "/%2e", "/x", "/;", "/\\", "/%2f"]
      .map((begin) => `${prefix}${begin}/metrics`),
    ...["/", "#a", "%00", ";a", "?a", "%23", "%3f", "/.", "/a/.."]
      .map((end) => path + end),
    `${prefix}/%6detrics`,
    `${prefix}/METRICS`,
    "metrics",
    "x:metrics",
    "x:http:http://localhost/metrics",
  ];
}

/** Checks that nobody outside can read the metrics. */
async function assertNoMetrics(site: Site, prefix: string) {
  await Promise.all(
    metricsTargets(prefix).map(async (target) => {
      let text = await sendLine(site, `GET ${target}`);
      if (site.kind.hasHttp2) {
        text += await sendHttp2(site, { ":path": target });
      }
      assert(!text.includes("pwgen_"), `${target}: ${text}`);
    }),
  );
  // The service has seen none of these requests.
  for (const { url } of site.services) {
    const text = await (await fetch(`${url}/metrics`)).text();
    assertMatch(text, /^pwgen_build_info/m);
    assert(!/^.*route="\/metrics".* [1-9]/m.test(text), text);
  }
}

/** The header of a POST request whose body arrives when the proxy asks for it. */
const expecting = (fields: string[]) =>
  [
    `POST ${WORDS} HTTP/1.1`,
    "Host: localhost",
    "Content-Type: application/json",
    "Expect: 100-continue",
    ...fields,
    "\r\n",
  ].join("\r\n");

/** Connections with a request whose body the proxy has asked for. */
async function hold(
  { https }: Site,
  count: number,
  field: (i: number) => string,
): Promise<RawConnection[]> {
  return await Promise.all(Array.from({ length: count }, async (_, i) => {
    const connection = await RawConnection.connectTls(https);
    await connection.write(expecting(["Content-Length: 2", field(i)]));
    assertEquals((await connection.read()).status, 100);
    return connection;
  }));
}

/** Restarts one process after the other, while clients send requests. */
async function restartUnderLoad(
  site: Site,
  env: Record<string, string>,
  { isShared, path = WORDS }: { isShared: boolean; path?: string },
): Promise<void> {
  const failures: string[] = [];
  let requests = 0;
  let isOver = false;
  const load = Array.from({ length: 20 }, async (_, i) => {
    using client = await tlsClient({ localAddress: `127.0.1.${i}` });
    const url = `https://localhost:${site.https}${path}`;
    while (!isOver) {
      await sendPost(url, "{}", {}, { client }).then(async (response) => {
        const text = await response.text();
        if (response.status !== 200) {
          failures.push(`${response.status} ${text}`);
        }
      }, (error) => failures.push(String(error)));
      requests++;
      // About 200 a second: one more would only make others wait.
      await pause(100);
    }
  });
  /** Waits for responses to requests that arrived after this moment too. */
  const more = () => {
    const enough = requests + 100;
    return until(() => requests >= enough);
  };
  const lines = (i: number) => site.services[i]!.stdout.text.split("\n").length;
  // Requests arrive before, during and after each restart.
  try {
    await more();
    assertEquals(lines(1) > 10, isShared);
    for (const [i, service] of site.services.entries()) {
      // While its body is late, the process drains and refuses other requests.
      using late = await RawConnection.connect(service.port);
      await late.write(expecting(["Content-Length: 2"]));
      assertEquals((await late.read()).status, 100);
      // As "systemctl restart" does for one process after the other.
      const stopped = stop(service);
      await until(async () => (await requestWords(service)).status === 503);
      await more();
      await late.write("{}");
      assertEquals((await late.read()).status, 200);
      assertEquals((await stopped).code, 0);
      const PORT = String(service.port);
      const next = await serveDirectly({ ...env, PORT });
      site.services[i] = next;
      const MAINPID = String(next.process.pid);
      for (const [, command] of UNIT.matchAll(/^ExecStartPost=(.*)$/gm)) {
        const settings = { PWGEN_PORT: PORT, MAINPID };
        const started = await end(spawn("bash", ["-c", command!], settings));
        assertEquals(started.code, 0, command);
      }
      await more();
      // On a busy machine, a health check finds it later than the unit waits.
      await until(() => lines(0) > 10);
    }
  } finally {
    isOver = true;
    await Promise.all(load);
  }
  assertEquals(failures, []);
}

/** Settings under which a restart loses no request. */
const RESTARTED = {
  ...PROXIED,
  PWGEN_ACCESS_LOG: "json",
  PWGEN_RATE_LIMIT: "10000",
  PWGEN_METRICS: "on",
  PWGEN_DRAIN_DELAY: /PWGEN_DRAIN_DELAY=(\d+)/.exec(UNIT)![1]!,
};

/** Registers the tests of a kind of proxy. */
export async function testProxy(kind: Kind): Promise<void> {
  const { config, program } = kind;
  const reason = await missing(program);
  const onProxy = unless(reason);
  const onProxyWithRedis = unless(reason || NO_REDIS);

  onProxy.test(`${config}: what clients send and get, and what the logs have`, async (t) => {
    const env = { ...PROXIED, PWGEN_METRICS: "on", PWGEN_ACCESS_LOG: "json" };
    await using site = await startSite(kind, env, kind.behindCdn);
    const [first, second] = site.services as [Running, Running];

    for (const [subject, table] of Object.entries(RUNNING)) {
      await t.step(subject, () => exchangeAll(site, subject, table));
    }
    await t.step(program, () => exchangeAll(site, program, kind.running));

    await t.step("one limit, whatever address is claimed", async () => {
      for (let left = 59; left >= -1; left--) {
        const response = await post(site, "127.0.0.2", {
          "x-forwarded-for": `198.51.100.${left + 1}`,
          "forwarded": `for=198.51.100.${left + 1}`,
          "x-real-ip": `198.51.100.${left + 1}`,
        });
        const field = `"default";r=${Math.max(left, 0)};`;
        assertEquals(response.headers.get("ratelimit")?.slice(0, -4), field);
        if (left >= 0) assertEquals(response.status, 200);
        else await readProblem(response, 429, WORDS);
      }
      const { headers } = await post(site, "127.0.0.3");
      assertMatch(headers.get("ratelimit")!, /^"default";r=59;/);
    });

    await t.step(
      "nobody outside sees /metrics",
      () => assertNoMetrics(site, ""),
    );

    await t.step("no CONNECT reaches the service", async () => {
      // Deno takes the body of a CONNECT for the next request.
      const body = "DELETE /smuggled HTTP/1.1\r\nHost: localhost\r\n\r\n";
      for (
        const target of ["localhost:443", "localhost", "/healthz", WORDS]
      ) {
        using connection = await RawConnection.connectTls(site.https);
        const head = `CONNECT ${target} HTTP/1.1\r\nHost: localhost\r\n`;
        const length = `Content-Length: ${body.length}\r\n\r\n`;
        await connection.write(head + length + body);
        assertMatch(await connection.readHead(), kind.connect);
      }
      const fields = { ":method": "CONNECT", ":authority": "localhost" };
      if (kind.hasHttp2) await sendHttp2(site, fields, body);
    });

    await t.step("no client with Expect ends the proxy", async () => {
      // The service refuses them before a body has arrived.
      const text = expecting(["Transfer-Encoding: chunked"]);
      await Promise.all(Array.from({ length: 50 }, async () => {
        for (let i = 0; i < 10; i++) {
          using connection = await RawConnection.connectTls(site.https);
          await connection.write(text);
          assertMatch(await connection.readHead(), /^HTTP\/1\.1 /);
        }
      }));
      for (const [body, status] of [["{}", 200], ["[]", 400]] as const) {
        const client = "X-Forwarded-For: 198.51.100.3";
        const [connection] = await hold(site, 1, () => client);
        await connection!.write(body);
        assertEquals((await connection!.read()).status, status);
        connection![Symbol.dispose]();
      }
    });

    const { inFlight, logLine } = kind;
    if (inFlight) {
      await t.step("an IPv6 /64 has 60 requests in flight", async () => {
        // 0x0a and 0 are bytes that a regular expression could treat in a special way.
        const hosts = ["0:a0a", "a0a:0", "0:1", "a:a"];
        const held = await hold(
          site,
          60,
          (i) => `X-Forwarded-For: 2001:db8:a0a:0:${hosts[i % 4]}::${i}`,
        );
        await exchangeAll(site, "in flight", inFlight);
        await held[0]!.write("{}");
        assertEquals((await held[0]!.read()).status, 200);
        const fields = {
          request: `POST ${WORDS}`,
          "x-forwarded-for": "2001:db8:a0a::ffff",
        };
        await until(async () => (await send(site, fields)).status === 200);
        for (const connection of held) connection[Symbol.dispose]();
      });
    }

    await t.step("processes that hang", async () => {
      first.process.kill("SIGSTOP");
      try {
        if (kind.sendsBodyTwice) {
          assertEquals((await post(site, "127.0.0.5")).status, 200);
        }
        await until(async () => (await post(site, "127.0.0.6")).status === 200);
        second.process.kill("SIGSTOP");
        // A client whose body does not arrive waits longer than others.
        using slow = await RawConnection.connectTls(site.https);
        await slow.write(expecting(["Content-Length: 2"]));
        let isOver = false;
        slow.readToEnd().then(() => isOver = true, () => {});
        await exchangeAll(site, "hung", HUNG);
        assert(!isOver);
      } finally {
        for (const { process } of site.services) process.kill("SIGCONT");
      }
    });

    await t.step("private logs, and ids of the proxy", async () => {
      const forged = "0123456789abcdef0123456789abcdef";
      for (const name of ["x-request-id", "x_request_id"]) {
        const { headers } = await post(site, "127.0.0.7", {
          [name]: forged,
        });
        assertEquals(headers.get("x-request-id"), null);
      }
      const ids = new Set<string>();
      for (const service of [first, second]) {
        const { stdout } = await stop(service);
        assert(!/"method":"(CONNECT|DELETE|other)"/.test(stdout), stdout);
        for (const line of stdout.trim().split("\n")) {
          const { message, requestId } = JSON.parse(line);
          // Requests that hung may be logged after the stop.
          if (/^pwgen-api |^Stopping: /.test(message)) continue;
          assertMatch(requestId, kind.requestId);
          assert(requestId !== forged, line);
          ids.add(requestId);
        }
      }
      await exchangeAll(site, "down", DOWN);
      await post(site, "127.0.0.8");

      const { stdout, stderr } = await stop(site.proxy);
      const log = stdout + stderr;
      assert(
        !/hunter2|127\.0\.0\.[2-9]|198\.51|2001:db8/.test(log),
        log,
      );
      if (!logLine) return;
      const statuses = new Set<string>();
      for (const text of stdout.trim().split("\n")) {
        assertMatch(text, logLine);
        const [, status, id] = logLine.exec(text)!;
        statuses.add(status!);
        // The service has the same ids in its own log.
        if (status === "200") assert(ids.has(id!), text);
      }
      for (const status of ["308", "403", "413", "429", "502", "504"]) {
        assert(statuses.has(status), status);
      }
    });
  });

  onProxy.test(`${config}: below /pw, with a backup that loses no request in a restart`, async (t) => {
    const changes = [kind.belowPrefix, kind.shortTimes, kind.longTimes]
      .flat();
    await using site = await startSite(kind, RESTARTED, changes);
    const root = `https://localhost:${site.https}/pw/`;
    using client = await tlsClient();
    const get = async (url: string, init: RequestInit = {}) => {
      const response = await fetch(url, { ...init, client });
      return { status: response.status, text: await response.text() };
    };

    await t.step("every URL of the pages leads to the service", async () => {
      const { origin } = new URL(root);
      const seen = new Set([root]);
      for (const url of seen) { // which grows
        const { status, text } = await get(url);
        assertEquals(status, 200, url);
        const links = text.matchAll(
          /(?: href=| src=| from|import\()"([^"]+)"/g,
        );
        for (const [, link] of links) {
          const target = new URL(link!, url);
          if (target.origin === origin) {
            seen.add(target.href.replace(/#.*/, ""));
          }
        }
      }
      const paths = Object.keys(SITE).filter((path) => path !== "/docs/");
      const urls = paths.map((path) => root + path.slice(1));
      assertEquals([...seen].sort(), urls.sort());
    });

    await t.step("the OpenAPI document leads to the API", async () => {
      const url = `${root}openapi/v1.json`;
      const [server] = JSON.parse((await get(url)).text).servers;
      // A client joins the server and the path of an operation.
      const base = new URL(server.url, url).href.replace(/\/$/, "");
      const headers = { "content-type": "application/json" };
      const init = { method: "POST", headers, body: "{}" };
      assertMatch((await get(base + WORDS, init)).text, /"type":"words"/);
    });

    await t.step("other paths", () => exchangeAll(site, "/pw", BELOW_PW));

    await t.step("the rest of the host is not the service", async () => {
      for (const path of ["docs", "pwdocs"]) {
        const { text } = await get(new URL(`/${path}`, root).href);
        assert(!text.includes("Password Generation API"), path);
      }
    });

    await t.step(
      "nobody outside sees /metrics",
      () => assertNoMetrics(site, "/pw"),
    );

    await t.step({
      name: `a browser can use the pages${CHROMIUM ? "" : ` (${SKIPPED})`}`,
      ignore: !CHROMIUM,
      fn: async () => {
        await using browser = await Browser.open();
        const ignore = "Security.setIgnoreCertificateErrors";
        await browser.cdp(ignore, { ignore: true });
        await browser.go(root.slice(0, -1));
        await browser.until(
          "document.querySelector('#password').textContent",
        );
        assertEquals((await browser.url()).split("#")[0], root);
        await browser.go(`${root}docs`);
        const command = await browser.text("pre");
        assert(command.includes(`'${root}api/pwgen/words'`), command);
        assertEquals(await browser.console(), []);
      },
    });

    await t.step("a slow client gets no status 200", async () => {
      const begin = performance.now();
      const slow = "POST /pw/ HTTP/1.1\r\nHost: localhost\r\nX-Slow: ";
      const body = `POST /pw${WORDS} HTTP/1.1\r\nHost: localhost\r\n` +
        "Connection: close\r\nContent-Type: application/json\r\n" +
        "Content-Length: 2\r\n\r\n{";
      await Promise.all(["", slow, body].map(async (text) => {
        using connection = await RawConnection.connectTls(site.https);
        await connection.write(text);
        const timer = setInterval(() => {
          if (text === slow) connection.write("x").catch(() => {});
        }, 100);
        // It is empty if the proxy has reset the connection.
        assertMatch(await connection.readToEnd(), /^$|^HTTP\/1\.1 408 /);
        clearInterval(timer);
        const seconds = (performance.now() - begin) / 1000;
        assert(seconds > 1.9, `${seconds} s`);
      }));
    });

    await t.step("a restart", () =>
      restartUnderLoad(site, RESTARTED, {
        isShared: false,
        path: `/pw${WORDS}`,
      }));

    await t.step("a process ends while it answers", async () => {
      const [first, second] = site.services as [Running, Running];
      await stop(first);
      second.process.kill("SIGSTOP");
      const row = `POST /pw${WORDS} => 50[23] | proxy`;
      const cut = exchangeAll(site, "cut", `request => status | by\n${row}`);
      // Later Caddy finds that the process has ended, and responds with 503.
      await pause(500);
      await stop(second, "SIGKILL");
      await cut;
    });

    await t.step("no process runs", async () => {
      await exchangeAll(site, "down", DOWN_BELOW_PW);
    });
  });

  onProxyWithRedis.test(`${config}, two on Redis: no request fails in a restart`, async () => {
    await using redis = await startRedis();
    const env = { ...RESTARTED, PWGEN_RATE_LIMIT_STORE: redis.url };
    const changes = [...kind.withSharedStore, ...kind.longTimes];
    await using site = await startSite(kind, env, changes);
    await restartUnderLoad(site, env, { isShared: true });
  });
}
