/**
 * Redis servers for tests and benchmarks.
 *
 * @module
 */
import { tempDir } from "./files.ts";
import {
  end,
  freePorts,
  HAS_SIGTERM,
  isInstalled,
  type Program,
  spawn,
  stop,
  unless,
  until,
} from "./program.ts";

/** Why tests with a Redis server are skipped; undefined if they can run. */
export const NO_REDIS: string | undefined =
  HAS_SIGTERM && await isInstalled("redis-server")
    ? undefined
    : "no redis-server (Debian: redis-server)";

/** Tests with a Redis server. */
export const onRedis = unless(NO_REDIS);

/** A running Redis server, empty at first. */
export interface RedisServer {
  readonly port: number;
  readonly url: string;
  /** The folder of the server. Disposal removes it. */
  readonly folder: string;
  /** Runs redis-cli and returns its output. */
  cli(...args: string[]): Promise<string>;
  signal(signal: Deno.Signal): void;
  /** Waits for the end of the server, and starts a new one on the same port. */
  restart(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Starts a Redis server with these additional arguments. */
export async function startRedis(...args: string[]): Promise<RedisServer> {
  const folder = await tempDir();
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
      ...["--port", String(port), "--bind", "127.0.0.1", "--dir", folder.path],
      ...["--save", "", "--enable-debug-command", "yes", ...args],
    ]);
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
    folder: folder.path,
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
