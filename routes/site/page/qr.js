/**
 * The QR code of a Wi-Fi network. The numbers in brackets are sections, tables and
 * annexes of ISO/IEC 18004:2015.
 *
 * @module
 */

/**
 * Versions 2 to 6 at level L: the size in modules, and the numbers of codewords of
 * data, of codewords of error correction in a block, and of blocks (tables 1 and 9).
 * Version 1 is too small for any network. Version 6 holds the longest name and password
 * with 21 escapes. From version 7 on, codes have parts that these do not have.
 *
 * @typedef {[size: number, data: number, correction: number, blocks: number]} Version
 *
 * @type {Version[]}
 */
const VERSIONS = [
  [25, 34, 10, 1],
  [29, 55, 15, 1],
  [33, 80, 20, 1],
  [37, 108, 26, 1],
  [41, 136, 18, 2],
];

/** The format information of level L and mask 000 (table C.1). */
const FORMAT = 0x77c4;

/** Patterns of square rings, the center first; 1 is dark (6.3.3, 6.3.4 and 6.3.6). */
const FINDER = "11010";
const ALIGNMENT = "101";

/**
 * Writes a network as the text that phones read, with the escapes of the wiki of ZXing
 * ("Barcode Contents"). A value is never quoted: iPhones take the quotes as a part of
 * it. Android cannot read a value that ends with a backslash, and takes quotation
 * marks around a value as no part of it.
 *
 * @param {string} name the name of the network
 * @param {string} password its password; WPA permits 8 to 63 printable ASCII characters
 * @param {boolean} [isHidden] whether the network does not send its name
 * @returns {string} the text
 */
export function wifiText(name, password, isHidden = false) {
  /** @param {string} text */
  const escaped = (text) => text.replace(/[\\;,:"]/g, "\\$&");
  return `WIFI:T:WPA;S:${escaped(name)};P:${escaped(password)};${
    isHidden ? "H:true;" : ""
  };`;
}

/**
 * Multiplies polynomials of bits modulo x^8 + x^4 + x^3 + x^2 + 1 (7.5.2).
 *
 * @param {number} a
 * @param {number} b
 */
function multiply(a, b) {
  let product = 0;
  for (; b > 0; b >>= 1) {
    if (b & 1) product ^= a;
    a = (a << 1) ^ (a >> 7) * 0x11d;
  }
  return product;
}

/**
 * The codewords of error correction, a remainder of the data (7.5.2, annex A).
 *
 * @param {number[]} data
 * @param {number} count in a block
 * @param {number} blocks
 * @returns {number[]}
 */
function correctionOf(data, count, blocks) {
  let divisor = [1]; // the product of all (x - 2^i), the highest power first
  for (let i = 0, root = 1; i < count; i++, root = multiply(root, 2)) {
    divisor = [...divisor, 0]
      .map((value, j) => value ^ multiply(divisor[j - 1] ?? 0, root));
  }
  const rest = [...data, ...Array(count * blocks).fill(0)];
  for (let i = 0; i < data.length; i++) {
    const factor = rest[i];
    // The codewords of the blocks lie in turn.
    divisor.forEach((value, j) =>
      rest[i + j * blocks] ^= multiply(value, factor)
    );
  }
  return rest.slice(data.length);
}

/**
 * The bits of all codewords, those of the blocks in turn (7.4.5, 7.4.10, 7.6).
 *
 * @param {Uint8Array} bytes
 * @param {Version} version
 */
function bitsOf(bytes, [, capacity, count, blocks]) {
  // The mode is 4, the terminator 0. With them, each byte lies in two codewords.
  const hex = [bytes.length, ...bytes]
    .map((byte) => byte.toString(16).padStart(2, "0")).join("");
  const inOrder = `4${hex}0`.padEnd(2 * capacity, "ec11");
  const data = Array.from({ length: capacity }, (_, i) => {
    const index = i % blocks * capacity / blocks + Math.floor(i / blocks);
    return parseInt(inOrder.slice(2 * index, 2 * index + 2), 16);
  });
  return [...data, ...correctionOf(data, count, blocks)]
    .map((codeword) => codeword.toString(2).padStart(8, "0")).join("");
}

/**
 * Makes the smallest QR code of a text: UTF-8 in byte mode, level L, always with mask
 * 000, which decoders read as well as the mask of the least penalty.
 *
 * @param {string} text the text
 * @returns {boolean[][] | undefined} rows of booleans, true is dark, without the margin of 4 modules; undefined
 *   if the text has more than 134 bytes
 */
export function qrModules(text) {
  const bytes = new TextEncoder().encode(text);
  // Mode, length and terminator take two bytes.
  const version = VERSIONS.find(([, capacity]) => bytes.length + 2 <= capacity);
  if (!version) return undefined;
  const [size] = version;
  /** @type {(boolean | undefined)[]} */
  const modules = Array(size * size); // row by row
  /**
   * @param {number} row
   * @param {number} column
   * @param {boolean} isDark
   */
  const set = (row, column, isDark) => {
    modules[row * size + column] = isDark;
  };
  /**
   * @param {string} rings
   * @param {number} row of the center
   * @param {number} column
   */
  const drawRings = (rings, row, column) => {
    for (let y = 0; y < size; y++) {
      for (let x = 0; x < size; x++) {
        const ring = rings[Math.max(Math.abs(y - row), Math.abs(x - column))];
        if (ring) set(y, x, ring === "1");
      }
    }
  };
  // The timing patterns (6.3.5), then what covers their ends.
  for (let i = 0; i < size; i++) {
    set(6, i, i % 2 === 0);
    set(i, 6, i % 2 === 0);
  }
  drawRings(FINDER, 3, 3);
  drawRings(FINDER, 3, size - 4);
  drawRings(FINDER, size - 4, 3);
  drawRings(ALIGNMENT, size - 7, size - 7);
  /** @param {number} i */
  const besideTiming = (i) => i < 6 ? i : i + 1;
  // The format information, twice, and the module that is always dark (7.9.1).
  for (let i = 0; i < 15; i++) {
    const isDark = (FORMAT >> i & 1) === 1;
    set(i < 8 ? besideTiming(i) : size - 15 + i, 8, isDark);
    set(8, i < 8 ? size - 1 - i : besideTiming(14 - i), isDark);
  }
  set(size - 8, 8, true);
  // Pairs of columns from the right, up and down, beside the timing pattern (7.7.3).
  const bits = bitsOf(bytes, version);
  let position = 0;
  let isUpward = true;
  for (let right = size - 1; right > 0; right -= right === 8 ? 3 : 2) {
    for (let i = 0; i < size; i++) {
      const y = isUpward ? size - 1 - i : i;
      for (const x of [right, right - 1]) {
        if (modules[y * size + x] !== undefined) continue;
        // Mask 000 (7.8.2). The modules after the last bit hold 0.
        set(y, x, (bits[position++] === "1") !== ((x + y) % 2 === 0));
      }
    }
    isUpward = !isUpward;
  }
  return Array.from(
    { length: size },
    (_, y) =>
      Array.from({ length: size }, (_, x) => modules[y * size + x] === true),
  );
}
