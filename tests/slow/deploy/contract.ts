/**
 * What the service does in every way to run it.
 *
 * @module
 */
import { assertEquals, assertMatch } from "@std/assert";
import metadata from "../../../deno.json" with { type: "json" };
import {
  end,
  HAS_SIGTERM,
  listening,
  ONLY_LOCAL,
  post,
  type Program,
  stop,
  unless,
} from "../../helpers/program.ts";
import {
  readErrors,
  readPassword,
  readProblem,
} from "../../helpers/service.ts";

/** A way to run the service. */
export interface Way<P extends Program> {
  /** The name in the names of the tests. */
  readonly name: string;
  /** Why the tests are skipped; undefined or "" if they can run. */
  readonly missing?: string | undefined;
  /** The name of the host in the first line; the default is 127.0.0.1. */
  readonly host?: string;
  /** What it writes to standard error without a setting; nothing by default. */
  readonly warning?: RegExp;
  /** Starts the service with these settings, on a free port by default. */
  start(env?: Record<string, string>): P;
  /** Opens what clients connect to, if this is not the service itself. */
  open?(service: P): AsyncDisposable & { port: number };
}

/** Registers the tests of a way to run the service. */
export function testWay<P extends Program>(
  { name, missing, host = "127.0.0.1", warning = /^$/, start, open }: Way<P>,
): void {
  const on = unless(missing);
  on.test(`${name} serves, says where, and stops with 0 on SIGTERM`, async () => {
    await using service = await listening(start());
    await using front = open?.(service);
    const base = `http://127.0.0.1:${(front ?? service).port}`;
    for (const name of ["characters", "words", "sentence"]) {
      const path = `/api/pwgen/${name}`;
      const url = base + path;
      await readPassword(await post(url, "{}"), name);
      await readErrors(await post(url, "nonsense"), path, "$");
    }
    assertMatch(await (await fetch(base)).text(), /<script /);
    const health = await fetch(`${base}/healthz`);
    assertEquals(await health.json(), { status: "ok" });
    await readProblem(await fetch(`${base}/nowhere`), 404, "/nowhere");
    const { code, stdout, stderr } = await stop(service);
    const url = `http://${host}:${service.port}/`;
    const reach = host === "127.0.0.1" ? ONLY_LOCAL : "";
    const [line, end] = stdout.split(" (settings: ");
    assertEquals(line, `pwgen-api ${metadata.version}: ${url}${reach}`);
    const last = HAS_SIGTERM ? "Stopping: SIGTERM\n" : "";
    assertMatch(end!, RegExp(`^[\\w, ]+\\)\n${last}$`));
    if (HAS_SIGTERM) assertEquals(code, 0);
    assertMatch(stderr, warning);
  });

  on.test(`${name} ends with status 2 and one line after a wrong setting`, async () => {
    const { code, stdout, stderr } = await end(start({ PORT: "http" }));
    assertEquals([code, stdout], [2, ""], stderr);
    assertMatch(stderr, /^PORT: "http" is not allowed; use an integer.*\n$/);
  });

  on.test(`${name} loads the code of a store, and may connect to it`, async () => {
    const env = { PWGEN_RATE_LIMIT_STORE: "redis://127.0.0.1:1" };
    await using service = await listening(start(env));
    await service.stderr.match(/cannot use Redis: Connection refused/);
  });
}
