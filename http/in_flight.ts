/**
 * Limits on what a client may hold at one time of what all clients share: bodies that
 * are still arriving, responses that are not read yet, slow requests.
 *
 * @module
 */
import type { Client } from "./context.ts";

/**
 * How much may be held at one time: things, or bytes. What is taken last can exceed a
 * limit.
 */
export interface InFlightLimit {
  /** By all clients together. */
  readonly process: number;
  /** By the clients of one IPv6 /48, which a site usually gets (RFC 6177). */
  readonly network: number;
  /** By one client. */
  readonly client: number;
  /**
   * By a client whose network holds too much, while half of `process` is free. The
   * default is nothing.
   */
  readonly neighbour?: number;
}

/** What a client holds. It must be disposed of once, which gives all of it back. */
export interface Place extends Disposable {
  /** Adds to it, even above a limit; does nothing after the disposal. */
  readonly add: (amount: number) => void;
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
   * @param client the client
   * @param amount how much it holds
   * @returns the place; undefined if the process, the client or its network holds too
   *   much
   */
  take({ key, network }: Client, amount = 1): Place | undefined {
    const { process, client, neighbour = 0, ...limit } = this.limit;
    const held = this.#of(key);
    const isNeighbour = held < neighbour && this.size < process / 2;
    const isFull = this.size >= process || held >= client ||
      (this.#of(network) >= limit.network && !isNeighbour);
    if (isFull) return undefined;
    let taken = 0;
    const change = (amount: number) => {
      taken += amount;
      this.size += amount;
      for (const name of [key, network]) {
        if (name === undefined) continue;
        const sum = this.#of(name) + amount;
        if (sum === 0) this.#counts.delete(name);
        else this.#counts.set(name, sum);
      }
    };
    change(amount);
    return {
      add: (more) => {
        if (taken > 0) change(more);
      },
      [Symbol.dispose]: () => change(-taken),
    };
  }

  #of(name: string | undefined): number {
    return name === undefined ? 0 : this.#counts.get(name) ?? 0;
  }
}
