/**
 * What the bits of the password mean.
 *
 * @module
 */
import { addRegion, byId, write } from "./dom.js";
import { language, text } from "./language.js";
import { permitted } from "./requests.js";
import { durationOf } from "./strength.js";

function drawBits() {
  const { bits, made } = permitted() ?? {};
  byId("how").hidden = !made?.length;
  if (!made?.length) return;
  const [careless, careful] = ["careless", "careful"].map((attack) => {
    const { key, text: duration } = durationOf(bits, attack, language());
    return duration ?? text(key);
  });
  const rounded = Math.floor(bits);
  const exponent = String(rounded).replace(/\d/g, (d) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[d]);
  write(byId("how").querySelector("summary"), text("how", { bits: rounded }));
  write(byId("calculation"), text("calculation", { exponent, bits: rounded }));
  write(byId("time"), text("time", { careless, careful }));
}

addRegion(drawBits);
