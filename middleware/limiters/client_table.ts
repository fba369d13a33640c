/**
 * The clients of the sliding window: a hash table, an LRU list and the
 * timestamps of admitted requests, all in typed arrays.
 *
 * Why not a Map: a client takes 88 bytes here and 246 in a Map. In a flood of new
 * clients a request takes 0.7 us here. With a Map as LRU list it takes 92 us. With
 * two Maps, where the older one is dropped when the newer one is full, it takes 5
 * to 7 us, with pauses of up to 168 ms. (The flood of bench/memory.ts with each of
 * these structures.)
 *
 * @module
 */
import type { ClientKey } from "../../routes/context.ts";

/** The index that marks the end of a linked list. */
export const NONE: number = -1;

/** The clients that a new table has room for. A full table doubles its size. */
const INITIAL_CAPACITY = 1024;

// The record of a client: eight int32s side by side, so that they share a cache
// line. With 100,000 clients nearly every access is a cache miss.
const RECORD_LENGTH = 8;
/** The two halves of the key. */
const HIGH = 0;
const LOW = 1;
/** The neighbours in the LRU list. NEXT also links the unused records. */
const PREVIOUS = 2;
const NEXT = 3;
/** The number of timestamps. */
const COUNT = 4;
/** The blocks of the oldest and of the newest timestamp. */
const HEAD = 5;
const TAIL = 6;
/** The position of the oldest timestamp in its block. */
const START = 7;

/** Timestamps per block. */
const BLOCK_LENGTH = 4;

/**
 * The timestamps of all clients: for each client a linked list of blocks. `at` is
 * where the client's record begins.
 */
class TimestampPool {
  #timestamps = new Float64Array(BLOCK_LENGTH * INITIAL_CAPACITY);
  /** The next block of the same client, or the next free block. */
  #next = new Int32Array(INITIAL_CAPACITY);
  #free = NONE;
  /** The number of blocks that were used at least once. */
  #used = 0;

  oldest(records: Int32Array, at: number): number {
    const block = records[at + HEAD]!;
    return this.#timestamps[BLOCK_LENGTH * block + records[at + START]!]!;
  }

  push(records: Int32Array, at: number, timestamp: number): void {
    const count = records[at + COUNT]!++;
    if (count === 0) {
      records[at + HEAD] = records[at + TAIL] = this.#allocate();
      records[at + START] = 0;
    }
    const position = (records[at + START]! + count) % BLOCK_LENGTH;
    if (count > 0 && position === 0) {
      const block = this.#allocate();
      this.#next[records[at + TAIL]!] = block;
      records[at + TAIL] = block;
    }
    this.#timestamps[BLOCK_LENGTH * records[at + TAIL]! + position] = timestamp;
  }

  removeOldest(records: Int32Array, at: number): void {
    const count = --records[at + COUNT]!;
    const start = (records[at + START]! + 1) % BLOCK_LENGTH;
    records[at + START] = start;
    if (start > 0 && count > 0) return;
    const block = records[at + HEAD]!;
    records[at + HEAD] = this.#next[block]!;
    this.#next[block] = this.#free;
    this.#free = block;
  }

  #allocate(): number {
    const block = this.#free;
    if (block !== NONE) {
      this.#free = this.#next[block]!;
      return block;
    }
    if (this.#used === this.#next.length) {
      this.#timestamps = doubled(this.#timestamps);
      this.#next = doubled(this.#next);
    }
    return this.#used++;
  }
}

function doubled<T extends Int32Array | Float64Array>(array: T): T {
  const larger = new (array.constructor as new (length: number) => T)(
    2 * array.length,
  );
  larger.set(array);
  return larger;
}

// Secret odd factors (multiply-shift hashing). A client chooses its addresses, at
// least with IPv6, and must not be able to choose some that collide.
const [HIGH_FACTOR, LOW_FACTOR] = crypto.getRandomValues(new Int32Array(2))
  .map((factor) => factor | 1) as unknown as [number, number];

/** Clients with their timestamps. A client is a number, the index of its record. */
export class ClientTable {
  #capacity = INITIAL_CAPACITY;
  #records = new Int32Array(RECORD_LENGTH * INITIAL_CAPACITY);
  #lastSeen = new Float64Array(INITIAL_CAPACITY);
  /** The hash table with linear probing. At most half of the slots are taken. */
  #slots = new Int32Array(2 * INITIAL_CAPACITY).fill(NONE);
  readonly #timestamps = new TimestampPool();
  #size = 0;
  /** The number of records that were used at least once. */
  #used = 0;
  #free = NONE;
  /** The ends of the LRU list. */
  #leastRecent = NONE;
  #mostRecent = NONE;

  /** The number of clients. */
  get size(): number {
    return this.#size;
  }

  /** The least recently seen client; {@linkcode NONE} in an empty table. */
  get leastRecent(): number {
    return this.#leastRecent;
  }

  /** The most recently seen client; {@linkcode NONE} in an empty table. */
  get mostRecent(): number {
    return this.#mostRecent;
  }

