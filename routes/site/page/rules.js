/**
 * Writes what a web site asks for in the Password Rules language, from the ticks of
 * the form.
 *
 * @module
 */

/** The kinds of characters, as the language names them. */
const KINDS = ["lower", "upper", "digit", "special"];

/** A class of the language: "-" stands first in it, and "]" last. */
function classOf(characters) {
  const others = characters.replace(/[-\]]/g, "");
  const first = characters.includes("-") ? "-" : "";
  const last = characters.includes("]") ? "]" : "";
  return `[${first}${others}${last}]`;
}

/**
 * Writes a rule.
 *
 * @param ticks what the person ticked: `minlength` and `maxlength` as strings, "" for
 *   none; whether the password needs each kind; and the special characters that
 *   the site takes, "" for all
 * @returns the rule; every kind of the password is required
 */
export function ruleOf({ minlength, maxlength, characters, ...needs }) {
  const kinds = KINDS.filter((kind) => needs[kind]).map((kind) =>
    kind === "special" && characters ? classOf(characters) : kind
  );
  return [
    minlength && `minlength: ${minlength};`,
    maxlength && `maxlength: ${maxlength};`,
    ...kinds.map((kind) => `required: ${kind};`),
  ].filter(Boolean).join(" ");
}

/**
 * Reads a rule that ruleOf() wrote.
 *
 * @param rule any text
 * @returns the ticks; undefined if they cannot express the rule
 */
export function ticksOf(rule) {
  const value = (pattern) => pattern.exec(rule)?.[1] ?? "";
  const set = value(/required: \[(.*)\];$/);
  const needs = KINDS.map((kind) => [kind, rule.includes(`: ${kind};`)]);
  const ticks = {
    minlength: value(/minlength: (\d+);/),
    maxlength: value(/maxlength: (\d+);/),
    ...Object.fromEntries(needs),
    characters: set,
  };
  if (set) ticks.special = true;
  return ruleOf(ticks) === rule ? ticks : undefined;
}
