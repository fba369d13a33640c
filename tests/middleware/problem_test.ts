import { assert, assertEquals } from "@std/assert";
import { problems } from "../../middleware/problem.ts";
import { readProblem } from "../service.ts";

const SECRET = "hunter2";

Deno.test("problems() answers what is thrown with a 500 that tells nothing", async () => {
  const thrown = [
    new TypeError(`${SECRET}\n    at ${SECRET}`),
    SECRET,
    { SECRET },
    null,
    undefined,
  ];
  for (const value of thrown) {
    const logged: string[] = [];
    const handler = problems((entry) => logged.push(entry))(() => {
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

Deno.test("problems() tells the log where it arose", async () => {
  const logged: string[] = [];
  // deno-lint-ignore require-await
  const handler = problems((entry) => logged.push(entry))(async () => {
    throw new RangeError(SECRET);
  });
  const request = new Request("http://localhost/");
  await handler(request, { path: "/", peer: "::1" });
  assert(/RangeError at .*problem_test\.ts:\d+/.test(logged[0]!), logged[0]);
});

Deno.test("problems() lets an answer pass as it is", async () => {
  const answer = new Response("x");
  const handler = problems(() => {
    throw new Error("logged");
  })(() => answer);
  const request = new Request("http://localhost/");
  assertEquals(await handler(request, { path: "/", peer: "::1" }), answer);
});
