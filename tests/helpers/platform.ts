/**
 * A stand-in for Deno Deploy: it starts and stops the service as the platform does.
 * docs/operate.md, "Deno Deploy", says how to check the addresses of clients.
 * The sources are `deno --help=full`, the source of Deno (ext/http), and these pages
 * of https://docs.deno.com/deploy/reference/:
 *
 * - requests come through DENO_SERVE_ADDRESS=duplicate,vsock:-1:8080 (help; the value
 *   from public apps)
 * - x-deno-client-address has address and port of each client, with
 *   DENO_TRUST_PROXY_HEADERS=1 (ext/http); the service reads it if Deno does not
 * - console is captured (observability, "Logs")
 * - SIGINT, and SIGKILL after 5 seconds (runtime, "Shutdown")
 * - the pre-deploy command has the variables and the database of production (builds,
 *   "Build stages", which names only DENO_TIMELINE)
 * - without a database Deno.openKv() fails, or warns and opens one in memory (help,
 *   DENO_KV_REQUIRES_DISTRIBUTED_DATABASE)
 * - Deno 2.5.0, "currently" (runtime, "Runtime environment"); users report a message
 *   that 2.5 does not have. 2.5 ignores a byte-order mark before a body, and
 *   compresses longer responses itself.
 * - all permissions, and unstable features only from deno.json (runtime)
 * - the front caches only GET and HEAD without no-store (caching); nothing says
 *   whether it compresses
 *
 * @module
 */
import { dirname } from "@std/path";
import metadata from "../../deno.json" with { type: "json" };
import { end, missing, type Program, spawn } from "./program.ts";

/** Why tests with it are skipped. */
export const NO_UNIX_SOCKETS: string = Deno.build.os === "windows"
  ? "no HTTP over Unix sockets on Windows"
  : "";

/** The variables that Deno itself needs to find its cache. */
const CACHE = Object.fromEntries(
  Object.entries(Deno.env.toObject()).filter(([name]) =>
    /^(DENO_DIR|DENO_TLS_CA_STORE|NPM_CONFIG_REGISTRY)$/.test(name) ||
    Deno.build.os === "windows"
  ),
);

/** The variables that the platform sets in all contexts. */
const PREDEFINED = {
  DENO_DEPLOY: "true",
  DENO_DEPLOY_ORG_ID: "0d4f2d5c-0000-4000-8000-000000000001",
  DENO_DEPLOY_ORG_SLUG: "org",
  DENO_DEPLOY_APP_ID: "0d4f2d5c-0000-4000-8000-000000000002",
  DENO_DEPLOY_APP_SLUG: "pwgen",
  DENO_DEPLOY_BUILD_ID: "b1",
  DENO_TIMELINE: "production",
};

/** How the platform runs an app. */
export interface PlatformOptions {
  /** The path of its Deno. */
  deno?: string | undefined;
  /** The path of the attached database; undefined without one. */
  kv?: string;
  /** Whether its Deno reads the header field of the address. */
  trustsHeaders?: boolean;
}

/** A running instance, which the platform reaches only through a socket. */
export interface Instance extends Program {
  /** The path of the socket. */
  readonly socket: string;
}

const folder = Deno.makeTempDirSync();
addEventListener("unload", () => Deno.removeSync(folder, { recursive: true }));
let sockets = 0;

function environment(
  env: Record<string, string>,
  { kv }: PlatformOptions,
): Record<string, string> {
  const database = kv === undefined
    ? { DENO_KV_REQUIRES_DISTRIBUTED_DATABASE: "error" }
    : { DENO_KV_DEFAULT_PATH: kv };
  return {
    ...CACHE,
    ...PREDEFINED,
    ...database,
    DENO_SERVE_AUTOMATIC_COMPRESSION: "1",
    ...env,
  };
}

/**
 * Starts an instance with these variables of the app. It has all
 * permissions, except that it may write no file but its socket and
 * a database on this machine. A Unix socket replaces the vsock of the platform; its connections have no IP address
 * either.
 */
export function spawnInstance(
  env: Record<string, string> = {},
  options: PlatformOptions = {},
): Instance {
  const { deno = Deno.execPath(), trustsHeaders = true } = options;
  const socket = `${folder}/${sockets++}.sock`;
  const rights = ["read", "net", "env", "sys", "run", "ffi", "import"];
  const flags = rights.map((right) => `--allow-${right}`);
  const writable = [socket, ...(options.kv ? [dirname(options.kv)] : [])];
  const args = ["run", "--no-prompt", ...flags, `--allow-write=${writable}`];
  const variables = environment(env, options);
  return {
    ...spawn(deno, [...args, metadata.deploy.runtime.entrypoint], {
      ...variables,
      DENO_DEPLOYMENT_ID: "d1",
      DENO_SERVE_ADDRESS: `duplicate,unix:${socket}`,
      ...(trustsHeaders && { DENO_TRUST_PROXY_HEADERS: "1" }),
    }, { clearEnv: true }),
    socket,
  };
}

/** Runs a command of "deploy" in deno.json. Status 0 lets the deployment go on. */
export function runStep(
  step: "install" | "predeploy",
  env: Record<string, string> = {},
  options: PlatformOptions = {},
): ReturnType<typeof end> {
  const PATH = dirname(options.deno ?? Deno.execPath());
  const variables = { ...environment(env, options), PATH };
  const args = ["-c", metadata.deploy[step]];
  return end(spawn("/bin/sh", args, variables, { clearEnv: true }));
}

/** A client that connects to a Unix socket, whatever the host is. */
export const clientOf = (path: string): Deno.HttpClient =>
  Deno.createHttpClient({ proxy: { transport: "unix", path } });

/**
 * The front of the platform on a free port of this machine. It passes requests on
 * to the instances in turn, with the address of the client.
 */
export class Front implements AsyncDisposable {
  readonly port: number;
  readonly url: string;
  readonly #clients: Deno.HttpClient[];
  readonly #server: Deno.HttpServer<Deno.NetAddr>;

  constructor(...instances: Instance[]) {
    this.#clients = instances.map(({ socket }) => clientOf(socket));
    let requests = 0;
    this.#server = Deno.serve(
      { hostname: "127.0.0.1", port: 0, onListen: () => {} },
      async ({ method, url, headers: sent, body }, { remoteAddr }) => {
        const { hostname, port } = remoteAddr;
        const headers = new Headers(sent);
        headers.set("x-deno-client-address", `[::ffff:${hostname}]:${port}`);
        const client = this.#clients[requests++ % this.#clients.length]!;
        try {
          return await fetch(url, { client, method, headers, body });
        } catch {
          return new Response("502 Bad Gateway", { status: 502 });
        }
      },
    );
    this.port = this.#server.addr.port;
    this.url = `http://127.0.0.1:${this.port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#clients.forEach((client) => client.close());
    await this.#server.shutdown();
  }
}

/**
 * The path of the executable of another version of Deno, from npm. Undefined if it
 * cannot be had.
 */
export async function denoFromNpm(
  version: string,
): Promise<string | undefined> {
  if (await missing("npx")) return undefined;
  const code = "console.log(Deno.execPath())";
  const args = ["--yes", `deno@${version}`, "eval", "--no-lock", code];
  // npx would use a package.json of the working directory.
  const result = await end(spawn("npx", args, {}, { cwd: folder }));
  return result.code === 0 ? result.stdout.trim() : undefined;
}
