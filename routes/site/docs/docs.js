/**
 * The script of /docs: it writes the address of the service into the examples,
 * adds the buttons, sends requests, and marks in the contents what is in view.
 *
 * It stores nothing. A password is only in the document, and is removed when the
 * page is left.
 *
 * @module
 */
import { copy } from "../page/clipboard.js";

const all = (selector, root = document) => [...root.querySelectorAll(selector)];
const done = document.getElementById("done");

/** The address of the service. The page may be behind a path prefix. */
const base = new URL("./", document.baseURI);
base.username = base.password = ""; // fetch() refuses them

// Strings of the examples are in single or double quotes.
const address = base.href.slice(0, -1).replaceAll("'", "%27");
const note = document.getElementById("address");
const placeholder = note.querySelector("code").textContent;
const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
while (texts.nextNode()) {
  const { currentNode: text } = texts;
  // An address is always within one token, so in one node.
  if (text.data.includes(placeholder)) {
    text.data = text.data.replaceAll(placeholder, address);
  }
}
note.hidden = true;

function button(text, onClick) {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = text;
  button.addEventListener("click", onClick);
  return button;
}

let doneTimer = 0;

/** Copies the text of an element, and says so. */
async function copyText(element) {
  done.textContent = ""; // so that the same text is announced again
  clearTimeout(doneTimer);
  const text = Promise.resolve(element.textContent);
  done.textContent = await copy(text, element) === "copied"
    ? "Copied"
    : "Selected: press Ctrl+C or ⌘C to copy";
  doneTimer = setTimeout(() => done.textContent = "", 5000);
}

for (const figure of all("figure")) {
  const caption = figure.querySelector("figcaption");
  const text = figure.querySelector("code");
  const copyButton = button("Copy", () => copyText(text));
  copyButton.setAttribute("aria-label", `Copy: ${caption.textContent}`);
  caption.append(copyButton);
}

/** Shows all examples in one language. */
function choose(language) {
  for (const figure of all(".languages figure")) {
    figure.hidden = figure.dataset.name !== language;
  }
  for (const choice of all(".choices button")) {
    choice.setAttribute(
      "aria-pressed",
      String(choice.textContent === language),
    );
  }
}

for (const languages of all(".languages")) {
  const group = document.createElement("div");
  group.className = "choices";
  group.role = "group";
  group.ariaLabel = "Language";
  for (const figure of all("figure", languages)) {
    const { name } = figure.dataset;
    group.append(button(name, () => choose(name)));
  }
  languages.prepend(group);
  languages.classList.add("chosen");
}
choose(document.querySelector(".languages figure").dataset.name);

/** How often the page was left. */
let timesLeft = 0;

/** Sends a request, and returns what to show. */
async function exchange(path, accept, body) {
  try {
    const response = await fetch(new URL(path, base), {
      method: "POST",
      headers: { "content-type": "application/json", accept },
      body,
      cache: "no-store",
      signal: AbortSignal.timeout(15_000),
    });
    const { status, statusText, headers } = response;
    const seconds = /;t=(\d+)/.exec(headers.get("ratelimit"))?.[1] ??
      headers.get("retry-after");
    return {
      message: `${status} ${statusText}` +
        (status === 429 && seconds ? `: wait ${seconds} s` : ""),
      fields: [...headers].map((field) => field.join(": ")).join("\n"),
      body: await response.text(),
    };
  } catch {
    return {
      message: navigator.onLine
        ? "No answer: the service cannot be reached"
        : "No answer: you are offline",
    };
  }
}

/** Shows the outcome of a request, always as text. */
function show(form, { message = "", fields = "", body = "" }) {
  form.querySelector(".message").textContent = message;
  const answer = form.querySelector(".answer");
  answer.hidden = fields === "";
  const [bodyCode, fieldsCode] = all("code", answer);
  fieldsCode.textContent = fields;
  bodyCode.textContent = body;
}

const forms = all(".try");
for (const form of forms) {
  const send = form.querySelector(".send");
  let isBusy = false;
  send.addEventListener("click", async () => {
    if (isBusy) return;
    isBusy = true;
    const left = timesLeft;
    show(form, { message: "Sending …" });
    const outcome = await exchange(
      form.dataset.path,
      form.querySelector("select").value,
      form.querySelector("textarea").value,
    );
    isBusy = false;
    if (left === timesLeft) show(form, outcome);
  });
  // A key that is held down sends one request.
  send.addEventListener("keydown", (event) => {
    if (event.repeat) event.preventDefault();
  });
  form.hidden = false;
}

// The browser may keep the page for the back button, but without a password.
addEventListener("pagehide", () => {
  timesLeft++;
  for (const form of forms) show(form, {});
});

/**
 * Opens the parts that hide the target of the URL. Not every browser does this, and
 * none opens what follows a heading.
 */
function reveal() {
  const target = document.getElementById(location.hash.slice(1));
  if (target === null) return;
  let isMoved = false;
  const open = (part) => {
    if (part?.localName !== "details" || part.open) return;
    part.open = isMoved = true;
  };
  if (target.localName === "h2") open(target.nextElementSibling);
  for (let part = target; part !== null; part = part.parentElement) open(part);
  if (isMoved) target.scrollIntoView();
}
addEventListener("hashchange", reveal);
reveal();

const nav = document.querySelector("nav");
const links = all("a", nav);

/**
 * Marks the link of the section in view: the last one that began above a line, or
 * the target of the URL. At the end of the page a target cannot reach the line.
 */
function markSection() {
  const line = innerHeight / 4;
  const isAtEnd = scrollY + innerHeight >= document.body.scrollHeight - 2;
  let marked = links[0];
  for (const link of links) {
    const heading = document.getElementById(link.hash.slice(1));
    const { top } = heading.getBoundingClientRect();
    if (!heading.checkVisibility()) continue;
    if (top < line) marked = link;
    if (link.hash !== location.hash || top < 0) continue;
    if (top < (isAtEnd ? innerHeight : line)) {
      marked = link;
      break;
    }
  }
  if (marked.ariaCurrent) return;
  for (const link of links) link.ariaCurrent = link === marked ? "true" : null;
  // The contents can be longer than the window. Only they are scrolled.
  const { top, bottom } = marked.getBoundingClientRect();
  if (top < 0 || bottom > innerHeight) {
    nav.scrollTop += top - innerHeight / 2;
  }
}

// A heading that crosses the line changes the mark, and so does a link. All that is
// above the window counts as inside, so no jump is missed.
const observer = new IntersectionObserver(markSection, {
  rootMargin: "9999999px 0px -75%",
});
for (const heading of all("main :is(h2, h3)")) observer.observe(heading);
addEventListener("hashchange", markSection);

// On a wide screen, the contents are always visible (docs.css).
const wide = matchMedia("(min-width: 62em)");
function unfoldContents() {
  nav.querySelector("details").open = wide.matches;
}
wide.addEventListener("change", unfoldContents);
unfoldContents();
