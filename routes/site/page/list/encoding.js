/**
 * The bytes of a file as text, and the text as bytes in the same encoding.
 *
 * @module
 */

/** The most bytes of a file, and characters of what is pasted: a megabyte. */
export const MAX_BYTES = 1 << 20;

/** The encodings by the mark at the start of a file. */
const MARKS = [
  { encoding: "utf-16le", mark: [0xff, 0xfe] },
  { encoding: "utf-16be", mark: [0xfe, 0xff] },
];

/**
 * Reads the bytes of a file: UTF-16 by its mark, else UTF-8, else Windows-1252, in which
 * Excel writes CSV if nobody asks for UTF-8. A byte-order mark stays in the text.
 *
 * @param {Uint8Array} bytes
 * @returns {{ text: string, encoding: string } | undefined} undefined if it is no text,
 *   such as a workbook of Excel
 */
export function decode(bytes) {
  const marked = MARKS.find(({ mark }) =>
    mark.every((each, i) => bytes[i] === each)
  );
  for (
    const encoding of marked ? [marked.encoding] : ["utf-8", "windows-1252"]
  ) {
    try {
      const text = new TextDecoder(encoding, { fatal: true, ignoreBOM: true })
        .decode(bytes);
      // A control character is no text, and five bytes of Windows-1252 are one.
      return /(?![\t\r\n])\p{Cc}/u.test(text) ? undefined : { text, encoding };
    } catch {
      // Not in this encoding.
    }
  }
  return undefined;
}

/**
 * Writes a text as it was in its file.
 *
 * @param {string} text
 * @param {string} encoding as {@linkcode decode} gives it
 * @returns {Uint8Array<ArrayBuffer> | undefined} undefined if it has no place in this
 *   encoding
 */
export function encode(text, encoding) {
  if (encoding === "utf-8") return new TextEncoder().encode(text);
  if (encoding.startsWith("utf-16")) {
    const view = new DataView(new ArrayBuffer(2 * text.length));
    for (let i = 0; i < text.length; i++) {
      view.setUint16(2 * i, text.charCodeAt(i), encoding === "utf-16le");
    }
    return new Uint8Array(view.buffer);
  }
  const all = new TextDecoder(encoding)
    .decode(Uint8Array.from({ length: 256 }, (_, i) => i));
  const places = new Map(Array.from(all, (each, i) => [each, i]));
  const bytes = Array.from(text, (each) => places.get(each) ?? -1);
  return bytes.includes(-1) ? undefined : Uint8Array.from(bytes);
}
