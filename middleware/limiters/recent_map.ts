/**
 * A Map with a maximum size.
 *
 * @module
 */

/**
 * Remembers the values of keys, at most `maxSize` of them, and each for at least
 * `lifetimeMs` after its last use unless the map is full.
 *
 * There are two generations of keys: those used since the last rotation, and older
 * ones. A rotation drops all older keys at once, since finding the least recently
 * used key would cost more. It happens after each lifetime, and when `maxSize` is
 * reached.
 *
 * @example
 * ```ts
 * import { RecentMap } from "./recent_map.ts";
 * import { assertEquals } from "@std/assert";
 *
 * const map = new RecentMap<string>({ maxSize: 1000, lifetimeMs: 60_000 });
 * map.set("key", "value", performance.now());
 * assertEquals(map.get("key", performance.now()), "value");
 * ```
 */
export class RecentMap<Value> {
  #recent = new Map<string, Value>();
  #older = new Map<string, Value>();
  #rotatedAt = -Infinity;

  /**
   * Makes an empty map.
   *
   * @param options the size; the lifetime in milliseconds; and what is called with
   *   the values before they are dropped, and with the time
   */
  constructor(
    private readonly options: {
      readonly maxSize: number;
      readonly lifetimeMs: number;
      readonly onDrop?: (values: Iterable<Value>, now: number) => void;
    },
  ) {}

  /** The number of keys. */
  get size(): number {
    return this.#recent.size + this.#older.size;
  }

  /**
   * Uses a key.
   *
   * @param key the key
   * @param now the time, in milliseconds of a monotonic clock
   * @returns its value; undefined if it has none
   */
  get(key: string, now: number): Value | undefined {
    this.#expire(now);
    const recent = this.#recent.get(key);
    if (recent !== undefined) return recent;
    const value = this.#older.get(key);
    if (value !== undefined) this.set(key, value, now);
    return value;
  }

  /**
   * Sets the value of a key.
   *
   * @param key the key
   * @param value its value
   * @param now the time, in milliseconds of the clock
   */
  set(key: string, value: Value, now: number): void {
    this.#expire(now);
    this.#older.delete(key);
    if (2 * this.#recent.size + 2 > this.options.maxSize) this.#rotate(now);
    this.#recent.set(key, value);
  }

  #expire(now: number): void {
    if (now - this.#rotatedAt >= this.options.lifetimeMs) this.#rotate(now);
  }

  /** Drops the older keys, and makes the recent keys the older ones. */
  #rotate(now: number): void {
    const { lifetimeMs, onDrop } = this.options;
    onDrop?.(this.#older.values(), now);
    // After two lifetimes the recent keys have expired too.
    const isLate = now - this.#rotatedAt >= 2 * lifetimeMs;
    this.#older = isLate ? new Map() : this.#recent;
    this.#recent = new Map();
    this.#rotatedAt = now;
  }
}
