/**
 * What the HTML pages share.
 *
 * @module
 */
import type { StaticDocument } from "./static.ts";

/**
 * Makes a page. It may load and request only from its own origin, and it has no
 * inline script or style.
 *
 * @param text the HTML, or a function that makes it at the first request
 * @returns the document with the header fields that only a page has
 */
export function htmlDocument(text: StaticDocument["text"]): StaticDocument {
  return {
    type: "text/html; charset=utf-8",
    text,
    headers: {
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
      "cross-origin-resource-policy": "same-origin",
      "permissions-policy":
        "camera=(), display-capture=(), geolocation=(), microphone=()",
      "referrer-policy": "no-referrer",
    },
  };
}

export const CSS = "text/css; charset=utf-8";
export const JAVASCRIPT = "text/javascript; charset=utf-8";

/** Escapes a text for HTML, also for a quoted attribute. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (char) => `&#${char.charCodeAt(0)};`);
}
