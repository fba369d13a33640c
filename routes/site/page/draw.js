/**
 * Draws the page from its state.
 *
 * @module
 */
import { PURPOSES } from "./purposes.js";
import { disableWithoutEffect, hasSettings, inputsOf } from "./settings.js";
import { durationOf, verdictOf } from "./strength.js";

const byId = (id) => document.getElementById(id);

/** Sets a text only if it changes, so that a screen reader does not repeat it. */
function write(element, text = "") {
  if (element.textContent !== text) element.textContent = text;
}

function element(name, className, content) {
  const created = document.createElement(name);
  created.className = className;
  created.append(...content);
  return created;
}

/** Puts letters, digits, symbols and spaces into spans of their own. */
function coloured(text) {
  const runs = text.matchAll(
    /(?<letter>\p{L}+)|(?<digit>\p{Nd}+)|(?<space> )|(?<symbol>[^\p{L}\p{Nd} ]+)/gu,
  );
  return Array.from(runs, ({ 0: run, groups }) => {
    const kind = Object.keys(groups).find((name) => groups[name]);
    return element("span", kind, [run]);
  });
}

/** Puts each part into a span, so that a line breaks only between two parts. */
function drawn(parts, separator) {
  const last = parts.length - 1;
  return parts.map((part, i) =>
    element("span", "part", coloured(i < last ? part + separator : part))
  );
}

/** The password as the person copies it. */
export function passwordOf(shown, index = 0) {
  return shown.passwords[index].join(shown.separator);
}

export function listOf(shown) {
  return shown.passwords.map((_, i) => `${passwordOf(shown, i)}\n`).join("");
}

/** The longest word of a list, in letters. */
const LONGEST = { words: 9, sentence: 12 };

/** Parts as long as the longest ones that the same request can give. */
function longest({ path, passwords: [parts], separator, body }) {
  const length = LONGEST[path];
  if (!length) return parts;
  const { maximumLength } = body;
  if (parts.length === 1 && maximumLength) return ["m".repeat(maximumLength)];
  const words = parts.map((part) =>
    /^\d+$/.test(part) ? part : "m".repeat(length)
  );
  // What is above the maximum is taken from the words, the last one first.
  let rest = maximumLength ? words.join(separator).length - maximumLength : 0;
  return words.reverse().map((word) => {
    const less = Math.max(0, Math.min(rest, word.length - 3));
    rest -= less;
    return word.slice(less);
  }).reverse();
}

/**
 * The field that `minimumEntropy` raised, and its value.
 *
 * @returns the entry; undefined if the password shows no raised field
 */
function raised({ path, passwords: [parts], body }) {
  if (!body.minimumEntropy) return undefined;
  const digits = parts.filter((part) => /^\d+$/.test(part));
  const entry = path === "characters"
    ? ["length", parts[0].length]
    : parts.length === 1
    ? []
    : path === "words"
    ? ["wordCount", parts.length - digits.length]
    : ["numberLength", digits[0]?.length];
  return entry[1] > body[entry[0]] ? entry : undefined;
}

let drawnPasswords;
/** Draws only if the passwords have changed. */
function drawPasswords(shown) {
  if (drawnPasswords === shown) return;
  drawnPasswords = shown;
  const { passwords = [], separator } = shown ?? {};
  const isOne = passwords.length === 1;
  byId("password").replaceChildren(
    ...(isOne ? drawn(passwords[0], separator) : []),
  );
  const room = isOne ? longest(shown) : [];
  byId("room").replaceChildren(...drawn(room, separator));
  byId("app").classList.toggle("long", room.join("").length > 60);
  const template = byId("copy-one");
  byId("list").replaceChildren(...(isOne ? [] : passwords).map((parts, i) => {
    const text = element("span", "text", drawn(parts, separator));
    const button = template.content.firstElementChild.cloneNode(true);
    button.dataset.copy = i;
    return element("li", "", [text, button]);
  }));
}

function drawStrength(shown, language, text) {
  const { bits, passwords } = shown;
  const isDigits = /^\d+$/.test(passwords[0].join(""));
  const verdict = verdictOf(bits, isDigits);
  const rounded = Math.floor(bits);
  const strength = text("strengthOf", {
    verdict: text(verdict),
    bits: rounded,
  });
  const [careless, careful] = ["careless", "careful"].map((attack) => {
    const { key, text: duration } = durationOf(bits, attack, language);
    return duration ?? text(key);
  });
  const isSame = careless === careful;
  write(
    byId("time"),
    verdict === "pin"
      ? text("time.pin")
      : text(isSame ? "time.any" : "time", { careless, careful }),
  );
  const exponent = String(rounded).replace(/\d/g, (d) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[d]);
  write(byId("calculation"), text("calculation", { exponent }));
  byId("app").dataset.verdict = verdict;
  const meter = byId("meter");
  const maximum = Number(meter.getAttribute("aria-valuemax"));
  meter.ariaValueNow = String(Math.min(rounded, maximum));
  meter.ariaValueText = strength;
  byId("fill").style.width = `${100 * Math.min(bits / maximum, 1)}%`;
  const length = passwordOf(shown).length;
  return passwords.length > 1
    ? text("several", { count: passwords.length, strength })
    : `${strength} · ${text("size", { length })}`;
}

