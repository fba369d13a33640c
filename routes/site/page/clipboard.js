/**
 * Copies a text that may still be on its way.
 *
 * @module
 */

/**
 * Copies a text, or selects its element if the browser permits no copy.
 *
 * @param promise the text; rejected if there is none
 * @returns the key of a text for the person; undefined if there is nothing to
 *   copy
 */
export async function copy(promise, element) {
  try {
    if ("ClipboardItem" in globalThis && navigator.clipboard?.write) {
      // Safari permits a copy only during the click, but then takes a promise.
      const blob = promise.then((text) =>
        new Blob([text], { type: "text/plain" })
      );
      blob.catch(() => {}); // write() may fail before it rejects
      await navigator.clipboard.write([
        new ClipboardItem({ "text/plain": blob }),
      ]);
    } else {
      await navigator.clipboard.writeText(await promise);
    }
    return "copied";
  } catch {
    // Over plain HTTP there is no clipboard object, but often the older command.
    const text = await promise.catch(() => undefined);
    if (text === undefined) return undefined;
    getSelection().selectAllChildren(element);
    return copyByCommand(text) ? "copied" : "selected";
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
