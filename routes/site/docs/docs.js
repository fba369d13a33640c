/**
 * The script of /docs: it writes the address of the service into the examples,
 * adds the buttons that copy them, and opens the folded part that a link leads to.
 *
 * @module
 */
import { copy } from "../page/clipboard.js";

const all = (selector) => [...document.querySelectorAll(selector)];

/** The address of the service. The page may be behind a path prefix. */
const base = new URL("./", document.baseURI);
base.username = base.password = ""; // no secret in a command that is copied

// Strings of the examples are in single or double quotes.
const address = base.href.slice(0, -1).replaceAll("'", "%27");
const note = document.getElementById("address");
const placeholder = note.querySelector("code").textContent;
for (const example of all("pre")) {
  example.textContent = example.textContent.replaceAll(placeholder, address);
}
note.hidden = true;

const done = document.getElementById("done");
let doneTimer = 0;

/** Copies an example, and says so. */
async function copyExample(example) {
  done.textContent = ""; // so that the same text is announced again
  clearTimeout(doneTimer);
  const text = Promise.resolve(example.textContent);
  done.textContent = await copy(text, example) === "copied"
    ? "Copied"
    : "Selected: press Ctrl+C or ⌘C to copy";
  doneTimer = setTimeout(() => done.textContent = "", 5000);
}

for (const caption of all("figcaption")) {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = "Copy";
  button.ariaLabel = `Copy: ${caption.textContent.trim()}`;
  button.addEventListener(
    "click",
    () => copyExample(caption.nextElementSibling),
  );
  caption.append(button);
}

/**
 * Opens the folded part that hides the target of the URL, or that of its section.
 * Not every browser does the first, and none does the second.
 */
function reveal() {
  const target = document.getElementById(location.hash.slice(1));
  const part = target?.closest("details") ??
    target?.closest("section")?.querySelector("details");
  if (!part || part.open) return;
  part.open = true;
  target.scrollIntoView();
}
addEventListener("hashchange", reveal);
reveal();

// On a wide screen, the contents are always visible (docs.css).
const wide = matchMedia("(min-width: 62em)");
function unfoldContents() {
  document.querySelector("nav details").open = wide.matches;
}
wide.addEventListener("change", unfoldContents);
unfoldContents();
