/**
 * The card: the password, how strong it is, and its buttons.
 *
 * @module
 */
import { element } from "./dom.js";
import { hasText, language, text } from "./language.js";
import { coloured, DOTS, languageOf } from "./parts.js";
import { former, isRefused, isStale, permitted } from "./state.js";
import { durationOf, verdictOf } from "./strength.js";

/**
 * @typedef {import("./state.js").State} State
 * @typedef {import("./state.js").Made} Made
 * @typedef {import("./dom.js").Region} Region
 */

/**
 * The password, once as one text for a screen reader, and in parts for the eye.
 *
 * @param {State} state
 * @returns {Region}
 */
function passwordOf(state) {
  const made = permitted(state);
  const isRead = made && !state.isHidden;
  const shown = isRead ? made.password : made ? DOTS : "";
  const isFailed = state.problem !== undefined || isRefused(state);
  const classes = [
    "ready",
    state.isBusy || isStale(state) && !isFailed ? "busy" : "",
    isFailed ? "failed" : "",
    state.shown ? "" : "empty",
  ];
  return {
    app: {
      className: classes.filter(Boolean).join(" "),
      style: `--length: ${shown.length || 20}`,
    },
    single: {
      hidden: !made,
      lang: isRead ? languageOf(made.request) : language,
      ariaBusy: String(state.isBusy),
    },
    whole: { text: made && !isRead ? text("hidden") : shown },
    password: { text: isRead ? coloured(shown, made.request) : shown },
    "line-text": { text: shown },
  };
}

/**
 * What a screen reader hears before the verdict; all people see it when dots do not show
 * that the password is another one.
 *
 * @param {State} state
 * @param {Made} made
 */
function news(state, { password, request, stepped }) {
  const { isUndone, isHidden, turn, hiddenTurn } = state;
  const isSeen = isHidden && turn !== hiddenTurn;
  const { wordCount } = request.settings.values;
  const sizes = { length: password.length, wordCount };
  const said = isUndone
    ? text("undone")
    : (stepped ? text(`size.${stepped}`, sizes) : "") + text("announcement");
  return { ...element("span", isSeen ? "" : "heard", said), key: turn };
}

/**
 * @param {State} state
 * @param {Made} made
 * @returns {Region}
 */
function strengthOf(state, made) {
  const { password } = made;
  const bits = Math.floor(made.bits);
  const verdict = verdictOf(made.bits, /^\d+$/.test(password));
  // The time is a text, or the key of one.
  const careless = text(durationOf(made.bits, "careless", language));
  const careful = text(durationOf(made.bits, "careful", language));
  const exponent = String(bits).replace(
    /\d/g,
    (d) => "⁰¹²³⁴⁵⁶⁷⁸⁹".charAt(Number(d)),
  );
  const size = text("size", { length: password.length });
  const line = [text(verdict), text("bits", { bits }), size];
  return {
    verdict: {
      text: [
        news(state, made),
        element("span", "strength", line.join(" · ")),
      ],
    },
    bar: { className: verdict, style: `width: ${Math.min(bits / 1.28, 100)}%` },
    warning: {
      text: hasText(`time.${verdict}`) ? text(`time.${verdict}`) : "",
    },
    how: { text: text("how", { bits }) },
    calculation: {
      text: text("calculation", { exponent, careless, careful }),
    },
  };
}

/**
 * @param {State} state
 * @returns {Region}
 */
export function card(state) {
  const { shown, isBusy, isSlow, isHidden } = state;
  const made = permitted(state);
  const isWaiting = isBusy && (isSlow || !shown);
  const isUseless = !isBusy && (!made || isStale(state));
  const hide = {
    text: text(isHidden ? "show" : "hide"),
    ariaLabel: text(isHidden ? "show.password" : "hide.password"),
  };
  return {
    ...passwordOf(state),
    ...shown ? strengthOf(state, shown) : { verdict: { text: "" } },
    ...!made && { warning: { text: "" } },
    ...isWaiting && { verdict: { text: text("making") } },
    bits: { hidden: !made },
    anew: { text: state.isAnew ? text("anew") : "" },
    copy: { ariaDisabled: String(isUseless) },
    undo: { hidden: state.turn < 2, ariaDisabled: String(!former(state)) },
    enlarge: { hidden: !made },
    hide: { ...hide, hidden: !made },
    "large-hide": hide,
  };
}
