/**
 * The script of the page: one state, one function for each region that it draws.
 *
 * It stores nothing. The values of the fields are in the fragment of the URL. The
 * passwords are only in the document, until the page is left.
 *
 * @module
 */
import { copy } from "./clipboard.js";
import {
  bodyOf,
  disableIgnored,
  inputsOf,
  isReplaced,
  setValue,
  valueOf,
} from "./form.js";
import { PRESETS } from "./purposes.js";
import { durationOf, STRONG_BITS, verdictOf } from "./strength.js";
import {
  changesOf,
  columnsOf,
  escaped,
  fill,
  lettersOf,
  readTable,
  rowsOf,
  toCsv,
} from "./table.js";

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
/** The number of results that "Previous" reaches. */
const MAX_EARLIER = 10;
/** The most requests in a row that give no password that is different. */
const MAX_DRAWS = 5;
/** The most passwords in a request, and those that need no click. */
const MOST = 100;
const MAX_PEOPLE = 1000;

const state = {
  language: document.documentElement.lang,
  /** The name of the purpose, or of one of its choices. */
  preset: "manager",
  /** The passwords, their table, bits and request; undefined without any. */
  shown: undefined,
  /** The results, the latest first; the one that is shown is one of them. */
  history: [],
  /** Why the newest request failed: the key of a text, and what belongs to it. */
  problem: undefined,
  isBusy: false,
  isSlow: false,
  /** How many passwords of how many a list has, while it is made. */
  progress: undefined,
  /** Whether a person has copied the passwords. */
  isCopied: false,
  /** The button that confirms, and the key of its text. */
  confirmed: undefined,
  /** How often it was typed from memory; undefined before the first attempt. */
  practised: undefined,
};

let controller; // of the newest request; undefined after the page was left
let newest = Promise.resolve(); // resolves when it has ended
let requested; // what it asks for
let allowed; // what a person has asked for by a click, however much it is
/** What the settings have given: the passwords of each person, and their bits. */
let drawn = { passwords: new Map() };
let startedAt = -Infinity;
let timer = 0; // of the next request
let slowTimer = 0;
let confirmTimer = 0;
let noteTimer = 0;

/** The texts by language; those of the other one are loaded when they are used. */
const texts = { [state.language]: JSON.parse(byId("texts").textContent) };

function text(key, values = {}) {
  return texts[state.language][key]
    .replace(
      /\{(\w+)\}/g,
      (_, name) => values[name]?.toLocaleString(state.language),
    );
}

const preset = () => PRESETS[state.preset];
const purpose = () => preset().of ?? state.preset;

const currentForm = () => document.forms.namedItem(preset().kind);

/** The table in the box, or rows without cells; the same one until it changes. */
let read = {};
function currentTable() {
  const [text, count, heading] = ["table", "count", "heading"].map(byId);
  const [first] = text.value.split("\n", 1);
  const isChosen = heading.dataset.chosen === first;
  const number = count.validity.valid && count.valueAsNumber;
  const rows = Array(number || 1).fill([""]);
  const key = [text.value, rows.length, isChosen && heading.checked].join();
  if (read.key === key) return read.table;
  const isEmpty = text.value.trim() === "";
  const table = isEmpty
    ? { before: [], rows, column: 0 }
    : readTable(text.value, isChosen ? heading.checked : undefined);
  if (table.rows.length > MAX_PEOPLE) table.error = { key: "many" };
  if (!isChosen) heading.checked = Boolean(table.head);
  read = { key, table: { ...table, isPeople: !isEmpty } };
  return read.table;
}

/** What the settings ask for; the same object until they or the table change. */
let current = {};
function currentRequest() {
  const table = currentTable();
  const settings = {
    path: preset().kind,
    body: bodyOf(currentForm()),
    isDifferent: table.rows.length > 1 && byId("different").checked,
  };
  const key = JSON.stringify(settings);
  if (current.key !== key || current.table !== table) {
    current = { ...settings, key, table };
  }
  return current;
}
const isCurrent = (each) => each === currentRequest();
const isStale = () => state.shown && !isCurrent(state.shown.request);

