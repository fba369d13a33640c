/**
 * The systemd units: systemd-analyze checks them, and the tests run their
 * commands. Only a machine with systemd runs the units themselves.
 */
import metadata from "../../../deno.json" with { type: "json" };
import { assert, assertEquals, assertMatch } from "@std/assert";
import { tempDir } from "../../helpers/files.ts";
import {
  end,
  isInstalled,
  listening,
  missing,
  onLinux,
  onUnix,
  post,
  ROOT,
  type Running,
  spawn,
  START_ARGS,
  stop,
  tlsClient,
  unless,
} from "../../helpers/program.ts";

/** Reads a unit, with the paths of this machine. */
async function readUnit(name: string): Promise<string> {
  return (await Deno.readTextFile(`${ROOT}deploy/${name}`))
    .replaceAll("/opt/pwgen-api/bin/deno", Deno.execPath())
    .replaceAll("/opt/pwgen-api/", ROOT);
}

const UNIT = await readUnit("pwgen-api.service");

const TLS = await readUnit("pwgen-api-tls.conf");
const PORT_443 = await readUnit("pwgen-api-443.conf");
const EXECUTABLE = (await readUnit("pwgen-api-executable.conf"))
  .replace("/usr/local/bin/pwgen-api", Deno.execPath());

/** The words of all values of a key of the unit. */
function words(key: string, unit = UNIT): string[] {
  return [...unit.matchAll(new RegExp(`^${key}=(.*)$`, "gm"))]
    .flatMap(([, value]) => value!.split(" "));
}

/** Runs systemd-analyze on units, which are the names and texts of files. */
async function analyze(
  units: Record<string, string>,
  ...args: string[]
): Promise<Awaited<ReturnType<typeof end>>> {
  await using folder = await tempDir();
  const files: string[] = [];
  for (const [name, text] of Object.entries(units)) {
    files.push(`${folder.path}/${name}`);
    await Deno.writeTextFile(files.at(-1)!, text);
  }
  const env = { SYSTEMD_COLORS: "0" };
  return await end(spawn("systemd-analyze", [...args, ...files], env));
}

const withAnalyze = unless(await missing("systemd-analyze"));

withAnalyze.test("systemd-analyze accepts all units without a message", async () => {
  const result = await analyze({
    "pwgen-api@8000.service": UNIT,
    "pwgen-api@8001.service": UNIT + TLS,
    "pwgen-api@443.service": UNIT + TLS + PORT_443,
    "pwgen-api@8002.service": UNIT + TLS + EXECUTABLE,
    "pwgen-api-renewed.path": await readUnit("pwgen-api-renewed.path"),
    "pwgen-api-renewed.service": await readUnit("pwgen-api-renewed.service"),
  }, "verify");
  assertEquals(result, { code: 0, stdout: "", stderr: "" });
});

withAnalyze.test("systemd-analyze finds an exposure of at most 1.3 of 10", async () => {
  // A unit without any restriction has 9.6.
  const { code, stdout } = await analyze(
    { "pwgen-api@8000.service": UNIT },
    "security",
    "--offline=true",
    "--no-pager",
    "--threshold=13",
  );
  assertEquals(code, 0, stdout);
});

onUnix.test("install.sh refuses a path that is not absolute, and names the Deno that is missing", async () => {
  const install = async (target: string, DENO = Deno.execPath()) => {
    const program = spawn(`${ROOT}deploy/install.sh`, [target], { DENO });
    const { code, stderr } = await end(program);
    assertEquals(code, 2);
    return stderr;
  };
  for (const target of ["pwgen-api", "./pwgen-api", "/tmp/pwgen-api/", "/"]) {
    assertMatch(await install(target), / is not an absolute path/);
  }
  await using folder = await tempDir();
  const deno = `${folder.path}/deno`;
  const stderr = await install(`${folder.path}/a`, deno);
  assertMatch(stderr, RegExp(`^install.sh: cannot find ${deno}; .*\\n$`));
});

/** Checks the status of the command that waits until the service listens. */
async function assertWaitEnds(
  { port, process }: Running,
  expected: number,
): Promise<void> {
  if (Deno.build.os !== "linux") return; // bash may have no /dev/tcp there
  const [, command] = /^ExecStartPost=\S+ -c '(.*)'$/m.exec(UNIT)!;
  const MAINPID = String(process.pid);
  // PWGEN_PORT has precedence.
  const env = { PORT: "1", PWGEN_PORT: String(port), MAINPID };
  const { code } = await end(spawn("bash", ["-c", command!], env));
  assertEquals(code, expected);
}

/** The arguments of Deno in the unit. */
const COMMAND = words("ExecStart").slice(1);

