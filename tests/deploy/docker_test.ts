/**
 * The test does the steps of the Dockerfile: COPY and RUN, then CMD and
 * HEALTHCHECK on read-only files. If the tests run as root, the last two run as
 * the user of the image.
 */
import { assert, assertEquals } from "@std/assert";
import { dirname } from "@std/path";
import { copy, setWritable, tempDir } from "../helpers/files.ts";
import {
  end,
  HAS_SIGTERM,
  listening,
  post,
  ROOT,
  spawn,
  START_ARGS,
} from "../helpers/program.ts";

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
  assert(instructions("FROM")[0]!.endsWith(`-${Deno.version.deno}`));
  const command = START_ARGS.toSpliced(1, 0, "--cached-only");
  assertEquals(JSON.parse(instructions("CMD")[0]!), command);
  assertEquals(instructions("USER"), ["65532"]);
});

Deno.test({
  name: "the image serves and stops, with read-only files and as another user" +
    (HAS_SIGTERM ? "" : " (skipped: no such users on Windows)"),
  ignore: !HAS_SIGTERM,
  fn: async () => {
    await using folder = await tempDir();
    const image = folder.path;
    await Deno.chmod(image, 0o755);
    const app = image + instructions("WORKDIR")[0]!;
    const deno = `${image}/bin/deno`;
    for (const path of [`${image}/bin`, `${image}/cache`, app]) {
      await Deno.mkdir(path);
    }
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
      DENO_DIR: `${image}/cache`, // set by the base image
      PORT: "0",
    };
    const words = (command: string): string[] =>
      JSON.parse(command.replace("/bin/deno", deno));
    const [program, ...args] = words(instructions("RUN")[0]!);
    const built = await new Deno.Command(program!, { args, cwd: app, env })
      .output();
    assert(built.success, new TextDecoder().decode(built.stderr));
    await setWritable(image, false);

    const user = Number(instructions("USER")[0]);
    const options = {
      cwd: app,
      clearEnv: true,
      ...(Deno.uid() === 0 && await isAccessible(dirname(image)) &&
        { uid: user, gid: user }),
    };
    const cmd = JSON.parse(instructions("CMD")[0]!);
    await using service = await listening(spawn(deno, cmd, env, options));
    const healthStatus = async () => {
      const [, command] = instructions("HEALTHCHECK")[0]!.split(" CMD ");
      const [program, ...args] = words(
        command!.replace(":8000/", `:${service.port}/`),
      );
      return (await end(spawn(program!, args, env, options))).code;
    };
    const response = await post(
      `http://127.0.0.1:${service.port}/api/pwgen/sentence`,
      "{}",
    );
    assertEquals((await response.json()).type, "sentence");
    assertEquals(await healthStatus(), 0);
    service.process.kill("SIGTERM");
    const { code, stderr } = await end(service);
    assertEquals(code, 0);
    // The only line is the warning that passwords must travel over HTTPS.
    assertEquals(stderr.split("\n").length, 2, stderr);
    assert(await healthStatus() !== 0, "healthy after its end");
  },
});
