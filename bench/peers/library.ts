/**
 * The library and packages of npm that make the same kind of password.
 *
 * @module
 */
import { characterPasswords, wordPasswords } from "../../generators/mod.ts";
import { importNpm } from "../../tools/needs.ts";
import { CHARACTERS } from "./characters.ts";

// Each type says only what is in use.
const { customAlphabet } = await importNpm<{
  customAlphabet: (alphabet: string, length: number) => () => string;
}>("npm:nanoid@6.0.2");
const { default: generatePassword } = await importNpm<{
  default: { generate: (options: object) => string };
}>("npm:generate-password@1.7.1");
const { default: xkpasswd } = await importNpm<{
  default: (options: object) => string;
}>("npm:xkpasswd@1.0.5");

/** The name of the library among its peers. */
export const OURS = "pwgen-api";

const CLASSES = { numbers: true, symbols: true, strict: true };
const WORDS = { language: "en", numberLength: 0, separator: "-" } as const;

/** What makes a password, by kind of password and name. */
export const LIBRARIES: Record<string, Record<string, () => string>> = {
  "20 characters": {
    [OURS]: () => characterPasswords().generate(),
    "nanoid": customAlphabet(CHARACTERS, 20),
    "generate-password": () =>
      generatePassword.generate({ length: 20, ...CLASSES }),
  },
  "four words": {
    [OURS]: () => wordPasswords(WORDS).generate(),
    "xkpasswd": () => xkpasswd({ pattern: "wswswsw", separators: "-" }),
  },
};
