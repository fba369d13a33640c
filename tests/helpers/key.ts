/**
 * Clients with readable names.
 *
 * @module
 */
import type { Client } from "../../http/context.ts";

/** A client with this name. */
export function clientNamed(name: string): Client {
  return {
    address: [0, 0, 0, 0],
    key: name,
    network: undefined,
    doubt: undefined,
    isExempt: false,
    isProxied: false,
  };
}
