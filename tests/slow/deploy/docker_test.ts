/**
 * The tests do the steps of the Dockerfile: COPY and RUN, then CMD and
 * HEALTHCHECK on read-only files. If the tests run as root, the last two run as
 * the user of the image.
 */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { dirname } from "@std/path";
import { cp } from "node:fs/promises";
import { tempDir } from "../../helpers/files.ts";
import {
  assertRemaining,
  CERT,
  end,
  HAS_SIGTERM,
  KEY,
  listening,
  missing,
  type Program,
  requestWords,
  ROOT,
  spawn,
  START_ARGS,
  stop,
  TLS,
  unless,
  untilHealthIs,
} from "../../helpers/program.ts";
import { testWay } from "./contract.ts";
import { STORAGE_PROBE, STORAGE_REFUSED } from "../../helpers/storage_probe.ts";

const dockerfile = (await Deno.readTextFile(`${ROOT}deploy/Dockerfile`))
  .replace(/\\\n */g, "");

/** The arguments of all instructions with a name. */
function instructions(name: string): string[] {
  return [...dockerfile.matchAll(new RegExp(`^${name} (.*)$`, "gm"))]
    .map(([, argument]) => argument!);
}

/** Whether any user may enter a folder. */
async function isAccessible(path: string): Promise<boolean> {
  if (path === dirname(path)) return true;
  const { mode } = await Deno.stat(path);
  return (mode! & 1) === 1 && await isAccessible(dirname(path));
}

Deno.test("the Dockerfile runs the command of the task start, with this version of Deno", () => {
  const [name, image] = instructions("ARG")[0]!.split("=");
  assertEquals(image, `denoland/deno:distroless-${Deno.version.deno}`);
  assertEquals(instructions("FROM"), [
    `--platform=$BUILDPLATFORM \${${name}} AS program`,
    `\${${name}}`,
  ]);
  const command = START_ARGS.toSpliced(1, 0, "--cached-only")
    .toSpliced(-1, 0, "--allow-read=/tls,/run/secrets");
  assertEquals(JSON.parse(instructions("CMD")[0]!), command);
  // A missing module of `generate` would not end the build.
  const copied = instructions("COPY")[0]!.match(/\w+\.ts/g);
  const modules = [...Deno.readDirSync(ROOT)].map(({ name }) => name)
    .filter((name) => name.endsWith(".ts") && name !== "std.d.ts");
  assertEquals(copied!.sort(), modules.sort());
});

