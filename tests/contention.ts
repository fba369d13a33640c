/**
 * Several processes on one KV file, all asked at once for the same clients.
 * As a program: the full size, ten runs. Usage: deno task bench:kv [runs]
 *
 * @module
 */
// deno-lint-ignore-file no-console
import { serve } from "./program.ts";

/** How many of what. */
export interface Contention {
  processes: number;
  clients: number;
  /** Requests of each client, spread over the processes. */
  requests: number;
}

/** What came of it. */
export interface Outcome {
  /** For each client, how many requests were answered with 200. */
  admitted: number[];
  /** Statuses other than 200 and 429. */
  others: number[];
  /** What the processes wrote to standard error. */
  errors: string;
  /** Milliseconds until the answer, of each request that was admitted. */
  latencies: number[];
  seconds: number;
}

/** Lets clients ask processes at once, within one window. */
export async function contend(
  { processes, clients, requests }: Contention,
): Promise<Outcome> {
  const folder = await Deno.makeTempDir();
  const env = {
    PWGEN_KV_PATH: `${folder}/rate.kv`,
    PWGEN_TRUSTED_PROXIES: "loopback",
  };
  const services = await Promise.all(
    Array.from({ length: processes }, () => serve({ task: "start:kv", env })),
  );
  const outcome: Outcome = {
    admitted: Array(clients).fill(0),
    others: [],
    errors: "",
    latencies: [],
    seconds: 0,
  };
  const start = performance.now();
  await Promise.all(services.map(async ({ url }, index) => {
    // Each process is asked by 16 at a time, in an order of its own.
    let next = index;
    const total = clients * requests;
    await Promise.all(Array.from({ length: 16 }, async () => {
      for (let i = next; i < total; i = next) {
        next += processes;
        const client = Math.floor(i / processes) % clients;
        const asked = performance.now();
        const response = await fetch(`${url}/api/pwgen/characters`, {
          method: "POST",
          headers: {
            "content-type": "application/json",
            "x-forwarded-for": `192.0.2.${client}`,
          },
          body: "{}",
        });
        await response.body?.cancel();
        if (response.status === 200) {
          outcome.admitted[client]!++;
          outcome.latencies.push(performance.now() - asked);
        } else if (response.status !== 429) {
          outcome.others.push(response.status);
        }
      }
    }));
  }));
  outcome.seconds = (performance.now() - start) / 1000;
  for (const service of services) {
    await service[Symbol.asyncDispose]();
    outcome.errors += service.stderr.text;
  }
  await Deno.remove(folder, { recursive: true });
  return outcome;
}

if (import.meta.main) {
  let worst = 0;
  for (let run = 1; run <= Number(Deno.args[0] ?? 10); run++) {
    const { admitted, others, errors, latencies, seconds } = await contend({
      processes: 8,
      clients: 20,
      requests: 2000,
    });
    latencies.sort((a, b) => a - b);
    const quantile = (q: number) =>
      latencies[Math.floor(latencies.length * q)]!.toFixed(0);
    worst = Math.max(worst, ...admitted.map((n) => n - 60));
    console.log(
      `run ${run}: admitted ${Math.min(...admitted)} to ${
        Math.max(...admitted)
      } of each client, ${others.length} other answers, ${
        seconds.toFixed(1)
      } s, ` +
        `admission p50 ${quantile(0.5)} ms, p99 ${quantile(0.99)} ms` +
        (errors ? `\n${errors}` : ""),
    );
  }
  console.log(`worst over-admission: ${worst}`);
}
