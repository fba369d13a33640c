/**
 * The script of the page. Each module has a region of the page with its own state; most
 * of them are joined into one script (script.ts).
 *
 * It stores nothing. The values of the fields are in the fragment of the address. The
 * passwords are only in the document, until the page is left.
 *
 * @module
 */
import { readAddress } from "./address.js";
import { failure } from "./api.js";
import "./card.js";
import "./dialog.js";
import { all, byId } from "./dom.js";
import { setLanguage, text } from "./language.js";
import "./message.js";
import { currentTable } from "./people.js";
import { fail, forget, generate, recover, results } from "./requests.js";
import { applySettings, settingsChanged } from "./settings.js";
import "./wifi.js";

/** Shows what the address asks for. */
async function start() {
  await readAddress();
  await applySettings();
  // Without the script for lists, there is nothing to ask for.
  if (!results.problem?.again) generate(!currentTable().isPeople);
}

for (const button of all(".languages button")) {
  button.addEventListener("click", async () => {
    try {
      await setLanguage(button.lang);
      settingsChanged();
    } catch {
      fail({ error: failure() });
    }
  });
}
// Who unfolds something wants to see it.
addEventListener("toggle", ({ target }) => {
  if (target.open) target.scrollIntoView({ block: "nearest" });
}, true);

addEventListener("offline", () => {
  if (!results.shown) fail({ error: "offline" });
});
addEventListener("online", () => {
  if (results.problem?.error === "offline") recover();
});
// The browser may keep the page for the back button, but without a password.
addEventListener("pagehide", () => {
  byId("large").close();
  for (const id of ["table", "line", "ssid"]) byId(id).value = "";
  forget();
});
addEventListener("pageshow", ({ persisted }) => {
  if (persisted) start();
});
// The table is nowhere else.
addEventListener("beforeunload", (event) => {
  if (byId("table").value !== "") event.preventDefault();
});
addEventListener("hashchange", start);
// Unexpected errors also get a message.
for (const type of ["error", "unhandledrejection"]) {
  addEventListener(type, () => {
    byId("message").textContent = text("broken");
  });
}

byId("insecure").hidden = isSecureContext;
// The script for lists imports from this one, so this one must not wait for it.
start().then(() => byId("app").classList.add("ready"));
