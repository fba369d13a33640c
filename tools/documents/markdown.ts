/**
 * Parts of the Markdown documents as HTML, so that /docs cannot differ from them.
 *
 * @module
 */
import { escapeHtml } from "../../routes/site/html.ts";

const ROOT = new URL("../../", import.meta.url);

/** HTML of a text in which backticks mark code. */
export function prose(text: string): string {
  return escapeHtml(text).replace(/`([^`]+)`/g, (_, code: string) =>
    // A short piece of code stays in one line if it can (docs.css).
    `<code${code.length > 40 ? ' class="long"' : ""}>${code}</code>`);
}

/**
 * Reads a part of a document: what is between the comments `NAME: ...` and
 * `end of NAME`. It may have paragraphs, lists and blocks of code.
 *
 * @param path the path of the document, from the root of the project
 * @param name the name of the part
 * @param codeBlock makes the HTML of a block of code
 * @returns the HTML; a link to a document becomes its text
 */
export function markdownPart(
  path: string,
  name: string,
  codeBlock: (code: string) => string,
): string {
  const text = Deno.readTextFileSync(new URL(path, ROOT));
  const part = text.match(
    new RegExp(`<!-- ${name}: .*-->\n([^]*?)<!-- end of ${name} -->`),
  )?.[1];
  if (part === undefined) throw new Error(`${path} has no part ${name}`);
  const inline = (text: string) =>
    prose(text.replaceAll(/\s+/g, " ")).replace(
      /\[([^\]]+)\]\(([^)#]*)#?([^)]*)\)/g,
      (_, text, _path, id) =>
        id === "command-line" ? `<a href="#${id}">${text}</a>` : text,
    );
  return part.trim().split(/\n{2,}/).map((each) => {
    const code = /^```\w*\n([^]*)\n```$/.exec(each);
    if (code) return codeBlock(code[1]!);
    if (!each.startsWith("- ")) return `<p>${inline(each)}</p>`;
    const items = each.slice(2).split("\n- ").map((item) =>
      `<li>${inline(item)}</li>`
    );
    return `<ul>\n${items.join("\n")}\n</ul>`;
  }).join("\n");
}
