import { assert, assertEquals, assertMatch } from "@std/assert";
import { UNKNOWN } from "../../middleware/client.ts";
import { respond } from "../../middleware/respond.ts";
import { readProblem } from "../helpers/service.ts";

const SECRET = "hunter2";

Deno.test("respond() answers an exception with a 500 without a detail, and logs the class of an error and its place", async () => {
  const error = new TypeError(`${SECRET}\n    at ${SECRET}`);
  for (const value of [error, SECRET, { SECRET }, null, undefined]) {
    const logged: string[] = [];
    const handler = respond(async () => {
      throw value;
    }, {
      logError: (line) => void logged.push(line),
      ...{ tls: false, hstsMaxAge: 0 },
      ...{ negotiated: new Set(), anyOrigin: new Set() },
    });
    const request = new Request(`http://localhost/x?${SECRET}`);
    const context = { path: "/x", client: UNKNOWN, route: "/x" };
    const response = await handler(request, context);
    const problem = await readProblem(response, 500, "/x");
    assertEquals(problem.errors, undefined);
    assert(!JSON.stringify(problem).includes(SECRET));
    assert(!JSON.stringify(problem).includes("TypeError"));
    assertEquals(logged.length, 1);
    const place = value === error
      ? "TypeError at .*catch_errors_test\\.ts:\\d+"
      : "a thrown ";
    assertMatch(logged[0]!, RegExp(`^Cannot answer /x: ${place}`));
    assert(!logged[0]!.includes(SECRET), logged[0]);
  }
});