Deno.test("the unit runs the command of the task start, waits until it listens, and does not restart after a wrong setting", async () => {
  assertEquals(COMMAND, START_ARGS.toSpliced(1, 0, "--cached-only"));
  const env = Object.fromEntries(
    words("Environment").filter((word) => !word.startsWith("DENO_DIR="))
      .map((word) => word.replace("%i", "0").split(/=(.*)/s)),
  );
  await using service = await listening(spawn(Deno.execPath(), COMMAND, env));
  // No remark about PORT.
  const settings = Object.keys(env).filter((name) => name.startsWith("PWGEN_"));
  const [line, rest] = service.stdout.text.split(" (settings: ");
  assertEquals(line, `pwgen-api ${metadata.version}: ${service.url}/`);
  assertEquals(rest!.replace(")\n", "").split(", ").sort(), settings.sort());
  await assertWaitEnds(service, 0);
  await stop(service);
  // The command also ends when the service has ended.
  await assertWaitEnds(service, 1);
  const wrong = { ...env, PWGEN_RATE_LIMIT: "x" };
  const { code } = await end(spawn(Deno.execPath(), COMMAND, wrong));
  assertEquals(words("RestartPreventExitStatus"), [`${code}`]);
});

Deno.test("pwgen-api-tls.conf lets the unit read the certificate, and then it serves HTTPS", async () => {
  const [none, _deno, ...args] = words("ExecStart", TLS);
  assertEquals(none, "", "the command of the unit is replaced");
  const others = args.filter((arg) => arg !== "--allow-read=%d");
  assertEquals(others, COMMAND);
  // As systemd does, with a folder for %d.
  await using folder = await tempDir();
  const names = words("LoadCredential", TLS).map((word) => word.split(":")[0]);
  assertEquals(names, ["cert.pem", "key.pem"]);
  for (const name of names) {
    await Deno.copyFile(`${ROOT}tests/tls/${name}`, `${folder.path}/${name}`);
  }
  const inFolder = (text: string) => text.replaceAll("%d", folder.path);
  const env = Object.fromEntries(
    words("Environment", TLS).map((word) => inFolder(word).split("=")),
  );
  await using service = await listening(
    spawn(Deno.execPath(), args.map(inFolder), env),
  );
  using client = await tlsClient();
  const url = `https://localhost:${service.port}/healthz`;
  const response = await fetch(url, { client });
  assertEquals(await response.json(), { status: "ok" });
});

/** Whether this user can make a network namespace without interfaces. */
const canUnshare = Deno.build.os === "linux" &&
  !await missing("unshare", "ip", "git", "setpriv") &&
  (await end(spawn("unshare", ["-n", "true"]))).code === 0;
const offline = unless(
  canUnshare ? "" : "no unshare, ip, git or setpriv, or not root",
);

const withSystemd = unless(
  canUnshare && await isInstalled("/lib/systemd/systemd")
    ? ""
    : "no systemd or unshare, or not root",
);

/**
 * Runs a shell script with a user instance of systemd that has a unit, and a /run
 * of its own; returns its output.
 */
async function runWithSystemd(
  unit: string,
  script: string,
  ...args: string[]
): Promise<string> {
  const begin = `
    mount -t tmpfs tmpfs /run
    mkdir -p /run/systemd/system /run/systemd/user /run/bin
    echo "exec $(command -v systemctl) --user \\"\\$@\\"" >/run/bin/systemctl
    chmod +x /run/bin/systemctl
    cat >/run/systemd/user/pwgen-api@.service <<'EOF'
${unit}
EOF
    export PATH=/run/bin:$PATH XDG_RUNTIME_DIR=/run HOME=/run
    /lib/systemd/systemd --user &
    until systemctl show >/dev/null 2>&1; do sleep 0.1; done`;
  const flags = ["-m", "-p", "-f", "--mount-proc", "--kill-child"];
  const command = ["sh", "-c", `${begin}\n${script}`, ...args];
  const { stdout } = await end(spawn("unshare", [...flags, ...command]));
  return stdout;
}

withSystemd.test("renewed.sh restarts only the active processes, one after the other", async () => {
  // pwgen-api@8000 fails.
  const unit = `[Service]
ExecStartPre=sh -c 'test %i != 8000 && echo start %i >>/run/log'
ExecStart=sleep 1000
ExecStop=sh -c 'echo stop %i >>/run/log'`;
  const script = `
    systemctl start "$@"
    echo >/run/log
    "$0"
    cat /run/log`;
  const restart = (...ports: number[]) => {
    const units = ports.map((port) => `pwgen-api@${port}`);
    return runWithSystemd(unit, script, `${ROOT}deploy/renewed.sh`, ...units);
  };
  assertEquals(await restart(8000, 443), "\nstop 443\nstart 443\n");
  assertMatch(
    await restart(8000, 8001, 8002),
    /^\nstop (\d+)\nstart \1\nstop (?!\1)(\d+)\nstart \2\n$/,
  );
});

