/**
 * The configurations of deploy/, under the proxies that they are for. What a
 * direct client sees of a restart stands in server_test.ts ("lets requests in
 * flight finish").
 */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { tempDir } from "../helpers/files.ts";
import {
  CERT,
  end,
  freePorts,
  isInstalled,
  KEY,
  ROOT,
  type Running,
  serve,
  spawn,
} from "../helpers/program.ts";
import { NO_REDIS, startRedis } from "../helpers/redis.ts";
import type { LoadReport } from "../helpers/load_generator.ts";

/** A reverse proxy, its configuration, and how to start it. */
interface Kind {
  /** Where it may be. */
  binaries: string[];
  skipped: string;
  config: string;
  /** Whether it refuses a large body by itself, before the service is asked. */
  refusesLarge: boolean;
  /** Why a restart may cost requests; undefined if it must not. */
  restart?: string;
  /** What makes the second process serve too, where both share a store. */
  shared: [string, string];
  /** What of the configuration is another here, and how often it occurs. */
  here: (ports: Ports, folder: string) => [string | RegExp, string, number][];
  start: (config: string, folder: string) => string[];
  /** How it judges a configuration without starting. */
  judge: (config: string, folder: string) => string[];
}

interface Ports {
  http: number;
  https: number;
  services: number[];
}

const NGINX: Kind = { // Users other than root may not have this folder in their PATH.
  binaries: ["nginx", "/usr/sbin/nginx"],
  skipped: "skipped: no nginx (Debian: nginx)",
  config: "deploy/nginx.conf",
  refusesLarge: true,
  shared: ["max_fails=0 backup;", "max_fails=0;"],
  here: ({ http, https, services }) => [
    [/^ *listen \[::\].*\n/gm, "", 2],
    ["listen 80;", `listen ${http};`, 1],
    ["listen 443 ", `listen ${https} `, 1],
    ["127.0.0.1:8000", `127.0.0.1:${services[0]}`, 1],
    ["127.0.0.1:8001", `127.0.0.1:${services[1]}`, 1],
    ["/etc/ssl/pwgen/cert.pem", CERT, 1],
    ["/etc/ssl/pwgen/key.pem", KEY, 1],
    ["/var/log/nginx/error.log", "stderr", 1],
  ],
  start: (config, folder) => [
    ...["-c", config, "-p", folder, "-e", "stderr"],
    ...["-g", `daemon off; pid ${folder}/nginx.pid;`],
  ],
  judge: (config, folder) => [
    ...["-t", "-c", config, "-p", folder, "-e", "stderr"],
    ...["-g", `pid ${folder}/nginx.pid;`],
  ],
};

const CADDY: Kind = {
  binaries: ["caddy"],
  skipped: "skipped: no Caddy (Debian: caddy)",
  config: "deploy/Caddyfile",
  refusesLarge: false,
  shared: ["lb_policy first", "lb_policy round_robin"],
  restart: "skipped: Caddy may send no body twice (caddyserver/caddy#7547)",
  here: ({ http, https, services }) => [
    ["admin off", `admin off\nhttp_port ${http}\nhttps_port ${https}`, 1],
    // It answers for the name alone, and the certificate has this one.
    ["pwgen.example.com {", "localhost {", 1],
    ["127.0.0.1:8000", `127.0.0.1:${services[0]}`, 1],
    ["127.0.0.1:8001", `127.0.0.1:${services[1]}`, 1],
    ["/etc/ssl/pwgen/cert.pem", CERT, 1],
    ["/etc/ssl/pwgen/key.pem", KEY, 1],
  ],
  start: (config) => ["run", "--adapter", "caddyfile", "--config", config],
  judge: (config) => ["validate", "--adapter", "caddyfile", "--config", config],
};

const WORDS = "/api/pwgen/words";

