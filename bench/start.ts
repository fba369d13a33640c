/**
 * How long the service takes from the start of the process to the first answer,
 * and how much memory it holds after 100,000 requests, against a bare
 * Deno.serve. Usage: deno task bench:start [--runs 15]
 *
 * @module
 */
// deno-lint-ignore-file no-console
import { parseArgs } from "node:util";
import {
  load,
  median,
  residentMemory,
  type Server,
  start,
  startBare,
  startService,
  stop,
} from "./load.ts";

const { values } = parseArgs({
  options: { runs: { type: "string", default: "15" } },
});
const HELLO =
  `Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: ({ port }) => console.log("http://127.0.0.1:" + port) }, () => new Response("Hello"));`;
const hello = await Deno.makeTempFile({ suffix: ".ts" });
await Deno.writeTextFile(hello, HELLO);

async function firstAnswer(starting: () => Promise<Server>): Promise<number> {
  const begin = performance.now();
  const server = await starting();
  const response = await fetch(`${server.url}/api/pwgen/words`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: "{}",
  });
  await response.text();
  const took = performance.now() - begin;
  await stop(server);
  return took;
}

const bare: number[] = [];
const service: number[] = [];
const behindProxy: number[] = [];
for (let run = 0; run <= Number(values.runs); run++) {
  const a = await firstAnswer(() => start(["run", "--allow-net", hello]));
  const b = await firstAnswer(() =>
    startService({ PWGEN_TRUSTED_PROXIES: "" })
  );
  const c = await firstAnswer(() => startService());
  if (run === 0) continue; // compiled and cached now
  bare.push(a);
  service.push(b);
  behindProxy.push(c);
}
await Deno.remove(hello);
console.log(
  `first answer, median of ${bare.length}: bare ${median(bare).toFixed(0)} ms`,
);
for (
  const [name, times] of [
    ["service", service],
    ["service, a proxy listed", behindProxy],
  ] as const
) {
  console.log(
    `  ${name} ${median(times).toFixed(0)} ms, ${
      median(times.map((ms, i) => ms / bare[i]!)).toFixed(2)
    } times (median of pairs)`,
  );
}

const path = "/api/pwgen/words";
const body = "{}";
const served = await startService({ PWGEN_MAX_CLIENTS: "250000" });
const bared = await startBare(served, path, body);
for (const [name, server] of [["bare", bared], ["service", served]] as const) {
  let requests = 0;
  while (requests < 100_000) {
    ({ requests } = {
      requests: requests +
        (await load(server, { path, body, seconds: 1 })).requests,
    });
  }
  console.log(
    `resident after ${requests} requests: ${name} ${
      residentMemory(server).toFixed(0)
    } MB`,
  );
  await stop(server);
}
