/**
 * The colours of the code in /docs, written into its HTML.
 *
 * @module
 */
import { escapeHtml } from "../../routes/site/html.ts";

const DOUBLE = String.raw`"(?:[^"\\]|\\.)*"`;
const SINGLE = String.raw`'(?:[^'\\]|\\.)*'`;
const words = (list: string) => String.raw`\b(?:${list})\b`;
const LITERAL = String.raw`-?\b\d[\d.]*\b|${
  words("true|false|null|True|False|None")
}`;

/** The patterns of the tokens by class. In a tie the first one counts. */
const LANGUAGES = {
  json: { key: `${DOUBLE}(?=:)`, string: DOUBLE, literal: LITERAL },
  shell: {
    comment: "(?<=^|\\s)#.*",
    // A backslash has no meaning between single quotes.
    string: `${DOUBLE}|'[^']*'`,
    keyword: String.raw`(?<=^|\(|&& |\|\| )[a-z][\w-]*(?=\s|$)`,
    key: String.raw`(?<=\s)--?[A-Za-z][\w-]*`,
  },
  javascript: {
    comment: "//.*",
    string: `${DOUBLE}|${SINGLE}|\`[^\`]*\``,
    keyword: words(
      "as|async|await|const|export|from|function|if|import|new|return|throw|type(?= [\\w{])|typeof",
    ),
    literal: LITERAL,
  },
  python: {
    comment: "#.*",
    string: `${DOUBLE}|${SINGLE}`,
    keyword: words("as|except|import|try"),
    literal: LITERAL,
  },
} satisfies Record<string, Record<string, string>>;

/** A language whose code has colours. */
export type Language = keyof typeof LANGUAGES;

/**
 * Marks the tokens of a text. The text content of the result is the text.
 *
 * @param text code
 * @param language its language; undefined for none
 * @returns HTML with a `span` around each token, which has the class of the token
 */
export function highlight(text: string, language?: Language): string {
  if (language === undefined) return escapeHtml(text);
  const pattern = Object.entries(LANGUAGES[language]).map(([name, pattern]) =>
    `(?<${name}>${pattern})`
  ).join("|");
  let html = "";
  let end = 0;
  for (const match of text.matchAll(new RegExp(pattern, "gm"))) {
    const [name] = Object.entries(match.groups!).find(([, token]) => token)!;
    html += `${escapeHtml(text.slice(end, match.index))}<span class="${name}">${
      escapeHtml(match[0])
    }</span>`;
    end = match.index + match[0].length;
  }
  return html + escapeHtml(text.slice(end));
}
