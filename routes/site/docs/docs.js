/**
 * The script of /docs: it writes the address of the service into the examples, and
 * adds buttons that copy them and a link to an OpenAPI document with this address.
 *
 * @module
 */

/**
 * The first element that matches, which the page has.
 *
 * @param {string} selector
 * @returns {HTMLElement}
 */
function find(selector) {
  const found = document.querySelector(selector);
  if (found instanceof HTMLElement) return found;
  throw new Error(`No element matches ${selector}`);
}

/** The address of the service. The page may be behind a path prefix. */
const base = new URL("./", document.baseURI);
base.username = base.password = ""; // no secret in a command that is copied

// Strings of the examples are in single or double quotes.
const address = base.href.slice(0, -1).replaceAll("'", "%27");
const placeholder = find("#address code").textContent;
find("#address").hidden = true;

const copied = find("#copied");

for (const figure of document.querySelectorAll("figure")) {
  const [caption, example] = figure.children;
  if (!caption || !example) continue;
  example.textContent = example.textContent.replaceAll(placeholder, address);
  // Over plain HTTP a browser has no clipboard.
  if (!navigator.clipboard) continue;
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = "Copy";
  button.ariaLabel = `Copy: ${caption.textContent}`;
  button.addEventListener("click", async () => {
    copied.textContent = ""; // so that the same text is announced again
    copied.textContent = await navigator.clipboard
      .writeText(example.textContent)
      .then(() => "Copied", () => "Not copied: select the text instead");
    setTimeout(() => copied.textContent = "", 5000);
  });
  caption.append(button);
}

// Programs that import the document take its relative address as it is, and only the
// browser knows the whole one.
const link = document.createElement("a");
link.textContent = "with this address";
link.href = `${base.href}openapi/v1.json`; // fetch() refuses a URL with a secret
link.download = "pwgen.json";
link.addEventListener("click", async (event) => {
  if (link.protocol === "blob:") return;
  event.preventDefault();
  const response = await fetch(link.href).catch(() => Response.error());
  // The browser shows an error, which is no document to keep.
  if (!response.ok) return location.assign(link.href);
  const description = await response.json();
  description.servers = [{ url: address }];
  link.href = URL.createObjectURL(new Blob([JSON.stringify(description)]));
  link.click();
});
find("#absolute").append(", also ", link);
