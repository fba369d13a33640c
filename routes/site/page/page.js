/**
 * The script of the page: one state, one function for each region that it draws.
 *
 * It stores nothing. The values of the fields are in the fragment of the URL, and
 * what a site says is in the state of its history entry. The passwords are only in
 * the document, until the page is left.
 *
 * @module
 */
import { copy } from "./clipboard.js";
import {
  bodyOf,
  disableWithoutEffect,
  inputsOf,
  isReplaced,
  setValue,
  valueOf,
} from "./form.js";
import { PURPOSES, SENTENCE } from "./purposes.js";
import { readRequirements } from "./requirements.js";
import { durationOf, STRONG_BITS, verdictOf } from "./strength.js";

const byId = (id) => document.getElementById(id);
const all = (selector) => [...document.querySelectorAll(selector)];

/** The fields of all forms, in the order of their declarations. */
const FIELDS = all(".field");

/** The time without input after which the page requests a password. */
const DEBOUNCE_MS = 250;
/** The same time for a text or an invalid value, which may be incomplete. */
const TYPING_MS = 800;
/** When the page says that it waits. */
const SLOW_MS = 400;
/** The least time between the starts of two requests. */
const INTERVAL_MS = 500;
const TIMEOUT_MS = 15_000;
/** How long a button confirms. */
const CONFIRM_MS = 2500;
/** When the page tries again by itself, in seconds, if the service does not say. */
const RETRY_S = { limit: 60, busy: 5, unreachable: 10 };
const MAX_EARLIER = 5;
/** How long a password stands before other settings, in order to be kept. */
const STOOD_MS = 2000;

/** Purposes whose password a person keeps in memory. */
const TO_LEARN = ["remember", "type"];

const state = {
  language: document.documentElement.lang,
  purpose: "manager",
  /** What the passwords to remember are: "words" or "sentence". */
  kind: "words",
  /** The passwords, their bits, and their request; undefined without any. */
  shown: undefined,
  /** The single passwords, the latest first; the one that is shown is one of them. */
  history: [],
  /** Why the newest request failed: the key of a text, and what belongs to it. */
  problem: undefined,
  isBusy: false,
  isSlow: false,
  /** Whether a person has copied the passwords. */
  isCopied: false,
  /** The button that confirms, and the key of its text. */
  confirmed: undefined,
  /** How often it was typed from memory; undefined before the first attempt. */
  practised: undefined,
};

let controller; // of the newest request; undefined after the page was left
let newest = Promise.resolve(); // resolves when it has ended
let requested = ""; // its path and its body
let startedAt = -Infinity;
let timer = 0; // of the next request
let slowTimer = 0;
let confirmTimer = 0;

/** The texts by language; those of the other one are loaded when they are used. */
const texts = { [state.language]: JSON.parse(byId("texts").textContent) };

function text(key, values = {}) {
  return texts[state.language][key]
    .replace(/\{(\w+)\}/g, (_, name) => values[name]);
}

const isSentence = () =>
  state.purpose === "remember" && state.kind === "sentence";
const preset = () => isSentence() ? SENTENCE : PURPOSES[state.purpose];

const currentForm = () => document.forms.namedItem(preset().kind);
const currentRequest = () => ({
  path: preset().kind,
  body: bodyOf(currentForm()),
});
const currentKey = () => JSON.stringify(currentRequest());
const isStale = () => state.shown && state.shown.key !== currentKey();

/** The numbers that are not in their range. */
function invalidInputs() {
  return inputsOf(currentForm()).filter((input) =>
    !input.disabled && !input.validity.valid
  );
}

// Requests

/** Requests passwords, and shows them. */
function generate() {
  clearTimeout(timer);
  const request = currentRequest();
  // On a slow line, a second click must not start it anew.
  if (state.isBusy && requested === JSON.stringify(request)) return;
  controller?.abort();
  controller = new AbortController();
  requested = JSON.stringify(request);
  newest = invalidInputs().length > 0
    ? Promise.resolve(update({ problem: undefined, isBusy: false }))
    : send(request, controller);
}

