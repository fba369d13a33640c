/**
 * The endpoints of the API, and their responses to OPTIONS.
 *
 * @module
 */
import { characters } from "./characters.ts";
import type { Endpoint } from "./endpoint.ts";
import { sentence } from "./sentence.ts";
import { words } from "./words.ts";

/** The endpoints by path. */
export const API: Readonly<Record<string, Endpoint>> = {
  "/api/pwgen/characters": characters,
  "/api/pwgen/words": words,
  "/api/pwgen/sentence": sentence,
};

export const PREFLIGHT_HEADERS = {
  "Allow": "POST, OPTIONS",
  "Access-Control-Allow-Methods": "POST, OPTIONS",
  // Pages send more than the API reads, such as traceparent. The asterisk does not
  // stand for Authorization (Fetch standard).
  "Access-Control-Allow-Headers": "Content-Type, Prefer, Authorization, *",
  "Access-Control-Max-Age": "86400",
} as const;

/**
 * Responds to OPTIONS, above all to the CORS preflight request that a browser
 * sends before a page of another origin may POST JSON.
 */
export async function preflight(): Promise<Response> {
  return new Response(null, { status: 204, headers: PREFLIGHT_HEADERS });
}
