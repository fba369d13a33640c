/**
 * How long a password resists an attack. docs/strength.md states the same rates
 * and verdicts, and a test compares them.
 *
 * @module
 */

/**
 * @typedef {"careless" | "careful"} Attack by how the site stored a leaked password
 */

/** Guesses a second against it. */
export const RATES = { careless: 1e12, careful: 1e6 };

/** In seconds, like YEAR and UNIVERSE. */
const HOUR = 3600;
const YEAR = 365.25 * 24 * HOUR;
/** The age of the universe. */
const UNIVERSE = 13.8e9 * YEAR;

/**
 * The verdicts, the best one first, each with the least time in seconds that a
 * password resists after a careless site leaked it.
 *
 * @type {[verdict: string, seconds: number][]}
 */
export const VERDICTS = [
  ["excellent", UNIVERSE],
  ["strong", YEAR],
  ["fair", HOUR],
];

/** The least bits where a login permits few guesses: those of six digits. */
const LIMITED_BITS = Math.log2(1e6);

/** @type {[unit: string, seconds: number][]} */
const UNITS = [
  ["year", YEAR],
  ["day", 24 * HOUR],
  ["hour", HOUR],
  ["minute", 60],
  ["second", 1],
];

/**
 * The time for half of all guesses, which is the average.
 *
 * @param {number} bits
 * @param {Attack} attack
 */
function secondsOf(bits, attack) {
  return 2 ** (bits - 1) / RATES[attack];
}

/**
 * Returns the key of the verdict. Below "fair", a password of digits is a PIN.
 *
 * @param {number} bits
 * @param {boolean} isDigits
 */
export function verdictOf(bits, isDigits) {
  const seconds = secondsOf(bits, "careless");
  const [verdict] = VERDICTS.find(([, min]) => seconds >= min) ?? [];
  if (verdict) return verdict;
  return isDigits ? "pin" : bits >= LIMITED_BITS ? "limited" : "weak";
}

/**
 * The time that an attack takes on average.
 *
 * @param {number} bits
 * @param {Attack} attack
 * @param {string} language
 * @returns {string} a text, or the key of one: "instant" or "forever"
 */
export function durationOf(bits, attack, language) {
  const seconds = secondsOf(bits, attack);
  if (seconds < 1) return "instant";
  if (seconds > UNIVERSE) return "forever";
  const [unit, length] = UNITS.find(([, length]) => seconds >= length) ??
    ["second", 1];
  const value = seconds / length;
  const format = new Intl.NumberFormat(language, {
    style: "unit",
    unit,
    unitDisplay: "long",
    maximumSignificantDigits: 2,
    ...(value >= 1e6 && { notation: "compact", compactDisplay: "long" }),
  });
  return format.format(value);
}
