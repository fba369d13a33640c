/**
 * The fields of a request body and their validation.
 *
 * @module
 */
import { type FieldErrors, Problem } from "../problem.ts";

/** One field of a request body. */
export interface Field<T> {
  /** The type of its value; messages use it. */
  readonly type: "integer" | "boolean" | "string";
  /** The value if the request omits the field. */
  readonly default: T;
  /** The meaning of the field. */
  readonly description: string;
  /** The allowed values, as a phrase after "Must be ". */
  readonly expected: string;
  /** The least and the greatest integer. */
  readonly range?: readonly [minimum: number, maximum: number];
  /** The allowed strings, if they are listed. */
  readonly values?: readonly string[];
  /** The maximum length of the string, in code points. */
  readonly maxLength?: number;
  /** What matches the allowed strings. */
  readonly pattern?: RegExp;
  /** The version of the API that added the field, if it was not the first. */
  readonly since?: string;
  /** Converts a JSON value; undefined if it is not allowed. */
  readonly read: (value: unknown) => T | undefined;
}

/** The fields of a request body by name. */
export type Fields = Readonly<
  // `any`, because `Values` infers the type of each value.
  // deno-lint-ignore no-explicit-any
  Record<string, Field<any>>
>;

/** The values of validated fields. */
export type Values<F extends Fields> = {
  -readonly [Name in keyof F]: F[Name]["default"];
};

/**
 * A rule about several fields. The value of a field with an error is undefined.
 * `sent` has the names of the fields that the request contains.
 */
export type Rule<F extends Fields> = (
  values: { readonly [Name in keyof F]: F[Name]["default"] | undefined },
  sent: ReadonlySet<string>,
) => FieldErrors | undefined;

/** The strings that an integer field takes, if their value is in its range. */
export const INTEGER_STRING: RegExp = /^-?(0|[1-9][0-9]*)$/;

/**
 * Makes an integer field. It takes a JSON number with an integral value, or a
 * string of decimal digits without leading zeros, with an optional minus sign.
 *
 * @param minimum the least value, an int32
 * @param maximum the greatest value, an int32
 * @param defaultValue the value if the request omits the field, if there is one
 * @param description the meaning of the field
 * @returns the field
 *
 * @example
 * ```ts
 * import { integer } from "./fields.ts";
 * import { assertEquals } from "@std/assert";
 *
 * const length = integer(1, 128, 20, "Characters in the password");
 * assertEquals(length.read("64"), 64);
 * assertEquals(length.read(129), undefined);
 * ```
 */
