/**
 * The script of the page: it connects the forms with the API and with the result.
 *
 * It stores nothing. The settings are in the fragment of the URL. The password is
 * only in the document, until the page is left.
 *
 * @module
 */
import { copy } from "./clipboard.js";
import { requestPassword } from "./request.js";
import { announce, passwordOf, showError, showPassword } from "./result.js";
import {
  completeFields,
  disableWithoutEffect,
  readFragment,
  settingsOf,
  sliderOf,
  writeFragment,
} from "./settings.js";
import { TEXTS } from "./texts.js";

const byId = (id) => document.getElementById(id);
const all = (selector) => [...document.querySelectorAll(selector)];

/** The time without input after which the page requests a password, in ms. */
const DEBOUNCE_MS = 250;

const tabs = all("[role=tab]");
const forms = all("form");
const languages = all(".languages button");

let language = document.documentElement.lang;
let form = forms[0];

// The newest request:
let controller; // undefined after the page was left
let requested = ""; // its settings
let newest = Promise.resolve(); // resolves when it has ended

let debounceTimer = 0; // after a change of a setting
let countdownTimer = 0; // while the rate limit refuses requests
let retryAt = 0; // when the rate limit admits requests again

let shown = {}; // the password, and its settings
let problem = {}; // the error

function text(key, values = {}) {
  return TEXTS[language][key]?.replace(
    /\{(\w+)\}/g,
    (_, name) => values[name],
  );
}

function currentSettings() {
  return JSON.stringify([form.dataset.kind, settingsOf(form)]);
}

/** Whether the shown password has other settings than the form. */
function isStale() {
  return shown.settings !== currentSettings();
}

/** Requests a password with the settings of the selected form, and shows it. */
function generate() {
  clearTimeout(debounceTimer);
  controller?.abort();
  controller = new AbortController();
  requested = currentSettings();
  newest = performance.now() < retryAt
    ? Promise.resolve(show({ error: "limit" }))
    : send(controller);
}

/** Sends a request, and shows its result if no newer request replaces it. */
async function send(own) {
  const settings = requested;
  byId("password").ariaBusy = "true";
  byId("done").textContent = byId("announcement").textContent = "";
  const outcome = await requestPassword(
    form.dataset.kind,
    settingsOf(form),
    own,
  );
  return own === controller ? show({ ...outcome, settings }) : newest;
}

/** Shows the result of a request. */
function show(outcome) {
  const { error, seconds } = outcome;
  if (seconds) startCountdown(seconds);
  problem = error ? outcome : {};
  if (!error) shown = outcome;
  else if (isStale()) shown = {}; // with the same settings, the password stays
  byId("password").ariaBusy = "false";
  render();
  if (!error) announce(text);
}

function render() {
  showPassword(shown, language, text);
  disableWithoutEffect(form, text);
  showError(problem, form, text);
  showCountdown();
}

/** Waits until the rate limit admits requests again. */
function startCountdown(seconds) {
  retryAt = performance.now() + seconds * 1000;
  clearInterval(countdownTimer);
  countdownTimer = setInterval(() => {
    showCountdown();
    if (performance.now() < retryAt) return;
    clearInterval(countdownTimer);
    recover();
  }, 250);
}

/** Tries again, or removes the message, when the cause of an error is gone. */
function recover() {
  if (!shown.parts) return generate();
  // A password that is shown may be in use, so it stays.
  problem = {};
  render();
}

function showCountdown() {
  const seconds = Math.ceil((retryAt - performance.now()) / 1000);
  byId("countdown").textContent = seconds > 0
    ? text("seconds", { seconds })
    : "";
  // Not `disabled`, because a disabled button loses the focus.
  byId("new").ariaDisabled = String(seconds > 0);
}

