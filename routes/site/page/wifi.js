/**
 * The code that a phone reads to join a network. The name of the network stays here.
 *
 * @module
 */
import { text } from "./language.js";
import { isStale, permitted } from "./state.js";

/**
 * @typedef {object} Encoder the module qr.js, loaded for Wi-Fi only
 * @property {(name: string, password: string, isHidden?: boolean) => string} wifiText
 * @property {(text: string) => boolean[][] | undefined} qrModules
 */

/** Light modules around a code (ISO/IEC 18004, section 9.1). */
const MARGIN = 4;

/**
 * Why there is no code: the key of a text; empty with one.
 *
 * @param {import("./state.js").State} state
 * @param {string} password
 */
function reasonWithout({ network, isHidden }, password) {
  if (network === "") return "wifi.help";
  const { length } = new TextEncoder().encode(network);
  if (length > 32) return "wifi.name";
  if (!/^[ -~]{8,63}$/.test(password)) return "wifi.password";
  // Android reads a quoted value, or a backslash at its end, in another way.
  if ([network, password].some((value) => /\\$|^".*"$/.test(value))) {
    return "wifi.signs";
  }
  return isHidden ? "wifi.hidden" : "";
}

/**
 * A code; the picture is black on white in every colour scheme, and on paper.
 *
 * @param {boolean[][]} modules
 * @param {string} name
 * @returns {import("./dom.js").Region}
 */
function codeOf(modules, name) {
  const size = modules.length + 2 * MARGIN;
  const d = modules.flatMap((row, y) =>
    row.map((isDark, x) => isDark ? `M${x + MARGIN} ${y + MARGIN}h1v1h-1z` : "")
  ).join("");
  return {
    code: { attributes: { viewBox: `0 0 ${size} ${size}` } },
    "code-title": { text: text("wifi.code", { name }) },
    "code-modules": { attributes: { d } },
    network: { text: text("wifi.network", { name }) },
  };
}

/** @type {import("./state.js").Draw} */
export function wifi(state) {
  const { settings, network, encoder } = state;
  const isWifi = settings.purpose === "wifi" && !isStale(state);
  const made = isWifi ? permitted(state) : undefined;
  const reason = made ? reasonWithout(state, made.password) : "wifi.help";
  const isLoaded = typeof encoder !== "string";
  const modules = made && reason === "" && isLoaded
    ? encoder.qrModules(
      encoder.wifiText(network, made.password, state.isHiddenNetwork),
    )
    : undefined;
  const other = reason || (isLoaded ? "wifi.long" : encoder);
  return {
    wifi: { hidden: !made },
    ssid: { value: network },
    "ssid-note": { text: text(modules ? "wifi.scan" : other) },
    "code-box": { hidden: !modules },
    "code-title": { text: "" },
    network: { text: "" },
    ...modules && codeOf(modules, network),
  };
}
