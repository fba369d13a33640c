/**
 * The minimum strength of passwords: the smallest size that has it.
 *
 * @module
 */
import {
  type GeneratorResult,
  impossible,
  type PasswordGenerator,
  type Passwords,
  type Refusal,
  refusedResult,
} from "./passwords.ts";

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

/**
 * Returns the passwords of the smallest size that has `minimumEntropy`, from the size
 * in the options to a maximum; without a minimum, those of the size in the options.
 * A size that allows no password does not end the search.
 *
 * @param generator called with the options for each size
 * @param options they get each size, since a copy for each would only cost time
 * @param size the name of the option that makes passwords longer
 * @param maximum the last size
 * @returns the passwords, or why there are none
 */
export function withMinimumEntropy<
  Options extends { readonly minimumEntropy: number },
>(
  generator: PasswordGenerator<Options>,
  options: Options,
  size: keyof Options & string,
  maximum: number,
): GeneratorResult {
  const { minimumEntropy } = options;
  if (minimumEntropy === 0) return generator(options);
  const sizes = options as Record<typeof size, number>;
  let refusal: Refusal | undefined;
  let maxBits = -1;
  let best = 0;
  for (; sizes[size] <= maximum; sizes[size]++) {
    const result = generator(options);
    if (result.refusal) refusal ??= result.refusal;
    else if (result.bits >= minimumEntropy) return result;
    else if (result.bits > maxBits) {
      maxBits = result.bits;
      best = sizes[size];
    }
  }
  if (refusal && maxBits < 0) return refusedResult(refusal);
  return refusedResult({
    options: ["minimumEntropy"],
    explain: () =>
      `Must be at most ${Math.floor(maxBits)} with these settings: they reach ${
        formatBits(maxBits)
      } bits, with ${size} ${best}.`,
  });
}

/**
 * The same passwords as the library returns them.
 *
 * @throws {RangeError} if there are none
 */
export function passwordsOrThrow<
  Options extends { readonly minimumEntropy: number },
>(...search: Parameters<typeof withMinimumEntropy<Options>>): Passwords {
  const { bits, generate, refusal } = withMinimumEntropy(...search);
  if (refusal) throw impossible(refusal);
  return { bits, generate };
}
