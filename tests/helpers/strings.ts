/**
 * Strings that meet rules: listed, checked and counted by a second program.
 *
 * @module
 */
import type { StringRules } from "../../generators/strings.ts";

/** Rules with the required sets as they were written. */
export type WrittenRules =
  & Partial<Omit<StringRules, "characters" | "required">>
  & {
    readonly characters: string;
    readonly required: readonly string[];
  };

/** Every string of a length over an alphabet. */
export function everyString(alphabet: string, length: number): string[] {
  let all = [""];
  for (let i = 0; i < length; i++) {
    all = all.flatMap((start) => [...alphabet].map((c) => start + c));
  }
  return all;
}

const RANGES = [
  "abcdefghijklmnopqrstuvwxyz",
  "ABCDEFGHIJKLMNOPQRSTUVWXYZ",
  "0123456789",
];
/** The ranges, up and down. No two characters follow each other across a space. */
const ROWS = [...RANGES, ...RANGES.map((row) => [...row].reverse().join(""))]
  .join(" ");

/** Every part of a text that has this length. */
function parts(text: string, length: number): string[] {
  const count = Math.max(0, text.length - length + 1);
  return Array.from({ length: count }, (_, i) => text.slice(i, i + length));
}

/** Makes a function that says whether a string meets rules. */
export function meeting(rules: WrittenRules): (text: string) => boolean {
  const { maxRepeating = Infinity, maxSequential = Infinity } = rules;
  const sets = setsOf(rules.required);
  return (text) =>
    [...text].every((c) => rules.characters.includes(c)) &&
    sets.every(([set, min]) =>
      [...text].filter((c) => set.includes(c)).length >= min
    ) &&
    !(rules.beginWithLetter && !/^\p{L}/u.test(text)) &&
    !parts(text, maxRepeating + 1).some((part) =>
      part === part.charAt(0).repeat(part.length)
    ) &&
    !parts(rules.ignoreCase ? text.toLowerCase() : text, maxSequential + 1)
      .some((part) => ROWS.includes(part));
}

/** The different sets, and how often each stands. */
function setsOf(required: readonly string[]): [string, number][] {
  return [...Map.groupBy(required, (set) => [...set].sort().join(""))]
    .map(([set, equal]) => [set, equal.length]);
}

/**
 * Counts the strings that meet rules, by length. It adds one character at a time,
 * by the sets that occurred, by the last character, and by the length of the row
 * that it ends; the program subtracts the strings that break a rule instead. Characters
 * that no row distinguishes are counted together.
 *
 * @param rules the rules
 * @param maxLength the greatest length
 * @returns the number of strings of each length from 0 to `maxLength`
 */
export function countByLength(
  rules: WrittenRules,
  maxLength: number,
): bigint[] {
  const { characters, required, beginWithLetter, ignoreCase } = rules;
  const { maxRepeating = Infinity, maxSequential = Infinity } = rules;
  const sets = setsOf(required);
  const place = (c: string) => ignoreCase ? c.toLowerCase() : c;
  /** The characters after another one in its range, or before it. */
  const beside = (c: string, step: 1 | -1) => {
    const row = RANGES.find((range) => range.includes(place(c))) ?? "";
    const other = row[row.indexOf(place(c)) + step];
    return maxSequential === Infinity || row === ""
      ? []
      : [...characters].filter((c) => place(c) === other);
  };
  const groups = Map.groupBy(
    characters,
    (c) =>
      beside(c, 1).length + beside(c, -1).length > 0 ? c : [
        /\p{L}/u.test(c),
        ...sets.map(([set]) => set.includes(c)),
      ].join(),
  );
  /** One character of each group. */
  const all = [...groups.values()].map(([c]) => c!);
  const sizes = [...groups.values()].map(({ length }) => BigInt(length));
  /** The state after a character: a digit for each set, up to what is enough. */
  const after = (state: number, c: string) => {
    let unit = 1;
    for (const [set, min] of sets) {
      const digit = Math.floor(state / unit) % (min + 1);
      if (set.includes(c) && digit < min) state += unit;
      unit *= min + 1;
    }
    return state;
  };
  const places = (step: 1 | -1) =>
    all.map((c) => beside(c, step).map((other) => all.indexOf(other)));
  // For each character: how a row can go on with it. The first kind is also for
  // characters that go on with nothing: a row of one equal character.
  const kinds = [
    { limit: maxRepeating, before: all.map((_, i) => [i]) },
    { limit: maxSequential, before: places(-1) },
    { limit: maxSequential, before: places(1) },
  ];
  /** The strings that end with a character: all, and by kind and length of the row. */
  type State = { sum: bigint; rows: bigint[][] };
  let states = new Map<number, State[]>();
  const add = (
    mask: number,
    i: number,
    kind: number,
    length: number,
    count: bigint,
  ) => {
    const { limit } = kinds[kind]!;
    if (count === 0n || length > limit) return;
    if (!states.has(mask)) {
      const rows = () => kinds.map(() => []);
      states.set(mask, all.map(() => ({ sum: 0n, rows: rows() })));
    }
    const state = states.get(mask)![i]!;
    const row = state.rows[kind]!;
    // Without a limit, rows of all lengths are alike.
    const at = limit === Infinity ? 1 : length;
    state.sum += count;
    row[at] = (row[at] ?? 0n) + count;
  };
  const sumOf = (ofMask: readonly State[]) =>
    ofMask.reduce((sum, state) => sum + state.sum, 0n);

  const full = sets.reduce((n, [, min]) => n * (min + 1), 1) - 1;
  const counts = [full === 0 ? 1n : 0n];
  for (const [i, c] of all.entries()) {
    if (beginWithLetter && !/\p{L}/u.test(c)) continue;
    add(after(0, c), i, 0, 1, sizes[i]!);
  }
  for (let length = 1; length <= maxLength; length++) {
    counts.push(sumOf(states.get(full) ?? []));
    const before = states;
    states = new Map();
    for (const [mask, ofMask] of before) {
      const sum = sumOf(ofMask);
      for (const i of all.keys()) {
        const next = after(mask, all[i]!);
        const size = sizes[i]!;
        // Of the characters of a group, one is equal to the last one.
        let others = sum * size;
        for (const [kind, { before }] of kinds.entries()) {
          const ways = kind === 0 ? 1n : size;
          for (const state of before[i]!.map((at) => ofMask[at]!)) {
            others -= state.sum * ways;
            state.rows.forEach((row, of) =>
              row.forEach((count, length) =>
                add(next, i, kind, of === kind ? length + 1 : 2, count * ways)
              )
            );
          }
        }
        add(next, i, 0, 1, others);
      }
    }
  }
  return counts;
}
