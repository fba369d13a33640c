/**
 * Clients of the rate limiter with readable names.
 *
 * @module
 */
import { createHash } from "node:crypto";
import type { ClientKey } from "../../middleware/limiters/sliding_window.ts";

/** The key of a client with this name. */
export function keyOf(name: string): ClientKey {
  const digest = createHash("sha256").update(name).digest();
  return { high: digest.readInt32LE(0), low: digest.readInt32LE(4) };
}
