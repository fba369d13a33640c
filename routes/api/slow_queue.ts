/**
 * A queue of slow requests, which other requests pass.
 *
 * @module
 */
import type { Client } from "../../http/context.ts";
import { InFlight, type InFlightLimit } from "../../http/in_flight.ts";
import { Problem } from "../../http/problem.ts";

/**
 * The maximum number of queued requests. A client may send all 60 requests of its minute at once.
 */
export const MAX_WAITING: InFlightLimit = {
  process: 256,
  network: 64,
  client: 64,
};

/** Importing node:timers would take a tenth of the time of a start. */
const afterOthers = (work: () => void) => globalThis.setImmediate(work);

/** The length of a time slice. A request that has begun is not interrupted. */
const SLICE_MS = 3;

export const TOO_MANY_WAITING: Problem = new Problem(
  503,
  "Too many slow requests are queued.",
  { "retry-after": "1" },
);

/**
 * Does the work of slow requests in time slices, in the order of arrival. After each
 * slice, the process serves all other requests. Without this, many slow requests that
 * arrive together delay all others by the sum of their times.
 */
export class SlowQueue {
  readonly #inFlight = new InFlight(MAX_WAITING);
  readonly #waiting: (() => void)[] = [];

  /**
   * Puts some work in the queue, and returns its result, or at once a problem if too
   * many requests are queued. It rejects if the work throws.
   */
  async run<T>(work: () => T, client: Client): Promise<T | Problem> {
    using place = this.#inFlight.take(client);
    if (place === undefined) return TOO_MANY_WAITING;
    const { promise, resolve } = Promise.withResolvers<T>();
    this.#waiting.push(() => resolve(Promise.try(work)));
    if (this.#waiting.length === 1) afterOthers(() => this.#runSlice());
    return await promise;
  }

  async drain(): Promise<void> {
    while (this.#waiting.length > 0) {
      await new Promise<void>((resolve) => afterOthers(resolve));
    }
  }

  #runSlice(): void {
    const end = performance.now() + SLICE_MS;
    while (this.#waiting.length > 0 && performance.now() < end) {
      this.#waiting.shift()!();
    }
    if (this.#waiting.length > 0) afterOthers(() => this.#runSlice());
  }
}
