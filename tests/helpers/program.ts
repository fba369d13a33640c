/**
 * The real program as a child process, with just the permissions of its task.
 *
 * @module
 */
import { assert } from "@std/assert";
import { fromFileUrl } from "@std/path";

export const ROOT = fromFileUrl(import.meta.resolve("../../"));
export const CERT = `${ROOT}tests/tls/cert.pem`;
export const KEY = `${ROOT}tests/tls/key.pem`;

/** Whether a program is installed. */
export async function isInstalled(program: string): Promise<boolean> {
  try {
    await new Deno.Command(program, {
      args: ["--version"],
      stdout: "null",
      stderr: "null",
    }).output();
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

/**
 * The environment of a process whose clock is shifted, such as by "+3600s": what
 * the program faketime does, without a process in between.
 */
export async function shiftedClock(
  shift: string,
): Promise<Record<string, string>> {
  const { stdout } = await new Deno.Command("faketime", {
    args: ["-f", "+0s", "sh", "-c", "printf %s $LD_PRELOAD"],
  }).output();
  return {
    LD_PRELOAD: new TextDecoder().decode(stdout),
    FAKETIME: shift,
    FAKETIME_DONT_FAKE_MONOTONIC: "1",
  };
}

/** Ports that nobody listens on just now. */
export function freePorts(count: number): number[] {
  const listeners = Array.from(
    { length: count },
    () => Deno.listen({ port: 0, hostname: "0.0.0.0" }),
  );
  const ports = listeners.map(({ addr }) => addr.port);
  listeners.forEach((listener) => listener.close());
  return ports;
}

/** Everything a stream has said so far, and a way to wait for more of it. */
class Said {
  text = "";
  readonly ended: Promise<void>;
  #heard: () => void = () => {};

  constructor(stream: ReadableStream<Uint8Array>) {
    this.ended = (async () => {
      const decoder = new TextDecoder();
      for await (const chunk of stream) {
        this.text += decoder.decode(chunk, { stream: true });
        this.#heard();
      }
      this.#heard();
    })();
  }

  /** Waits until it has said something that matches; 20 s, or to its end. */
  async match(pattern: RegExp): Promise<RegExpMatchArray> {
    let over = false;
    const stop = () => {
      over = true;
      this.#heard();
    };
    this.ended.then(stop);
    const timer = setTimeout(stop, 20_000);
    while (true) {
      const match = this.text.match(pattern);
      if (match || over) clearTimeout(timer);
      if (match) return match;
      assert(!over, `No ${pattern} in: ${this.text}`);
      await new Promise<void>((resolve) => this.#heard = resolve);
    }
  }
}

/** A running program. */
export interface Program {
  process: Deno.ChildProcess;
  stdout: Said;
  stderr: Said;
}

/** Windows ends a program at once where others tell it to stop. */
export const HAS_SIGTERM: boolean = Deno.build.os !== "windows";

/** A test of how a program stops. */
export function testStop(name: string, fn: () => Promise<void>): void {
  const reason = HAS_SIGTERM ? "" : " (skipped: no SIGTERM on Windows)";
  Deno.test({ name: name + reason, ignore: !HAS_SIGTERM, fn });
}

/** Starts a task of deno.json as it stands, by `deno task` itself. */
export function start(
  { task = "start", flags = [], env = {} }: {
    task?: "start" | "start:tls";
    flags?: string[];
    env?: Record<string, string>;
  } = {},
): Program {
  return spawn(Deno.execPath(), ["task", "-q", task, ...flags], env);
}

/** Starts a program at the root of the project. */
export function spawn(
  command: string,
  args: string[],
  env: Record<string, string> = {},
  options: Pick<Deno.CommandOptions, "clearEnv" | "cwd" | "gid" | "uid"> = {},
): Program {
  const process = new Deno.Command(command, {
    cwd: ROOT,
    ...options,
    args,
    env: { NO_COLOR: "1", PORT: "0", ...env },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  return {
    process,
    stdout: new Said(process.stdout),
    stderr: new Said(process.stderr),
  };
}

/**
 * Waits for the end of a program: its status and all that it said. One that has
 * not ended after 30 s is ended.
 */
export async function end(
  { process, stdout, stderr }: Program,
): Promise<{ code: number; stdout: string; stderr: string }> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      process.kill("SIGKILL");
      reject(new Error(`Does not end: ${stdout.text}${stderr.text}`));
    }, 30_000);
  });
  try {
    const all = Promise.all([process.status, stdout.ended, stderr.ended]);
    const [{ code }] = await Promise.race([all, late]);
    return { code, stdout: stdout.text, stderr: stderr.text };
  } finally {
    clearTimeout(timer);
  }
}

/** A running service and where it is. */
export interface Running extends Program {
  url: string;
  port: number;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Starts a service and waits until it listens. */
export function serve(
  options: Parameters<typeof start>[0] = {},
): Promise<Running> {
  return listening(start(options));
}

/** Waits until a service listens. */
export async function listening(program: Program): Promise<Running> {
  const [, url, port] = await program.stdout.match(
    /^pwgen-api [\d.]+: (https?:\/\/[^/]+:(\d+))\/\n/,
  ).catch((error) => {
    program.process.kill("SIGTERM");
    throw error;
  });
  return {
    ...program,
    url: url!,
    port: Number(port),
    [Symbol.asyncDispose]: async () => {
      try {
        program.process.kill("SIGTERM");
      } catch {
        // It has ended already.
      }
      await end(program);
    },
  };
}

/** Posts JSON as it stands. */
export function post(
  url: string,
  body: string,
  headers = {},
): Promise<Response> {
  return fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body,
  });
}

/** A connection of raw bytes. */
export class Wire {
  readonly #socket: Deno.TcpConn;
  readonly #buffer = new Uint8Array(65_536);

  private constructor(socket: Deno.TcpConn) {
    this.#socket = socket;
  }

  static async connect(port: number): Promise<Wire> {
    return new Wire(await Deno.connect({ port, hostname: "127.0.0.1" }));
  }

  async write(text: string): Promise<void> {
    const bytes = new TextEncoder().encode(text);
    for (let at = 0; at < bytes.length;) {
      at += await this.#socket.write(bytes.subarray(at));
    }
  }

  /** Reads one whole answer: its status, its header and its body. */
  async read(): Promise<{ status: number; head: string; body: string }> {
    const decoder = new TextDecoder();
    let heard = "";
    while (true) {
      const n = await this.#socket.read(this.#buffer);
      assert(n !== null, `closed after: ${heard}`);
      heard += decoder.decode(this.#buffer.subarray(0, n), { stream: true });
      const [head, body] = heard.split("\r\n\r\n", 2) as [string, string?];
      const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0);
      if (
        body !== undefined && new TextEncoder().encode(body).length >= length
      ) {
        return { status: Number(heard.split(" ", 2)[1]), head, body };
      }
    }
  }

  [Symbol.dispose](): void {
    this.#socket.close();
  }
}
