/**
 * The program as Deno Deploy runs it: with all permissions, without flags, and
 * in several instances.
 */
import { assertEquals, assertRejects } from "@std/assert";
import { testWay } from "./contract.ts";
import { tempDir } from "../helpers/files.ts";
import {
  assertRemaining,
  listening,
  type Program,
  requestWords,
  serve,
  spawn,
} from "../helpers/program.ts";

/** The variables that Deno itself needs to find its cache. */
const CACHE = Object.fromEntries(
  Object.entries(Deno.env.toObject()).filter(([name]) =>
    name === "DENO_DIR" || Deno.build.os === "windows"
  ),
);

/** Starts an instance, with no other variables than these. */
function spawnInstance(env: Record<string, string>): Program {
  const args = ["run", "-A", "main.ts"];
  const options = { clearEnv: true };
  return spawn(Deno.execPath(), args, { ...CACHE, ...env }, options);
}

const startInstance = (env: Record<string, string>) =>
  listening(spawnInstance(env));

testWay({
  name: "an instance on Deno Deploy",
  host: "localhost",
  start: (env = {}) => spawnInstance({ DENO_DEPLOYMENT_ID: "1", ...env }),
});

/** An address of this machine that is no loopback address. */
const OUTSIDE = Deno.networkInterfaces().find(({ family, address }) =>
  family === "IPv4" && !address.startsWith("127.")
)?.address;

Deno.test(
  "a variable of Deno Deploy makes the program serve clients on other machines" +
    (OUTSIDE ? "" : " (in part: this machine has only loopback addresses)"),
  async () => {
    for (const name of ["DENO_DEPLOYMENT_ID", "DENO_DEPLOY"]) {
      await using service = await startInstance({ [name]: "1" });
      for (const host of ["127.0.0.1", OUTSIDE ?? "127.0.0.1"]) {
        const { status, headers } = await requestWords(service, {}, host);
        assertEquals(status, 200, host);
        const sts = headers.get("strict-transport-security");
        assertEquals(sts, "max-age=31536000");
      }
      // The platform terminates TLS, so the program gives no warning.
      assertEquals(service.stderr.text, "");
    }
    if (!OUTSIDE) return;
    await using service = await startInstance({});
    await assertRejects(() => requestWords(service, {}, OUTSIDE), TypeError);
  },
);

Deno.test("instances on Deno Deploy with a database share one limit", async () => {
  await using folder = await tempDir();
  const env = {
    DENO_DEPLOYMENT_ID: "1",
    PWGEN_RATE_LIMIT_STORE: "kv",
    // The platform sets this variable if the app has a database.
    DENO_KV_DEFAULT_PATH: `${folder.path}/database`,
  };
  await using one = await startInstance(env);
  await using other = await startInstance(env);
  for (const [i, instance] of [one, other, one, other].entries()) {
    await assertRemaining(instance, 59 - i);
  }
  assertEquals(one.stderr.text + other.stderr.text, "");
});

Deno.test("an instance on Deno Deploy names an unknown variable; deno task start cannot list variables", async () => {
  const env = { DENO_DEPLOY: "1", PWGEN_RATELIMIT: "5" };
  await using instance = await startInstance(env);
  await using service = await serve({ env });
  const line =
    "PWGEN_RATELIMIT: no setting has this variable; the nearest name is PWGEN_RATE_LIMIT\n";
  assertEquals([instance.stderr.text, service.stderr.text], [line, ""]);
});
