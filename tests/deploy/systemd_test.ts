/**
 * The unit under the eyes of systemd-analyze. That it runs, a machine with
 * systemd shows; its command line is tried here.
 */
import { assert, assertEquals } from "@std/assert";
import metadata from "../../deno.json" with { type: "json" };
import { tempDir } from "../helpers/files.ts";
import {
  end,
  HAS_SIGTERM,
  isInstalled,
  listening,
  post,
  ROOT,
  spawn,
  start,
  testStop,
} from "../helpers/program.ts";
import { startRedis, testRedis } from "../helpers/redis.ts";

const unit = await Deno.readTextFile(`${ROOT}deploy/pwgen-api.service`);

/** What stands behind a key of the unit, as words. */
function words(key: string): string[] {
  return [...unit.matchAll(new RegExp(`^${key}=(.*)$`, "gm"))]
    .flatMap(([, value]) => value!.split(" "));
}

const analyzer = await isInstalled("systemd-analyze");
const skipped = analyzer ? "" : " (skipped: no systemd-analyze)";

const RENEWED = ["pwgen-api-renewed.path", "pwgen-api-renewed.service"];

Deno.test({
  name:
    `systemd-analyze finds nothing wrong with the units of a renewal${skipped}`,
  ignore: !analyzer,
  fn: async () => {
    await using folder = await tempDir();
    const files: string[] = [];
    for (const name of RENEWED) {
      const text = await Deno.readTextFile(`${ROOT}deploy/${name}`);
      const file = `${folder.path}/${name}`;
      await Deno.writeTextFile(
        file,
        text.replaceAll("/opt/pwgen-api/", ROOT),
      );
      files.push(file);
    }
    const { code, stderr } = await new Deno.Command("systemd-analyze", {
      args: ["verify", ...files],
    }).output();
    assertEquals([code, new TextDecoder().decode(stderr)], [0, ""]);
  },
});

testStop(
  "the hook of a renewal restarts one process after the other",
  async () => {
    await using folder = await tempDir();
    // In the place of systemctl: writes down what it is asked for.
    const systemctl = `${folder.path}/systemctl`;
    await Deno.writeTextFile(systemctl, '#!/bin/sh\necho "$@"\n', {
      mode: 0o755,
    });
    const { code, stdout } = await new Deno.Command(
      `${ROOT}deploy/renewed.sh`,
      { env: { PATH: `${folder.path}:${Deno.env.get("PATH")}` } },
    ).output();
    assertEquals(code, 0);
    assertEquals(
      new TextDecoder().decode(stdout),
      "restart pwgen-api@8000\nrestart pwgen-api@8001\n",
    );
  },
);

/** Has systemd-analyze judge the unit, with the paths of this machine. */
async function analyze(...args: string[]) {
  await using folder = await tempDir();
  const file = `${folder.path}/pwgen-api@8000.service`;
  const text = unit.replaceAll("/usr/local/bin/deno", Deno.execPath());
  await Deno.writeTextFile(file, text);
  const { code, stdout, stderr } = await new Deno.Command("systemd-analyze", {
    args: [...args, file],
    env: { SYSTEMD_COLORS: "0" },
  }).output();
  const [said, complained] = [stdout, stderr].map((bytes) =>
    new TextDecoder().decode(bytes)
  );
  return { code, said, complained };
}

Deno.test({
  name: `systemd-analyze finds nothing wrong with the unit${skipped}`,
  ignore: !analyzer,
  fn: async () => {
    const { code, said, complained } = await analyze("verify");
    assertEquals([code, said, complained], [0, "", ""]);
  },
});

Deno.test({
  name: `systemd-analyze finds the unit hardly exposed${skipped}`,
  ignore: !analyzer,
  fn: async () => {
    // In tenths: 1.3 of 10, where a unit without any of this has 9.6.
    const { code, said } = await analyze(
      ...["security", "--offline=true", "--no-pager", "--threshold=13"],
    );
    assertEquals(code, 0, said);
    const [, exposure] = /exposure level .*: ([\d.]+)/.exec(said!)!;
    // deno-lint-ignore no-console
    console.log(`  Exposure: ${exposure} of 10`);
  },
});

Deno.test("the unit does not start again what was told a bad setting, and permits V8 its keys", async () => {
  const { code } = await end(start({ flags: ["--check", "--port=x"] }));
  assertEquals(words("RestartPreventExitStatus"), [String(code)]);
  // Without it the kernel ends Deno at once, which no test here shows.
  assert(words("SystemCallFilter").includes("@pkey"));
});

/** Runs the line that waits until the service listens. */
async function waited(port: number, pid: number, code: number): Promise<void> {
  if (Deno.build.os !== "linux") return; // bash has no /dev/tcp everywhere
  const [, line] = /^ExecStartPost=\S+ -c '(.*)'$/m.exec(unit)!;
  const { code: ended } = await new Deno.Command("bash", {
    args: ["-c", line!],
    env: { PORT: String(port), MAINPID: String(pid) },
  }).output();
  assertEquals(ended, code);
}

Deno.test("the unit runs what the task start runs, and that answers and stops", async () => {
  assertEquals(
    words("ExecStart").slice(1),
    metadata.tasks.start.command.split(" ").slice(1),
  );
  const env = Object.fromEntries(
    words("Environment").filter((word) => !word.startsWith("DENO_DIR="))
      .map((word) => word.replace("%i", "0").split(/=(.*)/s)),
  );
  const args = words("ExecStart").slice(1);
  await using service = await listening(spawn(Deno.execPath(), args, env));
  const response = await post(`${service.url}/api/pwgen/words`, "{}", {
    "x-forwarded-for": "192.0.2.1",
  });
  assertEquals(response.headers.get("ratelimit"), '"default";r=59;t=60');
  await response.body?.cancel();
  await waited(service.port, service.process.pid, 0);
  service.process.kill("SIGTERM");
  const { code } = await service.process.status;
  if (HAS_SIGTERM) assertEquals(code, 0);
  // And does not wait for a service that is gone.
  await waited(service.port, service.process.pid, 1);
});

testRedis(
  "the unit's settings reach Redis with the permissions of the unit",
  async () => {
    await using redis = await startRedis();
    const [, setting] = /echo '(PWGEN_RATE_LIMIT_STORE=.*)' >/.exec(unit)!;
    const [name, url] = setting!.split(/=(.*)/s) as [string, string];
    const here = url.replace(":PASSWORD@127.0.0.1", `127.0.0.1:${redis.port}`);
    assert(here !== url);
    await using service = await listening(
      spawn(Deno.execPath(), words("ExecStart").slice(1), { [name]: here }),
    );
    const response = await post(`${service.url}/api/pwgen/words`, "{}");
    await response.body?.cancel();
    const keys = (await redis.cli("KEYS", "*")).split("\n");
    assert(keys.includes("pwgen:secret"), String(keys));
    assertEquals(keys.length, 2, String(keys));
  },
);