/** The people, with the passwords that they have by now. */
function currentPeople() {
  const { table, key } = currentRequest();
  return fill(table, drawn.key === key ? drawn.passwords : new Map());
}
const missing = (people) =>
  people.filter(({ password }) => password === undefined);

/** How many passwords a person has to ask for by a click; 0 if none. */
function waiting() {
  const { length } = missing(currentPeople());
  return length > MOST && !isCurrent(allowed) ? length : 0;
}

/** The numbers that are not in their range, and the box if its table is not right. */
function invalidInputs() {
  const inputs = [...inputsOf(currentForm()), byId("count"), byId("table")];
  return inputs.filter((input) => !input.disabled && !input.validity.valid);
}

/** Whether a result is drawn as a list. */
const isList = ({ table, passwords } = {}) =>
  table?.isPeople || passwords?.length > 1;

// Requests

/** Whether the settings permit no password. */
const isRefused = () =>
  invalidInputs().length > 0 ||
  state.problem?.error === "fields" && isCurrent(state.problem.request);

/** Requests passwords that are missing, or all anew, and shows them. */
function generate(isAnew) {
  clearTimeout(timer);
  // On a slow line, a second click must not start it anew.
  if (state.isBusy && isCurrent(requested)) return;
  controller?.abort();
  controller = new AbortController();
  requested = currentRequest();
  if (isAnew) drawn = { passwords: new Map() };
  newest = invalidInputs().length > 0 || waiting() > 0
    ? Promise.resolve(
      update({ problem: undefined, isBusy: false, progress: undefined }),
    )
    : send(requested, controller);
}

/** Ends the newest request. */
function stop() {
  controller?.abort();
  controller = requested = undefined;
  newest = Promise.resolve();
  clearTimeout(timer);
}

async function send(request, own) {
  startedAt = performance.now();
  update({ isBusy: true, isSlow: false, confirmed: undefined });
  clearTimeout(slowTimer);
  slowTimer = setTimeout(() => update({ isSlow: true }), SLOW_MS);
  const outcome = await drawAll(request, own)
    .catch(() => ({ error: failure() }));
  if (own !== controller) return newest;
  show({ request, ...outcome });
}

/** Why a request got no response. */
const failure = () => navigator.onLine ? "unreachable" : "offline";

function urlOf(path) {
  const url = new URL(path, document.baseURI);
  url.username = url.password = ""; // fetch() refuses them
  return url;
}

const add = (passwords, person, password) =>
  passwords.set(person, [...passwords.get(person) ?? [], password]);

/**
 * Asks for the passwords that are missing, and keeps what it gets if it fails later. If
 * all must differ, one that is there already is drawn anew: so all lists of different
 * passwords are equally likely.
 */
async function drawAll(request, own) {
  const { path, body, isDifferent, table, key } = request;
  const mine = drawn.key === key ? drawn : { key, passwords: new Map() };
  drawn = mine;
  let [most, useless] = [MOST, 0];
  for (;;) {
    const people = fill(table, mine.passwords);
    const open = missing(people);
    if (open.length === 0) {
      drawn = mine;
      const passwords = people.map(({ password }) => password);
      const made = passwords.filter((_, i) => !people[i].isOld);
      return { ...request, bits: mine.bits, passwords, made };
    }
    const count = Math.min(open.length, most);
    const [done, all] = [people.length - open.length, people.length];
    update({ progress: all > MOST && { done, count: all } });
    const asked = { path, body: count > 1 ? { ...body, count } : body };
    const outcome = await ask(asked, own)
      // A connection that was lost is tried once more.
      .catch(() => ask(asked, own));
    if (own !== controller) return;
    // Some settings allow fewer at a time.
    if (outcome.errors?.count) {
      most = Number(outcome.errors.count[0].match(/\d+/));
      continue;
    }
    if (outcome.error) return outcome;
    const different = new Set(people.map(({ password }) => password));
    const before = different.size;
    for (const password of outcome.passwords) {
      if (isDifferent && different.has(password)) continue;
      different.add(password);
      const { person } = open.shift();
      add(mine.passwords, person, password);
    }
    mine.bits = outcome.bits;
    useless = isDifferent && different.size === before ? useless + 1 : 0;
    if (useless === MAX_DRAWS) return { error: "alike" };
  }
}

