/**
 * What the process writes: lines on standard output and standard error.
 *
 * @module
 */

/** Where a line goes: `info` to standard output, `error` to standard error. */
export type Level = "info" | "error";

/** Writes a line. It never throws and never waits. */
export type Log = (level: Level, message: string) => void;

/** A stream that takes bytes, such as `Deno.stdout`. */
export interface Writer {
  /**
   * Writes some of the bytes.
   *
   * @param bytes what to write
   * @returns how many were written
   */
  write(bytes: Uint8Array): Promise<number>;
}

/** The most characters that wait for a stream; further lines are lost. */
export const MAX_QUEUED_CHARACTERS = 1 << 20;

const LINE_FEED = 10;
const encoder = new TextEncoder();

/** The lines that wait for a stream, and the one writer of it. */
class LineQueue {
  readonly #stream: Writer;
  readonly #onLost: (lines: number) => void;
  #text = "";
  #lost = 0;
  /** Whether the last line was written in part. */
  #isTorn = false;
  #writing: Promise<void> | undefined;

  constructor(stream: Writer, onLost: (lines: number) => void) {
    this.#stream = stream;
    this.#onLost = onLost;
  }

  push(line: string): void {
    if (this.#text.length + line.length > MAX_QUEUED_CHARACTERS) this.#lost++;
    else this.#text += `${line}\n`;
    this.#writing ??= this.#write();
  }

  /** Settles when nothing waits. */
  async idle(): Promise<void> {
    while (this.#writing !== undefined) await this.#writing;
  }

  async #write(): Promise<void> {
    while (this.#text !== "") {
      const bytes = encoder.encode(this.#text);
      this.#text = "";
      const lost = await this.#writeAll(bytes);
      this.#lost += lost;
      if (lost === 0 && this.#lost > 0) {
        this.#onLost(this.#lost);
        this.#lost = 0;
      }
    }
    this.#writing = undefined;
  }

  /** Writes lines until it fails; how many were lost. */
  async #writeAll(bytes: Uint8Array): Promise<number> {
    let at = 0;
    try {
      if (this.#isTorn) await this.#stream.write(Uint8Array.of(LINE_FEED));
      this.#isTorn = false;
      while (at < bytes.length) {
        at += await this.#stream.write(bytes.subarray(at));
      }
      return 0;
    } catch {
      // The disk is full, or nobody reads the pipe any more.
      if (at > 0) this.#isTorn = bytes[at - 1] !== LINE_FEED;
      return countLines(bytes.subarray(at));
    }
  }
}

function countLines(bytes: Uint8Array): number {
  let count = 0;
  for (const byte of bytes) if (byte === LINE_FEED) count++;
  return count;
}

/**
 * Makes the log of a process: a queue for each stream, and one asynchronous
 * writer for each. `console.log` would throw on a full disk, and would stop the
 * event loop while nobody reads a pipe.
 *
 * Lines that cannot be written are lost. A line on standard error says how many
 * as soon as the stream takes lines again.
 *
 * @param stdout where `info` goes
 * @param stderr where `error` goes
 * @returns the log, and `flush`, which settles when all lines are written or
 *   lost, after `limitMs` milliseconds at most
 *
 * @example
 * ```ts
 * import { createLog } from "./log.ts";
 * import { assertEquals } from "@std/assert";
 *
 * let written = "";
 * const stream = {
 *   write: (bytes: Uint8Array) => {
 *     written += new TextDecoder().decode(bytes);
 *     return Promise.resolve(bytes.length);
 *   },
 * };
 * const { log, flush } = createLog(stream, stream);
 * log("info", "Hello");
 * await flush(1000);
 * assertEquals(written, "Hello\n");
 * ```
 */
export function createLog(
  stdout: Writer,
  stderr: Writer,
): { log: Log; flush: (limitMs: number) => Promise<void> } {
  const report = (name: string) => (lost: number) =>
    log("error", `Log: ${lost} line(s) for standard ${name} were lost`);
  const queues = {
    info: new LineQueue(stdout, report("output")),
    error: new LineQueue(stderr, report("error")),
  };
  const log: Log = (level, message) => queues[level].push(message);
  return {
    log,
    flush: async (limitMs) => {
      let timer: ReturnType<typeof setTimeout> | undefined;
      const limit = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, limitMs);
      });
      // Standard error last: it may have to say what the other one lost.
      const idle = queues.info.idle().then(() => queues.error.idle());
      await Promise.race([idle, limit]);
      clearTimeout(timer);
    },
  };
}
