import { assert, assertEquals } from "@std/assert";
import { readRules } from "../../../../generators/rules.ts";
import {
  readRequirements,
  requirementsOf,
  ruleOf,
} from "../../../../routes/site/page/requirements.js";
import { CHARACTER_DEFAULTS } from "../../../../generators/characters.ts";

/** Whether the service has passwords for a rule. */
function isAccepted(rule: string): boolean {
  return readRules(rule, CHARACTER_DEFAULTS).refusal === undefined;
}

/**
 * Texts as sites write them. Each line has the language, the text, the requirements
 * that it states as JSON, and what cannot be expressed, as JSON. People who had not
 * seen the module wrote them.
 */
const SENTENCES = await Deno.readTextFile(
  new URL("requirements.tsv", import.meta.url),
);

Deno.test("readRequirements() understands what sites write, and names what it does not", () => {
  const wrong: string[] = [];
  const incomplete: string[] = [];
  const lines = SENTENCES.trim().split("\n");
  for (const line of lines) {
    const [, text, stated, beyond] = line.split("\t");
    const expected = JSON.parse(stated!);
    const { requirements, unknown } = readRequirements(
      text!.replaceAll("\\n", "\n"),
    );
    const sorted = (signs: unknown) => [...String(signs)].sort().join("");
    const isRight = Object.entries(requirements).every(([name, value]) => {
      if (name === "characters") {
        return sorted(value) === sorted(expected[name] ?? "");
      }
      // What a text does not say of a kind is open.
      return value ===
        (expected[name] ?? (typeof value === "boolean" ? value : ""));
    });
    const isNamed = unknown.length > 0;
    if (!isRight && !isNamed) wrong.push(text!);
    if (!isRight || isNamed !== JSON.parse(beyond!).length > 0) {
      incomplete.push(
        `${text}\n  ${JSON.stringify({ requirements, unknown })}`,
      );
    }
    if (isRight && !isNamed) assert(isAccepted(ruleOf(requirements)), text);
  }
  assert(lines.length >= 60);
  assertEquals(wrong, []);
  assert(incomplete.length <= lines.length / 10, incomplete.join("\n"));
});

Deno.test("readRequirements() passes on a rule, also in an attribute or an element", () => {
  const rule = "minlength: 8; required: lower; max-consecutive: 2;";
  const texts = [
    ` ${rule}\n`,
    `passwordrules="${rule}"`,
    `<input type="password" passwordrules='${rule}' minlength=3>`,
    `<input passwordrules=&quot;${rule}&quot;>`,
  ];
  for (const text of texts) assertEquals(readRequirements(text).rule, rule);
  const { requirements, rule: none } = readRequirements(
    '<input type="password" minlength="6" maxlength="12">',
  );
  assertEquals(
    [none, requirements.minlength, requirements.maxlength],
    [undefined, "6", "12"],
  );
  assertEquals(readRequirements("").unknown, []);
  // The module itself writes such marks.
  assertEquals(readRequirements("§b§ 2 digits").unknown, ["b  2 digits"]);
});

/** The shortest time of some calls, in milliseconds. */
function timeOf(call: () => void): number {
  const times = Array.from({ length: 3 }, () => {
    const start = performance.now();
    call();
    return performance.now() - start;
  });
  return Math.min(...times);
}

Deno.test("no text of any parts is searched again and again", () => {
  const starts = ["", "a:x", "required: [", "<input"];
  const parts = ["(", "a", "1", "1 ", "!,", "or ", "1 of ", ">= ", "\n", " "];
  parts.push("[", "]", "“", '"', "-", ";", "minlength: ", "¤", "max");
  for (const read of [readRequirements, requirementsOf]) {
    for (const start of starts) {
      for (const part of [...parts, ...parts.map((part) => `a${part}`)]) {
        const time = (length: number) =>
          timeOf(() => read(start + part.repeat(length / part.length) + "x"));
        // Ten times the length takes 10 times as long, or 100 times if the growth
        // is quadratic. A busy machine needs several attempts.
        const isLinear = () => time(20_000) < 40 * Math.max(time(2000), 0.05);
        assert(Array(10).keys().some(isLinear), `${start}${part}`);
      }
    }
  }
});

Deno.test("requirementsOf() reads every rule that ruleOf() writes, and no other one", () => {
  const flags = [true, false];
  const lengths = [["", ""], ["8", ""], ["", "9"], ["8", "64"]] as const;
  for (const [minlength, maxlength] of lengths) {
    for (const repeating of ["", "2"]) {
      for (const characters of ["", "!", "-", "]", "-]", "!-]a"]) {
        for (let bits = 0; bits < 8; bits++) {
          const rule = ruleOf({
            ...{ minlength, maxlength, repeating, characters },
            lower: flags[bits & 1]!,
            upper: flags[bits >> 1 & 1]!,
            digit: flags[bits >> 2]!,
            special: characters !== "",
          });
          assertEquals(ruleOf(requirementsOf(rule)!), rule);
          if (bits < 7) assert(isAccepted(rule), rule);
        }
      }
    }
  }
  // In any order, and with any spaces.
  const read = requirementsOf(
    "\nrequired:upper;  required: [!] ;\nmaxlength :16;required: lower;minlength:8",
  );
  const written =
    "minlength: 8; maxlength: 16; required: lower; required: upper; required: [!];";
  assertEquals(ruleOf(read!), written);
  const others = [
    "required: lower, upper;",
    "required: lower; required: lower;",
    "required: [a]; required: digit;",
    "required: [!]; required: special;",
    "minlength: 8; minlength: 9;",
    "minlength: x;",
    "allowed: [required: lower;];",
  ];
  for (const rule of others) assertEquals(requirementsOf(rule), undefined);
  // A person writes a list, or a space, or a letter.
  const typed = {
    "!, @, # or $": "required: [!@#$];",
    "!,#x": "required: [!#];",
    "!@,.": "required: [!@,.];",
    "abc å": "required: special;",
  };
  for (const [characters, rule] of Object.entries(typed)) {
    const none = requirementsOf("")!;
    assertEquals(ruleOf({ ...none, special: true, characters }), rule);
  }
});
