/**
 * Runs: equal characters in a row, and characters in a row that follow one another
 * in a-z, A-Z or 0-9.
 *
 * @module
 */

/** How long runs may be. Each limit is at least 1; Infinity is none. */
export interface RunLimits {
  /** How many equal characters can be in a row. */
  readonly maxRepeating: number;
  /** How many characters can be in a row that go up ("abc") or down ("321"). */
  readonly maxSequential: number;
}

/** The codes of the first and the last character of a-z, A-Z and 0-9. */
const RANGES = ["az", "AZ", "09"].map((ends) =>
  [ends.charCodeAt(0), ends.charCodeAt(1)] as const
);

/** Tells whether the code b follows the code a in a-z, A-Z or 0-9. */
function follows(a: number, b: number): boolean {
  return b === a + 1 && RANGES.some(([first, last]) => a >= first && b <= last);
}

/**
 * Splits characters into ranges without a gap in a-z, A-Z or 0-9. Any other
 * character is a range of its own.
 * Returns how many ranges have each length, by length: for "-12abcz" [0, 2, 1, 1].
 */
export function rangesOf(codes: readonly number[]): number[] {
  const ranges = [0];
  let length = 0;
  for (const [i, code] of codes.entries()) {
    length++;
    if (follows(code, codes[i + 1]!)) continue;
    while (ranges.length <= length) ranges.push(0);
    ranges[length]!++;
    length = 0;
  }
  return ranges;
}

/** Tells whether no run of a string is too long. */
export function hasShortRuns(
  text: string,
  { maxRepeating, maxSequential }: RunLimits,
): boolean {
  let [repeated, up, down] = [1, 1, 1];
  for (let i = 1; i < text.length; i++) {
    const [a, b] = [text.charCodeAt(i - 1), text.charCodeAt(i)];
    repeated = a === b ? repeated + 1 : 1;
    up = follows(a, b) ? up + 1 : 1;
    down = follows(b, a) ? down + 1 : 1;
    if (repeated > maxRepeating || Math.max(up, down) > maxSequential) {
      return false;
    }
  }
  return true;
}

/**
 * Says how a range of `length` characters takes part in the count of the strings in
 * which no run is too long.
 *
 * A string that ends with c is a shorter string, and c. Those in which c makes a run
 * too long are subtracted. Let r be `maxRepeating`: the last r + 1 characters are
 * equal if the string without the last r characters ends with c, and not with cc.
 * Let q be `maxSequential`: the last q + 1 characters go up to c if the string
 * without the last q characters ends with the q-th character before c, and not
 * with a step up. Runs that go down are the mirror image.
 *
 * So the count is a sum of the numbers of all shorter strings, each times a factor.
 * The factors are what the same sum gives for the empty string alone.
 *
 * Returns the factor of the strings that are n characters shorter, by n.
 */
function factorsOf(
  length: number,
  { maxRepeating, maxSequential }: RunLimits,
  maxLength: number,
): Float64Array {
  // By length of the string, and by place of its last character in the range.
  const table = () => new Float64Array((maxLength + 1) * length);
  const all = table(); // all strings
  const noRepeat = table(); // those without an equal character before the last one
  const noUp = table(); // those without a step up to the last character
  const at = (table: Float64Array, n: number, place: number) =>
    n > 0 && place >= 0 ? table[n * length + place]! : 0;
  const factors = new Float64Array(maxLength + 1);
  for (let n = 1; n <= maxLength; n++) {
    for (let i = 0; i < length; i++) {
      const before = n - maxSequential;
      const repeated = at(noRepeat, n - maxRepeating, i);
      const up = at(noUp, before, i - maxSequential);
      const down = at(noUp, before, length - 1 - i - maxSequential);
      const count = Number(n === 1) - repeated - up - down;
      all[n * length + i] = count;
      noRepeat[n * length + i] = count - at(all, n - 1, i) + repeated;
      noUp[n * length + i] = count - at(all, n - 1, i - 1) + up;
      factors[n]! += count;
    }
  }
  return factors;
}

/** Characters, of which a string has few enough. */
export interface RunPart {
  /** The ranges of the characters (see {@linkcode rangesOf}). */
  readonly ranges: readonly number[];
  /** The ranges of those that can be first; the default is all. */
  readonly first?: readonly number[] | undefined;
  /** The limits (their places) that a character of the part counts towards. */
  readonly counted: readonly number[];
}

/**
 * Makes a function that counts the strings in which no run is too long. The counts
 * are exact up to 2^53, and have the rounding errors of doubles above it.
 *
 * It takes the parts of the characters, of which none has only a part of a range, and
 * limits, and returns the counts by length, 0 to `maxLength`. A string has fewer
 * characters than each limit of the parts that count towards it.
 */
export function runCounter(
  limits: RunLimits,
  maxLength: number,
): (parts: readonly RunPart[], below?: readonly number[]) => Float64Array {
  // Many sets of characters have ranges of the same lengths.
  const known: Float64Array[] = [];
  const sumOf = (ranges: readonly number[]) => {
    const factors = new Float64Array(maxLength + 1);
    for (let length = 1; length < ranges.length; length++) {
      const copies = ranges[length]!;
      if (copies === 0) continue;
      const own = known[length] ??= factorsOf(length, limits, maxLength);
      for (let n = 1; n <= maxLength; n++) factors[n]! += copies * own[n]!;
    }
    // Without limits, only one factor is not 0.
    return factors.subarray(0, factors.findLastIndex(Boolean) + 1);
  };
  return (parts, below = []) => {
    // A state says how many characters count towards each limit.
    const units = below.map((_, i) =>
      below.slice(0, i).reduce((unit, limit) => unit * limit, 1)
    );
    const states = below.reduce((product, limit) => product * limit, 1);
    const size = maxLength + 1;
    const counts = new Float64Array(states * size);
    counts[0] = 1;
    const terms = parts.map(({ ranges, first, counted }) => ({
      all: sumOf(ranges),
      first: first && sumOf(first),
      // The count with a character of the part less is so many places before.
      step: 1 + size * counted.reduce((sum, i) => sum + units[i]!, 0),
      // So many characters of the part can a state have.
      mostOf: Array.from({ length: states }, (_, state) =>
        Math.min(
          maxLength,
          ...counted.map((i) => Math.floor(state / units[i]!) % below[i]!),
        )),
    }));
    const sumAt = (
      factors: Float64Array,
      at: number,
      step: number,
      end: number,
    ) => {
      let sum = 0;
      const last = Math.min(end, factors.length - 1);
      for (let k = 1; k <= last; k++) sum += factors[k]! * counts[at -= step]!;
      return sum;
    };
    const hasFirst = parts.some(({ first }) => first);
    const sums = new Float64Array(size);
    sums[0] = 1;
    for (let n = 1; n <= maxLength; n++) {
      for (let state = 0; state < states; state++) {
        const at = state * size + n;
        for (const { all, first, step, mostOf } of terms) {
          const end = Math.min(n, mostOf[state]!);
          counts[at]! += sumAt(all, at, step, end);
          // The terms that end with a character that can be first. A string backwards
          // has the same runs, so as many strings begin with them.
          if (first) sums[n]! += sumAt(first, at, step, end);
        }
        if (!hasFirst) sums[n]! += counts[at]!;
      }
    }
    return sums;
  };
}
