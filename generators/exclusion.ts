/**
 * The count of strings by inclusion and exclusion.
 *
 * @module
 */
import { groupBy } from "./group_by.ts";
import type { RequiredSet } from "./mixed_strings.ts";
import { type Factors, factorTable, isCut, type RunLimits } from "./runs.ts";
import type { Work } from "./work.ts";

/** The characters of strings, and the sets of which these have some. */
export interface Alphabet {
  /** The codes of the characters, sorted by sortedCodes(). */
  readonly codes: readonly number[];
  /** The characters that can be first. */
  readonly starts: string;
  /** The required sets, without those that every string has enough characters of. */
  readonly sets: readonly RequiredSet[];
  /** For each code: a number with a binary digit for each set that has it. */
  readonly masks: readonly number[];
}

/** To begin a loop takes as long as so many steps. */
const LOOP = 10;

/**
 * Counts the strings that have enough characters of each set and no run that is too
 * long, by length, 0 to `maxLength`.
 *
 * Count the strings over all characters. Subtract those without a character of one
 * set. Add those without two of them, since they were subtracted twice. And so on.
 * If several characters of a set are required, they are counted, up to the minimum.
 * Doubles are exact up to 2^53, and their rounding errors above it do not change the
 * result if the share is above 1/64. The tests compare with exact integers.
 *
 * @throws {TooMuchWork} also if, with a limit of sequences, two characters that follow
 *   one another are of different sets of which several are required
 */
export function countByExclusion(
  { codes, starts, sets, masks }: Alphabet,
  limits: RunLimits,
  maxLength: number,
  work: Work,
): number[] {
  const minima = sets.map(({ min }) => min > 1 ? min : 0);
  const repeated = minima
    .reduce((mask, min, i) => min > 0 ? mask | 1 << i : mask, 0);
  const canStart = (code: number) =>
    starts.length === codes.length ||
    starts.includes(String.fromCharCode(code));
  work.spend(LOOP * codes.length);
  const kinds = [...groupBy(
    codes,
    (code) => (masks[code]! & repeated) << 1 | Number(canStart(code)),
  )];
  if (isCut(codes, kinds.map(([, part]) => part), limits)) work.refuse();
  const factorsOf = factorTable(limits, maxLength, work);
  const states = new States(minima, maxLength, work);

  const sums: number[] = Array(maxLength + 1).fill(0);
  for (let missing = 0; missing < 1 << sets.length; missing++) {
    if (missing & repeated) continue;
    work.spend(LOOP * codes.length);
    const parts = kinds.map(([kind, codes]) => {
      const left = codes.filter((code) => !(masks[code]! & missing));
      const isStart = (kind & 1) === 1;
      return {
        mask: kind >> 1,
        isStart,
        codes: left,
        factors: factorsOf(left),
      };
    });
    const counts = states.count(parts, factorsOf);
    let sign = 1;
    for (let digits = missing; digits > 0; digits &= digits - 1) sign = -sign;
    for (let n = 1; n <= maxLength; n++) sums[n]! += sign * counts[n]!;
  }
  sums[0] = Number(sets.length === 0);
  // Rounding errors can leave less than none.
  return sums.map((count) => Math.max(0, count));
}

/** Characters that are counted together. */
interface Part {
  /** A binary digit for each repeated set that has them. */
  readonly mask: number;
  /** Whether they can be first. */
  readonly isStart: boolean;
  readonly codes: readonly number[];
  /** Their factors (see factorTable). */
  readonly factors: Factors;
}

/** The strings of a state whose lengths are from `first` to before `last`. */
interface Source {
  readonly state: number;
  /** How many characters of each set are missing. */
  readonly missing: readonly number[];
  readonly first: number;
  readonly last: number;
  /** Strings of this length and longer ones have no place for what is missing. */
  readonly end: number;
}

/** The table of all counts: a new one for each takes a tenth of the time. */
let scratch = new Float64Array(0);

/**
 * Counts strings that have a minimum number of characters of each set. A state says how
 * many characters there are of each set, up to its minimum. More characters of a part
 * lead to a greater state; when each of its sets has enough, the state stays.
 */
