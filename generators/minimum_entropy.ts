/**
 * The minimum strength of passwords: the smallest size that has it.
 *
 * @module
 */
import {
  type DrawnPasswords,
  impossible,
  type PasswordGenerator,
  type Passwords,
  type Refusal,
} from "./passwords.ts";
import { TooMuchWork } from "./work.ts";

/** The option that asks for a strength instead of a size, in bits. */
export const MINIMUM_ENTROPY = { default: 0, range: [0, 512] } as const;

/**
 * Formats bits with two decimals, rounded down, so that a password is never
 * called stronger than it is.
 *
 * @param bits the entropy, in bits
 * @returns such as "129.68"
 */
export function formatBits(bits: number): string {
  return (Math.floor(bits * 100) / 100).toFixed(2);
}

/** The passwords of several sizes. */
export interface Sizes {
  readonly passwords: PasswordGenerator;
  /** The option that makes passwords longer. */
  readonly option: string;
  /** The size that the options ask for. */
  readonly size: number;
  /** The greatest size. */
  readonly maximum: number;
}

/** Searches for the smallest size that has enough bits. */
function search(
  { passwords, option, size, maximum }: Sizes,
  minimumEntropy: number,
): DrawnPasswords | Refusal {
  const asked = passwords(size);
  if (asked.refusal) return asked.refusal();
  let [best, bits] = [size, asked.bits];
  if (bits >= minimumEntropy) return asked;
  for (let longer = size + 1; longer <= maximum; longer++) {
    const more = passwords(longer);
    if (more.refusal) continue;
    if (more.bits >= minimumEntropy) return more;
    if (more.bits > bits) [best, bits] = [longer, more.bits];
  }
  const most = Math.floor(bits);
  return {
    options: ["minimumEntropy"],
    limit: { reason: "entropy", maximum: most },
    message: `Must be at most ${most} with these settings: they reach ${
      formatBits(bits)
    } bits, with ${option} ${best}.`,
  };
}

/**
 * Returns the passwords of the smallest size that has `minimumEntropy`, from the size
 * that the options ask for. Whether they are refused is decided for this size; a greater
 * size that allows no password does not end the search.
 *
 * @param sizes the passwords of each size
 * @param minimumEntropy the minimum, in bits; 0 is none
 * @returns the passwords, or why there are none
 */
export function passwordsOfSize(
  sizes: Sizes,
  minimumEntropy: number,
): DrawnPasswords | Refusal {
  try {
    return search(sizes, minimumEntropy);
  } catch (error) {
    if (error instanceof TooMuchWork) return error.refusal;
    throw error;
  }
}

/**
 * The same passwords as the library returns them.
 *
 * @throws {RangeError} if there are none
 */
export function passwordsOrThrow(
  sizes: Sizes,
  minimumEntropy: number,
): Passwords {
  const passwords = passwordsOfSize(sizes, minimumEntropy);
  if ("message" in passwords) throw impossible(passwords);
  const { bits, generate } = passwords;
  return { bits, generate };
}
