/**
 * What the HTML pages share.
 *
 * @module
 */

/**
 * Security header fields of a page. It may load and request only from its own
 * origin, and it has no inline script or style.
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
 * Escapes a text for HTML, also for a quoted attribute.
 *
 * @param text any text
 * @returns the escaped text
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
