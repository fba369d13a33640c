/**
 * Runs: equal characters in a row, and characters in a row that follow one another
 * in a-z, A-Z or 0-9.
 *
 * @module
 */
import type { Work } from "./work.ts";

/** How long runs may be. Each limit is at least 1; Infinity is none. */
export interface RunLimits {
  /** How many equal characters can be in a row. */
  readonly maxRepeating: number;
  /** How many characters can be in a row that go up ("abc") or down ("321"). */
  readonly maxSequential: number;
  /** Whether "aBc" goes up too. The default is false. */
  readonly ignoreCase?: boolean;
}

/** Tells whether the code b follows the code a in 0-9, A-Z or a-z. */
function follows(a: number, b: number): boolean {
  return b === a + 1 &&
    (a >= 48 && b <= 57 || a >= 65 && b <= 90 || a >= 97 && b <= 122);
}

/** In a range, without regard to case, "A" stands where "a" stands. */
function placeOf(code: number, ignoreCase = false): number {
  return ignoreCase && code >= 65 && code <= 90 ? code + 32 : code;
}

/** The codes of characters, sorted so that those of a range follow one another. */
export function sortedCodes(
  characters: string,
  { maxSequential, ignoreCase }: RunLimits,
): number[] {
  // Every code is below 256: a table takes less time than to sort them.
  const isUsed: boolean[] = Array(256).fill(false);
  for (let at = 0; at < characters.length; at++) {
    isUsed[characters.charCodeAt(at)] = true;
  }
  const codes: number[] = [];
  for (let code = 0; code < 256; code++) if (isUsed[code]) codes.push(code);
  return maxSequential < Infinity && ignoreCase
    ? codes.sort((a, b) => placeOf(a, true) - placeOf(b, true))
    : codes;
}

/** How many places a range of this kind has. */
const lengthOf = (kind: number) => 31 - Math.clz32(kind);

/**
 * Splits {@linkcode sortedCodes} into ranges without a gap in a-z, A-Z or 0-9. Any other
 * character is a range of its own.
 * Returns how many ranges there are of each kind. In binary, a kind is a 1 and a digit for
 * each place of the range: 1 if two characters that differ in case stand there. So "-12abcz"
 * has two of 0b10, one of 0b100 and one of 0b1000; "aAb", without regard to case, has one
 * of 0b110.
 */
function rangesOf(
  codes: readonly number[],
  { ignoreCase }: RunLimits,
): Map<number, number> {
  const places = codes.map((code) => placeOf(code, ignoreCase));
  const ranges = new Map<number, number>();
  let kind = 1;
  for (let i = 0; i < places.length; i++) {
    const code = places[i]!;
    const isPair = code === places[i + 1];
    if (isPair) i++;
    kind = 2 * kind + Number(isPair);
    if (follows(code, places[i + 1]!)) continue;
    ranges.set(kind, (ranges.get(kind) ?? 0) + 1);
    kind = 1;
  }
  return ranges;
}

/** Leaves out a limit that no run reaches, since none is longer than its range. */
export function limitsFor(
  codes: readonly number[],
  limits: RunLimits,
): RunLimits {
  const { maxSequential } = limits;
  if (maxSequential === Infinity) return limits;
  const isReached = [...rangesOf(codes, limits).keys()]
    .some((kind) => lengthOf(kind) > maxSequential);
  return isReached ? limits : { ...limits, maxSequential: Infinity };
}

/**
 * Tells whether a limit of sequences concerns characters of different parts: a range is
 * then several ranges in the parts.
 */
export function isCut(
  codes: readonly number[],
  parts: readonly (readonly number[])[],
  limits: RunLimits,
): boolean {
  const numberOf = (codes: readonly number[]) =>
    [...rangesOf(codes, limits).values()].reduce((a, b) => a + b, 0);
  return limits.maxSequential < Infinity && parts.length > 1 &&
    parts.reduce((sum, part) => sum + numberOf(part), 0) > numberOf(codes);
}

/** Tells whether no run of a string is too long. */
export function hasShortRuns(
  text: string,
  { maxRepeating, maxSequential, ignoreCase = false }: RunLimits,
): boolean {
  const places = ignoreCase ? text.toLowerCase() : text;
  let [repeated, up, down] = [1, 1, 1];
  for (let i = 1; i < text.length; i++) {
    const [a, b] = [places.charCodeAt(i - 1), places.charCodeAt(i)];
    repeated = text[i - 1] === text[i] ? repeated + 1 : 1;
    up = follows(a, b) ? up + 1 : 1;
    down = follows(b, a) ? down + 1 : 1;
    if (repeated > maxRepeating || Math.max(up, down) > maxSequential) {
      return false;
    }
  }
  return true;
}

/**
 * How many strings each number of further characters adds to a count, for each string
 * that is so much shorter: by the number of characters.
 */
export type Factors = Float64Array;

