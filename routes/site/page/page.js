/**
 * The script of the page: it keeps the state, sends requests, and has the page
 * drawn.
 *
 * It stores nothing. The values of the fields are in the fragment of the URL. The
 * passwords are only in the document, until the page is left.
 *
 * @module
 */
import { copy } from "./clipboard.js";
import { draw, listOf, passwordOf } from "./draw.js";
import { PURPOSES } from "./purposes.js";
import { requestPasswords } from "./request.js";
import { ruleOf, ticksOf } from "./rules.js";
import {
  completeFields,
  readSettings,
  setSettings,
  settingsOf,
  setValue,
  sliderOf,
  writeFragment,
} from "./settings.js";
import { TEXTS } from "./texts.js";

const byId = (id) => document.getElementById(id);
const all = (selector) => [...document.querySelectorAll(selector)];

/** The time without input after which the page requests a password. */
const DEBOUNCE_MS = 250;
/** The same time for a text or an invalid value, which may be incomplete. */
const TYPING_MS = 800;

const tabs = all("[role=tab]");
const amount = byId("amount");
const formOf = (kind) => byId(`panel-${kind}`).firstElementChild;
const KINDS = tabs.map(({ id }) => id.slice("tab-".length));
const forms = [...KINDS.map(formOf), amount];

/** What the page shows, besides the values of the forms. */
const state = {
  language: document.documentElement.lang,
  kind: KINDS[0],
  /** The passwords, their separator, the bits, and the values of their request. */
  shown: undefined,
  /** The error of the newest request. */
  problem: undefined,
  isBusy: false,
  /** When the rate limit admits requests again, on the clock of the page in ms. */
  retryAt: 0,
  /** Which password was copied, and the key of the text that says so. */
  copied: undefined,
};

// The newest request:
let controller; // undefined after the page was left
let requested = ""; // its path and its body
let newest = Promise.resolve(); // resolves when it has ended

let debounceTimer = 0; // after a change of a field
let countdownTimer = 0; // while the rate limit refuses requests

function text(key, values = {}) {
  return TEXTS[state.language][key]?.replace(
    /\{(\w+)\}/g,
    (_, name) => values[name],
  );
}

/** The path of the API, and the body of a request, for the values in the forms. */
function currentRequest() {
  const { count } = settingsOf(amount);
  return {
    path: state.kind === "rules" ? "characters" : state.kind,
    body: {
      ...settingsOf(formOf(state.kind)),
      ...(count !== 1 && { count }),
    },
  };
}

const currentSettings = () => JSON.stringify(currentRequest());

function update(changes) {
  Object.assign(state, changes);
  draw(state, {
    form: formOf(state.kind),
    amount,
    currentSettings,
    text,
  });
}

/** Requests passwords with the values in the forms, and shows them. */
function generate() {
  clearTimeout(debounceTimer);
  controller?.abort();
  controller = new AbortController();
  requested = currentSettings();
  newest = performance.now() < state.retryAt
    ? Promise.resolve(show({ error: "limit" }))
    : send(controller);
}

/** Sends a request, and shows its result if no newer request replaces it. */
async function send(own) {
  const settings = requested;
  const request = currentRequest();
  update({ isBusy: true, copied: undefined });
  const outcome = await requestPasswords(request.path, request.body, own);
  return own === controller
    ? show({ ...request, ...outcome, settings })
    : newest;
}

function show(outcome) {
  if (outcome.seconds) startCountdown(outcome.seconds);
  if (outcome.error) {
    update({ problem: { settings: requested, ...outcome }, isBusy: false });
    return;
  }
  update({ shown: outcome, problem: undefined, isBusy: false });
  // A screen reader says that there is a new password, but not the password.
  byId("announcement").textContent = text("announcement", {
    strength: byId("meter").ariaValueText,
  });
}

/** Waits until the rate limit admits requests again. */
function startCountdown(seconds) {
  state.retryAt = performance.now() + seconds * 1000;
  clearInterval(countdownTimer);
  countdownTimer = setInterval(() => {
    update();
    if (performance.now() < state.retryAt) return;
    clearInterval(countdownTimer);
    recover();
  }, 250);
}

/** Tries again, or removes the message, when the cause of an error is gone. */
function recover() {
  // A password that fits the fields may be in use, so it stays.
  if (state.shown?.settings !== currentSettings()) return generate();
  update({ problem: undefined });
}

function setLanguage(language) {
  state.language = document.documentElement.lang = language;
  for (const button of all(".languages button")) {
    button.ariaPressed = String(button.lang === language);
  }
  for (const element of all("[data-text]")) {
    element.textContent = text(element.dataset.text);
  }
  for (const element of all("[data-label]")) {
    element.ariaLabel = text(element.dataset.label);
  }
  // The language of the words is that of the page until the user selects one.
  for (const select of all("select[name=language]:not([data-chosen])")) {
    select.value = language;
  }
  byId("announcement").textContent = "";
}

/** Keeps the values of the fields in the URL, and draws their effect. */
function settingsChanged() {
  const { kind, language } = state;
  writeFragment([formOf(kind), amount], { kind, page: language });
  update();
}

function select(kind) {
  state.kind = kind;
  settingsChanged();
}

/** Waits, since a key that is held down changes a field many times a second. */
function generateSoon(delay = DEBOUNCE_MS) {
  clearTimeout(debounceTimer);
  debounceTimer = setTimeout(generateIfChanged, delay);
}

function generateIfChanged() {
  if (currentSettings() !== requested) generate();
}

