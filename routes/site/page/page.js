/**
 * The script of the page: it sends the settings of a form to the API and shows
 * the password.
 *
 * It stores nothing, and puts nothing into the URL. The password is only in the
 * document, and is removed when the page is left.
 *
 * @module
 */
import { TEXTS } from "./texts.js";

const byId = (id) => document.getElementById(id);
const all = (selector) => [...document.querySelectorAll(selector)];

const tabs = all("[role=tab]");
const forms = all("form");
const languages = all(".languages button");
const output = byId("password");

/** The least bits of each rating, the best one first. */
const RATINGS = [[100, "key"], [75, "strong"], [45, "good"], [30, "modest"]];

/** The bits at which the meter is full. */
const FULL_BITS = 128;

/** Guesses per second, for the time to guess a password. */
const GUESSES = 1e12;

const UNITS = [
  ["year", 31_557_600],
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
  ["second", 1],
];
const AGE_OF_THE_UNIVERSE = 13.8e9 * 31_557_600;

let language = document.documentElement.lang;
let form = forms[0];
let request = new AbortController();
let debounceTimer = 0; // after a change of a setting
let countdownTimer = 0; // while the rate limit refuses requests
let retryAt = 0; // when the rate limit admits requests again

/** The shown result: a password or an error. */
let result = {};

function text(key, values = {}) {
  return TEXTS[language][key].replace(
    /\{(\w+)\}/g,
    (_, name) => String(values[name]),
  );
}

/** The settings of the selected form, as a request body. */
function settings() {
  const inputs = [...form.elements].filter(({ name }) => name);
  return Object.fromEntries(inputs.map((input) => [
    input.name,
    input.type === "checkbox"
      ? input.checked
      : input.type === "number"
      ? input.valueAsNumber // NaN becomes null, which the service refuses
      : input.value,
  ]));
}

/** Requests a password with the settings of the selected form, and shows it. */
async function generate() {
  clearTimeout(debounceTimer);
  request.abort();
  if (performance.now() < retryAt) return show({ error: "limit" });
  request = new AbortController();
  const { signal } = request;
  markStale();
  const outcome = await requestPassword(
    AbortSignal.any([signal, AbortSignal.timeout(15_000)]),
  );
  if (!signal.aborted) show(outcome); // otherwise a newer request is in flight
}

function isBusy() {
  return output.ariaBusy === "true";
}

/** Marks the shown password as outdated, so that it cannot be copied. */
function markStale() {
  output.ariaBusy = "true";
  byId("copy").ariaDisabled = "true";
}

