/**
 * Finds English words that a listener may spell otherwise: words that sound like
 * another one, and compounds that many people write as two words.
 *
 * @module
 */

/** How often people write something. */
export interface Usage {
  /** How often a word occurs. */
  readonly words: ReadonlyMap<string, number>;
  /** How often two words occur one after the other, such as "ice cream". */
  readonly pairs: ReadonlyMap<string, number>;
  /** A pair that is not in `pairs` occurs less often than this. */
  readonly rarest: number;
}

/**
 * Finds the words that sound like another one.
 *
 * @param list the words to check
 * @param pronunciations the sounds of each word, as in the CMU pronouncing
 *   dictionary: the key of a second pronunciation ends in "(2)"
 * @param isKnown whether people know a word
 * @returns for each word found, the word and its twins, such as "roll/role"
 *
 * @example
 * ```ts
 * import { homophones } from "./wordlists_ear.ts";
 * import { assertEquals } from "@std/assert";
 *
 * const sounds = { role: "R OW1 L", roll: "R OW1 L", roal: "R OW1 L" };
 * const isKnown = (word: string) => word !== "roal";
 * assertEquals(homophones(["roll", "oak"], sounds, isKnown), ["roll/role"]);
 * ```
 */
export function homophones(
  list: readonly string[],
  pronunciations: Readonly<Record<string, string>>,
  isKnown: (word: string) => boolean,
): string[] {
  const entries = Object.entries(pronunciations).map(([key, sounds]) => ({
    word: key.replace(/\(\d+\)$/, ""),
    sound: sounds.replace(/\d/g, ""), // without the stress
  }));
  const bySound = Map.groupBy(entries, ({ sound }) => sound);
  const byWord = Map.groupBy(entries, ({ word }) => word);
  return list.flatMap((word) => {
    const twins = (byWord.get(word) ?? [])
      .flatMap(({ sound }) => bySound.get(sound)!.map(({ word }) => word))
      .filter((twin) => twin !== word && isKnown(twin));
    return twins.length === 0 ? [] : [[word, ...new Set(twins)].join("/")];
  });
}

/**
 * Finds the words that consist of two words of at least three letters, and that
 * people write as one word less than 15 times as often as in two.
 *
 * @param list the words to check
 * @param usage how often people write words and pairs
 * @param isWord whether a part is a word
 * @returns the words found, each with a space between its parts
 *
 * @example
 * ```ts
 * import { openCompounds } from "./wordlists_ear.ts";
 * import { assertEquals } from "@std/assert";
 *
 * const usage = {
 *   words: new Map([["hilltop", 8], ["rainbow", 53], ["icebox", 2]]),
 *   pairs: new Map([["hill top", 2], ["rain bow", 1]]),
 *   rarest: 1,
 * };
 * const isWord = (part: string) => ["hill", "top", "rain", "bow"].includes(part);
 * const list = ["hilltop", "rainbow", "icebox"];
 * assertEquals(openCompounds(list, usage, isWord), ["hill top"]);
 * ```
 */
export function openCompounds(
  list: readonly string[],
  { words, pairs, rarest }: Usage,
  isWord: (part: string) => boolean,
): string[] {
  return list.flatMap((word) => {
    const splits = Array.from(
      { length: Math.max(0, word.length - 5) },
      (_, i) => [word.slice(0, i + 3), word.slice(i + 3)] as const,
    );
    return splits.filter((parts) =>
      parts.every(isWord) &&
      (words.get(word) ?? 0) < 15 * (pairs.get(parts.join(" ")) ?? rarest)
    ).map((parts) => parts.join(" "));
  });
}
