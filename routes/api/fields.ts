/**
 * The fields of a request body and their validation.
 *
 * @module
 */
import {
  expectedOf,
  isAllowed,
  kindOf,
  type OptionRow,
  type OptionTable,
  readValue,
  typeOf,
} from "../../generators/options.ts";

/** What a field says besides what its option is. */
export interface Texts {
  /** The meaning, for developers. Backticks mark code. */
  readonly description: string;
  /** The version of the API that added the field, if it was not the first. */
  readonly since?: string;
  /** Other fields with which it has no effect, if its option does not say so. */
  readonly ignoredIf?: Readonly<Record<string, unknown>>;
  /** The names of the allowed strings in generated code, if they are not identifiers. */
  readonly identifiers?: Readonly<Record<string, string>>;
}

/** One field of a request body. */
export interface Field<T> extends Texts {
  /** The value if the request omits the field. */
  readonly default: T;
  /** The type of its value; messages use it. */
  readonly type: "integer" | "boolean" | "string";
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
  /** Whether `passwordRules` replace it. */
  readonly isReplacedByRules?: true;
  /** Converts a JSON value; undefined if it is not allowed. */
  readonly read: (value: unknown) => T | undefined;
  /** Says what a value must be that is not allowed. */
  readonly problemOf: (value: unknown) => string;
}

/** The fields of a request body by name. */
export type Fields = Readonly<
  // `any`, because `Values` infers the type of each value.
  // deno-lint-ignore no-explicit-any
  Record<string, Field<any>>
>;

/** The values of fields. */
export type Values<F extends Fields> = {
  readonly [Name in keyof F]: F[Name]["default"];
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

/** Makes the field of an option. */
function fieldOf<T>(
  option: OptionRow & { readonly default: T },
  texts: Texts,
): Field<T> {
  const type = typeOf(option);
  const isInteger = type === "integer";
  const expected = expectedOf(option) +
    (isInteger ? ", or a string that holds one" : "");
  return {
    ...option,
    ...texts,
    type,
    expected,
    read: (value) => {
      const isDigits = isInteger && typeof value === "string" &&
        INTEGER_STRING.test(value);
      const converted = isDigits ? Number(value) : value;
      return isAllowed(converted, option)
        ? readValue(converted, option) as T
        : undefined;
    },
    problemOf: (value) => `Must be ${expected}; got ${kindOf(value, option)}.`,
  };
}

/**
 * Makes a field of each option. An integer is a JSON number with an integral value, or a
 * string of decimal digits without leading zeros, with an optional minus sign.
 *
 * @param options what each field is: its default, and what else it can be
 * @param texts what each field says; the compiler names one that is missing
 * @returns the fields by name, in the order of the texts
 *
 * @example
 * ```ts
 * import { fieldsOf } from "./fields.ts";
 * import { assertEquals } from "@std/assert";
 *
 * const { length } = fieldsOf<{ length: number }>({
 *   length: { default: 20, range: [1, 128] },
 * }, { length: { description: "Number of characters" } });
 * assertEquals(length.read("64"), 64);
 * assertEquals(length.read(129), undefined);
 * ```
 */
export function fieldsOf<Options>(
  options: OptionTable<Options>,
  texts: { readonly [Name in keyof Options]: Texts },
): { readonly [Name in keyof Options]: Field<Options[Name]> } {
  const names = Object.keys(texts) as (keyof Options)[];
  return Object.fromEntries(
    names.map((name) => [name, fieldOf<unknown>(options[name], texts[name])]),
  ) as { readonly [Name in keyof Options]: Field<Options[Name]> };
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
 * import { fieldsOf, validator } from "./fields.ts";
 * import { assertEquals } from "@std/assert";
 *
 * const validate = validator(fieldsOf<{ lowercase: boolean }>(
 *   { lowercase: { default: true } },
 *   { lowercase: { description: "Use `a-z`" } },
 * ));
 * assertEquals(validate({ LowerCase: false }).values, { lowercase: false });
 * assertEquals(validate({ lowercase: null }).errors, {
 *   lowercase: ["Must be true or false; got null."],
 * });
 * ```
 */
export function validator<F extends Fields>(
  fields: F,
): (body: Record<string, unknown>, isStrict?: boolean) => Validated<F> {
  const defaults: Record<string, unknown> = {};
  // Each field has two keys: its name, which needs no conversion, and its name in
  // lower case, for every other spelling.
  const entries = new Map<string, [name: string, field: Fields[string]]>();
  for (const [name, field] of Object.entries(fields)) {
    defaults[name] = field.default;
    entries.set(asciiLowerCase(name), [name, field]).set(name, [name, field]);
  }

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
        errors[name] = [field.problemOf(body[key])];
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
