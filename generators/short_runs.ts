/**
 * Strings of random characters in which no run is too long.
 *
 * @module
 */
import { countByExclusion, MAX_STEPS, runSteps } from "./exclusion.ts";
import { type CharacterOptions, runLimitsOf } from "./character_options.ts";
import { MAX_LENGTH, type RequiredSet } from "./mixed_strings.ts";
import { type GeneratorResult, refusedResult } from "./passwords.ts";
import { type Alphabet, bitsOf, MAX_TRIES, sizeOf } from "./rejection.ts";
import { hasShortRuns, limitsFor } from "./runs.ts";

/**
 * Returns the strings of some classes in which no run is too long. One is drawn from
 * all strings until it is such a string, so these stay equally likely. There is a
 * refusal if they are too rare, or if it takes too long to count them.
 *
 * @param strings all strings, by length
 * @param required the sets of which they have some
 * @param alphabet their characters
 */
export function withShortRuns(
  strings: (length: number) => GeneratorResult,
  required: readonly RequiredSet[],
  alphabet: Alphabet,
  options: CharacterOptions,
): (length: number) => GeneratorResult {
  const refuse = (reason: string) =>
    refusedResult({ options: runLimitsOf(options), explain: () => reason });
  const limits = {
    maxRepeating: options.maximumRepeating || Infinity,
    maxSequential: options.maximumSequential || Infinity,
    ignoreCase: true,
  };
  const { codes, starts } = alphabet;
  const runs = limitsFor(codes, limits);
  // A run of the whole string begins with what can be first.
  const whole = limitsFor(starts?.map((i) => codes[i]!) ?? codes, limits);
  let counts: readonly number[] = [];
  return (length) => {
    const all = strings(length);
    const { maxRepeating, maxSequential } = length === limits.maxSequential + 1
      ? whole
      : runs;
    if (Math.min(maxRepeating, maxSequential) >= length) return all;
    if (length >= counts.length) {
      // minimumEntropy asks for one length after another.
      const last = counts.length === 0 ? length : MAX_LENGTH;
      if (runSteps(required, last) > MAX_STEPS) {
        return refuse(
          `Must be unset, or the minima smaller: they take too long to count for ${last} characters.`,
        );
      }
      counts = countByExclusion(alphabet, runs, last);
    }
    const bits = bitsOf(counts[length]!, sizeOf(alphabet, length), false);
    const tries = 2 ** (all.bits - bits);
    // Exactly so many tries can be a little more in doubles.
    if (!(tries <= MAX_TRIES * (1 + 2 ** -40))) {
      return refuse(
        `Must be greater: fewer than 1 in ${MAX_TRIES} passwords of ${length} characters have such short runs.`,
      );
    }
    const generate = () => {
      while (true) {
        const text = all.generate();
        if (hasShortRuns(text, runs)) return text;
      }
    };
    const drawnCharacters = all.drawnCharacters! * tries;
    return { bits, drawnCharacters, generate };
  };
}
