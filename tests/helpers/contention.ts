/**
 * Several processes asked at once for the same clients.
 *
 * @module
 */
import { post, type Running } from "./program.ts";

/** What came of it. */
export interface Outcome {
  /** For each client, how many requests were answered with 200. */
  readonly admitted: number[];
  /** The most that one process admitted of one client. */
  mostOfOneProcess: number;
  /** Answers other than 200 and 429, and what else went wrong. */
  readonly failures: string[];
  /** Requests that were answered. */
  requests: number;
  /** The longest that a request took, in milliseconds. */
  slowestMs: number;
}

/** How processes are asked. */
export interface Contention {
  /** How many clients, at most 256. */
  readonly clients: number;
  /** The first three numbers of their addresses, such as 192.0.2. */
  readonly network: string;
  /** Ends it when this many requests were sent to each process. */
  readonly requests?: number;
  /** Ends it when this is aborted. */
  readonly signal?: AbortSignal;
}

/** Lets clients ask processes at once, 16 requests at a time each. */
export async function contend(
  services: readonly Running[],
  { clients, network, requests = Infinity, signal }: Contention,
): Promise<Outcome> {
  const outcome: Outcome = {
    admitted: Array(clients).fill(0),
    mostOfOneProcess: 0,
    failures: [],
    requests: 0,
    slowestMs: 0,
  };
  await Promise.all(services.map(async ({ url }, offset) => {
    const admitted: number[] = Array(clients).fill(0);
    let sent = 0;
    await Promise.all(Array.from({ length: 16 }, async () => {
      while (sent < requests && !signal?.aborted) {
        // Each process is asked in an order of its own.
        const client = (sent++ + 7 * offset) % clients;
        const start = performance.now();
        try {
          const response = await post(`${url}/api/pwgen/characters`, "{}", {
            "x-forwarded-for": `${network}.${client}`,
          });
          const text = await response.text();
          if (response.status === 200) admitted[client]!++;
          else if (response.status !== 429) {
            outcome.failures.push(`${response.status} ${text}`);
          }
        } catch (error) {
          outcome.failures.push(String(error));
        }
        outcome.requests++;
        outcome.slowestMs = Math.max(
          outcome.slowestMs,
          performance.now() - start,
        );
      }
    }));
    admitted.forEach((count, client) => outcome.admitted[client]! += count);
    outcome.mostOfOneProcess = Math.max(
      outcome.mostOfOneProcess,
      ...admitted,
    );
  }));
  return outcome;
}
