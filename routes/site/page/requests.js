/**
 * The passwords: what is wanted, what was made, and when the page asks for more.
 *
 * @module
 */
import { failure } from "./api.js";
import { add, drawAll, fill, MOST } from "./batches.js";
import { update } from "./dom.js";

/** When the page says that it waits. */
const SLOW_MS = 400;
/** The least time between the starts of two requests. */
const INTERVAL_MS = 500;
/** When the page tries again by itself, in seconds, if the service does not say. */
const RETRY_S = { limit: 60, busy: 5, unreachable: 10 };
/** How often a person can undo. */
const MAX_EARLIER = 10;

export const results = {
  /** What the settings ask for: path, body, table, key, and what is wrong with it. */
  wanted: { errors: [], table: { rows: [[""]], column: 0 } },
  /** The passwords, their bits and request; undefined without any. */
  shown: undefined,
  /** The results before it, the latest first. */
  earlier: [],
  /** Whether "Undo" brought it back. */
  isUndone: false,
  /** Why the newest request failed: the key of a text, and what belongs to it. */
  problem: undefined,
  isBusy: false,
  isSlow: false,
  /** How many passwords of how many a list has, while it is made. */
  progress: undefined,
  /** Whether a person has copied the passwords. */
  isCopied: false,
  /** Whether dots stand for the passwords. */
  isHidden: false,
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

function change(changes) {
  Object.assign(results, changes);
  update();
}

/** Whether other settings gave what is shown. */
export const isStale = () =>
  Boolean(results.shown) && results.shown.request !== results.wanted;

/** Whether the settings permit no password. */
export const isRefused = () =>
  results.wanted.errors.length > 0 ||
  results.problem?.error === "fields" &&
    results.problem.request === results.wanted;

/** The result that the settings permit; undefined without one. */
export const permitted = () => isRefused() ? undefined : results.shown;

/** Whether a result is drawn as a list. */
export const isList = ({ table, passwords } = {}) =>
  Boolean(table?.isPeople || passwords?.length > 1);

/** The password, if the settings permit it and it is no list. */
export function single() {
  const shown = permitted();
  return isList(shown) ? undefined : shown?.passwords[0];
}

/** The people of the settings, with the passwords that they have by now. */
function missing() {
  const { table, key } = results.wanted;
  return fill(table, drawn.key === key ? drawn.passwords : new Map())
    .filter(({ password }) => password === undefined);
}

/** How many passwords a person has to ask for by a click; 0 if none. */
export function waiting() {
  const { length } = missing();
  return length > MOST && allowed !== results.wanted ? length : 0;
}

/** Requests passwords that are missing, or all anew, and shows them. */
export function generate(isAnew) {
  clearTimeout(timer);
  const { wanted } = results;
  // On a slow line, a second click must not start it anew.
  if (results.isBusy && wanted === requested) return;
  controller?.abort();
  controller = new AbortController();
  requested = wanted;
  // Without names, nobody keeps a password when the number changes.
  const isOther = !wanted.table.isPeople &&
    drawn.table?.rows.length !== wanted.table.rows.length;
  if (isAnew || isOther) drawn = { passwords: new Map() };
  newest = wanted.errors.length > 0 || waiting() > 0
    ? Promise.resolve(
      change({ problem: undefined, isBusy: false, progress: undefined }),
    )
    : send(wanted, controller);
}

/** Requests passwords soon, at most a few a second. */
function generateSoon(delay = 0, isAnew = false) {
  clearTimeout(timer);
  const earliest = startedAt + INTERVAL_MS - performance.now();
  timer = setTimeout(() => generate(isAnew), Math.max(delay, earliest));
}

/** A person wants passwords, however many: what is missing of a list comes first. */
export function generateAll(isAnew) {
  allowed = results.wanted;
  results.isCopied = false;
  if (!isAnew) generate();
  else generateSoon(0, missing().length === 0);
}

/** Requests passwords for other settings, unless the page has to wait. */
export function want(request, delay) {
  results.wanted = request;
  update();
  if (results.problem?.retryAt > performance.now()) return;
  if (requested !== request || request.errors.length > 0) generateSoon(delay);
  else clearTimeout(timer);
}

/** Ends the newest request. */
export function cancel() {
  controller?.abort();
  controller = requested = allowed = undefined;
  newest = Promise.resolve();
  clearTimeout(timer);
  change({ isBusy: false });
}

/** Forgets all passwords. */
export function forget() {
  drawn = { passwords: new Map() };
  cancel();
  change({ shown: undefined, earlier: [], isHidden: false });
}

/** The result that a person has asked for; waits for one that is on its way. */
export async function awaited() {
  if (isStale()) generate();
  await newest;
  if (!results.shown || isStale()) throw new Error("No password");
  return results.shown;
}

async function send(request, own) {
  startedAt = performance.now();
  change({ isBusy: true, isSlow: false });
  clearTimeout(slowTimer);
  slowTimer = setTimeout(() => change({ isSlow: true }), SLOW_MS);
  const { key, table } = request;
  if (drawn.key !== key) drawn = { key, passwords: new Map() };
  drawn.table = table;
  const outcome = await drawAll(
    request,
    drawn,
    own,
    (progress) => change({ progress }),
  ).catch(() => ({ error: failure() }));
  if (own !== controller) return newest;
  if (outcome.error) fail({ request, ...outcome });
  else show({ request, ...outcome });
}

function show(shown) {
  const before = results.shown ? [results.shown] : [];
  change({
    shown,
    earlier: [...before, ...results.earlier].slice(0, MAX_EARLIER),
    isUndone: false,
    problem: undefined,
    progress: undefined,
    isBusy: false,
    isCopied: false,
  });
}

/**
 * Shows why there is no password, and tries again if that can help.
 *
 * @param problem its error, and what to do `again` if that is no request
 */
export function fail(problem) {
  const seconds = problem.seconds || RETRY_S[problem.error];
  const retryAt = seconds && performance.now() + 1000 * seconds;
  change({ problem: { ...problem, retryAt }, isBusy: false });
  countDown();
}

/** What "Undo" brings back: what is shown, if something else was asked for since. */
export const former = () =>
  isStale() || results.isBusy ? results.shown : results.earlier[0];

/**
 * Shows the former result again.
 *
 * @param request what its settings ask for, which are set already
 */
export function showFormer(request) {
  const result = former();
  const shown = { ...result, request };
  const earlier = results.earlier.filter((each) => each !== result);
  cancel();
  requested = request;
  drawn = { ...shown, passwords: new Map() };
  for (const [i, { person, isOld }] of fill(shown.table, new Map()).entries()) {
    if (!isOld) add(drawn.passwords, person, shown.passwords[i]);
  }
  change({
    wanted: request,
    shown,
    earlier,
    isUndone: true,
    problem: undefined,
    progress: undefined,
  });
}

/** Tries again at the time of the problem, unless something else happens before. */
function countDown() {
  const { retryAt } = results.problem ?? {};
  clearTimeout(timer);
  if (retryAt === undefined) return;
  update();
  if (performance.now() >= retryAt) return recover();
  timer = setTimeout(countDown, 250);
}

/** Tries again, but does not replace a password that a person has copied. */
export function recover() {
  if (results.problem.again) return results.problem.again();
  if (!results.isCopied || isStale()) return generate();
  change({ problem: undefined });
}
