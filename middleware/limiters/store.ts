/**
 * What a shared store of the rate limit is: its functions, its errors, and the
 * names of clients in it.
 *
 * @module
 */
import { hash } from "node:crypto";
import type { Decision } from "./sliding_window.ts";

/** The reason why a store cannot be used. */
export class StoreError extends Error {
  /** @ignore */
  override name = "StoreError";
  /** Whether a setting is wrong, so that waiting does not help. */
  readonly permanent: boolean;

  /** Makes an error whose message is the reason, for the log. */
  constructor(reason: string, { permanent = false } = {}) {
    super(reason);
    this.permanent = permanent;
  }
}

/** A store that counts the requests of all processes. */
export interface SharedStore {
  /** Its name in log lines. */
  readonly name: string;
  /** The deadline for a decision, in milliseconds. */
  readonly deadlineMs: number;
  /**
   * Connects, and checks that the store can decide.
   *
   * @param onLost called when the connection is lost
   * @throws {StoreError} if it cannot be used
   */
  connect(onLost: (error: StoreError) => void): Promise<void>;
  /**
   * Decides about a request, and counts it if it is admitted. It never asks the
   * store again after a lost reply, since the request may have been counted.
   *
   * @param key the key of the client
   * @returns the decision
   * @throws {StoreError} if the store cannot decide
   */
  admit(key: string): Promise<Decision>;
  /** Closes the connection. Decisions that are pending fail. */
  close(): void;
}

/**
 * Returns the name of a client in a shared store: 128 bits of a SHA-256 hash, in
 * hexadecimal. The key of the hash is the secret of all processes, so that the
 * store contains no address.
 */
export function pseudonym(secret: string, key: string): string {
  // HMAC (RFC 2104) would prevent length extension, which needs a message that an
  // attacker can extend. There is none here, and HMAC takes 11 us instead of 1.
  return hash("sha256", `${secret}:${key}`, "hex").slice(0, 32);
}

/** Makes a secret for {@linkcode pseudonym}: 256 random bits in Base64. */
export function newSecret(): string {
  return crypto.getRandomValues(new Uint8Array(32)).toBase64();
}

/** Makes the error for a store that is late. */
export function timeoutError(deadlineMs: number): StoreError {
  return new StoreError(`no answer within ${deadlineMs} ms`);
}
