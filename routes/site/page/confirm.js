/**
 * What a button says after its work.
 *
 * @module
 */
import { announce } from "./dom.js";
import { text } from "./language.js";

/** How long a button confirms. */
const CONFIRM_MS = 2500;

/**
 * A button confirms what it did, and all people read and hear it.
 *
 * @param {HTMLElement} button
 * @param {string} key of a text
 */
export function confirmAction(button, key) {
  const isDone = key !== "copying" && key !== "refused";
  button.classList.toggle("done", isDone);
  announce(text(key), CONFIRM_MS);
  setTimeout(() => button.classList.remove("done"), CONFIRM_MS);
}
