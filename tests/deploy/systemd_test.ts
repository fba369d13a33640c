/**
 * The unit under the eyes of systemd-analyze. That it runs, a machine with
 * systemd shows; its command line is tried here.
 */
import { assert, assertEquals } from "@std/assert";
import metadata from "../../deno.json" with { type: "json" };
import { HAS_SIGTERM, listening, ROOT, spawn } from "../program.ts";

const unit = await Deno.readTextFile(`${ROOT}deploy/pwgen-api.service`);

/** What stands behind a key of the unit, as words. */
function words(key: string): string[] {
  return [...unit.matchAll(new RegExp(`^${key}=(.*)$`, "gm"))]
    .flatMap(([, value]) => value!.split(" "));
}

async function isThere(command: string): Promise<boolean> {
  try {
    return (await new Deno.Command(command, {
      args: ["--version"],
      stdout: "null",
    }).output()).success;
  } catch {
    return false;
  }
}

const analyzer = await isThere("systemd-analyze");
const skipped = analyzer ? "" : " (skipped: no systemd-analyze)";

/** Has systemd-analyze judge the unit, with the paths of this machine. */
async function analyze(...args: string[]) {
  const folder = await Deno.makeTempDir();
  const file = `${folder}/pwgen-api@8000.service`;
  const text = unit.replaceAll("/usr/local/bin/deno", Deno.execPath());
  await Deno.writeTextFile(file, text);
  const { code, stdout, stderr } = await new Deno.Command("systemd-analyze", {
    args: [...args, file],
    env: { SYSTEMD_COLORS: "0" },
  }).output();
  await Deno.remove(folder, { recursive: true });
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
    // In tenths: 1.5 of 10, where a unit without any of this has 9.6.
    const { code, said } = await analyze(
      ...["security", "--offline=true", "--no-pager", "--threshold=15"],
    );
    assertEquals(code, 0, said);
    const [, exposure] = /exposure level .*: ([\d.]+)/.exec(said!)!;
    // deno-lint-ignore no-console
    console.log(`  Exposure: ${exposure} of 10`);
  },
});

Deno.test("the unit runs what the task start:kv runs, and that answers and stops", async () => {
  const task = metadata.tasks["start:kv"].command.split(" && ").at(-1)!;
  const state = "/var/lib/pwgen-api";
  assertEquals(
    words("ExecStart").slice(1),
    task.split(" ").slice(1, -1).map((word) =>
      word.replaceAll('"', "").replace("$PWGEN_KV_PATH", state)
    ),
  );
  assertEquals(words("StateDirectory"), [state.replace("/var/lib/", "")]);

  const folder = await Deno.makeTempDir();
  const here = (text: string) => text.replaceAll(state, folder);
  const env = Object.fromEntries(
    words("Environment").filter((word) => !word.startsWith("DENO_DIR="))
      .map((word) => here(word).replace("%i", "0").split(/=(.*)/s)),
  );
  {
    const args = words("ExecStart").slice(1).map(here);
    await using service = await listening(spawn(Deno.execPath(), args, env));
    const response = await fetch(`${service.url}/api/pwgen/words`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "x-forwarded-for": "192.0.2.1",
      },
      body: "{}",
    });
    assertEquals(response.headers.get("ratelimit"), '"default";r=59;t=60');
    await response.body?.cancel();
    assert(
      [...Deno.readDirSync(folder)].some(({ name }) => name === "rate.kv"),
    );
    service.process.kill("SIGTERM");
    const { code } = await service.process.status;
    if (HAS_SIGTERM) assertEquals(code, 0);
  }
  await Deno.remove(folder, { recursive: true });
});
