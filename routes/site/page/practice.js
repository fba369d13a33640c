/**
 * A person types the password from memory.
 *
 * @module
 */
import { addRegion, byId, update, write } from "./dom.js";
import { text } from "./language.js";
import { spellingOf } from "./parts.js";
import { results, single } from "./requests.js";

/** How often it was typed, and what the page says: the key of a text, and its values. */
let practised = { password: undefined, times: 0, answer: [] };

/** The password to practise: one that was typed, or the one that is shown. */
const goal = () => byId("goal").value || single() || "";

/** Dots stand for the password in the card while a person types it. */
let isCovered = false;

function cover(isCovering) {
  if (isCovering ? results.isHidden : !isCovered) return;
  isCovered = results.isHidden = isCovering;
  update();
}

/** A person who was never right may practise the password of another day. */
const missed = () =>
  practised.wasRight || byId("goal").value ? "practise.no" : "practise.new";

/** Without spaces and capitals. */
const plain = (text) => text.replace(/\s/g, "").toLowerCase();

function drawPractice() {
  const password = single();
  if (practised.password !== password) {
    practised = { password, times: 0, answer: [] };
    byId("typed").value = "";
  }
  // A list has no password of its own.
  byId("practise").hidden = password === undefined;
  const { answer, times } = practised;
  const [key = "practise.nearly"] = answer;
  byId("which").hidden = times > 0 || key === "practise.nearly";
  write(byId("practised"), answer.length > 0 ? text(...answer) : "");
}

byId("typed").addEventListener("focus", () => {
  byId("goal").classList.add("dots");
  cover(true);
});
byId("attempt").addEventListener("focusout", ({ relatedTarget }) => {
  // The button shows it by itself.
  if (relatedTarget === byId("hide")) isCovered = false;
  else if (!byId("attempt").contains(relatedTarget)) cover(false);
});
byId("attempt").addEventListener("submit", (event) => {
  event.preventDefault();
  const input = byId("typed");
  if (input.value === "") return input.focus();
  const isRight = input.value === goal();
  practised.times = isRight ? practised.times + 1 : 0;
  practised.wasRight ||= isRight;
  const isNearly = plain(input.value) === plain(goal());
  const { times: count } = practised;
  practised.answer = isRight
    ? [count < 3 ? "practise.yes" : "practise.done", { count }]
    : [isNearly ? "practise.nearly" : missed()];
  if (isRight) input.value = "";
  update();
  byId("practised").scrollIntoView({ block: "nearest" });
});
/** The words, the digits and what stands between them; or the characters. */
const split = (password, hasWords) =>
  password.match(hasWords ? /\p{L}+|\d+|[^\p{L}\d]+/gu : /./gu) ?? [];

/** What is wrong first: the key of a text, and what belongs to it. */
function firstMistake() {
  const hasWords = byId("goal").value
    ? goal().match(/\p{L}\p{Ll}{2,}/gu)?.length > 1
    : results.shown.path !== "characters";
  const [right, typed] = [goal(), byId("typed").value]
    .map((password) => split(password, hasWords));
  const at = right.findIndex((part, i) => part !== typed[i]);
  if (at < 0 || !hasWords) {
    // Without a difference, something follows the end.
    return ["practise.sign", { number: (at < 0 ? goal().length : at) + 1 }];
  }
  const isWord = (part) => /\p{L}/u.test(part);
  const words = right.slice(0, at + 1).filter(isWord).length;
  const isShort = typed[at] === undefined;
  if (isShort && /\d/.test(right[at + 1])) return ["practise.digits"];
  if (isWord(right[at])) return ["practise.wrong", { number: words }];
  if (/\d/.test(right[at])) return ["practise.digits"];
  const sign = spellingOf(right[at]);
  return ["practise.between", { number: words, sign }];
}
byId("which").addEventListener("click", () => {
  practised.answer = firstMistake();
  update();
});
byId("peek").addEventListener("click", () => {
  if (byId("goal").value) return byId("goal").classList.toggle("dots");
  cover(false);
  byId("single").scrollIntoView({ block: "nearest" });
});

addRegion(drawPractice);
