/**
 * Translates between the ticks of the form and the Password Rules language.
 *
 * @module
 */

/** The kinds of characters, as the Password Rules language names them. */
const KINDS = ["lower", "upper", "digit", "special"];

/** A class of the special characters in a text: "-" stands first in it, "]" last. */
function classOf(text) {
  const special = text.replace(/[^!-~]|[a-z\d]/gi, " ");
  // Commas separate single characters.
  const single = special.split(/[\s,]+/).filter(Boolean);
  const isList = single.length > 1 &&
    single.every(({ length }) => length === 1);
  const characters = isList ? single.join("") : special.replaceAll(" ", "");
  const others = characters.replace(/[-\]]/g, "");
  const first = characters.includes("-") ? "-" : "";
  const last = characters.includes("]") ? "]" : "";
  return characters ? `[${first}${others}${last}]` : "special";
}

/**
 * Writes a rule.
 *
 * @param ticks what the person ticked: `minlength` and `maxlength` as strings, "" for
 *   none; whether the password has each kind; and the special characters that the
 *   site takes, "" for all, which commas may separate
 * @returns the rule, which requires each kind; without any kind, one that no
 *   password meets
 */
export function ruleOf({ minlength, maxlength, characters, ...needs }) {
  const kinds = KINDS.filter((kind) => needs[kind]);
  return [
    minlength && `minlength: ${minlength};`,
    maxlength && `maxlength: ${maxlength};`,
    ...kinds.map((kind) =>
      `required: ${kind === "special" ? classOf(characters) : kind};`
    ),
    kinds.length === 0 && "allowed: [];",
  ].filter(Boolean).join(" ");
}

/**
 * Reads a rule into ticks, in any order and with any spaces.
 *
 * @param rule any text
 * @returns the ticks; undefined if they cannot express the rule
 */
export function ticksOf(rule) {
  const ticks = { minlength: "", maxlength: "", characters: "" };
  for (const kind of KINDS) ticks[kind] = false;
  const statements = rule.match(/(\[[^\]]*\]?\]|[^;])+/g) ?? [];
  for (const statement of statements) {
    const [, name, value] = /^\s*([a-z]+)\s*:\s*(.*?)\s*$/s.exec(statement) ??
      [undefined, "", statement.trim()];
    const isClass = /^\[.+\]$/.test(value);
    const kind = isClass ? "special" : value;
    if (name === "" && value === "") continue;
    if (name === "allowed" && value === "[]") continue;
    if (/^m(in|ax)length$/.test(name) && /^\d+$/.test(value) && !ticks[name]) {
      ticks[name] = value;
    } else if (name === "required" && ticks[kind] === false) {
      ticks[kind] = true;
      if (isClass) ticks.characters = value.slice(1, -1);
    } else return undefined;
  }
  // A class with a letter, for example, is more than special characters.
  const { characters } = ticks;
  return characters && classOf(characters) !== `[${characters}]`
    ? undefined
    : ticks;
}
