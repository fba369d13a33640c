/**
 * The fields of the API on the page: the values of their inputs, what is wrong with
 * one, and which have an effect.
 *
 * @module
 */

/**
 * @typedef {object} Field as routes/api declares it
 * @property {unknown} default
 * @property {readonly [min: number, max: number] | undefined} [range] of a number
 * @property {readonly string[] | undefined} [values] of a choice
 * @property {number | undefined} [maxLength] of a text
 * @property {Readonly<Record<string, unknown>> | undefined} [ignoredIf] values of others
 *   with which it has no effect
 *
 * @typedef {string | boolean} Value what an input has: a text, or whether it is checked
 * @typedef {Record<string, Value>} Values by name
 * @typedef {{ key: string, [value: string]: unknown }} Note the key of a text, and
 *   what belongs to it
 */

/** The endpoints, which have a form each. */
export const KINDS = ["characters", "words", "sentence"];

/** @type {Record<string, Record<string, Field>>} */
let declared = {};

/** @param {Record<string, Record<string, Field>>} fields by endpoint, and name */
export function setFields(fields) {
  declared = fields;
}

/**
 * @param {string} kind the endpoint
 * @returns {Record<string, Field>} its fields by name
 */
export const fieldsOf = (kind) => declared[kind] ?? {};

/**
 * The value of an input at first: a default of 0 is no number to begin with.
 *
 * @param {Field} field
 * @returns {Value}
 */
export const initialOf = ({ default: value, range }) =>
  typeof value === "boolean" ? value : range ? String(value || "") : `${value}`;

/**
 * Whether a comma stands between all signs, as in `!, #, $`.
 *
 * @param {string} signs
 */
const isListed = (signs) => /^[^,](,[^,])+$/.test(signs);

/**
 * Special characters without spaces, and without the commas of a list.
 *
 * @param {string} text
 */
function signsOf(text) {
  const signs = text.replace(/\s/g, "");
  return isListed(signs) ? signs.replaceAll(",", "") : signs;
}

/**
 * A number; NaN for a text that is none, undefined for an empty one.
 *
 * @param {Value | undefined} value
 */
export function numberOf(value) {
  const digits = String(value ?? "").trim();
  if (digits === "") return undefined;
  return /^\d{1,6}$/.test(digits) ? Number(digits) : NaN;
}

/**
 * A value as the API takes it.
 *
 * @param {string} name
 * @param {Field} field
 * @param {Value | undefined} value
 */
function sentOf(name, { range }, value) {
  if (range) return numberOf(value);
  return name === "specialCharacterSet" ? signsOf(String(value)) : value;
}

/**
 * What is wrong with a value.
 *
 * @param {string} name
 * @param {Field} field
 * @param {Value | undefined} value
 * @returns {Note | undefined}
 */
export function errorOf(name, field, value) {
  if (field.range) {
    const [min, max] = field.range;
    const number = numberOf(value);
    const isValid = number === undefined
      ? !field.default
      : number >= min && number <= max;
    return isValid ? undefined : { key: "range", min, max };
  }
  const [, sign] = name === "specialCharacterSet"
    ? /(.).*\1/.exec(signsOf(String(value))) ?? []
    : [];
  return sign ? { key: "twice", sign } : undefined;
}

/**
 * What a person may not expect of a value.
 *
 * @param {string} name
 * @param {Values} values
 * @returns {Note | undefined}
 */
export function noteOf(name, values) {
  const value = String(values[name]);
  const signs = value.replace(/\s/g, "");
  if (name === "specialCharacterSet" && isListed(signs)) {
    return { key: "note.listed", signs: [...signsOf(signs)].join(" ") };
  }
  if (name !== "excludeCharacters" || value === "") return undefined;
  if (values.swedishCharacters) return undefined;
  const letters = new Set(value.match(/[a-z]/gi));
  return letters.size === 0
    ? { key: "note.swedish" }
    : { key: "note.letters", letters: [...letters].join(", ") };
}

/**
 * Whether a field is ignored with the values of others.
 *
 * @param {string} kind
 * @param {string} name
 * @param {Values} values
 */
export function isIgnored(kind, name, values) {
  const fields = fieldsOf(kind);
  const { ignoredIf } = fields[name] ?? {};
  return ignoredIf !== undefined &&
    Object.entries(ignoredIf).every(([other, ignored]) => {
      const field = fields[other];
      // An empty number means 0.
      const value = field ? sentOf(other, field, values[other]) ?? 0 : 0;
      return [ignored].flat().includes(value);
    });
}

/**
 * The values that have an effect and are no defaults, as the API takes them.
 *
 * @param {string} kind
 * @param {Values} values
 * @returns {Record<string, unknown>}
 */
export function bodyOf(kind, values) {
  const fields = Object.entries(fieldsOf(kind)).filter(([name, field]) =>
    !isIgnored(kind, name, values) && values[name] !== initialOf(field)
  );
  return Object.fromEntries(
    fields.map(([name, field]) => [name, sentOf(name, field, values[name])]),
  );
}
