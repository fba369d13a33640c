/**
 * The script of the page: its modules are joined into one (script.ts).
 *
 * It stores nothing. The values of the fields are in the fragment of the address. The
 * passwords are only in the document, until the page is left.
 *
 * @module
 */
import { listenToCard, loadEncoder } from "./actions.js";
import { urlOf } from "./api.js";
import { card } from "./card.js";
import { curlOf } from "./curl.js";
import { dialog } from "./dialog.js";
import { as, byId } from "./dom.js";
import { setFields } from "./fields.js";
import { form } from "./form.js";
import { fragmentOf, readFragment } from "./fragment.js";
import { arrange, listenToInputs } from "./inputs.js";
import { setTexts, text } from "./language.js";
import { fail, forget, generate, recover } from "./requests.js";
import { requestOf } from "./settings.js";
import { addRegions, change, emptyState, isRefused, state } from "./state.js";
import { wifi } from "./wifi.js";

/**
 * Keeps the settings in the address, and in links to pages that take them.
 *
 * @type {import("./state.js").Draw}
 */
function keepAddress({ isTouched, settings }) {
  const hash = `#${fragmentOf(settings)}`;
  for (const link of document.querySelectorAll("[data-settings]")) {
    as(HTMLAnchorElement, link).hash = hash;
  }
  // Safari permits 100 changes in 30 seconds.
  if (isTouched && hash !== location.hash) history.replaceState(null, "", hash);
  return {};
}

/** @type {import("./state.js").Made | undefined} */
let last;

/**
 * A shorter password does not move the buttons upwards, where a finger hits another one.
 *
 * @type {import("./state.js").Draw}
 */
function keepHeight({ shown }) {
  if (shown === last) return {};
  const box = byId("password");
  const isAlike = shown && last &&
    shown.request.settings.preset === last.request.settings.preset;
  const { height } = box.getBoundingClientRect();
  box.style.minHeight = isAlike ? `${height}px` : "";
  last = shown;
  return {};
}

/**
 * Who has entered what is refused sees why.
 *
 * @type {import("./state.js").Draw}
 */
function showError() {
  const { activeElement } = document;
  if (activeElement?.ariaInvalid === "true") {
    byId(`${activeElement.id}-note`).scrollIntoView({ block: "nearest" });
  }
  return {};
}

/**
 * The request as a command, with the address from which the page came.
 *
 * @type {import("./state.js").Draw}
 */
function command(state) {
  const { path, body } = state.wanted;
  const { href } = urlOf(`api/pwgen/${path}`);
  return {
    command: { hidden: isRefused(state) },
    curl: { text: curlOf(href, body) },
  };
}

/**
 * Shows what the address asks for.
 *
 * @param {boolean} isAnew whether the page was there before, with another password
 */
function start(isAnew) {
  const { settings, page, count, unknown } = readFragment(location.hash);
  // Links to former versions name the language of the page, and lists stood here.
  const language = CSS.escape(page ?? "");
  const other = document.querySelector(`header [hreflang="${language}"]`) ??
    (count > 1 ? document.querySelector("main [data-settings]") : null);
  if (other instanceof HTMLAnchorElement) {
    const values = new URLSearchParams(location.hash.slice(1));
    values.delete("page");
    other.hash = String(values);
    return location.replace(other.href);
  }
  const wanted = requestOf(settings);
  change({ settings, wanted, unknown, isTouched: false, isAnew });
  generate();
}

setFields(JSON.parse(byId("fields").textContent));
setTexts(document.documentElement.lang, JSON.parse(byId("texts").textContent));
change(emptyState()); // with the fields
addRegions(keepHeight, card, form, dialog, wifi, command);
addRegions(arrange, keepAddress, loadEncoder, showError);
listenToCard();
listenToInputs();

// Who unfolds something wants to see it.
addEventListener("toggle", ({ target }) => {
  if (target instanceof HTMLDetailsElement && target.open) {
    target.scrollIntoView({ block: "nearest" });
  }
}, true);
addEventListener("resize", () => {
  byId("password").style.minHeight = "";
});
addEventListener("offline", () => {
  if (!state.shown) fail({ error: "offline" });
});
addEventListener("online", () => {
  if (state.problem?.error === "offline") recover();
});
// Who goes to the page in another language may come back for the password.
let isKept = false;
document.querySelector("header")?.addEventListener("click", (event) => {
  const isOther = event.ctrlKey || event.metaKey || event.shiftKey; // window
  isKept = event.target instanceof HTMLAnchorElement && !isOther;
});
// Otherwise the browser may keep the page for the back button, but without it.
addEventListener("pagehide", () => {
  if (isKept) return;
  as(HTMLDialogElement, byId("large")).close();
  change({ network: "" });
  forget();
});
addEventListener("pageshow", ({ persisted }) => {
  isKept = false;
  if (persisted && !state.shown) start(true);
});
addEventListener("hashchange", () => start(false));
// Unexpected errors also get a message.
for (const type of ["error", "unhandledrejection"]) {
  addEventListener(type, () => {
    byId("message").textContent = text("broken");
  });
}

byId("insecure").hidden = isSecureContext;
const [navigation] = performance.getEntriesByType("navigation");
start(
  navigation instanceof PerformanceNavigationTiming &&
    ["reload", "back_forward"].includes(navigation.type),
);
