/**
 * Passwords for others, in a real browser: lists, names, slips, spreadsheets, presets.
 */
import { assert, assertEquals, assertMatch, assertNotMatch } from "@std/assert";
import { PRESETS as ALL_PRESETS } from "../../../routes/site/page/purposes.js";
import { csvRows } from "../../helpers/csv.ts";
import { tempDir } from "../../helpers/files.ts";
import { end, isInstalled, spawn } from "../../helpers/program.ts";
import { field, PASSWORD, PURPOSES, testPage } from "./page.ts";

/** What the presets declare. */
const PRESETS = ALL_PRESETS as Record<
  string,
  { of?: string; kind: string; values: Record<string, unknown> }
>;

testPage("makes many at once, to copy, save or print", async (page) => {
  await page.hurry();
  await page.permitClipboard();
  await page.set(field("count"), "20");
  const shown = await page.list(20);
  // A spreadsheet takes no password for a formula.
  for (const password of shown) assertMatch(password, /^[a-zA-Z][!-~]{19}$/);
  assertMatch(await page.text("#sheet"), /^Each begins with a letter/);
  assertEquals(new Set(shown).size, 20);
  assertEquals(
    await page.text("#verdict"),
    "20 passwords, all very strong · 128 bits",
  );
  assertEquals(await page.isVisible("#repeat"), false);
  assertEquals(await page.copied("button Copy password 3"), shown[2]);
  await page.copied();
  assertEquals(await page.clipboard("text/plain"), shown.join("\n") + "\n");
  await page.click("button Print list");
  // PINs of a batch can repeat.
  await page.click("radio PIN");
  // Their number stays.
  assertEquals((await page.list(20)).length, 20);
  await page.run("location.reload()");
  await page.list(20);
  // What a person does with all of them comes before the list.
  const order = await page.run<string[]>(
    `return [...document.querySelectorAll("#copy, #save, #print, #slips, #list")]
       .map(({ id }) => id)`,
  );
  assertEquals(order, ["copy", "save", "print", "slips", "list"]);
  // What a spreadsheet would change is not in a file for it.
  await page.click("radio A site with its own requirements");
  await page.set(field("passwordRules"), "required: digit; maxlength: 16;");
  await page.until(
    "/^\\d{16}$/.test(document.querySelector('#list .text')?.textContent)",
  );
  assertMatch(await page.text("#sheet"), /^A spreadsheet would change/);
  assertEquals(
    await page.get("button For a spreadsheet (CSV)", "ariaDisabled"),
    "true",
  );
});

const NAMES = "textbox Names, one a line. They stay in this browser.";

/** Names as a class has them; no word of a password is in one. */
const CLASS = Array.from(
  { length: 28 },
  (_, i) => `${["Åsa", "Märta-Lisa", "Örjan", "Zoë"][i % 4]} Ek-Öhrn ${i + 1}`,
);

