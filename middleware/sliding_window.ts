/**
 * The exact sliding window, in memory.
 *
 * @module
 */

/** The length of the window, in milliseconds. */
export const WINDOW_MS = 60_000;

/** What the limiter says of one request. */
export interface Decision {
  /** Whether the request may go on. */
  readonly admitted: boolean;
  /** How many further requests would be admitted now. */
  readonly remaining: number;
  /** Until the oldest counted request leaves the window, in milliseconds. */
  readonly resetMs: number;
}

/**
 * What a client's budget is kept under: 64 bits in two halves, each an int32.
 * Numbers, since a string made anew for each request costs a hash map ten times
 * as much.
 */
export interface BudgetKey {
  /** The first 32 bits. */
  readonly high: number;
  /** The last 32 bits. */
  readonly low: number;
}

/** Decides how many requests of a client are admitted. */
export interface Window {
  /**
   * Decides on a request of a client, and counts it if it is admitted.
   *
   * @param key what the client's budget is kept under
   * @returns whether the request may go on, and how the budget stands after
   *   it; at once where that can be known at once
   */
  admit(key: BudgetKey): Decision | Promise<Decision>;
}

/** How many requests, of how many clients. */
export interface SlidingWindowOptions {
  /** Requests admitted to a client in a window, at least 1. */
  readonly limit: number;
  /** Clients remembered at most, at least 1. */
  readonly maxClients: number;
  /**
   * A clock that never goes back, in milliseconds. The default is
   * `performance.now`, which a changed wall clock does not move.
   */
  readonly now?: () => number;
  /** Called for each client that leaves although it was not quiet. */
  readonly onEvict?: () => void;
}

/** The first places for clients; there are twice as many whenever they are full. */
const FIRST_CAPACITY = 1024;

/** Quiet clients that leave at one request at most: it must not take long. */
const MAX_LEAVING = 1000;

/** No client: the end of a chain. */
const NONE = -1;

/**
 * Admits a request when fewer than `limit` requests of its client were admitted
 * in the 60 seconds before it. A refused request does not count.
 *
 * There is no timer: clients that have been quiet for a window leave when
 * somebody asks, all of them at once if nobody else is there, otherwise up to
 * 1,000 at one request. Memory is bounded: beyond `maxClients` the one that has been
 * quiet for longest leaves.
 *
 * A client is a number, its place in typed arrays, and is found by a hash table
 * that is a typed array too: 56 bytes, where a map from strings to objects, each
 * with an array of times, took 350.
 *
 * @example
 * ```ts
 * import { SlidingWindow } from "./sliding_window.ts";
 * import { assert } from "@std/assert";
 *
 * const window = new SlidingWindow({ limit: 1, maxClients: 1000 });
 * const key = { high: -1, low: 0x7f000001 };
 * assert(window.admit(key).admitted);
 * assert(!window.admit(key).admitted);
 * assert(window.admit("192.0.2.2").admitted);
 * ```
 */
export class SlidingWindow implements Window {
  readonly #limit: number;
  readonly #maxClients: number;
  readonly #now: () => number;
  readonly #onEvict: (() => void) | undefined;
  #size = 0;
  #places = new Places(FIRST_CAPACITY);
  /** Places in use or used before; those above were never used. */
  #used = 0;
  /** A place that a client has left, and by `fresher` further ones. */
  #free = NONE;
  /** The ends of the chain that is sorted by when each client last asked. */
  #quietest = NONE;
  #freshest = NONE;

  /**
   * Starts with no client known.
   *
   * @param options how many requests, of how many clients
   */
  constructor(options: SlidingWindowOptions) {
    this.#limit = options.limit;
    this.#maxClients = options.maxClients;
    this.#now = options.now ?? (() => performance.now());
    this.#onEvict = options.onEvict;
  }

  /** How many clients are remembered. */
  get size(): number {
    return this.#size;
  }

