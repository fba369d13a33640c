/**
 * Real Redis servers, for tests and benches.
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
} from "./program.ts";

/** Whether there is a redis-server, and signals to stop it. */
export const HAS_REDIS: boolean = HAS_SIGTERM &&
  await isInstalled("redis-server");

/** What the name of a skipped test says; undefined where it can run. */
export const NO_REDIS: string | undefined = HAS_REDIS
  ? undefined
  : "skipped: no redis-server (Debian: redis-server)";

/** A test that needs a Redis server; skipped visibly where there is none. */
export function testRedis(name: string, fn: () => Promise<void>): void {
  const reason = NO_REDIS ? ` (${NO_REDIS})` : "";
  Deno.test({ name: name + reason, ignore: !HAS_REDIS, fn });
}

/** A running Redis server, with nothing in it. */
export interface RedisServer {
  readonly port: number;
  readonly url: string;
  /** The folder of the server, which goes with it. */
  readonly folder: string;
  /** Runs redis-cli; what it prints. */
  cli(...args: string[]): Promise<string>;
  /** Sends a signal to the server. */
  signal(signal: Deno.Signal): void;
  /** Waits for the end of the server, and starts another one on the port. */
  restart(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Starts a Redis server, with further arguments for it. */
export async function startRedis(...args: string[]): Promise<RedisServer> {
  const folder = await tempDir();
  const [port] = freePorts(1) as [number];
  let program: Program;
  const cli = async (...command: string[]) => {
    const { stdout, stderr } = await new Deno.Command("redis-cli", {
      args: ["-p", String(port), ...command],
      stdin: "null",
    }).output();
    const decoder = new TextDecoder();
    return (decoder.decode(stdout) + decoder.decode(stderr)).trim();
  };
  const start = async () => {
    program = spawn("redis-server", [
      ...["--port", String(port), "--bind", "127.0.0.1", "--dir", folder.path],
      ...["--save", "", "--enable-debug-command", "yes", ...args],
    ]);
    await program.stdout.match(/Ready to accept connections/);
  };
  await start();
  return {
    port,
    url: `redis://127.0.0.1:${port}`,
    folder: folder.path,
    cli,
    signal: (signal) => program.process.kill(signal),
    restart: async () => {
      await end(program);
      await start();
    },
    [Symbol.asyncDispose]: async () => {
      try {
        program.process.kill("SIGKILL");
      } catch {
        // It has ended already.
      }
      await end(program);
      await folder[Symbol.asyncDispose]();
    },
  };
}
