/**
 * The program as Deno Deploy runs it: with all permissions, no flags, hardly a
 * variable, several instances that come and go.
 */
import { assert, assertEquals } from "@std/assert";
import metadata from "../../deno.json" with { type: "json" };
import { tempDir } from "../helpers/files.ts";
import {
  HAS_SIGTERM,
  listening,
  post,
  type Program,
  spawn,
} from "../helpers/program.ts";

/** What of this environment Deno itself needs to find its cache. */
const CACHE = Object.fromEntries(
  Object.entries(Deno.env.toObject()).filter(([name]) =>
    name === "DENO_DIR" || Deno.build.os === "windows"
  ),
);

/** Starts the program with the port, some variables, and nothing else. */
function start(env: Record<string, string> = {}): Program {
  return spawn(
    Deno.execPath(),
    ["run", "-A", "main.ts"],
    { ...CACHE, ...env },
    { clearEnv: true },
  );
}

/** An address of this machine that is not the loopback's. */
const OUTSIDE = Deno.networkInterfaces().find(({ family, address }) =>
  family === "IPv4" && !address.startsWith("127.")
)?.address;

/** Asks for words, where anybody listens. */
async function ask(host: string, port: number): Promise<Response | undefined> {
  try {
    const response = await post(
      `http://${host}:${port}/api/pwgen/words`,
      "{}",
    );
    await response.body?.cancel();
    return response;
  } catch {
    return undefined;
  }
}

Deno.test(
  `the program runs on Deno Deploy by its platform's variable alone, for clients from outside${
    OUTSIDE
      ? ""
      : " (from outside: skipped, this machine has the loopback alone)"
  }`,
  async () => {
    for (const name of ["DENO_DEPLOYMENT_ID", "DENO_DEPLOY"]) {
      await using service = await listening(start({ [name]: "1" }));
      for (const host of ["127.0.0.1", OUTSIDE ?? "127.0.0.1"]) {
        const response = await ask(host, service.port);
        assertEquals(response?.status, 200, host);
        assertEquals(
          response!.headers.get("ratelimit-policy"),
          '"default";q=60;w=60',
        );
        assertEquals(
          response!.headers.get("strict-transport-security"),
          "max-age=31536000",
        );
      }
      // No word of TLS, which the platform speaks.
      assertEquals(service.stderr.text, "");
    }
    // Elsewhere nobody is listened to from outside without being told so.
    await using service = await listening(start());
    const response = await ask("127.0.0.1", service.port);
    assertEquals(response?.status, 200);
    assert(!response!.headers.has("strict-transport-security"));
    if (OUTSIDE) assertEquals(await ask(OUTSIDE, service.port), undefined);
  },
);

Deno.test("instances on Deno Deploy come and go, each on its own", async () => {
  const instance = () => listening(start({ DENO_DEPLOYMENT_ID: "1" }));
  const instances = [await instance(), await instance(), await instance()];
  const remaining = async (port: number) =>
    (await ask("127.0.0.1", port))?.headers.get("ratelimit");
  // Without a database each counts for itself.
  for (const { port } of instances) {
    assertEquals(await remaining(port), '"default";r=59;t=60');
  }
  const [killed, told, stays] = instances;
  if (Deno.build.os !== "windows") killed!.process.kill("SIGKILL");
  told!.process.kill("SIGTERM");
  const { code } = await told!.process.status;
  if (HAS_SIGTERM) assertEquals(code, 0);
  assertEquals(await remaining(stays!.port), '"default";r=58;t=60');
  await using another = await instance();
  assertEquals(await remaining(another.port), '"default";r=59;t=60');
  for (const instance of instances) await instance[Symbol.asyncDispose]();
});

Deno.test("instances on Deno Deploy share one budget in the database of the platform", async () => {
  await using folder = await tempDir();
  const env = {
    DENO_DEPLOYMENT_ID: "1",
    PWGEN_RATE_LIMIT_STORE: "kv",
    // What the platform attaches to an app.
    DENO_KV_DEFAULT_PATH: `${folder.path}/database`,
  };
  await using one = await listening(start(env));
  await using other = await listening(start(env));
  for (const [i, { port }] of [one, other, one, other].entries()) {
    const response = await ask("127.0.0.1", port);
    assertEquals(
      response?.headers.get("ratelimit"),
      `"default";r=${59 - i};t=60`,
    );
  }
  assertEquals(one.stderr.text + other.stderr.text, "");
});

Deno.test("whatever needs a flag stands under unstable in deno.json, for a platform that takes none", () => {
  // raw-imports: the lists are imported as text, which Deno before 2.8 has so.
  assertEquals(metadata.unstable, ["kv", "raw-imports"]);
  for (const { command } of Object.values(metadata.tasks)) {
    assert(!command.includes("--unstable"), command);
  }
});
