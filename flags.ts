/**
 * The flags of the service and of `generate`, and errors for people. (The errors of
 * `parseArgs()` of `node:util` repeat arguments, and to load it would make a start 11 %
 * longer.)
 *
 * @module
 */

/** Characters that control a terminal or the direction of its text, or are invisible. */
const CONTROLS = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/**
 * A flag or a setting that cannot be used. The message is one line: the setting,
 * the error and the allowed values.
 */
export class ConfigError extends Error {
  /** @ignore */
  override name = "ConfigError";

  /** Makes an error; each control character in the message becomes `\u{HEX}`. */
  constructor(message: string) {
    const escape = (character: string) =>
      `\\u{${character.codePointAt(0)!.toString(16)}}`;
    super(message.replace(CONTROLS, escape));
  }
}

/** Describes in one line why the runtime refuses something. */
export function reasonOf(error: unknown): string {
  if (error instanceof Deno.errors.AddrInUse) return "address already in use";
  if (error instanceof Deno.errors.NotFound) return "no such file";
  if (error instanceof Deno.errors.NotCapable) return "no permission from Deno";
  const text = error instanceof Error ? error.message : String(error);
  return text.split("\n", 1)[0]!;
}

/** A setting or a field, as far as its flag needs it. */
export interface FlagOption {
  /** The allowed values, for errors. */
  readonly expected: string;
  /** A "boolean" takes no value: `--numbers` is true, `--no-numbers` is false. */
  readonly type?: string;
}

/**
 * Returns the flag of a setting or of a field.
 *
 * @param name the name, such as `wordCount`
 * @returns the flag without hyphens before it, such as `word-count`
 */
export function flagOf(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** The flags of one letter. */
const SHORT: Readonly<Record<string, string>> = {
  "-h": "--help",
  "-n": "--count",
};

/**
 * Reads flags: `--flag`, `--flag value` or `--flag=value`, and those of one letter.
 * Only the form with = takes a value that begins with two hyphens.
 *
 * @param args the arguments
 * @param options the settings or fields by name
 * @param switches other flags, which take no value
 * @returns the value of each flag that is given, by its name; a switch is true
 * @throws {ConfigError} if a flag is unknown, has no value or is given more than
 *   once, or if an argument is not a flag
 */
export function readFlags(
  args: readonly string[],
  options: Readonly<Record<string, FlagOption>>,
  switches: readonly string[],
): Map<string, string | boolean> {
  const names = [...Object.keys(options), ...switches];
  const given: ReturnType<typeof readFlags> = new Map();
  for (let at = 0; at < args.length; at++) {
    if (args[at] === "--") continue; // it ends the flags
    const [, flagText, text] = args[at - 1] === "--"
      ? []
      : /^(--?[a-z-]+)(?:=(.*))?$/is.exec(args[at]!) ?? [];
    if (flagText === undefined) {
      // Errors do not repeat an argument: it may be a URL with a password, or
      // have control characters.
      throw new ConfigError(
        `argument ${at + 1}: not a flag; --help lists what is allowed`,
      );
    }
    const flag = SHORT[flagText] ?? flagText;
    const isTrue = (name: string) => flag === `--${flagOf(name)}`;
    const isFalse = (name: string) =>
      flag === `--no-${flagOf(name)}` && options[name]?.type === "boolean";
    const name = names.find((name) => isTrue(name) || isFalse(name));
    if (name === undefined) {
      throw new ConfigError(
        `${flagText}: unknown flag; --help lists what is allowed`,
      );
    }
    if (given.has(name)) {
      throw new ConfigError(
        `--${flagOf(name)}: given more than once; give it once`,
      );
    }
    const option = options[name];
    if (option && option.type !== "boolean") {
      const value = text ?? args[++at];
      const isFlag = text === undefined && value?.startsWith("--");
      if (value === undefined || isFlag) {
        throw new ConfigError(
          `${flagText}: needs a value; use ${option.expected}`,
        );
      }
      given.set(name, value);
    } else if (text === undefined) given.set(name, isTrue(name));
    else throw new ConfigError(`${flagText}: takes no value; leave it out`);
  }
  return given;
}
