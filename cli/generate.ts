/**
 * The command line: passwords without a server.
 *
 * @module
 */
import { ConfigError, flagOf, readFlags } from "../flags.ts";
import { readNames, toCsv } from "./names.ts";
import type { Field, Fields } from "../routes/api/fields.ts";
import { API } from "../routes/api/mod.ts";
import { draw, formatBits, textOf } from "../routes/api/endpoint.ts";

const ENDPOINTS = Object.values(API);
const TYPES = ENDPOINTS.map(({ type }) => type);

const COMMAND = Deno.build.standalone
  ? "pwgen-api generate"
  : "deno task generate";

const USAGE = `${COMMAND} words
${COMMAND} words --language en --separator - --count 5
${COMMAND} characters --length 32 --exclude-ambiguous
${COMMAND} words --names - <names.txt >passwords.csv

Prints passwords, one per line: ${COMMAND} ${TYPES.join("|")} [FLAGS]
"${COMMAND} words --help" lists the flags.
`;

/** The flags for lists of names, which have a value. */
const LIST = {
  names: {
    expected: "a text file with a name on each line, or - for standard input",
    values: "FILE|-",
    description:
      "Print CSV with number, name and password: a password for each line of a text file, or of standard input",
  },
  csv: {
    expected: "comma or semicolon",
    values: "comma|semicolon",
    description:
      "Separator of the CSV. Default: semicolon for Swedish words, otherwise comma",
  },
};

/** The flags without a value that are not fields of the API. */
const OUTPUT = {
  json: "Print the JSON that the API returns",
  entropy: "Print the number of bits of each password to standard error",
  help: "Print this text",
};

/** The exit status that a shell reports for a program that SIGPIPE (13) ends. */
const READER_GONE = 128 + 13;

function helpOf(type: string, fields: Fields): string {
  const inputs = Object.entries(fields).map(([name, field]) =>
    `  --${flagOf(name)}${valueOf(field)}
      ${field.description}. Default: ${JSON.stringify(field.default)}`
  );
  const lists = Object.entries(LIST).map(([name, { values, description }]) =>
    `  --${name} ${values}\n      ${description}`
  );
  const outputs = Object.entries(OUTPUT).map(([name, text]) =>
    `  --${name}\n      ${text}`
  );
  return `${COMMAND} ${type}
${COMMAND} ${type} --count 5 --minimum-entropy 80
${COMMAND} ${type} --names - <names.txt >passwords.csv

${[...inputs, ...lists, ...outputs].join("\n")}

A flag of a boolean is true; --no-FLAG is false.
`;
}

/** The values of a flag, as the text of --help shows them. */
function valueOf({ type, range, values }: Field<unknown>): string {
  if (type === "boolean") return "";
  const choices = values?.map((value) => `"${value}"`).join("|");
  return ` ${range?.join("-") ?? choices ?? "TEXT"}`;
}

/** A password that a spreadsheet mistakes for a formula, a number or a date. */
const CHANGES_IN_SPREADSHEET = /^[=+\-@]|^[\d.,-]+$/;

/**
 * Returns the separator of a list; undefined without --names.
 *
 * @throws {ConfigError} if a flag does not fit
 */
function separatorOf(
  values: ReturnType<typeof readFlags>,
  { language }: Fields,
): string | undefined {
  const isList = values.has("names");
  const wrong = (isList ? ["count", "json"] : ["csv"])
    .find((flag) => values.has(flag));
  if (wrong !== undefined) {
    const reason = isList ? "not with" : "only with";
    throw new ConfigError(
      `--${wrong}: ${reason} --names, which gives each name one password`,
    );
  }
  if (!isList) return undefined;
  const isSwedish = (values.get("language") ?? language?.default) === "sv";
  const csv = values.get("csv") ?? (isSwedish ? "semicolon" : "comma");
  if (csv === "comma") return ",";
  if (csv === "semicolon") return ";";
  throw new ConfigError(`--csv: not allowed; use ${LIST.csv.expected}`);
}

/**
 * Makes what the command writes to standard output and to standard error.
 *
 * @param args the command line after "generate"
 * @returns both texts, and the exit status: 0, or 2 for flags or names that are not
 *   allowed
 */
export function generate(
  args: readonly string[],
): { stdout: string; stderr: string; status: number } {
  const result = (stdout: string, stderr = "", status = 0) => ({
    stdout,
    stderr,
    status,
  });
  const failure = (reason: string) => result("", `${reason}\n`, 2);

  const [first = "--help", ...rest] = args;
  if (first === "--help" || first === "-h") return result(USAGE);
  const endpoint = ENDPOINTS.find(({ type }) => type === first);
  if (endpoint === undefined) {
    return failure(
      `generate: the first argument must be one of ${TYPES.join(", ")}`,
    );
  }
  const { type, fields } = endpoint;
  try {
    const options = { ...fields, ...LIST };
    const values = readFlags(rest, options, Object.keys(OUTPUT));
    if (values.has("help")) return result(helpOf(type, fields));
    const separator = separatorOf(values, fields);

    // The endpoint ignores names that are not those of its fields.
    const body = Object.fromEntries(values);
    let requested = endpoint.passwords(body);
    if (separator !== undefined && "beginWithLetter" in fields) {
      // A spreadsheet does not mistake such a password for a formula or a number.
      const safe = endpoint.passwords({ beginWithLetter: true, ...body });
      if (!safe.errors) requested = safe;
    }
    if (requested.errors) {
      const lines = Object.entries(requested.errors).map(([name, messages]) => {
        const flag = name === "$" ? "generate" : `--${flagOf(name)}`;
        return `${flag}: ${messages.join(" ")}`;
      });
      return failure(lines.join(" "));
    }
    const { bits, generate } = requested;
    const entropy = values.has("entropy") ? `${formatBits(bits)}\n` : "";
    if (separator === undefined) {
      const response = draw(type, requested);
      const text = values.has("json")
        ? JSON.stringify(response)
        : textOf(response);
      return result(text.replace(/\n?$/, "\n"), entropy);
    }
    const names = readNames(String(values.get("names")));
    const passwords = names.map(() => generate());
    const note = passwords.some((text) => CHANGES_IN_SPREADSHEET.test(text))
      ? `generate ${type}: a spreadsheet changes some of these passwords, since they look like numbers or formulas; import the column as text\n`
      : "";
    return result(toCsv(names, passwords, separator), entropy + note);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return failure(`generate ${type}: ${error.message}`);
  }
}

/** Writes a text; throws if it cannot write all. */
function write(stream: typeof Deno.stdout, text: string): void {
  let bytes = new TextEncoder().encode(text);
  while (bytes.length > 0) bytes = bytes.subarray(stream.writeSync(bytes));
}

/**
 * Runs the command, and writes its output.
 *
 * @param args the command line after "generate"
 * @returns the exit status: 0, 1 if not all of the output can be written, 2 for
 *   flags that are not allowed, or 141 if the reader of the output is gone
 */
export function run(args: readonly string[]): number {
  const { stdout, stderr, status } = generate(args);
  try {
    write(Deno.stdout, stdout);
    write(Deno.stderr, stderr);
    return status;
  } catch (error) {
    if (error instanceof Deno.errors.BrokenPipe) return READER_GONE;
    const { message } = error as Error;
    try {
      write(Deno.stderr, `generate: Cannot write the passwords: ${message}\n`);
    } catch {
      // Nobody reads the error.
    }
    return 1;
  }
}

if (import.meta.main) Deno.exit(run(Deno.args));
