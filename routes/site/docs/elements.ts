/**
 * The HTML elements of /docs.
 *
 * @module
 */
import { escapeHtml } from "../html.ts";

/**
 * Marks a text as code.
 *
 * @param text any text
 * @returns HTML
 *
 * @example
 * ```ts
 * import { code } from "./elements.ts";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(code("a < b"), "<code>a &#60; b</code>");
 * ```
 */
export function code(text: string): string {
  return `<code>${escapeHtml(text)}</code>`;
}

/**
 * Makes HTML of a text of the OpenAPI document.
 *
 * @param text the text; backticks mark code
 * @returns HTML
 *
 * @example
 * ```ts
 * import { prose } from "./elements.ts";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(prose("Without `length`"), "Without <code>length</code>");
 * ```
 */
export function prose(text: string): string {
  return escapeHtml(text).replace(/`([^`]+)`/g, "<code>$1</code>");
}

/**
 * Returns the URL of a part of the page.
 *
 * @param id the id of the part
 * @returns the URL
 *
 * @example
 * ```ts
 * import { anchor } from "./elements.ts";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(anchor("a"), "#a");
 * ```
 */
export function anchor(id: string): string {
  return `#${id}`;
}

/**
 * Makes a heading that is a link to itself, so that people can copy its address.
 *
 * @param level 2 to 4
 * @param id its id, unique in the page
 * @param content its content, as HTML
 * @returns HTML
 *
 * @example
 * ```ts
 * import { heading } from "./elements.ts";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(heading(2, "a", "A"), '<h2 id="a"><a href="#a">A</a></h2>');
 * ```
 */
export function heading(level: 2 | 3 | 4, id: string, content: string): string {
  return `<h${level} id="${id}"><a href="${
    anchor(id)
  }">${content}</a></h${level}>`;
}

/**
 * Makes a block of code with a caption. The script adds a button that copies it.
 *
 * @param caption the caption
 * @param text the code
 * @returns HTML
 *
 * @example
 * ```ts
 * import { block } from "./elements.ts";
 * import { assertStringIncludes } from "@std/assert";
 *
 * assertStringIncludes(block("curl", "curl 'a'"), "<code>curl 'a'</code></pre>");
 * ```
 */
export function block(caption: string, text: string): string {
  // With a tab stop, so that the keyboard can scroll a wide block.
  return `<figure data-name="${escapeHtml(caption)}"><figcaption><span>${
    prose(caption)
  }</span></figcaption><pre tabindex="0" translate="no">${
    code(text)
  }</pre></figure>`;
}

/**
 * Makes a table whose first column has the headings of the rows.
 *
 * @param heads the headings of the columns
 * @param rows the cells, as HTML
 * @returns HTML
 *
 * @example
 * ```ts
 * import { table } from "./elements.ts";
 * import { assertStringIncludes } from "@std/assert";
 *
 * assertStringIncludes(table(["Field"], [["a"]]), '<th scope="row">a</th>');
 * ```
 */
export function table(
  heads: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  const head = heads.map((text) => `<th scope="col">${text}</th>`).join("");
  const body = rows.map(([first, ...rest]) =>
    `<tr><th scope="row">${first}</th>${
      rest.map((cell, index) =>
        // On a narrow screen, each cell is a line with the heading before it.
        `<td data-head="${heads[index + 1]}">${cell}</td>`
      ).join("")
    }</tr>`
  );
  return `<div class="table" tabindex="0"><table><thead><tr>${head}</tr></thead><tbody>${
    body.join("")
  }</tbody></table></div>`;
}

/**
 * Makes a part that is folded at first.
 *
 * @param summary what is always visible, as HTML
 * @param content what is folded, as HTML
 * @returns HTML
 *
 * @example
 * ```ts
 * import { folded } from "./elements.ts";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(
 *   folded("More", "<p>All</p>"),
 *   "<details><summary>More</summary><p>All</p></details>",
 * );
 * ```
 */
export function folded(summary: string, content: string): string {
  return `<details><summary>${summary}</summary>${content}</details>`;
}
