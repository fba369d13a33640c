import { assertEquals } from "@std/assert";
import { documents } from "../../tools/documents.ts";
import { ROOT } from "../helpers/program.ts";

Deno.test("documents() equals the written files: if not, run deno task documents", async () => {
  const texts = documents();
  assertEquals(texts.size, 3);
  for (const [path, text] of texts) {
    const written = await Deno.readTextFile(ROOT + path);
    assertEquals(written === text, true, `${path}: run deno task documents`);
  }
  const attributes = await Deno.readTextFile(`${ROOT}.gitattributes`);
  for (const path of texts.keys()) {
    if (path.endsWith(".md")) continue;
    assertEquals(attributes.includes(`${path} linguist-generated`), true, path);
  }
});