withSystemd.test("the command of docs/operate.md checks the settings with the environment and the folder of the unit", async () => {
  await using folder = await tempDir();
  const settings = `${folder.path}/pwgen-api.env`;
  await Deno.writeTextFile(settings, "PWGEN_RATE_LIMIT=77\n");
  const document = await Deno.readTextFile(`${ROOT}docs/operate.md`);
  const [command] = /^ *\(cd \/opt\/pwgen-api .*--check\)$/m.exec(document)!;
  assert(command.includes(". /etc/pwgen-api.env && bin/deno task "), command);
  const local = command.replace("/opt/pwgen-api", ROOT)
    .replace("/etc/pwgen-api.env", settings)
    .replace("bin/deno", Deno.execPath());
  const unit = UNIT.replace(/DENO_DIR=\S+/, `DENO_DIR=${folder.path}`);
  assertEquals(
    await runWithSystemd(unit, local),
    `pwgen-api ${metadata.version} would serve http://127.0.0.1:8000/, 77 requests a minute, counted in memory; settings: PWGEN_PORT, PWGEN_TRUSTED_PROXIES, PWGEN_RATE_LIMIT, PWGEN_DRAIN_DELAY, PWGEN_LOG_FORMAT\n`,
  );
});

offline.test("install.sh leaves no old file, keeps one former installation, and then the unit starts without a network", async () => {
  await using folder = await tempDir();
  const cwd = `${folder.path}/pwgen-api`;
  await Deno.mkdir(cwd);
  await Deno.writeTextFile(`${cwd}/removed.ts`, "");
  await Deno.mkdir(`${cwd}.old`);
  const DENO = Deno.execPath();
  const install = spawn(`${ROOT}deploy/install.sh`, [cwd], { DENO });
  assertEquals(await end(install), { code: 0, stdout: "", stderr: "" });
  const names = (path: string) =>
    [...Deno.readDirSync(path)].map(({ name }) => name).sort();
  assertEquals(names(folder.path), ["pwgen-api", "pwgen-api.old"]);
  assertEquals(names(`${cwd}.old`), ["removed.ts"]);
  assert(!names(cwd).includes("removed.ts"));
  const version = await end(spawn(`${cwd}/bin/deno`, ["--version"]));
  assertMatch(version.stdout, RegExp(`^deno ${Deno.version.deno} `));
  // Only the owner may change the files.
  const { mode } = await Deno.stat(`${cwd}/log.ts`);
  assertEquals(mode! & 0o777, 0o644);

  const [, wait] = /^ExecStartPost=\S+ -c '(.*)'$/m.exec(UNIT)!;
  // The port is free, because the namespace is new.
  const script = `
      ip link set lo up
      ip route show table all type unicast
      "$0" "$@" & MAINPID=$!
      ${wait}
      "$0" eval 'const r = await fetch("http://127.0.0.1:8000/api/pwgen/words", {
        method: "POST", body: "{}", headers: { "content-type": "application/json" }
      }); console.log((await r.json()).type);'
      kill $MAINPID; wait $MAINPID`;
  const shell = ["-n", "bash", "-c", script, `${cwd}/bin/deno`];
  const startOffline = (DENO_DIR: string) => {
    const args = [...shell, ...COMMAND];
    return end(
      spawn("unshare", args, { PWGEN_PORT: "8000", DENO_DIR }, { cwd }),
    );
  };
  const [, cache] = /DENO_DIR=(\S+)/.exec(
    await Deno.readTextFile(`${ROOT}deploy/pwgen-api.service`),
  )!;
  const url = "http://127.0.0.1:8000/ (settings: PWGEN_PORT)";
  const stdout = `pwgen-api ${metadata.version}: ${url}\n` +
    "words\nStopping: SIGTERM\n";
  const installedCache = cache!.replace("/opt/pwgen-api", cwd);
  const result = await startOffline(installedCache);
  assertEquals(result, { code: 0, stdout, stderr: "" });
  // The same start fails without the files of install.sh.
  assert((await startOffline(`${folder.path}/empty`)).code !== 0);
});

