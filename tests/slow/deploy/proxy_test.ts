/** The configurations of reverse proxies in deploy/, run by these proxies. */
import { SITE } from "../../../routes/site/mod.ts";
import { assert, assertEquals, assertMatch } from "@std/assert";
import http2 from "node:http2";
import { UPGRADE_TO_HTTP2 } from "../../helpers/connection.ts";
import { tempDir } from "../../helpers/files.ts";
import { fetchHttp2 } from "../../helpers/http2.ts";
import {
  CERT,
  end,
  freePorts,
  HANG_MS,
  isInstalled,
  isListening,
  KEY,
  missing,
  post as send,
  type Program,
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
import { Browser, CHROMIUM, SKIPPED } from "../../helpers/webdriver.ts";

// The PATH of a user other than root may not contain it.
Deno.env.set("PATH", `${Deno.env.get("PATH")}:/usr/sbin`);

/** A change of a configuration: what, by what, and how often it occurs (once). */
type Change = [from: string | RegExp, to: string, count?: number];

/** A kind of reverse proxy, and the file with its configuration. */
interface Kind {
  /** The name of its program. */
  program: string;
  config: string;
  /** The changes for every test. */
  changes: (ports: Ports) => Change[];
  /** The arguments of the program. */
  args: (config: string, folder: string) => string[];
  /** Whether the proxy itself rejects a large body. */
  rejectsLarge: boolean;
  /** The changes for services with a shared store. */
  withSharedStore: Change[];
  /** The changes for services below /pw, as the comments describe them. */
  belowPrefix: Change[];
  /** The changes to 2 s of the times in which header and body must arrive. */
  shortTimes: Change[];
  /** The changes to a minute of the times in which a process must respond. */
  longTimes: Change[];
  /** The changes for clients of a CDN, whose only machine has this address. */
  behindCdn: (address: string) => Change[];
  /** The form of the request ids that the proxy makes. */
  requestId: RegExp;
}

interface Ports {
  http: number;
  https: number;
  services: number[];
}

/** The changes that both configurations need. */
function commonChanges({ services }: Ports): Change[] {
  return [
    ["127.0.0.1:8000", `127.0.0.1:${services[0]}`],
    ["127.0.0.1:8001", `127.0.0.1:${services[1]}`],
    ["/etc/ssl/pwgen/cert.pem", CERT],
    ["/etc/ssl/pwgen/key.pem", KEY],
  ];
}

const NGINX: Kind = {
  program: "nginx",
  config: "deploy/nginx.conf",
  rejectsLarge: true,
  withSharedStore: [["max_fails=0 backup;", "max_fails=0;"]],
  belowPrefix: [
    [/^ *location \/ \{\n *proxy_pass .*\n/gm, ""],
    ["#location", "location", 2],
    ["#    proxy_pass", "proxy_pass"],
  ],
  shortTimes: [
    ["client_header_timeout 5s;", "client_header_timeout 2s;"],
    ["client_body_timeout 10s;", "client_body_timeout 2s;"],
  ],
  longTimes: [
    ["proxy_connect_timeout 500ms;", "proxy_connect_timeout 60s;"],
    ["proxy_read_timeout 1500ms;", "proxy_read_timeout 60s;"],
  ],
  behindCdn: (address) => [
    [/#(?=set_real_ip_from |real_ip_)/g, "", 4],
    ["192.0.2.0/24", address],
  ],
  changes: (ports) => [
    [/^ *listen \[::\].*\n/gm, "", 2],
    ["listen 80;", `listen ${ports.http};`],
    ["listen 443 ", `listen ${ports.https} `],
    ["/var/log/nginx/error.log", "stderr"],
    ["/var/log/nginx/access.log", "/dev/stdout"],
    ...commonChanges(ports),
  ],
  requestId: /^[0-9a-f]{32}$/,
  args: (config, folder) => [
    "-c",
    config,
    "-p",
    folder,
    "-e",
    "stderr",
    "-g",
    `daemon off; pid ${folder}/nginx.pid;`,
  ],
};

const CADDY: Kind = {
  program: "caddy",
  config: "deploy/Caddyfile",
  rejectsLarge: false,
  withSharedStore: [["BALANCING:first", "BALANCING:least_conn"]],
  belowPrefix: [
    ["\thandle {\n", ""],
    ["#redir", "redir"],
    ["#handle_path", "handle_path"],
  ],
  // The time for a body is that of the service.
  shortTimes: [["read_header 10s\n", "read_header 2s\n"]],
  longTimes: [
    ["health_timeout 1s\n", "health_timeout 60s\n"],
    ["dial_timeout 500ms\n", "dial_timeout 60s\n"],
    ["response_header_timeout 1500ms\n", "response_header_timeout 60s\n"],
  ],
  behindCdn: (address) => [
    ["#trusted_proxies", "trusted_proxies"],
    ["192.0.2.0/24", address],
  ],
  changes: (ports) => [
    ["admin off", `admin off\nhttp_port ${ports.http}`],
    ["admin off", `admin off\nhttps_port ${ports.https}`],
    // Caddy serves only this name, and the certificate is for localhost.
    ["pwgen.example.com", "localhost"],
    ...commonChanges(ports),
  ],
  requestId: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, // a UUID
  args: (config) => ["run", "--adapter", "caddyfile", "--config", config],
};

const WORDS = "/api/pwgen/words";

const UNIT = await Deno.readTextFile(`${ROOT}deploy/pwgen-api.service`);

/** Starts a proxy, with the configuration changed for a test. */
async function spawnProxy(
  kind: Kind,
  changes: Change[],
  ports: Ports,
  folder: string,
): Promise<Program> {
  let config = await Deno.readTextFile(ROOT + kind.config);
  for (const [from, to, count = 1] of [...kind.changes(ports), ...changes]) {
    assertEquals(config.split(from).length - 1, count, String(from));
    config = config.replaceAll(from, () => to);
  }
  const file = `${folder}/config`;
  await Deno.writeTextFile(file, config);
  return spawn(kind.program, kind.args(file, folder), {
    XDG_DATA_HOME: folder,
    XDG_CONFIG_HOME: folder,
  });
}

/** Two services behind a proxy. */
interface Site extends AsyncDisposable {
  http: number;
  https: number;
  services: Running[];
  proxy: Program;
}

async function startSite(
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
  const folder = stack.use(await tempDir()).path;
  const ports = { http, https, services: services.map(({ port }) => port) };
  const proxy = await spawnProxy(kind, changes, ports, folder);
  stack.defer(async () => void await stop(proxy));
  // A proxy does not report that it listens.
  for (const port of [http, https]) {
    await until(() => isListening(port));
  }
  const running = stack.move();
  return {
    http,
    https,
    services,
    proxy,
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

/** A client with one of the addresses of this machine. */
const clientAt = (localAddress: string) => tlsClient({ localAddress });

/** Connects to the proxy, for requests that no HTTP client sends. */
async function connect(
  { https }: Site,
  options: { alpnProtocols?: string[] } = {},
): Promise<Deno.TlsConn> {
  return await Deno.connectTls({
    ...options,
    port: https,
    hostname: "localhost",
    caCerts: [await Deno.readTextFile(CERT)],
  });
}

/** Sends a text, and returns what arrives first. */
async function exchange(connection: Deno.Conn, text: string): Promise<string> {
  await connection.write(new TextEncoder().encode(text));
  const buffer = new Uint8Array(4096);
  const size = await connection.read(buffer);
  return new TextDecoder().decode(buffer.subarray(0, size ?? 0));
}

/** The header of a POST request, and the begin of its body. */
const rawPost = (path: string, fields: string[], body = "{}") =>
  [
    `POST ${path} HTTP/1.1`,
    "Host: localhost",
    "Content-Type: application/json",
    ...fields,
    `\r\n${body}`,
  ].join("\r\n");

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
    ...["//", "/./", "/a/../", "/%2e/", "/%2f", "/;/", "/\\"]
      .map((begin) => `${prefix}${begin}metrics`),
    ...["#a", "%00", ";a", "?a", "%23", "%3f", "/.", "/a/.."]
      .map((end) => path + end),
    "metrics",
    "x:metrics",
    "x:http:http://localhost/metrics",
  ];
}

/** What the proxy sends over HTTP/2; undefined if it does not have it. */
async function fetchSecond(
  site: Site,
  fields: Record<string, string>,
  body?: string,
): Promise<string | undefined> {
  using secure = await connect(site, { alpnProtocols: ["h2", "http/1.1"] });
  if ((await secure.handshake()).alpnProtocol !== "h2") return undefined;
  const ca = await Deno.readTextFile(CERT);
  const session = http2.connect(`https://localhost:${site.https}`, { ca });
  const received = await fetchHttp2(session, fields, body)
    .then(({ body }) => body.toString(), () => "closed");
  session.destroy();
  return received;
}

/** What the proxy sends for a target over HTTP/1.1, and over HTTP/2 if it has it. */
async function fetchTarget(site: Site, target: string): Promise<string> {
  using connection = await connect(site);
  const head = `GET ${target} HTTP/1.1\r\nHost: localhost\r\n`;
  const first = await exchange(connection, `${head}Connection: close\r\n\r\n`)
    .catch(() => "closed");
  const second = await fetchSecond(site, { ":path": target });
  return first + (second ?? "");
}

/** The lines of the access log of a service, which ends. */
async function accessLog(service: Running): Promise<string[]> {
  const { stdout } = await stop(service);
  return stdout.trim().split("\n").slice(1, -1); // start and stop
}

/** Requests words through the proxy. */
async function post(
  { https }: Site,
  client: Deno.HttpClient,
  body: BodyInit = "{}",
  fields: Record<string, string> = {},
): Promise<{ status: number; headers: Headers; text: string }> {
  const url = `https://localhost:${https}${WORDS}?length=hunter2`;
  const response = await send(url, body, fields, { client });
  const { status, headers } = response;
  return { status, headers, text: await response.text() };
}

/** Registers a test of a restart, with changes of the configuration. */
async function testRestart(
  proxy: Kind,
  { isShared, changes }: { isShared: boolean; changes: Change[] },
): Promise<void> {
  const { config, program } = proxy;
  const services = isShared ? "two on Redis" : "one and a backup";
  const noRedis = isShared ? NO_REDIS : "";
  unless(await missing(program) || noRedis).test(
    `${config}, ${services}: no request fails in a restart`,
    async () => {
      await using redis = isShared ? await startRedis() : undefined;
      const env = {
        PWGEN_TRUSTED_PROXIES: "loopback",
        PWGEN_RATE_LIMIT_STORE: redis?.url ?? "memory",
        PWGEN_ACCESS_LOG: "json",
        PWGEN_RATE_LIMIT: "10000",
        PWGEN_DRAIN_DELAY: /PWGEN_DRAIN_DELAY=(\d+)/.exec(UNIT)![1]!,
      };
      await using site = await startSite(proxy, env, changes);
      const failures: string[] = [];
      let requests = 0;
      let isOver = false;
      const load = Array.from({ length: 20 }, async (_, i) => {
        using client = await clientAt(`127.0.1.${i}`);
        while (!isOver) {
          await post(site, client).then(({ status, text }) => {
            if (status !== 200) failures.push(`${status} ${text}`);
          }, (error) => failures.push(String(error)));
          requests++;
        }
      });
      /** Waits for responses to requests that arrived after this moment too. */
      const more = () => {
        const enough = requests + 100;
        return until(() => requests >= enough);
      };
      const lines = (i: number) =>
        site.services[i]!.stdout.text.split("\n").length;
      // Requests arrive before, during and after each restart.
      try {
        await more();
        assertEquals(lines(1) > 10, isShared);
        for (const [i, service] of site.services.entries()) {
          // As "systemctl restart" does for one process after the other.
          assertEquals((await stop(service)).code, 0);
          const PORT = String(service.port);
          const next = await serveDirectly({ ...env, PORT });
          site.services[i] = next;
          const MAINPID = String(next.process.pid);
          for (const [, command] of UNIT.matchAll(/^ExecStartPost=(.*)$/gm)) {
            const settings = { PWGEN_PORT: PORT, MAINPID };
            const started = await end(
              spawn("bash", ["-c", command!], settings),
            );
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
    },
  );
}

for (const kind of [NGINX, CADDY]) {
  const { config, program } = kind;
  const onProxy = unless(await missing(program));
  const start = (env: Record<string, string>, changes: Change[] = []) =>
    startSite(kind, env, changes);

  for (const prefix of ["", "/pw"]) {
    onProxy.test(`${config}: at ${prefix}/: pages, API and metrics`, async (t) => {
      const env = { PWGEN_TRUSTED_PROXIES: "loopback", PWGEN_METRICS: "on" };
      const changes = prefix === "" ? [] : kind.belowPrefix;
      await using site = await start(env, changes);
      using client = await clientAt("127.0.0.2");
      const root = `https://localhost:${site.https}${prefix}/`;
      const get = async (url: string, init: RequestInit = {}) => {
        const options = { redirect: "manual", ...init, client } as const;
        const response = await fetch(new URL(url, root), options);
        return { response, text: await response.text() };
      };

      await t.step("every URL of the pages leads to the service", async () => {
        const seen = new Set<string>();
        for (const url of [root, `${root}docs`, `${root}page/page.js`]) {
          const { response, text } = await get(url);
          assertEquals(response.status, 200, url);
          const links = text.matchAll(/(?: href=| src=|import\()"([^"]+)"/g);
          for (const [, link] of links) {
            seen.add(new URL(link!, url).href.replace(/#.*/, ""));
          }
        }
        const paths = Object.keys(SITE).filter((path) => path !== "/docs/");
        const urls = paths.map((path) => root + path.slice(1));
        assertEquals([...seen].sort(), urls.sort());
        for (const url of seen) {
          assertEquals((await get(url)).response.status, 200, url);
        }
      });

      await t.step("a redirect is 308 to a relative URL", async () => {
        const targets = { [`${root}docs/?a=b`]: `${root}docs` };
        const bare = root.slice(0, -1);
        if (prefix !== "") targets[bare] = targets[`${bare}?a=b`] = root;
        for (const [from, to] of Object.entries(targets)) {
          const { response } = await get(from);
          assertEquals(response.status, 308, from);
          const location = response.headers.get("location")!;
          // It is right also if the client sees another host or port.
          assertMatch(location, /^[./]/);
          assertEquals(new URL(location, from).href, to);
        }
      });

      await t.step("documents stay compressed, with their ETags", async () => {
        const encoded = { "accept-encoding": "br" };
        const { response } = await get(root, { headers: encoded });
        const etag = response.headers.get("etag")!;
        const known = { ...encoded, "if-none-match": etag };
        const again = await get(root, { headers: known });
        assertEquals(again.response.status, 304);
        const headers = { "accept-encoding": "gzip", "if-none-match": etag };
        assertEquals((await get(root, { headers })).response.status, 200);
      });

      await t.step("the OpenAPI document leads to the API", async () => {
        const url = `${root}openapi/v1.json`;
        const [server] = JSON.parse((await get(url)).text).servers;
        // A client joins the server and the path of an operation.
        const { href } = new URL(server.url, url);
        const { response, text } = await get(href.replace(/\/$/, "") + WORDS, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: "{}",
        });
        assertEquals([response.status, JSON.parse(text).type], [200, "words"]);
      });

      await t.step("the proxy does not forward /metrics", async () => {
        const paths = [
          "metrics",
          "metrics?a=b",
          "%6detrics",
          "/metrics",
          "metrics/",
          "METRICS",
          "x/metrics",
        ];
        for (const path of paths) {
          for (const method of ["GET", "HEAD"]) {
            const { response, text } = await get(root + path, { method });
            assertEquals(response.status, 404, path);
            assert(!text.includes("pwgen_"), text);
          }
        }
        for (const target of metricsTargets(prefix)) {
          const text = await fetchTarget(site, target);
          assert(!text.includes("pwgen_"), text);
        }
        // The service has seen none of these requests.
        for (const { url } of site.services) {
          const text = await (await fetch(`${url}/metrics`)).text();
          assertMatch(text, /^pwgen_build_info/m);
          assert(!/^.*route="\/metrics".* [1-9]/m.test(text), text);
        }
      });

      if (prefix === "") return;
      await t.step("other paths are not those of the service", async () => {
        for (const path of ["/docs", "/pwdocs"]) {
          const { text } = await get(path);
          assert(!text.includes("Password Generation API"), path);
        }
      });

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
    });
  }

  onProxy.test(`${config}: the access log has the request id of the proxy, not that of the client`, async () => {
    const env = { PWGEN_TRUSTED_PROXIES: "loopback", PWGEN_ACCESS_LOG: "json" };
    await using site = await start(env);
    using client = await clientAt("127.0.0.2");
    const forged = "0123456789abcdef0123456789abcdef";
    for (const name of ["x-request-id", "X-Request-ID", "x_request_id"]) {
      const fields = { [name]: forged };
      const { status, headers } = await post(site, client, "{}", fields);
      assertEquals([status, headers.get("x-request-id")], [200, null]);
    }
    const lines = await accessLog(site.services[0]!);
    assert(!lines.join().includes(forged), lines.join());
    const ids = lines.map((line) => JSON.parse(line).requestId);
    for (const id of ids) assertMatch(id, kind.requestId);
    assertEquals([ids.length, new Set(ids).size], [3, 3]);
  });

  onProxy.test(`${config}: no CONNECT reaches the service`, async () => {
    const env = { PWGEN_TRUSTED_PROXIES: "loopback", PWGEN_ACCESS_LOG: "json" };
    await using site = await start(env);
    // Deno takes the body of a CONNECT for the next request.
    const body = "GET /smuggled HTTP/1.1\r\nHost: localhost\r\n\r\n";
    for (const target of [`localhost:${site.https}`, "localhost", "/healthz"]) {
      using connection = await connect(site);
      const head = `CONNECT ${target} HTTP/1.1\r\nHost: localhost\r\n` +
        `Content-Length: ${body.length}\r\n\r\n`;
      const reply = await exchange(connection, head + body);
      assertMatch(reply, /^HTTP\/1\.1 40[05] /);
    }
    const fields = { ":method": "CONNECT", ":authority": "localhost" };
    const reply = await fetchSecond(site, fields, body);
    assertEquals(reply !== undefined, config === "deploy/Caddyfile");
    for (const service of site.services) {
      assertEquals(await accessLog(service), []);
    }
  });

  onProxy.test(`${config}: no client with "Expect: 100-continue" ends the proxy`, async () => {
    const env = {
      PWGEN_TRUSTED_PROXIES: "loopback",
      PWGEN_RATE_LIMIT: "10000",
    };
    await using site = await start(env);
    const expect = "Expect: 100-continue";
    // 500 requests, fewer than the budget.
    const chunked = rawPost(WORDS, ["Transfer-Encoding: chunked", expect], "");
    await Promise.all(Array.from({ length: 50 }, async () => {
      for (let i = 0; i < 10; i++) {
        using connection = await connect(site);
        assertMatch(await exchange(connection, chunked), /^HTTP\/1\.1 /);
      }
    }));
    for (
      const [path, body, status] of [
        [WORDS, "{}", 200],
        [WORDS, "{", 400],
        ["/unknown", "{}", 404],
      ] as const
    ) {
      using connection = await connect(site);
      const fields = [`Content-Length: ${body.length}`, expect];
      const begin = await exchange(connection, rawPost(path, fields, ""));
      assertMatch(begin, /^HTTP\/1\.1 100 /);
      const reply = await exchange(connection, body);
      assertMatch(reply, RegExp(`^HTTP/1\\.1 ${status} `));
    }
  });

  onProxy.test(`${config}: a request to change the protocol gets a password`, async () => {
    await using site = await start({ PWGEN_TRUSTED_PROXIES: "loopback" });
    using connection = await connect(site);
    // Java's HttpClient sends these, and "curl --http2" with http.
    const reply = await exchange(
      connection,
      rawPost(WORDS, [...UPGRADE_TO_HTTP2, "Content-Length: 2"]),
    );
    assertMatch(reply, /^HTTP\/1\.1 200 /);
  });

  onProxy.test(`${config}: behind a CDN, each client has its own limit`, async () => {
    const env = { PWGEN_TRUSTED_PROXIES: "127.0.0.1,127.0.0.2" };
    await using site = await start(env, kind.behindCdn("127.0.0.2"));
    const remaining = async (client: Deno.HttpClient, address: string) => {
      // The CDN adds the last entry, and the client may send others.
      const fields = { "x-forwarded-for": `203.0.113.1, ${address}` };
      const { headers } = await post(site, client, "{}", fields);
      return /;r=(\d+)/.exec(headers.get("ratelimit")!)![1];
    };
    using cdn = await clientAt("127.0.0.2");
    assertEquals(await remaining(cdn, "198.51.100.1"), "59");
    assertEquals(await remaining(cdn, "198.51.100.2"), "59");
    assertEquals(await remaining(cdn, "198.51.100.1"), "58");
    // No other client can choose its address.
    using other = await clientAt("127.0.0.3");
    assertEquals(await remaining(other, "198.51.100.3"), "59");
    assertEquals(await remaining(other, "198.51.100.4"), "58");
  });

  onProxy.test(`${config}: the proxy closes a connection after its time for header or body, without status 200`, async () => {
    await using site = await start({}, kind.shortTimes);
    const begin = performance.now();
    const slow = "X-Slow: ";
    const texts = [
      "",
      `POST / HTTP/1.1\r\nHost: localhost\r\n${slow}`,
      `POST ${WORDS} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n` +
      "Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{",
    ];
    await Promise.all(texts.map(async (text) => {
      using connection = await connect(site);
      await connection.write(new TextEncoder().encode(text));
      // The second connection sends a byte every 100 ms.
      const timer = setInterval(() => {
        if (text.endsWith(slow)) {
          connection.write(Uint8Array.of(0x78)).catch(() => {});
        }
      }, 100);
      // It is empty if the proxy has reset the connection.
      const received = await new Response(connection.readable).text()
        .catch(() => "");
      assertMatch(received, /^$|^HTTP\/1\.1 408 /);
      clearInterval(timer);
      const seconds = (performance.now() - begin) / 1000;
      assert(seconds > 1.9, `${seconds} s`);
    }));
  });

  onProxy.test(`${config}: a process that hangs costs a client a short time`, async () => {
    await using site = await start({ PWGEN_TRUSTED_PROXIES: "loopback" });
    using client = await clientAt("127.0.0.2");
    const [service] = site.services as [Running, Running];
    // The proxy keeps this connection and uses it again.
    assertEquals((await post(site, client)).status, 200);
    service.process.kill("SIGSTOP");
    try {
      for (let i = 0; i < 3; i++) {
        const begin = performance.now();
        const { status } = await post(site, client);
        const ms = performance.now() - begin;
        // The times are 1.5 s in the configuration.
        // deno-lint-ignore no-console
        console.log(`  ${status} after ${ms.toFixed()} ms`);
        // Caddy 2.6 sends no body twice (caddyserver/caddy#7547).
        if (config === "deploy/nginx.conf") assertEquals(status, 200);
      }
      await until(async () => (await post(site, client)).status === 200);
    } finally {
      service.process.kill("SIGCONT");
    }
  });

  onProxy.test(`${config}: HTTPS, limits and a private log`, async (t) => {
    const env = { PWGEN_TRUSTED_PROXIES: "loopback" };
    await using site = await start(env);
    using one = await clientAt("127.0.0.2");
    using other = await clientAt("127.0.0.3");

    await t.step("no password is compressed or kept by a cache", async () => {
      using connection = await connect(site);
      const body = '{"count":100}';
      const fields = [
        `Content-Length: ${body.length}`,
        "Accept-Encoding: gzip, br",
      ];
      const reply = await exchange(connection, rawPost(WORDS, fields, body));
      assertMatch(reply, /^HTTP\/1\.1 200 [^]*^cache-control: no-store\r$/im);
      assert(!/^content-encoding:/im.test(reply), reply);
    });

    await t.step("a response over HTTPS has HSTS", async () => {
      const { status, headers, text } = await post(site, one);
      assertEquals([status, JSON.parse(text).type], [200, "words"]);
      assertEquals(
        headers.get("strict-transport-security"),
        "max-age=31536000",
      );
    });

    await t.step({
      name: "over HTTP, pages are redirected and the API is refused",
      ignore: !await isInstalled("curl"),
      fn: async () => {
        const curl = (path: string, ...args: string[]) => {
          const url = `http://127.0.0.1:${site.http}${path}`;
          args.push("-sS", "--path-as-is", "-H", "x-forwarded-proto: https");
          return end(spawn("curl", [...args, "-w", "%{redirect_url}", url]));
        };
        const refused = [WORDS, `/pw${WORDS}?a=b`, `/${WORDS}`, "/%61pi/x"];
        for (const path of refused) {
          for (const host of ["localhost", "192.0.2.1"]) {
            const post = ["-d", "{}", "-H", `host: ${host}`];
            // A script that keeps the output has a status, and nothing to keep.
            const { code, stdout } = await curl(path, "-f", ...post);
            assertEquals([code, stdout], [22, ""], `${host}${path}`);
            // Without -f the output is an error, not a page.
            const { stdout: body } = await curl(path, ...post);
            assertMatch(body, /^$|^\{"title":"Forbidden","status":403,/);
          }
        }
        // A target without a path is no page, and not a part of the host.
        const pathless = ["--request-target", "x:.example.org/"];
        const { stdout } = await curl("/", "-o", "/dev/null", ...pathless);
        assertEquals(stdout, "");
        for (const path of ["/", "/docs?a=b", "/api"]) {
          const { stdout } = await curl(path, "-o", "/dev/null");
          const url = /^https:\/\/(127\.0\.0\.1|pwgen\.example\.com)\//;
          assertEquals(stdout.replace(url, "/"), path);
        }
      },
    });

    await t.step("one limit, whatever address is claimed", async () => {
      const statuses = [];
      for (let i = 0; i < 69; i++) {
        const { status } = await post(site, one, "{}", {
          "x-forwarded-for": `198.51.100.${i}`,
          "forwarded": `for=198.51.100.${i}`,
          "x-real-ip": `198.51.100.${i}`,
        });
        statuses.push(status);
      }
      // The first step has used 1 of 60 requests.
      const [admitted, refused] = [Array(59).fill(200), Array(10).fill(429)];
      assertEquals(statuses, [...admitted, ...refused]);
      const { status, headers } = await post(site, other);
      assertEquals(status, 200);
      assertMatch(headers.get("ratelimit")!, /^"default";r=59;/);
    });

    await t.step("a body has at most 16 KiB", async () => {
      const large = "{}".padEnd(16 * 1024 + 1);
      for (const body of [large, new Blob([large]).stream()]) {
        const { status, headers } = await post(site, other, body);
        assertEquals(status, 413);
        if (kind.rejectsLarge) assert(!headers.has("ratelimit"));
      }
      const { status } = await post(site, other, "{}".padEnd(16 * 1024));
      assertEquals(status, 200);
    });

    await t.step("the log has no address and no query string", async () => {
      for (const service of site.services) await stop(service);
      const { status } = await post(site, other); // no service runs
      assert(status >= 500, String(status));
      const log = site.proxy.stdout.text + site.proxy.stderr.text;
      for (const secret of ["hunter2", "127.0.0.2", "127.0.0.3"]) {
        assert(!log.includes(secret), log);
      }
    });
  });

  await testRestart(kind, { isShared: false, changes: kind.longTimes });
  const changes = [...kind.withSharedStore, ...kind.longTimes];
  await testRestart(kind, { isShared: true, changes });
}

/** A request that nginx counts, and whose body arrives at `finish()`. */
async function holdRequest(
  site: Site,
  field = "X-Other: 1",
): Promise<{ finish(): Promise<void> }> {
  const connection = await connect(site);
  const fields = [field, "Content-Length: 2", "Expect: 100-continue"];
  const begin = rawPost(WORDS, fields, "");
  assertMatch(await exchange(connection, begin), /^HTTP\/1.1 100 /);
  return {
    finish: async () => {
      assertMatch(await exchange(connection, "{}"), /^HTTP\/1.1 200 /);
      connection.close();
    },
  };
}

const NO_NGINX = await missing("nginx");
const onNginx = unless(NO_NGINX);

onNginx.test(`${NGINX.config}: all addresses of an IPv6 /64 share the limit of requests in flight`, async () => {
  const env = { PWGEN_TRUSTED_PROXIES: "loopback", PWGEN_RATE_LIMIT: "10000" };
  await using site = await startSite(NGINX, env, [
    // X-Real-IP stands for the address of the client, as this machine has one
    // address of IPv6 only.
    [
      "limit_conn clients 60;",
      "limit_conn clients 2; set_real_ip_from 127.0.0.1;",
    ],
  ]);
  using client = await tlsClient();
  const statusAt = async (address: string) =>
    (await post(site, client, "{}", { "x-real-ip": address })).status;
  // 0x0a and 0 are bytes that a regular expression could treat in a special way.
  const held = await Promise.all(
    ["2001:db8:a0a::1", "2001:db8:a0a:0:a0a::2"]
      .map((address) => holdRequest(site, `X-Real-IP: ${address}`)),
  );
  assertEquals(await statusAt("2001:db8:a0a::3"), 429);
  for (const other of ["2001:db8:a0a:a::1", "192.0.2.1", "192.0.2.2"]) {
    assertEquals(await statusAt(other), 200, other);
  }
  for (const request of held) await request.finish();
  await until(async () => await statusAt("2001:db8:a0a::3") === 200);
});

/** Why nginx cannot raise its limit of open files to that of its configuration. */
async function lowHardLimit(): Promise<string> {
  const { stdout } = await end(spawn("sh", ["-c", "ulimit -Hn"]));
  // It may be "unlimited".
  return Number(stdout) < 16384 ? "needs ulimit -Hn 16384" : "";
}

const withFiles = unless(NO_NGINX || await lowHardLimit());
withFiles.test(`${NGINX.config}: idle connections do not take the place of others`, async () => {
  const limited: Kind = {
    ...NGINX,
    program: "sh",
    // systemd has 1,024 in the place of 100.
    args: (...args) => [
      "-c",
      'ulimit -Sn 100 && exec "$0" "$@"',
      "nginx",
      ...NGINX.args(...args),
    ],
  };
  await using site = await startSite(
    limited,
    { PWGEN_TRUSTED_PROXIES: "loopback" },
    [
      ["worker_processes auto;", "worker_processes 1;"],
      // They stay until the end of the test.
      ["client_header_timeout 5s;", "client_header_timeout 1h;"],
    ],
  );
  using connections = new DisposableStack();
  for (let i = 0; i < 200; i++) {
    const options = { port: site.http, hostname: "127.0.0.1" };
    connections.use(await Deno.connect(options));
  }
  using client = await clientAt("127.0.0.2");
  const signal = AbortSignal.timeout(HANG_MS);
  const url = `https://localhost:${site.https}/healthz`;
  const response = await fetch(url, { client, signal });
  assertEquals(await response.json(), { status: "ok" });
});

onNginx.test(`${NGINX.config}: the error log of a full nginx has no address and no query string`, async () => {
  await using site = await startSite(NGINX, {}, [
    ["worker_processes auto;", "worker_processes 1;"],
    // None is left for the connection to the service.
    ["worker_connections 4096;", "worker_connections 4;"],
  ]);
  using client = await clientAt("127.0.0.2");
  assertEquals((await post(site, client)).status, 500);
  const { stderr } = await stop(site.proxy);
  for (const secret of ["hunter2", "127.0.0.2"]) {
    assert(!stderr.includes(secret), stderr);
  }
});

onNginx.test(`${NGINX.config}: the log has time, status and request id of each request, and nothing else`, async () => {
  const env = { PWGEN_TRUSTED_PROXIES: "loopback", PWGEN_ACCESS_LOG: "json" };
  await using site = await startSite(NGINX, env, [
    ["limit_conn clients 60;", "limit_conn clients 1;"],
  ]);
  using client = await tlsClient();
  const held = await holdRequest(site);
  assertEquals((await post(site, client)).status, 429);
  await held.finish();
  const large = "{}".padEnd(16 * 1024 + 1);
  assertEquals((await post(site, client, large)).status, 413);
  const logs = [];
  for (const service of site.services) logs.push((await stop(service)).stdout);
  assertEquals((await post(site, client)).status, 502);

  const { stdout } = await stop(site.proxy);
  const line =
    /^\{"time":"[-\d]{10}T[:\d]{8}[-+][:\d]{5}","status":(\d+),"requestId":"([\da-f]{32})"\}$/;
  const ids: Record<string, string[]> = {};
  for (const text of stdout.trim().split("\n")) {
    assertMatch(text, line);
    const [, status, id] = line.exec(text)!;
    (ids[status!] ??= []).push(id!);
  }
  for (const status of [200, 413, 429, 502]) assert(ids[status], stdout);
  // The service has the same ids in its own log.
  for (const id of ids[200]!) assert(logs.join().includes(id), id);
});
