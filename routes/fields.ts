/**
 * The fields of a request body, and how they are validated.
 *
 * @module
 */
import { type FieldErrors, Problem } from "./problem.ts";

/** What a field takes, as JSON Schema (draft 2020-12) says it. */
export interface FieldSchema {
  /** The JSON type or types. */
  readonly type: string | readonly string[];
  /** The range of a number, as OpenAPI names it. */
  readonly format?: string;
  /** What a string must look like. */
  readonly pattern?: string;
  /** The least number. */
  readonly minimum?: number;
  /** The greatest number. */
  readonly maximum?: number;
  /** The strings, all of them. */
  readonly enum?: readonly string[];
}

/** One field: what it takes and what it stands for when it is omitted. */
export interface Field<T> {
  /** The kind of value, for what is said of one that is not taken. */
  readonly type: "integer" | "boolean" | "string";
  /** What holds when the field is omitted. */
  readonly default: T;
  /** What the field means. */
  readonly description: string;
  /** What the field takes, in words that go on from "Must be ". */
  readonly allowed: string;
  /** What the field takes, for machines. */
  readonly schema: FieldSchema;
  /** The field's value in options, or undefined for what it does not take. */
  readonly read: (value: unknown) => T | undefined;
}

/** The fields of a request body by the names that the specification gives. */
export type Fields = Readonly<
  // Any field: the type of a value is found again by `Values`.
  // deno-lint-ignore no-explicit-any
  Record<string, Field<any>>
>;

/** What comes out of validated fields. */
export type Values<F extends Fields> = {
  -readonly [Name in keyof F]: F[Name]["default"];
};

/**
 * A rule across fields. A field that is not acceptable by itself is undefined
 * here, so that a rule speaks only of what was surely asked for.
 */
export type Rule<F extends Fields> = (
  values: { readonly [Name in keyof F]: F[Name]["default"] | undefined },
) => FieldErrors | undefined;

const INTEGER_STRING = /^-?(0|[1-9][0-9]*)$/;

/**
 * An integer, as a JSON number with an integral value or as a string of decimal
 * digits without leading zeros, with an optional minus sign.
 *
 * @param minimum the least value, an int32
 * @param maximum the greatest value, an int32
 * @param byDefault the value when the field is omitted
 * @param description what the field means
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
export function integer(
  minimum: number,
  maximum: number,
  byDefault: number,
  description: string,
): Field<number> {
  return {
    type: "integer",
    default: byDefault,
    description,
    allowed:
      `an integer from ${minimum} to ${maximum}, or a string that holds one`,
    schema: {
      type: ["integer", "string"],
      format: "int32",
      pattern: INTEGER_STRING.source,
      minimum,
      maximum,
    },
    read: (value) => {
      const number = typeof value === "string" && INTEGER_STRING.test(value)
        ? Number(value)
        : value;
      // The bounds are int32s, so what is outside int32 is outside of them.
      return Number.isInteger(number) && number as number >= minimum &&
          number as number <= maximum
        ? number as number + 0 // -0 is 0
        : undefined;
    },
  };
}

/**
 * A boolean: JSON `true` or `false`, nothing else.
 *
 * @param byDefault the value when the field is omitted
 * @param description what the field means
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
  byDefault: boolean,
  description: string,
): Field<boolean> {
  return {
    type: "boolean",
    default: byDefault,
    description,
    allowed: "true or false",
    schema: { type: "boolean" },
    read: (value) => typeof value === "boolean" ? value : undefined,
  };
}

/**
 * One of some strings, exactly as listed.
 *
 * @param values the strings
 * @param byDefault the value when the field is omitted
 * @param description what the field means
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
  byDefault: NoInfer<T>,
  description: string,
): Field<T> {
  return {
    type: "string",
    default: byDefault,
    description,
    allowed: `one of ${values.map((value) => `"${value}"`).join(", ")}`,
    schema: { type: "string", enum: values },
    read: (value) => values.includes(value as T) ? value as T : undefined,
  };
}

/** What came instead of a value that the field takes: its kind, not itself. */
function kindOf(value: unknown, wanted: Field<unknown>["type"]): string {
  if (value === null) return "null";
  switch (typeof value) {
    case "boolean":
      return "a boolean";
    case "string":
      if (wanted === "integer") return "a string that holds no such integer";
      return wanted === "string" ? "another string" : "a string";
    case "number":
      if (wanted !== "integer") return "a number";
      return Number.isInteger(value)
        ? "an integer out of range"
        : "a number that is no such integer";
    default:
      return Array.isArray(value) ? "an array" : "an object";
  }
}

/** Lower case for A-Z only: toLowerCase would also take the Kelvin sign for k. */
function asciiLowerCase(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/**
 * Makes the function that turns a request body into the options of a
 * generator, or into a problem that names every field at fault.
 *
 * Names are compared without regard to the case of ASCII letters; names that
 * are not known are ignored; two names for one field are an error of it.
 *
 * @param fields the fields by name
 * @param rule what no field can tell alone
 * @returns the function
 *
 * @example
 * ```ts
 * import { integer, validator } from "./fields.ts";
 * import { Problem } from "./problem.ts";
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
  const names = Object.keys(fields);
  // By number: to look a field up by its name once more costs as much as to
  // read its value.
  const list = names.map((name) => fields[name]!);
  const defaults = Object.fromEntries(
    names.map((name) => [name, fields[name]!.default]),
  );
  // By the name as the specification spells it, which needs no conversion, and
  // by the name in lower case, for all other spellings.
  const indices = new Map<string, number>();
  names.forEach((name, index) => {
    indices.set(asciiLowerCase(name), index).set(name, index);
  });

  return (body) => {
    const values = { ...defaults };
    let errors: FieldErrors | undefined;
    let seen = 0;
    for (const key of Object.keys(body)) {
      const index = indices.get(key) ?? indices.get(asciiLowerCase(key));
      if (index === undefined) continue;
      const name = names[index]!;
      if (seen & (1 << index)) {
        values[name] = undefined;
        (errors ??= {})[name] = [
          "Given more than once, in different spellings.",
        ];
        continue;
      }
      seen |= 1 << index;
      const field = list[index]!;
      const value = body[key];
      const read = field.read(value);
      values[name] = read;
      if (read === undefined) {
        (errors ??= {})[name] = [
          `Must be ${field.allowed}; got ${kindOf(value, field.type)}.`,
        ];
      }
    }
    const crossed = rule?.(values as Values<F>);
    if (crossed !== undefined) errors = { ...errors, ...crossed };
    return errors === undefined ? values as Values<F> : Problem.of(errors);
  };
}
