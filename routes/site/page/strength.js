/**
 * How long a password resists an attack, in words.
 *
 * @module
 */

/** Guesses per second against a stolen, poorly protected password. */
const GUESSES_PER_SECOND = 1e6;

const DAY = 86_400;
const YEAR = 365.25 * DAY;
/** The length of each unit in seconds. */
const UNITS = [
  ["year", YEAR],
  ["day", DAY],
  ["hour", 3600],
  ["minute", 60],
  ["second", 1],
];
const AGE_OF_THE_UNIVERSE = 13.8e9 * YEAR;

/** The least time of each verdict in seconds, the best one first. */
const VERDICTS = [
  [AGE_OF_THE_UNIVERSE, "excellent"],
  [100 * YEAR, "strong"],
  [30 * DAY, "modest"],
  [0, "weak"],
];

/**
 * Judges a password by the time for half of all guesses.
 *
 * @returns the keys of the verdict and of the sentence about the attack, and the
 *   time for this sentence
 */
export function judge(bits, language) {
  const seconds = 2 ** (bits - 1) / GUESSES_PER_SECOND;
  const [, verdict] = VERDICTS.find(([least]) => seconds >= least);
  if (seconds < 1) return { verdict, sentence: "instant" };
  if (seconds > AGE_OF_THE_UNIVERSE) return { verdict, sentence: "forever" };
  const [unit, length] = UNITS.find(([, length]) => seconds >= length);
  const format = new Intl.NumberFormat(language, {
    style: "unit",
    unit,
    unitDisplay: "long",
    notation: "compact",
    compactDisplay: "long",
    maximumSignificantDigits: 2,
  });
  return { verdict, sentence: "time", time: format.format(seconds / length) };
}
