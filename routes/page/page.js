/**
 * The page: settings in forms, a password from the service.
 *
 * Nothing is stored, and nothing goes into the URL. The password is in the
 * document alone, and leaves it with the page.
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

/** The least bits for each verdict, the best one first. */
const VERDICTS = [[100, "key"], [75, "strong"], [45, "good"], [30, "modest"]];

/** The bits at which the bar is full. */
const FULL_BITS = 128;

/** Guesses a second, for the time that a password holds. */
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
let pause = 0; // until a change of settings has settled
let clock = 0; // while a rate limit counts down
let freeAt = 0; // when the service takes requests again

/** What is shown: a password, or why there is none. */
let state = {};

function text(key, values = {}) {
  return TEXTS[language][key].replace(
    /\{(\w+)\}/g,
    (_, name) => String(values[name]),
  );
}

/** The settings of a form as the service takes them. */
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

/** Asks for a password with the settings of the form that is shown. */
async function generate() {
  clearTimeout(pause);
  request.abort();
  if (performance.now() < freeAt) return show({ trouble: "limit" });
  request = new AbortController();
  const { signal } = request;
  expect();
  const outcome = await ask(
    AbortSignal.any([signal, AbortSignal.timeout(15_000)]),
  );
  if (!signal.aborted) show(outcome); // otherwise another one has begun
}

function isBusy() {
  return output.ariaBusy === "true";
}

/** The password that is shown is on its way out: nobody is to copy it. */
function expect() {
  output.ariaBusy = "true";
  byId("copy").ariaDisabled = "true";
}

/** One request: what is to be shown of its answer. */
async function ask(signal) {
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
    return { trouble: navigator.onLine ? "unreachable" : "offline" };
  }
  const { status, headers } = response;
  if (status === 429) {
    const seconds = Number(
      /;t=(\d+)/.exec(headers.get("ratelimit"))?.[1] ??
        headers.get("retry-after"),
    );
    countDown(seconds > 0 ? seconds : 60);
    return { trouble: "limit" };
  }
  // Between here and the service others may answer too, in their own way.
  const { password, errors } = await response.json().catch(() => ({}));
  if (response.ok && password) {
    return { password, bits: headers.get("entropy-bits") };
  }
  return status === 400 && errors
    ? { trouble: "fields", errors }
    : { trouble: "failed", status };
}

/** Waits until the service takes requests again, then asks. */
function countDown(seconds) {
  freeAt = performance.now() + seconds * 1000;
  clearInterval(clock);
  clock = setInterval(() => {
    showCountdown();
    if (performance.now() < freeAt) return;
    clearInterval(clock);
    generate();
  }, 250);
}

function showCountdown() {
  const seconds = Math.ceil((freeAt - performance.now()) / 1000);
  byId("countdown").textContent = seconds > 0
    ? text("seconds", { seconds })
    : "";
  // Not `disabled`, which takes the focus away from who is on it.
  byId("new").ariaDisabled = String(seconds > 0);
}

function show(next) {
  state = next;
  output.ariaBusy = "false";
  showPassword();
  showTrouble();
  showCountdown();
  byId("done").textContent = "";
}

/** Letters, digits and symbols in spans that look different. */
function showPassword() {
  const { password = "", bits } = state;
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
  const [, verdict] = VERDICTS.find(([least]) => bits >= least) ?? [0, "weak"];
  byId("verdict").textContent = text(verdict);
  byId("time").textContent = timeToGuess(bits);
}

/** How long half of all guesses take, in words. */
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

/** Why there is no password; at the fields at fault, and in a sentence. */
function showTrouble() {
  const { trouble, errors = {}, status } = state;
  const whole = errors.$;
  byId("trouble").textContent = whole
    ? errorText("$", whole)
    : trouble
    ? text(trouble, { status })
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

/** What is wrong with a field, in the language of the page. */
function errorText(name, messages) {
  const input = form.elements.namedItem(name);
  if (input?.type === "number") {
    return text("error.integer", { minimum: input.min, maximum: input.max });
  }
  const key = `error.${name}`;
  const isOwn = name !== "$" || form.dataset.kind === "characters";
  return isOwn && key in TEXTS[language] ? text(key) : messages.join(" ");
}

/** Says everything in a language. */
function speak(chosen) {
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
  show(state);
}

/** Shows the form of one kind of password. */
function choose(tab) {
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
    choose(tab);
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
    // A number and its slider follow each other.
    const twin = byId(target.dataset.twin);
    if (twin && target.value !== "") twin.value = target.value;
  });
  each.addEventListener("change", ({ target }) => {
    if (target.name === "language") target.dataset.chosen = "";
    expect();
    clearTimeout(pause);
    pause = setTimeout(generate, 200);
  });
}

for (const button of languages) {
  button.addEventListener("click", () => {
    speak(button.lang);
    // The words follow the page until their language is chosen.
    for (const select of all("select[name=language]:not([data-chosen])")) {
      if (select.value === button.lang) continue;
      select.value = button.lang;
      if (select.form === form) generate();
    }
  });
}

byId("new").addEventListener("click", ({ currentTarget }) => {
  // Each one counts: who leans on the key asks once at a time.
  if (currentTarget.ariaDisabled === "true" || isBusy()) return;
  generate();
});

byId("copy").addEventListener("click", async ({ currentTarget }) => {
  if (currentTarget.ariaDisabled === "true") return;
  const { password } = state;
  try {
    await navigator.clipboard.writeText(password);
    byId("done").textContent = text("copied");
  } catch {
    // Over plain HTTP there is no clipboard: the rest is left to the person.
    getSelection().selectAllChildren(output);
    byId("done").textContent = text("selected");
  }
});

addEventListener("offline", () => {
  if (!state.password) show({ trouble: "offline" });
});
addEventListener("online", () => {
  if (!state.password) generate();
});
// A page that is kept for the back button keeps no password.
addEventListener("pagehide", () => {
  request.abort();
  show({});
});
addEventListener("pageshow", ({ persisted }) => {
  if (persisted) generate();
});

byId("without").hidden = true;
byId("languages").hidden = false;
byId("app").hidden = false;
speak(language);
choose(tabs[0]);
generate();