unless(await missing("git", "grep")).test(
  "install.sh keeps the URL of another registry, without its token, and then the unit starts",
  async () => {
    await using folder = await tempDir();
    const token = crypto.randomUUID();
    /** A registry with the packages of npmjs.org, for those who have the token. */
    await using registry: Deno.HttpServer<Deno.NetAddr> = Deno.serve(
      { port: 0, hostname: "127.0.0.1", onListen: () => {} },
      async ({ url, headers }) => {
        const isAllowed = headers.get("authorization") === `Bearer ${token}`;
        if (!isAllowed) return new Response(null, { status: 401 });
        const npm = "https://registry.npmjs.org/";
        const base = `http://127.0.0.1:${registry.addr.port}/npm/`;
        const response = await fetch(url.replace(base, npm));
        const type = response.headers.get("content-type")!;
        if (!type.includes("json")) return response;
        return new Response((await response.text()).replaceAll(npm, base));
      },
    );
    const place = `127.0.0.1:${registry.addr.port}/npm/`;
    const login = `//${place}:_authToken=${token}\n`;
    const url = `http://me:${token}@${place}`;
    const cwd = `${folder.path}/pwgen-api`;
    for (
      const [npmrc, env] of [
        [`registry = ${url}\n${login}`, {}],
        [`registry=http://127.0.0.1:1/\n${login}`, {
          NPM_CONFIG_REGISTRY: url,
        }],
      ] as const
    ) {
      await Deno.writeTextFile(`${folder.path}/.npmrc`, npmrc);
      const DENO = Deno.execPath();
      const install = spawn(`${ROOT}deploy/install.sh`, [cwd], {
        ...env,
        DENO,
        HOME: folder.path,
      });
      assertEquals(await end(install), { code: 0, stdout: "", stderr: "" });
      assertEquals(
        await Deno.readTextFile(`${cwd}/.npmrc`),
        `registry=http://${place}\n`,
      );
      assertEquals((await end(spawn("grep", ["-rl", token, cwd]))).stdout, "");
      const DENO_DIR = `${cwd}/.deno`;
      const unit = spawn(`${cwd}/bin/deno`, COMMAND, { DENO_DIR }, {
        clearEnv: true,
        cwd,
      });
      await using service = await listening(unit);
      const words = await post(`${service.url}/api/pwgen/words`, "{}");
      assertEquals((await words.json()).type, "words");
    }
  },
);

onLinux.test("the commands of a rollback exchange two installations, and end if there is no second one", async () => {
  await using folder = await tempDir();
  const document = await Deno.readTextFile(`${ROOT}docs/operate.md`);
  const [commands] = /^mv -T (?:.*\n {2})*.*$/m.exec(document)!;
  const script = commands.replaceAll("/opt", folder.path);
  const target = `${folder.path}/pwgen-api`;
  const rollback = () => end(spawn("sh", ["-c", script]));
  const version = () => Deno.readTextFile(`${target}/version`);
  for (const [path, text] of [[target, "2"], [`${target}.old`, "1"]]) {
    await Deno.mkdir(path!);
    await Deno.writeTextFile(`${path}/version`, text!);
  }
  for (const expected of ["1", "2", "1"]) {
    assertEquals((await rollback()).code, 0);
    assertEquals(await version(), expected);
  }
  await Deno.remove(`${target}.old`, { recursive: true });
  assertEquals((await rollback()).code, 1);
  assertEquals(await version(), "1");
  const names = [...Deno.readDirSync(folder.path)].map(({ name }) => name);
  assertEquals(names, ["pwgen-api"]);
});

unless(await missing("git")).test(
  "the commands of an upgrade check out the newest commit of a clone without tags",
  async () => {
    await using folder = await tempDir();
    const document = await Deno.readTextFile(`${ROOT}docs/operate.md`);
    const [commands] = /^git fetch .*\ngit checkout .*$/m.exec(document)!;
    const commit =
      "git -c user.name=a -c user.email=a@b commit -q --allow-empty -m";
    const script = `set -e
    git init -q -b main first
    (cd first && ${commit} one)
    git clone -q first clone
    (cd first && ${commit} two)
    cd clone
    ${commands}
    git log -1 --format=%s`;
    const { stdout, stderr } = await end(
      spawn("sh", ["-c", script], {}, { cwd: folder.path }),
    );
    assertEquals(stdout, "two\n", stderr);
  },
);

offline.test("pwgen-api-443.conf lets the unit listen on port 443", async () => {
  const key = "CapabilityBoundingSet";
  assertEquals(words(key, PORT_443), words("AmbientCapabilities", PORT_443));
  assertEquals(words("PrivateUsers", PORT_443), ["no"]);
  /** Starts the command of the unit in a network namespace, in which 443 is free. */
  const start = (unit: string) => {
    const names = words(key, unit).filter((name) => name !== "")
      .map((name) => name.toLowerCase().replace("cap_", "+"));
    const set = ["-all", ...names].join();
    return spawn("unshare", [
      "-n",
      "setpriv",
      `--inh-caps=${set}`,
      `--bounding-set=${set}`,
      Deno.execPath(),
      ...COMMAND,
    ], { PORT: "443", PWGEN_HOST: "0.0.0.0" });
  };
  await using service = await listening(start(PORT_443));
  assertEquals(service.port, 443);
  const { code, stderr } = await end(start(UNIT));
  assertEquals(code, 2);
  assertMatch(stderr, /port 443: Permission denied/);
});