/** To count a range once takes as long as so many steps for each place and length. */
const RANGE = 20;

/**
 * Makes a function that adds up the factors of the ranges of some characters, up to the
 * last one that changes a count.
 */
export function factorTable(
  limits: RunLimits,
  maxLength: number,
  work: Work,
): (codes: readonly number[]) => Factors {
  const { maxRepeating, maxSequential } = limits;
  // Many sets of characters have ranges of the same kinds.
  const known = new Map<number, Float64Array>();
  return (codes) => {
    const size = codes.length;
    if (Math.min(maxRepeating, maxSequential) === Infinity) {
      return Float64Array.of(0, size);
    }
    work.spend(RANGE * size);
    const ranges = maxSequential === Infinity
      ? new Map([[0b10, size]])
      : rangesOf(codes, limits);
    const sums = new Float64Array(maxLength + 1);
    for (const [kind, number] of ranges) {
      let factors = known.get(kind);
      if (factors === undefined) {
        work.spend(RANGE * lengthOf(kind) * maxLength);
        known.set(kind, factors = factorsOf(kind, limits, maxLength));
      }
      work.spend(maxLength);
      for (let n = 1; n <= maxLength; n++) sums[n]! += number * factors[n]!;
    }
    return sums.subarray(0, relevantLength(sums, size, limits));
  };
}

/**
 * Says how many factors change a count. A string can go on with each character but the
 * last one and, with a limit of sequences, those beside it in its range, in both cases.
 * So counts grow by a factor with each character, and beside them late factors are
 * nothing.
 */
function relevantLength(
  factors: Factors,
  size: number,
  { maxSequential }: RunLimits,
): number {
  const growth = Math.max(0, size - (maxSequential === Infinity ? 1 : 5));
  let least = 2 ** -54;
  let length = 0;
  for (let n = 0; n < factors.length; n++, least *= growth) {
    if (Math.abs(factors[n]!) > least) length = n + 1;
  }
  return length;
}

/**
 * Says how a range takes part in the count of the strings in which no run is too
 * long.
 *
 * A string that ends with c is a shorter string, and c. Those in which c makes a run
 * too long are subtracted. Let r be `maxRepeating`: the last r + 1 characters are
 * equal if the string without the last r characters ends with c, and not with cc.
 * Let q be `maxSequential`: the last q + 1 characters go up to c if the string
 * without the last q characters ends at the q-th place before c, and not
 * with a step up. Runs that go down are the mirror image. Where two characters
 * differ only in case, a run can have either.
 *
 * So the count is a sum of the numbers of all shorter strings, each times a factor.
 * The factors are what the same sum gives for the empty string alone.
 *
 * Returns the factor of the strings that are n characters shorter, by n.
 */
function factorsOf(
  kind: number,
  { maxRepeating, maxSequential }: RunLimits,
  maxLength: number,
): Float64Array {
  const length = lengthOf(kind);
  /** How many characters stand at each place. */
  const sizes = Array.from({ length }, (_, i) => 1 + (kind >> i & 1));
  // Beside the places of the range there are so many zeros, so that no index is outside.
  const margin = Math.min(maxSequential, length);
  const width = length + 2 * margin;
  /** How many strings go through so many places. */
  const waysFrom = (first: number) => {
    let ways = 1;
    const end = Math.min(first + margin, length);
    for (let i = Math.max(0, first); i < end; i++) ways *= sizes[i]!;
    return ways;
  };
  const waysUp = sizes.map((_, i) => waysFrom(i - margin + 1));
  const waysDown = sizes.map((_, i) => waysFrom(i));
  // By length of the string, and by place of its last character in the range.
  const table = () => new Float64Array((maxLength + 1) * width);
  const counts = table(); // all strings
  const noRepeat = table(); // those without an equal character before the last one
  const noUp = table(); // those without a step up to the last character
  const noDown = table(); // those without a step down to the last character
  const factors = new Float64Array(maxLength + 1);
  for (let n = 1; n <= maxLength; n++) {
    const row = n * width + margin;
    // The rows of shorter strings; at first that of the empty string, with zeros.
    const one = row - width;
    const repeats = n > maxRepeating ? row - maxRepeating * width : margin;
    const steps = n > margin ? row - margin * width : margin;
    for (let i = 0; i < length; i++) {
      const size = sizes[i]!;
      const repeated = noRepeat[repeats + i]!;
      const up = waysUp[i]! * noUp[steps + i - margin]!;
      const down = waysDown[i]! * noDown[steps + i + margin]!;
      const count = (n === 1 ? size : 0) - repeated - up - down;
      counts[row + i] = count;
      noRepeat[row + i] = count - counts[one + i]! + repeated;
      noUp[row + i] = count - size * counts[one + i - 1]! + up;
      noDown[row + i] = count - size * counts[one + i + 1]! + down;
      factors[n]! += count;
    }
  }
  return factors;
}