export function integer<Default extends number | undefined>(
  minimum: number,
  maximum: number,
  defaultValue: Default,
  description: string,
): Field<number | Default> {
  return {
    type: "integer",
    default: defaultValue,
    description,
    expected:
      `an integer from ${minimum} to ${maximum}, or a string that holds one`,
    range: [minimum, maximum],
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
 * Makes a boolean field. It takes only JSON `true` and `false`.
 *
 * @param defaultValue the value if the request omits the field
 * @param description the meaning of the field
 * @returns the field
 *
 * @example
 * ```ts
 * import { boolean } from "./fields.ts";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(boolean(true, "Use a-z").read("true"), undefined);
 * ```
 */
export function boolean(
  defaultValue: boolean,
  description: string,
): Field<boolean> {
  return {
    type: "boolean",
    default: defaultValue,
    description,
    expected: "true or false",
    read: (value) => typeof value === "boolean" ? value : undefined,
  };
}

/**
 * Makes a field that takes one of several strings, exactly as listed.
 *
 * @param values the strings
 * @param defaultValue the value if the request omits the field
 * @param description the meaning of the field
 * @returns the field
 *
 * @example
 * ```ts
 * import { oneOf } from "./fields.ts";
 * import { assertEquals } from "@std/assert";
 *
 * const language = oneOf(["sv", "en"], "sv", "Language of the words");
 * assertEquals(language.read("en"), "en");
 * assertEquals(language.read("EN"), undefined);
 * ```
 */
export function oneOf<T extends string>(
  values: readonly T[],
  defaultValue: NoInfer<T>,
  description: string,
): Field<T> {
  return {
    type: "string",
    default: defaultValue,
    description,
    expected: `one of ${values.map((value) => `"${value}"`).join(", ")}`,
    values,
    read: (value) => values.includes(value as T) ? value as T : undefined,
  };
}

/**
 * Makes a field that takes a string, which is empty by default.
 *
 * @param maxLength the maximum length, in code points
 * @param expected the allowed strings, as a phrase after "Must be "
 * @param description the meaning of the field
 * @param pattern what matches the allowed strings; default: any string
 * @param isAllowed tells which of these are allowed; default: all
 * @returns the field
 *
 * @example
 * ```ts
 * import { text } from "./fields.ts";
 * import { assertEquals } from "@std/assert";
 *
 * const prefix = text(4, "at most 4 letters a-z", "Prefix", /^[a-z]*$/);
 * assertEquals(prefix.read("abc"), "abc");
 * assertEquals(prefix.read("abcde"), undefined);
 * ```
 */
export function text(
  maxLength: number,
  expected: string,
  description: string,
  pattern?: RegExp,
  isAllowed: (value: string) => boolean = () => true,
): Field<string> {
  return {
    type: "string",
    default: "",
    ...{ description, expected, maxLength },
    ...pattern && { pattern },
    read: (value) =>
      typeof value === "string" && [...value].length <= maxLength &&
        (pattern?.test(value) ?? true) && isAllowed(value)
        ? value
        : undefined,
  };
}

/**
 * Marks a field that the first version of the API did not have.
 *
 * @param version the version of the API that added the field
 * @param field the field
 * @returns the field with its version
 *
 * @example
 * ```ts
 * import { boolean, since } from "./fields.ts";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(since("1.1.0", boolean(false, "Use emoji")).since, "1.1.0");
 * ```
 */
export function since<T>(version: string, field: Field<T>): Field<T> {
  return { ...field, since: version };
}

/** Describes a value that is not allowed, without repeating it. */
function kindOf(value: unknown, expected: Field<unknown>["type"]): string {
  if (value === null) return "null";
  switch (typeof value) {
    case "boolean":
      return "a boolean";
    case "string":
      if (expected === "integer") return "a string that holds no such integer";
      return expected === "string" ? "another string" : "a string";
    case "number":
      if (expected !== "integer") return "a number";
      return Number.isInteger(value)
        ? "an integer out of range"
        : "a number that is no such integer";
    default:
      return Array.isArray(value) ? "an array" : "an object";
  }
}

/** Of all other characters, only the Kelvin sign would become an ASCII letter. */
function asciiLowerCase(text: string): string {
  return text.includes("\u212a") ? text : text.toLowerCase();
}

/**
 * Makes a function that validates a request body. It returns the values of all
 * fields, or a problem that names each field with an error.
 *
 * Names are compared without regard to the case of ASCII letters. Unknown names
 * are ignored. Two names of one field that differ in case are an error.
 *
 * @param fields the fields by name
 * @param rule a rule about several fields
 * @returns the function
 *
 * @example
 * ```ts
 * import { integer, validator } from "./fields.ts";
 * import { Problem } from "../problem.ts";
 * import { assert, assertEquals } from "@std/assert";
 *
 * const validate = validator({ length: integer(1, 128, 20, "Length") });
 * assertEquals(validate({ Length: "8" }), { length: 8 });
 * assert(validate({ length: null }) instanceof Problem);
 * ```
 */
export function validator<F extends Fields>(
  fields: F,
  rule?: Rule<F>,
): (body: Record<string, unknown>) => Values<F> | Problem {
  const defaults: Record<string, unknown> = {};
  // Each field has two keys: its name, which needs no conversion, and its name in
  // lower case, for every other spelling.
  const entries = new Map<string, [name: string, field: Fields[string]]>();
  for (const [name, field] of Object.entries(fields)) {
    defaults[name] = field.default;
    entries.set(asciiLowerCase(name), [name, field]).set(name, [name, field]);
  }

  return (body) => {
    const values = { ...defaults };
    const errors: FieldErrors = {};
    const sent = new Set<string>();
    for (const key of Object.keys(body)) {
      const entry = entries.get(key) ?? entries.get(asciiLowerCase(key));
      if (entry === undefined) continue;
      const [name, field] = entry;
      if (sent.has(name)) {
        values[name] = undefined;
        errors[name] = ["Given more than once, in different spellings."];
        continue;
      }
      sent.add(name);
      values[name] = field.read(body[key]);
      if (values[name] === undefined) {
        errors[name] = [
          `Must be ${field.expected}; got ${kindOf(body[key], field.type)}.`,
        ];
      }
    }
    Object.assign(errors, rule?.(values as Values<F>, sent));
    return Object.keys(errors).length === 0
      ? values as Values<F>
      : Problem.ofFields(errors);
  };
}
