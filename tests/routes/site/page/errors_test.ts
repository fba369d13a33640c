import { assert, assertEquals } from "@std/assert";
import type { Refused } from "../../../../routes/api/endpoint.ts";
import { API } from "../../../../routes/api/mod.ts";
import { textsIn } from "../../../../routes/site/page/languages.ts";
import { REFUSALS } from "../../../helpers/refusals.ts";

/** What a message of the API is on the page, in Swedish, with its number. */
const TEXTS: [message: RegExp, text: string][] = [
  [/^At least one of/, "Välj minst en sorts"],
  [/32 different/, "högst 32"],
  [/16 different/, "högst 16"],
  [/U\+FFFD/, "och inte \ufffd"],
  [/leaves? out|Must leave|No char/, "finns inget kvar av ett teckenslag"],
  [/when \w+ is false/, "Bara 0 går: teckenslaget är inte valt"],
  [/length at least (\d+)/, "minst längden $1."],
  [/false: (lowercase|password)/, "Ingen bokstav är tillåten"],
  [/no place for a letter/, "Ingen bokstav får plats"],
  [/the hyphen must/, "Bindestrecket måste vara tillåtet"],
  [/if both cases/, "bara om högst ett av a–z och ett av A–Z krävs"],
  [/[Ff]ewer than 1 in/, "Ange ett högre tal"],
  [/counted in time/, "hinner inte räknas"],
  [/at most (\d+) .* bits/, "högst $1 bitar"],
  [/most (\d+), the max/, "Kräv högst $1 tecken, eller tillåt längre"],
  [/least (\d+), the min/, "Tillåt minst $1 tecken, eller kräv kortare"],
  [/least (\d+) with/, "Tillåt minst $1 tecken"],
  [/most (\d+) with these settings\.$/, "Kräv högst $1 tecken"],
  [/one word/, "Ett enda ord har inget mellanrum"],
];

Deno.test("the page has a text for each error that its settings can cause, whose numbers the API gives", () => {
  const texts = textsIn("sv");
  const untried = new Set(
    Object.keys(texts).filter((key) => key.startsWith("error.")),
  );
  const invalid = [
    { kind: "characters", body: { specialCharacterSet: "å" } },
    { kind: "characters", body: { excludeCharacters: "\ufffd" } },
    { kind: "words", body: { separatorSet: "å" } },
  ] as const;
  for (const { kind, body } of [...REFUSALS, ...invalid]) {
    const { errors, limits } = API[`/api/pwgen/${kind}`]!
      .passwords({ ...body }) as Refused;
    for (const [name, [message]] of Object.entries(errors)) {
      const row = TEXTS.find(([pattern]) => pattern.test(message!));
      // The page has no settings for the others, and asks for fewer passwords at once.
      if (row === undefined || name === "count") continue;
      const [pattern, part] = row;
      const limit = limits[name];
      const key = `error.${limit?.reason ?? name}`;
      const values = { ...limit } as Record<string, unknown>;
      const text = `${texts[key]}`
        .replace(/\{(\w+)\}/g, (_, value) => `${values[value]}`);
      const expected = pattern.exec(message!)![0].replace(pattern, part);
      assert(text.includes(expected), `${message}: ${text}`);
      untried.delete(key);
    }
  }
  assertEquals([...untried], []);
});