function setLanguage(chosen) {
  language = chosen;
  document.documentElement.lang = chosen;
  for (const button of languages) {
    button.setAttribute("aria-pressed", String(button.lang === chosen));
  }
  for (const element of all("[data-text]")) {
    element.textContent = text(element.dataset.text);
  }
  for (const element of all("[data-label]")) {
    element.setAttribute("aria-label", text(element.dataset.label));
  }
  // The language of the words is that of the page until the user selects one.
  for (const select of all("select[name=language]:not([data-chosen])")) {
    select.value = chosen;
  }
  byId("done").textContent = byId("announcement").textContent = "";
  render();
}

function selectTab(tab) {
  for (const other of tabs) {
    const chosen = other === tab;
    other.setAttribute("aria-selected", String(chosen));
    other.tabIndex = chosen ? 0 : -1;
    byId(other.getAttribute("aria-controls")).hidden = !chosen;
  }
  form = byId(tab.getAttribute("aria-controls")).firstElementChild;
}

/** Shows which settings have an effect, and keeps the settings in the URL. */
function settingsChanged() {
  disableWithoutEffect(form, text);
  writeFragment(form, language);
  // The same settings have the same errors.
  if (currentSettings() === requested) showError(problem, form, text);
}

for (const [index, tab] of tabs.entries()) {
  tab.addEventListener("click", () => {
    selectTab(tab);
    settingsChanged();
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
    const next = tabs[(to + tabs.length) % tabs.length];
    next.focus();
    selectTab(next);
    settingsChanged();
    generateSoon(true);
  });
}

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
    generateSoon(form.checkValidity() && !(target.maxLength > 0));
  });
  // The person has finished the input, so an invalid value gets its message now.
  each.addEventListener("change", () => {
    settingsChanged();
    generateSoon(true);
  });
}

/** A key that is held down changes a setting many times a second. */
function generateSoon(isReady) {
  clearTimeout(debounceTimer);
  if (isReady) debounceTimer = setTimeout(generateIfChanged, DEBOUNCE_MS);
}

function generateIfChanged() {
  if (currentSettings() !== requested) generate();
}

for (const button of languages) {
  button.addEventListener("click", () => {
    setLanguage(button.lang);
    settingsChanged();
    generateIfChanged();
  });
}

byId("new").addEventListener("click", ({ currentTarget }) => {
  const isBusy = byId("password").ariaBusy === "true";
  if (currentTarget.ariaDisabled !== "true" && !isBusy) generate();
});

byId("copy").addEventListener("click", async () => {
  generateIfChanged();
  // The password of the request that is on its way, not the one before it.
  const password = newest.then(() => {
    if (!shown.parts) throw new Error("No password");
    return passwordOf(shown);
  });
  const key = await copy(password, byId("password"));
  byId("done").textContent = key ? text(key) : "";
});

// A key that is held down sends one request.
byId("app").addEventListener("keydown", (event) => {
  if (event.repeat && event.target.localName === "button") {
    event.preventDefault();
  }
});

addEventListener("offline", () => {
  if (!shown.parts) show({ error: "offline" });
});
addEventListener("online", () => {
  if (problem.error === "offline") recover();
});
// The browser may keep the page for the back button, but without a password.
addEventListener("pagehide", () => {
  controller?.abort();
  controller = undefined;
  newest = Promise.resolve();
  shown = {};
  render();
});
addEventListener("pageshow", ({ persisted }) => {
  if (persisted) generate();
});
// A person sees every failure, also one that nobody expected.
for (const type of ["error", "unhandledrejection"]) {
  addEventListener(type, () => {
    byId("message").textContent = text("broken");
  });
}

/** Applies the kind, the settings and the language in the fragment of the URL. */
function applyFragment() {
  const fragment = readFragment(forms);
  if (Object.keys(TEXTS).includes(fragment.language)) {
    language = fragment.language;
  }
  selectTab(byId(`tab-${(fragment.form ?? forms[0]).dataset.kind}`));
  setLanguage(language);
  generate();
}

addEventListener("hashchange", () => {
  for (const each of forms) each.reset();
  for (const { dataset } of all("select")) {
    delete dataset.chosen;
    delete dataset.kept;
  }
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
