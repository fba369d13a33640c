/**
 * What a button says after its work.
 *
 * @module
 */
import { announce } from "./dom.js";
import { text } from "./language.js";

/** How long a button confirms. */
export const CONFIRM_MS = 2500;

/** A button confirms what it did, and all people read and hear it. */
export function confirmAction(button, key) {
  const isDone = key !== "copying" && key !== "refused";
  const { name } = button.dataset;
  button.classList.toggle("done", isDone);
  announce(name ? `${text(key)}: ${name}` : text(key), CONFIRM_MS);
  // In a list, it says who is done.
  if (!name) setTimeout(() => button.classList.remove("done"), CONFIRM_MS);
}
