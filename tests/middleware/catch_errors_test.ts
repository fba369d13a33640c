import { assert, assertEquals } from "@std/assert";
import { catchErrors } from "../../middleware/catch_errors.ts";
import { randomUint16 } from "../../generators/random.ts";
import { readProblem, service } from "../helpers/service.ts";

const SECRET = "hunter2";

Deno.test("catchErrors() answers what is thrown with a 500 that tells nothing", async () => {
  const thrown = [
    new TypeError(`${SECRET}\n    at ${SECRET}`),
    SECRET,
    { SECRET },
    null,
    undefined,
  ];
  for (const value of thrown) {
    const logged: string[] = [];
    const handler = catchErrors((line) => logged.push(line))(() => {
      throw value;
    });
    const response = await handler(
      new Request(`http://localhost/x?${SECRET}`),
      { path: "/x", peer: "192.0.2.1", route: "/x" },
    );
    const problem = await readProblem(response, 500, "/x");
    assertEquals(problem.errors, undefined);
    assert(!JSON.stringify(problem).includes(SECRET));
    assert(!JSON.stringify(problem).includes("TypeError"));
    assertEquals(logged.length, 1);
    assert(logged[0]!.startsWith("Cannot answer /x: "));
    assert(!logged[0]!.includes(SECRET), logged[0]);
  }
});

Deno.test("catchErrors() tells the log where it arose", async () => {
  const logged: string[] = [];
  // deno-lint-ignore require-await
  const handler = catchErrors((line) => logged.push(line))(async () => {
    throw new RangeError(SECRET);
  });
  const request = new Request("http://localhost/");
  await handler(request, { path: "/", peer: "::1" });
  assert(
    /RangeError at .*catch_errors_test\.ts:\d+/.test(logged[0]!),
    logged[0],
  );
});

Deno.test("catchErrors() lets an answer pass as it is", async () => {
  const answer = new Response("x");
  const handler = catchErrors(() => {
    throw new Error("logged");
  })(() => answer);
  const request = new Request("http://localhost/");
  assertEquals(await handler(request, { path: "/", peer: "::1" }), answer);
});

Deno.test("catchErrors() keeps the rate limit's fields on a 500, and catches outside of the endpoints too", async () => {
  const { handler, logged } = await service();
  const { getRandomValues } = crypto;
  const path = "/api/pwgen/characters";
  try {
    crypto.getRandomValues = () => {
      throw new Error(SECRET);
    };
    // Use up the randomness that is there already.
    for (let i = 0; i < 2048; i++) {
      try {
        randomUint16();
      } catch {
        break;
      }
    }
    const request = new Request(`http://localhost${path}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: "{}",
    });
    const response = await handler(request, "192.0.2.1");
    assertEquals(response.headers.get("ratelimit"), '"default";r=59;t=60');
    assertEquals(response.headers.get("cache-control"), "no-store");
    await readProblem(response, 500, path);
  } finally {
    crypto.getRandomValues = getRandomValues;
  }
  // A method that cannot be read at first: before any endpoint.
  let thrown = false;
  const request = new Proxy(new Request("http://localhost/healthz"), {
    get: (target, name) => {
      if (name === "method" && !thrown) {
        thrown = true;
        throw new Error(SECRET);
      }
      const value = Reflect.get(target, name);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
  await readProblem(await handler(request, "192.0.2.1"), 500, "/healthz");
  assertEquals(logged.length, 2);
  assert(logged.every((line) => !line.includes(SECRET)));
});