async function send(request, own) {
  const key = requested;
  startedAt = performance.now();
  update({ isBusy: true, isSlow: false, confirmed: undefined });
  const { signal } = own;
  const timeout = setTimeout(() => own.abort(), TIMEOUT_MS);
  clearTimeout(slowTimer);
  slowTimer = setTimeout(() => update({ isSlow: true }), SLOW_MS);
  const outcome = await ask(request, signal)
    // A connection that was lost is tried once more.
    .catch(() => ask(request, signal)).catch(() => ({ error: failure() }));
  clearTimeout(timeout);
  if (own !== controller) return newest;
  show({ ...request, ...outcome, key });
}

/** Why a request got no response. */
const failure = () => navigator.onLine ? "unreachable" : "offline";

function urlOf(path) {
  const url = new URL(path, document.baseURI);
  url.username = url.password = ""; // fetch() refuses them
  return url;
}

async function ask({ path, body }, signal) {
  const response = await fetch(urlOf(`api/pwgen/${path}`), {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
    cache: "no-store",
    credentials: "omit",
    signal,
  });
  const { status, headers } = response;
  // The body is always read, so that the browser can use the connection again. A
  // proxy may send one that is not JSON.
  const { password, passwords = [password], errors } = await response.json()
    .catch(() => ({}));
  if (response.ok && password) {
    return { passwords, bits: Number(headers.get("entropy-bits")) };
  }
  if (status === 400 && errors) return { error: "fields", errors };
  const window = /;t=(\d+)/.exec(headers.get("ratelimit"));
  const seconds = Number(window?.[1] ?? headers.get("retry-after"));
  if (status === 429) return { error: "limit", seconds };
  if (status === 503) return { error: "busy", seconds };
  // Something else responded, such as a captive portal.
  return response.ok ? { error: "unreachable" } : { error: "failed", status };
}

function show(outcome) {
  const { error } = outcome;
  if (error) {
    const seconds = outcome.seconds || RETRY_S[error];
    const retryAt = seconds && performance.now() + 1000 * seconds;
    update({ problem: { ...outcome, retryAt }, isBusy: false });
    return countDown();
  }
  const { shown, history } = state;
  // What stood only while a person typed a setting is not worth a place.
  const isKept = shown !== history[0] || shown?.key === outcome.key ||
    performance.now() - startedAt > STOOD_MS;
  update({
    shown: outcome,
    history: [
      ...outcome.passwords.length === 1 ? [outcome] : [],
      ...isKept ? history : history.slice(1),
    ].slice(0, MAX_EARLIER + 1),
    problem: undefined,
    isBusy: false,
    isCopied: false,
    practised: undefined,
  });
  // A screen reader says that there is a new password, but not the password.
  byId("announcement").textContent = text("announcement", {
    strength: byId("meter").ariaValueText,
  });
}

/** Shows another password of the history. */
function showFromHistory(index) {
  const shown = state.history[index];
  if (!shown) return;
  // It is what the person wants, whatever the settings are now.
  shown.key = currentKey();
  update({ shown, problem: undefined, practised: undefined });
  byId("announcement").textContent = text("announcement.history", {
    number: state.history.length - index,
    count: state.history.length,
    strength: byId("meter").ariaValueText,
  });
}

/** Tries again at the time of the problem, unless something else happens before. */
function countDown() {
  const { retryAt } = state.problem ?? {};
  clearTimeout(timer);
  if (retryAt === undefined) return;
  update();
  if (performance.now() >= retryAt) return recover();
  timer = setTimeout(countDown, 250);
}

/** Tries again, but does not replace a password that a person has copied. */
function recover() {
  if (!state.isCopied || isStale()) return generate();
  update({ problem: undefined });
}

/** Requests passwords soon, at most a few a second. */
function generateSoon(delay = 0) {
  clearTimeout(timer);
  const earliest = startedAt + INTERVAL_MS - performance.now();
  timer = setTimeout(generate, Math.max(delay, earliest));
}

/** Requests passwords for other settings, unless the page has to wait. */
function settingsChanged(delay) {
  writeFragment();
  update();
  if (state.problem?.retryAt > performance.now()) return;
  if (currentKey() !== requested || invalidInputs().length > 0) {
    generateSoon(delay);
  } else clearTimeout(timer);
}

// What the page shows

