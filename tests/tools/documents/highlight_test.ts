import { assert, assertEquals } from "@std/assert";
import style from "../../../routes/site/docs/docs.css" with { type: "text" };
import {
  highlight,
  type Language,
} from "../../../tools/documents/highlight.ts";

/** The tokens of a text with their classes. */
const tokens = (text: string, language: Language) =>
  [...highlight(text, language).matchAll(/<span class="(\w+)">(.*?)<\/span>/g)]
    .map(([, name, token]) => `${name} ${token!.replaceAll("&#34;", '"')}`);

Deno.test("highlight() marks the tokens of each language", () => {
  assertEquals(tokens('{"a": "b: \\"c\\"", "d": [-1.5, true]}', "json"), [
    ...['key "a"', 'string "b: \\"c\\""', 'key "d"', "literal -1.5"],
    "literal true",
  ]);
  assertEquals(
    tokens(
      "a=$(curl -fsS 'http://b/#c' \\\n  -d '{}') || exit\n# deno task",
      "shell",
    ),
    [
      ...["keyword curl", "key -fsS", "string 'http://b/#c'", "key -d"],
      ...["string '{}'", "keyword exit", "comment # deno task"],
    ],
  );
  assertEquals(
    tokens(
      'const type = await f("http://a"); // "b"\nimport type { C } from `d`;',
      "javascript",
    ),
    [
      ...["keyword const", "keyword await", 'string "http://a"'],
      ...['comment // "b"', "keyword import", "keyword type", "keyword from"],
      "string `d`",
    ],
  );
  assertEquals(tokens("import a  # try\nprint(None, 'b', 2)", "python"), [
    ...["keyword import", "comment # try", "literal None", "string 'b'"],
    "literal 2",
  ]);
});

Deno.test("highlight() does not change the text", () => {
  const text = `{"a<b>&": 'c'} # d\n\n-e \`f\` // "g\n<&`;
  const languages = ["json", "shell", "javascript", "python"] as const;
  for (const language of [...languages, undefined]) {
    const html = highlight(text, language);
    const plain = html.replace(/<[^>]*>/g, "").replace(
      /&#(\d+);/g,
      (_, code) => String.fromCharCode(code),
    );
    assertEquals(plain, text);
    assert(!/<(?!\/?span)|&(?!#)/.test(html), html);
    assertEquals(html.includes("<span"), language !== undefined);
  }
});

/** The relative luminance of a colour such as #a1b2c3: WCAG 2.2. */
function luminance(colour: string): number {
  const full = colour.replace(/^#(.)(.)(.)$/, "#$1$1$2$2$3$3");
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const value = parseInt(full.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

Deno.test("the colours of code have a contrast of 4.5 in both schemes", () => {
  const schemes = style.match(/:root \{[^}]*\}/g)!;
  assertEquals(schemes.length, 2);
  for (const scheme of schemes) {
    const colour = (name: string) =>
      luminance(new RegExp(`--${name}: (#\\w+);`).exec(scheme)![1]!);
    const names = ["ink", "quiet", "accent", "string", "literal", "keyword"];
    for (const name of names) {
      const [low, high] = [colour(name), colour("code")].sort((a, b) => a - b);
      const contrast = (high! + 0.05) / (low! + 0.05);
      assert(contrast >= 4.5, `${name}: ${contrast}`);
    }
  }
});
