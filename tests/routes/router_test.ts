import { assertEquals } from "@std/assert";
import { ask, readProblem } from "../helpers/service.ts";

const PATHS = ["characters", "words", "sentence"].map((name) =>
  `/api/pwgen/${name}`
);

Deno.test("router() knows neither folders nor inherited names", async () => {
  await readProblem(await ask("/page"), 404, "/page");
  await readProblem(await ask("/constructor"), 404, "/constructor");
});

Deno.test("router() refuses other methods with 405 and Allow", async () => {
  for (const path of PATHS) {
    for (const method of ["GET", "PUT", "PATCH", "DELETE", "BREW"]) {
      const response = await ask(path, { method });
      assertEquals(response.headers.get("allow"), "POST, OPTIONS");
      await readProblem(response, 405, path);
    }
  }
  for (const method of ["POST", "OPTIONS", "constructor"]) {
    const response = await ask("/healthz", { method });
    assertEquals(response.headers.get("allow"), "GET, HEAD");
    await readProblem(response, 405, "/healthz");
  }
});

Deno.test("router() does not repeat a path of more than 200 characters", async () => {
  for (const [length, repeats] of [[200, true], [201, false]] as const) {
    const path = `/${"x".repeat(length - 1)}`;
    const { instance } = await (await ask(path)).json();
    assertEquals(instance, repeats ? path : null);
  }
});
