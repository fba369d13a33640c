/**
 * What a person does with the password.
 *
 * @module
 */
import { copy } from "./clipboard.js";
import { confirmAction } from "./confirm.js";
import { as, byId } from "./dom.js";
import { awaited, generateSoon, undo } from "./requests.js";
import { change, isRefused, state } from "./state.js";

/** Copies the password, or selects it; waits for one that is on its way. */
async function copyPassword() {
  if (isRefused(state)) return;
  const [button, own] = state.isLarge
    ? [byId("large-copy"), byId("characters")]
    : [byId("copy"), byId("password")];
  const texts = awaited().then((password) => ({ "text/plain": password }));
  if (state.isBusy) confirmAction(button, "copying");
  const key = await copy(texts, ["text/plain"], own);
  if (key === "copied") change({ isCopied: true });
  // Dots are of no use.
  const isUseless = key === "selected" && state.isHidden;
  if (isUseless) getSelection()?.removeAllRanges();
  if (key) confirmAction(button, isUseless ? "refused" : key);
}

/** Copies the command, or selects it. */
async function copyCommand() {
  const own = byId("curl");
  const texts = Promise.resolve({ "text/plain": own.textContent });
  const key = await copy(texts, ["text/plain"], own);
  const isCopied = key === "copied";
  confirmAction(byId("copy-curl"), isCopied ? "curl.copied" : "selected");
}

/**
 * Loads the encoder of the code for Wi-Fi. A module is loaded once.
 *
 * @type {import("./state.js").Draw}
 */
export function loadEncoder({ settings, encoder }) {
  if (settings.purpose === "wifi" && encoder === "wifi.loading") {
    import("./qr.js").then(
      (encoder) => change({ encoder }),
      () => change({ encoder: "unreachable" }),
    );
  }
  return {};
}

/** Listens to the buttons of the card and of the dialog. */
export function listenToCard() {
  const large = as(HTMLDialogElement, byId("large"));
  for (const id of ["copy", "large-copy"]) {
    byId(id).addEventListener("click", copyPassword);
  }
  for (const id of ["hide", "large-hide"]) {
    byId(id).addEventListener("click", () => {
      change({ isHidden: !state.isHidden, hiddenTurn: state.turn });
    });
  }
  byId("new").addEventListener("click", () => {
    change({ isCopied: false });
    generateSoon();
  });
  byId("undo").addEventListener("click", undo);
  byId("enlarge").addEventListener("click", () => {
    large.showModal();
    change({ isLarge: true });
  });
  byId("close").addEventListener("click", () => large.close());
  large.addEventListener("close", () => change({ isLarge: false }));
  byId("ssid").addEventListener("input", ({ target }) => {
    const network = as(HTMLInputElement, target).value;
    const isFailed = state.encoder === "unreachable"; // once more
    change({ network, ...isFailed && { encoder: "wifi.loading" } });
  });
  byId("hidden-network").addEventListener("change", ({ target }) => {
    change({ isHiddenNetwork: as(HTMLInputElement, target).checked });
  });
  byId("print-sheet").addEventListener("click", () => print());
  byId("copy-curl").addEventListener("click", copyCommand);
}
