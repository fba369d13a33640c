/**
 * deploy/compose.yaml. No test starts containers: the tests read the file, and run
 * its commands, its settings and its configuration of Caddy on this machine.
 */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { parse } from "@std/yaml";
import { tempDir } from "../../helpers/files.ts";
import {
  assertRemaining,
  end,
  freePorts,
  missing,
  ROOT,
  serveDirectly,
  spawn,
  stop,
  unless,
} from "../../helpers/program.ts";
import { onRedis } from "../../helpers/redis.ts";

/** A service of compose.yaml. */
interface Service {
  image: string;
  command?: string[];
  environment: Record<string, string>;
  healthcheck: { test?: string[] };
  mem_limit?: string;
  memswap_limit?: string;
  ulimits?: { core: number };
  pids_limit?: number;
  read_only?: boolean;
  cap_drop?: string[];
  cap_add?: string[];
  security_opt?: string[];
  ports?: string[];
  volumes?: string[];
  networks: string[] | Networks;
}

type Networks = Record<string, { ipv4_address?: string } | null>;

const text = await Deno.readTextFile(`${ROOT}deploy/compose.yaml`);
const { services, networks, volumes } = parse(text) as {
  services: Record<"pwgen-1" | "pwgen-2" | "valkey" | "caddy", Service>;
  networks: Record<string, { internal?: boolean; enable_ipv6?: boolean }>;
  volumes: Record<string, unknown>;
};

/** The values of deploy/.env in these tests. */
const ENV: Record<string, string> = {
  PROXY_NAME: "passwords.example",
  PROXY_EMAIL: "operator@example.com",
  VALKEY_PASSWORD: "0123456789abcdef",
};

/** Replaces variables as Compose does; only `${NAME:?message}` and `$$` occur. */
function interpolate(value: string): string {
  return value.replace(
    /\$(?:\$|\{(\w+):\?[^}]*\})/g,
    (_, name) => name === undefined ? "$" : ENV[name]!,
  );
}

/** The environment of a container. */
function environmentOf({ environment }: Service): Record<string, string> {
  const all = Object.entries(environment);
  return Object.fromEntries(
    all.map(([name, value]) => [name, interpolate(value)]),
  );
}

Deno.test("compose.yaml restricts every container, and only Caddy has ports", () => {
  for (const [name, service] of Object.entries(services)) {
    assertEquals(service.read_only, true, name);
    assertEquals(service.cap_drop, ["ALL"], name);
    assertEquals(service.pids_limit, 256, name);
    assertEquals(service.security_opt, ["no-new-privileges:true"], name);
    // A tag other than "latest", or the image of this repository.
    assertMatch(service.image, /^pwgen-api$|:\d/, name);
    assert(service.healthcheck !== undefined, name);
    assertEquals(service.ports !== undefined, name === "caddy", name);
    assertEquals(service.cap_add !== undefined, name === "caddy", name);
    for (const volume of service.volumes ?? []) {
      const [source] = volume.split(":");
      assert(source!.startsWith("./") || source! in volumes, volume);
    }
  }
  assertEquals(networks.internal!.internal, true);
  assertEquals(networks.public!.enable_ipv6, true);
  for (const name of ["pwgen-1", "pwgen-2", "valkey"] as const) {
    assertEquals(services[name].networks, ["internal"], name);
  }
  // Swap and core dumps could contain passwords.
  for (const name of ["pwgen-1", "pwgen-2"] as const) {
    const { mem_limit, memswap_limit, ulimits } = services[name];
    assertEquals([memswap_limit, ulimits!.core], [mem_limit, 0], name);
  }
  const { internal } = services.caddy.networks as Networks;
  const { PWGEN_TRUSTED_PROXIES } = environmentOf(services["pwgen-1"]);
  assertEquals(PWGEN_TRUSTED_PROXIES, internal!.ipv4_address);
});

