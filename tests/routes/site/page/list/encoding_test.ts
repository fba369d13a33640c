import { assertEquals } from "@std/assert";
import {
  decode,
  encode,
} from "../../../../../routes/site/page/list/encoding.js";

Deno.test("a file is read in its encoding, and written in it byte for byte", () => {
  const utf16 = (text: string, isBig: boolean) =>
    [...text].flatMap((each) => {
      const code = each.charCodeAt(0);
      return isBig ? [code >> 8, code & 255] : [code & 255, code >> 8];
    });
  const files: [bytes: number[], text: string, encoding: string][] = [
    [[0xc3, 0x85, 0x0d, 0x0a], "Å\r\n", "utf-8"],
    [[0xef, 0xbb, 0xbf, 0x41], "\ufeffA", "utf-8"],
    [[0xc5, 0x73, 0x61, 0x80], "Åsa€", "windows-1252"],
    [utf16("\ufeffÅ\tź\n", false), "\ufeffÅ\tź\n", "utf-16le"],
    [utf16("\ufeffÅ\tź\n", true), "\ufeffÅ\tź\n", "utf-16be"],
    [[], "", "utf-8"],
  ];
  for (const [values, text, encoding] of files) {
    const bytes = Uint8Array.from(values);
    assertEquals(decode(bytes), { text, encoding });
    assertEquals(encode(text, encoding), bytes);
  }
  assertEquals(encode("Łódź", "windows-1252"), undefined);
});

Deno.test("what is no text is refused", () => {
  const workbook = [0x50, 0x4b, 3, 4, 0, 0];
  const utf32 = [0xff, 0xfe, 0, 0, 0x41, 0, 0, 0];
  const open = [0x41, 0x81]; // 81 is nothing in Windows-1252
  for (const bytes of [workbook, utf32, open, [0xff, 0xfe, 0x41]]) {
    assertEquals(decode(Uint8Array.from(bytes)), undefined);
  }
});
