/**
 * The card: one password, how strong it is, and what a person does with it.
 *
 * @module
 */
import { copy } from "./clipboard.js";
import { CONFIRM_MS, confirmAction } from "./confirm.js";
import { addRegion, all, announce, byId, isNew, update, write } from "./dom.js";
import { language, text } from "./language.js";
import { coloured, DOTS, languageOf, partsOf } from "./parts.js";
import { listScript } from "./people.js";
import {
  awaited,
  cancel,
  former,
  generateAll,
  isList,
  isRefused,
  isStale,
  permitted,
  results,
  single,
  waiting,
} from "./requests.js";
import { settings } from "./settings.js";
import { durationOf, verdictOf } from "./strength.js";

/** The buttons of the card and of the dialog that hide passwords. */
const HIDING = all(".hide");

/** The result that was said. */
let announced;

/** The length of a password decides its size. */
const sizeOf = ({ length }) =>
  length <= 12 ? "short" : length <= 24 ? "medium" : length <= 48 ? "" : "long";

function drawPassword() {
  const password = single();
  const { shown, isHidden } = results;
  const box = byId("password");
  if (!isNew(box, password, isHidden, language())) return;
  // A shorter one does not move the buttons upwards, where a finger hits another one.
  const isSame = box.dataset.preset === settings.preset && password;
  box.style.minHeight = isSame ? `${box.offsetHeight}px` : "";
  box.dataset.preset = settings.preset;
  byId("single").hidden = !password;
  byId("table").classList.toggle("dots", isHidden); // it can have passwords
  byId("single").dataset.size = isHidden ? "" : sizeOf(password ?? "");
  byId("single").lang = password && !isHidden ? languageOf(shown) : language();
  // One text for a screen reader, which the parts would be many of.
  byId("whole").textContent = isHidden && password
    ? text("hidden")
    : password ?? "";
  box.replaceChildren(
    ...password ? isHidden ? [DOTS] : coloured(password, shown) : [],
  );
}

/** The verdict on what was drawn, and its bits. */
function strengthOf({ bits, made: [password] }) {
  const verdict = verdictOf(bits, /^\d+$/.test(password));
  const values = { verdict: text(verdict), bits: Math.floor(bits) };
  return { verdict, strength: text("strengthOf", values) };
}

function drawStrength() {
  const { shown } = results;
  const isFailed = results.problem !== undefined || isRefused();
  const app = byId("app").classList;
  app.toggle("busy", results.isBusy || isStale() && !isFailed);
  app.toggle("failed", isFailed);
  const count = shown?.made.length ?? 0;
  app.toggle("empty", count === 0);
  if (count === 0) return write(byId("verdict"), "");
  const { verdict, strength } = strengthOf(shown);
  const bits = Math.floor(shown.bits);
  const [{ length }] = shown.made;
  const isOfParts = /^\S*$/.test(shown.made[0]) &&
    partsOf(shown.made[0], shown).length > 1;
  const several = verdict === "excellent" ? "severalStrong" : "several";
  write(
    byId("verdict"),
    count > 1
      ? text(several, { count, strength, bits })
      : `${strength} · ${text(isOfParts ? "size.parts" : "size", { length })}`,
  );
  byId("app").dataset.verdict = verdict;
  byId("meter").ariaValueNow = String(Math.min(bits, 128));
  byId("meter").ariaValueText = strength;
  byId("fill").style.width = `${Math.min(bits / 1.28, 100)}%`;
  const isStrong = ["excellent", "strong", "fair"].includes(verdict);
  write(byId("warning"), isStrong || isFailed ? "" : text(`time.${verdict}`));
}

/** What the bits of the password mean. */
function drawBits() {
  const { bits, made } = permitted() ?? {};
  byId("how").hidden = !made?.length;
  if (!made?.length) return;
  const [careless, careful] = ["careless", "careful"].map((attack) => {
    const { key, text: duration } = durationOf(bits, attack, language());
    return duration ?? text(key);
  });
  const rounded = Math.floor(bits);
  const exponent = String(rounded).replace(/\d/g, (d) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[d]);
  write(byId("how").querySelector("summary"), text("how", { bits: rounded }));
  write(byId("calculation"), text("calculation", { exponent, bits: rounded }));
  write(byId("time"), text("time", { careless, careful }));
}