/** Sends one request, and returns the result to show. */
async function requestPassword(signal) {
  let response;
  try {
    response = await fetch(`api/pwgen/${form.dataset.kind}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(settings()),
      cache: "no-store",
      credentials: "omit",
      signal,
    });
  } catch {
    return { error: navigator.onLine ? "unreachable" : "offline" };
  }
  const { status, headers } = response;
  if (status === 429) {
    const seconds = Number(
      /;t=(\d+)/.exec(headers.get("ratelimit"))?.[1] ??
        headers.get("retry-after"),
    );
    startCountdown(seconds > 0 ? seconds : 60);
    return { error: "limit" };
  }
  // A proxy may send a response that is not JSON.
  const { password, errors } = await response.json().catch(() => ({}));
  if (response.ok && password) {
    return { password, bits: headers.get("entropy-bits") };
  }
  return status === 400 && errors
    ? { error: "fields", errors }
    : { error: "failed", status };
}

/** Waits until the rate limit admits requests again, then requests a password. */
function startCountdown(seconds) {
  retryAt = performance.now() + seconds * 1000;
  clearInterval(countdownTimer);
  countdownTimer = setInterval(() => {
    showCountdown();
    if (performance.now() < retryAt) return;
    clearInterval(countdownTimer);
    generate();
  }, 250);
}

function showCountdown() {
  const seconds = Math.ceil((retryAt - performance.now()) / 1000);
  byId("countdown").textContent = seconds > 0
    ? text("seconds", { seconds })
    : "";
  // Not `disabled`, since a disabled button loses the focus.
  byId("new").ariaDisabled = String(seconds > 0);
}

function show(next) {
  result = next;
  output.ariaBusy = "false";
  showPassword();
  showError();
  showCountdown();
  byId("done").textContent = "";
}

/** Shows the password, with letters, digits and symbols in different colours. */
function showPassword() {
  const { password = "", bits } = result;
  const runs = password.match(/\p{L}+|\p{Nd}+|[^\p{L}\p{Nd}]+/gu) ?? [];
  output.replaceChildren(...runs.map((run) => {
    const span = document.createElement("span");
    span.className = /\p{L}/u.test(run)
      ? "letter"
      : /\p{Nd}/u.test(run)
      ? "digit"
      : "symbol";
    span.textContent = run;
    return span;
  }));
  output.classList.toggle("long", password.length > 40);
  byId("copy").ariaDisabled = String(password === "");
  byId("app").classList.toggle("empty", password === "");
  byId("strength").hidden = !bits;
  if (!bits) return;
  const full = Math.min(bits, FULL_BITS);
  byId("meter").ariaValueNow = String(full);
  byId("fill").style.width = `${100 * full / FULL_BITS}%`;
  const shown = new Intl.NumberFormat(language, { minimumFractionDigits: 2 });
  byId("bits").textContent = text("bits", { bits: shown.format(bits) });
  const [, rating] = RATINGS.find(([least]) => bits >= least) ?? [0, "weak"];
  byId("rating").textContent = text(rating);
  byId("time").textContent = timeToGuess(bits);
}

/** The time for half of all guesses, in words. */
function timeToGuess(bits) {
  const seconds = 2 ** (bits - 1) / GUESSES;
  if (seconds < 1) return text("instant");
  if (seconds > AGE_OF_THE_UNIVERSE) return text("forever");
  const [unit, length] = UNITS.find(([, length]) => seconds >= length);
  const shown = new Intl.NumberFormat(language, {
    style: "unit",
    unit,
    unitDisplay: "long",
    notation: "compact",
    compactDisplay: "long",
    maximumSignificantDigits: 2,
  });
  return text("time", { time: shown.format(seconds / length) });
}

/** Shows an error: a sentence, and a message at each field with an error. */
function showError() {
  const { error, errors = {}, status } = result;
  const whole = errors.$;
  byId("message").textContent = whole
    ? errorText("$", whole)
    : error
    ? text(error, { status })
    : "";
  for (const line of all(".error")) line.textContent = "";
  for (const input of all("[aria-invalid]")) {
    input.removeAttribute("aria-invalid");
  }
  for (const [name, messages] of Object.entries(errors)) {
    const input = form.elements.namedItem(name);
    if (!input) continue;
    input.setAttribute("aria-invalid", "true");
    byId(`${input.id}-error`).textContent = errorText(name, messages);
  }
}

/** The error of a field, in the language of the page. */
function errorText(name, messages) {
  const input = form.elements.namedItem(name);
  const [, most] = /^Must be at most (\d+) /.exec(messages[0]) ?? [];
  if (most !== undefined) return text(`error.${name}`, { most });
  if (input?.type === "number") {
    return text("error.integer", { minimum: input.min, maximum: input.max });
  }
  const key = `error.${name}`;
  const isOwn = name !== "$" || form.dataset.kind === "characters";
  return isOwn && key in TEXTS[language] ? text(key) : messages.join(" ");
}

/** Shows all texts in a language. */
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
  show(result);
}

/** Shows the form of one kind of password. */
function selectTab(tab) {
  for (const other of tabs) {
    const chosen = other === tab;
    other.setAttribute("aria-selected", String(chosen));
    other.tabIndex = chosen ? 0 : -1;
    byId(other.getAttribute("aria-controls")).hidden = !chosen;
  }
  form = byId(tab.getAttribute("aria-controls")).firstElementChild;
}

for (const [index, tab] of tabs.entries()) {
  tab.addEventListener("click", () => {
    selectTab(tab);
    show({});
    generate();
  });
  // Arrow keys, Home and End, as the ARIA practices have it for tabs.
  tab.addEventListener("keydown", (event) => {
    const last = tabs.length - 1;
    const to = {
      ArrowRight: index === last ? 0 : index + 1,
      ArrowLeft: index === 0 ? last : index - 1,
      Home: 0,
      End: last,
    }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    tabs[to].focus();
    tabs[to].click();
  });
}

for (const each of forms) {
  each.addEventListener("submit", (event) => event.preventDefault());
  each.addEventListener("input", ({ target }) => {
    // Keep a number and its slider equal.
    const twin = byId(target.dataset.twin);
    if (twin && target.value !== "") twin.value = target.value;
  });
  each.addEventListener("change", ({ target }) => {
    if (target.name === "language") target.dataset.chosen = "";
    markStale();
    clearTimeout(debounceTimer);
    debounceTimer = setTimeout(generate, 200);
  });
}

for (const button of languages) {
  button.addEventListener("click", () => {
    setLanguage(button.lang);
    // The language of the words is that of the page until the user selects one.
    for (const select of all("select[name=language]:not([data-chosen])")) {
      if (select.value === button.lang) continue;
      select.value = button.lang;
      if (select.form === form) generate();
    }
  });
}

byId("new").addEventListener("click", ({ currentTarget }) => {
  // One request at a time, also while a key is held down.
  if (currentTarget.ariaDisabled === "true" || isBusy()) return;
  generate();
});

byId("copy").addEventListener("click", async ({ currentTarget }) => {
  if (currentTarget.ariaDisabled === "true") return;
  const { password } = result;
  try {
    await navigator.clipboard.writeText(password);
    byId("done").textContent = text("copied");
  } catch {
    // There is no clipboard over plain HTTP, so select the password instead.
    getSelection().selectAllChildren(output);
    byId("done").textContent = text("selected");
  }
});

addEventListener("offline", () => {
  if (!result.password) show({ error: "offline" });
});
addEventListener("online", () => {
  if (!result.password) generate();
});
// The browser may keep the page for the back button, but without a password.
addEventListener("pagehide", () => {
  request.abort();
  show({});
});
addEventListener("pageshow", ({ persisted }) => {
  if (persisted) generate();
});

byId("no-script").hidden = true;
byId("languages").hidden = false;
byId("app").hidden = false;
setLanguage(language);
selectTab(tabs[0]);
generate();
