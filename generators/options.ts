/**
 * The check of the options that a program passes to the library.
 *
 * @module
 */

/** Which integers an option can be. */
export interface Range {
  readonly range: readonly [min: number, max: number];
}

/** Which strings an option can be, if they are listed. */
export interface Choice {
  readonly values: readonly string[];
}

/** Which strings an option can be. */
export interface TextLimits {
  /** The most characters, in code points. */
  readonly maxLength: number;
  /** The allowed strings, as a phrase after "must be ". */
  readonly expected: string;
  /** What matches the allowed strings. */
  readonly pattern?: RegExp;
  /** Tells which of these strings are allowed; the default is all. */
  readonly isAllowed?: (value: string) => boolean;
}

type Limit = Range | Choice | TextLimits;

/** What the options that are no booleans can be. */
export type Limits<Options> = {
  readonly [
    Name in keyof Options as Options[Name] extends boolean ? never : Name
  ]: Options[Name] extends number ? Range : Choice | TextLimits;
};

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
  { maxLength, pattern, isAllowed }: TextLimits,
): boolean {
  return [...value].length <= maxLength && (pattern?.test(value) ?? true) &&
    (isAllowed?.(value) ?? true);
}

/** Says what an option must be. */
function expectedOf(limit: Limit | undefined): string {
  if (limit === undefined) return "true or false";
  if ("range" in limit) {
    return `an integer from ${limit.range[0]} to ${limit.range[1]}`;
  }
  if ("values" in limit) {
    return `one of ${limit.values.map((value) => `"${value}"`).join(", ")}`;
  }
  return limit.expected;
}

/** Tells whether a value, which has the type of the option, is within limits. */
function isWithin(value: unknown, limit: Limit | undefined): boolean {
  if (limit === undefined) return true;
  if ("range" in limit) {
    const [min, max] = limit.range;
    const number = value as number;
    return Number.isInteger(number) && number >= min && number <= max;
  }
  const text = value as string;
  return "values" in limit ? limit.values.includes(text) : isText(text, limit);
}

/** Shows a value in an error; a string that is there by mistake can be long. */
function shown(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value.slice(0, 64));
  const isShort = value === null || /^(number|boolean)$/.test(typeof value);
  return isShort ? `${value}` : typeof value;
}

function fail(
  Failure: ErrorConstructor,
  reason: string,
  value: unknown,
): never {
  throw new Failure(`Cannot make a password: ${reason}, got ${shown(value)}`);
}

/** Checks that an option has the type of its default, and is within limits. */
export function checkOption(
  name: string,
  value: unknown,
  byDefault: unknown,
  limit: Limit | undefined,
): void {
  const isType = typeof value === typeof byDefault;
  if (isType && isWithin(value, limit)) return;
  const Failure = isType ? RangeError : TypeError;
  fail(Failure, `${name} must be ${expectedOf(limit)}`, value);
}

/**
 * Adds the defaults to options. An option that is undefined has its default, like an
 * argument of a function. Without this check a misspelled option, or a string instead
 * of a number, would give a weaker password than the program asks for.
 */
export function completeOptions<Options extends object>(
  options: Partial<Options>,
  defaults: Options,
  limits: Limits<Options>,
): Options {
  if (typeof options !== "object" || options === null) {
    fail(TypeError, "the options must be an object", options);
  }
  const complete: Options = { ...defaults };
  for (const [name, value] of Object.entries(options)) {
    if (!Object.hasOwn(defaults, name)) {
      const names = Object.keys(defaults).join(", ");
      fail(TypeError, `the options are ${names}`, name);
    }
    if (value === undefined) continue;
    const key = name as keyof Options;
    const limit = (limits as Record<string, Limit>)[name];
    checkOption(name, value, defaults[key], limit);
    complete[key] = value as Options[typeof key];
  }
  return complete;
}
