import { assert, assertEquals, assertMatch } from "@std/assert";
import { catchErrors } from "../../middleware/catch_errors.ts";
import { postInit, readProblem, service } from "../helpers/service.ts";
import { clientNamed } from "../helpers/key.ts";

const SECRET = "hunter2";

/** The response and the log for a request to /x whose handler throws a value. */
async function respond(value: unknown) {
  const logged: string[] = [];
  const handler = catchErrors((line) => logged.push(line))(async () => {
    throw value;
  });
  const request = new Request(`http://localhost/x?${SECRET}`);
  const context = { path: "/x", client: clientNamed("a"), route: "/x" };
  return { response: await handler(request, context), logged };
}

Deno.test("catchErrors() responds with a 500 that has no detail of what is thrown", async () => {
  const error = new TypeError(`${SECRET}\n    at ${SECRET}`);
  for (const value of [error, SECRET, { SECRET }, null, undefined]) {
    const { response, logged } = await respond(value);
    const problem = await readProblem(response, 500, "/x");
    assertEquals(problem.errors, undefined);
    assert(!JSON.stringify(problem).includes(SECRET));
    assert(!JSON.stringify(problem).includes("TypeError"));
    assertEquals(logged.length, 1);
    assert(logged[0]!.startsWith("Cannot answer /x: "));
    assert(!logged[0]!.includes(SECRET), logged[0]);
  }
});

Deno.test("catchErrors() logs the class of an error and where it was thrown", async () => {
  const { logged } = await respond(new RangeError(SECRET));
  assertMatch(logged[0]!, /RangeError at .*catch_errors_test\.ts:\d+/);
});

Deno.test("catchErrors() does not change a response", async () => {
  const expected = new Response("x");
  const handler = catchErrors(() => {
    throw new Error("logged");
  })(async () => expected);
  const request = new Request("http://localhost/");
  assertEquals(
    await handler(request, { path: "/", client: clientNamed("a") }),
    expected,
  );
});

Deno.test("catchErrors() keeps the fields of the rate limiter on a 500", async () => {
  const { handler, logged } = await service();
  const path = "/api/pwgen/characters";
  const init = postInit("{}", { "content-length": "2" });
  const request = new Request(`http://localhost${path}`, init);
  Object.defineProperty(request, "json", {
    value: () => {
      throw new Error(SECRET);
    },
  });
  const response = await handler(request, "192.0.2.1");
  assertEquals(response.headers.get("ratelimit"), '"default";r=59;t=60');
  assertEquals(response.headers.get("cache-control"), "no-store");
  await readProblem(response, 500, path);
  assertEquals(logged.length, 1);
  assert(!logged[0]!.includes(SECRET));
});

Deno.test("catchErrors() catches what is thrown outside of the endpoints", async () => {
  const { handler, logged } = await service();
  const request = new Request("http://localhost/healthz");
  // The router is the first to read the method.
  let reads = 0;
  Object.defineProperty(request, "method", {
    get: () => {
      if (reads++ === 0) throw new Error(SECRET);
      return "GET";
    },
  });
  await readProblem(await handler(request, "192.0.2.1"), 500, "/healthz");
  assertEquals(logged.length, 1);
  assert(!logged[0]!.includes(SECRET));
});
