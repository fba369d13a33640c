/**
 * Redis servers for tests and benchmarks.
 *
 * @module
 */
import { assertEquals } from "@std/assert";
import { tempDir } from "./files.ts";
import {
  end,
  freePorts,
  missing,
  type Program,
  ROOT,
  spawn,
  stop,
  unless,
  until,
} from "./program.ts";

/** Why tests with a Redis server are skipped; "" if they can run. */
export const NO_REDIS: string = await missing("redis-server");

/** Tests with a Redis server. */
export const onRedis = unless(NO_REDIS);

/** A running Redis server, empty at first. */
export interface RedisServer {
  readonly port: number;
  readonly url: string;
  /** Runs redis-cli and returns its output. */
  cli(...args: string[]): Promise<string>;
  signal(signal: Deno.Signal): void;
  /** Waits for the end of the server, and starts a new one on the same port. */
  restart(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Starts a Redis server with these additional arguments. */
export const startRedis = (...args: string[]) => startServer(args);

/** Why a Redis server cannot have a clock that a test sets; "" if it can. */
export const NO_REDIS_CLOCK: string = NO_REDIS ||
  (Deno.build.os === "linux" ? await missing("gcc") : "LD_PRELOAD needs Linux");

/** Starts a Redis server whose clock, in milliseconds, the test sets. */
export async function startRedisWithClock(
  begin: number,
): Promise<RedisServer & { readonly clock: { now: number } }> {
  let now: number;
  let CLOCK: string;
  const clock = {
    get now() {
      return now;
    },
    set now(ms: number) {
      now = ms;
      using file = Deno.openSync(CLOCK, { create: true, write: true });
      const microseconds = BigInt64Array.of(BigInt(1000 * ms));
      file.writeSync(new Uint8Array(microseconds.buffer));
    },
  };
  const server = await startServer([], async (folder) => {
    CLOCK = `${folder}/clock`;
    clock.now = begin;
    const LD_PRELOAD = `${folder}/clock.so`;
    const source = `${ROOT}tests/helpers/redis_clock.c`;
    const args = ["-shared", "-fPIC", "-o", LD_PRELOAD, source];
    const { code, stderr } = await end(spawn("gcc", args));
    assertEquals(code, 0, stderr);
    return { LD_PRELOAD, CLOCK };
  });
  return { ...server, clock };
}

async function startServer(
  args: string[],
  prepare = async (_folder: string): Promise<Record<string, string>> => ({}),
): Promise<RedisServer> {
  const folder = await tempDir();
  const env = await prepare(folder.path);
  let port: number;
  let program: Program;
  const cli = async (...command: string[]) => {
    const args = ["-p", String(port), ...command];
    const { stdout, stderr } = await end(spawn("redis-cli", args));
    return (stdout + stderr).trim();
  };
  /** Starts the server. Returns false if the port has just been taken. */
  const start = async (): Promise<boolean> => {
    program = spawn("redis-server", [
      "--port",
      String(port),
      "--bind",
      "127.0.0.1",
      "--dir",
      folder.path,
      "--save",
      "",
      "--enable-debug-command",
      "yes",
      ...args,
    ], env);
    const [line] = await program.stdout.match(
      /Ready to accept connections|Address already in use/,
    );
    if (line.startsWith("Ready")) return true;
    await end(program);
    return false;
  };
  // A cluster also needs the port that is greater by 10,000.
  do [port] = freePorts(1) as [number]; while (!await start());
  return {
    port,
    url: `redis://127.0.0.1:${port}`,
    cli,
    signal: (signal) => program.process.kill(signal),
    restart: async () => {
      await end(program);
      await until(start);
    },
    [Symbol.asyncDispose]: async () => {
      await stop(program, "SIGKILL");
      await folder[Symbol.asyncDispose]();
    },
  };
}
