/**
 * The fields of a request body and their validation.
 *
 * @module
 */
import { isText, type TextOption } from "../../generators/options.ts";

export type { TextOption };

/** What the declaration of a field says, whatever its type. */
export interface Declaration<T> {
  /** The value if the request omits the field. */
  readonly default: T;
  /** The meaning, for developers. Backticks mark code. */
  readonly description: string;
  /** The version of the API that added the field, if it was not the first. */
  readonly since?: string;
  /**
   * The field is ignored if each of these other fields has this value, or one of
   * these.
   */
  readonly ignoredIf?: {
    readonly values: Readonly<Record<string, unknown>>;
  };
}

/** One field of a request body. */
export interface Field<T> extends Declaration<T> {
  /** The type of its value; messages use it. */
  readonly type: "integer" | "boolean" | "string";
  /** The allowed values, as a phrase after "Must be ". */
  readonly expected: string;
  /** The least and the greatest integer. */
  readonly range?: readonly [minimum: number, maximum: number];
  /** The allowed strings, if they are listed. */
  readonly values?: readonly string[];
  /** The names of the allowed strings in generated code, if they are not identifiers. */
  readonly identifiers?: Readonly<Record<string, string>>;
  /** The maximum length of the string, in code points. */
  readonly maxLength?: number;
  /** What matches the allowed strings. */
  readonly pattern?: RegExp;
  /** Converts a JSON value; undefined if it is not allowed. */
  readonly read: (value: unknown) => T | undefined;
}

/** The fields of a request body by name. */
export type Fields = Readonly<
  // `any`, because `Values` infers the type of each value.
  // deno-lint-ignore no-explicit-any
  Record<string, Field<any>>
>;

/** The values of fields. */
export type Values<F extends Fields> = {
  -readonly [Name in keyof F]: F[Name]["default"];
};

/** The errors of each field; `$` stands for the body as a whole. */
export type FieldErrors = Record<string, string[]>;

/** A request body after each field is validated by itself. */
export interface Validated<F extends Fields> {
  /** The values. A field that is absent or has an error has its default. */
  readonly values: Values<F>;
  /** The errors of the fields; empty without any. */
  readonly errors: FieldErrors;
  /** The names of the fields that the body contains. */
  readonly sent: ReadonlySet<string>;
}

/** The strings that an integer field takes, if their value is in its range. */
export const INTEGER_STRING: RegExp = /^-?(0|[1-9][0-9]*)$/;

/**
 * Declares an integer. It is a JSON number with an integral value, or a string of
 * decimal digits without leading zeros, with an optional minus sign.
 *
 * @param declaration the field; `range` has two int32s
 * @returns the field
 *
 * @example
 * ```ts
 * import { integer } from "./fields.ts";
 * import { assertEquals } from "@std/assert";
 *
 * const length = integer({
 *   range: [1, 128],
 *   default: 20,
 *   description: "Number of characters",
 * });
 * assertEquals(length.read("64"), 64);
 * assertEquals(length.read(129), undefined);
 * ```
 */
export function integer(
  declaration: Declaration<number> & Pick<Required<Field<number>>, "range">,
): Field<number> {
  const [minimum, maximum] = declaration.range;
  return {
    ...declaration,
    type: "integer",
    expected:
      `an integer from ${minimum} to ${maximum}, or a string that holds one`,
    read: (value) => {
      const number = typeof value === "string" && INTEGER_STRING.test(value)
        ? Number(value)
        : value;
      // minimum and maximum are int32s, so this also checks the int32 range.
      return typeof number === "number" && Number.isInteger(number) &&
          number >= minimum && number <= maximum
        ? number + 0 // -0 is 0
        : undefined;
    },
  };
}

/**
 * Declares a boolean: JSON `true` or `false`.
 *
 * @param declaration the field
 * @returns the field
 *
 * @example
 * ```ts
 * import { boolean } from "./fields.ts";
 * import { assertEquals } from "@std/assert";
 *
 * const lowercase = boolean({
 *   default: true,
 *   description: "Use `a-z`",
 * });
 * assertEquals(lowercase.read("true"), undefined);
 * ```
 */
export function boolean(declaration: Declaration<boolean>): Field<boolean> {
  return {
    ...declaration,
    type: "boolean",
    expected: "true or false",
    read: (value) => typeof value === "boolean" ? value : undefined,
  };
}

/**
 * Declares one of several strings, exactly as listed.
 *
 * @param declaration the field, with `values`, and `identifiers` if they are not
 *   identifiers themselves
 * @returns the field
 *
 * @example
 * ```ts
 * import { oneOf } from "./fields.ts";
 * import { assertEquals } from "@std/assert";
 *
 * const language = oneOf({
 *   values: ["sv", "en"],
 *   default: "sv",
 *   description: "Language of the words",
 * });
 * assertEquals(language.read("en"), "en");
 * assertEquals(language.read("EN"), undefined);
 * ```
 */
