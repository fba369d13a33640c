/**
 * What the pages for people have in common.
 *
 * @module
 */

/**
 * What a page may do: load from its own origin and ask it, nothing else. No
 * script and no style stands in the page itself.
 */
export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  "content-security-policy": [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join("; "),
  "cross-origin-opener-policy": "same-origin",
  "referrer-policy": "no-referrer",
};

/** The media type of a page. */
export const HTML = "text/html; charset=utf-8";

const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
};

/**
 * Writes a text so that HTML takes it for text, also in a quoted attribute.
 *
 * @param text any text
 * @returns the text, escaped
 *
 * @example
 * ```ts
 * import { escapeHtml } from "./html.ts";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(escapeHtml('a < "b"'), "a &lt; &quot;b&quot;");
 * ```
 */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => ESCAPES[character]!);
}
