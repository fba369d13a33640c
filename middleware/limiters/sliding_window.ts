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
export interface RateLimiter {
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
 * that is a typed array too, with nothing for the garbage collector to walk.
 *
 * @example
 * ```ts
 * import { SlidingWindowLimiter } from "./sliding_window.ts";
 * import { assert } from "@std/assert";
 *
 * const window = new SlidingWindowLimiter({ limit: 1, maxClients: 1000 });
 * const key = { high: -1, low: 0x7f000001 };
 * assert(window.admit(key).admitted);
 * assert(!window.admit(key).admitted);
 * assert(window.admit({ ...key, low: 1 }).admitted);
 * ```
 */
export class SlidingWindowLimiter implements RateLimiter {
  readonly #limit: number;
  readonly #maxClients: number;
  readonly #now: () => number;
  readonly #onEvict: (() => void) | undefined;
  #size = 0;
  #places = new Places(FIRST_CAPACITY);
  #times = new Times();
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
   * @param at when the request came, in milliseconds of the clock: now, or
   *   earlier if somebody else decided on it first
   * @returns whether the request may go on, and how the budget stands after it
   */
  admit(key: BudgetKey, at?: number): Decision {
    const now = this.#now();
    this.#dropQuiet(now);
    let client = this.#places.find(key);
    if (client === NONE) client = this.#enter(key);
    this.#refresh(client, now);

    const times = this.#times;
    const { records } = this.#places;
    const record = client * FIELDS;
    while (
      records[record + COUNT]! > 0 &&
      now - times.oldest(records, record) >= WINDOW_MS
    ) {
      times.dropOldest(records, record);
    }
    const admitted = records[record + COUNT]! < this.#limit;
    if (admitted) times.add(records, record, at ?? now);
    return {
      admitted,
      remaining: this.#limit - records[record + COUNT]!,
      resetMs: WINDOW_MS - (now - times.oldest(records, record)),
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
      this.#times = new Times();
      this.#used = 0;
      this.#free = this.#quietest = this.#freshest = NONE;
      return;
    }
    for (let i = 0; i < MAX_LEAVING && isQuiet(this.#quietest); i++) {
      this.#dropQuietest();
    }
  }

  #dropQuietest(): void {
    const { records } = this.#places;
    const client = this.#quietest;
    const at = client * FIELDS;
    this.#places.remove(client);
    this.#size--;
    while (records[at + COUNT]! > 0) this.#times.dropOldest(records, at);
    this.#quietest = records[at + FRESHER]!;
    if (this.#quietest === NONE) this.#freshest = NONE;
    else records[this.#quietest * FIELDS + QUIETER] = NONE;
    records[at + FRESHER] = this.#free;
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
      this.#free = this.#places.records[client * FIELDS + FRESHER]!;
    } else {
      client = this.#used++;
      if (client === this.#places.capacity) {
        this.#places = this.#places.doubled();
      }
    }
    this.#places.put(key, client);
    this.#size++;
    const { records } = this.#places;
    records[client * FIELDS + QUIETER] = this.#freshest;
    records[client * FIELDS + FRESHER] = NONE;
    if (this.#freshest === NONE) this.#quietest = client;
    else records[this.#freshest * FIELDS + FRESHER] = client;
    this.#freshest = client;
    return client;
  }

  /** Moves a client to the fresh end of the chain. */
  #refresh(client: number, now: number): void {
    const { records, lastSeen } = this.#places;
    lastSeen[client] = now;
    const at = client * FIELDS;
    const before = records[at + QUIETER]!;
    const after = records[at + FRESHER]!;
    if (after === NONE) return;
    records[after * FIELDS + QUIETER] = before;
    if (before === NONE) this.#quietest = after;
    else records[before * FIELDS + FRESHER] = after;
    records[at + QUIETER] = this.#freshest;
    records[at + FRESHER] = NONE;
    records[this.#freshest * FIELDS + FRESHER] = client;
    this.#freshest = client;
  }
}

// The fields of a record, eight int32s side by side: with 100,000 clients nearly
// every look at memory is one that no cache helps, and so it is one a client.
const FIELDS = 8;
/** The halves of the key. */
const HIGH = 0;
const LOW = 1;
/** The neighbours in the chain. */
const QUIETER = 2;
const FRESHER = 3;
/** How many requests count. */
const COUNT = 4;
/** The blocks of the oldest and of the newest of them. */
const HEAD = 5;
const TAIL = 6;
/** Where in its block the oldest one stands. */
const START = 7;

/** Times in a block. */
const BLOCK = 4;

/** When requests were admitted: for each client a chain of blocks. */
class Times {
  #times = new Float64Array(BLOCK * FIRST_CAPACITY);
  /** The block that follows; of a free block, another free one. */
  #next = new Int32Array(FIRST_CAPACITY);
  #free = NONE;
  /** Blocks in use or used before. */
  #used = 0;

  /** When the oldest counted request was admitted. */
  oldest(records: Int32Array, at: number): number {
    return this.#times[BLOCK * records[at + HEAD]! + records[at + START]!]!;
  }

  add(records: Int32Array, at: number, now: number): void {
    const count = records[at + COUNT]!++;
    if (count === 0) {
      records[at + HEAD] = records[at + TAIL] = this.#take();
      records[at + START] = 0;
    }
    const place = (records[at + START]! + count) % BLOCK;
    if (count > 0 && place === 0) {
      const block = this.#take();
      this.#next[records[at + TAIL]!] = block;
      records[at + TAIL] = block;
    }
    this.#times[BLOCK * records[at + TAIL]! + place] = now;
  }

  dropOldest(records: Int32Array, at: number): void {
    const count = --records[at + COUNT]!;
    const start = (records[at + START]! + 1) % BLOCK;
    records[at + START] = start;
    if (start > 0 && count > 0) return;
    const block = records[at + HEAD]!;
    records[at + HEAD] = this.#next[block]!;
    this.#next[block] = this.#free;
    this.#free = block;
  }

  #take(): number {
    const block = this.#free;
    if (block !== NONE) {
      this.#free = this.#next[block]!;
      return block;
    }
    if (this.#used === this.#next.length) {
      const [times, next] = [this.#times, this.#next];
      this.#times = new Float64Array(2 * times.length);
      this.#times.set(times);
      this.#next = new Int32Array(2 * next.length);
      this.#next.set(next);
    }
    return this.#used++;
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
  /** Of each client the fields above. */
  readonly records: Int32Array;
  readonly lastSeen: Float64Array;
  /**
   * The hash table: clients by their keys, each in the first free slot from
   * where it belongs. Half of the slots at most are taken.
   */
  readonly slots: Int32Array;
  /** What leaves of 32 bits those that number the slots. */
  readonly #shift: number;

  /** Makes room; the capacity is a power of two. */
  constructor(capacity: number) {
    this.capacity = capacity;
    this.records = new Int32Array(FIELDS * capacity);
    this.lastSeen = new Float64Array(capacity);
    this.slots = new Int32Array(2 * capacity).fill(NONE);
    this.#shift = Math.clz32(2 * capacity) + 1;
  }

  /** The same clients, with as many places again. */
  doubled(): Places {
    const larger = new Places(2 * this.capacity);
    larger.records.set(this.records);
    larger.lastSeen.set(this.lastSeen);
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

  #homeOf(client: number): number {
    const { records } = this;
    return this.#home(
      records[client * FIELDS + HIGH]!,
      records[client * FIELDS + LOW]!,
    );
  }

  #after(slot: number): number {
    return slot === this.slots.length - 1 ? 0 : slot + 1;
  }

  /** The client of a key; NONE if it has none. */
  find({ high, low }: BudgetKey): number {
    const { slots, records } = this;
    let slot = this.#home(high, low);
    while (true) {
      const client = slots[slot]!;
      if (
        client === NONE ||
        (records[client * FIELDS + LOW] === low &&
          records[client * FIELDS + HIGH] === high)
      ) return client;
      slot = this.#after(slot);
    }
  }

  /** Makes a client known under a key that is not known yet. */
  put({ high, low }: BudgetKey, client: number): void {
    this.records[client * FIELDS + HIGH] = high;
    this.records[client * FIELDS + LOW] = low;
    this.#link(client);
  }

  #link(client: number): void {
    let slot = this.#homeOf(client);
    while (this.slots[slot] !== NONE) slot = this.#after(slot);
    this.slots[slot] = client;
  }

  /** Takes a client out of the hash table. */
  remove(client: number): void {
    const { slots } = this;
    let gap = this.#homeOf(client);
    while (slots[gap] !== client) gap = this.#after(gap);
    // Those behind it move up, unless they stand between where they belong and
    // the gap: a search stops at a gap (Knuth, volume 3, 6.4, algorithm R).
    for (let slot = this.#after(gap); slots[slot] !== NONE;) {
      const home = this.#homeOf(slots[slot]!);
      const stays = gap < slot
        ? gap < home && home <= slot
        : gap < home || home <= slot;
      if (!stays) {
        slots[gap] = slots[slot]!;
        gap = slot;
      }
      slot = this.#after(slot);
    }
    slots[gap] = NONE;
  }
}
