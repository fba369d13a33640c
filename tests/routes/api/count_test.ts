import { assert, assertEquals, assertMatch } from "@std/assert";
import { post, readErrors } from "../../helpers/service.ts";
import { KINDS } from "../../oracle.ts";

const TEXT = { accept: "text/plain" };

Deno.test("count: the response as text has a line for each password", async () => {
  for (const kind of KINDS) {
    const path = `/api/pwgen/${kind}`;
    const response = await post(path, { count: 3, separator: " " }, TEXT);
    const text = await response.text();
    assertMatch(text, /^(\S.{11,}\S\n){3}$/);
    assertEquals(new Set(text.split("\n")).size, 4);
    await readErrors(await post(path, { count: 101 }, TEXT), path, "count");
    assertMatch(await (await post(path, {}, TEXT)).text(), /^\S{12,}$/);
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
