/**
 * The command line: passwords without a server.
 *
 * @module
 */
import { fstatSync, readSync } from "node:fs";
import { parseArgs } from "node:util";
import { flagOf } from "./config.ts";
import type { Field } from "./routes/api/fields.ts";
import { API } from "./routes/api/mod.ts";
import { draw, formatBits, textOf } from "./routes/api/endpoint.ts";

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

/**
 * A pipe takes a write of so many bytes as a whole, or not at all (POSIX, write,
 * PIPE_BUF).
 */
const PIPE_BYTES = 512;

/** The pause before the next attempt to write to a full pipe. */
const RETRY_MS = 10;

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
 * Makes what the command writes to standard output and to standard error.
 *
 * @param args the command line after "generate"
 * @returns both texts, and the exit status: 0, or 2 for flags that are not
 *   allowed
 */
export function generate(
  args: readonly string[],
): { stdout: string; stderr: string; status: number } {
  const refuse = (reason: string) => ({
    stdout: "",
    // The reason can repeat a flag, which must not break the line, or hide or
    // reorder its text.
    stderr: `${reason.replace(/[\p{C}\p{Zl}\p{Zp}\p{DI}]+/gu, " ")}\n`,
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
  let values, tokens;
  try {
    ({ values, tokens } = parseArgs({
      args: flags,
      allowNegative: true,
      tokens: true,
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
    // The second sentence about an unknown flag explains arguments without a flag.
    const reason = code === "ERR_PARSE_ARGS_UNKNOWN_OPTION"
      ? message.split(". ", 1)[0]!
      : message;
    return refuse(`generate: ${reason}`);
  }
  const given = tokens.flatMap((token) =>
    token.kind === "option" ? [token.name.replace(/^no-/, "")] : []
  );
  const repeated = new Set(
    given.filter((flag, index) => given.indexOf(flag) < index),
  );
  if (repeated.size > 0) {
    return refuse(
      [...repeated].map((flag) => `--${flag}: Given more than once.`).join(" "),
    );
  }
  if (values["help"]) return { stdout: helpOf(type), stderr: "", status: 0 };
  const body = Object.fromEntries(
    [...fields].filter(([flag]) => flag in values)
      .map(([flag, [name]]) => [name, values[flag]]),
  );
  const requested = endpoint.passwords(body);
  if (requested.errors) {
    return refuse(
      Object.entries(requested.errors).map(([name, messages]) =>
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

/**
 * Writes to standard output (1) or standard error (2); throws if it cannot write
 * all.
 */
async function write(fd: 1 | 2, text: string): Promise<void> {
  if (text === "") return;
  const stream = fd === 1 ? Deno.stdout : Deno.stderr;
  // Windows cannot tell what a console is, and a write there never blocks.
  const stat = Deno.build.os === "windows" ? undefined : fstatSync(fd);
  if (stat?.isCharacterDevice() && !stream.isTerminal() && isAtEnd(fd)) {
    throw new Error("it is closed, or the null device");
  }
  const isPipe = stat?.isFIFO() ?? false;
  let bytes = new TextEncoder().encode(text);
  while (bytes.length > 0) {
    try {
      const piece = isPipe ? bytes.subarray(0, PIPE_BYTES) : bytes;
      bytes = bytes.subarray(stream.writeSync(piece));
    } catch (error) {
      // Deno does not tell how much was written; only a pipe has taken nothing.
      if (!isPipe || !(error instanceof Deno.errors.WouldBlock)) throw error;
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }
}

/**
 * Whether a device can be read and has nothing to read. The runtime opens the
 * null device for reading and writing in place of a stream that was closed at the
 * start (Rust, std/src/sys/pal/unix/mod.rs); `> /dev/null` of a shell opens it
 * for writing only.
 */
function isAtEnd(fd: number): boolean {
  try {
    return readSync(fd, new Uint8Array(1), 0, 1, 0) === 0;
  } catch {
    return false;
  }
}

/**
 * Runs the command, and writes its output.
 *
 * @param args the command line after "generate"
 * @returns the exit status: 0, 1 if not all of the output can be written, or 2
 *   for flags that are not allowed
 */
export async function run(args: readonly string[]): Promise<number> {
  let { stdout, stderr, status } = generate(args);
  try {
    await write(1, stdout);
  } catch (error) {
    const { message } = error as Error;
    stderr = `generate: Cannot write the passwords: ${message}\n`;
    status = 1;
  }
  try {
    await write(2, stderr);
  } catch {
    // Nobody reads the error, but --entropy is part of the result.
    status ||= 1;
  }
  return status;
}

if (import.meta.main) Deno.exit(await run(Deno.args));
