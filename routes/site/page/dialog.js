/**
 * The password as large as the window, with positions, and how a person says it.
 *
 * @module
 */
import { addRegion, byId, element, isNew } from "./dom.js";
import { language, text } from "./language.js";
import { DOTS, groupsOf, kindOf, languageOf, spelled } from "./parts.js";
import { results, single } from "./requests.js";

function drawDialog() {
  const password = byId("large").open ? single() : undefined;
  if (!isNew(byId("large"), password)) return;
  const isShown = password !== undefined && !results.isHidden;
  const { shown } = results;
  const groups = isShown ? groupsOf(password, shown) : [];
  byId("large-text").textContent = isShown
    ? password
    : password
    ? text("hidden")
    : "";
  byId("large-text").lang = isShown ? languageOf(shown) : language();
  byId("characters").classList.toggle("words", shown?.path !== "characters");
  byId("characters").replaceChildren(
    ...groups.map((group) =>
      element(
        "span",
        "group",
        ...Array.from(group, (each) => element("span", kindOf(each), each)),
      )
    ),
    ...password && !isShown ? [DOTS] : [],
  );
  byId("spelled").replaceChildren(
    ...isShown ? spelled(password, shown) : [],
  );
}

byId("enlarge").addEventListener("click", () => {
  byId("large").showModal();
  drawDialog();
});
byId("close").addEventListener("click", () => byId("large").close());
byId("large").addEventListener("close", drawDialog);

addRegion(drawDialog);
