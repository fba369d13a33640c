/**
 * Passwords of words, listed by a second program.
 *
 * @module
 */
import type { PassphraseOptions } from "../../generators/passphrase.ts";
import { writeWord } from "../oracle.ts";
import { everyString } from "./strings.ts";

/** Every password of the lists, without regard to `maximumLength`. */
export function everyPassphrase(
  lists: readonly (readonly string[])[],
  options: PassphraseOptions,
): Set<string> {
  const { numberLength, numberPosition, separator, separatorSet } = options;
  const gaps = separatorSet === "" ? [separator] : [...separatorSet];
  const digits = everyString("0123456789", numberLength);
  const has = (place: string) =>
    numberLength > 0 && (numberPosition === place || numberPosition === "all");
  const join = (starts: string[], parts: string[]) =>
    starts.flatMap((start) =>
      parts.flatMap((part) =>
        start === "" ? part : gaps.map((gap) => start + gap + part)
      )
    );
  let all = has("before") ? digits : [""];
  lists.forEach((list, i) => {
    const written = list.map((word) => writeWord(word, i === 0, options));
    if (i > 0 && has("between")) all = join(all, digits);
    all = join(all, written);
  });
  return new Set(has("after") ? join(all, digits) : all);
}
