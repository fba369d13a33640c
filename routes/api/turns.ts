/**
 * The turns of the clients: which request is answered next.
 *
 * @module
 */
import type { Client } from "../../http/context.ts";
import { InFlight, type InFlightLimit } from "../../http/in_flight.ts";
import { Problem } from "../../http/problem.ts";

/**
 * The maximum number of requests that wait. With the rate limit of the contract, a client
 * has 60 at most.
 */
export const MAX_WAITING: InFlightLimit = {
  process: 2048,
  network: 512,
  client: 512,
  neighbour: 64,
};

/** How long work may take before other requests and connections are looked at. */
const SLICE_MS = 3;

export const TOO_MANY_WAITING: Problem = new Problem(
  503,
  "Too many requests are waiting for their turn.",
  { "retry-after": "1" },
);

/**
 * Does the work of requests in slices of time. Work begins at once while there is time in
 * the slice. What is left waits for the next slices, where each client has one request in
 * turn. Without this, dear requests that arrive together delay all others by the sum of
 * their times.
 */
export class Turns {
  readonly #inFlight = new InFlight(MAX_WAITING);
  /** The work that waits, by client; an IPv6 /48 counts as one. None before a slice is over. */
  readonly #waiting = new Map<string, (() => void)[]>();
  /** How long work of this slice has taken, in milliseconds. */
  #usedMs = 0;

  /**
   * Does the work of a request when it is the turn of its client: at once if there is
   * time, since an await would take 5 % of a request.
   *
   * @returns the result, or a problem if too many requests wait
   * @throws what the work throws
   */
  run<T>(
    work: () => T,
    client: Client,
  ): T | Promise<Awaited<T> | Problem> {
    return this.#usedMs < SLICE_MS ? this.#do(work) : this.#wait(work, client);
  }

  async #wait<T>(
    work: () => T,
    client: Client,
  ): Promise<Awaited<T> | Problem> {
    using place = this.#inFlight.take(client);
    if (place === undefined) return TOO_MANY_WAITING;
    const { promise, resolve } = Promise.withResolvers<T>();
    const share = client.network ?? client.key;
    const waiting = this.#waiting.get(share) ?? [];
    waiting.push(() => resolve(Promise.try(() => this.#do(work))));
    this.#waiting.set(share, waiting);
    return await promise;
  }

  /** Waits until no request waits. */
  async drain(): Promise<void> {
    while (this.#waiting.size > 0) {
      await new Promise((resolve) => setTimeout(resolve));
    }
  }

  /** Does some work, and begins another slice after it if this one is over. */
  #do<T>(work: () => T): T {
    const start = performance.now();
    try {
      return work();
    } finally {
      const isOver = this.#usedMs >= SLICE_MS;
      this.#usedMs += performance.now() - start;
      if (!isOver && this.#usedMs >= SLICE_MS) {
        // After all other events that are due.
        setTimeout(() => this.#runSlice());
      }
    }
  }

  #runSlice(): void {
    this.#usedMs = 0;
    for (const [share, waiting] of this.#waiting) {
      if (this.#usedMs >= SLICE_MS) return;
      // To the end of the map: the next turn of the client.
      this.#waiting.delete(share);
      if (waiting.length > 1) this.#waiting.set(share, waiting);
      waiting.shift()!();
    }
  }
}
