/**
 * The service and other programs as child processes.
 *
 * @module
 */
import { assert, assertMatch } from "@std/assert";
import { fromFileUrl } from "@std/path";
import { setTimeout as pause } from "node:timers/promises";
import metadata from "../../deno.json" with { type: "json" };

export const ROOT = fromFileUrl(import.meta.resolve("../../"));
export const CERT = `${ROOT}tests/tls/cert.pem`;
export const KEY = `${ROOT}tests/tls/key.pem`;
/** The settings of a service with this certificate. */
export const TLS = { PWGEN_TLS_CERT: CERT, PWGEN_TLS_KEY: KEY };

/**
 * The only limit of time in a test, in milliseconds: what has not happened by then
 * never will. It says nothing about how fast anything is.
 */
export const HANG_MS = 600_000;

/** Whether a program is installed. */
export async function isInstalled(program: string): Promise<boolean> {
  try {
    await new Deno.Command(program, { args: ["--version"] }).output();
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

/** Ports that are not in use. */
export function freePorts(count: number): number[] {
  const listeners = Array.from(
    { length: count },
    () => Deno.listen({ port: 0, hostname: "0.0.0.0" }),
  );
  const ports = listeners.map(({ addr }) => addr.port);
  listeners.forEach((listener) => listener.close());
  return ports;
}

/** The output of a program so far. */
class OutputStream {
  text = "";
  isOver = false;
  readonly ended: Promise<void>;

  constructor(stream: ReadableStream<Uint8Array>) {
    this.ended = (async () => {
      const decoder = new TextDecoder();
      for await (const chunk of stream) {
        this.text += decoder.decode(chunk, { stream: true });
      }
      this.isOver = true;
    })();
  }

  /** Waits until the output matches. */
  async match(pattern: RegExp): Promise<RegExpMatchArray> {
    let match: RegExpMatchArray | null;
    const seen = () => `${pattern} in: ${this.text}`;
    await until(() => {
      const { isOver } = this;
      match = this.text.match(pattern);
      assert(match || !isOver, `No ${seen()}`);
      return match !== null;
    }, seen);
    return match!;
  }
}

/** What the start line says besides the URL if PORT is set without PWGEN_HOST. */
export const ONLY_LOCAL =
  " (only this machine can connect, since PORT is set and PWGEN_HOST is not)";

/** A running program. */
export interface Program {
  process: Deno.ChildProcess;
  stdout: OutputStream;
  stderr: OutputStream;
}

/** Windows has no signal that asks a program to stop. */
export const HAS_SIGTERM: boolean = Deno.build.os !== "windows";

/**
 * Tests that may be skipped; the name of one then has the reason. `deno fmt` formats
 * `unless(reason).test(name, fn)` as a call of `Deno.test()`.
 *
 * @param reason why tests are skipped; undefined or "" if they can run
 */
export const unless = (reason: string | undefined) => ({
  test: (name: string, fn: (t: Deno.TestContext) => Promise<void>) =>
    Deno.test({
      name: reason ? `${name} (skipped: ${reason})` : name,
      ignore: Boolean(reason),
      fn,
    }),
});

/** The Debian packages of programs that have another name. */
const PACKAGES: Record<string, string> = {
  "ansible-playbook": "ansible-core",
  pdftotext: "poppler-utils",
  promtool: "prometheus",
  "systemd-analyze": "systemd",
};

/** Why tests with programs are skipped: a program, with its Debian package. */
export async function missing(...programs: string[]): Promise<string> {
  for (const name of programs) {
    if (await isInstalled(name)) continue;
    return `no ${name} (Debian: ${PACKAGES[name] ?? name})`;
  }
  return "";
}

/** Tests of what only Linux has. */
export const onLinux = unless(
  Deno.build.os === "linux" ? "" : "only on Linux",
);

/** Tests of how a program stops. */
export const onUnix = unless(HAS_SIGTERM ? "" : "no SIGTERM on Windows");

/** Starts a task of deno.json with `deno task`. */
export function start(
  { task = "start", flags = [], env = {} }: {
    task?: "start" | "start:tls";
    flags?: string[];
    env?: Record<string, string>;
  } = {},
): Program {
  return spawn(Deno.execPath(), ["task", "-q", task, ...flags], env);
}

/** Starts a program in the root folder of the project. */
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
    stdout: new OutputStream(process.stdout),
    stderr: new OutputStream(process.stderr),
  };
}

