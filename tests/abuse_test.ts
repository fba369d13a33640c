import { assertEquals } from "@std/assert";
import { end, spawn, unless } from "./helpers/program.ts";

const onLinux = unless(
  Deno.build.os === "linux" ? "" : "needs /proc and all of 127.0.0.0/8",
);

onLinux.test("the program serves a normal client while others attack it in every way of bench/abusers.ts", async () => {
  const args = ["run", "--frozen", "--allow-all", "bench/soak.ts", "--abuse"];
  const minutes = "--minutes=0.1";
  // The measurement of coverage makes a request that takes long take a second.
  const attacks = spawn("env", [
    "--unset=DENO_COVERAGE_DIR",
    Deno.execPath(),
    ...args,
    minutes,
  ]);
  const { code, stdout, stderr } = await end(attacks);
  assertEquals([code, stderr], [0, ""], stdout);
});
