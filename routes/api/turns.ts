/**
 * A queue that does slow requests in turns of the event loop.
 *
 * @module
 */
import { setImmediate } from "node:timers";
import type { Client } from "../../http/context.ts";
import { InFlight, type InFlightLimit } from "../../http/in_flight.ts";
import { Problem } from "../../http/problem.ts";

/**
 * The maximum number of queued requests. Together they take 0.8 s of CPU. A
 * client may send all 60 requests of its minute at once.
 */
export const MAX_WAITING: InFlightLimit = {
  process: 256,
  network: 64,
  client: 64,
};

/**
 * The length of a turn. A request that has begun is not interrupted.
 */
const TURN_MS = 3;

export const TOO_MANY_WAITING: Problem = new Problem(
  503,
  "Too many slow requests are queued.",
  { headers: { "retry-after": "1" } },
);

/**
 * Does the work of slow requests in turns, in the order of arrival. After each turn,
 * the process serves all other requests. Without this, many slow requests that arrive
 * together delay all others by the sum of their times.
 */
export class Turns {
  readonly #inFlight = new InFlight(MAX_WAITING);
  readonly #waiting: (() => void)[] = [];

  /**
   * Returns the result of some work, which is done in its turn, or at once a problem
   * if too many requests are queued. It rejects if the work throws.
   */
  async do<T>(work: () => T, client: Client): Promise<T | Problem> {
    using place = this.#inFlight.take(client);
    if (place === undefined) return TOO_MANY_WAITING;
    const { promise, resolve } = Promise.withResolvers<T>();
    this.#waiting.push(() => resolve(Promise.try(work)));
    if (this.#waiting.length === 1) setImmediate(() => this.#turn());
    return await promise;
  }

  async drain(): Promise<void> {
    while (this.#waiting.length > 0) {
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  #turn(): void {
    const end = performance.now() + TURN_MS;
    while (this.#waiting.length > 0 && performance.now() < end) {
      this.#waiting.shift()!();
    }
    if (this.#waiting.length > 0) setImmediate(() => this.#turn());
  }
}