export function oneOf<T extends string>(
  declaration: Declaration<NoInfer<T>> & {
    readonly values: readonly T[];
    readonly identifiers?: Readonly<Record<string, string>>;
  },
): Field<T> {
  const { values } = declaration;
  return {
    ...declaration,
    type: "string",
    expected: `one of ${values.map((value) => `"${value}"`).join(", ")}`,
    read: (value) => values.includes(value as T) ? value as T : undefined,
  };
}

/**
 * Declares a string.
 *
 * @param declaration the field, with `expected`, `maxLength` and `pattern`;
 *   `isAllowed` tells which of these strings are allowed, and the default is all
 * @returns the field
 *
 * @example
 * ```ts
 * import { text } from "./fields.ts";
 * import { assertEquals } from "@std/assert";
 *
 * const prefix = text({
 *   maxLength: 4,
 *   expected: "at most 4 letters a-z",
 *   pattern: /^[a-z]*$/,
 *   default: "",
 *   description: "Prefix",
 * });
 * assertEquals(prefix.read("abc"), "abc");
 * assertEquals(prefix.read("abcde"), undefined);
 * ```
 */
export function text(
  declaration: Declaration<string> & TextOption,
): Field<string> {
  return {
    ...declaration,
    type: "string",
    read: (value) =>
      typeof value === "string" && isText(value, declaration)
        ? value
        : undefined,
  };
}

/** Describes a value that is not allowed, without repeating it. */
function kindOf(value: unknown, expected: Field<unknown>["type"]): string {
  if (value === null) return "null";
  switch (typeof value) {
    case "boolean":
      return "a boolean";
    case "string":
      if (expected === "integer") return "a string that is not such an integer";
      if (expected === "boolean" && /^(true|false)$/i.test(value)) {
        return "a string: write true or false without quotes";
      }
      return expected === "string" ? "another string" : "a string";
    case "number":
      if (expected !== "integer") return "a number";
      return Number.isInteger(value)
        ? "an integer out of range"
        : "a number that is not an integer";
    default:
      return Array.isArray(value) ? "an array" : "an object";
  }
}

/** The maximum number of unknown names that errors repeat. */
const MAX_UNKNOWN_NAMES = 10;

/** The maximum length of a repeated name, in UTF-16 units. */
const MAX_NAME_LENGTH = 64;

/** Of all other characters, only the Kelvin sign would become an ASCII letter. */
function asciiLowerCase(text: string): string {
  return text.includes("\u212a") ? text : text.toLowerCase();
}

/**
 * Makes a function that validates each field of a request body by itself.
 *
 * Names are compared without regard to the case of ASCII letters. Unknown names
 * are ignored, or are errors with `isStrict`. Two names of one field that differ in
 * case are an error.
 *
 * @param fields the fields by name
 * @returns the function
 *
 * @example
 * ```ts
 * import { boolean, validator } from "./fields.ts";
 * import { assertEquals } from "@std/assert";
 *
 * const validate = validator({
 *   lowercase: boolean({
 *     default: true,
 *     description: "Use `a-z`",
 *   }),
 * });
 * assertEquals(validate({ LowerCase: false }).values, { lowercase: false });
 * assertEquals(validate({ lowercase: null }).errors, {
 *   lowercase: ["Must be true or false; got null."],
 * });
 * ```
 */
export function validator<F extends Fields>(
  fields: F,
): (body: Record<string, unknown>, isStrict?: boolean) => Validated<F> {
  let defaults: Record<string, unknown> = {};
  // Each field has two keys: its name, which needs no conversion, and its name in
  // lower case, for every other spelling.
  const entries = new Map<string, [name: string, field: Fields[string]]>();
  for (const [name, field] of Object.entries(fields)) {
    defaults[name] = field.default;
    entries.set(asciiLowerCase(name), [name, field]).set(name, [name, field]);
  }
  // V8 copies what JSON.parse() made ten times as fast as what assignments made.
  defaults = JSON.parse(JSON.stringify(defaults));

  return (body, isStrict = false) => {
    const values = { ...defaults };
    const errors: FieldErrors = {};
    const unknown: string[] = [];
    const sent = new Set<string>();
    for (const key of Object.keys(body)) {
      const entry = entries.get(key) ?? entries.get(asciiLowerCase(key));
      if (entry === undefined) {
        if (isStrict && unknown.length < MAX_UNKNOWN_NAMES) unknown.push(key);
        continue;
      }
      const [name, field] = entry;
      if (sent.has(name)) {
        values[name] = field.default;
        errors[name] = ["Given more than once, in different spellings."];
        continue;
      }
      sent.add(name);
      const value = field.read(body[key]);
      if (value !== undefined) values[name] = value;
      else {
        errors[name] = [
          `Must be ${field.expected}; got ${kindOf(body[key], field.type)}.`,
        ];
      }
    }
    // An assignment to `__proto__` would not add a member.
    const unknownErrors = Object.fromEntries(
      unknown.map((name) => [
        name.slice(0, MAX_NAME_LENGTH).toWellFormed(),
        ["Unknown field."],
      ]),
    );
    return {
      values: values as Values<F>,
      errors: { ...unknownErrors, ...errors },
      sent,
    };
  };
}
