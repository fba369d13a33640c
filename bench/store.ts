/**
 * The whole service with Redis behind the rate limit, against the same service
 * that counts in memory, in pairs on the same machine; what a client costs Redis
 * in memory; and whether 8 processes ever admit too many requests, idle and
 * beside two programs that use both cores. Starts a redis-server of its own.
 *
 * Usage: deno task bench:store [--seconds 4] [--pairs 5] [--runs 10]
 *
 * @module
 */
// deno-lint-ignore-file no-console
import { parseArgs } from "node:util";
import { readRedisUrl, RedisStore } from "../middleware/limiters/redis.ts";
import { contend } from "../tests/helpers/contention.ts";
import { serve } from "../tests/helpers/program.ts";
import { startRedis } from "../tests/helpers/redis.ts";
import {
  cpuTime,
  loadAtRate,
  median,
  type RateReport,
  type Server,
  startService,
  stop,
} from "./load.ts";

const { values } = parseArgs({
  options: {
    seconds: { type: "string", default: "4" },
    pairs: { type: "string", default: "5" },
    runs: { type: "string", default: "10" },
  },
});
const seconds = Number(values.seconds);
const pairs = Number(values.pairs);
const runs = Number(values.runs);

await using redis = await startRedis();

/** What a run of wrk tells, with the CPU time in microseconds a request. */
type Run = RateReport & { cpu: number };

const perSecond = ({ requests, seconds }: Run) => requests / seconds;

async function run(
  { url, process }: Server,
  rate: number,
  connections: number,
): Promise<Run> {
  const before = cpuTime(process.pid);
  const report = await loadAtRate(url, { rate, seconds, connections });
  if (report.errors > 0) throw new Error(`${report.errors} failed requests`);
  return { ...report, cpu: (cpuTime(process.pid) - before) / report.requests };
}

/** Drives both in turn, and prints the medians. */
async function compare(
  [memory, shared]: [Server, Server],
  rate: number,
  connections: number,
): Promise<void> {
  const measured: [Run, Run][] = [];
  for (let pair = 0; pair < pairs; pair++) {
    measured.push([
      await run(memory, rate, connections),
      await run(shared, rate, connections),
    ]);
  }
  const of = (get: (memory: Run, shared: Run) => number) =>
    median(measured.map(([memory, shared]) => get(memory, shared)));
  const line = (name: string, get: (memory: Run, shared: Run) => Run) =>
    console.log(
      `  ${name} ${of((m, s) => perSecond(get(m, s))).toFixed(0).padStart(6)}` +
        `/s ${of((m, s) => get(m, s).cpu).toFixed(1).padStart(5)} us CPU   ` +
        `p50 ${of((m, s) => get(m, s).p50).toFixed(2)} ms   ` +
        `p99 ${of((m, s) => get(m, s).p99).toFixed(2)} ms`,
    );
  console.log(
    `${connections} connections, ${rate ? `${rate}/s` : "as much as possible"}`,
  );
  line("memory", (memory) => memory);
  line("Redis ", (_, shared) => shared);
  console.log(
    `  Redis to memory, median of pairs: ${
      of((m, s) => perSecond(s) / perSecond(m)).toFixed(2)
    } in requests/s, p99 ${of((m, s) => s.p99 - m.p99).toFixed(2)} ms more\n`,
  );
}

async function speed(): Promise<void> {
  const env = { PWGEN_RATE_LIMIT: "10000" };
  const both: [Server, Server] = [
    await startService(env),
    await startService({ ...env, PWGEN_RATE_LIMIT_STORE: redis.url }),
  ];
  for (const server of both) await run(server, 0, 32); // to warm up
  for (const connections of [32, 256]) await compare(both, 0, connections);
  const capacity = perSecond(await run(both[1], 0, 32));
  await compare(both, Math.round(capacity / 2), 32);
  for (const server of both) await stop(server);
}

async function memoryPerClient(): Promise<void> {
  const used = async () =>
    Number(/used_memory:(\d+)/.exec(await redis.cli("INFO", "memory"))![1]);
  const address = readRedisUrl(redis.url)!;
  for (const [requests, clients] of [[1, 20_000], [60, 2000]] as const) {
    await redis.cli("FLUSHALL");
    const store = new RedisStore({ limit: 60, address });
    await store.connect(() => {});
    const before = await used();
    for (let i = 0; i < requests; i++) {
      await Promise.all(
        Array.from(
          { length: clients },
          (_, low) => store.admit({ high: -1, low }),
        ),
      );
    }
    console.log(
      `Redis uses ${
        ((await used() - before) / clients).toFixed(0)
      } bytes for ` +
        `a client with ${requests} request(s)`,
    );
    store.close();
  }
}

async function exactness(name: string): Promise<void> {
  const env = {
    PWGEN_TRUSTED_PROXIES: "loopback",
    PWGEN_RATE_LIMIT_STORE: redis.url,
  };
  const services = await Promise.all(
    Array.from({ length: 8 }, () => serve({ env })),
  );
  let [least, most, slowest, failures] = [Infinity, 0, 0, 0];
  for (let i = 0; i < runs; i++) {
    const outcome = await contend(services, {
      clients: 20,
      network: `198.51.${i}`,
      requests: 2000,
    });
    least = Math.min(least, ...outcome.admitted);
    most = Math.max(most, ...outcome.admitted);
    slowest = Math.max(slowest, outcome.slowestMs);
    failures += outcome.failures.length;
  }
  let lines = "";
  for (const service of services) {
    await service[Symbol.asyncDispose]();
    lines += service.stderr.text;
  }
  console.log(
    `8 processes, ${name}: ${runs} runs, ${least} to ${most} of each ` +
      `client's 800 requests admitted, ${failures} failed, slowest answer ` +
      `${slowest.toFixed(0)} ms, outages: ${lines || "none"}`,
  );
}

await speed();
await memoryPerClient();
await redis.cli("FLUSHALL");
await exactness("idle machine");
await redis.cli("FLUSHALL");
const busy = [1, 2].map(() =>
  new Deno.Command(Deno.execPath(), { args: ["eval", "while (true);"] }).spawn()
);
await exactness("both cores busy");
for (const program of busy) {
  program.kill("SIGKILL");
  await program.status;
}
