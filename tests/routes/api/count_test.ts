import { assert, assertEquals, assertMatch } from "@std/assert";
import { API } from "../../../routes/api/mod.ts";
import { post, readErrors } from "../../helpers/service.ts";
import { KINDS, outcome } from "../../oracle.ts";

const TEXT = { accept: "text/plain" };

Deno.test("count: the response as text has a line for each password", async () => {
  for (const kind of KINDS) {
    const path = `/api/pwgen/${kind}`;
    for (const count of [1, "3", 100]) {
      const response = await post(path, { count, separator: " " }, TEXT);
      const text = await response.text();
      const type = response.headers.get("content-type");
      assertEquals(type, "text/plain; charset=utf-8");
      assert(text.endsWith("\n"), text);
      const lines = text.slice(0, -1).split("\n");
      assertEquals(lines.length, Number(count));
      for (const line of lines) assertMatch(line, /^\S.{11,}\S$/);
      assertEquals(new Set(lines).size, lines.length);
    }
    await readErrors(await post(path, { count: 101 }, TEXT), path, "count");
    const text = await (await post(path, {}, TEXT)).text();
    assertMatch(text, /^\S{12,}$/);
    assert(!text.endsWith("\n"));
  }
});

Deno.test("count: 30,000 characters are drawn at most, with exact borders", () => {
  const worst = { specialCharacterSet: "!", swedishCharacters: true };
  const lower = "allowed: lower; max-repeating: 1";
  const rare = "required: [!]; required: [-]; required: [1]";
  const cases: [body: Record<string, unknown>, max: number][] = [
    // With classes, no string is rejected often.
    [{ ...worst, length: 5 }, 100],
    [{ ...worst, length: 128, minimumNumbers: 40 }, 100],
    // One string in 61 has no two equal characters in a row.
    [{ passwordRules: lower, length: 106 }, 4],
    // 26 * 25^102 is more than 2^475, and 26 * 25^101 is less.
    [{ passwordRules: lower, minimumEntropy: 475 }, 5],
    [{ passwordRules: "allowed: digit; max-consecutive: 2", length: 128 }, 10],
    [{ passwordRules: `${rare}; allowed: ascii-printable`, length: 32 }, 23],
  ];
  const { passwords } = API["/api/pwgen/characters"]!;
  for (const [body, max] of cases) {
    for (let count = 1; count <= 100; count++) {
      const request = { ...body, count };
      const { errors = {} } = passwords(request);
      const isMore = count > max;
      assertEquals(Object.keys(errors), isMore ? ["count"] : []);
      assertEquals(Object.keys(errors), outcome("characters", request).errors);
      assert(!isMore || errors["count"]![0]!.includes(`at most ${max} `));
    }
  }
});

Deno.test("count: a list is one request for the rate limit", async () => {
  const { headers } = await post("/api/pwgen/words", { count: 100 });
  assertEquals(headers.get("ratelimit")?.slice(0, 14), '"default";r=59');
});

Deno.test("count: passwords may repeat", async () => {
  const pin = { length: 1, lowercase: false, uppercase: false };
  const body = { ...pin, specialCharacters: false, count: "100" };
  const response = await post("/api/pwgen/characters", body);
  const { passwords } = await response.json();
  assertEquals(passwords.length, 100);
  const different = new Set(passwords).size;
  // All 100 digits are equal with probability 10^-99.
  assert(different > 1 && different <= 10, `${different}`);
});
