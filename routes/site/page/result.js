/**
 * Shows the result of a request: a password with its strength, and errors.
 *
 * @module
 */
import { setNote } from "./settings.js";
import { judge } from "./strength.js";

const byId = (id) => document.getElementById(id);

/** The password as the person copies it. */
export function passwordOf({ parts, separator }) {
  return parts?.join(separator) ?? "";
}

function element(className, content) {
  const span = document.createElement("span");
  span.className = className;
  span.append(...content);
  return span;
}

/** Letters, digits and symbols in different colours. */
function coloured(text) {
  const runs = text.matchAll(
    /(?<letter>\p{L}+)|(?<digit>\p{Nd}+)|(?<symbol>[^\p{L}\p{Nd}]+)/gu,
  );
  return Array.from(runs, ({ 0: run, groups }) => {
    const kind = Object.keys(groups).find((name) => groups[name]);
    return element(kind, [run]);
  });
}

/**
 * Shows a password and its strength; nothing, if there is none.
 *
 * @param shown the parts of the password, the separator and the bits
 */
export function showPassword(shown, language, text) {
  const { parts = [], separator, bits } = shown;
  // A line breaks only between two parts. Each part has the separator after it.
  const last = parts.length - 1;
  byId("password").replaceChildren(
    ...parts.map((part, i) =>
      element("part", coloured(i < last ? part + separator : part))
    ),
  );
  byId("password").classList.toggle("long", passwordOf(shown).length > 40);
  // Without a password the button is not visible, and would lose the focus.
  if (last < 0 && document.activeElement === byId("copy")) byId("new").focus();
  byId("app").classList.toggle("empty", parts.length === 0);
  byId("strength").hidden = bits === undefined;
  if (bits === undefined) return;
  const { verdict, sentence, time } = judge(bits, language);
  const shownBits = text("bits", { bits: Math.floor(bits) });
  const meter = byId("meter");
  const maximum = Number(meter.getAttribute("aria-valuemax"));
  const value = Math.min(Math.floor(bits), maximum);
  byId("strength").dataset.verdict = verdict;
  meter.ariaValueNow = String(value);
  meter.ariaValueText = `${text(verdict)} ${shownBits}`;
  byId("fill").style.width = `${100 * value / maximum}%`;
  byId("time").textContent = `${text(sentence, { time })} ${text("rate")}`;
  byId("verdict").textContent = text(verdict);
  byId("bits").textContent = shownBits;
  byId("size").textContent = text("size", {
    length: passwordOf(shown).length,
  });
}

/** Tells a screen reader that there is a new password, but not the password. */
export function announce(text) {
  const strength = byId("meter").ariaValueText;
  byId("announcement").textContent = text("announcement", { strength });
}

/**
 * Shows an error: a sentence, and a message at each field with an error.
 *
 * @param problem the error; without a member `error` there is none
 */
export function showError({ error, errors = {}, status }, form, text) {
  const whole = errors.$;
  byId("message").textContent = whole
    ? messageOf("$", whole, form, text)
    : error
    ? text(error, { status })
    : "";
  for (const [name, messages] of Object.entries(errors)) {
    const input = form.elements.namedItem(name);
    if (input) setNote(input, messageOf(name, messages, form, text), true);
  }
}

/** The error of a field, in the language of the page. */
function messageOf(name, messages, form, text) {
  const message = messages.join(" ");
  const [limit, maximum] = message.match(/\d+/g) ?? [];
  // The range of an integer can depend on other settings.
  if (/^Must be (an integer )?from /.test(message)) {
    return text("error.integer", { minimum: limit, maximum });
  }
  const isOwn = name !== "$" || form.dataset.kind === "characters";
  return isOwn && text(`error.${name}`, { limit, message }) || message;
}
