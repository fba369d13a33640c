import { assertEquals } from "@std/assert";
import { CLASSES } from "../../generators/character_options.ts";
import { CLASSES as EXPECTED } from "../oracle.ts";

Deno.test("CLASSES have 96 different characters, each one UTF-16 unit in NFC", () => {
  assertEquals(CLASSES, EXPECTED as typeof CLASSES);
  const all = Object.values(CLASSES).join("");
  assertEquals([all.length, new Set(all).size], [96, 96]);
  assertEquals(all.normalize("NFC"), all);
});