/** The image, unpacked in a temporary folder. Disposal removes it. */
interface ImageFile {
  /** Starts the command of the image; `by` starts it as root, such as nsenter. */
  spawn(
    settings: Record<string, string>,
    flags?: string[],
    by?: string[],
  ): Program;
  /** Runs the health check of the image with these settings; its status. */
  checkHealth(settings: Record<string, string>, by?: string[]): Promise<number>;
  /** A folder that the command may read, as /tls of the image. */
  tls: string;
  /** A folder that the command may read, as /run/secrets of the image. */
  secrets: string;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Changes the permissions of a folder and its content. */
const chmod = (mode: string, path: string) =>
  end(spawn("chmod", ["-R", mode, path]));

/** Does the steps of the Dockerfile. */
async function buildImage(): Promise<ImageFile> {
  const folder = await tempDir();
  const image = folder.path;
  const app = image + instructions("WORKDIR").at(-1)!;
  const deno = `${image}/bin/deno`;
  const cache = `${image}/deno-dir`;
  const tls = `${image}/tls`;
  const secrets = `${image}/secrets`;
  const folders = ["deploy", "docs"].map((name) => `${app}/${name}`);
  for (const path of [`${image}/bin`, cache, tls, secrets, app, ...folders]) {
    await Deno.mkdir(path);
  }
  await Deno.copyFile(Deno.execPath(), deno);
  await Deno.copyFile(CERT, `${tls}/cert.pem`);
  await Deno.copyFile(KEY, `${tls}/key.pem`);
  await Deno.writeTextFile(`${secrets}/limit`, "77\n");
  await Deno.writeTextFile(`${secrets}/host`, "127.0.0.2\n");
  const stages = { first: 0, last: 0 };
  for (const instruction of instructions("COPY")) {
    const words = instruction.split(" ");
    const names = words.filter((word) => !word.startsWith("--"));
    const target = names.pop()!;
    if (words.includes("--from=program")) {
      // The last stage has the folders of the first stage, at the same paths.
      assertEquals(names, [target]);
      assert([app, cache].includes(image + target), target);
      stages.last++;
      continue;
    }
    stages.first++;
    for (const name of names) {
      const to = `${app}/${target === "./" ? name : target}`;
      await cp(ROOT + name, to, { recursive: true });
    }
  }
  assert(stages.first > 0);
  assertEquals(stages.last, 2);

  const env = {
    ...Object.fromEntries(
      instructions("ENV")[0]!.split(" ").map((pair) => pair.split("=")),
    ),
    DENO_DIR: cache, // set by the base image
    PORT: "0",
  };
  const words = (command: string): string[] =>
    JSON.parse(
      command.replace("/bin/deno", deno).replace("=/tls", `=${tls}`)
        .replace("/run/secrets", secrets),
    );
  const [program, ...args] = words(instructions("RUN")[0]!);
  const built = await end(spawn(program!, args, env, { cwd: app }));
  assertEquals(built.code, 0, built.stderr);
  // Another architecture uses the same cache, so it contains no machine code.
  for await (const { name } of Deno.readDir(cache)) {
    assert(!name.startsWith("v8_code_cache"), name);
  }
  // Any user may read all files, and write none.
  await chmod("a-w,a+rX", image);

  const user = Number(instructions("USER")[0]);
  const nonroot = Deno.uid() === 0 && await isAccessible(dirname(image)) &&
    { uid: user, gid: user };
  const run = (
    command: string,
    settings: Record<string, string>,
    flags: string[] = [],
    by: string[] = [],
  ) => {
    const [program, ...args] = words(command);
    const all = args.toSpliced(1, 0, ...flags); // after "run"
    const [first, ...rest] = [...by, program!, ...all];
    const as = by.length === 0 ? nonroot : {};
    const options = { cwd: app, clearEnv: true, ...as };
    return spawn(first!, rest, { ...env, ...settings }, options);
  };
  // ENTRYPOINT ["/bin/deno"] of the base image.
  const cmd = instructions("CMD")[0]!.replace("[", '["/bin/deno", ');
  const [, check] = instructions("HEALTHCHECK")[0]!.split(" CMD ");
  return {
    tls,
    secrets,
    spawn: (...all) => run(cmd, ...all),
    checkHealth: async (settings, by) =>
      (await end(run(check!, settings, [], by))).code,
    [Symbol.asyncDispose]: async () => {
      await chmod("u+w", image);
      await folder[Symbol.asyncDispose]();
    },
  };
}

const NO_IMAGE = HAS_SIGTERM ? "" : "no such users on Windows";
const onImage = unless(NO_IMAGE);
let image: ImageFile;
if (HAS_SIGTERM) {
  Deno.test.beforeAll(async () => void (image = await buildImage()));
  Deno.test.afterAll(() => image[Symbol.asyncDispose]());
}

// As another user than root, with read-only files.
testWay({
  name: "the image",
  missing: NO_IMAGE,
  host: "localhost",
  warning: /^Plain HTTP .*\n$/,
  start: (env = {}) => image.spawn(env),
});

onImage.test("the health check of the image follows PWGEN_TLS_CERT, PWGEN_HOST, PWGEN_PORT and PORT, uses no proxy, and fails while the service stops", async () => {
  const noProxy = "http://127.0.0.1:1";
  const proxies = {
    HTTP_PROXY: noProxy,
    HTTPS_PROXY: noProxy,
    ALL_PROXY: noProxy,
  };
  const tls = {
    PWGEN_TLS_CERT: `${image.tls}/cert.pem`,
    PWGEN_TLS_KEY: `${image.tls}/key.pem`,
  };
  for (const host of ["0.0.0.0", "127.0.0.2", "::", ""]) {
    for (const settings of [{}, tls]) {
      const given = { ...settings, ...proxies, PWGEN_HOST: host };
      await using service = await listening(image.spawn(given));
      assertMatch(service.url, settings === tls ? /^https:/ : /^http:/);
      const PORT = String(service.port);
      assertEquals(await image.checkHealth({ ...given, PORT }), 0, host);
      const both = { ...given, PORT: "1", PWGEN_PORT: PORT };
      assertEquals(await image.checkHealth(both), 0, host);
      // What Kubernetes sets for a Service named "pwgen".
      const link = { ...given, PORT, PWGEN_PORT: "tcp://10.96.12.3:8000" };
      assertEquals(await image.checkHealth(link), 0, host);
      const other = settings === tls ? {} : tls;
      const wrong = { ...other, PWGEN_HOST: host, PORT };
      assertEquals(await image.checkHealth(wrong), 1, host);
    }
  }
  assertEquals(await image.checkHealth({ PORT: "1" }), 1, "without a service");

  const delay = { PWGEN_DRAIN_DELAY: "60" };
  await using stopping = await listening(image.spawn(delay));
  stopping.process.kill("SIGTERM");
  await untilHealthIs(503, stopping);
  const code = await image.checkHealth({ PORT: String(stopping.port) });
  await stop(stopping, "SIGKILL");
  assertEquals(code, 1, "while it stops");
});

onImage.test("the image may read /tls, /run/secrets and no other folder", async () => {
  for (const settings of [TLS, { PWGEN_RATE_LIMIT_FILE: CERT }]) {
    const { code, stderr } = await end(image.spawn(settings));
    assertEquals(code, 2);
    assertMatch(stderr, /no permission from Deno/);
  }
});

onImage.test("the image and its health check read a setting in /run/secrets", async () => {
  const settings = {
    PWGEN_RATE_LIMIT_FILE: `${image.secrets}/limit`,
    PWGEN_HOST: "", // that of the image
    PWGEN_HOST_FILE: `${image.secrets}/host`,
  };
  await using service = await listening(image.spawn(settings));
  assertEquals(new URL(service.url).hostname, "127.0.0.2");
  const { headers } = await requestWords(service, {}, { host: "127.0.0.2" });
  assertEquals(headers.get("ratelimit-policy"), '"default";q=77;w=60');
  const PORT = String(service.port);
  assertEquals(await image.checkHealth({ ...settings, PORT }), 0);
});

/** Whether this machine has ::1. */
async function hasIPv6(): Promise<boolean> {
  try {
    Deno.listen({ hostname: "::1", port: 0 }).close();
    return true;
  } catch {
    return false;
  }
}

unless(NO_IMAGE || (await hasIPv6() ? "" : "no IPv6")).test(
  "the image listens on IPv6 and IPv4, whose addresses are those of PWGEN_TRUSTED_PROXIES",
  async () => {
    const proxies = { PWGEN_TRUSTED_PROXIES: "127.0.0.1,::1" };
    await using service = await listening(image.spawn(proxies));
    const PORT = String(service.port);
    assertEquals(await image.checkHealth({ PORT }), 0);
    // It is the same client, whichever address its proxy has.
    const client = { "x-forwarded-for": "192.0.2.1" };
    await assertRemaining(service, 59, client);
    await assertRemaining(service, 58, client, { host: "[::1]" });
  },
);

/** A network with only the loopback interface, in which this sysctl is 1. */
async function startNetwork(sysctl: string): Promise<Program> {
  const script =
    `ip link set lo up && sysctl -w ${sysctl}=1 && exec sleep infinity`;
  const program = spawn("unshare", ["-n", "sh", "-c", script]);
  await program.stdout.match(/ = 1\n/);
  return program;
}

const canUnshare = !NO_IMAGE &&
  !await missing("unshare", "nsenter", "ip", "sysctl") &&
  (await end(spawn("unshare", ["-n", "true"]))).code === 0;

unless(canUnshare ? "" : "no unshare, nsenter, ip or sysctl, or not root").test(
  "the health check of the image connects where IPv6 has no address, and where :: takes no IPv4",
  async () => {
    for (
      const sysctl of [
        "net.ipv6.conf.all.disable_ipv6",
        "net.ipv6.bindv6only",
      ]
    ) {
      const network = await startNetwork(sysctl);
      const pid = String(network.process.pid);
      const by = ["nsenter", "-n", "-t", pid];
      try {
        await using service = await listening(image.spawn({}, [], by));
        const PORT = String(service.port);
        assertEquals(await image.checkHealth({ PORT }, by), 0, sysctl);
        assertEquals(await image.checkHealth({ PORT: "1" }, by), 1, sysctl);
      } finally {
        await stop(network);
      }
    }
  },
);

unless(NO_IMAGE || await missing("gcc")).test(
  "the image listens on IPv4 where the kernel has no IPv6 sockets",
  async () => {
    await using folder = await tempDir();
    await Deno.chmod(folder.path, 0o755);
    const LD_PRELOAD = `${folder.path}/no_ipv6.so`;
    const source = `${ROOT}tests/helpers/no_ipv6.c`;
    const args = ["-shared", "-fPIC", "-o", LD_PRELOAD, source];
    const { code, stderr } = await end(spawn("gcc", args));
    assertEquals(code, 0, stderr);
    await using service = await listening(image.spawn({ LD_PRELOAD }));
    const PORT = String(service.port);
    assertEquals(await image.checkHealth({ LD_PRELOAD, PORT }), 0);
    assertEquals((await requestWords(service)).status, 200);
    // Another address of IPv6 is an error.
    const refused = await end(image.spawn({ LD_PRELOAD, PWGEN_HOST: "::1" }));
    assertEquals(refused.code, 2);
    assertMatch(refused.stderr, /cannot listen on ::1, .* not supported/);
  },
);

onImage.test("the image cannot write to the storages of Deno", async () => {
  const program = image.spawn({}, ["--preload", STORAGE_PROBE]);
  await using service = await listening(program);
  assertMatch((await stop(service)).stderr, STORAGE_REFUSED);
});
