/**
 * The check of the options that a program passes to the library.
 *
 * @module
 */

/** An option that is true or false. */
interface BooleanOption {
  readonly default: boolean;
}

/** An option that is an integer. */
interface IntegerOption {
  readonly default: number;
  readonly range: readonly [min: number, max: number];
}

/** An option that is one of several strings. */
interface ChoiceOption {
  readonly default: string;
  readonly values: readonly string[];
}

/** An option that is a string. */
export interface TextOption {
  /** The string of a call that leaves out the option. */
  readonly default: string;
  /** The most characters, in code points. */
  readonly maxLength: number;
  /** The allowed strings, as a phrase after "must be ". */
  readonly expected: string;
  /** What matches the allowed strings. */
  readonly pattern?: RegExp;
  /** Tells which of these strings are allowed; the default is all. */
  readonly isAllowed?: (value: string) => boolean;
}

type Option = BooleanOption | IntegerOption | ChoiceOption | TextOption;

/** The default of each option, and what it can be. */
export type OptionTable<Options> = {
  readonly [Name in keyof Options]:
    & { readonly default: Options[Name] }
    & (Options[Name] extends boolean ? BooleanOption
      : Options[Name] extends number ? IntegerOption
      : ChoiceOption | TextOption);
};

const defaultsOfTables = /* @__PURE__ */ new WeakMap<object, object>();

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

/** Tells whether a string is within limits. */
export function isText(
  value: string,
  { maxLength, pattern, isAllowed }: TextOption,
): boolean {
  return [...value].length <= maxLength && (pattern?.test(value) ?? true) &&
    (isAllowed?.(value) ?? true);
}

/** Says what an option must be. */
function expectedOf(option: Option): string {
  if ("range" in option) {
    return `an integer from ${option.range[0]} to ${option.range[1]}`;
  }
  if ("values" in option) {
    return `one of ${option.values.map((value) => `"${value}"`).join(", ")}`;
  }
  return "expected" in option ? option.expected : "true or false";
}

/** Tells whether an option can be a value, which has the type of its default. */
function isWithin(value: unknown, option: Option): boolean {
  if ("range" in option) {
    const [min, max] = option.range;
    const number = value as number;
    return Number.isInteger(number) && number >= min && number <= max;
  }
  const text = value as string;
  if ("values" in option) return option.values.includes(text);
  return !("expected" in option) || isText(text, option);
}

/** Shows a value in an error; a string that is there by mistake can be long. */
function shown(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value.slice(0, 64));
  return Object(value) === value ? typeof value : String(value);
}

function fail(
  Failure: ErrorConstructor,
  reason: string,
  value: unknown,
): never {
  throw new Failure(`Cannot make a password: ${reason}, got ${shown(value)}`);
}

/** Checks that a value has the type of the default of an option, and is allowed. */
export function checkOption(
  name: string,
  value: unknown,
  option: Option,
): void {
  const isType = typeof value === typeof option.default;
  if (isType && isWithin(value, option)) return;
  const Failure = isType ? RangeError : TypeError;
  fail(Failure, `${name} must be ${expectedOf(option)}`, value);
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
    fail(TypeError, "the options must be an object", options);
  }
  const complete = { ...defaultsOf(table) };
  for (const [name, value] of Object.entries(options)) {
    if (!Object.hasOwn(table, name)) {
      const names = Object.keys(table).join(", ");
      fail(TypeError, `the options are ${names}`, name);
    }
    if (value === undefined) continue;
    const key = name as keyof Options;
    checkOption(name, value, table[key]);
    complete[key] = value as Options[typeof key];
  }
  return complete;
}
