/**
 * Asks for the passwords of a list, by as many requests as it takes.
 *
 * @module
 */
import { askTwice } from "../api.js";
import { isFit, MAX_REQUESTS, MOST } from "./school.js";

/**
 * @typedef {object} Wish
 * @property {string} path
 * @property {Record<string, unknown>} body
 * @property {string[][]} parts those that the password of each person may not have
 * @property {Set<string>} taken the passwords that nobody may get; these are added
 */

/**
 * Asks until each person has a password that differs from all others. One that does not
 * fit is drawn anew: so all that fit are equally likely.
 *
 * @param {Wish} wish
 * @param {AbortController} controller ends it
 * @param {(passwords: string[], bits: number) => void} onMade takes those of the next
 *   people
 * @returns {Promise<import("../api.js").Problem | undefined>} why some have none
 */
export async function drawAll(
  { path, body, parts, taken },
  controller,
  onMade,
) {
  let [done, most, requests] = [0, MOST, 0];
  while (done < parts.length && !controller.signal.aborted) {
    const isFirst = requests++ === 0;
    if (requests > Math.max(MAX_REQUESTS, 2 * Math.ceil(parts.length / most))) {
      return { error: "list.alike" };
    }
    // The first request shows how few fit.
    const count = isFirst ? Math.min(parts.length, most) : most;
    const outcome = await askTwice(
      { path, body: { ...body, count } },
      controller,
    );
    if (controller.signal.aborted) break;
    if (outcome.error !== undefined) {
      // Some settings allow fewer at a time.
      const fewer = Number(outcome.limits?.["count"]?.["maximum"]);
      if (!(fewer < most)) return outcome;
      most = fewer;
      continue;
    }
    const made = [];
    for (const password of outcome.passwords) {
      const own = parts[done + made.length];
      if (!own) break;
      if (taken.has(password) || !isFit(password, own)) continue;
      taken.add(password);
      made.push(password);
    }
    done += made.length;
    onMade(made, outcome.bits);
  }
  return undefined;
}
