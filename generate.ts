/**
 * The command line: passwords without a server.
 *
 * @module
 */
import { fstatSync, readSync } from "node:fs";
import { ConfigError, flagOf, readFlags } from "./flags.ts";
import type { Field, Fields } from "./routes/api/fields.ts";
import { API } from "./routes/api/mod.ts";
import { draw, formatBits, textOf } from "./routes/api/endpoint.ts";

const ENDPOINTS = Object.values(API);
const TYPES = ENDPOINTS.map(({ type }) => type);

const USAGE = `Usage: pwgen-api generate ${TYPES.join("|")} [FLAGS]

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

/** The status of a program that SIGPIPE (13) ends, in a shell. */
const READER_GONE = 128 + 13;

/** The pause before the next attempt to write to a full pipe. */
const RETRY_MS = 10;

function helpOf(type: string, fields: Fields): string {
  const inputs = Object.entries(fields).map(([name, field]) =>
    `  --${flagOf(name)}${valueOf(field)}
      ${field.description}. Default: ${JSON.stringify(field.default)}`
  );
  const outputs = Object.entries(OUTPUT).map(([name, text]) =>
    `  --${name}\n      ${text}`
  );
  return `Usage: pwgen-api generate ${type} [FLAGS]

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
 * @returns the exit status: 0, 1 if not all of the output can be written, 2 for
 *   flags that are not allowed, or 141 if the reader of standard output is gone
 */
export async function run(args: readonly string[]): Promise<number> {
  let { stdout, stderr, status } = generate(args);
  try {
    await write(1, stdout);
  } catch (error) {
    const isReaderGone = error instanceof Deno.errors.BrokenPipe;
    const { message } = error as Error;
    stderr = isReaderGone
      ? ""
      : `generate: Cannot write the passwords: ${message}\n`;
    status = isReaderGone ? READER_GONE : 1;
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