/** Waits for the end of a program, and kills it if it hangs. */
export async function end(
  { process, stdout, stderr }: Program,
): Promise<{ code: number; stdout: string; stderr: string }> {
  let hangs = false;
  const timer = setTimeout(() => {
    hangs = true;
    process.kill("SIGKILL");
  }, HANG_MS);
  try {
    const [{ code }] = await Promise.all([
      process.status,
      stdout.ended,
      stderr.ended,
    ]);
    assert(!hangs, `It does not end: ${stdout.text}${stderr.text}`);
    return { code, stdout: stdout.text, stderr: stderr.text };
  } finally {
    clearTimeout(timer);
  }
}

/** A running service and its address. */
export interface Running extends Program {
  url: string;
  port: number;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Starts a service with `deno task`, and waits until it listens. */
export function serve(
  options: Parameters<typeof start>[0] = {},
): Promise<Running> {
  return listening(start(options));
}

/** The arguments of Deno in the task "start", without the quotes of the shell. */
export const START_ARGS: readonly string[] = metadata.tasks.start.command
  .split(" ").slice(1).map((word) => word.replaceAll('"', ""));

/**
 * Starts a service with the command of the task "start". The process is the
 * service itself, not `deno task`.
 */
export function serveDirectly(env: Record<string, string>): Promise<Running> {
  return listening(spawn(Deno.execPath(), [...START_ARGS], env));
}

/** Waits until a service listens. */
export async function listening<P extends Program>(
  program: P,
): Promise<P & Running> {
  const [, url, port] = await program.stdout.match(
    // With PWGEN_ACCESS_LOG=json the line is an object.
    /^(?:\{.*"message":")?pwgen-api \S+: (https?:\/\/[^/]+:(\d+))\/(?: \(.*\))?(?:"\})?\n/,
  ).catch(async (error) => {
    await stop(program);
    throw error;
  });
  return {
    ...program,
    url: url!,
    port: Number(port),
    [Symbol.asyncDispose]: async () => void await stop(program),
  };
}

/** Sends a signal to a program, which may have ended, and waits for its end. */
export async function stop(
  program: Program,
  signal: Deno.Signal = "SIGTERM",
): ReturnType<typeof end> {
  try {
    program.process.kill(signal);
  } catch {
    // The program has ended already.
  }
  return await end(program);
}

/** The resident memory of a process on Linux, in bytes. */
export function residentBytes(pid: number): number {
  const status = Deno.readTextFileSync(`/proc/${pid}/status`);
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)![1]) * 1024;
}

/** Makes a client that trusts the certificate of the tests. */
export async function tlsClient(
  options: Deno.CreateHttpClientOptions = {},
): Promise<Deno.HttpClient> {
  const caCerts = [await Deno.readTextFile(CERT)];
  return Deno.createHttpClient({ ...options, caCerts });
}

/** Sends a POST request with a JSON body. */
export function post(
  url: string,
  body: BodyInit,
  headers: Record<string, string> = {},
  options: { client?: Deno.HttpClient } = {},
): Promise<Response> {
  return fetch(url, {
    ...options,
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body,
  });
}

/** How a request reaches a service. */
interface Route {
  /** The default is 127.0.0.1. */
  host?: string;
  client?: Deno.HttpClient;
}

/** Requests words, and returns the response without its body. */
export async function requestWords(
  { port }: { port: number },
  headers: Record<string, string> = {},
  { host = "127.0.0.1", ...options }: Route = {},
): Promise<Response> {
  const url = `http://${host}:${port}/api/pwgen/words`;
  const response = await post(url, "{}", headers, options);
  await response.body?.cancel();
  return response;
}

/** Requests words, and checks how many requests the client then has. */
export async function assertRemaining(
  service: { port: number },
  remaining: number,
  headers: Record<string, string> = {},
  route: Route = {},
): Promise<void> {
  const response = await requestWords(service, headers, route);
  const field = response.headers.get("ratelimit") ?? "none";
  assertMatch(field, RegExp(`^"default";r=${remaining};t=\\d+$`));
}

/**
 * Polls a condition until it holds.
 *
 * @param condition the condition
 * @param describe what the error says besides
 */
export async function until(
  condition: () => boolean | Promise<boolean>,
  describe: () => string = () => "",
): Promise<void> {
  const end = performance.now() + HANG_MS;
  while (!await condition()) {
    assert(performance.now() < end, `Never: ${condition} ${describe()}`);
    await pause(10);
  }
}

/** Whether a program accepts connections at a port of this machine. */
export async function isListening(port: number): Promise<boolean> {
  try {
    (await Deno.connect({ port, hostname: "127.0.0.1" })).close();
    return true;
  } catch {
    return false;
  }
}

/** Waits until a service has this status at /healthz. */
export function untilHealthIs(
  expected: number,
  { url }: Running,
): Promise<void> {
  return until(async () => {
    const response = await fetch(`${url}/healthz`);
    await response.body?.cancel();
    return response.status === expected;
  });
}
