import { assert, assertEquals, assertMatch, assertNotMatch } from "@std/assert";
import { API } from "../../../../routes/api/mod.ts";
import { parsePasswordRules } from "../../../../generators/rules.ts";
import { PAGE } from "../../../../routes/site/page/mod.ts";
import html from "../../../../routes/site/page/page.html" with { type: "text" };
import { ruleOf, ticksOf } from "../../../../routes/site/page/rules.js";
import {
  RATES,
  verdictOf,
  VERDICTS,
} from "../../../../routes/site/page/strength.js";
import { TEXTS } from "../../../../routes/site/page/mod.ts";
import { ask } from "../../../helpers/service.ts";

const PATHS = Object.keys(PAGE);

function fetchPage(language?: string): Promise<Response> {
  return ask("/", {
    headers: language === undefined ? {} : { "accept-language": language },
  });
}

Deno.test("PAGE has less than 25 kB in all, as browsers request it", async () => {
  const headers = { "accept-encoding": "br" };
  let bytes = 0;
  for (const path of PATHS) {
    bytes += (await (await ask(path, { headers })).bytes()).length;
  }
  assert(bytes < 25_000, String(bytes));
});

Deno.test("PAGE is in the language of Accept-Language", async () => {
  const languages: [string | undefined, string][] = [
    ["sv", "sv"],
    ["sv-SE,sv;q=0.9,en;q=0.8", "sv"],
    ["sv-FI", "sv"],
    ["de, sv;q=0.1", "sv"],
    ["en, sv", "en"],
    ["en-GB", "en"],
    ["de", "en"],
    ["*", "en"],
    ["*, sv;q=0.5", "en"],
    ["sv, *;q=0.5", "sv"],
    ["sv-FI, en", "sv"],
    ["en-US, sv;q=0.9, en;q=0.8", "en"],
    ["sv;q=0", "en"],
    ["", "en"],
    ["\u00ff;;;,,q=", "en"],
    [undefined, "en"],
    // Readers of a language near Swedish, who list Swedish.
    ["nb, sv;q=0.5, en;q=0.9", "sv"],
    ["nn-NO, en;q=0.9, sv-SE;q=0.1", "sv"],
    ["no, en, sv", "sv"],
    ["da-DK,da;q=0.9,en;q=0.8,SV;q=0.7", "sv"],
    ["en;q=0.9, sv-FI;q=0.001, FI", "sv"],
    ["nb, en, sv;q=0", "en"],
    ["nb, en, *", "en"],
    ["nb", "en"],
    ["en, nb;q=0.9, sv;q=0.5", "en"], // English comes first
    ["nb;q=0, en;q=0.9, sv;q=0.5", "en"],
    ["de, nb;q=0.9, en;q=0.8, sv;q=0.5", "en"],
    ["nbx, en, sv;q=0.5", "en"],
  ];
  for (const [accepted, language] of languages) {
    const response = await fetchPage(accepted);
    assertEquals(
      response.headers.get("content-language"),
      language,
      accepted,
    );
    assertEquals(
      response.headers.get("vary"),
      "Accept-Encoding, Accept-Language",
    );
    const text = await response.text();
    assert(text.includes(`<html lang="${language}">`));
    const { description } = TEXTS[language as "sv"];
    assert(text.includes(`<meta name="description" content="${description}">`));
  }
  const etags = await Promise.all(
    ["sv", "en"].map(async (language) =>
      (await fetchPage(language)).headers.get("etag")
    ),
  );
  assert(etags[0] !== etags[1]);
});

