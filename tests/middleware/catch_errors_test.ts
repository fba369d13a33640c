import { assert, assertEquals, assertMatch } from "@std/assert";
import { ask, handlerFor, postInit, readProblem } from "../helpers/service.ts";

const SECRET = "hunter2";
const WORDS = "/api/pwgen/words";

Deno.test("an exception becomes a 500 without a detail, and the log has the class of an error and its place", async () => {
  const error = new TypeError(`${SECRET}\n    at ${SECRET}`);
  const bare = new TypeError(SECRET);
  bare.stack = `TypeError: ${SECRET}`; // without stack frames
  for (const value of [error, bare, SECRET, { SECRET }, null, undefined]) {
    const logged: string[] = [];
    const handler = await handlerFor([], {
      limiter: { size: 0, evicted: 0, admit: () => Promise.reject(value) },
      log: (_level, line) => void logged.push(line),
    });
    const response = await ask(`${WORDS}?${SECRET}`, postInit(), handler);
    const problem = await readProblem(response, 500, WORDS);
    assertEquals(problem.errors, undefined);
    assert(!RegExp(`${SECRET}|TypeError`).test(JSON.stringify(problem)));
    assertEquals(logged.length, 1);
    const place = value === error
      ? "TypeError at .*catch_errors_test\\.ts:\\d+"
      : value === bare
      ? "TypeError$"
      : "a thrown ";
    assertMatch(logged[0]!, RegExp(`^Cannot answer ${WORDS}: ${place}`));
    assert(!logged[0]!.includes(SECRET), logged[0]);
  }
});
