/**
 * One deadline for many items.
 *
 * @module
 */

/**
 * How often the pending items are checked within their deadline. The age of an item
 * is counted in checks and not by a clock: a busy process makes few checks, so it
 * first reads what is in its sockets.
 */
const CHECKS = 10;

/**
 * The items that must be deleted within a deadline, or up to a tenth of it later.
 * They have one timer: one for each would cost a third of the throughput.
 */
export class Deadlines<Item> implements Iterable<Item> {
  /** The items, oldest first, with the number of checks before each. */
  readonly #items = new Map<Item, number>();
  #checks = 0;
  #timer: ReturnType<typeof setInterval> | undefined;

  /** `onLate` is called with each late item, after it is deleted. */
  constructor(
    private readonly deadlineMs: number,
    private readonly onLate: (item: Item) => void,
  ) {}

  get size(): number {
    return this.#items.size;
  }

  has(item: Item): boolean {
    return this.#items.has(item);
  }

  [Symbol.iterator](): Iterator<Item> {
    return this.#items.keys();
  }

  add(item: Item): void {
    this.#items.set(item, this.#checks);
    this.#timer ??= setInterval(() => this.#check(), this.deadlineMs / CHECKS);
  }

  delete(item: Item): void {
    this.#items.delete(item);
  }

  #check(): void {
    this.#checks++;
    for (const [item, checksBefore] of this.#items) {
      // The next check can come at once, so the deadline takes one more.
      if (this.#checks - checksBefore <= CHECKS) break;
      this.#items.delete(item);
      this.onLate(item);
    }
    if (this.#items.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