Deno.test("PAGE permits only its own origin, and no inline code", async () => {
  for (const path of ["/", "/docs"]) {
    const response = await ask(path);
    const policy = response.headers.get("content-security-policy")!;
    for (
      const directive of [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
      ]
    ) {
      assert(policy.split("; ").includes(directive), directive);
    }
    assertNotMatch(policy, /unsafe|\*|https?:|data:/);
    assertEquals(response.headers.get("referrer-policy"), "no-referrer");
    const html = await response.text();
    assertNotMatch(html, /<style|\sstyle=|\son\w+=|javascript:/i);
    assertNotMatch(html, /<script(?![^>]*src=)/i);
    assertNotMatch(html, /(?:src|href)="(?:https?:)?\/\//i);
  }
});

Deno.test("TEXTS has every text in every language, and the page uses each of them", async () => {
  const [sv, en] = [TEXTS.sv, TEXTS.en].map((texts) => Object.keys(texts));
  assertEquals(sv, en);
  for (const [language, texts] of Object.entries(TEXTS)) {
    const html = await (await fetchPage(language)).text();
    for (const key of html.matchAll(/data-(?:text|label)="([^"]*)"/g)) {
      assert(key[1]! in texts, key[1]);
    }
    const scripts = await Promise.all(
      PATHS.filter((path) => path.endsWith(".js") && !path.endsWith("texts.js"))
        .map(async (path) => await (await ask(path)).text()),
    );
    const script = scripts.join("");
    for (const key of Object.keys(texts)) {
      assert(
        html.includes(`="${key}"`) || script.includes(`"${key}"`) ||
          /^(error|why)\.|(^|\.)help(\.|$)/.test(key),
        key,
      );
    }
    for (const [key, text] of Object.entries(texts)) {
      // A text has the same placeholders in both languages.
      const placeholders = (template: string) =>
        template.match(/\{\w+\}/g)?.sort() ?? [];
      assertEquals(
        placeholders(text),
        placeholders(TEXTS.en[key]!),
        key,
      );
    }
    assertNotMatch(html, /undefined/);
  }
});

Deno.test("PAGE has inputs with the names, ranges and defaults of each endpoint", () => {
  const controls = html.matchAll(
    /<(?:input|select|textarea)\s([^>]*)>((?<=<select[^>]*>).*?<\/select>)?/gs,
  );
  const shown: Record<string, Record<string, unknown>> = {};
  for (const [, text, content = ""] of controls) {
    const [attributes, options] = [text!, content].map((html) =>
      Array.from(
        html.matchAll(/([a-z-]+)(?:="([^"]*)")?/g),
        ([, name, value]) => [name!, value ?? ""] as const,
      )
    ) as [[string, string][], [string, string][]];
    const { id, name, type, min, max, maxlength, value, ...flags } = Object
      .fromEntries(attributes);
    if (name === undefined) continue; // a tick for a rule
    const kind = id!.split("-")[0]!;
    assertEquals(id, `${kind}-${name}`);
    const fields = shown[kind] ??= {};
    if (type === "number") {
      // An empty number is none, which the API writes as 0.
      if (value === undefined) assertEquals(min, "1");
      fields[name] = {
        range: [value === undefined ? 0 : Number(min), Number(max)],
        default: Number(value ?? 0),
      };
      assertEquals("required" in flags, value !== undefined, id);
    } else if (type === "checkbox") {
      fields[name] = { default: "checked" in flags };
    } else if (maxlength !== undefined) {
      fields[name] = { maxLength: Number(maxlength), default: value ?? "" };
    } else {
      const values = options.filter(([name]) => name === "value");
      const selected = options.findIndex(([name]) => name === "selected");
      const chosen = options.slice(0, selected)
        .findLast(([name]) => name === "value");
      fields[name] = {
        values: values.map(([, value]) => value),
        default: chosen![1],
      };
    }
  }
  const declared = Object.fromEntries(
    Object.values(API).map(({ type, fields }) => [
      type,
      Object.fromEntries(
        Object.entries(fields).map((
          [name, { range, values, maxLength, ...field }],
        ) => [name, {
          ...(range && { range: [...range] }),
          ...(values && { values: [...values] }),
          ...(maxLength && { maxLength }),
          default: field.default,
        }]),
      ),
    ]),
  );
  for (const kind of ["words", "sentence"]) {
    // With no separator a gap on the screen would look like a space.
    Object.assign(declared[kind]!["separator"]!, { default: "-" });
  }
  const { rules, amount, ...forms } = shown;
  // The rules of a site decide about the classes, so they have a form of their own.
  const characters = { ...rules, ...forms["characters"] };
  // One input for the number of passwords of every kind; the API has no default.
  for (const kind of ["characters", "words", "sentence"]) {
    assertEquals(
      { ...forms, characters }[kind],
      Object.fromEntries(
        Object.entries(declared[kind]!).filter(([name]) => name !== "count"),
      ),
    );
  }
  const { range } = declared["words"]!["count"]!;
  assertEquals(amount, { count: { range, default: 1 } });
});

