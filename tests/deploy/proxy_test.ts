/** The configurations of reverse proxies in deploy/, run by these proxies. */
import { PAGE } from "../../routes/site/page/mod.ts";
import { assert, assertEquals, assertMatch } from "@std/assert";
import { setTimeout as pause } from "node:timers/promises";
import { tempDir } from "../helpers/files.ts";
import {
  CERT,
  end,
  freePorts,
  isInstalled,
  isListening,
  KEY,
  type Program,
  ROOT,
  type Running,
  serve,
  spawn,
  testUnless,
  tlsClient,
  until,
} from "../helpers/program.ts";
import { NO_REDIS, type RedisServer, startRedis } from "../helpers/redis.ts";
import type { LoadReport } from "../helpers/load_generator.ts";

/** A kind of reverse proxy, and its configuration. */
interface Kind {
  /** The paths that its program may have. */
  binaries: string[];
  /** Why tests are skipped without the program. */
  missing: string;
  config: string;
  /** Whether the proxy itself rejects a large body. */
  rejectsLarge: boolean;
  /** Why a restart of a service may cost requests; undefined if it must not. */
  restartFails?: string;
  /** The change of the configuration for services with a shared store. */
  withSharedStore: [string, string];
  /** The changes for services below /pw: docs/deployment.md describes them. */
  belowPath: [string | RegExp, string, number][];
  /** The other changes for a test, and how often each occurs. */
  changes: (ports: Ports) => [string | RegExp, string, number][];
  /** The form of the request ids that the proxy makes. */
  requestId: RegExp;
  /** The arguments that only check the configuration, and those that run it. */
  check: string[];
  run: string[];
  /** The other arguments. */
  args: (config: string, folder: string) => string[];
}

interface Ports {
  http: number;
  https: number;
  services: number[];
}

/** The changes that both configurations need. */
function commonChanges({ services }: Ports): [string, string, number][] {
  return [
    ["127.0.0.1:8000", `127.0.0.1:${services[0]}`, 1],
    ["127.0.0.1:8001", `127.0.0.1:${services[1]}`, 1],
    ["/etc/ssl/pwgen/cert.pem", CERT, 1],
    ["/etc/ssl/pwgen/key.pem", KEY, 1],
  ];
}

const NGINX: Kind = {
  // The PATH of a user other than root may not contain /usr/sbin.
  binaries: ["nginx", "/usr/sbin/nginx"],
  missing: "no nginx (Debian: nginx)",
  config: "deploy/nginx.conf",
  rejectsLarge: true,
  withSharedStore: ["max_fails=0 backup;", "max_fails=0;"],
  belowPath: [[
    "location / {",
    "location ~ ^/pw(?:/|$) {\n    rewrite ^/pw/?(.*)$ /$1 break;",
    1,
  ]],
  changes: (ports) => [
    [/^ *listen \[::\].*\n/gm, "", 2],
    ["listen 80;", `listen ${ports.http};`, 1],
    ["listen 443 ", `listen ${ports.https} `, 1],
    ["/var/log/nginx/error.log", "stderr", 1],
    ...commonChanges(ports),
  ],
  requestId: /^[0-9a-f]{32}$/,
  check: ["-t"],
  run: [],
  args: (config, folder) => [
    ...["-c", config, "-p", folder, "-e", "stderr"],
    ...["-g", `daemon off; pid ${folder}/nginx.pid;`],
  ],
};

const CADDY: Kind = {
  binaries: ["caddy"],
  missing: "no Caddy (Debian: caddy)",
  config: "deploy/Caddyfile",
  rejectsLarge: false,
  restartFails: "Caddy sends no body twice (caddyserver/caddy#7547)",
  withSharedStore: ["PROXY_BALANCING:first", "PROXY_BALANCING:round_robin"],
  belowPath: [
    [
      "\treverse_proxy ",
      "@pw path /pw /pw/*\nhandle @pw {\n\turi strip_prefix /pw\n\treverse_proxy ",
      1,
    ],
    [/}\n$/g, "}\n}\n", 1],
  ],
  changes: (ports) => [
    [
      "admin off",
      `admin off\nhttp_port ${ports.http}\nhttps_port ${ports.https}`,
      1,
    ],
    // Caddy serves only this name, and the certificate is for localhost.
    ["pwgen.example.com", "localhost", 1],
    ...commonChanges(ports),
  ],
  requestId: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, // a UUID
  check: ["validate"],
  run: ["run"],
  args: (config) => ["--adapter", "caddyfile", "--config", config],
};

const WORDS = "/api/pwgen/words";

/** The first of some programs that is installed. */
async function firstInstalled(binaries: string[]): Promise<string | undefined> {
  for (const binary of binaries) {
    if (await isInstalled(binary)) return binary;
  }
  return undefined;
}

