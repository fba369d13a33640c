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
    if (client === undefined || other.client?.high !== client.high) continue;
    const difference = other.client.low ^ client.low;
    if (difference >>> 16 === 0) ofNetwork++;
    if (difference === 0) ofClient++;
  }
  // IPv4 keys with the same 48 bits have a /16 in common, which is not one site.
  return ofProcess >= shares.process || ofClient >= shares.client ||
    (client?.high !== -1 && ofNetwork >= shares.network);
}