  /** Returns the time at which a client was last seen, in milliseconds. */
  lastSeen(client: number): number {
    return this.#lastSeen[client]!;
  }

  /** Returns a client; {@linkcode NONE} if the table does not have it. */
  find({ high, low }: ClientKey): number {
    let slot = this.#home(high, low);
    while (true) {
      const client = this.#slots[slot]!;
      if (client === NONE) return NONE;
      const at = client * RECORD_LENGTH;
      if (
        this.#records[at + LOW] === low && this.#records[at + HIGH] === high
      ) {
        return client;
      }
      slot = this.#after(slot);
    }
  }

  /**
   * Adds a client that the table does not have yet, as the most recently seen
   * one.
   */
  insert({ high, low }: ClientKey): number {
    let client = this.#free;
    if (client !== NONE) {
      this.#free = this.#records[client * RECORD_LENGTH + NEXT]!;
    } else {
      client = this.#used++;
      if (client === this.#capacity) this.#grow();
    }
    const at = client * RECORD_LENGTH;
    this.#records[at + HIGH] = high;
    this.#records[at + LOW] = low;
    this.#fillSlot(client);
    this.#append(client);
    this.#size++;
    return client;
  }

  /** Makes a client the most recently seen one, at `now` in milliseconds. */
  touch(client: number, now: number): void {
    this.#lastSeen[client] = now;
    if (client === this.#mostRecent) return;
    this.#unlink(client);
    this.#append(client);
  }

  /** Removes the least recently seen client. The table must not be empty. */
  removeLeastRecent(): void {
    const client = this.#leastRecent;
    this.#clearSlot(client);
    while (this.count(client) > 0) this.removeOldest(client);
    this.#unlink(client);
    this.#records[client * RECORD_LENGTH + NEXT] = this.#free;
    this.#free = client;
    this.#size--;
  }

  /** Returns how many timestamps a client has. */
  count(client: number): number {
    return this.#records[client * RECORD_LENGTH + COUNT]!;
  }

  /**
   * Returns the oldest timestamp of a client, which must have one, in
   * milliseconds.
   */
  oldest(client: number): number {
    return this.#timestamps.oldest(this.#records, client * RECORD_LENGTH);
  }

  /**
   * Adds a timestamp in milliseconds, not before the last one of the client. (An
   * earlier one would only leave the window late.)
   */
  push(client: number, timestamp: number): void {
    this.#timestamps.push(this.#records, client * RECORD_LENGTH, timestamp);
  }

  /** Removes the oldest timestamp of a client, which must have one. */
  removeOldest(client: number): void {
    this.#timestamps.removeOldest(this.#records, client * RECORD_LENGTH);
  }

  /** Appends a client to the LRU list. */
  #append(client: number): void {
    this.#records[client * RECORD_LENGTH + PREVIOUS] = this.#mostRecent;
    this.#records[client * RECORD_LENGTH + NEXT] = NONE;
    this.#setNext(this.#mostRecent, client);
    this.#mostRecent = client;
  }

  /** Takes a client out of the LRU list. */
  #unlink(client: number): void {
    const previous = this.#records[client * RECORD_LENGTH + PREVIOUS]!;
    const next = this.#records[client * RECORD_LENGTH + NEXT]!;
    this.#setNext(previous, next);
    if (next === NONE) this.#mostRecent = previous;
    else this.#records[next * RECORD_LENGTH + PREVIOUS] = previous;
  }

  #setNext(client: number, next: number): void {
    if (client === NONE) this.#leastRecent = next;
    else this.#records[client * RECORD_LENGTH + NEXT] = next;
  }

  #grow(): void {
    this.#capacity *= 2;
    this.#records = doubled(this.#records);
    this.#lastSeen = doubled(this.#lastSeen);
    const clients = this.#slots.filter((client) => client !== NONE);
    this.#slots = new Int32Array(2 * this.#capacity).fill(NONE);
    for (const client of clients) this.#fillSlot(client);
  }

  /** The slot where the search for a key begins. */
  #home(high: number, low: number): number {
    // The upper bits of the hash; there are 2 * #capacity slots.
    return (Math.imul(high, HIGH_FACTOR) + Math.imul(low, LOW_FACTOR)) >>>
      Math.clz32(this.#capacity);
  }

  #homeOf(client: number): number {
    const at = client * RECORD_LENGTH;
    return this.#home(this.#records[at + HIGH]!, this.#records[at + LOW]!);
  }

  #after(slot: number): number {
    return slot === this.#slots.length - 1 ? 0 : slot + 1;
  }

  #fillSlot(client: number): void {
    let slot = this.#homeOf(client);
    while (this.#slots[slot] !== NONE) slot = this.#after(slot);
    this.#slots[slot] = client;
  }

  #clearSlot(client: number): void {
    const slots = this.#slots;
    let gap = this.#homeOf(client);
    while (slots[gap] !== client) gap = this.#after(gap);
    // A search stops at a gap. So each client behind the gap moves into it, unless
    // its home lies between (Knuth, volume 3, section 6.4, algorithm R).
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
