/**
 * The parts of a password: how it is drawn, and how a person says it.
 *
 * @module
 */
import { element } from "./dom.js";
import { text } from "./language.js";

/**
 * @typedef {{ path: string, body: Record<string, unknown> }} Asked a request
 */

/** What stands for a password that is hidden, whatever its length is. */
export const DOTS = "•".repeat(10);

/** A line can end after a separator, after digits and before a capital. */
const ENDS = /(?<=[^\p{L}\d])|(?<=\d)(?=\p{L})|(?<=\p{Ll})(?=\p{Lu})/u;

/**
 * The words and digits of a password, each with what separates it from the next.
 *
 * @param {string} password
 * @param {Asked} request
 */
export function partsOf(password, { path, body }) {
  if (path !== "characters") return password.split(ENDS);
  return body["groupLength"] ? password.split(/(?<=-)/) : [password];
}

/**
 * The language of the words of a password; empty for characters.
 *
 * @param {Asked} request
 */
export const languageOf = ({ path, body }) =>
  path === "characters" ? "" : String(body["language"] ?? "sv");

/**
 * The kind of a character, for its colour and its shape.
 *
 * @param {string} character
 */
export function kindOf(character) {
  if (character === " ") return "space";
  if (/^\d/.test(character)) return "digit";
  return /^\p{L}/u.test(character) ? "letter" : "symbol";
}

/**
 * A password whose letters, digits and signs differ; lines end after a part.
 *
 * @param {string} password
 * @param {Asked} request
 */
export function coloured(password, request) {
  return partsOf(password, request).map((part) => {
    const runs = part.match(/\p{L}+|\d+| |[^\p{L}\d ]+/gu) ?? [];
    const spans = runs.map((run) => element("span", kindOf(run), run));
    return element("span", "part", ...spans);
  });
}

/**
 * The parts of a password, or four characters at a time.
 *
 * @param {string} password
 * @param {Asked} request
 */
export function groupsOf(password, request) {
  const parts = partsOf(password, request);
  return parts.length > 1 ? parts : password.match(/.{1,4}/gu) ?? [];
}

const LETTERS = "abcdefghijklmnopqrstuvwxyzåäö";
const SIGNS = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~ ";

/**
 * How a person says a character on the telephone.
 *
 * @param {string} character
 */
function spellingOf(character) {
  const at = LETTERS.indexOf(character.toLowerCase());
  if (at < 0) {
    return text("signs").split(",")[SIGNS.indexOf(character)] ?? character;
  }
  const word = `${character} ${text("as")} ${text("spelling").split(" ")[at]}`;
  // Before it, since a listener writes at once.
  const isCapital = character !== character.toLowerCase();
  return isCapital ? `${text("large.capital")} ${word}` : word;
}

/**
 * How a person says a word, with its capitals.
 *
 * @param {string} word
 */
function wordOf(word) {
  const lower = word.toLowerCase();
  if (word === lower) return word;
  return word.slice(1) === lower.slice(1)
    ? `${word} (${text("large.capital")} ${word[0]})`
    : `${word} (${text("large.capitals")})`;
}

/**
 * How a person says a password: words as words, all else sign by sign.
 *
 * @param {string} password
 * @param {Asked} request
 */
export function spelled(password, request) {
  const hasWords = request.path !== "characters" &&
    partsOf(password, request).length > 1;
  const lang = languageOf(request);
  return groupsOf(password, request).map((group) => {
    const runs = group.match(hasWords ? /\p{L}{2,}|./gu : /./gu) ?? [];
    const said = runs.flatMap((run, i) => {
      const isWord = run.length > 1;
      const comma = i < runs.length - 1 ? "," : "";
      const words = (isWord ? wordOf(run) : spellingOf(run)) + comma;
      return [
        { ...element("span", "said", words), ...isWord && { lang } },
        " ",
      ];
    });
    return element("p", "", ...said.slice(0, -1));
  });
}