Deno.test("compose.yaml contains no secret, and refuses to start without one", async () => {
  const example = await Deno.readTextFile(`${ROOT}deploy/compose.env.example`);
  const names = [...example.matchAll(/^(\w+)=/gm)].map(([, name]) => name!);
  assertEquals(names.sort(), Object.keys(ENV).sort());
  // ":?" is an error for an empty value.
  const used = text.matchAll(/(?<!\$)\$\{(\w+)(:\?)?/g)
    .map(([, name, isRequired]) => isRequired && name);
  assertEquals([...new Set(used)].sort(), names);
  assertMatch(example, /^VALKEY_PASSWORD=$/m);
  const ignored = await Deno.readTextFile(`${ROOT}.gitignore`);
  assertMatch(ignored, /^\/deploy\/\.env$/m);
});

const withCaddy = unless(await missing("caddy"));
withCaddy.test("compose.yaml gives Caddy the two services, a name and an address", async () => {
  const [source, target] = services.caddy.volumes![0]!.split(":");
  assertEquals([source, target], ["./Caddyfile", "/etc/caddy/Caddyfile"]);
  const file = ["--adapter", "caddyfile", "--config", "deploy/Caddyfile"];
  const env = environmentOf(services.caddy);
  const { code, stdout } = await end(
    spawn("caddy", ["adapt", ...file], env),
  );
  assertEquals(code, 0);
  const parts = [
    '"upstreams":[{"dial":"pwgen-1:8000"},{"dial":"pwgen-2:8000"}]',
    '"selection_policy":{"policy":"least_conn"}',
    '"host":["passwords.example"]',
    '"email":"operator@example.com"',
  ];
  for (const part of parts) assert(stdout.includes(part), part);
  assert(!stdout.includes("load_files"), stdout);
});

onRedis.test("the services of compose.yaml count in one store with a password", async () => {
  const { valkey } = services;
  const [port] = freePorts(1);
  await using folder = await tempDir();
  // redis-server and redis-cli have the same arguments as those of Valkey.
  const local = (command: string) =>
    interpolate(command)
      .replace("exec valkey-server", "exec redis-server")
      .replace("valkey-cli", `redis-cli -p ${port}`)
      .replace("appendonly no\n", `appendonly no\nport ${port}\n`);
  const env = environmentOf(valkey);
  const start = local(valkey.command![0]!);
  assert(start.includes(`port ${port}`));
  const server = spawn("sh", ["-c", start], env, { cwd: folder.path });
  try {
    await server.stdout.match(/Ready to accept connections/);
    const [kind, check] = valkey.healthcheck.test!;
    assertEquals(kind, "CMD-SHELL");
    const health = (env: Record<string, string>) =>
      end(spawn("sh", ["-c", local(check!)], env));
    assertEquals((await health(env)).code, 0);
    assertEquals((await health({ REDISCLI_AUTH: "wrong" })).code, 1);
    const cli = `redis-cli -p ${port} INFO memory`;
    const { stdout: memory } = await end(spawn("sh", ["-c", cli], env));
    // Less than mem_limit, so that the kernel does not end the server.
    assertEquals(valkey.mem_limit, "512m");
    assertMatch(memory, new RegExp(`^maxmemory:${384 * 2 ** 20}\r$`, "m"));
    assertMatch(memory, /^maxmemory_policy:noeviction\r$/m);
    // Other users of the machine can see the arguments of a process.
    assert(!start.includes(ENV.VALKEY_PASSWORD!), start);

    const settings = environmentOf(services["pwgen-1"]);
    assertEquals(environmentOf(services["pwgen-2"]), settings);
    const store = settings.PWGEN_RATE_LIMIT_STORE!;
    await using service = await serveDirectly({
      ...settings,
      PWGEN_RATE_LIMIT_STORE: store.replace("@valkey", `@127.0.0.1:${port}`),
    });
    await assertRemaining(service, 59);
    // It would log that it cannot use the store.
    assertEquals(service.stderr.text, "");
  } finally {
    await stop(server, "SIGTERM");
  }
});
