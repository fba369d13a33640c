import { assertEquals } from "@std/assert";
import { ask, readProblem } from "../helpers/service.ts";

/** A value of 1,001 characters that begins with a valid value. */
const long = (value: string) => value.padEnd(1001, ", a");

Deno.test("headerField() ignores a field of more than 1,000 characters", async () => {
  const page = async (language: string) =>
    (await ask("/", { headers: { "accept-language": language } })).headers.get(
      "content-language",
    );
  assertEquals([await page("en"), await page("sv")], ["en", "sv"]);
  assertEquals(await page(long("sv")), "en");

  const path = "/openapi/v1.json";
  const encoding = async (accepted: string) =>
    (await ask(path, { headers: { "accept-encoding": accepted } })).headers.get(
      "content-encoding",
    );
  assertEquals([await encoding("br"), await encoding(long("br"))], [
    "br",
    null,
  ]);

  const etag = (await ask(path)).headers.get("etag")!;
  const statusOf = async (known: string) =>
    (await ask(path, { headers: { "if-none-match": known } })).status;
  assertEquals([await statusOf(etag), await statusOf(long(etag))], [304, 200]);

  const words = "/api/pwgen/words";
  const post = (type: string) =>
    ask(words, {
      method: "POST",
      headers: { "content-type": type },
      body: "{}",
    });
  assertEquals((await post("application/json; a=b")).status, 200);
  const refused = await post("application/json".padEnd(1001, ";a=b"));
  await readProblem(refused, 415, words);
});
