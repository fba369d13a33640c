/**
 * The fields of the API, written by hand from the specification and its
 * decisions. Nothing here is read from the program.
 *
 * @module
 */

/** A field of the first version. */
export type V1Row =
  | { type: "integer"; range: readonly [number, number]; default: number }
  | { type: "boolean"; default: boolean }
  | { type: "string"; values: readonly string[]; default: string };

/** A field that takes many strings, with examples. */
export interface TextRow {
  type: "text";
  maxLength: number;
  pattern?: string;
  /** What a message says about the allowed strings. */
  expected: string;
  valid: readonly string[];
  invalid: readonly string[];
  default: "";
}

/** An integer without a value if the request omits it. */
export interface OptionalRow {
  type: "integer";
  range: readonly [number, number];
  default: undefined;
}

/** A field. */
export type Row = V1Row | TextRow | OptionalRow;

/** The fields of an endpoint by name. */
export type Table<R = Row> = Readonly<Record<string, R>>;

/** The endpoints. */
export type Kind = "characters" | "words" | "sentence";

const integer = (low: number, high: number, value: number): V1Row => ({
  type: "integer",
  range: [low, high],
  default: value,
});
const boolean = (value: boolean): V1Row => ({
  type: "boolean",
  default: value,
});
const oneOf = (values: readonly string[], value: string): V1Row => ({
  type: "string",
  values,
  default: value,
});

const PASSPHRASE: Table<V1Row> = {
  language: oneOf(["sv", "en"], "sv"),
  casing: oneOf(["lower", "upper", "first", "title"], "title"),
  numberPosition: oneOf(["before", "after", "between", "all"], "before"),
  numberLength: integer(0, 12, 2),
  replaceSwedishCharacters: boolean(false),
  replaceWithSpecialCharacters: boolean(false),
};

/** Version 1.0.0, frozen: it never changes. */
export const V1: Readonly<Record<Kind, Table<V1Row>>> = {
  characters: {
    length: integer(1, 128, 20),
    lowercase: boolean(true),
    uppercase: boolean(true),
    numbers: boolean(true),
    specialCharacters: boolean(true),
    swedishCharacters: boolean(false),
    specialCharacterPercentage: integer(0, 100, 0),
  },
  words: { ...PASSPHRASE, wordCount: integer(1, 10, 4) },
  sentence: PASSPHRASE,
};

const SEPARATOR = oneOf(["", "-", ".", "_", " ", ","], "");
const MINIMUM_ENTROPY = integer(0, 512, 0);
const MAXIMUM_LENGTH = integer(0, 256, 0);
const COUNT: OptionalRow = {
  type: "integer",
  range: [1, 100],
  default: undefined,
};

/** All printable ASCII characters that are no letter, digit or space. */
const PUNCTUATION = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~";

const SPECIAL_CHARACTER_SET: TextRow = {
  type: "text",
  maxLength: 32,
  pattern: "^[!-/:-@[-`{-~]*$",
  expected:
    "at most 32 different printable ASCII characters that are no letter, digit or space",
  valid: ["", PUNCTUATION, ...PUNCTUATION, [...PUNCTUATION].reverse().join("")],
  invalid: [..."aZ09 \t\n\u007fåé€😀", "!!", "!#!", "-_-", "!a", "! #", "!\n"]
    .concat("\n!", "\ud800", "\u0000", `${PUNCTUATION}!`, "!".repeat(33)),
  default: "",
};
const PASSWORD_RULES: TextRow = {
  type: "text",
  maxLength: 1000,
  expected: "a string of at most 1000 characters",
  valid: ["", " \n", "minlength: 8", "required: upper; allowed: lower, [-_]"]
    // Characters are code points.
    .concat(" ".repeat(1000), `allowed: lower, [${"😀".repeat(982)}]`),
  invalid: [" ".repeat(1001), `allowed: lower, [${"😀".repeat(983)}]`],
  default: "",
};

/** The fields that later versions added, by version and endpoint. */
export const LATER: Readonly<Record<string, Partial<Record<Kind, Table>>>> = {
  "1.1.0": {
    characters: {
      excludeAmbiguous: boolean(false),
      minimumEntropy: MINIMUM_ENTROPY,
    },
    words: { separator: SEPARATOR, minimumEntropy: MINIMUM_ENTROPY },
    sentence: { separator: SEPARATOR, minimumEntropy: MINIMUM_ENTROPY },
  },
  "1.2.0": {
    characters: {
      specialCharacterSet: SPECIAL_CHARACTER_SET,
      passwordRules: PASSWORD_RULES,
      count: COUNT,
    },
    words: { maximumLength: MAXIMUM_LENGTH, count: COUNT },
    sentence: { maximumLength: MAXIMUM_LENGTH, count: COUNT },
  },
};

/**
 * The fields of an endpoint in the current version.
 *
 * @param kind the endpoint
 * @returns the rows by name, with the version that added a later field
 */
export function currentTable(
  kind: Kind,
): Record<string, Row & { since?: string }> {
  const table: Record<string, Row & { since?: string }> = { ...V1[kind] };
  for (const [since, tables] of Object.entries(LATER)) {
    for (const [name, row] of Object.entries(tables[kind] ?? {})) {
      // A field of the first version can get more values.
      table[name] = name in V1[kind] ? row : { ...row, since };
    }
  }
  return table;
}
