/**
 * The code that a phone reads to join a network. The name of the network stays here.
 *
 * @module
 */
import { addRegion, byId, update, write } from "./dom.js";
import { text } from "./language.js";
import { isStale, results, single } from "./requests.js";
import { settings } from "./settings.js";

const SVG = "http://www.w3.org/2000/svg";
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

function svgElement(name, attributes) {
  const created = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) {
    created.setAttribute(key, value);
  }
  return created;
}

/** The picture of a code: black on white in every colour scheme, and on paper. */
function drawCode(modules, name) {
  const size = modules.length + 2 * MARGIN;
  const d = modules.flatMap((row, y) =>
    row.map((isDark, x) => isDark ? `M${x + MARGIN} ${y + MARGIN}h1v1h-1z` : "")
  ).join("");
  const svg = svgElement("svg", {
    viewBox: `0 0 ${size} ${size}`,
    role: "img",
    class: "code",
  });
  const title = svgElement("title", {});
  title.textContent = text("wifi.code", { name });
  svg.append(
    title,
    svgElement("rect", { width: size, height: size, fill: "#fff" }),
    svgElement("path", { d, fill: "#000" }),
  );
  return svg;
}

/** What is drawn. */
let coded = "";

function drawWifi() {
  const password = single();
  byId("wifi").hidden = settings.purpose !== "wifi" || !password || isStale();
  if (byId("wifi").hidden) {
    coded = "";
    write(byId("network"), "");
    return byId("code").replaceChildren();
  }
  if (!encoder) load();
  const name = byId("ssid").value;
  let reason = name === "" ? "wifi.help" : reasonWithout(name, password);
  const content = reason ? "" : encoder.wifiText(name, password);
  const modules = content && encoder.qrModules(content);
  if (content && !modules) reason = "wifi.name";
  write(byId("ssid-note"), text(reason || "wifi.scan"));
  byId("print-card").hidden = !modules;
  const now = modules ? content + text("wifi.code", { name }) : "";
  if (now === coded) return;
  coded = now;
  write(byId("network"), modules ? text("wifi.network", { name }) : "");
  byId("code").replaceChildren(...modules ? [drawCode(modules, name)] : []);
}

byId("ssid").addEventListener("input", () => {
  if (encoder === "unreachable") encoder = undefined; // once more
  update();
});
byId("print-card").addEventListener("click", () => print());

addRegion(drawWifi);