Deno.test("the verdicts of PAGE are those of docs/strength.md", async () => {
  const file = import.meta.resolve("../../../../docs/strength.md");
  const document = await (await fetch(file)).text();
  const rows = Object.entries(RATES).map(([attack, rate]) =>
    `${attack}: .* \\| 10\\^${Math.log10(rate)} `
  );
  const year = 365.25 * 24 * 60 * 60;
  const periods = new Map([
    [13.8e9 * year, "the age of the universe"],
    [year, "a year"],
    [60 * 60, "an hour"],
  ]);
  for (
    const [verdict, seconds] of VERDICTS as [keyof typeof TEXTS.en, number][]
  ) {
    // The least bits for which half of all guesses take so long.
    const bits = Math.log2(seconds * RATES.careless) + 1;
    const upwards = (Math.ceil(bits * 10) / 10).toFixed(1);
    rows.push(
      `${TEXTS.en[verdict]} +\\| ${
        periods.get(seconds)
      } +\\| ${upwards} bits or more`,
    );
    assertEquals(verdictOf(bits + 0.001, false), verdict);
    assert(verdictOf(bits - 0.001, false) !== verdict);
  }
  assertEquals(verdictOf(45, false), "weak");
  assertEquals(verdictOf(45, true), "pin");
  for (const row of rows) assertMatch(document, new RegExp(`\\| ${row}`));
});

Deno.test("ticksOf() reads every rule that ruleOf() writes, and no other one", () => {
  const flags = [true, false];
  let count = 0;
  for (
    const [minlength, maxlength] of [["", ""], ["8", ""], ["", "9"], [
      "8",
      "64",
    ]]
  ) {
    for (const lower of flags) {
      for (const upper of flags) {
        for (const digit of flags) {
          for (const characters of ["", "!", "-", "]", "-]", "!-]a"]) {
            const special = characters !== "" || count++ % 2 === 0;
            const needs = { lower, upper, digit, special, characters };
            const rule = ruleOf({ minlength, maxlength, ...needs });
            const ticks = ticksOf(rule);
            assertEquals(ruleOf(ticks!), rule);
            // The service accepts it.
            assert(typeof parsePasswordRules(rule) === "object", rule);
          }
        }
      }
    }
  }
  // In any order, and with any spaces.
  assertEquals(
    ruleOf(
      ticksOf(
        "\nrequired:upper;  required: [!] ;\nmaxlength :16;required: lower;minlength:8",
      )!,
    ),
    "minlength: 8; maxlength: 16; required: lower; required: upper; required: [!];",
  );
  for (
    const rule of [
      "required: lower, upper;",
      "required: lower; required: lower;",
      "required: [a]; required: digit;",
      "required: [!]; required: special;",
      "minlength: 8; minlength: 9;",
      "minlength: x;",
      "max-repeating: 2;",
      "allowed: [required: lower;];",
      "x",
    ]
  ) assertEquals(ticksOf(rule), undefined, rule);
  // A person writes a list, or a space, or a letter.
  const { minlength, maxlength, ...none } = ticksOf("")!;
  for (
    const [characters, rule] of [
      ["!, @, #", "required: [!@#];"],
      ["! @ #", "required: [!@#];"],
      ["!,@,#", "required: [!@#];"],
      ["!,#x", "required: [!#];"],
      ["!, @, # or $", "required: [!@#$];"],

      ["!@,.", "required: [!@,.];"],
      ["a!b2", "required: [!];"],
      ["abc å", "required: special;"],
    ] as const
  ) {
    const needs = { ...none, special: true, characters };
    assertEquals(ruleOf({ minlength, maxlength, ...needs }), rule);
  }
});

Deno.test("PAGE loads at once what its script imports", () => {
  const preloads = html.matchAll(/rel="modulepreload" href="([^"]*)"/g);
  const scripts = PATHS.filter((path) => /(?<!\/page)\.js$/.test(path));
  assertEquals(Array.from(preloads, ([, url]) => `/${url}`).sort(), scripts);
});