testPage({
  name: "a teacher prints slips for a class, and no name leaves the browser",
  skipped: await isInstalled("pdftotext")
    ? ""
    : "no pdftotext (Debian: poppler-utils)",
}, async (page) => {
  await page.hurry();
  await page.record();
  await page.choose("type");
  await page.set("combobox For", "pupil");
  await page.set(field("count"), "2");
  await page.list(2);
  await page.set(NAMES, CLASS.join("\n"));
  const passwords = await page.list(28);
  await page.set("textbox A line on each slip", "Log in at school.example");
  assertEquals(await page.texts("#list .name"), CLASS);
  assertMatch(
    await page.text("#verdict"),
    /^28 passwords · For logins that lock · 40 bits each$/,
  );
  await page.run("globalThis.print = () => {}");
  await using folder = await tempDir();
  const pdfOf = async () => {
    const file = `${folder.path}/page.pdf`;
    const { data } = await page.cdp("Page.printToPDF", {
      paperWidth: 8.27,
      paperHeight: 11.69,
    }) as { data: string };
    await Deno.writeFile(file, Uint8Array.fromBase64(data));
    const { stdout } = await end(spawn("pdftotext", ["-raw", file, "-"]));
    return stdout.split("\f").slice(0, -1);
  };
  // Thirty fit on two pages too: the smallest slip is 30 mm high.
  const slip = "Log in at school.example";
  for (const count of [28, 30]) {
    if (count === 30) {
      await page.set(NAMES, [...CLASS, "Bo", "Liv"].join("\n"));
      await page.list(30);
    }
    await page.click("button Print slips");
    const pages = await pdfOf();
    assertEquals(pages.length, 2);
    const slips = pages.flatMap((each) => each.split(slip).slice(0, -1));
    // Nothing stands before or after a whole slip.
    for (const each of pages) assertEquals(each.split(slip).at(-1)!.trim(), "");
    assertEquals(slips.length, count);
    const names = await page.texts("#list .name");
    const shown = await page.texts("#list .text");
    assertEquals(
      slips.map((text) => text.trim().split("\n")),
      names.map((name, i) => [name, shown[i]]),
    );
  }
  // A slip that is higher moves to the next page as a whole.
  const long = "Log in at school.example, and change this password at once. ";
  await page.set("textbox A line on each slip", long.repeat(3));
  const solid = (text: string) => text.replace(/\s/g, "");
  for (const each of await pdfOf()) {
    assert(solid(each).endsWith(solid(long)), each.slice(-200));
  }
  // Back to the class: the same number, so its names stand there again.
  await page.click("button Previous password");
  assertEquals(await page.texts("#list .text"), passwords);
  await page.set(NAMES, CLASS.join("\n"));
  await page.click("button Print list");
  const list = (await pdfOf()).join("").trim().split("\n");
  assertEquals(list.length, 28);
  for (const [i, line] of list.entries()) {
    assertMatch(line, RegExp(`^${i + 1}\\. +${CLASS[i]} +\\S+$`));
  }
  // A request has the settings and the number.
  const bodies = await page.bodies();
  assertEquals(
    (await page.requests()).filter((each) => each.startsWith("POST")).length,
    bodies.length + 1,
  );
  const places = await page.run<string[]>(
    `return [location.href, JSON.stringify(history.state), document.title]`,
  );
  for (const text of [...bodies, ...places, ...await page.requests()]) {
    assertNotMatch(decodeURIComponent(text), /Åsa|Ek-|school/);
  }
});

testPage(
  "a name keeps its password when others come and go",
  async (page) => {
    await page.hurry();
    await page.choose("type");
    await page.set(field("count"), "2");
    await page.list(2);
    /** Sets the names, and returns the passwords by name. */
    const passwordsOf = async (...names: string[]) => {
      await page.set(NAMES, names.join("\n"));
      await page.until(
        `JSON.stringify([...document.querySelectorAll("#list .name")]
           .map((each) => each.textContent)) === '${JSON.stringify(names)}' &&
         !document.querySelector(".busy")`,
      );
      const texts = await page.texts("#list .text");
      return new Map(names.map((name, i) => [name, texts[i]!]));
    };
    const first = await passwordsOf("Ada", "Bo", "Cia");
    const longer = await passwordsOf("Ada", "Bo", "Cia", "Dan");
    for (const [name, text] of first) assertEquals(longer.get(name), text);
    // Bo leaves, Eva comes, and the lines have another order.
    const other = await passwordsOf("Eva", "Dan", "Ada", "Cia");
    for (const name of ["Ada", "Cia", "Dan"]) {
      assertEquals(other.get(name), longer.get(name));
    }
    assert(!longer.values().toArray().includes(other.get("Eva")!));
    // A name that is corrected is the same person.
    const corrected = await passwordsOf("Eva-Li", "Dan", "Ada", "Cia");
    assertEquals([...corrected.values()], [...other.values()]);
    // Other people are not the same persons.
    const others = await passwordsOf("Flo", "Gus", "Hal", "Ida");
    for (const text of others.values()) {
      assert(!corrected.values().toArray().includes(text));
    }
    await page.click("button Previous password");
    await passwordsOf(...corrected.keys());
    const shorter = await passwordsOf("Dan", "Cia");
    assertEquals([...shorter.values()], [
      other.get("Dan")!,
      other.get("Cia")!,
    ]);
    // The former list has its own names.
    await page.click("button Previous password");
    assertEquals(await page.texts("#list .name"), [...corrected.keys()]);
    assertEquals(await page.texts("#list .text"), [...corrected.values()]);
    // Names are only in the box: leaving the page asks first.
    const asks = () =>
      page.run<boolean>(
        `const event = new Event("beforeunload", { cancelable: true });
         return !dispatchEvent(event)`,
      );
    assert(await asks());
    // A new list is new for all.
    await page.click("button New passwords");
    await page.until("document.querySelectorAll('#list li').length === 2");
    for (const text of await page.texts("#list .text")) {
      assert(!corrected.values().toArray().includes(text));
    }
  },
);

