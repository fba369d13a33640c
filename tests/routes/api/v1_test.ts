/**
 * Version 1.0.0 of the API, frozen: a client that knows only its fields must see
 * no difference. Nothing here is read from the program, except the word lists.
 */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { WORDLISTS } from "../../../wordlists/mod.ts";
import {
  type CharacterSettings,
  countCharacters,
  countSentences,
  countWords,
  exactBits,
} from "../../helpers/entropy.ts";
import { Random, withSeed } from "../../helpers/random.ts";
import { JSON_TYPE, post, PROBLEM_TYPE } from "../../helpers/service.ts";
import { type Kind, V1, type V1Row } from "./field_tables.ts";

/** A value that the field takes, as a client may spell it. */
function validValue(random: Random, row: V1Row): unknown {
  switch (row.type) {
    case "boolean":
      return random.below(10) < 5;
    case "string":
      return random.pick(row.values);
    case "integer": {
      const [low, high] = row.range;
      const value = low + random.below(high - low + 1);
      return random.below(10) < 3 ? String(value) : value;
    }
  }
}

/** A value that the field does not take. */
function invalidValue(random: Random, row: V1Row): unknown {
  const any = [null, [], {}, "", "x", 1.5, " 5", "05", "+5", [5], -2, 2 ** 31];
  const more = {
    boolean: ["true", 0, 1],
    string: [true, "SV", "Title", "sv ", 0],
    integer: row.type === "integer"
      ? [row.range[1] + 1, String(row.range[0] - 1), true]
      : [],
  };
  return random.pick([...any, ...more[row.type]]);
}

const SPECIALS = "!#$%&()*+,-./:;<=>?@[]^_{|}~";
const CLASSES = {
  lowercase: /[a-z]/g,
  uppercase: /[A-Z]/g,
  numbers: /[0-9]/g,
  specialCharacters: /[^a-zA-Z0-9åäöÅÄÖ]/g,
  swedishCharacters: /[åäöÅÄÖ]/g,
};

function assertCharacters(
  password: string,
  settings: CharacterSettings,
): void {
  const { length, specialCharacterPercentage: percentage } = settings;
  assertEquals(password.length, length);
  const names = Object.keys(CLASSES) as (keyof typeof CLASSES)[];
  const enabled = names.filter((name) => settings[name]);
  const counts = Object.fromEntries(
    names.map((name) => [name, password.match(CLASSES[name])?.length ?? 0]),
  );
  for (const name of names) {
    assert(enabled.includes(name) || counts[name] === 0, name);
  }
  for (const c of password.match(CLASSES.specialCharacters) ?? []) {
    assert(SPECIALS.includes(c));
  }
  let [places, classes] = [length, enabled];
  if (settings.specialCharacters && percentage > 0) {
    classes = enabled.filter((name) => name !== "specialCharacters");
    const exactly = classes.length === 0
      ? places
      : Math.max(1, Math.floor((length * percentage + 50) / 100));
    assertEquals(counts["specialCharacters"], exactly);
    places -= exactly;
  }
  if (places >= classes.length) {
    for (const name of classes) assert(counts[name]! > 0, name);
  }
}

type PassphraseSettings = Parameters<typeof countWords>[0] & {
  readonly casing: string;
  readonly replaceSwedishCharacters: boolean;
  readonly replaceWithSpecialCharacters: boolean;
};

