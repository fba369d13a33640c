/**
 * The bound of the work for one request.
 *
 * @module
 */
import type { Refusal } from "./passwords.ts";

/** The most steps for a request: an addition or a multiplication is one. */
const MAX_STEPS = 800_000;

/** Thrown when the work for a request reaches its bound. */
export class TooMuchWork extends Error {
  constructor(readonly refusal: Refusal) {
    super(refusal.message);
  }
}

/**
 * Counts the steps of all counts for one request. (To predict them takes a formula, and
 * a formula that leaves out a factor allows work without a bound.)
 */
export class Work {
  #stepsLeft = MAX_STEPS;

  /** @param refusal what the request gets if it takes too many steps */
  constructor(private readonly refusal: Omit<Refusal, "limit">) {}

  /**
   * Must be called before each loop and each allocation of a count whose size a caller
   * chooses.
   *
   * @throws {TooMuchWork} if too few steps are left
   */
  spend(steps: number): void {
    this.#stepsLeft -= steps;
    if (this.#stepsLeft < 0) this.refuse();
  }

  /** Ends the work, since no way to count is known. */
  refuse(): never {
    throw new TooMuchWork({ ...this.refusal, limit: { reason: "time" } });
  }
}
