/**
 * The command line: passwords without a server.
 *
 * @module
 */
import { ConfigError, flagOf, readFlags } from "./flags.ts";
import type { Field, Fields } from "./routes/api/fields.ts";
import { API } from "./routes/api/mod.ts";
import { draw, formatBits, textOf } from "./routes/api/endpoint.ts";

const ENDPOINTS = Object.values(API);
const TYPES = ENDPOINTS.map(({ type }) => type);

const COMMAND = Deno.build.standalone
  ? "pwgen-api generate"
  : "deno task generate";

const USAGE = `${COMMAND} words
${COMMAND} words --language en --separator - --count 5
${COMMAND} characters --length 32 --exclude-ambiguous

Prints passwords, one per line: ${COMMAND} ${TYPES.join("|")} [FLAGS]
"${COMMAND} words --help" lists the flags.
`;

/** The flags that are no fields of the API. */
const OUTPUT = {
  json: "Print the JSON that the API returns",
  entropy: "Print the number of bits of each password to standard error",
  help: "Print this text",
};

/** The status of a program that SIGPIPE (13) ends, in a shell. */
const READER_GONE = 128 + 13;

function helpOf(type: string, fields: Fields): string {
  const inputs = Object.entries(fields).map(([name, field]) =>
    `  --${flagOf(name)}${valueOf(field)}
      ${field.description}. Default: ${JSON.stringify(field.default)}`
  );
  const outputs = Object.entries(OUTPUT).map(([name, text]) =>
    `  --${name}\n      ${text}`
  );
  return `${COMMAND} ${type}
${COMMAND} ${type} --count 5 --minimum-entropy 80

${[...inputs, ...outputs].join("\n")}

A flag of a boolean is true; --no-FLAG is false.
`;
}

/** What stands after a flag in the text of --help. */
function valueOf({ type, range, values }: Field<unknown>): string {
  if (type === "boolean") return "";
  const choices = values?.map((value) => `"${value}"`).join("|");
  return ` ${range?.join("-") ?? choices ?? "TEXT"}`;
}

/**
 * Makes what the command writes to standard output and to standard error.
 *
 * @param args the command line after "generate"
 * @returns both texts, and the exit status: 0, or 2 for flags that are not
 *   allowed
 */
export function generate(
  args: readonly string[],
): { stdout: string; stderr: string; status: number } {
  const print = (stdout: string, stderr = "", status = 0) => ({
    stdout,
    stderr,
    status,
  });
  const refuse = (reason: string) => print("", `${reason}\n`, 2);

  const [first = "--help", ...rest] = args;
  if (first === "--help" || first === "-h") return print(USAGE);
  const endpoint = ENDPOINTS.find(({ type }) => type === first);
  if (endpoint === undefined) {
    return refuse(
      `generate: the first argument must be one of ${TYPES.join(", ")}`,
    );
  }
  const { type, fields } = endpoint;
  let values: ReturnType<typeof readFlags>;
  try {
    values = readFlags(rest, fields, Object.keys(OUTPUT));
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return refuse(`generate ${type}: ${error.message}`);
  }
  if (values.has("help")) return print(helpOf(type, fields));

  // The endpoint ignores names that are not those of its fields.
  const requested = endpoint.passwords(Object.fromEntries(values));
  if (requested.errors) {
    const lines = Object.entries(requested.errors).map(([name, messages]) => {
      const flag = name === "$" ? "generate" : `--${flagOf(name)}`;
      return `${flag}: ${messages.join(" ")}`;
    });
    return refuse(lines.join(" "));
  }
  const response = draw(type, requested);
  return print(
    values.has("json")
      ? `${JSON.stringify(response)}\n`
      : textOf(response).replace(/\n?$/, "\n"),
    values.has("entropy") ? `${formatBits(requested.bits)}\n` : "",
  );
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