/** Starts a proxy, with the configuration changed for a test. */
async function spawnProxy(
  kind: Kind,
  binary: string,
  command: "check" | "run",
  { ports, folder, isShared, isBelowPath }: {
    ports: Ports;
    folder: string;
    isShared: boolean;
    isBelowPath: boolean;
  },
): Promise<Program> {
  let config = await Deno.readTextFile(ROOT + kind.config);
  const changes = kind.changes(ports);
  if (isBelowPath) changes.push(...kind.belowPath);
  if (isShared) changes.push([...kind.withSharedStore, 1]);
  for (const [from, to, count] of changes) {
    assertEquals(config.split(from).length - 1, count, String(from));
    config = config.replaceAll(from, () => to);
  }
  const file = `${folder}/config`;
  await Deno.writeTextFile(file, config);
  return spawn(binary, [...kind[command], ...kind.args(file, folder)], {
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
  binary: string,
  env: Record<string, string> = {},
): Promise<Site> {
  await using stack = new AsyncDisposableStack();
  const services: Running[] = [];
  stack.defer(async () => {
    for (const service of services) await service[Symbol.asyncDispose]();
  });
  for (let i = 0; i < 2; i++) services.push(await serve({ env }));
  const [http, https] = freePorts(2) as [number, number];
  const folder = stack.use(await tempDir()).path;
  const isShared = "PWGEN_RATE_LIMIT_STORE" in env;
  const isBelowPath = "PWGEN_PUBLIC_PATH" in env;
  const ports = { http, https, services: services.map(({ port }) => port) };
  const settings = { ports, folder, isShared, isBelowPath };
  const proxy = await spawnProxy(kind, binary, "run", settings);
  stack.defer(async () => {
    proxy.process.kill("SIGTERM");
    await end(proxy);
  });
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

/** Requests words through the proxy. */
async function post(
  { https }: Site,
  client: Deno.HttpClient,
  body: BodyInit = "{}",
  fields: Record<string, string> = {},
): Promise<{ status: number; headers: Headers; text: string }> {
  const response = await fetch(
    `https://localhost:${https}${WORDS}?length=hunter2`,
    {
      method: "POST",
      headers: { "content-type": "application/json", ...fields },
      body,
      client,
    },
  );
  const { status, headers } = response;
  return { status, headers, text: await response.text() };
}

for (const kind of [NGINX, CADDY]) {
  const binary = await firstInstalled(kind.binaries);
  const test = (
    claim: string,
    fn: (t: Deno.TestContext) => Promise<void>,
    reason?: string,
  ) => {
    testUnless(binary ? reason : kind.missing, `${kind.config}: ${claim}`, fn);
  };

  test("the proxy accepts the configuration without a warning", async () => {
    await using folder = await tempDir();
    const [http, https, ...services] = freePorts(4) as [number, number];
    const ports = { http, https, services };
    for (const isShared of [false, true]) {
      for (const isBelowPath of [false, true]) {
        const settings = { ports, folder: folder.path, isShared, isBelowPath };
        const { code, stderr } = await end(
          await spawnProxy(kind, binary!, "check", settings),
        );
        assertEquals(code, 0, stderr);
        assert(!stderr.includes("[warn]"), stderr); // of nginx
      }
    }
  });

  test("below /pw: every URL of the pages leads to the service", async () => {
    await using site = await startSite(kind, binary!, {
      PWGEN_TRUSTED_PROXIES: "loopback",
      PWGEN_PUBLIC_PATH: "/pw",
    });
    using client = await clientAt("127.0.0.2");
    const origin = `https://localhost:${site.https}`;
    const get = async (path: string, init: RequestInit = {}) => {
      const url = new URL(path, origin);
      const response = await fetch(url, { ...init, client });
      return { response, text: await response.text() };
    };

    const guide = await Deno.readTextFile(`${ROOT}docs/deployment.md`);
    for (const line of kind.belowPath.flatMap(([, to]) => to.split("\n"))) {
      assert(guide.includes(line.trim()), line);
    }

    const seen = new Set<string>();
    for (const address of ["/pw", "/pw/", "/pw/docs"]) {
      const { response, text } = await get(address, { redirect: "manual" });
      assertEquals(response.status, 200, address);
      assertMatch(text, /<html lang=/);
      const [, baseHref] = /<base href="([^"]+)">/.exec(text)!;
      const base = new URL(baseHref!, origin + address);
      for (const [, link] of text.matchAll(/ (?:href|src)="([^"]+)"/g)) {
        seen.add(new URL(link!, base).href.replace(/#.*/, ""));
      }
    }
    const paths = ["docs", "docs/docs.css", "docs/docs.js", "openapi/v1.json"]
      .concat(Object.keys(PAGE).map((path) => path.slice(1)))
      .map((path) => `${origin}/pw/${path}`);
    assertEquals([...seen].sort(), paths.sort());
    for (const url of seen) {
      assertEquals((await get(url)).response.status, 200, url);
    }

    // The proxy leaves compressed documents and their ETags alone.
    const encoded = { "accept-encoding": "br" };
    const { response } = await get("/pw/", { headers: encoded });
    const etag = response.headers.get("etag")!;
    const known = { ...encoded, "if-none-match": etag };
    assertEquals((await get("/pw/", { headers: known })).response.status, 304);
    const other = { "accept-encoding": "gzip", "if-none-match": etag };
    assertEquals((await get("/pw/", { headers: other })).response.status, 200);

    // A client of the API joins the server and the path of an operation.
    const description = JSON.parse((await get("/pw/openapi/v1.json")).text);
    assertEquals(description.servers, [{ url: "/pw" }]);
    const words = await get(description.servers[0].url + WORDS, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: "{}",
    });
    assertEquals(words.response.status, 200);
    assertEquals(JSON.parse(words.text).type, "words");

    const slash = await get("/pw/docs/?a=b", { redirect: "manual" });
    assertEquals(slash.response.status, 308);
    const location = slash.response.headers.get("location")!;
    assertEquals(
      new URL(location, `${origin}/pw/docs/`).href,
      `${origin}/pw/docs`,
    );
    // Other paths are not those of the service.
    for (const path of ["/docs", "/pwdocs"]) {
      const { text } = await get(path);
      assert(!text.includes("Password Generation API"), path);
    }
  });

  for (const publicPath of ["/", "/pw"]) {
    test(`below ${publicPath}: the proxy does not forward /metrics`, async () => {
      await using site = await startSite(kind, binary!, {
        PWGEN_TRUSTED_PROXIES: "loopback",
        PWGEN_METRICS: "on",
        ...(publicPath !== "/" && { PWGEN_PUBLIC_PATH: publicPath }),
      });
      using client = await clientAt("127.0.0.2");
      const base = `https://localhost:${site.https}${publicPath}`
        .replace(/\/$/, "");
      assertEquals((await fetch(`${base}/docs`, { client })).status, 200);
      for (
        const path of [
          ...["/metrics", "/metrics?a=b", "/%6detrics", "//metrics"],
          ...["/x/%2e%2e/metrics", "/metrics/", "/METRICS", "/x/metrics"],
        ]
      ) {
        for (const method of ["GET", "HEAD"]) {
          const response = await fetch(base + path, { method, client });
          const text = await response.text();
          assertEquals(response.status, 404, path);
          assert(!text.includes("pwgen_"), text);
        }
      }
      // The service has seen none of these requests.
      for (const { url } of site.services) {
        const text = await (await fetch(`${url}/metrics`)).text();
        assertMatch(text, /^pwgen_build_info/m);
        assert(!/^.*route="\/metrics".* [1-9]/m.test(text), text);
      }
    });
  }
  test("the access log has the request id of the proxy, not that of the client", async () => {
    await using site = await startSite(kind, binary!, {
      PWGEN_TRUSTED_PROXIES: "loopback",
      PWGEN_ACCESS_LOG: "json",
    });
    using client = await clientAt("127.0.0.2");
    const forged = "0123456789abcdef0123456789abcdef";
    for (const name of ["x-request-id", "X-Request-ID", "x_request_id"]) {
      const { status, headers } = await post(site, client, "{}", {
        [name]: forged,
      });
      assertEquals([status, headers.get("x-request-id")], [200, null]);
    }
    const [service] = site.services as [Running];
    service.process.kill("SIGTERM");
    const { stdout } = await end(service);
    assert(!stdout.includes(forged), stdout);
    const ids = stdout.trim().split("\n").slice(1, -1) // start and stop
      .map((line) => JSON.parse(line).requestId);
    for (const id of ids) assertMatch(id, kind.requestId);
    assertEquals([ids.length, new Set(ids).size], [3, 3]);
  });

  test("the proxy closes a connection after 10 s of header or body, without status 200", async () => {
    await using site = await startSite(kind, binary!);
    const start = performance.now();
    const slow = "X-Slow: ";
    const texts = [
      "",
      `POST / HTTP/1.1\r\nHost: localhost\r\n${slow}`,
      `POST ${WORDS} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n` +
      "Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{",
    ];
    await Promise.all(texts.map(async (text) => {
      using connection = await Deno.connectTls({
        port: site.https,
        hostname: "localhost",
        caCerts: [await Deno.readTextFile(CERT)],
      });
      await connection.write(new TextEncoder().encode(text));
      // The second connection sends another byte every second.
      const timer = setInterval(() => {
        if (text.endsWith(slow)) {
          connection.write(Uint8Array.of(0x78)).catch(() => {});
        }
      }, 1000);
      let received = "";
      const decoder = new TextDecoderStream();
      try {
        for await (const part of connection.readable.pipeThrough(decoder)) {
          received += part;
        }
      } catch {
        // The proxy has reset the connection.
      }
      assertMatch(received, /^$|^HTTP\/1\.1 408 /);
      clearInterval(timer);
      const seconds = (performance.now() - start) / 1000;
      assert(seconds > 9 && seconds < 20, `${seconds} s`);
    }));
  });

  for (const isShared of [false, true]) {
    const services = isShared ? "two on Redis" : "one and a backup";
    const environment = (redis?: RedisServer) => ({
      PWGEN_TRUSTED_PROXIES: "loopback",
      ...(redis && { PWGEN_RATE_LIMIT_STORE: redis.url }),
    });
    const reason = isShared ? NO_REDIS : undefined;

    test(
      `${services}: HTTPS, limits and a private log`,
      async (t) => {
        await using redis = isShared ? await startRedis() : undefined;
        const env = { ...environment(redis), PWGEN_ACCESS_LOG: "json" };
        await using site = await startSite(kind, binary!, env);
        using one = await clientAt("127.0.0.2");
        using other = await clientAt("127.0.0.3");

        await t.step("a response over HTTPS has HSTS", async () => {
          const { status, headers, text } = await post(site, one);
          assertEquals([status, JSON.parse(text).type], [200, "words"]);
          assertEquals(
            headers.get("strict-transport-security"),
            "max-age=31536000",
          );
        });

        await t.step(
          "HTTP is redirected, despite a forged header field",
          async () => {
            const response = await fetch(
              `http://localhost:${site.http}${WORDS}?a=b`,
              {
                method: "POST",
                headers: { "x-forwarded-proto": "https" },
                body: "{}",
                redirect: "manual",
                client: other,
              },
            );
            await response.body?.cancel();
            assertEquals(response.status, 308);
            assertMatch(
              response.headers.get("location")!,
              /^https:\/\/(localhost|pwgen\.example\.com)\/api\/pwgen\/words\?a=b$/,
            );
          },
        );

        await t.step(
          "a client has one limit, whatever address it claims",
          async () => {
            const statuses = new Map<number, number>();
            for (let i = 0; i < 69; i++) {
              const { status } = await post(site, one, "{}", {
                "x-forwarded-for": `198.51.100.${i}`,
                "forwarded": `for=198.51.100.${i}`,
                "x-real-ip": `198.51.100.${i}`,
              });
              statuses.set(status, (statuses.get(status) ?? 0) + 1);
            }
            // The first step has used 1 of 60 requests.
            assertEquals([...statuses], [[200, 59], [429, 10]]);
            const { status, headers } = await post(site, other);
            assertEquals(status, 200);
            assertMatch(headers.get("ratelimit")!, /^"default";r=59;/);
          },
        );

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
          const isUsed = [];
          for (const service of site.services) {
            service.process.kill("SIGTERM");
            const { stdout } = await end(service);
            isUsed.push(stdout.split("\n").length > 10);
          }
          assertEquals(isUsed, [true, isShared]);
          const { status } = await post(site, other); // no service runs
          assert(status >= 500, String(status));
          const log = site.proxy.stdout.text + site.proxy.stderr.text;
          for (const secret of ["hunter2", "127.0.0.2", "127.0.0.3"]) {
            assert(!log.includes(secret), log);
          }
        });
      },
      reason,
    );

    test(
      `${services}: no request fails in a restart`,
      async () => {
        await using redis = isShared ? await startRedis() : undefined;
        const env = { ...environment(redis), PWGEN_RATE_LIMIT: "10000" };
        await using site = await startSite(kind, binary!, env);
        const generator = spawn(Deno.execPath(), [
          ...["run", "-A", "tests/helpers/load_generator.ts"],
          ...[`https://localhost:${site.https}${WORDS}`, CERT],
        ]);
        // 1,000 requests per second arrive before, during and after each restart.
        try {
          await generator.stdout.match(/Loading/);
          await pause(2000);
          for (const [i, service] of site.services.entries()) {
            service.process.kill("SIGTERM");
            assertEquals((await end(service)).code, 0);
            await pause(1500);
            const PORT = String(service.port);
            site.services[i] = await serve({ env: { ...env, PORT } });
            await pause(2000);
          }
        } finally {
          generator.process.kill("SIGTERM");
        }
        const { stdout, stderr } = await end(generator);
        const report: LoadReport = JSON.parse(stdout.split("\n")[1]!);
        const { requests, seconds, failures, p50, p99 } = report;
        // deno-lint-ignore no-console
        console.log(
          `${requests} requests in ${seconds.toFixed(1)} s, two restarts: ` +
            `p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`,
        );
        assertEquals([failures, stderr], [[], ""]);
        assert(requests > 500, `only ${requests} requests`);
      },
      kind.restartFails ?? reason,
    );
  }
}
