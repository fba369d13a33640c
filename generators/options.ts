/**
 * The check of the options that a program passes to the library.
 *
 * @module
 */

/** What every option says besides its values. */
export interface Effect {
  /** Whether the rules of a site replace it. */
  readonly isReplacedByRules?: true;
  /** It has no effect if each of these other options has this value, or one of these. */
  readonly ignoredIf?: Readonly<Record<string, unknown>>;
}

/** An option that is true or false. */
export interface BooleanOption extends Effect {
  /** The value of a call that leaves out the option. */
  readonly default: boolean;
}

/** An option that is an integer. */
export interface IntegerOption extends Effect {
  /** The value of a call that leaves out the option. */
  readonly default: number;
  /** The least and the greatest integer. */
  readonly range: readonly [min: number, max: number];
}

/** An option that is one of several strings. */
export interface ChoiceOption extends Effect {
  /** The value of a call that leaves out the option. */
  readonly default: string;
  /** The allowed strings. */
  readonly values: readonly string[];
}

/** An option that is a string. */
export interface TextOption extends Effect {
  /** The string of a call that leaves out the option. */
  readonly default: string;
  /** The most characters, in code points. */
  readonly maxLength: number;
  /** The allowed strings, as a phrase after "Must be ". */
  readonly expected: string;
  /** What matches the allowed strings. */
  readonly pattern?: RegExp;
  /** Tells which of these strings are allowed; the default is all. */
  readonly isAllowed?: (value: string) => boolean;
  /** Whether it is read in NFC. To convert 128 marks takes 50 us, so this is done once. */
  readonly isNormalized?: true;
}

/** An option: its default, and what else it can be. */
export type OptionRow =
  | BooleanOption
  | IntegerOption
  | ChoiceOption
  | TextOption;

/** The options of a generator by name. */
export type OptionTable<Options> = {
  readonly [Name in keyof Options]:
    & { readonly default: Options[Name] }
    & (Options[Name] extends boolean ? BooleanOption
      : Options[Name] extends number ? IntegerOption
      : ChoiceOption | TextOption);
};

const defaultsOfTables = new WeakMap<object, object>();

/** The options that have their defaults, frozen: other code cannot weaken passwords. */
export function defaultsOf<Options extends object>(
  table: OptionTable<Options>,
): Options {
  let defaults = defaultsOfTables.get(table) as Options | undefined;
  if (defaults === undefined) {
    defaults = {} as Options;
    for (const name in table) defaults[name] = table[name].default;
    defaultsOfTables.set(table, Object.freeze(defaults));
  }
  return defaults;
}

/**
 * Adds options to others. Bundlers leave out the call of a function that is marked as
 * pure, but not a spread, for which a getter could run.
 */
export function extended<const Some, const More>(
  some: Some,
  more: More,
): Some & More {
  return { ...some, ...more };
}

/** The type of the value of an option. */
export function typeOf(option: OptionRow): "integer" | "boolean" | "string" {
  if ("range" in option) return "integer";
  return typeof option.default === "boolean" ? "boolean" : "string";
}

/** Says what an option must be. */
export function expectedOf(option: OptionRow): string {
  if ("range" in option) {
    return `an integer from ${option.range[0]} to ${option.range[1]}`;
  }
  if ("values" in option) {
    return `one of ${option.values.map((value) => `"${value}"`).join(", ")}`;
  }
  return "expected" in option ? option.expected : "true or false";
}

/** Tells whether an option can be a value. */
export function isAllowed(value: unknown, option: OptionRow): boolean {
  if (typeof value !== typeof option.default) return false;
  if ("range" in option) {
    const [min, max] = option.range;
    const number = value as number;
    return Number.isInteger(number) && number >= min && number <= max;
  }
  const text = value as string;
  if ("values" in option) return option.values.includes(text);
  if (!("expected" in option)) return true;
  const { maxLength, pattern, isAllowed = () => true } = option;
  return [...text].length <= maxLength && (pattern?.test(text) ?? true) &&
    isAllowed(text);
}

/** The value of an option as the program takes it: 0 for -0, and NFC if the row says so. */
export function readValue(value: unknown, option: OptionRow): unknown {
  if ("range" in option) return value as number + 0;
  const isNormalized = "isNormalized" in option && option.isNormalized;
  return isNormalized ? (value as string).normalize("NFC") : value;
}

/** Describes a value that is not allowed, without repeating it. */
export function kindOf(value: unknown, option: OptionRow): string {
  const type = typeOf(option);
  if (value === null) return "null";
  switch (typeof value) {
    case "boolean":
      return "a boolean";
    case "string":
      if (type === "integer") return "a string that is not such an integer";
      if (type === "boolean" && /^(true|false)$/i.test(value)) {
        return "a string: write true or false without quotes";
      }
      return type === "string" ? "another string" : "a string";
    case "number":
      if (type !== "integer") return "a number";
      return Number.isInteger(value)
        ? "an integer out of range"
        : "a number that is not an integer";
    case "object":
      return Array.isArray(value) ? "an array" : "an object";
    default:
      return `a ${typeof value}`;
  }
}

function fail(
  Failure: ErrorConstructor,
  names: string,
  message: string,
): never {
  throw new Failure(`Cannot make a password: ${names}: ${message}`);
}

/** Checks that a value has the type of the default of an option, and is allowed. */
export function checkOption(
  name: string,
  value: unknown,
  option: OptionRow,
): void {
  if (isAllowed(value, option)) return;
  const isType = typeof value === typeof option.default;
  fail(
    isType ? RangeError : TypeError,
    name,
    `Must be ${expectedOf(option)}; got ${kindOf(value, option)}.`,
  );
}

/**
 * Adds the defaults to options. An option that is undefined has its default, like an
 * argument of a function. Without this check a misspelled option, or a string instead
 * of a number, would give a weaker password than the program asks for.
 */
export function completeOptions<Options extends object>(
  options: Partial<Options>,
  table: OptionTable<Options>,
): Options {
  if (typeof options !== "object" || options === null) {
    fail(TypeError, "options", "Must be an object.");
  }
  const complete = { ...defaultsOf(table) };
  for (const [name, value] of Object.entries(options)) {
    if (!Object.hasOwn(table, name)) {
      const names = Object.keys(table).join(", ");
      fail(
        TypeError,
        name.slice(0, 64),
        `Unknown option; the options are ${names}.`,
      );
    }
    if (value === undefined) continue;
    const key = name as keyof Options;
    checkOption(name, value, table[key]);
    complete[key] = readValue(value, table[key]) as Options[typeof key];
  }
  return complete;
}
