/**
 * How long a password resists an attack. docs/strength.md states the same rates
 * and verdicts, and a test compares them.
 *
 * @module
 */

/** Guesses a second against a leaked password, by how the site stored it. */
export const RATES = { careless: 1e12, careful: 1e6 };

/** In seconds, like YEAR and UNIVERSE. */
const HOUR = 3600;
const YEAR = 365.25 * 24 * HOUR;
/** The age of the universe. */
const UNIVERSE = 13.8e9 * YEAR;

/**
 * The verdicts, the best one first, each with the least time in seconds that a
 * password resists after a careless site leaked it.
 */
export const VERDICTS = [
  ["excellent", UNIVERSE],
  ["strong", YEAR],
  ["fair", HOUR],
];

/** The least bits where a login permits few guesses: those of six digits. */
const LIMITED_BITS = Math.log2(1e6);

const UNITS = [
  ["year", YEAR],
  ["day", 24 * HOUR],
  ["hour", HOUR],
  ["minute", 60],
  ["second", 1],
];

/** The time for half of all guesses, which is the average. */
function secondsOf(bits, attack) {
  return 2 ** (bits - 1) / RATES[attack];
}

/** Returns the key of the verdict. Below "fair", a password of digits is a PIN. */
export function verdictOf(bits, isDigits) {
  const seconds = secondsOf(bits, "careless");
  const [verdict] = VERDICTS.find(([, min]) => seconds >= min) ??
    [isDigits ? "pin" : bits >= LIMITED_BITS ? "limited" : "weak"];
  return verdict;
}

/**
 * The time that an attack takes on average.
 *
 * @returns a text, or the key of one: "instant" or "forever"
 */
export function durationOf(bits, attack, language) {
  const seconds = secondsOf(bits, attack);
  if (seconds < 1) return { key: "instant" };
  if (seconds > UNIVERSE) return { key: "forever" };
  const [unit, length] = UNITS.find(([, length]) => seconds >= length);
  const value = seconds / length;
  const format = new Intl.NumberFormat(language, {
    style: "unit",
    unit,
    unitDisplay: "long",
    maximumSignificantDigits: 2,
    ...(value >= 1e6 && { notation: "compact", compactDisplay: "long" }),
  });
  return { text: format.format(value) };
}