/** The error of a field, in the language of the page. */
function messageOf(name, messages, kind, text) {
  const message = messages.join(" ");
  if (name === "passwordRules") {
    const [, least] = /a number of at least (\d+)/.exec(message) ?? [];
    const [, position] = /at character (\d+)/.exec(message) ?? [];
    if (least) return text("error.maxlength", { least });
    if (position) return text("error.position", { position });
    if (message.startsWith("Fewer")) return text("error.few");
    if (message === "No character is allowed.") return text("error.$");
  }
  const [limit, maximum] = message.match(/\d+/g) ?? [];
  // The range of an integer can depend on other fields.
  if (/^Must be (an integer )?from /.test(message)) {
    return text("error.integer", { minimum: limit, maximum });
  }
  const isOwn = name !== "$" || kind === "characters";
  return isOwn && text(`error.${name}`, { limit, message }) || message;
}

/**
 * Shows at each field its error, or else its raised value, why it has no effect,
 * or its help.
 */
function drawNotes(forms, reasons, errors, more, text) {
  for (const input of forms.flatMap(inputsOf)) {
    const { name, id } = input;
    const note = byId(`${id}-note`);
    const error = errors[name];
    note.className = error ? "error" : "note";
    write(
      note,
      error ?? more[name] ?? text(reasons[name] ?? `help.${name}`),
    );
    if (error) {
      input.setAttribute("aria-invalid", "true");
      input.closest("details")?.setAttribute("open", "");
    } else input.removeAttribute("aria-invalid");
  }
}

/**
 * Draws the page.
 *
 * @param state the state (page.js)
 * @param form the form of the chosen kind
 * @param amount the form with the number of passwords
 * @param currentSettings gives the values in the forms, as a string
 * @param text makes a text of the page
 */
export function draw(state, { form, amount, currentSettings, text }) {
  const { shown, problem, language, copied } = state;
  const { kind } = form.dataset;
  const reasons = disableWithoutEffect(form);
  const settings = currentSettings();
  const isStale = shown !== undefined && shown.settings !== settings;
  drawPasswords(shown);

  const isOwn = problem?.settings === settings;
  const errors = isOwn && problem.errors || {};
  const messages = Object.fromEntries(
    Object.entries(errors).map(([name, each]) => [
      name,
      messageOf(name, each, kind, text),
    ]),
  );
  const seconds = Math.ceil((state.retryAt - performance.now()) / 1000);
  const isLimited = seconds > 0;
  write(
    byId("message"),
    problem && (messages.$ ?? text(problem.error, { status: problem.status })),
  );
  write(byId("countdown"), isLimited ? text("seconds", { seconds }) : "");
  write(byId("verdict"), shown ? drawStrength(shown, language, text) : "");

  const isSeveral = shown?.passwords.length > 1;
  const app = byId("app").classList;
  app.toggle("failed", problem !== undefined || isLimited);
  app.toggle("stale", isStale);
  app.toggle("empty", !shown);
  app.toggle("several", isSeveral);
  app.toggle("busy", state.isBusy);
  byId("password").ariaBusy = String(state.isBusy);
  // Not `disabled`, because a disabled button loses the focus.
  byId("new").ariaDisabled = String(isLimited);
  for (const button of document.querySelectorAll("[data-copy]")) {
    const { copy: key } = button.dataset;
    const isCopied = copied?.key === key && !isStale;
    const name = key === "all" && isSeveral ? "copyAll" : "copy";
    write(button, text(isCopied ? copied.text : name));
    if (key !== "all") {
      button.ariaLabel = `${button.textContent} (${Number(key) + 1})`;
    }
    button.ariaDisabled = String(isStale && !state.isBusy);
  }
  byId("save").ariaDisabled = String(isStale || state.isBusy);
  byId("save").hidden = !isSeveral;

  const more = shown && !isStale ? raised(shown) : undefined;
  const notes = more
    ? {
      [more[0]]: text("raised", {
        value: more[1],
        bits: shown.body.minimumEntropy,
      }),
    }
    : {};
  drawNotes([form, amount], reasons, messages, notes, text);

  const ticks = byId("ticks");
  const invalid = ticks.querySelector(":invalid");
  const { min: minimum, max: maximum } = invalid ?? {};
  const note = invalid
    ? text("error.integer", { minimum, maximum })
    : ticks.disabled
    ? text("ticks.no")
    : messages.passwordRules;
  byId("ticks-note").className = note && !ticks.disabled ? "error" : "note";
  write(byId("ticks-note"), note);

  for (const tab of document.querySelectorAll("[role=tab]")) {
    const isChosen = tab.id === `tab-${kind}`;
    tab.ariaSelected = String(isChosen);
    tab.tabIndex = isChosen ? 0 : -1;
    byId(tab.getAttribute("aria-controls")).hidden = !isChosen;
  }
  let help = "";
  for (const button of document.querySelectorAll("[data-purpose]")) {
    const { purpose } = button.dataset;
    const [purposeKind, purposeSettings] = PURPOSES[purpose];
    const isChosen = purposeKind === kind &&
      (kind === "rules" || hasSettings(form, purposeSettings));
    button.ariaPressed = String(isChosen);
    if (isChosen) help = text(`${purpose}.help`);
  }
  write(byId("purpose"), help);
}