function update(changes) {
  Object.assign(state, changes);
  disableWithoutEffect(currentForm());
  drawPurpose();
  drawPasswords();
  drawStrength();
  drawProblem();
  drawButtons();
  // What is drawn above it can push it out of the window.
  const { activeElement } = document;
  if (activeElement.name === "purpose") {
    const next = state.purpose === "site" ? byId("site") : activeElement;
    next.scrollIntoView({ block: "nearest" });
  }
}

/** Sets a text only if it changes, so that a screen reader does not repeat it. */
function write(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

function element(name, className, ...content) {
  const created = document.createElement(name);
  created.className = className;
  created.append(...content);
  return created;
}

/** The parts of a password: its words and digits if a separator is between them. */
function partsOf(password, { separator } = {}) {
  return separator
    ? password.split(separator).map((part, i, { length }) =>
      i < length - 1 ? part + separator : part
    )
    : [password];
}

/** The kind of a character, for its colour and its shape. */
function kindOf(character) {
  if (character === " ") return "space";
  if (/\d/.test(character)) return "digit";
  return /\p{L}/u.test(character) ? "letter" : "symbol";
}

/** A password whose letters, digits and signs differ; lines end after a part. */
function coloured(password, body) {
  return partsOf(password, body).map((part) =>
    element(
      "span",
      "part",
      ...part.match(/\p{L}+|\d+| |[^\p{L}\d ]+/gu)
        .map((run) => element("span", kindOf(run[0]), run)),
    )
  );
}

function button(name, label, data) {
  const created = element("button", "", text(name));
  Object.assign(created, { type: "button", ariaLabel: label });
  Object.assign(created.dataset, data);
  return created;
}

/** A row of a list: a password with a button that copies it, and others. */
function row(password, number, body, ...buttons) {
  return element(
    "li",
    "",
    element("span", "text", ...coloured(password, body)),
    button("copy", text("copyOne", { number }), { copy: number }),
    ...buttons,
  );
}

let drawn;
/** Draws only if the passwords or the language have changed. */
function drawPasswords() {
  const { shown, history, language } = state;
  const { passwords = [], body } = shown ?? {};
  const key = JSON.stringify([passwords, history, language]);
  if (key === drawn) return;
  drawn = key;
  const isOne = passwords.length === 1;
  byId("password").hidden = !isOne && passwords.length > 0;
  byId("password").replaceChildren(
    ...(isOne ? coloured(passwords[0], body) : []),
  );
  byId("password").classList.toggle("long", passwords[0]?.length > 44);
  byId("list").hidden = isOne || passwords.length === 0;
  byId("list").replaceChildren(
    ...(isOne ? [] : passwords.map((each, i) => row(each, i + 1, body))),
  );
  byId("spelling").replaceChildren(...isOne ? spelled(passwords[0], body) : []);
  const others = history.filter((each) => each !== shown);
  byId("earlier").hidden = others.length === 0;
  byId("earlier").querySelector("ol").replaceChildren(
    ...others.map((each, i) =>
      row(
        each.passwords[0],
        i + 1,
        each.body,
        button("use", `${text("use")} ${i + 1}`, {
          use: history.indexOf(each),
        }),
      )
    ),
  );
}

/** Draws the strength of the password; nothing if the password is not valid. */
function drawStrength() {
  const { shown, problem, purpose, language } = state;
  const app = byId("app").classList;
  const isFailed = problem !== undefined || invalidInputs().length > 0;
  app.toggle("busy", state.isBusy || Boolean(isStale()) && !isFailed);
  app.toggle("failed", isFailed);
  app.toggle("empty", shown === undefined);
  app.toggle("words", preset().kind !== "characters");
  if (!shown) return;
  const { bits, passwords: { length: count }, passwords: [password] } = shown;
  const verdict = verdictOf(bits, /^\d+$/.test(password));
  const rounded = Math.floor(bits);
  const strength = text("strengthOf", {
    verdict: text(verdict),
    bits: rounded,
  });
  const size = text("size", { length: password.length });
  const several = verdict === "excellent" ? "severalStrong" : "several";
  write(
    byId("verdict"),
    count === 1
      ? `${strength} · ${size}`
      : text(several, { count, strength, bits: rounded }),
  );
  byId("app").dataset.verdict = verdict;
  const meter = byId("meter");
  meter.ariaValueNow = String(Math.min(rounded, 128));
  meter.ariaValueText = strength;
  byId("fill").style.width = `${Math.min(bits / 1.28, 100)}%`;

  const [careless, careful] = ["careless", "careful"].map((attack) => {
    const { key, text: duration } = durationOf(bits, attack, language);
    return duration ?? text(key);
  });
  // Wi-Fi, a door or a login at a desk has no site that leaks it.
  let time = TO_LEARN.includes(purpose) ? "time.tries" : "time";
  if (verdict === "pin") time = "time.pin";
  // Its time says nothing: it is longer than the age of the universe.
  write(
    byId("time"),
    verdict === "excellent" ? "" : text(time, { careless, careful }),
  );
  const exponent = String(rounded).replace(/\d/g, (d) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[d]);
  const values = { exponent, bits: rounded };
  write(byId("how").querySelector("summary"), text("how", values));
  write(byId("calculation"), text("calculation", values));
  byId("stronger").hidden = shown.path === "characters" || bits >= STRONG_BITS;
  write(byId("stronger"), text(isSentence() ? "stronger.words" : "stronger"));
  // The birthday bound.
  byId("repeat").hidden = count === 1 || count ** 2 / 2 ** (bits + 1) < 0.01;
}

/** The label of an input, as a person sees it. */
const labelOf = (input) =>
  input.closest("label").querySelector("span").textContent;

/** The errors of inputs: those of the page, or else those of the API. */
function errorsOf() {
  const { problem } = state;
  const invalid = invalidInputs();
  if (invalid.length > 0) {
    return invalid.map((input) => ({ input, message: text("range", input) }));
  }
  if (problem?.key !== currentKey()) return [];
  // The API writes English. What it says of a rule has a position.
  const isEnglish = state.language === "en";
  return Object.entries(problem.errors ?? {}).map(([name, messages]) => ({
    input: currentForm().elements.namedItem(name),
    message: isEnglish
      ? messages.join(" ")
      : text(`error.${name}` in texts.sv ? `error.${name}` : "error"),
    detail: isEnglish || name !== "passwordRules" ? "" : messages.join(" "),
  }));
}

/** The reason of an error, and what only the API says, in English. */
function reasonOf({ message, detail }) {
  const reason = element("span", "", message);
  if (detail) {
    const english = element("span", "", detail);
    english.lang = "en";
    reason.append(" ", english);
  }
  return reason;
}

/** One error, with a link to its input. */
function errorLine(error) {
  const { input } = error;
  const reason = reasonOf(error);
  if (!input) return element("p", "", reason);
  const link = element("button", "link", labelOf(input));
  link.type = "button";
  link.addEventListener("click", () => {
    input.closest("details")?.setAttribute("open", "");
    input.focus();
  });
  return element("p", "", link, ": ", reason);
}

/** The message in the card; the errors of the fields, or the help of each. */
function drawProblem() {
  const { problem } = state;
  const errors = errorsOf();
  for (const input of inputsOf(currentForm())) {
    const error = errors.find((each) => each.input === input);
    const note = byId(`${input.id}-note`);
    const { noEffect } = input.closest(".field").dataset;
    const help = input.disabled && noEffect
      ? `why.${input.name}`
      : note.dataset.help;
    note.className = error ? "error" : "note";
    const parts = error ? [reasonOf(error), " "] : [];
    const line = element("p", "", ...parts, help ? text(help) : "");
    if (note.textContent !== line.textContent) {
      note.replaceChildren(...line.childNodes);
    }
    input.ariaInvalid = error ? "true" : null;
  }
  const lines = errors.map(errorLine);
  if (problem && problem.error !== "fields") {
    lines.push(element("p", "", text(problem.error, problem)));
  }
  const message = byId("message");
  const html = lines.map((line) => line.textContent).join("\n");
  if (message.dataset.shown !== html) message.replaceChildren(...lines);
  message.dataset.shown = html;
  byId("again").hidden = !problem || problem.error === "fields";
  const seconds = Math.ceil((problem?.retryAt - performance.now()) / 1000);
  write(byId("countdown"), seconds > 0 ? text("countdown", { seconds }) : "");
}

/** The buttons of the card, and what belongs to the kind of password. */
function drawButtons() {
  const { shown, history, confirmed, isBusy, isSlow, practised } = state;
  const isSeveral = shown?.passwords.length > 1;
  const names = { copy: isSeveral ? "copyAll" : "copy", save: "save" };
  for (const [id, name] of Object.entries(names)) {
    write(byId(id), text(confirmed?.id === id ? confirmed.key : name));
    byId(id).ariaDisabled = String(!shown || Boolean(isStale()) && !isBusy);
  }
  byId("save").hidden = byId("print").hidden = !isSeveral;
  byId("enlarge").hidden = !shown || isSeveral;
  const index = history.indexOf(shown);
  byId("previous").ariaDisabled = String(!history[index + 1]);
  byId("next").ariaDisabled = String(!history[index - 1]);
  byId("spell").hidden = byId("enlarge").hidden;
  write(byId("making"), isBusy && isSlow ? text("making") : "");
  byId("password").ariaBusy = String(isBusy);
  const done = practised < 3 ? "practise.yes" : "practise.done";
  const answer = practised === 0 ? "practise.no" : done;
  byId("which").hidden = practised !== 0;
  write(
    byId("practised"),
    practised === undefined ? "" : text(answer, { count: practised }),
  );
}

/** The form of the purpose: what it needs stands first. */
function drawPurpose() {
  const { purpose, language } = state;
  const isSite = purpose === "site";
  for (const radio of all("[name=purpose]")) {
    radio.checked = radio.value === purpose;
  }
  write(byId("help"), text(`help.${isSentence() ? "sentence" : purpose}`));
  byId("kind").hidden = purpose !== "remember";
  byId("kind").control.value = state.kind;
  byId("site").hidden = !isSite;
  if (isSite) drawRequirements();
  const form = currentForm();
  for (const each of document.forms) {
    if (each.dataset.kind) each.hidden = each !== form;
  }
  for (const field of form.querySelectorAll(".field")) {
    const { field: name } = field.dataset;
    field.hidden = name === "passwordRules"
      ? !isSite
      : isReplaced(field, currentForm());
  }
  const sizes = sizesOf();
  byId("sizes").hidden = sizes.length === 0;
  for (const [i, { values, verdict }] of sizes.entries()) {
    const button = byId("sizes").children[i];
    const [[name, size]] = Object.entries(values);
    const strength = verdict === "pin" ? "" : ` · ${text(verdict)}`;
    write(button, text(`size.${name}`, { size }) + strength);
    const { value } = form.elements.namedItem(name);
    button.ariaPressed = String(value === String(size));
  }
  document.documentElement.lang = language;
  for (const button of all(".languages button")) {
    button.ariaPressed = String(button.lang === language);
  }
}

/** Keeps all but the language of the texts. */
async function setLanguage(language) {
  if (!texts[language]) {
    const headers = { "accept-language": language };
    const page = await (await fetch(urlOf("./"), { headers })).text();
    const [, json] = /id="texts">(.*?)<\/script>/s.exec(page);
    texts[language] = JSON.parse(json);
  }
  state.language = language;
  for (const each of all("[data-text]")) {
    each.textContent = text(each.dataset.text);
  }
  for (const each of all("[data-label]")) {
    each.ariaLabel = text(each.dataset.label);
  }
  for (const each of all("[data-placeholder]")) {
    each.placeholder = text(each.dataset.placeholder);
  }
  byId("announcement").textContent = "";
}

// Settings

/** The values of the buttons for the size of a password. */
const sizesOf = () =>
  Object.entries(preset().sizes ?? {}).flatMap(([verdict, sizes]) =>
    sizes.map((values) => ({ values, verdict }))
  );

/** Sets the fields of a purpose to its values, except the number of passwords. */
function choose(purpose, kind = "words") {
  const count = currentForm().elements.namedItem("count").value;
  Object.assign(state, { purpose, kind });
  const { first, values } = preset();
  const form = currentForm();
  for (const field of FIELDS) {
    if (!form.contains(field)) continue;
    const isFirst = first.includes(field.dataset.field);
    form.querySelector(isFirst ? ".first" : ".more").append(field);
  }
  // The language of the words is that of the page until the person chooses one.
  const select = form.elements.namedItem("language");
  const isChosen = select && "chosen" in select.dataset;
  const language = isChosen ? select.value : state.language;
  form.reset();
  for (const [name, value] of Object.entries({ ...values, language })) {
    const input = form.elements.namedItem(name);
    if (input && value !== undefined) setValue(input, value);
  }
  for (const input of inputsOf(form)) {
    input.dataset.initial = String(valueOf(input) ?? "");
  }
  setValue(form.elements.namedItem("count"), count);
  if (purpose === "site") applyRequirements();
}

/** Writes the purpose and the values that it does not have to the fragment. */
function writeFragment() {
  const { purpose, language } = state;
  const values = new URLSearchParams({ purpose, page: language });
  if (isSentence()) values.set("kind", "sentence");
  for (const input of inputsOf(currentForm())) {
    const { initial, chosen } = input.dataset;
    const value = String(valueOf(input) ?? "");
    const isKept = value !== initial || chosen !== undefined;
    if (isKept && input.validity.valid) values.set(input.name, value);
  }
  // A browser does not send the fragment; what a site says is too long for it.
  const { value: requirements } = byId("requirements");
  const kept = requirements ? { requirements } : null;
  history.replaceState(kept, "", `#${values}`);
}

/** Applies the purpose, the values and the language in the fragment of the URL. */
async function readFragment() {
  const values = new URLSearchParams(location.hash.slice(1));
  byId("requirements").value = history.state?.requirements ?? "";
  // Links to former versions name a kind, or a purpose that is none any more.
  const kinds = { words: "remember", sentence: "remember", rules: "site" };
  const names = ["purpose", "what", "kind"].map((name) => values.get(name));
  const purpose = names.map((name) => kinds[name] ?? name)
    .find((name) => Object.hasOwn(PURPOSES, name));
  const language = values.get("page");
  const isKnown = all(".languages button").some(({ lang }) =>
    lang === language
  );
  const other = isKnown ? language : state.language;
  // Without the texts of the other language, the page stays in this one.
  await setLanguage(other).catch(() => setLanguage(state.language));
  setValue(currentForm().elements.namedItem("count"), "");
  choose(
    purpose ?? "manager",
    names.includes("sentence") ? "sentence" : "words",
  );
  for (const input of inputsOf(currentForm())) {
    const value = values.get(input.name);
    const { value: before, maxLength } = input;
    // The validity of a value that a script sets does not depend on its length.
    const isTooLong = maxLength >= 0 && value?.length > maxLength;
    if (value === null || isTooLong) continue;
    setValue(input, value);
    if (!input.validity.valid || input.selectedIndex === -1) {
      setValue(input, before);
    } else if (input.name === "language") input.dataset.chosen = "";
  }
  update();
  generate();
}

// The requirements of a site

/** What the box has set in the fields. */
let given = {};

/** Sets the fields to what the text in the box says, and takes back what it said. */
function applyRequirements() {
  const { body = {} } = readRequirements(byId("requirements").value);
  const form = currentForm();
  for (const name of ["length", "passwordRules"]) {
    const input = form.elements.namedItem(name);
    const isOwn = String(given[name]) === input.value;
    if (name in body) setValue(input, body[name]);
    else if (isOwn) setValue(input, input.dataset.initial);
  }
  given = body;
}

/** Says which rule counts, and what of the text in the box has no effect. */
function drawRequirements() {
  const { value } = byId("requirements");
  const { unread } = readRequirements(value);
  const rule = currentForm().elements.namedItem("passwordRules")?.value;
  const list = unread.join(", ");
  write(byId("understood"), rule ? text("requirements.rule", { rule }) : "");
  write(
    byId("unknown"),
    unread.length === 0
      ? ""
      : text(`requirements.${list === value.trim() ? "none" : "some"}`, {
        list,
      }),
  );
}

byId("requirements").addEventListener("input", () => {
  applyRequirements();
  settingsChanged(TYPING_MS);
});

// What a person does

for (const form of all("form[data-kind]")) {
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("input", ({ target }) => {
    // Keep a number and its slider equal.
    const [number, slider] = target.parentElement.querySelectorAll(
      "[type=number], [type=range]",
    );
    if (target === slider) number.value = target.value;
    else if (slider && target.value !== "") slider.value = target.value;
    if (target.name === "language") target.dataset.chosen = "";
    const isText = target.matches("textarea, [type=text]");
    const isInvalid = invalidInputs().length > 0;
    settingsChanged(isText || isInvalid ? TYPING_MS : DEBOUNCE_MS);
  });
  // The person has finished the input, so an invalid value gets its message now.
  form.addEventListener("change", () => settingsChanged(DEBOUNCE_MS));
}

for (const radio of all("[name=purpose]")) {
  radio.addEventListener("change", () => {
    choose(radio.value);
    settingsChanged();
  });
}
byId("kind").addEventListener("change", ({ target }) => {
  choose("remember", target.value);
  settingsChanged();
});
/** Sets fields by a button. */
function setFields(values) {
  for (const [name, value] of Object.entries(values)) {
    setValue(currentForm().elements.namedItem(name), value);
  }
  settingsChanged();
}
for (const [i, button] of [...byId("sizes").children].entries()) {
  button.addEventListener("click", () => setFields(sizesOf()[i].values));
}
for (const button of all(".languages button")) {
  button.addEventListener("click", async () => {
    try {
      await setLanguage(button.lang);
      settingsChanged();
    } catch {
      show({ error: failure() });
    }
  });
}

byId("new").addEventListener("click", () => {
  state.isCopied = false;
  generateSoon();
});
byId("again").addEventListener("click", () => generateSoon());
byId("print").addEventListener("click", () => print());
for (const [id, step] of [["previous", 1], ["next", -1]]) {
  byId(id).addEventListener("click", () => {
    showFromHistory(state.history.indexOf(state.shown) + step);
  });
}
byId("stronger").addEventListener("click", () => {
  byId("copy").focus(); // this button goes
  if (isSentence()) {
    choose("remember");
    return settingsChanged();
  }
  const { wordCount, maximumLength } = currentForm().elements;
  setFields({
    wordCount: Math.min(10, wordCount.valueAsNumber + 1),
    // A short one stays short.
    maximumLength: maximumLength.value && maximumLength.valueAsNumber + 6,
  });
});

/** A button says for some time, and a screen reader at once, what was done. */
function confirm(button, key) {
  clearTimeout(confirmTimer);
  byId("announcement").textContent = "";
  update({ confirmed: { id: button.id, key } });
  if (!button.id) button.textContent = text(key);
  button.animate([{ opacity: 0.3 }, { opacity: 1 }], 300);
  byId("announcement").textContent = text(key);
  confirmTimer = setTimeout(() => {
    update({ confirmed: undefined });
    if (!button.id) button.textContent = text("copy");
  }, CONFIRM_MS);
}

/** All passwords, as they are copied and saved. */
const listText = () =>
  state.shown.passwords.map((each) => `${each}\n`).join("");

document.addEventListener("click", async ({ target }) => {
  const { copy: number, use } = target.dataset;
  if (use !== undefined) showFromHistory(Number(use));
  if (number === undefined) return;
  const isAll = number === "all";
  const isSeveral = state.shown?.passwords.length > 1;
  const own = isAll
    ? byId(isSeveral ? "list" : "password")
    : target.previousElementSibling;
  const { textContent } = own;
  if (isAll && isStale()) generate();
  // Waits for a request that is on its way: its password replaces this one.
  const content = isAll
    ? newest.then(() => {
      const { shown } = state;
      if (!shown || isStale()) throw new Error("No password");
      return shown.passwords.length > 1 ? listText() : shown.passwords[0];
    })
    : Promise.resolve(textContent);
  const key = await copy(content, own);
  if (key) confirm(target, key);
  state.isCopied ||= isAll && key === "copied";
});

// The file is made here, so no URL has a password.
byId("save").addEventListener("click", ({ currentTarget }) => {
  if (currentTarget.ariaDisabled === "true") return;
  const link = document.createElement("a");
  link.href = URL.createObjectURL(
    new Blob([listText()], { type: "text/plain" }),
  );
  link.download = text("file");
  link.click();
  URL.revokeObjectURL(link.href);
  confirm(currentTarget, "saved");
});

/** The password to practise: one that was typed, or the one that is shown. */
const goal = () => byId("goal").value || state.shown?.passwords[0] || "";

/** Shows or hides the password that a person practises. */
function reveal(isShown) {
  byId("goal").classList.toggle("dots", !isShown);
  byId("app").classList.toggle("practising", !isShown);
}

byId("attempt").addEventListener("focusin", ({ target }) => {
  if (target === byId("typed")) reveal(false);
});
byId("practise").addEventListener("focusout", ({ relatedTarget }) => {
  if (!byId("attempt").contains(relatedTarget)) reveal(true);
  byId("goal").classList.add("dots");
});
byId("reveal").addEventListener("click", () => reveal(true));
byId("attempt").addEventListener("submit", (event) => {
  event.preventDefault();
  const input = byId("typed");
  if (input.value === "") return input.focus();
  const isRight = input.value === goal();
  if (isRight) input.value = "";
  else input.select();
  update({ practised: isRight ? (state.practised ?? 0) + 1 : 0 });
});
byId("which").addEventListener("click", () => {
  const words = (text) => text.match(/[\p{L}\d]+|[^\p{L}\d]+/gu) ?? [];
  const typed = words(byId("typed").value);
  const right = words(goal());
  // What stands between the words belongs to the word before it.
  const index = right.findIndex((word, i) => word !== typed[i]);
  const number = Math.floor((index < 0 ? right.length : index) / 2) + 1;
  write(byId("practised"), text("practise.wrong", { number }));
});

/** How a person says a character on the telephone. */
function spellingOf(character) {
  const letters = "abcdefghijklmnopqrstuvwxyzåäö";
  const signs = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~ ";
  const at = letters.indexOf(character.toLowerCase());
  if (at >= 0) {
    const word = `${character} ${text("as")} ${
      text("spelling").split(" ")[at]
    }`;
    const isCapital = character !== character.toLowerCase();
    return isCapital ? `${word} (${text("large.capital")})` : word;
  }
  return text("signs").split(",")[signs.indexOf(character)] ?? character;
}

/** The parts of a password, or four characters at a time. */
function groupsOf(password, body) {
  const parts = partsOf(password, body);
  return parts.length > 1 ? parts : password.match(/.{1,4}/gu);
}

/** How a person says a password, a group a line. */
const spelled = (password, body) =>
  groupsOf(password, body).map((group) =>
    element("p", "", Array.from(group, spellingOf).join(", "))
  );

/** Shows the password large, in groups, with numbers above the characters. */
byId("enlarge").addEventListener("click", () => {
  const { passwords: [password], body } = state.shown;
  let number = 0;
  byId("large").querySelector("div").replaceChildren(
    ...groupsOf(password, body).map((group) =>
      element(
        "span",
        "group",
        ...Array.from(group, (character) =>
          element(
            "span",
            kindOf(character),
            element("small", "", String(++number)),
            character,
          )),
      )
    ),
  );
  byId("spelled").replaceChildren(...spelled(password, body));
  byId("large").showModal();
});

addEventListener("offline", () => {
  if (!state.shown) show({ error: "offline" });
});
addEventListener("online", () => {
  if (state.problem?.error === "offline") recover();
});
// The browser may keep the page for the back button, but without a password.
addEventListener("pagehide", () => {
  controller?.abort();
  controller = undefined;
  clearTimeout(timer);
  byId("large").close();
  byId("attempt").reset();
  update({
    shown: undefined,
    history: [],
    confirmed: undefined,
    isBusy: false,
  });
});
addEventListener("pageshow", ({ persisted }) => {
  if (persisted) generate();
});
addEventListener("hashchange", readFragment);
// Unexpected errors also get a message.
for (const type of ["error", "unhandledrejection"]) {
  addEventListener(type, () => {
    byId("message").textContent = text("broken");
    byId("message").dataset.shown = "";
  });
}

const isLocal = /^(localhost|127\..*|\[::1\])$/.test(location.hostname);
byId("insecure").hidden = location.protocol === "https:" || isLocal;
await readFragment();
byId("app").classList.add("ready");
