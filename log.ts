/**
 * The log: lines on standard output and standard error.
 *
 * @module
 */

/**
 * Writes a line: `info` and `access` to standard output, `warning` and `error` to
 * standard error. It never throws, and blocks only on Deno Deploy.
 *
 * The message of `access` is JSON already. `requestId` is the id of the request
 * that the line is about.
 */
export type Log = (
  level: "info" | "warning" | "error" | "access",
  message: string,
  requestId?: string,
) => void;

/** A stream of bytes, such as `Deno.stdout`. */
export type Writer = Pick<typeof Deno.stdout, "write">;

/** The format of all lines; see {@linkcode createLog}. */
export type LogFormat = "text" | "json" | "journal";

/** The log of a process, and what the process needs to end. */
export interface ProcessLog {
  /** Writes a line. */
  readonly log: Log;
  /** Waits until all lines are written or lost. A stream can stall forever. */
  readonly flush: () => Promise<unknown>;
  /** Counts the lost lines. */
  readonly lostLines: () => number;
}

/** How systemd reads the level of a line (sd-daemon(3)). */
const PRIORITIES = { info: "", warning: "<4>", error: "<3>" } as const;

function lineOf(
  format: LogFormat,
  ...[level, message, requestId]: Parameters<Log>
): string {
  if (level === "access") return message;
  if (format !== "json") {
    const priority = format === "journal" ? PRIORITIES[level] : "";
    const id = requestId === undefined ? "" : ` (request ${requestId})`;
    return priority + message + id;
  }
  const time = new Date().toISOString();
  // JSON.stringify() leaves out undefined.
  return JSON.stringify({ time, level, message, requestId });
}

/** The maximum number of characters that wait for a stream. */
const MAX_QUEUED_CHARACTERS = 1 << 20;

const LINE_FEED = 10;
const encoder = new TextEncoder();

/** The lines that wait for a stream. Nothing else writes to the stream. */
class LineQueue {
  /** How many lines did not fit, or could not be written. */
  lost = 0;
  #text = "";
  #writing: Promise<void> | undefined;

  constructor(private readonly stream: Writer) {}

  push(line: string): void {
    if (this.#text.length + line.length < MAX_QUEUED_CHARACTERS) {
      this.#text += `${line}\n`;
      this.#writing ??= this.#write();
    } else this.lost++;
  }

  async flush(): Promise<void> {
    await this.#writing;
  }

  async #write(): Promise<void> {
    while (this.#text !== "") {
      let bytes = encoder.encode(this.#text);
      this.#text = "";
      try {
        while (bytes.length > 0) {
          bytes = bytes.subarray(await this.stream.write(bytes));
        }
      } catch {
        // The disk is full, or the reader of the pipe has ended.
        this.lost += bytes.filter((byte) => byte === LINE_FEED).length;
      }
    }
    this.#writing = undefined;
  }
}

/**
 * Makes the log of a process. Each stream has a queue and one asynchronous writer,
 * so a stream that is full or stalled delays nothing. (`console.log` would throw on
 * a full disk, and would block the event loop while a pipe is full.)
 *
 * @param stdout the stream for `info` and `access`
 * @param stderr the stream for `warning` and `error`
 * @param format "json" makes every line an object with the time (RFC 3339, UTC),
 *   the level, the message and, if there is one, the request id; "journal" is the
 *   default, "text", with priorities for systemd
 * @returns the log
 */
export function createLog(
  stdout: Writer,
  stderr: Writer,
  format: LogFormat = "text",
): ProcessLog {
  const [output, errors] = [new LineQueue(stdout), new LineQueue(stderr)];
  return {
    log: (...entry) => {
      const isInfo = entry[0] === "info" || entry[0] === "access";
      (isInfo ? output : errors).push(lineOf(format, ...entry));
    },
    flush: () => Promise.all([output.flush(), errors.flush()]),
    lostLines: () => output.lost + errors.lost,
  };
}

const CONSOLE_METHODS = {
  info: "info",
  access: "log",
  warning: "warn",
  error: "error",
} as const;

/**
 * Makes the log of a process on Deno Deploy, which captures only what goes through
 * `console` (deploy/reference/observability of its documentation). The runtime
 * exports each call as one record. There are no metrics that could count lines.
 *
 * @param format as for {@linkcode createLog}
 * @returns the log
 */
export function consoleLog(format: LogFormat): ProcessLog {
  return {
    log: (...entry) => {
      try {
        // deno-lint-ignore no-console
        console[CONSOLE_METHODS[entry[0]]](lineOf(format, ...entry));
      } catch {
        // The output is closed or full.
      }
    },
    flush: () => Promise.resolve(),
    lostLines: () => 0,
  };
}
