/**
 * Copies a text that may still be on its way.
 *
 * @module
 */

/**
 * Copies a text, or selects its element if the browser permits no copy.
 *
 * @param promise the text by media type; rejected if there is none
 * @returns the key of a text for the person; undefined if there is nothing to
 *   copy
 */
export async function copy(promise, types, element) {
  try {
    if ("ClipboardItem" in globalThis && navigator.clipboard?.write) {
      // Safari permits a copy only during the click, but then takes promises.
      const blobs = types.map((type) => [
        type,
        promise.then((texts) => new Blob([texts[type]], { type })),
      ]);
      for (const [, blob] of blobs) blob.catch(() => {}); // write() may fail first
      await navigator.clipboard.write([
        new ClipboardItem(Object.fromEntries(blobs)),
      ]);
    } else {
      await navigator.clipboard.writeText((await promise)[types[0]]);
    }
    return "copied";
  } catch {
    // Over plain HTTP there is no clipboard object, but often the older command.
    const texts = await promise.catch(() => undefined);
    if (texts === undefined) return undefined;
    getSelection().selectAllChildren(element);
    return copyByCommand(texts, types) ? "copied" : "selected";
  }
}

function copyByCommand(texts, types) {
  const setTexts = (event) => {
    for (const type of types) event.clipboardData.setData(type, texts[type]);
    event.preventDefault();
  };
  document.addEventListener("copy", setTexts);
  const isCopied = document.execCommand("copy");
  document.removeEventListener("copy", setTexts);
  return isCopied;
}
