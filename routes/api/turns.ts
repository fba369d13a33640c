/**
 * Turns of the event loop, for requests that can take a millisecond.
 *
 * @module
 */
import { setImmediate } from "node:timers";
import { Problem } from "../problem.ts";

/**
 * The maximum number of requests that wait. A turn takes 3 ms at most, so the last
 * one waits for less than a second.
 */
export const MAX_WAITING = 256;

/** The response if too many requests wait already. */
export const TOO_MANY_WAITING: Problem = new Problem(
  503,
  "Too many requests that take long are waiting at this time.",
  { headers: { "retry-after": "1" } },
);

/**
 * Gives each request a turn of the event loop of its own, in the order of arrival.
 * In between, the process serves all other requests. Without this, many such
 * requests that arrive together delay all others by the sum of their times.
 */
export class Turns {
  #waiting = 0;
  #last = Promise.resolve();

  /**
   * Waits for a turn.
   *
   * @returns undefined at the turn; a problem at once if too many requests wait
   */
  async next(): Promise<Problem | undefined> {
    if (this.#waiting === MAX_WAITING) return TOO_MANY_WAITING;
    this.#waiting++;
    this.#last = this.#last.then(() =>
      new Promise((resolve) => setImmediate(resolve))
    );
    await this.#last;
    this.#waiting--;
    return undefined;
  }

  /** Waits until each request has had its turn. */
  async drain(): Promise<void> {
    await this.#last;
  }
}
