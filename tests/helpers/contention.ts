/**
 * Requests to several processes at the same time, from the same clients.
 *
 * @module
 */
import { post, type Running } from "./program.ts";

/** The result of all requests. */
export interface Outcome {
  /** The number of responses with status 200 for each client. */
  readonly admitted: number[];
  /** The highest number that one process admitted for one client. */
  mostOfOneProcess: number;
  /** Responses other than 200 and 429, and errors of the connection. */
  readonly failures: string[];
  /** The number of requests with a response or an error. */
  requests: number;
  /** The time of the slowest request, in milliseconds. */
  slowestMs: number;
}

/** The requests to send. */
interface Contention {
  /** The number of clients, at most 256. */
  readonly clients: number;
  /** The first three numbers of the addresses, such as 192.0.2. */
  readonly network: string;
  /** The number of requests to each process. */
  readonly requests?: number;
  /** Stops sending. */
  readonly signal?: AbortSignal;
}

/** Sends requests to all processes, 16 at a time to each. */
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
        // Each process has another order of clients.
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
        const ms = performance.now() - start;
        outcome.slowestMs = Math.max(outcome.slowestMs, ms);
      }
    }));
    admitted.forEach((count, client) => outcome.admitted[client]! += count);
    const most = Math.max(outcome.mostOfOneProcess, ...admitted);
    outcome.mostOfOneProcess = most;
  }));
  return outcome;
}