for (const [index, tab] of tabs.entries()) {
  tab.addEventListener("click", () => {
    select(KINDS[index]);
    generate();
  });
  // The keys that the ARIA Authoring Practices Guide recommends for tabs.
  tab.addEventListener("keydown", (event) => {
    const to = {
      ArrowRight: index + 1,
      ArrowLeft: index - 1,
      Home: 0,
      End: -1,
    }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    const next = (to + tabs.length) % tabs.length;
    tabs[next].focus();
    select(KINDS[next]);
    generateSoon();
  });
}

for (const button of all("[data-purpose]")) {
  button.addEventListener("click", () => {
    const [kind, settings] = PURPOSES[button.dataset.purpose];
    // A rule may be pasted, so it stays.
    if (kind !== "rules") setSettings(formOf(kind), settings);
    select(kind);
    generate();
  });
}

const rule = byId("rules-passwordRules");
const ticks = byId("ticks");
const tickInputs = [...ticks.querySelectorAll("input")];
const nameOf = ({ id }) => id.slice("rule-".length);

/** Shows the rule in the ticks, or disables them if they cannot show it. */
function setTicks() {
  const values = ticksOf(rule.value);
  ticks.disabled = !values;
  for (const input of tickInputs) {
    setValue(input, values?.[nameOf(input)] ?? "");
  }
}

ticks.addEventListener("input", ({ target }) => {
  if (target.id === "rule-characters") byId("rule-special").checked = true;
  rule.value = ruleOf(Object.fromEntries(
    tickInputs.map((input) => [
      nameOf(input),
      // The service refuses a rule with an invalid number.
      input.type === "checkbox"
        ? input.checked
        : input.validity.valid
        ? input.value
        : "?",
    ]),
  ));
});
rule.addEventListener("input", setTicks);

for (const each of forms) {
  completeFields(each);
  each.addEventListener("submit", (event) => event.preventDefault());
  each.addEventListener("input", ({ target }) => {
    // Keep a number and its slider equal.
    const twin = byId(target.dataset.number) ?? sliderOf(target);
    if (twin && target.value !== "") twin.value = target.value;
    if (target.name === "language") target.dataset.chosen = "";
    delete target.dataset.kept;
    settingsChanged();
    // While it is typed, a number can be out of range, and a text incomplete.
    const isText = target.matches("textarea, [type=text]");
    generateSoon(isText || !each.checkValidity() ? TYPING_MS : DEBOUNCE_MS);
  });
  // The person has finished the input, so an invalid value gets its message now.
  each.addEventListener("change", () => {
    settingsChanged();
    generateSoon();
  });
}

for (const button of all(".languages button")) {
  button.addEventListener("click", () => {
    setLanguage(button.lang);
    settingsChanged();
    generateIfChanged();
  });
}

byId("new").addEventListener("click", ({ currentTarget }) => {
  if (currentTarget.ariaDisabled !== "true" && !state.isBusy) generate();
});

/** Copies the password with this number, or all with the key "all". */
async function copyPassword(key, element) {
  generateIfChanged();
  // Waits for a request that is on its way: its password replaces this one.
  const password = newest.then(() => {
    const { shown } = state;
    if (shown?.settings !== currentSettings()) throw new Error("No password");
    const isList = key === "all" && shown.passwords.length > 1;
    return isList ? listOf(shown) : passwordOf(shown, key === "all" ? 0 : key);
  });
  const copied = await copy(password, element);
  update({ copied: copied && { key, text: copied } });
  byId("announcement").textContent = copied ? text(copied) : "";
}

byId("app").addEventListener("click", ({ target }) => {
  const { copy: key } = target.dataset;
  if (key === undefined) return;
  const isSeveral = state.shown?.passwords.length > 1;
  const all = isSeveral ? byId("list") : byId("password");
  copyPassword(key, key === "all" ? all : target.previousElementSibling);
});

// The file is made here, so no URL has a password.
byId("save").addEventListener("click", ({ currentTarget }) => {
  if (currentTarget.ariaDisabled === "true") return;
  const link = document.createElement("a");
  link.href = URL.createObjectURL(
    new Blob([listOf(state.shown)], { type: "text/plain" }),
  );
  link.download = text("file");
  link.click();
  URL.revokeObjectURL(link.href);
});

// A key that is held down sends one request.
byId("app").addEventListener("keydown", (event) => {
  if (event.repeat && event.target.localName === "button") {
    event.preventDefault();
  }
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
  newest = Promise.resolve();
  update({ shown: undefined, copied: undefined, isBusy: false });
});
addEventListener("pageshow", ({ persisted }) => {
  if (persisted) generate();
});
// Unexpected errors also get a message.
for (const type of ["error", "unhandledrejection"]) {
  addEventListener(type, () => {
    byId("message").textContent = text("broken");
  });
}

/** Applies the kind, the values and the language in the fragment of the URL. */
function applyFragment() {
  const values = new URLSearchParams(location.hash.slice(1));
  const [kind, language] = [values.get("kind"), values.get("page")];
  if (KINDS.includes(kind)) state.kind = kind;
  setLanguage(Object.hasOwn(TEXTS, language) ? language : state.language);
  readSettings([formOf(state.kind), amount], values);
  setTicks();
  // Before the request, which leaves out the fields that this disables.
  update();
  generate();
}

addEventListener("hashchange", () => {
  for (const each of forms) each.reset();
  for (const { dataset } of all("select")) {
    delete dataset.chosen;
    delete dataset.kept;
  }
  state.kind = KINDS[0];
  applyFragment();
});

// The bar must not cover the element that has the focus.
new ResizeObserver(([{ target }]) => {
  const isSticky = getComputedStyle(target).position === "sticky";
  document.documentElement.style.scrollPaddingTop = isSticky
    ? `${target.offsetHeight + 8}px`
    : "";
}).observe(document.querySelector(".bar"));

byId("no-script").hidden = true;
document.querySelector(".languages").hidden = false;
byId("app").hidden = false;
applyFragment();
