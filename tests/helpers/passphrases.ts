/**
 * Passwords of words, listed by a second program.
 *
 * @module
 */
import type { PassphraseOptions } from "../../generators/passphrase.ts";
import { everyString } from "./strings.ts";

/** Every password of the lists, without regard to `maximumLength`. */
export function everyPassphrase(
  lists: readonly (readonly string[])[],
  options: PassphraseOptions,
): Set<string> {
  const { numberLength, numberPosition, separator } = options;
  const digits = everyString("0123456789", numberLength);
  const has = (place: string) =>
    numberLength > 0 && (numberPosition === place || numberPosition === "all");
  const join = (starts: string[], parts: string[]) =>
    starts.flatMap((start) =>
      parts.map((part) => start === "" ? part : start + separator + part)
    );
  let all = has("before") ? digits : [""];
  lists.forEach((list, i) => {
    const written = list.map((word) => {
      const first = word[0]!.toUpperCase() + word.slice(1);
      let text = {
        lower: word,
        upper: word.toUpperCase(),
        first: i === 0 ? first : word,
        title: first,
      }[options.casing];
      if (options.replaceSwedishCharacters) {
        text = text.normalize("NFD").replace(/[\u0300-\u036f]/g, "");
      }
      if (options.replaceWithSpecialCharacters) {
        for (
          const [letter, special] of ["a@", "i!", "s$", "h#"].map((p) => [...p])
        ) {
          text = text.split(letter!).join(special!)
            .split(letter!.toUpperCase()).join(special!);
        }
      }
      return text;
    });
    if (i > 0 && has("between")) all = join(all, digits);
    all = join(all, written);
  });
  return new Set(has("after") ? join(all, digits) : all);
}
