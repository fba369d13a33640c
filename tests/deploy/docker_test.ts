/**
 * The steps of the Dockerfile, done here one after the other: what it copies, its
 * RUN, then CMD and HEALTHCHECK on files that nobody may write to, as a user who
 * owns none of them where the tests run as root.
 */
import { assert, assertEquals } from "@std/assert";
import { dirname } from "@std/path";
import metadata from "../../deno.json" with { type: "json" };
import { copy, setWritable, tempDir } from "../helpers/files.ts";
import {
  end,
  HAS_SIGTERM,
  listening,
  post,
  ROOT,
  spawn,
} from "../helpers/program.ts";

const text = (await Deno.readTextFile(`${ROOT}deploy/Dockerfile`))
  .replace(/\\\n */g, "");

/** What stands behind each instruction of a kind. */
function instructions(name: string): string[] {
  return [...text.matchAll(new RegExp(`^${name} (.*)$`, "gm"))]
    .map(([, rest]) => rest!);
}

/** Whether any user may go into a folder. */
async function isOpen(path: string): Promise<boolean> {
  if (path === dirname(path)) return true;
  const { mode } = await Deno.stat(path);
  return (mode! & 1) === 1 && await isOpen(dirname(path));
}

Deno.test("the Dockerfile runs what deno task start runs, with the Deno of the CI", () => {
  assert(instructions("FROM")[0]!.endsWith(`-${Deno.version.deno}`));
  const [, ...flags] = metadata.tasks.start.command.split(" ");
  assertEquals(JSON.parse(instructions("CMD")[0]!), [
    flags[0],
    "--cached-only",
    ...flags.slice(1),
  ]);
  assertEquals(instructions("USER"), ["65532"]);
});

Deno.test({
  name:
    "the image answers, on files that nobody may write to, as another user" +
    (HAS_SIGTERM ? "" : " (skipped: no such users on Windows)"),
  ignore: !HAS_SIGTERM,
  fn: async () => {
    await using folder = await tempDir();
    const image = folder.path;
    await Deno.chmod(image, 0o755);
    const app = image + instructions("WORKDIR")[0]!;
    const deno = `${image}/bin/deno`;
    await Deno.mkdir(`${image}/bin`);
    await Deno.mkdir(`${image}/cache`);
    await Deno.mkdir(app);
    await Deno.copyFile(Deno.execPath(), deno);
    for (const instruction of instructions("COPY")) {
      const names = instruction.split(" ").filter((word) =>
        !word.startsWith("--")
      );
      const target = names.pop()!;
      for (const name of names) {
        await copy(ROOT + name, `${app}/${target === "./" ? name : target}`);
      }
    }
    const env = {
      ...Object.fromEntries(
        instructions("ENV")[0]!.split(" ").map((pair) => pair.split("=")),
      ),
      DENO_DIR: `${image}/cache`, // of the base image
      PORT: "0",
    };
    const owner = Deno.uid() === 0 && await isOpen(dirname(image))
      ? Number(instructions("USER")[0])
      : undefined;
    const words = (instruction: string): string[] =>
      JSON.parse(instruction.replace("/bin/deno", deno));
    const [cache, ...rest] = words(instructions("RUN")[0]!);
    const built = await new Deno.Command(cache!, { args: rest, cwd: app, env })
      .output();
    assert(built.success, new TextDecoder().decode(built.stderr));
    await setWritable(image, false);

    const options = {
      cwd: app,
      clearEnv: true,
      ...(owner !== undefined && { uid: owner, gid: owner }),
    };
    {
      await using service = await listening(
        spawn(deno, JSON.parse(instructions("CMD")[0]!), env, options),
      );
      const ask = async () => {
        const [, command] = instructions("HEALTHCHECK")[0]!.split(" CMD ");
        const [health, ...args] = words(
          command!.replace(":8000/", `:${service.port}/`),
        );
        return (await new Deno.Command(health!, { ...options, args, env })
          .output()).code;
      };
      const response = await post(
        `http://127.0.0.1:${service.port}/api/pwgen/sentence`,
        "{}",
      );
      assertEquals((await response.json()).type, "sentence");
      assertEquals(await ask(), 0);
      service.process.kill("SIGTERM");
      const { code, stderr } = await end(service);
      assertEquals(code, 0);
      // Nothing but that passwords must travel over HTTPS.
      assertEquals(stderr.split("\n").length, 2, stderr);
      assert(await ask() !== 0, "healthy although it is gone");
    }
  },
});
