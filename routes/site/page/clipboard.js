/**
 * Copies a text that may still be on its way. /docs uses it too.
 *
 * @module
 */

/**
 * Copies a text, or selects it if the browser permits no copy.
 *
 * @param promise the text; rejected if there is none
 * @param element the element that shows the text
 * @returns the key of a text for the person; undefined if there is no text
 */
export async function copy(promise, element) {
  try {
    if ("ClipboardItem" in globalThis && navigator.clipboard?.write) {
      // Safari permits a copy only during the click, but then takes a promise.
      const blob = promise.then((text) =>
        new Blob([text], { type: "text/plain" })
      );
      blob.catch(() => {}); // write() may end before it
      await navigator.clipboard.write([
        new ClipboardItem({ "text/plain": blob }),
      ]);
    } else {
      await navigator.clipboard.writeText(await promise);
    }
    return "copied";
  } catch {
    // Over plain HTTP there is no clipboard, but often the older command.
    const text = await promise.catch(() => undefined);
    if (text === undefined) return undefined;
    getSelection().selectAllChildren(element);
    return copyByCommand(text) ? "copied" : selectedKey();
  }
}

function copyByCommand(text) {
  const setText = (event) => {
    event.clipboardData.setData("text/plain", text);
    event.preventDefault();
  };
  document.addEventListener("copy", setText);
  const isCopied = document.execCommand("copy");
  document.removeEventListener("copy", setText);
  return isCopied;
}

/** How a person copies a selection on this device. */
function selectedKey() {
  if (matchMedia("(pointer: coarse)").matches) return "selected.touch";
  return /Mac/.test(navigator.platform) ? "selected.mac" : "selected.keys";
}
