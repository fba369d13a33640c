/**
 * The password as large as the window, with positions, and how a person says it.
 *
 * @module
 */
import { element } from "./dom.js";
import { language, text } from "./language.js";
import { DOTS, groupsOf, kindOf, languageOf, spelled } from "./parts.js";
import { permitted } from "./state.js";

/** @type {import("./state.js").Draw} */
export function dialog(state) {
  const made = state.isLarge ? permitted(state) : undefined;
  if (!made || state.isHidden) {
    return {
      "large-text": { text: made ? text("hidden") : "", lang: language },
      characters: { text: made ? DOTS : "" },
      spelled: { text: "" },
    };
  }
  const { password, request } = made;
  const groups = groupsOf(password, request).map((group) =>
    element(
      "span",
      "group",
      ...Array.from(group, (each) => element("span", kindOf(each), each)),
    )
  );
  return {
    "large-text": { text: password, lang: languageOf(request) },
    characters: {
      className: request.path === "characters" ? "" : "words",
      text: groups,
    },
    spelled: { text: spelled(password, request) },
  };
}