function assertPhrase(
  password: string,
  settings: PassphraseSettings,
  type: string,
): void {
  const { casing, numberPosition, numberLength, language } = settings;
  const count = type === "words" ? settings.wordCount : 4;
  const digits = `\\d{${numberLength}}`;
  const at = (place: string) =>
    numberPosition === place || numberPosition === "all" ? digits : "";
  // Without digits between them, the words are one run of letters.
  const run = "([a-zåäöA-ZÅÄÖ@!$#]+)";
  const runs = at("between") !== "" && numberLength > 0
    ? Array(count).fill(run).join(digits)
    : run;
  const pattern = new RegExp(`^${at("before")}${runs}${at("after")}$`);
  assertMatch(password, pattern);
  const letters = pattern.exec(password)!.slice(1).join("");
  if (settings.replaceSwedishCharacters) assert(!/[åäö]/i.test(letters));
  if (settings.replaceWithSpecialCharacters) {
    assert(!/[aish]/i.test(letters));
    return;
  }
  assert(!/[@!$#]/.test(letters));
  if (casing === "lower") assertEquals(letters, letters.toLowerCase());
  if (casing === "upper") assertEquals(letters, letters.toUpperCase());
  if (casing === "first") assertMatch(letters, /^[A-ZÅÄÖ][a-zåäö]+$/);
  if (casing !== "title") return;
  const words = letters.split(/(?=[A-ZÅÄÖ])/).map((w) => w.toLowerCase());
  assertEquals(words.length, count);
  const lists = WORDLISTS[language];
  const { adjectives, nouns, verbs, adverbs } = lists;
  words.forEach((word, i) => {
    const list: readonly string[] = type === "words"
      ? lists.words
      : [adjectives, nouns, verbs, adverbs][i]!;
    const found = settings.replaceSwedishCharacters
      ? list.some((w) => w.replace(/[åä]/g, "a").replaceAll("ö", "o") === word)
      : list.includes(word);
    assert(found, word);
  });
}

/** The names under `errors`. */
function expectedErrors(
  type: string,
  settings: Record<string, unknown>,
  invalid: Set<string>,
): string[] {
  const errors = new Set(invalid);
  const valid = (name: string) =>
    invalid.has(name) ? undefined : settings[name];
  if (
    type === "words" && valid("wordCount") === 1 &&
    ["between", "all"].includes(valid("numberPosition") as string)
  ) errors.add("numberPosition");
  const classes = Object.keys(CLASSES);
  if (
    type === "characters" && classes.every((name) => valid(name) === false)
  ) errors.add("$");
  return [...errors].sort();
}

Deno.test(
  "a client of version 1.0.0 sees the behaviour of version 1.0.0",
  withSeed(async (next) => {
    const random = new Random(next() * 2 ** 32);
    const seen = { ok: 0, refused: 0 };
    for (let i = 0; i < 10_000; i++) {
      const type = random.pick(Object.keys(V1)) as Kind;
      const body: Record<string, unknown> = {};
      const settings: Record<string, unknown> = {};
      const invalid = new Set<string>();
      const share = random.below(2) * 2;
      for (const [name, row] of Object.entries(V1[type])) {
        settings[name] = row.default;
        if (random.below(10) < 4) continue;
        const key = random.pick([name, name.toUpperCase(), name.toLowerCase()]);
        if (random.below(10) < share) {
          body[key] = invalidValue(random, row);
          invalid.add(name);
        } else {
          const value = body[key] = validValue(random, row);
          settings[name] = row.type === "integer" ? Number(value) : value;
        }
      }
      if (random.below(10) < 2) {
        body["unknown"] = random.pick([null, 1, {}, "x"]);
      }
      const response = await post(`/api/pwgen/${type}`, body);
      const answer = await response.json();
      const errors = expectedErrors(type, settings, invalid);
      const where = `${type} ${JSON.stringify(body)}`;
      if (errors.length > 0) {
        assertEquals(response.status, 400, where);
        assertEquals(response.headers.get("content-type"), PROBLEM_TYPE);
        assertEquals(Object.keys(answer.errors).sort(), errors, where);
        seen.refused++;
        continue;
      }
      assertEquals(response.status, 200, where);
      assertEquals(response.headers.get("content-type"), JSON_TYPE);
      assertEquals(Object.keys(answer), ["password", "length", "type"]);
      assertEquals(answer.type, type);
      assertEquals(answer.length, [...answer.password].length);
      let count;
      if (type === "characters") {
        const known = settings as unknown as CharacterSettings;
        assertCharacters(answer.password, known);
        count = countCharacters(known);
      } else {
        const known = settings as unknown as PassphraseSettings;
        assertPhrase(answer.password, known, type);
        count = type === "words" ? countWords(known) : countSentences(known);
      }
      assertEquals(response.headers.get("entropy-bits"), exactBits(count));
      seen.ok++;
    }
    assert(seen.ok > 2000 && seen.refused > 2000, JSON.stringify(seen));
  }),
);
