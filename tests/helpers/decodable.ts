/**
 * Decides whether a list of words is uniquely decodable: whether no text is two
 * different sequences of its words.
 *
 * @module
 */

/** A text that is two sequences of words. */
export type Ambiguity = readonly [sequence: string[], other: string[]];

/**
 * Looks for an ambiguity with the Sardinas-Patterson algorithm (Sardinas and
 * Patterson, "A Necessary and Sufficient Condition for Unique Decomposition of
 * Coded Messages", 1953). It compares two sequences that begin with different
 * words. One is longer; what it has more is the dangling suffix. There are
 * finitely many dangling suffixes, since each is the end of a word.
 *
 * @param words the words
 * @returns two sequences with the same spelling; undefined if there are none
 */
export function findAmbiguity(words: readonly string[]): Ambiguity | undefined {
  const all = new Set<string>();
  /** The longer words that begin with a text. */
  const continuations = new Map<string, string[]>();
  for (const word of words) {
    if (all.has(word)) return [[word], [word]];
    all.add(word);
    for (const prefix of properPrefixes(word)) {
      const longer = continuations.get(prefix) ?? [];
      continuations.set(prefix, [...longer, word]);
    }
  }

  const seen = new Set<string>();
  const queue: { suffix: string; longer: string[]; shorter: string[] }[] = [];
  const add = (suffix: string, longer: string[], shorter: string[]) => {
    if (!seen.has(suffix)) queue.push({ suffix, longer, shorter });
    seen.add(suffix);
  };
  for (const word of words) {
    for (const prefix of properPrefixes(word)) {
      if (all.has(prefix)) add(word.slice(prefix.length), [word], [prefix]);
    }
  }
  for (const { suffix, longer, shorter } of queue) {
    if (all.has(suffix)) return [longer, [...shorter, suffix]];
    for (const prefix of properPrefixes(suffix)) {
      if (all.has(prefix)) {
        add(suffix.slice(prefix.length), longer, [...shorter, prefix]);
      }
    }
    for (const word of continuations.get(suffix) ?? []) {
      add(word.slice(suffix.length), [...shorter, word], longer);
    }
  }
  return undefined;
}

function properPrefixes(text: string): string[] {
  return Array.from(
    { length: text.length - 1 },
    (_, i) => text.slice(0, i + 1),
  );
}