  /**
   * Decides on a request of a client, and counts it if it is admitted.
   *
   * @param key what the client's budget is kept under
   * @returns whether the request may go on, and how the budget stands after it
   */
  admit(key: BudgetKey): Decision {
    const now = this.#now();
    this.#dropQuiet(now);
    let client = this.#places.find(key);
    if (client === NONE) client = this.#enter(key);
    this.#refresh(client, now);

    const places = this.#places;
    while (
      places.counts[client]! > 0 && now - places.oldest(client) >= WINDOW_MS
    ) {
      places.dropOldest(client);
    }
    const admitted = places.counts[client]! < this.#limit;
    if (admitted) places.add(client, now, this.#limit);
    return {
      admitted,
      remaining: this.#limit - places.counts[client]!,
      resetMs: WINDOW_MS - (now - places.oldest(client)),
    };
  }

  /** Forgets clients that have not asked for a window. */
  #dropQuiet(now: number): void {
    const { lastSeen } = this.#places;
    const isQuiet = (client: number) =>
      client !== NONE && now - lastSeen[client]! >= WINDOW_MS;
    if (!isQuiet(this.#quietest)) return;
    if (isQuiet(this.#freshest)) {
      // All of them: nothing is left of what they took.
      this.#size = 0;
      this.#places = new Places(FIRST_CAPACITY);
      this.#used = 0;
      this.#free = this.#quietest = this.#freshest = NONE;
      return;
    }
    for (let i = 0; i < MAX_LEAVING && isQuiet(this.#quietest); i++) {
      this.#dropQuietest();
    }
  }

  #dropQuietest(): void {
    const { rings, counts, quieter, fresher } = this.#places;
    const client = this.#quietest;
    this.#places.remove(client);
    this.#size--;
    rings[client] = undefined;
    counts[client] = 0;
    this.#quietest = fresher[client]!;
    if (this.#quietest === NONE) this.#freshest = NONE;
    else quieter[this.#quietest] = NONE;
    fresher[client] = this.#free;
    this.#free = client;
  }

  /** Gives a client a place, at the fresh end of the chain. */
  #enter(key: BudgetKey): number {
    if (this.#size === this.#maxClients) {
      this.#dropQuietest();
      this.#onEvict?.();
    }
    let client = this.#free;
    if (client !== NONE) {
      this.#free = this.#places.fresher[client]!;
    } else {
      client = this.#used++;
      if (client === this.#places.capacity) {
        this.#places = this.#places.doubled();
      }
    }
    this.#places.put(key, client);
    this.#size++;
    const { quieter, fresher } = this.#places;
    quieter[client] = this.#freshest;
    fresher[client] = NONE;
    if (this.#freshest === NONE) this.#quietest = client;
    else fresher[this.#freshest] = client;
    this.#freshest = client;
    return client;
  }

  /** Moves a client to the fresh end of the chain. */
  #refresh(client: number, now: number): void {
    const { lastSeen, quieter, fresher } = this.#places;
    lastSeen[client] = now;
    const [before, after] = [quieter[client]!, fresher[client]!];
    if (after === NONE) return;
    quieter[after] = before;
    if (before === NONE) this.#quietest = after;
    else fresher[before] = after;
    quieter[client] = this.#freshest;
    fresher[client] = NONE;
    fresher[this.#freshest] = client;
    this.#freshest = client;
  }
}

// Odd factors that nobody outside knows: who chooses its addresses, as with IPv6
// one can, must not be able to choose such as fall together (multiply-shift
// hashing).
const [HIGH_FACTOR, LOW_FACTOR] = crypto.getRandomValues(new Int32Array(2))
  .map((factor) => factor | 1) as unknown as [number, number];

/** What is known of each client, by its place. */
class Places {
  readonly capacity: number;
  /** The keys, by halves. */
  readonly highs: Int32Array;
  readonly lows: Int32Array;
  readonly lastSeen: Float64Array;
  readonly quieter: Int32Array;
  readonly fresher: Int32Array;
  /** How many requests count. */
  readonly counts: Uint16Array;
  /** When the one counted request was admitted, where it is but one. */
  readonly times: Float64Array;
  /** When the counted requests were admitted, where they were more. */
  readonly rings: (number[] | undefined)[];
  /** Where in its ring the oldest one stands. */
  readonly heads: Uint16Array;
  /**
   * The hash table: clients by their keys, each in the first free slot from
   * where it belongs. Half of the slots at most are taken.
   */
  readonly slots: Int32Array;
  /** What leaves of 32 bits those that number the slots. */
  readonly #shift: number;

  constructor(capacity: number) {
    this.capacity = capacity;
    this.highs = new Int32Array(capacity);
    this.lows = new Int32Array(capacity);
    this.slots = new Int32Array(2 * capacity).fill(NONE);
    this.#shift = Math.clz32(2 * capacity) + 1;
    this.lastSeen = new Float64Array(capacity);
    this.quieter = new Int32Array(capacity);
    this.fresher = new Int32Array(capacity);
    this.counts = new Uint16Array(capacity);
    this.times = new Float64Array(capacity);
    this.heads = new Uint16Array(capacity);
    // In full: written to here and there, it would turn into a slow one.
    this.rings = new Array(capacity).fill(undefined);
  }

  /** The same clients, with as many places again. */
  doubled(): Places {
    const larger = new Places(2 * this.capacity);
    larger.highs.set(this.highs);
    larger.lows.set(this.lows);
    larger.lastSeen.set(this.lastSeen);
    larger.quieter.set(this.quieter);
    larger.fresher.set(this.fresher);
    larger.counts.set(this.counts);
    larger.times.set(this.times);
    larger.heads.set(this.heads);
    for (let client = 0; client < this.capacity; client++) {
      larger.rings[client] = this.rings[client];
    }
    for (const client of this.slots) {
      if (client !== NONE) larger.#link(client);
    }
    return larger;
  }

  /** Where a key belongs in the hash table. */
  #home(high: number, low: number): number {
    return (Math.imul(high, HIGH_FACTOR) + Math.imul(low, LOW_FACTOR)) >>>
      this.#shift;
  }

  /** The client of a key; NONE if it has none. */
  find({ high, low }: BudgetKey): number {
    const { slots, highs, lows } = this;
    const last = slots.length - 1;
    let slot = this.#home(high, low);
    while (true) {
      const client = slots[slot]!;
      if (
        client === NONE || (lows[client] === low && highs[client] === high)
      ) return client;
      slot = slot === last ? 0 : slot + 1;
    }
  }

  /** Makes a client known under a key that is not known yet. */
  put({ high, low }: BudgetKey, client: number): void {
    this.highs[client] = high;
    this.lows[client] = low;
    this.#link(client);
  }

  #link(client: number): void {
    const { slots } = this;
    let slot = this.#home(this.highs[client]!, this.lows[client]!);
    while (slots[slot] !== NONE) {
      slot = slot === slots.length - 1 ? 0 : slot + 1;
    }
    slots[slot] = client;
  }

  /** Takes a client out of the hash table. */
  remove(client: number): void {
    const { slots, highs, lows } = this;
    const last = slots.length - 1;
    let gap = this.#home(highs[client]!, lows[client]!);
    while (slots[gap] !== client) gap = gap === last ? 0 : gap + 1;
    // Those behind it move up, unless they stand where they belong: a search
    // stops at a gap. (Knuth, volume 3, 6.4, algorithm R.)
    for (let slot = gap;;) {
      slot = slot === last ? 0 : slot + 1;
      const other = slots[slot]!;
      if (other === NONE) break;
      const home = this.#home(highs[other]!, lows[other]!);
      const between = gap < slot
        ? gap < home && home <= slot
        : gap < home || home <= slot;
      if (between) continue;
      slots[gap] = other;
      gap = slot;
    }
    slots[gap] = NONE;
  }

  /** When the oldest counted request was admitted. */
  oldest(client: number): number {
    const ring = this.rings[client];
    return ring === undefined
      ? this.times[client]!
      : ring[this.heads[client]!]!;
  }

  dropOldest(client: number): void {
    const ring = this.rings[client];
    if (ring !== undefined) {
      this.heads[client] = (this.heads[client]! + 1) % ring.length;
    }
    this.counts[client]!--;
  }

  add(client: number, now: number, limit: number): void {
    const count = this.counts[client]!++;
    let ring = this.rings[client];
    if (ring === undefined) {
      if (count === 0) {
        this.times[client] = now;
        return;
      }
      ring = this.rings[client] = [this.times[client]!, now];
      this.heads[client] = 0;
      return;
    }
    if (count === ring.length) {
      // Twice the places, up to the limit, from the oldest on.
      const head = this.heads[client]!;
      const wider = ring.slice(head);
      for (let i = 0; i < head; i++) wider.push(ring[i]!);
      const length = Math.min(limit, 2 * count);
      while (wider.length < length) wider.push(0);
      ring = this.rings[client] = wider;
      this.heads[client] = 0;
    }
    ring[(this.heads[client]! + count) % ring.length] = now;
  }
}
