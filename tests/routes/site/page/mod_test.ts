import { assert, assertEquals, assertMatch, assertNotMatch } from "@std/assert";
import { PAGE, textsIn } from "../../../../routes/site/page/mod.ts";
import {
  RATES,
  STRONG_BITS,
  verdictOf,
  VERDICTS,
} from "../../../../routes/site/page/strength.js";
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
    const { description } = textsIn(language as "sv");
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
    // A browser does not run JSON.
    assertNotMatch(html, /<script(?![^>]*(?:src=|type="application\/json"))/i);
    assertNotMatch(html, /(?:src|href)="(?:https?:)?\/\//i);
  }
});

Deno.test("PAGE has every text in both languages, and uses each of them", async () => {
  const [sv, en] = [textsIn("sv"), textsIn("en")];
  assertEquals(Object.keys(sv), Object.keys(en));
  const script = await (await ask("/page/page.js")).text();
  for (const [language, texts] of Object.entries({ sv, en })) {
    const html = await (await fetchPage(language)).text();
    assertNotMatch(html, /undefined|\{[a-z]+\}(?![^<]*<\/script>)/);
    for (const [key, text] of Object.entries(texts)) {
      // The first of several words is in the script as a template.
      const [first] = key.split(".");
      const isUsed = html.includes(`="${key}"`) ||
        script.includes(`"${key}"`) ||
        ["help", "why", "purpose", "understood", "notFound"].includes(first!);
      assert(isUsed || key in { instant: 0, forever: 0 }, key);
      // A text has the same placeholders in both languages.
      const placeholders = (text: string) =>
        text.match(/\{\w+\}/g)?.sort() ?? [];
      assertEquals(placeholders(text), placeholders(en[key]!), key);
    }
  }
});

Deno.test("PAGE needs four requests, and its manifest and icons exist", async () => {
  const html = await (await fetchPage()).text();
  const urls = html.matchAll(/(?:src|href)="(page\/[^"]*)"/g);
  const paths = Array.from(urls, ([, url]) => `/${url}`).sort();
  assertEquals(paths.filter((path) => /\.(?:js|css)$/.test(path)), [
    "/page/page.css",
    "/page/page.js",
  ]);
  const manifest = await (await ask("/page/manifest.json")).json();
  for (const { src } of manifest.icons) paths.push(`/page/${src}`);
  for (const path of paths) assert(path in PAGE, path);
  // The script has no import left: it is one file.
  assertNotMatch(
    await (await ask("/page/page.js")).text(),
    /^(?:import|export) /m,
  );
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
  for (
    const [verdict, seconds] of VERDICTS as [string, number][]
  ) {
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
  assertEquals(verdictOf(STRONG_BITS, false), "strong");
  assertEquals(verdictOf(45, false), "weak");
  assertEquals(verdictOf(45, true), "pin");
  for (const row of rows) assertMatch(document, new RegExp(`\\| ${row}`));
});
