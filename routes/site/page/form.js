/**
 * The settings as the page shows them, with what is wrong with them.
 *
 * @module
 */
import { element } from "./dom.js";
import { fieldsOf, isIgnored, KINDS, noteOf } from "./fields.js";
import { hasText, text } from "./language.js";
import { choicesOf, PRESETS, PURPOSES } from "./purposes.js";
import { stepped } from "./settings.js";

/**
 * @typedef {import("./state.js").State} State
 * @typedef {import("./dom.js").Region} Region
 */

/** The fields whose number has buttons. */
export const STEPPED = ["length", "wordCount"];

/** Those buttons, and what they add. */
const STEPS = new Map([["less", -1], ["more", 1]]);

/**
 * The messages by field: those of the page, or else those of the API.
 *
 * @param {State} state
 * @returns {Map<string, string>}
 */
function messagesOf({ wanted, problem }) {
  if (wanted.errors.length > 0) {
    return new Map(
      wanted.errors.map((error) => [error.name, text(error.key, error)]),
    );
  }
  const isCurrent = problem?.request?.key === wanted.key;
  const { errors = {}, limits = {} } = isCurrent ? problem : {};
  return new Map(
    Object.entries(errors).map(([name, [message = ""]]) => {
      const key = `error.${limits[name]?.["reason"] ?? name}`;
      // The API writes English.
      const own = text(hasText(key) ? key : "error", limits[name]);
      return [name, own || message];
    }),
  );
}

/**
 * The note of an input: what is wrong, why it has no effect, or what to know.
 *
 * @param {State} state
 * @param {string} name
 * @param {string | undefined} error
 * @returns {import("./dom.js").Properties}
 */
function note({ settings: { preset, values } }, name, error) {
  const about = noteOf(name, values);
  const help = isIgnored(PRESETS[preset].kind, name, values)
    ? `why.${name}`
    : `help.${name}`;
  const texts = [
    error,
    about && text(about.key, about),
    hasText(help) && text(help),
  ];
  return {
    className: error ? "error" : "note",
    text: texts.filter(Boolean).join(" "),
  };
}

/**
 * @param {State} state
 * @param {Map<string, string>} messages
 * @returns {Region}
 */
function inputs(state, messages) {
  const { settings } = state;
  const { kind } = PRESETS[settings.preset];
  /** @type {Region} */
  const region = {};
  for (const name of Object.keys(fieldsOf(kind))) {
    const value = settings.values[name] ?? "";
    const id = `${kind}-${name}`;
    const error = messages.get(name);
    region[id] = {
      ...typeof value === "boolean" ? { checked: value } : { value },
      disabled: isIgnored(kind, name, settings.values),
      ariaInvalid: error ? "true" : null,
    };
    region[`${id}-note`] = note(state, name, error);
    if (!STEPPED.includes(name)) continue;
    for (const [button, difference] of STEPS) {
      const isEnd = stepped(settings, name, difference) === value;
      region[`${id}-${button}`] = { ariaDisabled: String(isEnd) };
    }
  }
  return region;
}

/**
 * The lines of the message, with links to inputs.
 *
 * @param {State} state
 * @param {Map<string, string>} messages
 */
function lines({ settings, problem }, messages) {
  const { kind } = PRESETS[settings.preset];
  const made = [...messages].map(([name, message]) => {
    if (!hasText(name)) return element("p", "", message);
    const href = `#${kind}-${name}`;
    const link = { ...element("a", "", text(name)), href };
    return element("p", "", link, `: ${message}`);
  });
  return problem && problem.error !== "fields"
    ? [...made, element("p", "", text(problem.error, problem))]
    : made;
}

/**
 * The purpose, its choices and its form.
 *
 * @param {State} state
 * @returns {Region}
 */
function choice({ settings: { preset, purpose } }) {
  /** @type {Region} */
  const region = { help: { text: text(`help.${preset}`) } };
  for (const each of PURPOSES) {
    region[`purpose-${each}`] = {
      checked: each === purpose,
      attributes: { "aria-describedby": each === purpose ? "help" : "" },
    };
    if (choicesOf(each).length < 2) continue;
    region[`choice-${each}`] = { hidden: each !== purpose };
    if (each === purpose) region[`of-${each}`] = { value: preset };
  }
  for (const kind of KINDS) {
    region[`form-${kind}`] = { hidden: kind !== PRESETS[preset].kind };
  }
  return region;
}

/**
 * @param {State} state
 * @returns {Region}
 */
export function form(state) {
  const messages = messagesOf(state);
  const { problem, seconds, unknown, isTouched } = state;
  // A link cannot put a sentence of its own on the page.
  const names = unknown.map((name) => /^\w{1,30}$/.test(name) ? name : "…");
  const isOver = isTouched || names.length === 0;
  return {
    ...choice(state),
    ...inputs(state, messages),
    message: { text: lines(state, messages) },
    countdown: {
      text: problem && seconds > 0 ? text("countdown", { seconds }) : "",
    },
    unknown: {
      text: isOver
        ? ""
        : text("unknown", { names: names.slice(0, 5).join(", ") }),
    },
  };
}
