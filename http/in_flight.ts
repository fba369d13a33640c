/**
 * Limits on what a client may hold at one time of what all clients share: bodies that
 * are still arriving, responses that are not read yet, slow requests.
 *
 * @module
 */
import type { Client } from "./context.ts";

/** How many things may be held at one time. */
export interface InFlightLimit {
  /** By all clients together. */
  readonly process: number;
  /** By the clients of one IPv6 /48, which a site usually gets (RFC 6177). */
  readonly network: number;
  /** By one client. */
  readonly client: number;
}

/** Counts what clients hold. Each operation takes constant time. */
export class InFlight {
  /** How much all clients hold together. */
  size = 0;
  /** How much each client and each network holds, of those that hold something. */
  readonly #counts = new Map<string, number>();

  constructor(private readonly limit: InFlightLimit) {}

  /**
   * Takes a place for a client.
   *
   * @returns what gives the place back; it must be disposed of once. Undefined if the
   *   process, the client or its network holds too much
   */
  take({ key, network }: Client): Disposable | undefined {
    const { limit } = this;
    const isFull = this.size >= limit.process ||
      this.#of(key) >= limit.client || this.#of(network) >= limit.network;
    if (isFull) return undefined;
    const add = (count: number) => {
      this.size += count;
      for (const name of [key, network]) {
        if (name === undefined) continue;
        const sum = this.#of(name) + count;
        if (sum === 0) this.#counts.delete(name);
        else this.#counts.set(name, sum);
      }
    };
    add(1);
    return { [Symbol.dispose]: () => add(-1) };
  }

  #of(name: string | undefined): number {
    return name === undefined ? 0 : this.#counts.get(name) ?? 0;
  }
}
