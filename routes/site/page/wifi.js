/**
 * The code that a phone reads to join a network. The name of the network stays here.
 *
 * @module
 */
import { addRegion, byId, update, write } from "./dom.js";
import { text } from "./language.js";
import { isStale, results, single } from "./requests.js";
import { settings } from "./settings.js";

/** Light modules around a code (ISO/IEC 18004, section 9.1). */
const MARGIN = 4;

/** The encoder, loaded for Wi-Fi only; or the key of a text. */
let encoder;

function load() {
  encoder = "wifi.loading";
  import("./qr.js").then(
    (module) => encoder = module,
    () => encoder = "unreachable",
  ).then(update);
}

/** Why there is no code: the key of a text; empty with one. */
function reasonWithout(name, password) {
  const { length } = new TextEncoder().encode(name);
  if (length > 32) return "wifi.name";
  if (!/^[ -~]{8,63}$/.test(password)) return "wifi.password";
  // Android reads a quoted value, or a backslash at its end, in another way.
  if ([name, password].some((value) => /\\$|^".*"$/.test(value))) {
    return "wifi.signs";
  }
  if (results.isHidden) return "wifi.hidden";
  return typeof encoder === "string" ? encoder : "";
}

/** Draws a code; the picture is black on white in every colour scheme, and on paper. */
function drawCode(modules, name) {
  const path = modules.flatMap((row, y) =>
    row.map((isDark, x) => isDark ? `M${x + MARGIN} ${y + MARGIN}h1v1h-1z` : "")
  ).join("");
  const size = modules.length + 2 * MARGIN;
  const code = byId("code");
  code.toggleAttribute("hidden", path === "");
  code.setAttribute("viewBox", `0 0 ${size} ${size}`);
  code.querySelector("path").setAttribute("d", path);
  write(code.querySelector("title"), path && text("wifi.code", { name }));
  write(byId("network"), path && text("wifi.network", { name }));
}

function drawWifi() {
  const password = single();
  byId("wifi").hidden = settings.purpose !== "wifi" || !password || isStale();
  if (byId("wifi").hidden) return drawCode([], "");
  if (!encoder) load();
  const name = byId("ssid").value;
  let reason = name === "" ? "wifi.help" : reasonWithout(name, password);
  const content = reason ? "" : encoder.wifiText(name, password);
  const modules = content ? encoder.qrModules(content) : [];
  if (!modules) reason = "wifi.name";
  write(byId("ssid-note"), text(reason || "wifi.scan"));
  byId("print-card").hidden = !modules?.length;
  drawCode(modules ?? [], name);
}

byId("ssid").addEventListener("input", () => {
  if (encoder === "unreachable") encoder = undefined; // once more
  update();
});
byId("print-card").addEventListener("click", () => print());

addRegion(drawWifi);
