/**
 * Compares the service with the rate limiter in Redis and in memory, in pairs, and
 * measures the memory of Redis per client. Starts its own redis-server.
 *
 * Usage: deno task bench:store [--seconds 4] [--pairs 5]
 *
 * @module
 */
// deno-lint-ignore-file no-console
import { redisStore } from "../middleware/limiters/redis.ts";
import { readRedisUrl } from "../middleware/limiters/redis_url.ts";
import type { Running } from "../tests/helpers/program.ts";
import { NO_REDIS, startRedis } from "../tests/helpers/redis.ts";
import { median } from "../tests/helpers/statistics.ts";
import { stop } from "../tools/needs.ts";
import { cpuTime, loadAtRate, type RateReport, startService } from "./load.ts";
import { readOptions } from "./options.ts";

const { seconds, pairs } = readOptions({ seconds: 4, pairs: 5 });

if (NO_REDIS) {
  stop("Cannot find redis-server; install it (Debian: redis-server)");
}
await using redis = await startRedis();

/** The results of wrk, and the CPU time in microseconds per request. */
type Run = RateReport & { cpu: number };

const perSecond = ({ requests, seconds }: Run) => requests / seconds;

async function run(
  server: Running,
  rate: number,
  connections: number,
): Promise<Run> {
  const before = cpuTime(server);
  const report = await loadAtRate(server, { rate, seconds, connections });
  if (report.errors > 0) throw new Error(`${report.errors} failed requests`);
  return { ...report, cpu: (cpuTime(server) - before) / report.requests };
}

/** Loads both in turn, and prints the medians. */
async function compare(
  [memory, shared]: readonly [Running, Running],
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
  const medianOf = (get: (memory: Run, shared: Run) => number) =>
    median(measured.map(([memory, shared]) => get(memory, shared)));
  const line = (name: string, get: (memory: Run, shared: Run) => Run) =>
    console.log(
      `  ${name} ${
        medianOf((m, s) => perSecond(get(m, s))).toFixed(0).padStart(6)
      }` +
        `/s ${
          medianOf((m, s) => get(m, s).cpu).toFixed(1).padStart(5)
        } us CPU   ` +
        `p50 ${medianOf((m, s) => get(m, s).p50).toFixed(2)} ms   ` +
        `p99 ${medianOf((m, s) => get(m, s).p99).toFixed(2)} ms`,
    );
  console.log(
    `${connections} connections, ${rate ? `${rate}/s` : "as much as possible"}`,
  );
  line("memory", (memory) => memory);
  line("Redis ", (_, shared) => shared);
  console.log(
    `  Redis to memory, median of pairs: ${
      medianOf((m, s) => perSecond(s) / perSecond(m)).toFixed(2)
    } in requests/s, p99 ${
      medianOf((m, s) => s.p99 - m.p99).toFixed(2)
    } ms more\n`,
  );
}

async function speed(): Promise<void> {
  const env = { PWGEN_RATE_LIMIT: "10000" };
  await using memory = await startService(env);
  await using shared = await startService({
    ...env,
    PWGEN_RATE_LIMIT_STORE: redis.url,
  });
  const both = [memory, shared] as const;
  for (const server of both) await run(server, 0, 32); // warm-up
  for (const connections of [32, 256]) await compare(both, 0, connections);
  const capacity = perSecond(await run(shared, 0, 32));
  await compare(both, Math.round(capacity / 2), 32);
}

async function memoryPerClient(): Promise<void> {
  const used = async () =>
    Number(/used_memory:(\d+)/.exec(await redis.cli("INFO", "memory"))![1]);
  const address = readRedisUrl(redis.url)!;
  for (const [requests, clients] of [[1, 20_000], [60, 2000]] as const) {
    await redis.cli("FLUSHALL");
    const closing = new AbortController();
    const decide = await redisStore(address)
      .connect(closing.signal, () => {});
    const before = await used();
    for (let i = 0; i < requests; i++) {
      await Promise.all(
        Array.from(
          { length: clients },
          (_, low) => decide(`-1:${low}`, 60, 60_000),
        ),
      );
    }
    console.log(
      `Redis uses ${
        ((await used() - before) / clients).toFixed(0)
      } bytes for ` +
        `a client with ${requests} request(s)`,
    );
    closing.abort();
  }
}

await speed();
await memoryPerClient();
