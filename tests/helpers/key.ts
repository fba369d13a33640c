/**
 * Clients of the rate limiter with readable names.
 *
 * @module
 */
import { createHash } from "node:crypto";
import type { Client } from "../../routes/context.ts";

/** The key of a client with this name. */
export function keyOf(name: string): string {
  const digest = createHash("sha256").update(name).digest();
  return `${digest.readInt32LE(0)}:${digest.readInt32LE(4)}`;
}

/** A client with this name. */
export function clientNamed(name: string): Client {
  return {
    ...{ key: keyOf(name), network: undefined, doubt: undefined },
    ...{ isExempt: false, isProxied: false },
  };
}
