/**
 * The endpoints of the API.
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
