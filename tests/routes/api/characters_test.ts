import { assert, assertEquals, assertMatch } from "@std/assert";
import { post, readErrors, readPassword } from "../../helpers/service.ts";
import { exactBits } from "../../helpers/entropy.ts";
import { expectedCharacters } from "../../oracle.ts";
import { assertUniform } from "../../helpers/statistics.ts";
import { testFieldTable } from "./field_table.ts";

const PATH = "/api/pwgen/characters";

testFieldTable("characters");

/** Disables the classes that are enabled by default. */
const NO_CLASS = {
  lowercase: false,
  uppercase: false,
  numbers: false,
  specialCharacters: false,
};

async function password(body: unknown): Promise<string> {
  return await readPassword(await post(PATH, body), "characters");
}

Deno.test(`${PATH} takes 20, 20.0, 2e1 and "20" as the same number`, async () => {
  for (const length of ["20", "20.0", "2e1", '"20"', "200e-1"]) {
    assertEquals((await password(`{"length":${length}}`)).length, 20);
  }
  for (const zero of ["0", "-0", "0.0", '"0"', '"-0"']) {
    await password(`{"specialCharacterPercentage":${zero}}`);
  }
});

Deno.test(`${PATH} refuses a request without any class`, async () => {
  const { $ } = await readErrors(await post(PATH, NO_CLASS), PATH, "$");
  assert($![0]!.includes("must be true"));
  // Together with another invalid field.
  const more = { ...NO_CLASS, swedishCharacters: false, length: 0 };
  await readErrors(await post(PATH, more), PATH, "$", "length");
  // An invalid value may have been meant as true.
  const unread = { ...NO_CLASS, swedishCharacters: "yes" };
  await readErrors(await post(PATH, unread), PATH, "swedishCharacters");
});

Deno.test(`${PATH} leaves out the characters that look alike`, async () => {
  const plain = await password({ length: 128, swedishCharacters: true });
  assertEquals(plain.length, 128);
  let drawn = "";
  for (let i = 0; i < 300; i++) {
    drawn += await password({ length: 128, excludeAmbiguous: true });
  }
  // Each of the other 84 characters occurs in 38,400, except with probability
  // 84 · e^-457.
  const expected =
    "abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789!#$%&()*+,-./:;<=>?@[]^_{}~";
  assertEquals([...new Set(drawn)].sort(), [...expected].sort());
  for (const specialCharacterPercentage of [0, 50, 100]) {
    const special = await password({
      ...{ length: 128, excludeAmbiguous: true, specialCharacterPercentage },
    });
    assertMatch(special, /^[^0O1lI|]{128}$/);
  }
});

Deno.test(`${PATH} uses the specialCharacterSet instead of the 28 characters`, async () => {
  const all = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~";
  for (const specialCharacterSet of ["!", "-_.", "\"'`\\", all]) {
    for (const specialCharacterPercentage of [0, 25, 100]) {
      for (const excludeAmbiguous of [false, true]) {
        const settings = {
          ...{ lowercase: true, uppercase: false, numbers: true },
          ...{ swedishCharacters: false, specialCharacters: true },
          ...{ length: 128, specialCharacterSet, specialCharacterPercentage },
          excludeAmbiguous,
        };
        const response = await post(PATH, settings);
        const { count } = expectedCharacters(settings);
        assertEquals(response.headers.get("entropy-bits"), exactBits(count));
        const drawn = await readPassword(response, "characters");
        const special = [...drawn].filter((c) => all.includes(c));
        const expected = excludeAmbiguous
          ? specialCharacterSet.replace("|", "")
          : specialCharacterSet;
        assert(special.every((c) => expected.includes(c)), drawn);
        assert(special.length > 0);
        if (specialCharacterPercentage > 0) {
          assertEquals(special.length, 128 * specialCharacterPercentage / 100);
        }
      }
    }
  }
});

Deno.test(`${PATH} draws each character of the specialCharacterSet equally often`, async () => {
  const specialCharacterSet = "\"'`\\";
  let drawn = "";
  for (let i = 0; i < 100; i++) {
    drawn += await password({
      ...{ length: 128, specialCharacterPercentage: 100, specialCharacterSet },
    });
  }
  const counts = [...specialCharacterSet].map((c) => drawn.split(c).length - 1);
  assertUniform(counts, specialCharacterSet);
});

Deno.test(`${PATH} refuses a specialCharacterSet of which excludeAmbiguous leaves nothing`, async () => {
  const bar = { specialCharacterSet: "|", excludeAmbiguous: true };
  const errors = await readErrors(
    await post(PATH, bar),
    PATH,
    "specialCharacterSet",
  );
  assertEquals(errors.specialCharacterSet, [
    "Must have a character that excludeAmbiguous does not leave out.",
  ]);
  await password({ ...bar, excludeAmbiguous: false });
  await password({ ...bar, specialCharacterSet: "|!" });
  // Without special characters it has no effect.
  const without = { ...bar, specialCharacters: false };
  assertMatch(await password(without), /^[a-zA-Z0-9]{20}$/);
  await readErrors(await post(PATH, { ...NO_CLASS, ...bar }), PATH, "$");
});

Deno.test(`${PATH} accepts one string in 97 of four characters with one special character`, async () => {
  const body = { length: 4, specialCharacterSet: "!" };
  const response = await post(PATH, body);
  const count = 24n * 26n * 26n * 10n;
  assertEquals(response.headers.get("entropy-bits"), exactBits(count));
  const drawn = await readPassword(response, "characters");
  assertEquals([...drawn].filter((c) => c === "!").length, 1);
  assertMatch(drawn, /^(?=.*[a-z])(?=.*[A-Z])(?=.*[0-9]).{4}$/);
});

Deno.test(`${PATH} responds to an error without Entropy-Bits`, async () => {
  const invalid = await post(PATH, { length: 0 });
  assertEquals(invalid.headers.get("entropy-bits"), null);
});
