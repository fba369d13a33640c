/**
 * The state of the page, and its regions: functions of the state.
 *
 * @module
 */
import { draw } from "./dom.js";
import { requestOf, settingsFor } from "./settings.js";

/**
 * @typedef {object} Made a password, and the request that it is for
 * @property {import("./settings.js").Wanted} request
 * @property {string} password
 * @property {number} bits
 * @property {string} stepped the field that a button has changed for it; or empty
 *
 * @typedef {import("./api.js").Problem &
 *   { request?: import("./settings.js").Wanted }} Failure with the request that failed
 *
 * @typedef {object} State
 * @property {import("./settings.js").Settings} settings
 * @property {import("./settings.js").Wanted} wanted what the settings ask for
 * @property {boolean} isTouched whether a person has changed a setting
 * @property {string[]} unknown what the link asks for and the page does not have
 * @property {Made | undefined} shown
 * @property {Made[]} earlier what was shown before it, the latest first
 * @property {boolean} isAnew whether the page was there before, with another password
 * @property {number} turn how many passwords were shown by now
 * @property {boolean} isUndone whether "Undo" brought it back
 * @property {string} stepped the field that a button has changed since; or empty
 * @property {Failure | undefined} problem why the newest request failed
 * @property {number} seconds until the page tries again; 0 if it does not
 * @property {boolean} isBusy
 * @property {boolean} isSlow
 * @property {boolean} isCopied whether a person has copied the password
 * @property {boolean} isHidden whether dots stand for the password
 * @property {number} hiddenTurn that of the password for which they first stood
 * @property {boolean} isLarge whether the password fills the window
 * @property {string} network the name of the Wi-Fi network
 * @property {boolean} isHiddenNetwork whether it does not send its name
 * @property {import("./wifi.js").Encoder | string} encoder of its code, or the key of
 *   a text
 *
 * @typedef {(state: State) => import("./dom.js").Region} Draw
 */

/** @returns {State} the state before anything was made */
export function emptyState() {
  const settings = settingsFor("manager");
  return {
    settings,
    wanted: requestOf(settings),
    isTouched: false,
    unknown: [],
    shown: undefined,
    earlier: [],
    isAnew: false,
    turn: 0,
    isUndone: false,
    stepped: "",
    problem: undefined,
    seconds: 0,
    isBusy: false,
    isSlow: false,
    isCopied: false,
    isHidden: false,
    hiddenTurn: 0,
    isLarge: false,
    network: "",
    isHiddenNetwork: false,
    encoder: "wifi.loading",
  };
}

export const state = emptyState();

/** @type {Draw[]} */
const regions = [];

/** @param {...Draw} added */
export function addRegions(...added) {
  regions.push(...added);
}

/**
 * Changes the state, and draws the page.
 *
 * @param {Partial<State>} changes
 */
export function change(changes) {
  Object.assign(state, changes);
  for (const region of regions) draw(region(state));
}

/**
 * Whether other settings gave what is shown.
 *
 * @param {State} state
 */
export const isStale = ({ shown, wanted }) =>
  shown !== undefined && shown.request.key !== wanted.key;

/**
 * Whether the settings permit no password.
 *
 * @param {State} state
 */
export const isRefused = ({ wanted, problem }) =>
  wanted.errors.length > 0 ||
  problem?.error === "fields" && problem.request?.key === wanted.key;

/**
 * What is shown, if the settings permit it.
 *
 * @param {State} state
 */
export const permitted = (state) => isRefused(state) ? undefined : state.shown;

/**
 * What "Undo" brings back: what is shown, if something else was asked for since.
 *
 * @param {State} state
 */
export const former = (state) =>
  isStale(state) || state.isBusy ? state.shown : state.earlier[0];
