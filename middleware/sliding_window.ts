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

/** A client, and a link in the chain that is sorted by when each last asked. */
interface Client {
  readonly key: string;
  /** When the counted requests were admitted: a ring. */
  times: number[];
  /** Where in the ring the oldest one stands. */
  oldest: number;
  /** How many of the ring's places are counted requests. */
  count: number;
  lastSeen: number;
  quieter: Client | undefined;
  fresher: Client | undefined;
}

/**
 * Admits a request when fewer than `limit` requests of its client were admitted
 * in the 60 seconds before it. A refused request does not count.
 *
 * There is no timer: clients that have been quiet for a window leave when
 * somebody asks. Memory is bounded: beyond `maxClients` the one that has been
 * quiet for longest leaves.
 *
 * @example
 * ```ts
 * import { SlidingWindow } from "./sliding_window.ts";
 * import { assert } from "@std/assert";
 *
 * const window = new SlidingWindow({ limit: 1, maxClients: 1000 });
 * assert(window.admit("192.0.2.1").admitted);
 * assert(!window.admit("192.0.2.1").admitted);
 * assert(window.admit("192.0.2.2").admitted);
 * ```
 */
export class SlidingWindow {
  readonly #limit: number;
  readonly #maxClients: number;
  readonly #now: () => number;
  readonly #onEvict: (() => void) | undefined;
  readonly #clients = new Map<string, Client>();
  #quietest: Client | undefined;
  #freshest: Client | undefined;

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
    return this.#clients.size;
  }

  /**
   * Decides on a request of a client, and counts it if it is admitted.
   *
   * @param key what the client's budget is kept under
   * @returns whether the request may go on, and how the budget stands after it
   */
  admit(key: string): Decision {
    const now = this.#now();
    this.#dropQuiet(now);
    const client = this.#clients.get(key) ?? this.#enter(key);
    this.#refresh(client, now);

    const { times } = client;
    while (client.count > 0 && now - times[client.oldest]! >= WINDOW_MS) {
      client.oldest = (client.oldest + 1) % times.length;
      client.count--;
    }
    const admitted = client.count < this.#limit;
    if (admitted) {
      if (client.count === times.length) widen(client, this.#limit);
      client.times[(client.oldest + client.count) % client.times.length] = now;
      client.count++;
    }
    return {
      admitted,
      remaining: this.#limit - client.count,
      resetMs: WINDOW_MS - (now - client.times[client.oldest]!),
    };
  }

  /** Forgets the clients that have not asked for a window. */
  #dropQuiet(now: number): void {
    while (
      this.#quietest !== undefined &&
      now - this.#quietest.lastSeen >= WINDOW_MS
    ) {
      this.#dropQuietest();
    }
  }

  #dropQuietest(): void {
    const client = this.#quietest!;
    this.#clients.delete(client.key);
    this.#quietest = client.fresher;
    if (this.#quietest === undefined) this.#freshest = undefined;
    else this.#quietest.quieter = undefined;
  }

  #enter(key: string): Client {
    if (this.#clients.size === this.#maxClients) {
      this.#dropQuietest();
      this.#onEvict?.();
    }
    const client: Client = {
      key,
      times: [],
      oldest: 0,
      count: 0,
      lastSeen: 0,
      quieter: this.#freshest,
      fresher: undefined,
    };
    if (this.#freshest === undefined) this.#quietest = client;
    else this.#freshest.fresher = client;
    this.#freshest = client;
    this.#clients.set(key, client);
    return client;
  }

  /** Moves a client to the fresh end of the chain. */
  #refresh(client: Client, now: number): void {
    client.lastSeen = now;
    const { quieter, fresher } = client;
    if (fresher === undefined) return;
    fresher.quieter = quieter;
    if (quieter === undefined) this.#quietest = fresher;
    else quieter.fresher = fresher;
    client.quieter = this.#freshest;
    client.fresher = undefined;
    this.#freshest!.fresher = client;
    this.#freshest = client;
  }
}

/** Doubles the places of a full ring, up to the limit. */
function widen(client: Client, limit: number): void {
  const { times, oldest } = client;
  const ordered = [...times.slice(oldest), ...times.slice(0, oldest)];
  const length = Math.min(limit, Math.max(1, 2 * times.length));
  while (ordered.length < length) ordered.push(0);
  client.times = ordered;
  client.oldest = 0;
}