/** The first of some programs that is installed. */
async function firstInstalled(binaries: string[]): Promise<string | undefined> {
  for (const binary of binaries) {
    if (await isInstalled(binary)) return binary;
  }
  return undefined;
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Two services behind a proxy. */
interface Site {
  http: number;
  https: number;
  services: Running[];
  /** All that the proxy has said. */
  said: () => string;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Writes the configuration, with the ports and paths that it has here. */
async function writeConfig(
  kind: Kind,
  ports: Ports,
  folder: string,
  isShared: boolean,
): Promise<string> {
  let config = await Deno.readTextFile(ROOT + kind.config);
  const changes = kind.here(ports, folder);
  if (isShared) changes.push([...kind.shared, 1]);
  for (const [from, to, count] of changes) {
    assertEquals(config.split(from).length - 1, count, String(from));
    config = config.replaceAll(from, to);
  }
  const file = `${folder}/config`;
  await Deno.writeTextFile(file, config);
  return file;
}

async function open(
  kind: Kind,
  binary: string,
  env: Record<string, string> = {},
): Promise<Site> {
  const isShared = "PWGEN_RATE_LIMIT_STORE" in env;
  const services = [await serve({ env }), await serve({ env })];
  const [http, https] = freePorts(2) as [number, number];
  const folder = await Deno.makeTempDir();
  const ports = { http, https, services: services.map(({ port }) => port) };
  const file = await writeConfig(kind, ports, folder, isShared);
  const proxy = spawn(binary, kind.start(file, folder), {
    XDG_DATA_HOME: folder,
    XDG_CONFIG_HOME: folder,
  });
  const site: Site = {
    http,
    https,
    services,
    said: () => proxy.stdout.text + proxy.stderr.text,
    [Symbol.asyncDispose]: async () => {
      proxy.process.kill("SIGTERM");
      await end(proxy);
      for (const service of services) await service[Symbol.asyncDispose]();
      await Deno.remove(folder, { recursive: true });
    },
  };
  for (const port of [http, https]) {
    for (let tries = 0;; tries++) {
      try {
        (await Deno.connect({ port, hostname: "127.0.0.1" })).close();
        break;
      } catch (error) {
        if (tries < 100) await pause(50);
        else {
          await site[Symbol.asyncDispose]();
          throw new Error(`Cannot start: ${site.said()}`, { cause: error });
        }
      }
    }
  }
  return site;
}

/** A client at one of this machine's addresses. */
async function clientAt(localAddress: string): Promise<Deno.HttpClient> {
  return Deno.createHttpClient({
    localAddress,
    caCerts: [await Deno.readTextFile(CERT)],
  });
}

function post(
  { https }: Site,
  client: Deno.HttpClient,
  body: BodyInit = "{}",
  headers: Record<string, string> = {},
): Promise<Response> {
  return fetch(`https://localhost:${https}${WORDS}?length=hunter2`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body,
    client,
  });
}

for (const kind of [NGINX, CADDY]) {
  const binary = await firstInstalled(kind.binaries);
  const test = (
    name: string,
    fn: () => Promise<void>,
    reason?: string,
  ) => {
    const skipped = binary ? reason : kind.skipped;
    Deno.test({
      name: `${kind.config}: ${name}${skipped ? ` (${skipped})` : ""}`,
      ignore: skipped !== undefined,
      fn,
    });
  };

  test("the proxy itself finds nothing wrong with it", async () => {
    await using temporary = await tempDir();
    const folder = temporary.path;
    const [http, https, ...services] = freePorts(4) as [number, number];
    const ports = { http, https, services };
    for (const isShared of [false, true]) {
      const file = await writeConfig(kind, ports, folder, isShared);
      const { code, stderr } = await end(
        spawn(binary!, kind.judge(file, folder), {
          XDG_DATA_HOME: folder,
          XDG_CONFIG_HOME: folder,
        }),
      );
      assertEquals(code, 0, stderr);
      assert(!stderr.includes("[warn]"), stderr); // of nginx
    }
  });

  const withRedis =
    (fn: (store: Record<string, string>) => Promise<void>) => async () => {
      await using redis = await startRedis();
      await fn({ PWGEN_RATE_LIMIT_STORE: redis.url });
    };
  const setUps: [
    string,
    (
      fn: (store: Record<string, string>) => Promise<void>,
    ) => () => Promise<void>,
    string | undefined,
  ][] = [
    ["one process and a backup", (fn) => () => fn({}), undefined],
    ["two processes on Redis", withRedis, NO_REDIS],
  ];

  for (const [name, inSetUp, reason] of setUps) {
    test(
      `${name}: HTTPS with HSTS, HTTP redirected, clients told apart whatever they claim, no large body, no log of requests`,
      inSetUp(async (store) => {
        const env = {
          ...store,
          PWGEN_TRUSTED_PROXIES: "loopback",
          PWGEN_ACCESS_LOG: "json",
        };
        await using site = await open(kind, binary!, env);
        using one = await clientAt("127.0.0.2");
        using other = await clientAt("127.0.0.3");

        const good = await post(site, one);
        assertEquals(good.status, 200);
        assertEquals((await good.json()).type, "words");
        const { headers } = good;
        assertEquals(
          headers.get("strict-transport-security"),
          "max-age=31536000",
        );
        // Forged: over HTTP nobody believes it, and it is not asked for a password.
        const plain = await fetch(`http://localhost:${site.http}${WORDS}?a=b`, {
          method: "POST",
          headers: { "x-forwarded-proto": "https" },
          body: "{}",
          redirect: "manual",
          client: other,
        });
        await plain.body?.cancel();
        assertEquals(plain.status, 308);
        assertMatch(
          plain.headers.get("location")!,
          /^https:\/\/(localhost|pwgen\.example\.com)\/api\/pwgen\/words\?a=b$/,
        );

        // 59 more, each from another address if it were believed; then none.
        const statuses = new Map<number, number>();
        for (let i = 0; i < 69; i++) {
          const { status, body } = await post(site, one, "{}", {
            "x-forwarded-for": `198.51.100.${i}`,
            "forwarded": `for=198.51.100.${i}`,
            "x-real-ip": `198.51.100.${i}`,
          });
          await body?.cancel();
          statuses.set(status, (statuses.get(status) ?? 0) + 1);
        }
        assertEquals([...statuses], [[200, 59], [429, 10]]);
        const still = await post(site, other);
        assertEquals(still.status, 200);
        assertMatch(still.headers.get("ratelimit")!, /^"default";r=59;/);
        await still.body?.cancel();

        const large = "{}".padEnd(16 * 1024 + 1);
        for (const body of [large, new Blob([large]).stream()]) {
          const response = await post(site, other, body);
          await response.body?.cancel();
          assertEquals(response.status, 413);
          if (kind.refusesLarge) assert(!response.headers.has("ratelimit"));
        }
        const fits = await post(site, other, "{}".padEnd(16 * 1024));
        await fits.body?.cancel();
        assertEquals(fits.status, 200);

        // Also when there is nobody behind it.
        const served = [];
        for (const service of site.services) {
          service.process.kill("SIGTERM");
          const { stdout } = await end(service);
          served.push(stdout.split("\n").length > 10);
        }
        assertEquals(served, [true, "PWGEN_RATE_LIMIT_STORE" in store]);
        const gone = await post(site, other);
        await gone.body?.cancel();
        assert(gone.status >= 500, String(gone.status));
        for (const secret of ["hunter2", "127.0.0.2", "127.0.0.3"]) {
          assert(!site.said().includes(secret), site.said());
        }
      }),
      reason,
    );
  }

  test("a header that does not end is cut off after 10 seconds", async () => {
    await using site = await open(kind, binary!);
    const start = performance.now();
    const texts = ["", "POST / HTTP/1.1\r\nHost: localhost\r\nX-Slow: "];
    await Promise.all(texts.map(async (text) => {
      using connection = await Deno.connectTls({
        port: site.https,
        hostname: "localhost",
        caCerts: [await Deno.readTextFile(CERT)],
      });
      await connection.write(new TextEncoder().encode(text));
      // A byte a second does not help.
      const timer = setInterval(() => {
        if (text) connection.write(Uint8Array.of(0x78)).catch(() => {});
      }, 1000);
      const buffer = new Uint8Array(1024);
      try {
        while (await connection.read(buffer) !== null);
      } catch {
        // Reset is cut off as well.
      }
      clearInterval(timer);
      const seconds = (performance.now() - start) / 1000;
      assert(seconds > 9 && seconds < 20, `${seconds} s`);
    }));
  });

  for (const [name, inSetUp, reason] of setUps) {
    test(
      `${name}: no request fails while both are replaced under 1,000 requests a second`,
      inSetUp(async (store) => {
        const env = {
          ...store,
          PWGEN_TRUSTED_PROXIES: "loopback",
          PWGEN_RATE_LIMIT: "10000",
        };
        await using site = await open(kind, binary!, env);
        const generator = spawn(Deno.execPath(), [
          ...["run", "-A", "tests/helpers/load_generator.ts"],
          ...[`https://localhost:${site.https}${WORDS}`, CERT],
        ]);
        try {
          await generator.stdout.match(/Loading/);
          await pause(2000);
          for (const [i, old] of site.services.entries()) {
            old.process.kill("SIGTERM");
            assertEquals((await end(old)).code, 0);
            await pause(1500);
            const PORT = String(old.port);
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
          `${requests} requests in ${seconds.toFixed(1)} s, both replaced: ` +
            `p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`,
        );
        assertEquals([failures, stderr], [[], ""]);
        assert(requests > 500, `only ${requests} requests`);
      }),
      kind.restart ?? reason,
    );
  }
}