/** Says once what is new, and not the password. */
function announceResult() {
  const { shown, isUndone } = results;
  if (shown === announced) return;
  announced = shown;
  const { length: count, 0: password } = shown?.made ?? [];
  if (!count) return;
  const strength = text(strengthOf(shown).verdict)
    .replace(/^.(?=\p{Ll})/u, (first) => first.toLowerCase());
  const { stepped } = settings;
  settings.stepped = "";
  // Dots do not show that it is another one.
  const visibleMs = results.isHidden ? CONFIRM_MS : 0;
  if (isUndone) return announce(text("undone", { strength }), visibleMs);
  if (count > 1) {
    return announce(text("announcement.several", { count, strength }));
  }
  const size = { length: password.length, wordCount: shown.body.wordCount };
  announce(
    (stepped ? text(`size.${stepped}`, size) : "") +
      text("announcement", { strength }),
    visibleMs,
  );
}

function drawButtons() {
  const { shown, isBusy, isSlow } = results;
  const isSeveral = isList(shown);
  const copies = shown?.table.isPeople ? "copyTable" : "copyAll";
  write(byId("copy"), text(isSeveral ? copies : "copy"));
  const isUseless = !isBusy && (!shown || isRefused() || isStale());
  for (const id of ["copy", "save"]) {
    byId(id).ariaDisabled = String(Boolean(isUseless));
  }
  const count = isRefused() ? 0 : waiting();
  byId("make").hidden = isBusy || count === 0;
  write(byId("make"), text("make", { count }));
  byId("cancel").hidden = !isBusy || !results.progress;
  write(byId("new"), text(isSeveral ? "newSeveral" : "new"));
  byId("enlarge").hidden = !single();
  byId("hide").hidden = !permitted();
  for (const button of HIDING) {
    const what = isSeveral ? "list" : "password";
    write(button, text(results.isHidden ? "show" : "hide"));
    button.ariaLabel = text(
      results.isHidden ? `show.${what}` : `hide.${what}`,
    );
  }
  // Once it is there, it stays, so that it keeps the focus.
  byId("undo").hidden &&= !former();
  byId("undo").ariaDisabled = String(!former());
  const making = isBusy && (isSlow || !shown) ? text("making") : "";
  write(byId("making"), shown && count > 0 && isStale() ? text("old") : making);
  byId("single").ariaBusy = String(isBusy);
}

/** Copies, or selects the element if the browser permits no copy. */
async function copyAs(types, content, own, button) {
  const key = await copy(content, types, own);
  // Dots are of no use.
  const isUseless = key === "selected" && results.isHidden;
  if (isUseless) getSelection().removeAllRanges();
  const isSeveral = key === "copied" && types.length > 1;
  if (key) {
    confirmAction(
      button,
      isUseless ? "refused" : isSeveral ? "copiedAll" : key,
    );
  }
  return key === "copied";
}

/** Copies all that is shown; waits for a password that is on its way. */
async function copyAll(button) {
  if (isRefused()) return;
  const isSeveral = isList(results.shown);
  const content = awaited().then((shown) =>
    isList(shown)
      ? listScript().listTexts()
      : { "text/plain": shown.passwords[0] }
  );
  if (results.isBusy) confirmAction(button, "copying");
  const types = ["text/plain", ...isSeveral ? ["text/html"] : []];
  const large = byId("large").open && "characters";
  const own = byId(large || (isSeveral ? "list" : "password"));
  results.isCopied = await copyAs(types, content, own, button) ||
    results.isCopied;
}

document.addEventListener("click", ({ target }) => {
  const { copy: number } = target.dataset;
  if (number === undefined) return;
  if (number === "all") return copyAll(target);
  const content = { "text/plain": results.shown.passwords[number - 1] };
  const own = target.closest("tr").querySelector(".text");
  copyAs(["text/plain"], Promise.resolve(content), own, target);
});
byId("new").addEventListener("click", () => generateAll(true));
byId("make").addEventListener("click", () => generateAll(false));
byId("cancel").addEventListener("click", () => {
  cancel();
  byId(waiting() > 0 ? "make" : "new").focus();
});
for (const button of HIDING) {
  button.addEventListener("click", () => {
    results.isHidden = !results.isHidden;
    update();
  });
}
addEventListener("resize", () => {
  byId("password").style.minHeight = "";
});

addRegion(drawPassword);
addRegion(drawStrength);
addRegion(drawBits);
addRegion(drawButtons);
addRegion(announceResult);
