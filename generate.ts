/**
 * The command line: passwords without a server.
 *
 * @module
 */
import { parseArgs } from "node:util";
import type { Field } from "./routes/api/fields.ts";
import { API } from "./routes/api/mod.ts";
import { draw, formatBits, textOf } from "./routes/api/password.ts";
import { Problem } from "./routes/problem.ts";

/** The endpoints by name, such as "words". */
const ENDPOINTS = new Map(
  Object.values(API).map((endpoint) => [endpoint.type as string, endpoint]),
);

const USAGE = `Usage: pwgen-api generate ${
  [...ENDPOINTS.keys()].join("|")
} [FLAGS]

Prints passwords, one per line. "pwgen-api generate words --help" lists the flags.
`;

/** The flags that are no fields of the API. */
const OUTPUT = {
  json: "Print the JSON that the API returns",
  entropy: "Print the number of bits of each password to standard error",
  help: "Print this text",
};

/** The flag of a field: --word-count for wordCount. */
function flagOf(field: string): string {
  return field.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

function helpOf(type: string): string {
  const { fields } = ENDPOINTS.get(type)!;
  const lines = Object.entries(fields).map(([name, field]) =>
    `  --${flagOf(name)}${field.type === "boolean" ? "" : ` ${valueOf(field)}`}
      ${field.description}. ${defaultOf(field)}`
  );
  const output = Object.entries(OUTPUT).map(([name, text]) =>
    `  --${name}\n      ${text}`
  );
  return `Usage: pwgen-api generate ${type} [FLAGS]\n\n${
    [...lines, ...output].join("\n")
  }\n\nA flag of a boolean is true; --no-FLAG is false.\n`;
}

function valueOf({ range, values }: Field<unknown>): string {
  return range?.join("-") ??
    values?.map((value) => JSON.stringify(value)).join("|") ?? "TEXT";
}

function defaultOf(field: Field<unknown>): string {
  return field.default === undefined
    ? "Default: none"
    : `Default: ${JSON.stringify(field.default)}`;
}

/**
 * Runs the command.
 *
 * @param args the command line after "generate"
 * @returns what to write to standard output and to standard error, and the exit
 *   status: 2 for flags that are not allowed
 *
 * @example
 * ```ts
 * import { generate } from "./generate.ts";
 * import { assertEquals, assertMatch } from "@std/assert";
 *
 * const { stdout } = generate(["words", "--separator", "-", "--count", "2"]);
 * assertMatch(stdout, /^(\d\d(-\p{L}+){4}\n){2}$/u);
 * assertEquals(generate(["characters", "--length", "0"]).status, 2);
 * ```
 */
export function generate(
  args: readonly string[],
): { stdout: string; stderr: string; status: number } {
  const refuse = (reason: string) => ({
    stdout: "",
    // A flag with a line feed must not make two lines.
    stderr: `${reason.replace(/\p{Cc}+/gu, " ")}\n`,
    status: 2,
  });
  const [type = "--help", ...flags] = args;
  if (type === "--help" || type === "-h") {
    return { stdout: USAGE, stderr: "", status: 0 };
  }
  const endpoint = ENDPOINTS.get(type);
  if (endpoint === undefined) {
    return refuse(
      `generate: the first argument must be one of ${
        [...ENDPOINTS.keys()].join(", ")
      }`,
    );
  }
  const fields = new Map(
    Object.entries(endpoint.fields).map((entry) => [flagOf(entry[0]), entry]),
  );
  let values;
  try {
    ({ values } = parseArgs({
      args: flags,
      allowNegative: true,
      options: Object.fromEntries([
        ...[...fields].map(([flag, [, { type }]]) =>
          [flag, { type: type === "boolean" ? "boolean" : "string" }] as const
        ),
        ...Object.keys(OUTPUT).map((flag) =>
          [flag, { type: "boolean" }] as const
        ),
      ]),
    }));
  } catch (error) {
    const { code, message } = error as Error & { code: string };
    // For an unknown flag, the second sentence is about arguments without a flag.
    const reason = code === "ERR_PARSE_ARGS_UNKNOWN_OPTION"
      ? message.split(". ", 1)[0]!
      : message;
    return refuse(`generate: ${reason}`);
  }
  if (values["help"]) return { stdout: helpOf(type), stderr: "", status: 0 };
  const body = Object.fromEntries(
    [...fields].filter(([flag]) => flag in values)
      .map(([flag, [name]]) => [name, values[flag]]),
  );
  const requested = endpoint.passwords(body);
  if (requested instanceof Problem) {
    return refuse(
      Object.entries(requested.errors!).map(([name, messages]) =>
        `${name === "$" ? "generate" : `--${flagOf(name)}`}: ${
          messages.join(" ")
        }`
      ).join(" "),
    );
  }
  const response = draw(endpoint.type, requested);
  return {
    stdout: values["json"]
      ? `${JSON.stringify(response)}\n`
      : textOf(response).replace(/\n?$/, "\n"),
    stderr: values["entropy"] ? `${formatBits(requested.bits)}\n` : "",
    status: 0,
  };
}

function write(stream: typeof Deno.stdout, text: string): void {
  let bytes = new TextEncoder().encode(text);
  while (bytes.length > 0) bytes = bytes.subarray(stream.writeSync(bytes));
}

/**
 * Runs the command, and writes its output.
 *
 * @param args the command line after "generate"
 * @returns the exit status: 0, 1 if the output cannot be written, or 2 for flags
 *   that are not allowed
 */
export function run(args: readonly string[]): number {
  let { stdout, stderr, status } = generate(args);
  try {
    write(Deno.stdout, stdout);
  } catch (error) {
    // A reader that has closed the pipe needs no more passwords.
    if (!(error instanceof Deno.errors.BrokenPipe)) {
      stderr = `generate: Cannot write the passwords: ${
        (error as Error).message
      }\n`;
      status = 1;
    }
  }
  try {
    write(Deno.stderr, stderr);
  } catch {
    // Nobody reads the error.
  }
  return status;
}

if (import.meta.main) Deno.exit(run(Deno.args));
