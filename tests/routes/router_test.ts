import { assertEquals } from "@std/assert";
import { ask, post, readPassword, readProblem } from "../helpers/service.ts";

const PATHS = ["characters", "words", "sentence"].map((name) =>
  `/api/pwgen/${name}`
);

Deno.test("router() compares paths byte for byte", async () => {
  for (const path of PATHS) {
    await readPassword(await post(path, {}), path.split("/").pop()!);
    for (
      const other of [
        path + "/",
        path.toUpperCase(),
        path.replace("pwgen", "Pwgen"),
        path.replace("w", "%77"),
        path.replace("/pwgen", "//pwgen"),
        "/" + path,
        path + "%20",
        path + ";x",
        path.slice(0, -1),
      ]
    ) {
      await readProblem(await post(other, {}), 404, other);
    }
  }
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

Deno.test("router() ignores the query string", async () => {
  for (const path of PATHS) {
    for (const query of ["?", "?length=3", "?wordCount=x&language=en", "?/"]) {
      await readPassword(await post(path + query, {}), path.split("/").pop()!);
    }
    const response = await post(`${path}?length=3`, { casing: 1, length: 0 });
    assertEquals((await response.json()).instance, path);
  }
});
