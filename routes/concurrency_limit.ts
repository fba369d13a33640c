/**
 * How much of what all clients share one client may hold, such as pending bodies.
 *
 * @module
 */
import type { ClientKey } from "./context.ts";

/** Something that a client holds. */
export interface Held {
  /** The client; undefined counts only for the process. */
  readonly client: ClientKey | undefined;
}

/** How many may be held at one time. */
export interface ConcurrencyLimit {
  /** By all clients together. */
  readonly process: number;
  /** By the clients of one IPv6 /48, which a site usually gets (RFC 6177). */
  readonly network: number;
  /** By one client. */
  readonly client: number;
}

/**
 * Tells whether something is too much for the process, the client or its network.
 * Only what is older counts. Scanning 1,000 entries takes some microseconds, but
 * only if many are held; counters would have to be kept for every request.
 *
 * @param held what is held, oldest first
 * @param own what the client wants to hold; it may be in `held`
 * @param shares how many may be held
 * @returns true if it must be refused
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
    if (client === undefined || other.client?.high !== client.high) continue;
    const difference = other.client.low ^ client.low;
    if (difference >>> 16 === 0) ofNetwork++;
    if (difference === 0) ofClient++;
  }
  // IPv4 addresses with the same 48 bits of the key are no network of one site.
  return ofProcess >= shares.process || ofClient >= shares.client ||
    (client?.high !== -1 && ofNetwork >= shares.network);
}
