/**
 * Compares the service with a bare Deno.serve: the time from the start of the
 * process to the first response, and the memory after 100,000 requests.
 * Usage: deno task bench:start [--runs 15]
 *
 * @module
 */
// deno-lint-ignore-file no-console
import { post, residentBytes, type Running } from "../tests/helpers/program.ts";
import { median } from "../tests/helpers/statistics.ts";
import { load, start, startBare, startService } from "./load.ts";
import { readOptions } from "./options.ts";

const { runs } = readOptions({ runs: 15 });
const HELLO =
  `Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: ({ port }) => console.log("pwgen-api 0.0.0: http://127.0.0.1:" + port + "/") }, () => new Response("Hello"));`;
const hello = await Deno.makeTempFile({ suffix: ".ts" });
await Deno.writeTextFile(hello, HELLO);

/** The time to the first response, in milliseconds. */
async function firstResponse(
  startServer: () => Promise<Running>,
): Promise<number> {
  const begin = performance.now();
  await using server = await startServer();
  const response = await post(`${server.url}/api/pwgen/words`, "{}");
  await response.text();
  return performance.now() - begin;
}

const servers: [name: string, start: () => Promise<Running>][] = [
  ["bare", () => start(["run", "--allow-net", hello])],
  ["service", () => startService({ PWGEN_TRUSTED_PROXIES: "" })],
  ["service, one trusted proxy", () => startService()],
];
const times: number[][] = servers.map(() => []);
for (let run = 0; run <= runs; run++) {
  for (const [i, [, startServer]] of servers.entries()) {
    const ms = await firstResponse(startServer);
    if (run > 0) times[i]!.push(ms); // The first run fills the caches.
  }
}
await Deno.remove(hello);
console.log(`first response, median of ${runs}:`);
for (const [i, [name]] of servers.entries()) {
  const ratios = times[i]!.map((ms, run) => ms / times[0]![run]!);
  console.log(
    `  ${name} ${median(times[i]!).toFixed(0)} ms, ${
      median(ratios).toFixed(2)
    } times (median of pairs)`,
  );
}

const path = "/api/pwgen/words";
const body = "{}";
await using service = await startService({ PWGEN_MAX_CLIENTS: "250000" });
await using bare = await startBare(service, path, body);
for (const [name, server] of [["bare", bare], ["service", service]] as const) {
  let requests = 0;
  while (requests < 100_000) {
    const report = await load(server, { path, body, seconds: 1 });
    requests += report.requests;
  }
  console.log(
    `resident after ${requests} requests: ${name} ${
      (residentBytes(server.process.pid) / 1e6).toFixed(0)
    } MB`,
  );
}
