import { assert, assertEquals, assertMatch, assertNotMatch } from "@std/assert";
import { API } from "../../../../routes/api/mod.ts";
import { isIgnored, setFields } from "../../../../routes/site/page/fields.js";
import { declarations } from "../../../../routes/site/page/forms.ts";
import {
  FIELD_TEXTS,
  LANGUAGES,
  type PageLanguage,
  textsIn,
} from "../../../../routes/site/page/languages.ts";
import {
  RATES,
  verdictOf,
  VERDICTS,
} from "../../../../routes/site/page/strength.js";
import { WORDLISTS } from "../../../../wordlists/mod.ts";
import { ask } from "../../../helpers/service.ts";

Deno.test("a first visit to PAGE takes at most 22.5 kB, and Wi-Fi 2 kB more", async () => {
  const size = async (path: string) => {
    const response = await ask(path, { headers: { "accept-encoding": "br" } });
    return (await response.bytes()).length;
  };
  const html = await (await ask("/en")).text();
  // Only a phone that puts the page on its home screen asks for the other icon.
  const links = html.replace(/<link rel="apple.*?>/, "")
    .matchAll(/(?:src|href)="(page\/[^"]+)"/g);
  const first = new Set(["/", ...links.map(([, path]) => `/${path}`)]);
  assertEquals(first.size, 4);
  const sizes = await Promise.all([...first].map(size));
  const bytes = sizes.reduce((sum, each) => sum + each);
  assert(bytes <= 22_500, String(bytes));
  assert(await size("/page/qr.js") <= 2000);
});

Deno.test("each page has an address for each language, which Accept-Language does not change", async () => {
  const pages = [["/", "./", ""], ["/list", "list", "list-"]] as const;
  for (const [negotiated, relative, prefix] of pages) {
    for (const language of ["en", "sv"]) {
      for (const accepted of ["en", "sv"]) {
        const response = await ask(`/${prefix}${language}`, {
          headers: { "accept-language": accepted },
        });
        assertEquals(response.headers.get("content-language"), language);
        assertEquals(response.headers.get("vary"), "Accept-Encoding");
        const html = await response.text();
        const chosen = await ask(negotiated, {
          headers: { "accept-language": language },
        });
        assertEquals(html, await chosen.text());
        // Relative links hold below a prefix, so all addresses have one depth.
        const links = [...html.matchAll(/rel="(canonical|alternate)" (.*?)>/g)]
          .map(([, rel, rest]) => `${rel} ${rest}`);
        assertEquals(links, [
          `canonical href="${prefix}${language}"`,
          `alternate hreflang="x-default" href="${relative}"`,
          `alternate hreflang="sv" href="${prefix}sv"`,
          `alternate hreflang="en" href="${prefix}en"`,
        ]);
        const other = language === "en" ? "sv" : "en";
        assertMatch(html, RegExp(`<a href="${prefix}${other}" hreflang`));
      }
    }
  }
});

// The browser tests show that the pages need no more than this.
Deno.test("PAGE permits only its own origin, and no inline code", async () => {
  for (const path of ["/", "/list", "/docs"]) {
    const { headers } = await ask(path, { method: "HEAD" });
    const policy = headers.get("content-security-policy")!;
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
    assertEquals(headers.get("referrer-policy"), "no-referrer");
  }
});

Deno.test("PAGE has the same texts in each language, with the same placeholders", async () => {
  const placeholders = (language: PageLanguage) =>
    Object.entries(textsIn(language)).filter(([key]) =>
      textsIn("en")[key] !== "" // an error that the API says in English
    ).map(([key, text]) => [
      key,
      text.match(/\{\w+\}/g)?.sort(),
    ]);
  for (const language of Object.keys(LANGUAGES) as PageLanguage[]) {
    assertEquals(placeholders(language), placeholders("en"));
    const page = await ask(`/${language}`);
    const list = await ask(`/list-${language}`);
    const html = await page.text() + await list.text();
    assertNotMatch(html, /undefined|\{[a-z]+\}(?![^<]*<\/script>)/);
  }
});

Deno.test("FIELD_TEXTS has why a field is ignored, and the names of all its values", () => {
  for (const { fields } of Object.values(API)) {
    for (
      const [name, { ignoredIf, values: allowed }] of Object.entries(fields)
    ) {
      const { label, why, values = {} } = FIELD_TEXTS[name] ?? {};
      assertEquals(why !== undefined, ignoredIf !== undefined, name);
      if (!label) continue;
      assertEquals(new Set(Object.keys(values)), new Set(allowed), name);
    }
  }
});

Deno.test("the fields about å, ä and ö are enabled for the languages with these letters only", () => {
  setFields(declarations());
  for (const name of ["replaceSwedishCharacters", "excludeSwedishCharacters"]) {
    for (const [language, lists] of Object.entries(WORDLISTS)) {
      const hasLetters = /[åäö]/.test(Object.values(lists).join());
      assertEquals(isIgnored("words", name, { language }), !hasLetters);
    }
  }
});

Deno.test("PAGE has the icons to which it links", async () => {
  const html = await (await ask("/")).text();
  const links = [...html.matchAll(/rel="[a-z-]*icon" href="([^"]+)"/g)];
  assertEquals(links.length, 2);
  for (const [, path] of links) {
    const { headers } = await ask(`/${path}`, { method: "HEAD" });
    assertMatch(headers.get("content-type")!, /^image\//);
  }
  const icon = await (await ask("/page/icon.png")).bytes();
  assertEquals([...icon.subarray(1, 4)], [0x50, 0x4e, 0x47]);
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
  for (const [verdict, seconds] of VERDICTS) {
    // The least bits for which half of all guesses take so long.
    const bits = Math.log2(seconds * RATES.careless) + 1;
    const upwards = (Math.ceil(bits * 10) / 10).toFixed(1);
    rows.push(
      `${textsIn("en")[verdict]} +\\| ${
        periods.get(seconds)
      } +\\| ${upwards} bits or more`,
    );
    assertEquals(verdictOf(bits + 0.001, false), verdict);
    assert(verdictOf(bits - 0.001, false) !== verdict);
  }
  assertEquals(verdictOf(45, false), "limited");
  assertEquals(verdictOf(20, false), "limited");
  assertEquals(verdictOf(19, false), "weak");
  assertEquals(verdictOf(45, true), "pin");
  for (const row of rows) assertMatch(document, new RegExp(`\\| ${row}`));
});
