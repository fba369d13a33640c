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

/**
 * The maximum number of characters that wait for a stream. Lines that do not fit
 * are dropped.
 */
export const MAX_QUEUED_CHARACTERS = 1 << 20;

const LINE_FEED = 10;
const encoder = new TextEncoder();

/**
 * The lines that wait for a stream. Nothing else writes to the stream.
 *
 * `onDrop` is called for the first line that is dropped since the last report,
 * and `onWorking` when the stream works again.
 */
class LineQueue {
  /** How many lines were dropped, and how many of these are not reported yet. */
  dropped = 0;
  #unreported = 0;
  #text = "";
  /** Whether the last line was written only in part. */
  #isPartial = false;
  #writing: Promise<void> | undefined;

  constructor(
    private readonly stream: Writer,
    private readonly onDrop: () => void,
    private readonly onWorking: (droppedLines: number) => void,
  ) {}

  push(line: string): void {
    if (this.#text.length + line.length > MAX_QUEUED_CHARACTERS) {
      return this.#drop(1);
    }
    this.#text += `${line}\n`;
    this.#writing ??= this.#write();
  }

  /** Settles when the queue is empty. */
  async idle(): Promise<void> {
    while (this.#writing !== undefined) await this.#writing;
  }

  #drop(lines: number): void {
    if (this.#unreported === 0) this.onDrop();
    this.#unreported += lines;
    this.dropped += lines;
  }

  async #write(): Promise<void> {
    while (this.#text !== "") {
      const bytes = encoder.encode(this.#text);
      this.#text = "";
      let at = 0;
      try {
        if (this.#isPartial) await this.stream.write(Uint8Array.of(LINE_FEED));
        this.#isPartial = false;
        while (at < bytes.length) {
          at += await this.stream.write(bytes.subarray(at));
        }
        if (this.#unreported > 0) this.onWorking(this.#unreported);
        this.#unreported = 0;
      } catch {
        // The disk is full, or the reader of the pipe has ended.
        if (at > 0) this.#isPartial = bytes[at - 1] !== LINE_FEED;
        const isLineFeed = (byte: number) => byte === LINE_FEED;
        this.#drop(bytes.subarray(at).filter(isLineFeed).length);
      }
    }
    this.#writing = undefined;
  }
}

/** The format of all lines; see {@linkcode createLog}. */
export type LogFormat = "text" | "json";

function lineOf(
  format: LogFormat,
  ...[level, message, requestId]: Parameters<Log>
): string {
  if (level === "access") return message;
  if (format === "text") {
    return message + (requestId === undefined ? "" : ` (request ${requestId})`);
  }
  const time = new Date().toISOString();
  // JSON.stringify() leaves out undefined.
  return JSON.stringify({ time, level, message, requestId });
}

/** The log of a process, and what its end needs. */
export interface ProcessLog {
  /** Writes a line. */
  readonly log: Log;
  /** Waits until all lines are written or dropped, at most so many milliseconds. */
  readonly flush: (limitMs: number) => Promise<void>;
  /** Counts the dropped lines. */
  readonly lostLines: () => number;
}

/**
 * Makes the log of a process on Deno Deploy, which captures only what goes through
 * `console` (deploy/reference/observability of its documentation). The runtime
 * exports each call as one record.
 *
 * @param format as for {@linkcode createLog}
 * @returns the log
 */
export function consoleLog(format: LogFormat): ProcessLog {
  let lost = 0;
  const methods = {
    info: "info",
    access: "log",
    warning: "warn",
    error: "error",
  } as const;
  return {
    log: (...entry) => {
      try {
        // deno-lint-ignore no-console
        console[methods[entry[0]]](lineOf(format, ...entry));
      } catch {
        lost++; // the output is closed or full
      }
    },
    flush: () => Promise.resolve(),
    lostLines: () => lost,
  };
}

/**
 * Makes the log of a process. Each stream has a queue and one asynchronous
 * writer. (`console.log` would throw on a full disk, and would block the event
 * loop while a pipe is full.)
 *
 * A line that cannot be written is dropped. The log reports on standard error
 * that lines for standard output are being dropped, and, when a stream works
 * again, how many were dropped.
 *
 * @param stdout the stream for `info` and `access`
 * @param stderr the stream for `warning` and `error`
 * @param format "json" makes every line an object with the time (RFC 3339, UTC),
 *   the level, the message and, if there is one, the request id; "text" is the
 *   default
 * @returns the log
 */
export function createLog(
  stdout: Writer,
  stderr: Writer,
  format: LogFormat = "text",
): ProcessLog {
  const report = (name: string) => (dropped: number) =>
    log("error", `Log: ${dropped} line(s) for standard ${name} were lost`);
  const output = new LineQueue(
    stdout,
    () => log("error", "Log: lines for standard output are being lost"),
    report("output"),
  );
  const errors = new LineQueue(stderr, () => {}, report("error"));
  const log: Log = (...entry) => {
    const isInfo = entry[0] === "info" || entry[0] === "access";
    (isInfo ? output : errors).push(lineOf(format, ...entry));
  };
  return {
    log,
    flush: async (limitMs) => {
      const { promise: limit, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, limitMs);
      // Standard error last, since it reports lines dropped by the other stream.
      const idle = output.idle().then(() => errors.idle());
      await Promise.race([idle, limit]);
      clearTimeout(timer);
    },
    lostLines: () => output.dropped + errors.dropped,
  };
}