class States {
  /** What one more character of each set adds to a state. */
  readonly #units: readonly number[];
  readonly #number: number;
  readonly #width: number;
  /** The counts, by state and length. */
  readonly #table: Float64Array;

  constructor(
    private readonly minima: readonly number[],
    maxLength: number,
    private readonly work: Work,
  ) {
    let number = 1;
    this.#units = minima.map((min) => {
      number *= min + 1;
      return number / (min + 1);
    });
    this.#number = number;
    this.#width = maxLength + 1;
    // At most 400,000 counts of eight bytes: 3.2 MB.
    const size = number * this.#width;
    work.spend(2 * size);
    if (scratch.length < size) scratch = new Float64Array(size);
    this.#table = scratch.subarray(0, size);
  }

  /** Returns how many strings there are, by length; without the empty string. */
  count(
    parts: readonly Part[],
    factorsOf: (codes: readonly number[]) => Factors,
  ): Float64Array {
    // A character can be of several sets, or is of one.
    const sum = parts.some(({ mask }) => mask & (mask - 1))
      ? (numbers: number[]) => Math.max(0, ...numbers)
      : (numbers: number[]) => numbers.reduce((sum, number) => sum + number, 0);
    this.work.spend(this.#table.length);
    this.#table.fill(0);
    /** The factors of the parts that stay in a state, by the sets that have enough. */
    const staying = new Map<number, Factors>();
    for (let state = 0; state < this.#number; state++) {
      this.work.spend(LOOP * (parts.length + 3 * this.minima.length));
      const numbers = this.minima
        .map((min, i) => Math.floor(state / this.#units[i]!) % (min + 1));
      const missing = this.minima.map((min, i) => min - numbers[i]!);
      const [first, end] = [sum(numbers), this.#width - sum(missing)];
      if (first >= end) continue;
      if (state === 0) {
        this.#table[0] = 1;
        const empty = { state, missing, first, last: 1, end };
        for (const part of parts) if (part.isStart) this.#goOn(empty, part);
      }
      const source = { state, missing, first: first || 1, last: end, end };
      const enough = missing
        .reduce((mask, number, i) => number === 0 ? mask | 1 << i : mask, 0);
      const isStaying = ({ mask }: Part) => (mask & ~enough) === 0;
      let factors = staying.get(enough);
      if (factors === undefined) {
        const stay = parts.filter(isStaying);
        factors = stay.length === 1
          ? stay[0]!.factors
          : factorsOf(stay.flatMap(({ codes }) => codes));
        staying.set(enough, factors);
      }
      this.#stay(source, factors);
      for (const part of parts) if (!isStaying(part)) this.#goOn(source, part);
    }
    return this.#table.subarray((this.#number - 1) * this.#width);
  }

  /** Continues strings with characters that lead to the same state. */
  #stay({ state, first, end }: Source, factors: Factors): void {
    const table = this.#table;
    for (let n = first; n < end; n++) {
      const at = state * this.#width + n;
      const count = table[at]!;
      const last = Math.min(factors.length, end - n);
      this.work.spend(last);
      for (let more = 1; more < last; more++) {
        table[at + more]! += factors[more]! * count;
      }
    }
  }

  /** Continues strings with characters of a part, which can lead to other states. */
  #goOn(
    { state, missing, first, last, end }: Source,
    { mask, factors }: Part,
  ): void {
    const table = this.#table;
    const from = state * this.#width;
    const room = missing.reduce(
      (room, number, i) => mask & 1 << i ? Math.max(room, number) : room,
      0,
    );
    // What is more than what is missing takes a place from other sets.
    const longest = Math.min(factors.length, room + end - first);
    this.work.spend(LOOP + 4 * longest);
    for (let more = 1; more < longest; more++) {
      for (let i = 0; more <= room && i < missing.length; i++) {
        if (mask & 1 << i && more <= missing[i]!) state += this.#units[i]!;
      }
      const factor = factors[more]!;
      if (factor === 0) continue;
      const limit = Math.min(last, room + end - more);
      this.work.spend(LOOP + limit - first);
      const to = state * this.#width + more;
      for (let n = first; n < limit; n++) {
        table[to + n]! += factor * table[from + n]!;
      }
    }
  }
}
