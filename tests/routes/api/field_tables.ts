/**
 * The fields of the API, written by hand from the specification and its
 * decisions. Nothing here is read from the program.
 *
 * @module
 */

/** A field. */
export type Row =
  | { type: "integer"; range: readonly [number, number]; default: number }
  | { type: "boolean"; default: boolean }
  | { type: "string"; values: readonly string[]; default: string };

/** The fields of an endpoint by name. */
export type Table = Readonly<Record<string, Row>>;

/** The endpoints. */
export type Kind = "characters" | "words" | "sentence";

const integer = (low: number, high: number, value: number): Row => ({
  type: "integer",
  range: [low, high],
  default: value,
});
const boolean = (value: boolean): Row => ({ type: "boolean", default: value });
const oneOf = (values: readonly string[], value: string): Row => ({
  type: "string",
  values,
  default: value,
});

const PASSPHRASE: Table = {
  language: oneOf(["sv", "en"], "sv"),
  casing: oneOf(["lower", "upper", "first", "title"], "title"),
  numberPosition: oneOf(["before", "after", "between", "all"], "before"),
  numberLength: integer(0, 12, 2),
  replaceSwedishCharacters: boolean(false),
  replaceWithSpecialCharacters: boolean(false),
};

/** Version 1.0.0, frozen: it never changes. */
export const V1: Readonly<Record<Kind, Table>> = {
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
