/** Demands of real sites about equal and sequential characters, met by fields alone. */
import { assert, assertEquals } from "@std/assert";
import { characters } from "../../../routes/api/characters.ts";
import { post } from "../../helpers/service.ts";

const PATH = "/api/pwgen/characters";

/** How many characters of a password are of a class. */
const count = (password: string, characters: RegExp) =>
  [...password].filter((c) => characters.test(c)).length;

/** Whether so many equal characters are in a row at most. */
const isEqual = (max: number) => (password: string) =>
  !RegExp(`(.)\\1{${max}}`).test(password);

/** Whether there is no sequence of three, in any case. */
function hasNoSequence(password: string): boolean {
  const text = password.toLowerCase();
  const parts = [...text].map((_, i) => text.slice(i, i + 3));
  const rows = ["abcdefghijklmnopqrstuvwxyz", "0123456789"];
  const all = [...rows, ...rows.map((row) => [...row].reverse().join(""))];
  return !parts.some((part) =>
    part.length === 3 && all.some((row) => row.includes(part))
  );
}

const CLASSES = [/[a-z]/, /[A-Z]/, /[0-9]/, /[^a-zA-Z0-9]/];
const ofThree = (password: string) =>
  CLASSES.filter((characters) => characters.test(password)).length >= 3;

/** A body, and what its passwords must meet. */
type Text = [
  body: Record<string, unknown>,
  ...demands: ((password: string) => boolean)[],
];

const TEXTS: Record<string, Text> = {
  A: [{ maximumRepeating: 1 }, isEqual(1)],
  B: [
    {
      length: 8,
      minimumNumbers: 2,
      minimumLowercase: 3,
      excludeCharacters: "@#&",
      maximumRepeating: 1,
    },
    isEqual(1),
    (password) => password.length === 8,
    (password) => count(password, /[0-9]/) >= 2,
    (password) => count(password, /[a-z]/) >= 3,
    (password) => !/[@#&]/.test(password),
  ],
  C: [
    { beginWithLetter: true, maximumRepeating: 2 },
    isEqual(2),
    (password) => /^[a-z]/i.test(password),
  ],
  D: [
    { excludeCharacters: "/*", maximumRepeating: 2 },
    isEqual(2),
    (password) => !/[/*]/.test(password),
  ],
  E: [
    { maximumRepeating: 2, maximumSequential: 2 },
    isEqual(2),
    hasNoSequence,
    (password) => /[0-9A-Z]/.test(password),
  ],
  F: [{ maximumRepeating: 2 }, isEqual(2)],
  G: [{ length: 12, maximumRepeating: 2 }, isEqual(2)],
  H: [{ maximumRepeating: 3 }, isEqual(3)],
  I: [
    { length: 12, specialCharacterSet: "#$@", maximumRepeating: 3 },
    isEqual(3),
    (password) => /^[a-z0-9#$@]{12}$/i.test(password),
  ],
  J: [
    { maximumRepeating: 2, maximumSequential: 2 },
    isEqual(2),
    hasNoSequence,
    ofThree,
  ],
  K: [{ maximumSequential: 2 }, hasNoSequence, ofThree],
};

Deno.test("fields alone meet the texts of eleven sites about equal and sequential characters", async () => {
  for (const [name, [body, ...demands]] of Object.entries(TEXTS)) {
    for (let i = 0; i < 4; i++) {
      const response = await post(PATH, { ...body, count: 100 });
      const { passwords } = await response.json();
      assertEquals(passwords.length, 100, name);
      for (const password of passwords) {
        assert(
          demands.every((meets) => meets(password)),
          `${name} ${password}`,
        );
      }
    }
  }
});

Deno.test("groups are read without their hyphens: limits, minima and bits are those of the drawn characters", async () => {
  const body = { length: 12, maximumRepeating: 1, minimumNumbers: 3 };
  const response = await post(PATH, { ...body, groupLength: 4 });
  const { password, length } = await response.json();
  const groups = password.split("-");
  assertEquals([groups.map((group: string) => group.length), length], [
    [4, 4, 4],
    14,
  ]);
  const drawn = groups.join("");
  assert(isEqual(1)(drawn) && count(drawn, /[0-9]/) >= 3, password);
  // As if the hyphen was excluded.
  const excluded = characters.passwords({ ...body, excludeCharacters: "-" });
  assert(!excluded.errors);
  assertEquals(
    response.headers.get("entropy-bits"),
    (Math.floor(excluded.bits * 100) / 100).toFixed(2),
  );
  // The greatest length of a response, and a length that fills its groups.
  for (const [length, groupLength, whole] of [[128, 1, 255], [8, 4, 9]]) {
    const response = await post(PATH, { length, groupLength });
    assertEquals((await response.json()).length, whole);
  }
});
