/**
 * Prints groups of words of a list that a person may confuse: one stem with two
 * endings, or a difference of one letter. A person judges them one by one.
 * Usage: deno task wordlists:twins LANGUAGE LIST
 *
 * @module
 */
// deno-lint-ignore-file no-console
import { type Language, WORDLISTS } from "../wordlists/mod.ts";
import type { WordLists } from "../wordlists/lists.ts";

/** Endings with which a stem becomes another form, or another word, by language. */
const ENDINGS: Readonly<Record<string, string>> = {
  en:
    "s es y ly ily ally ed er or ing edly ingly ful fully ness able ably ible ion ation al ic ous ously ive ively ant ent ish en ment age ity ism ist less some e",
  sv:
    "a ar or er en et an na de at t te nde ande ende nden ad ade ig igt iga lig ligt liga sam samt samma full fullt fulla lös löst lösa het ning ing else are ö skap isk iskt iska bar bart bara aktig aktigt aktiga e",
};

/**
 * Finds words that a person may confuse.
 *
 * @param list the words
 * @param endings the endings of the language
 * @returns the groups, each with two words or more
 *
 * @example
 * ```ts
 * import { twins } from "./wordlists_twins.ts";
 * import { assertEquals } from "@std/assert";
 *
 * const list = ["delightedly", "delightfully", "gladly", "warily", "wearily"];
 * assertEquals(twins(list, ["edly", "fully", "ly"]), [
 *   ["delightedly", "delightfully"],
 *   ["warily", "wearily"],
 * ]);
 * ```
 */
export function twins(
  list: readonly string[],
  endings: readonly string[],
): string[][] {
  /** What two words of a group have in common. */
  const keys = (word: string) => {
    const stems = ["", ...endings].filter((ending) => word.endsWith(ending))
      .map((ending) => word.slice(0, word.length - ending.length))
      .filter((stem) => stem.length >= 4)
      .map((stem) => `${stem}-`);
    // One letter less, or one letter replaced.
    const others = [...word].flatMap((_, i) => [
      word.slice(0, i) + word.slice(i + 1),
      `${word.slice(0, i)}?${word.slice(i + 1)}`,
    ]);
    return word.length < 6 ? stems : [...stems, word, ...others];
  };
  const groups = Map.groupBy(
    list.flatMap((word) =>
      [...new Set(keys(word))].map((key) => ({ key, word }))
    ),
    ({ key }) => key,
  );
  const found = [...groups.values()]
    .filter((group) => group.length > 1)
    .map((group) => group.map(({ word }) => word).join(" "));
  return [...new Set(found)].map((group) => group.split(" "));
}

if (import.meta.main) {
  const [language, name] = Deno.args as [Language, keyof WordLists];
  const list = WORDLISTS[language]?.[name];
  if (list === undefined) {
    console.error("Usage: deno task wordlists:twins sv|en LIST");
    Deno.exit(1);
  }
  const groups = twins(list, ENDINGS[language]?.split(" ") ?? []);
  for (const group of groups) console.log(group.join(" "));
}
