/**
 * How much of what all clients share one client may hold, such as pending bodies.
 *
 * @module
 */
import type { Client } from "./context.ts";

/** Something that a client holds. */
export interface Held {
  /** The client; undefined counts only for the process. */
  readonly client: Client | undefined;
}

/** How many things may be held at one time. */
export interface ConcurrencyLimit {
  /** By all clients together. */
  readonly process: number;
  /** By the clients of one IPv6 /48, which a site usually gets (RFC 6177). */
  readonly network: number;
  /** By one client. */
  readonly client: number;
}

/**
 * Tells whether what a client wants to hold is too much for the process, the
 * client or its network. Only what is older counts: what is `held` before `own`.
 *
 * Scanning 1,000 entries takes some microseconds, but only if many are held;
 * counters would have to be kept for every request.
 */
export function exceeds(
  held: Iterable<Held>,
  own: Held,
  shares: ConcurrencyLimit,
): boolean {
  const { client } = own;
  let [ofProcess, ofNetwork, ofClient] = [0, 0, 0];
  for (const other of held) {
    if (other === own) break;
    ofProcess++;
    if (client === undefined || other.client === undefined) continue;
    if (other.client.key === client.key) ofClient++;
    if (client.network && other.client.network === client.network) ofNetwork++;
  }
  return ofProcess >= shares.process || ofClient >= shares.client ||
    ofNetwork >= shares.network;
}
