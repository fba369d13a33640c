/**
 * The command line: passwords without a server.
 *
 * @module
 */
import { ConfigError, flagOf, readFlags } from "../flags.ts";
import metadata from "../deno.json" with { type: "json" };
import type { Field, FieldErrors, Fields } from "../routes/api/fields.ts";
import { API } from "../routes/api/mod.ts";
import { formatBits } from "../generators/minimum_entropy.ts";
import { draw, textOf } from "../routes/api/endpoint.ts";

const ENDPOINTS = Object.values(API);
const TYPES = ENDPOINTS.map(({ type }) => type);

const COMMAND = Deno.build.standalone
  ? "pwgen-api generate"
  : "deno task generate";

const USAGE = `${COMMAND} words
${COMMAND} words --language en --separator - -n 5
${COMMAND} characters --length 32 --exclude-ambiguous

Prints passwords, one per line: ${COMMAND} ${TYPES.join("|")} [FLAGS]
"${COMMAND} words --help" lists the flags.${
  Deno.build.standalone ? "" : `
Installed as in docs/clients.md, "pwgen-api" stands for "${COMMAND}".`
}
`;

const VERSION = `${metadata.version}\n`;

/** The flags without a value that are not fields of the API. */
const OUTPUT = {
  json: "Print the JSON that the API returns",
  entropy: "Print the number of bits of each password to standard error",
  version: "Print the version of the program",
  help: "Print this text",
};

/** The exit status that a shell reports for a program that SIGPIPE (13) ends. */
const READER_GONE = 128 + 13;

/** What the API explains with its response, or with fields of other kinds. */
const OWN: Record<string, string> = {
  count: "Number of passwords, also as -n 5; 0 is one",
  minimumEntropy:
    "Minimum number of bits: the password gets longer if necessary",
};

/** What the API says about a field, in the words of the command line. */
function inFlags(text: string, fields: Fields): string {
  return text.replace(/^Must be (a string of )?/, "")
    .replace(/`(\w+)`|\b[a-z]+[A-Z]\w+/g, (word, quoted) => {
      const name = quoted ?? word;
      return name in fields ? `--${flagOf(name)}` : word;
    });
}

function helpOf(type: string, fields: Fields): string {
  const inputs = Object.entries(fields).map(([name, field]) =>
    `  --${flagOf(name)}${valueOf(field)}
      ${OWN[name] ?? inFlags(field.description, fields)}. Default: ${
      JSON.stringify(field.default)
    }`
  );
  const outputs = Object.entries(OUTPUT).map(([name, text]) =>
    `  --${name}\n      ${text}`
  );
  return `${COMMAND} ${type}
${COMMAND} ${type} -n 5 --minimum-entropy 80

${[...inputs, ...outputs].join("\n")}

A flag of a boolean is true; --no-FLAG is false.
`;
}

/** The values of a flag, as the text of --help shows them. */
function valueOf({ type, range, values }: Field<unknown>): string {
  if (type === "boolean") return "";
  const choices = values?.map((value) => `"${value}"`).join("|");
  return ` ${range?.join("-") ?? choices ?? "TEXT"}`;
}

/** What is wrong with the values: of a single one, what it can be. */
function explain(
  errors: FieldErrors,
  fields: Fields,
  values: ReturnType<typeof readFlags>,
): string {
  return Object.entries(errors).map(([name, [message]]) => {
    const field = fields[name];
    const value = values.get(name);
    if (!field || value === undefined || field.read(value) !== undefined) {
      const flag = field ? `--${flagOf(name)}` : "generate";
      return `${flag}: ${inFlags(message!, fields).replace(/\.$/, "")}`;
    }
    const choices = field.values?.map((each) => `"${each}"`).join(" or ");
    const expected = field.range?.join(" to ") ?? choices ??
      inFlags(`Must be ${field.expected}`, fields);
    // No other value is repeated: it may be a secret.
    const isNumber = field.range && /^-?\d{1,9}$/.test(String(value));
    const got = isNumber ? `; got ${value}` : "";
    return `--${flagOf(name)}: ${expected}${got}`;
  }).join(". ");
}

/**
 * Makes what the command writes to standard output and to standard error.
 *
 * @param args the command line after "generate"
 * @returns both texts, and the exit status: 0, or 2 for flags that are not allowed
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
  if (first === "--version") return result(VERSION);
  const endpoint = ENDPOINTS.find(({ type }) => type === first);
  if (endpoint === undefined) {
    return failure(
      `generate: the first argument must be one of ${TYPES.join(", ")}`,
    );
  }
  const { type, fields } = endpoint;
  try {
    const values = readFlags(rest, fields, Object.keys(OUTPUT));
    if (values.has("help")) return result(helpOf(type, fields));
    if (values.has("version")) return result(VERSION);
    // The endpoint ignores names that are not those of its fields.
    const requested = endpoint.passwords(Object.fromEntries(values));
    if (requested.errors) {
      return failure(explain(requested.errors, fields, values));
    }
    const entropy = values.has("entropy")
      ? `${formatBits(requested.bits)}\n`
      : "";
    const response = draw(type, requested);
    const text = values.has("json")
      ? JSON.stringify(response)
      : textOf(response);
    return result(text.replace(/\n?$/, "\n"), entropy);
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
