/**
 * Copies a text that may still be on its way.
 *
 * @module
 */

/**
 * Copies a text, or selects its element if the browser permits no copy.
 *
 * @param {Promise<Record<string, string>>} promise the text by media type; rejected if
 *   there is none
 * @param {string[]} types
 * @param {Element} element
 * @returns {Promise<string | undefined>} the key of a text for the person; undefined if
 *   there is nothing to copy
 */
export async function copy(promise, types, element) {
  try {
    if ("ClipboardItem" in globalThis && navigator.clipboard?.write) {
      // Safari permits a copy only during the click, but then takes promises.
      /** @type {Record<string, Promise<Blob>>} */
      const blobs = {};
      for (const type of types) {
        blobs[type] = promise.then((texts) =>
          new Blob([texts[type] ?? ""], { type })
        );
        blobs[type].catch(() => {}); // write() may fail first
      }
      await navigator.clipboard.write([new ClipboardItem(blobs)]);
    } else {
      const [type = ""] = types;
      await navigator.clipboard.writeText((await promise)[type] ?? "");
    }
    return "copied";
  } catch {
    // Over plain HTTP there is no clipboard object, but often the older command.
    const texts = await promise.catch(() => undefined);
    if (texts === undefined) return undefined;
    getSelection()?.selectAllChildren(element);
    return copyByCommand(texts, types) ? "copied" : "selected";
  }
}

/**
 * @param {Record<string, string>} texts
 * @param {string[]} types
 */
function copyByCommand(texts, types) {
  /** @param {ClipboardEvent} event */
  const writeTexts = (event) => {
    for (const type of types) {
      event.clipboardData?.setData(type, texts[type] ?? "");
    }
    event.preventDefault();
  };
  document.addEventListener("copy", writeTexts);
  const isCopied = document.execCommand("copy");
  document.removeEventListener("copy", writeTexts);
  return isCopied;
}