async function ask({ path, body }, own) {
  const timeout = setTimeout(() => own.abort(), TIMEOUT_MS);
  const response = await fetch(urlOf(`api/pwgen/${path}`), {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
    cache: "no-store",
    credentials: "omit",
    signal: own.signal,
  }).finally(() => clearTimeout(timeout));
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
  update({
    shown: outcome,
    history: [outcome, ...state.history].slice(0, MAX_EARLIER + 1),
    problem: undefined,
    progress: undefined,
    isBusy: false,
    isCopied: false,
    practised: undefined,
  });
  byId("typed").value = "";
  // A list that grows above pushes the field of a person out of the window.
  document.activeElement.closest(".field, #people > *")
    ?.scrollIntoView({ block: "nearest" });
  // A screen reader says that there is a new password, but not the password.
  const { length: count } = state.shown.made;
  const strength = count > 1
    ? text(byId("app").dataset.verdict).toLowerCase()
    : byId("meter").ariaValueText;
  const key = count > 1 ? "announcement.several" : "announcement";
  byId("announcement").textContent = count > 0
    ? text(key, { count, strength })
    : "";
}

/** Shows another result of the history. */
function showFromHistory(index) {
  const shown = state.history[index];
  if (!shown) return;
  // It is what the person wants, whatever the settings are now.
  shown.request = currentRequest();
  drawn = { ...shown, key: shown.request.key, passwords: new Map() };
  for (const [i, { person, isOld }] of fill(shown.table, new Map()).entries()) {
    if (!isOld) add(drawn.passwords, person, shown.passwords[i]);
  }
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
function generateSoon(delay = 0, isAnew = false) {
  clearTimeout(timer);
  const earliest = startedAt + INTERVAL_MS - performance.now();
  timer = setTimeout(() => generate(isAnew), Math.max(delay, earliest));
}

/** Requests passwords for other settings, unless the page has to wait. */
function settingsChanged(delay) {
  writeFragment();
  update();
  if (state.problem?.retryAt > performance.now()) return;
  if (!isCurrent(requested) || invalidInputs().length > 0) {
    generateSoon(delay);
  } else clearTimeout(timer);
}

// What the page shows

function update(changes) {
  Object.assign(state, changes);
  disableIgnored(currentForm());
  drawPurpose();
  drawPeople();
  drawPasswords();
  drawStrength();
  drawProblem();
  drawButtons();
  // What is drawn above it can push it out of the window.
  const { activeElement } = document;
  if (activeElement.name === "purpose") {
    const next = purpose() === "site"
      ? currentForm().querySelector(".field")
      : activeElement;
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

/** The parts of a password: its words if a separator or digits are between them. */
function partsOf(password, { separator, separatorSet, numberPosition } = {}) {
  if (separator || separatorSet) return password.split(/(?<=[^\p{L}\d])/u);
  return numberPosition === "between"
    ? password.split(/(?<=\d)(?!\d)/)
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

/** A row of the list: a person, and a password with a button that copies it. */
function row(password, i, { path, body, table }, columns) {
  const names = columns.map((at) => table.rows[i][at]);
  const number = String(i + 1);
  const button = Object.assign(element("button", "", text("copy")), {
    type: "button",
    tabIndex: i === 0 ? 0 : -1,
    ariaLabel: text("copyOne", { name: names.join(", ") || number }),
  });
  button.dataset.copy = number;
  const cells = [`${number}.`, ...names].map((cell, at) => {
    const isHead = at === Math.min(1, names.length);
    const created = element(
      isHead ? "th" : "td",
      at === 0 ? "number" : "name",
      cell,
    );
    created.dir = "auto";
    if (isHead) created.scope = "row";
    return created;
  });
  const own = element("td", "text", ...coloured(password, body));
  own.dir = "ltr";
  own.lang = path === "characters" ? "" : body.language ?? "sv";
  const isMasked = /^\*+$/.test(password);
  return element(
    "tr",
    isMasked ? "masked" : table.rows[i][table.column] ? "old" : "",
    ...cells,
    own,
    element("td", "line", byId("line").value),
    element("td", "", button),
  );
}

/** What is drawn: the result, its language, and the note about the table. */
const onPage = {};
/** Draws only if the passwords or the language have changed. */
function drawPasswords() {
  // What other settings gave is no password for refused ones.
  const shown = isRefused() ? undefined : state.shown;
  const { language } = state;
  if (onPage.shown === shown && onPage.language === language) return;
  Object.assign(onPage, { shown, language });
  const { passwords = [], body, table } = shown ?? {};
  const isSeveral = isList(shown);
  const [single] = isSeveral ? [] : passwords;
  byId("password").hidden = isSeveral;
  byId("password").replaceChildren(...single ? coloured(single, body) : []);
  byId("password").classList.toggle("long", single?.length > 44);
  byId("list").hidden = !isSeveral;
  const columns = isSeveral ? columnsOf(table) : [];
  byId("list").replaceChildren(
    ...isSeveral
      ? passwords.map((each, i) => row(each, i, shown, columns))
      : [],
  );
  write(byId("sheet"), isSeveral ? sheet().note : "");
  byId("spell").hidden = byId("enlarge").hidden = !single;
  drawLarge(single ?? "", body);
}

/** Draws the strength of the password; nothing if the password is not valid. */
function drawStrength() {
  const { shown, problem, language } = state;
  const app = byId("app").classList;
  const isFailed = problem !== undefined || isRefused();
  app.toggle("busy", state.isBusy || Boolean(isStale()) && !isFailed);
  app.toggle("failed", isFailed);
  const { bits, made = [] } = shown ?? {};
  const { length: count, 0: password } = made;
  app.toggle("empty", count === 0);
  app.toggle("words", preset().kind !== "characters");
  if (count === 0) return write(byId("verdict"), "");
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
  // A site can leak what a person does not type; what is typed is also for Wi-Fi, a
  // disk or a desk.
  let time = preset().kind === "characters" ? "time" : "time.tries";
  if (verdict === "pin" || verdict === "limited") time = `time.${verdict}`;
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
  write(
    byId("stronger"),
    text(shown.path === "sentence" ? "stronger.sentence" : "stronger.words"),
  );
  drawRepeats(shown);
}

/** How likely equal passwords are, or what it costs that there are none. */
function drawRepeats({ bits, made: { length: count }, isDifferent }) {
  // The birthday problem.
  const chance = -Math.expm1(-count * (count - 1) / 2 ** (bits + 1));
  const lost = -Math.log2(1 - (count - 1) / 2 ** bits);
  const format = (number, style) =>
    number.toLocaleString(state.language, {
      style,
      maximumSignificantDigits: 2,
    });
  const isIdle = count < 2 || chance < 0.001 && !isDifferent;
  byId("repeat").hidden = isIdle || isRefused();
  write(
    byId("repeat").querySelector("p"),
    isDifferent
      ? text("repeat.none", { lost: format(lost) })
      : text("repeat", { chance: format(chance, "percent") }),
  );
}

/** The errors of inputs: those of the page, or else those of the API. */
function errorsOf() {
  const { problem } = state;
  const invalid = invalidInputs();
  if (invalid.length > 0) {
    return invalid.map((input) => ({
      input,
      message: input.validity.customError
        ? input.validationMessage
        : text("range", input),
    }));
  }
  if (!isCurrent(problem?.request)) return [];
  return Object.entries(problem.errors ?? {}).map(([name, [message]]) => ({
    input: currentForm().elements.namedItem(name),
    ...translated(name, message),
  }));
}

/**
 * An error of the API, which writes English. Its numbers are the same in all
 * languages: the least or the greatest possible value. What it says of a rule has no
 * translation.
 */
function translated(name, message) {
  if (state.language === "en") return { message };
  const [number, max] = message.match(/\d+/g) ?? [];
  let key = number === "0" ? "error.off" : `error.${name}`;
  if (max && name === "length") key = "range";
  const known = texts[state.language][key];
  if (!known || known.includes("{number}") && !number) key = "error";
  return {
    message: text(key, { number, min: number, max }),
    detail: name === "passwordRules" ? message : "",
  };
}

/** One error, with a link to its input. */
function errorLine({ input, message }) {
  if (!input) return element("p", "", message);
  const { textContent } = input.closest("label").querySelector("span");
  const link = element("button", "link", textContent.replace(/\.$/, ""));
  link.type = "button";
  link.addEventListener("click", () => {
    input.closest("details")?.setAttribute("open", "");
    input.focus();
  });
  return element("p", "", link, ": ", message);
}

/** The message in the card; the errors of the fields, or the help of each. */
function drawProblem() {
  const { problem } = state;
  const errors = errorsOf();
  for (const input of [...inputsOf(currentForm()), byId("count")]) {
    const error = errors.find((each) => each.input === input);
    const note = byId(`${input.id}-note`);
    const field = input.closest(".field");
    const isWithoutEffect = input.disabled && !isReplaced(field, currentForm());
    const help = isWithoutEffect ? `why.${input.name}` : note.dataset.help;
    note.className = error ? "error" : "note";
    const english = element("span", "", error?.detail ?? "");
    english.lang = "en";
    const parts = error ? [error.message, " ", english, " "] : [];
    const line = element("p", "", ...parts, help ? text(help) : "");
    if (note.textContent !== line.textContent) {
      note.replaceChildren(...line.childNodes);
    }
    input.ariaInvalid = error ? "true" : null;
    if (error && input === document.activeElement) {
      note.scrollIntoView({ block: "nearest" });
    }
  }
  const lines = errors.map(errorLine);
  if (problem && problem.error !== "fields") {
    lines.push(element("p", "", text(problem.error, problem)));
  }
  const message = byId("message");
  const html = lines.map((line) => line.textContent).join("\n");
  if (message.dataset.shown !== html) message.replaceChildren(...lines);
  message.dataset.shown = html;
  const seconds = Math.ceil((problem?.retryAt - performance.now()) / 1000);
  const { progress } = state;
  write(
    byId("countdown"),
    (seconds > 0 ? text("countdown", { seconds }) : "") +
      (progress ? ` ${text("progress", progress)}` : ""),
  );
}

/** The buttons of the card, and what belongs to the kind of password. */
function drawButtons() {
  const { shown, history, confirmed, isBusy, isSlow, practised } = state;
  const isSeveral = isList(shown);
  const isUseless = !isBusy && (!shown || isRefused() || isStale());
  const all = shown?.table.isPeople ? "copyTable" : "copyAll";
  const names = { copy: isSeveral ? all : "copy", save: "save" };
  for (const [id, name] of Object.entries(names)) {
    write(byId(id), text(confirmed?.id === id ? confirmed.key : name));
    byId(id).ariaDisabled = String(Boolean(isUseless));
  }
  for (const id of ["save", "print", "slips", "sheet"]) {
    byId(id).hidden = !isSeveral || isRefused();
  }
  const count = isRefused() ? 0 : waiting();
  byId("make").hidden = isBusy || count === 0;
  write(byId("make"), text("make", { count }));
  byId("cancel").hidden = !isBusy || !state.progress;
  write(byId("new"), text(isSeveral ? "newSeveral" : "new"));
  const index = history.indexOf(shown);
  byId("previous").ariaDisabled = String(!history[index + 1]);
  byId("next").ariaDisabled = String(!history[index - 1]);
  const making = isBusy && (isSlow || !shown) ? text("making") : "";
  write(byId("making"), shown && count > 0 && isStale() ? text("old") : making);
  byId("password").ariaBusy = String(isBusy);
  const done = practised < 3 ? "practise.yes" : "practise.done";
  const answer = practised === 0 ? "practise.no" : done;
  byId("which").hidden = practised !== 0;
  write(
    byId("practised"),
    practised === undefined ? "" : text(answer, { count: practised }),
  );
}

/** What was read in the box, or what is wrong with it. */
function drawPeople() {
  const table = currentTable();
  const { rows, error, column, isPeople } = table;
  const input = byId("table");
  const old = rows.filter((row) => row[column]);
  byId("count").closest(".field").hidden = isPeople;
  byId("every").parentElement.hidden = old.length === 0;
  let note = "";
  if (error) {
    note = text(`table.${error.key}`, { ...error, count: rows.length });
  } else if (isPeople) {
    const first = columnsOf(table).map((at) => rows[0][at]).join(", ");
    note = text("table.read", { count: rows.length, first });
    if (table.isOwn) {
      note += ` ${
        text("table.column", { column: table.head[column], kept: old.length })
      }`;
    }
  }
  // A screen reader hears it when the person has paused.
  if (onPage.note !== note) {
    onPage.note = note;
    clearTimeout(noteTimer);
    noteTimer = setTimeout(() => {
      write(byId("table-note"), note);
      byId("table-note").className = error ? "error" : "note";
    }, TYPING_MS);
  }
  input.ariaInvalid = error ? "true" : null;
  input.setCustomValidity(error ? note : "");
}

/** The rows of the list as they go out, and what to know about them. */
function sheet() {
  const { table, passwords } = state.shown;
  const plain = rowsOf(table, passwords, text("columns"));
  const rows = escaped(table, plain);
  const head = plain[table.before.length];
  const columns = columnsOf(table).map((at) => head[at] || lettersOf(at));
  const cells = changesOf(plain);
  const notes = [
    columns.length > 0 &&
    text("sheet.printed", { columns: columns.join(", ") }),
    cells && text("sheet.changes", { cells }),
    String(rows) !== String(plain) && text("sheet.formulas"),
    text("sheet.login"),
  ];
  return { rows, note: notes.filter(Boolean).join(" ") };
}

/** The form of the purpose: what it needs stands first. */
function drawPurpose() {
  document.querySelector(`[name=purpose][value=${purpose()}]`).checked = true;
  write(byId("help"), text(`help.${state.preset}`));
  for (const select of all(".presets")) {
    select.parentElement.hidden = select.name !== purpose();
    select.value = state.preset;
  }
  const form = currentForm();
  for (const each of document.forms) {
    if (each.dataset.kind) each.hidden = each !== form;
  }
  const rules = byId("characters-passwordRules").closest(".field");
  rules.hidden = purpose() !== "site";
  const length = byId("characters-length").labels[0].querySelector("span");
  length.dataset.text = state.preset === "site" ? "length.site" : "length";
  write(length, text(length.dataset.text));
  const { sizes = [] } = preset();
  byId("sizes").hidden = sizes.length === 0;
  for (const [i, [verdict, values]] of sizes.entries()) {
    const button = byId("sizes").children[i];
    const [[name, size]] = Object.entries(values);
    const strength = verdict === "pin" ? "" : ` · ${text(verdict)}`;
    write(button, text(`size.${name}`, { size }) + strength);
    const { value } = form.elements.namedItem(name);
    button.ariaPressed = String(value === String(size));
  }
  document.documentElement.lang = state.language;
  for (const button of all(".languages button")) {
    button.ariaPressed = String(button.lang === state.language);
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

/** Sets the fields to the values of a preset. */
function choose(name) {
  state.preset = name;
  const { first, values } = preset();
  const form = currentForm();
  const fields = FIELDS.filter((field) => form.contains(field));
  form.querySelector(".more").append(...fields);
  form.querySelector(".first").append(
    ...first.map((name) =>
      fields.find((field) => field.dataset.field === name)
    ),
  );
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
  byId("people").open ||= name === "pupil";
}

/** Writes the preset and the values that it does not have to the fragment. */
function writeFragment() {
  const values = new URLSearchParams({
    purpose: state.preset,
    page: state.language,
  });
  for (const input of [...inputsOf(currentForm()), byId("count")]) {
    const { initial, chosen } = input.dataset;
    const value = String(valueOf(input) ?? "");
    const isKept = value !== initial || chosen !== undefined;
    if (isKept && input.validity.valid) values.set(input.name, value);
  }
  // A browser does not send the fragment. Safari permits 100 changes in 30 seconds.
  const hash = `#${values}`;
  if (hash !== location.hash) history.replaceState(null, "", hash);
}

/** Applies the preset, the values and the language in the fragment of the URL. */
async function readFragment() {
  const values = new URLSearchParams(location.hash.slice(1));
  // Links to former versions name a kind, or a purpose that is none any more.
  const kinds = { words: "remember", rules: "site" };
  const names = ["purpose", "what", "kind"].map((name) => values.get(name));
  const known = names.map((name) => kinds[name] ?? name)
    .find((name) => Object.hasOwn(PRESETS, name));
  const other = all(".languages button")
    .find(({ lang }) => lang === values.get("page"))?.lang ?? state.language;
  // Without the texts of the other language, the page stays in this one.
  await setLanguage(other).catch(() => setLanguage(state.language));
  setValue(byId("count"), "");
  choose(known ?? "manager");
  for (const input of [...inputsOf(currentForm()), byId("count")]) {
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
  byId("people").open ||= byId("count").value > 1;
  update();
  generate(!currentTable().isPeople);
}

// What a person does

for (const form of all("form[data-kind]")) {
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("input", ({ target }) => {
    if (target.name === "language") target.dataset.chosen = "";
    // The keyboard of a phone adds spaces.
    if (target.name === "specialCharacterSet" && /\s/.test(target.value)) {
      target.value = target.value.replace(/\s/g, "");
    }
    const isText = target.matches("textarea, [type=text]");
    const isInvalid = invalidInputs().length > 0;
    settingsChanged(isText || isInvalid ? TYPING_MS : DEBOUNCE_MS);
  });
  // The person has finished the input, so an invalid value gets its message now.
  form.addEventListener("change", () => settingsChanged(DEBOUNCE_MS));
}

// What a person types replaces the number.
byId("app").addEventListener("focusin", ({ target }) => {
  if (target.type === "number") target.select();
});

for (const radio of all("[name=purpose]")) {
  radio.addEventListener("change", () => {
    choose(radio.value);
    settingsChanged();
  });
}
for (const select of all(".presets")) {
  select.addEventListener("change", () => {
    choose(select.value);
    settingsChanged();
  });
}
byId("people").addEventListener("input", ({ target }) => {
  if (target.id === "line") {
    for (const each of all("#list .line")) each.textContent = target.value;
  }
  if (target.id === "heading") {
    [target.dataset.chosen] = byId("table").value.split("\n", 1);
  }
  const isText = target.matches("textarea") || invalidInputs().length > 0;
  settingsChanged(isText ? TYPING_MS : DEBOUNCE_MS);
});
byId("people").addEventListener("change", () => settingsChanged(DEBOUNCE_MS));
byId("different").addEventListener("change", () => settingsChanged());
/** Sets fields by a button. */
function setFields(values) {
  for (const [name, value] of Object.entries(values)) {
    setValue(currentForm().elements.namedItem(name), value);
  }
  settingsChanged();
}
for (const [i, button] of [...byId("sizes").children].entries()) {
  button.addEventListener("click", () => setFields(preset().sizes[i][1]));
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
  allowed = currentRequest();
  // What is missing of a list comes first.
  generateSoon(0, missing(currentPeople()).length === 0);
});
byId("make").addEventListener("click", () => {
  allowed = currentRequest();
  generate();
});
byId("cancel").addEventListener("click", () => {
  allowed = undefined;
  stop();
  update({ isBusy: false });
  byId(waiting() > 0 ? "make" : "new").focus();
});
// The buttons of the list are one tab stop.
byId("list").addEventListener("keydown", (event) => {
  const buttons = all("#list button");
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const next = buttons[buttons.indexOf(event.target) + step];
  if (!next) return;
  event.preventDefault();
  event.target.tabIndex = -1;
  next.tabIndex = 0;
  next.focus();
});
for (const id of ["print", "slips"]) {
  byId(id).addEventListener("click", () => {
    const isForAll = byId("every").checked || state.shown.made.length === 0;
    byId("list").classList.toggle("slips", id === "slips");
    byId("list").classList.toggle("every", isForAll);
    print();
  });
}
for (const [id, step] of [["previous", 1], ["next", -1]]) {
  byId(id).addEventListener("click", () => {
    showFromHistory(state.history.indexOf(state.shown) + step);
  });
}
byId("stronger").addEventListener("click", () => {
  byId("copy").focus(); // this button goes
  if (state.preset === "sentence") {
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
  byId("announcement").textContent = text(key);
  confirmTimer = setTimeout(() => {
    update({ confirmed: undefined });
    if (!button.id) button.textContent = text("copy");
  }, CONFIRM_MS);
}

/** All passwords, as they are copied: lines, or a table whose cells are text. */
function listTexts() {
  const { table, passwords } = state.shown;
  const { rows } = sheet();
  const trs = (table.isPeople ? rows : rows.slice(1)).map((cells) => {
    const tds = cells.map((cell) => element("td", "", cell));
    for (const td of tds) td.setAttribute("sdnum", "1033;0;@");
    return element("tr", "", ...tds);
  });
  return {
    "text/plain": table.isPeople
      ? toCsv(rows, "\t").slice(1).replaceAll("\r\n", "\n")
      : passwords.map((each) => `${each}\n`).join(""),
    "text/html": element("table", "", ...trs).outerHTML,
  };
}

document.addEventListener("click", async ({ target }) => {
  const { copy: number } = target.dataset;
  const isAll = number === "all";
  if (number === undefined || isAll && isRefused()) return;
  const isSeveral = isAll && isList(state.shown);
  const own = isAll
    ? byId(isSeveral ? "list" : "password")
    : target.closest("tr").querySelector(".text");
  if (isAll && isStale()) generate();
  if (isAll && state.isBusy) confirm(target, "copying");
  // Waits for a request that is on its way: its password replaces this one.
  const content = isAll
    ? newest.then(() => {
      const { shown } = state;
      if (!shown || isStale()) throw new Error("No password");
      return isList(shown) ? listTexts() : { "text/plain": shown.passwords[0] };
    })
    : Promise.resolve({ "text/plain": state.shown.passwords[number - 1] });
  const types = ["text/plain", ...isSeveral ? ["text/html"] : []];
  const key = await copy(content, types, own);
  if (key) confirm(target, key);
  state.isCopied ||= isAll && key === "copied";
});

// The file is made here, so no URL has a password.
byId("save").addEventListener("click", ({ currentTarget }) => {
  if (currentTarget.ariaDisabled === "true") return;
  const link = document.createElement("a");
  const { separator } = state.shown.table;
  const isKept = separator === ";" || separator === ",";
  const own = isKept ? separator : state.language === "sv" ? ";" : ",";
  const csv = toCsv(sheet().rows, own);
  link.href = URL.createObjectURL(new Blob([csv], { type: "text/csv" }));
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
byId("reveal").addEventListener("click", () => {
  reveal(true);
  if (byId("goal").value === "") {
    byId("password").scrollIntoView({ block: "nearest" });
  }
});
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
  return parts.length > 1 ? parts : password.match(/.{1,4}/gu) ?? [];
}

/** Draws a password large, in groups, and how a person says it. */
function drawLarge(password, body) {
  const groups = groupsOf(password, body);
  const characters = groups.map((group) =>
    Array.from(group, (each) => element("span", kindOf(each), each))
  );
  byId("characters").replaceChildren(
    ...characters.map((each) => element("span", "group", ...each)),
  );
  byId("spelled").replaceChildren(
    ...groups.map((group) =>
      element("p", "", Array.from(group, spellingOf).join(", "))
    ),
  );
}

byId("enlarge").addEventListener("click", () => {
  byId("spell").open = true;
  byId("spell").querySelector("summary").focus();
});
// Who unfolds something wants to see it.
addEventListener("toggle", ({ target }) => {
  if (target.open) target.scrollIntoView({ block: "nearest" });
}, true);

addEventListener("offline", () => {
  if (!state.shown) show({ error: "offline" });
});
addEventListener("online", () => {
  if (state.problem?.error === "offline") recover();
});
// The browser may keep the page for the back button, but without a password.
addEventListener("pagehide", () => {
  stop();
  byId("attempt").reset();
  byId("table").value = byId("line").value = "";
  drawn = { passwords: new Map() };
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
// The table is nowhere else.
addEventListener("beforeunload", (event) => {
  if (byId("table").value !== "") event.preventDefault();
});
addEventListener("hashchange", readFragment);
// Unexpected errors also get a message.
for (const type of ["error", "unhandledrejection"]) {
  addEventListener(type, () => {
    byId("message").textContent = text("broken");
    byId("message").dataset.shown = "";
  });
}

byId("insecure").hidden = isSecureContext;
await readFragment();
byId("app").classList.add("ready");
