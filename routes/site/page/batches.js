/**
 * A list of passwords, by as many requests as it takes.
 *
 * @module
 */
import { ask } from "./api.js";

/** The most passwords in a request, and those that need no click. */
export const MOST = 100;
/** The most requests in a row that give no password that is different. */
const MAX_DRAWS = 5;

/**
 * The password of each person: the one in the table, or one that was drawn.
 *
 * @param {{ rows: string[][], column: number }} table
 * @param {Map<string, string[]>} drawn those of each person, who is all other cells
 * @returns {{ person: string, password: string | undefined, isOld: boolean }[]}
 */
export function fill({ rows, column }, drawn) {
  const taken = new Map();
  return rows.map((row) => {
    const person = row.toSpliced(column, 1).join("\0");
    if (row[column]) return { person, password: row[column], isOld: true };
    const at = taken.get(person) ?? 0;
    taken.set(person, at + 1);
    return { person, password: drawn.get(person)?.[at], isOld: false };
  });
}

/** Adds a password to those of a person. */
export const add = (passwords, person, password) =>
  passwords.set(person, [...passwords.get(person) ?? [], password]);

/**
 * Asks for the passwords that are missing, and keeps what it gets if it fails later. If
 * all must differ, one that is there already is drawn anew: so all lists of different
 * passwords are equally likely.
 *
 * @param request path, body, table, and whether all must differ
 * @param drawn the passwords of each person by now, and their bits
 * @param {AbortController} controller ends it
 * @param {(progress?: { done: number, count: number }) => void} onProgress
 * @returns the result, or the key of an error, and what belongs to it
 */
export async function drawAll(request, drawn, controller, onProgress) {
  const { path, body, isDifferent, table } = request;
  let [most, useless] = [MOST, 0];
  while (!controller.signal.aborted) {
    const people = fill(table, drawn.passwords);
    const open = people.filter(({ password }) => password === undefined);
    if (open.length === 0) {
      const passwords = people.map(({ password }) => password);
      const made = passwords.filter((_, i) => !people[i].isOld);
      return { ...request, bits: drawn.bits, passwords, made };
    }
    const count = Math.min(open.length, most);
    const [done, all] = [people.length - open.length, people.length];
    onProgress(all > MOST ? { done, count: all } : undefined);
    const asked = { path, body: count > 1 ? { ...body, count } : body };
    const outcome = await ask(asked, controller)
      // A connection that was lost is tried once more.
      .catch(() => ask(asked, controller));
    if (controller.signal.aborted) break;
    // Some settings allow fewer at a time.
    if (outcome.limits?.count) {
      most = outcome.limits.count.maximum;
      continue;
    }
    if (outcome.error) return outcome;
    const different = new Set(people.map(({ password }) => password));
    const before = different.size;
    for (const password of outcome.passwords) {
      if (isDifferent && different.has(password)) continue;
      different.add(password);
      add(drawn.passwords, open.shift().person, password);
    }
    drawn.bits = outcome.bits;
    useless = isDifferent && different.size === before ? useless + 1 : 0;
    if (useless === MAX_DRAWS) return { error: "alike" };
  }
  throw controller.signal.reason;
}