testPage(
  "a help desk takes names and PINs to a spreadsheet, all of them different",
  async (page) => {
    await page.hurry();
    await page.record();
    await page.permitClipboard();
    await page.choose("pin");
    await page.next(() => page.click("button 4 digits"));
    await page.set(field("count"), "2");
    await page.list(2);
    const names = ['Åsa "Å" Ek', "=cmd|1", "a;b, c", "<i>Bo</i> & Co"];
    names.push(...Array.from({ length: 96 }, (_, i) => `Name ${i}`));
    await page.set(NAMES, names.join("\n"));
    for (const pin of await page.list(100)) assertMatch(pin, /^[1-9]{4}$/);
    assertMatch(await page.text("#verdict"), /^100 .* 12 bits each$/);
    // 1 - exp(-100^2 / 2 / 9^4)
    assertMatch(await page.text("#repeat p"), /are equal is about 5[23]%\.$/);
    await page.click("checkbox Draw equal ones again until all differ");
    await page.shows("#repeat p", /^All differ\. .* has 0\.022 bits less/);
    const pins = await page.list(100);
    assertEquals(new Set(pins).size, 100);
    await page.run(
      `const { createObjectURL } = URL;
       URL.createObjectURL = (blob) => {
         blob.arrayBuffer().then((bytes) =>
           globalThis.saved = [...new Uint8Array(bytes)]);
         return createObjectURL(blob);
       };
       HTMLAnchorElement.prototype.click = function () { globalThis.link = this }`,
    );
    const escaped = names.map((name) => name.replace(/^=/, "'="));
    const rows = pins.map((pin, i) => [String(i + 1), escaped[i]!, pin]);
    const csv = async () => {
      const bytes = await page.until<number[]>("globalThis.saved");
      await page.run("delete globalThis.saved");
      const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
      return decoder.decode(new Uint8Array(bytes));
    };
    await page.click("button For a spreadsheet (CSV)");
    const english = await csv();
    assertEquals(english.slice(0, 2), '\uFEFF"');
    assertEquals(csvRows(english.slice(1), ","), [
      ["Number", "Name", "Password"],
      ...rows,
    ]);
    assertEquals(await page.run("return link.download"), "passwords.csv");
    // As a table: cells, or text with tabs.
    await page.copied();
    assertEquals(
      await page.clipboard("text/plain"),
      rows.map((cells) => `${cells.join("\t")}\n`).join(""),
    );
    const html = await page.clipboard("text/html");
    assertEquals(
      await page.run(
        `const made = new DOMParser().parseFromString;
         const template = document.implementation.createHTMLDocument();
         return arguments[0].split("</td>").length - 1`,
        html,
      ),
      300,
    );
    assert(html.includes("&lt;i&gt;Bo&lt;/i&gt; &amp; Co"), html);
    // In Swedish, a comma is in decimal numbers.
    await page.click("button Svenska");
    await page.shows("h1", /^Lösenords/);
    await page.click("button Till kalkylark (CSV)");
    assertEquals(csvRows((await csv()).slice(1), ";"), [
      ["Nummer", "Namn", "Lösenord"],
      ...rows,
    ]);
    await page.click("button English");
    await page.shows("h1", /^Password/);
    // 81 PINs of two digits are too few for 100; the page stops asking.
    const before = (await page.bodies()).length;
    await page.more();
    await page.set(field("length"), "2");
    await page.shows("#message", /too few different passwords/);
    assertEquals((await page.bodies()).length, before + 5);
    assertEquals(await page.get(NAMES, "value"), names.join("\n"));
    await page.set(NAMES, names.slice(0, 30).join("\n"));
    assertEquals(new Set(await page.list(30)).size, 30);
    for (const text of await page.bodies()) assertNotMatch(text, /Åsa|Name/);
  },
);

