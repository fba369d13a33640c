/**
 * When the page asks for a password, and what it does with the answer.
 *
 * @module
 */
import { askTwice, RETRY_S } from "./api.js";
import { requestOf } from "./settings.js";
import { change, former, isStale, state } from "./state.js";

/**
 * @typedef {import("./settings.js").Settings} Settings
 * @typedef {import("./settings.js").Wanted} Wanted
 */

/** When the page says that it waits. */
const SLOW_MS = 400;
/** The least time between the starts of two requests. */
const INTERVAL_MS = 500;
/** How often a person can undo. */
const MAX_EARLIER = 10;

/** @type {AbortController | undefined} */
let controller; // of the newest request; undefined after the page was left
let newest = Promise.resolve(); // resolves when it has ended
/** @type {Wanted | undefined} */
let requested; // what it asks for
let startedAt = -Infinity;
let retryAt = 0; // when the page tries again
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer; // of the next request
/** @type {ReturnType<typeof setTimeout> | undefined} */
let slowTimer;

/** Requests a password, and shows it. */
export function generate() {
  clearTimeout(timer);
  const { wanted, isBusy } = state;
  // On a slow line, a second click must not start it anew.
  if (isBusy && wanted === requested) return;
  controller?.abort();
  controller = new AbortController();
  requested = wanted;
  if (wanted.errors.length > 0) change({ problem: undefined, isBusy: false });
  else newest = send(wanted, controller);
}

/** Requests a password soon, at most two in a second. */
export function generateSoon(delay = 0) {
  clearTimeout(timer);
  const earliest = startedAt + INTERVAL_MS - performance.now();
  timer = setTimeout(generate, Math.max(delay, earliest));
}

/**
 * Requests a password for other settings, unless the page has to wait.
 *
 * @param {Settings} settings
 * @param {number} [delay]
 */
export function want(settings, delay) {
  const wanted = requestOf(settings);
  change({ settings, wanted });
  if (state.problem && retryAt > performance.now()) return;
  const isNew = requested?.key !== wanted.key || wanted.errors.length > 0;
  if (isNew) generateSoon(delay);
  else clearTimeout(timer);
}

/** Ends the newest request. */
function cancel() {
  controller?.abort();
  controller = requested = undefined;
  newest = Promise.resolve();
  clearTimeout(timer);
}

/** Forgets all passwords. */
export function forget() {
  cancel();
  change({ shown: undefined, earlier: [], isBusy: false, isHidden: false });
}

/** The password that a person has asked for; waits for one that is on its way. */
export async function awaited() {
  if (isStale(state)) generate();
  await newest;
  if (!state.shown || isStale(state)) throw new Error("No password");
  return state.shown.password;
}

/**
 * @param {Wanted} request
 * @param {AbortController} own
 * @returns {Promise<void>}
 */
async function send(request, own) {
  startedAt = performance.now();
  change({ isBusy: true, isSlow: false });
  clearTimeout(slowTimer);
  slowTimer = setTimeout(() => change({ isSlow: true }), SLOW_MS);
  const outcome = await askTwice(request, own);
  if (own !== controller) return newest;
  if (outcome.error !== undefined) return fail({ ...outcome, request });
  const { passwords: [password = ""], bits } = outcome;
  const before = state.shown ? [state.shown] : [];
  change({
    shown: { request, password, bits, stepped: state.stepped },
    earlier: [...before, ...state.earlier].slice(0, MAX_EARLIER),
    turn: state.turn + 1,
    isUndone: false,
    isAnew: state.isAnew && state.shown === undefined,
    stepped: "",
    problem: undefined,
    isBusy: false,
    isCopied: false,
  });
}

/**
 * Shows why there is no password, and tries again if that can help.
 *
 * @param {import("./state.js").Failure} problem
 */
export function fail(problem) {
  const seconds = problem.seconds || RETRY_S[problem.error] || 0;
  retryAt = performance.now() + 1000 * seconds;
  change({ problem, seconds, isBusy: false });
  if (seconds > 0) countDown();
}

/** Tries again at the time of the problem, unless something else happens before. */
function countDown() {
  clearTimeout(timer);
  const seconds = Math.ceil((retryAt - performance.now()) / 1000);
  if (seconds <= 0) return recover();
  change({ seconds });
  timer = setTimeout(countDown, 250);
}

/** Tries again, but does not replace a password that a person has copied. */
export function recover() {
  if (!state.isCopied || isStale(state)) return generate();
  change({ problem: undefined });
}

/** Shows the former password again, with its settings. */
export function undo() {
  const shown = former(state);
  if (!shown) return;
  cancel();
  requested = shown.request;
  change({
    settings: shown.request.settings,
    wanted: shown.request,
    isTouched: true,
    shown,
    earlier: state.earlier.filter((each) => each !== shown),
    turn: state.turn + 1,
    isUndone: true,
    problem: undefined,
    isBusy: false,
  });
}