testPage("says what is wrong with names, and loses nothing", async (page) => {
  await page.hurry();
  await page.set(field("count"), "2");
  await page.list(2);
  const note = (pattern: RegExp) => page.shows("#names-note", pattern);
  await page.set(NAMES, "Bo\n\nLi\nBo\n");
  await page.list(3);
  await note(/^Names: 3\. Blank lines .*: 1\. More than once: Bo\.$/);
  const bad: [string, RegExp][] = [
    ["Bo\n".repeat(101), /There are 101 names\. Enter at most 100\.$/],
    [`Bo\nLi\n${"x".repeat(500)}`, /Line 3 has more than 100 characters/],
  ];
  for (const [text, message] of bad) {
    await page.set(NAMES, text);
    await note(message);
    await page.shows("#message", message);
    assertEquals(await page.get(NAMES, "value"), text);
    assertEquals(await page.texts("#list .text"), []);
    assertEquals(await page.get("#copy", "ariaDisabled"), "true");
    await page.set(NAMES, "Bo\nLi");
    assertEquals((await page.list(2)).length, 2);
    assertEquals(await page.text("#message"), "");
  }
  // The box stays while a person empties it.
  await page.set(NAMES, "");
  await page.until(`${PASSWORD} !== ""`);
  assertEquals(await page.get<boolean>("#characters-count", "readOnly"), false);
  // One name too; and none, when the page is left.
  await page.set(NAMES, "Bo");
  assertEquals((await page.list(1)).length, 1);
  assertEquals(await page.texts("#list .name"), ["Bo"]);
  assertEquals(await page.get<boolean>("#characters-count", "readOnly"), true);
  await page.click("radio PIN");
  assertEquals(await page.get(NAMES, "value"), "Bo");
  await page.run("dispatchEvent(new PageTransitionEvent('pagehide'))");
  assertEquals(await page.get("#names", "value"), "");
});

/** JSON with its members in order. */
const sorted = `((json) => JSON.stringify(JSON.parse(json), (_, value) =>
  typeof value === "object" ? Object.fromEntries(Object.entries(value).sort())
    : value))`;

testPage("has the presets of docs/api.md", async (page) => {
  await page.hurry();
  await page.record();
  for (const [name, { of, kind, values }] of Object.entries(PRESETS)) {
    if (!of || name === "sentence") continue;
    await page.click(`radio ${PURPOSES[of]}`);
    const select = of === "type" ? "For" : "Requirements of";
    await page.set(`combobox ${select}`, name);
    if (kind === "words") await page.set(field("language"), "sv");
    // Presets with equal values need no other password.
    const expected = JSON.stringify({ path: kind, body: values });
    await page.until(
      `!document.querySelector(".busy") && bodies.length > 0 &&
       ${sorted}(bodies.at(-1)) === ${sorted}(${JSON.stringify(expected)})`,
    );
  }
});

testPage({
  name: "prints each password once and whole on one page, and no controls",
  skipped: await isInstalled("pdftotext")
    ? ""
    : "no pdftotext (Debian: poppler-utils)",
}, async (page) => {
  await using folder = await tempDir();
  const file = `${folder.path}/page.pdf`;
  // 128 characters need more than one line.
  for (const [count, length] of [[1, 128], [30, 20], [100, 20], [100, 128]]) {
    const fragment = `purpose=manager&length=${length}&count=${count}`;
    await page.run("location.hash = arguments[0]", fragment);
    const passwords = await page.until<string[]>(
      `((all) => all.length === ${count} && all[0].length === ${length} && all)(
         [...document.querySelectorAll("#password, #list .text")]
           .map((each) => each.textContent).filter((text) => text !== ""))`,
    );
    const expected = count === 1
      ? passwords
      : passwords.map((each, i) => `${i + 1}.${each}`);
    await Deno.writeFile(file, await page.print());
    const text = await end(spawn("pdftotext", ["-layout", file, "-"]));
    const pages = text.stdout.split("\f").map((each) =>
      each.replace(/\s/g, "")
    );
    for (const each of expected) {
      if (pages[0] === "") pages.shift();
      assertEquals(pages[0]?.slice(0, each.length), each);
      pages[0] = pages[0]!.slice(each.length);
    }
    assertEquals(pages.join(""), "");
  }
});
