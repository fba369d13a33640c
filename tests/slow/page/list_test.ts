/**
 * Passwords for several people, in a real browser.
 */
import { assert, assertEquals, assertMatch, assertNotMatch } from "@std/assert";
import { browserTests } from "../../helpers/webdriver.ts";
import { field, NO_PDFTOTEXT, Page, printed, testPage } from "./page.ts";

const READY = "document.querySelector('#kind').textContent.includes('bits')";
const TABLE = "textbox Names, one a line, or a table";

/** The page has a table or not, but no address and no title has a name. */
async function assertPrivate(page: Page): Promise<void> {
  const places = await page.run<string[]>(
    "return [document.title, location.href, JSON.stringify(history.state)]",
  );
  for (const text of places) assertNotMatch(decodeURIComponent(text), /Åsa/);
}

const testList = browserTests(Page, "/list-en", READY, assertPrivate);

/** The message of the browser about settings that the API refuses. */
const REFUSED = /pwgen\/characters - Failed to load resource: .* 400 /;

/** Waits until all people have a password; returns the passwords. */
const made = (page: Page, count: number) =>
  page.until<string[]>(
    `((all) => all.length === ${count} && !document.querySelector("#made").hidden && all)(
       [...document.querySelectorAll("#list tbody .text")].map((e) => e.textContent))`,
  );

/** What the last copy has put on the clipboard, in a media type. */
const clipboard = (page: Page, type: string) =>
  page.run<string>(
    `return navigator.clipboard.read()
       .then(([item]) => item.getType(arguments[0]))
       .then((blob) => blob.text())`,
    type,
  );

/** Opens a file as a person drops it. */
const drop = (page: Page, bytes: Iterable<number>, name = "people.csv") =>
  page.run(
    `const transfer = new DataTransfer();
     transfer.items.add(new File([Uint8Array.from(arguments[0])], arguments[1]));
     dispatchEvent(new DragEvent("drop",
       { dataTransfer: transfer, cancelable: true }))`,
    [...bytes],
    name,
  );

/** The bytes and the name of the file that the page saves. */
async function saved(page: Page): Promise<[bytes: number[], name: string]> {
  await page.run(
    `URL.createObjectURL = (blob) => {
       blob.bytes().then((bytes) => globalThis.saved = [...bytes]);
       return "blob:x";
     };
     delete globalThis.saved;
     HTMLAnchorElement.prototype.click = function () { globalThis.link = this }`,
  );
  await page.click("button Save the file");
  const bytes = await page.until<number[]>("globalThis.saved");
  return [bytes, await page.run("return link.download")];
}

const utf8 = (text: string) => new TextEncoder().encode(text);
const textIn = ([bytes]: [number[], string]) =>
  new TextDecoder("utf-8", { ignoreBOM: true }).decode(Uint8Array.from(bytes));

testList(
  "a class gets passwords, and next week two new ones and one renewed",
  async (page) => {
    await page.record();
    await page.permitClipboard();
    const pupils = Array.from({ length: 28 }, (_, i) => `Åsa ${i}\t4B`);
    await page.set(TABLE, `Namn\tKlass\n${pupils.join("\n")}\n`);
    assertEquals(await page.text("#summary"), "28 people. 28 get a new one.");
    assertMatch(await page.text("#kind"), /^3 words · 4\d bits each$/);
    await page.click("button Make 28 passwords");
    const first = await made(page, 28);
    assertEquals(new Set(first).size, 28);
    assertEquals(
      await page.text("#verdict"),
      "28 new passwords · For logins that lock",
    );
    // The names are alike but for the number, so the class is not shown.
    assertEquals(await page.text("#list tbody tr:nth-child(3) .name"), "Åsa 2");
    assertEquals(await page.copied("button Copy password, Åsa 2"), first[2]);
    await page.run("document.querySelector('#announcement').textContent = ''");
    await page.click("button Copy all");
    await page.shows("#announcement", /^Table copied/);
    const rows = pupils.map((pupil, i) => `${pupil}\t${first[i]}\n`);
    const table = `Namn\tKlass\tPassword\n${rows.join("")}`;
    assertEquals(await clipboard(page, "text/plain"), table);
    const html = await clipboard(page, "text/html");
    assertEquals(html.split('sdnum="1033;0;@">').length - 1, 87);

    await page.click("DisclosureTriangle Who gets a password?");
    assertEquals(await page.get(TABLE, "value"), table);
    await page.set(TABLE, `${table}Bo\t4B\nCia\t4B`);
    assertEquals(await page.isVisible("#made"), false);
    assertEquals(
      await page.text("#summary"),
      "30 people. 28 keep their password. 2 get a new one.",
    );
    await page.click("button Make 2 passwords");
    const second = await made(page, 30);
    assertEquals(second.slice(0, 28), first);
    await page.click("button Change password, Åsa 0");
    await page.shows("#announcement", /^New password$/);
    const third = await made(page, 30);
    assert(third[0] !== first[0]);
    assertEquals(third.slice(1), second.slice(1));
    assertEquals(
      await page.run("return document.activeElement.ariaLabel"),
      "Change password, Åsa 0",
    );
    // All of them only after a question.
    await page.run(
      "globalThis.confirm = (asked) => (globalThis.asked = asked, false)",
    );
    await page.click("button New ones for all 30");
    assertEquals(await page.run("return asked"), "Replace all 30 passwords?");
    assertEquals(await made(page, 30), third);
    await page.run("globalThis.confirm = () => true");
    await page.click("button New ones for all 30");
    await page.until(
      `document.querySelector("#list tbody .text")?.textContent !== "${
        third[0]
      }"`,
    );
    assertEquals(new Set([...await made(page, 30), ...third]).size, 60);
    // Pasted, it becomes a file that Excel reads.
    assertEquals(
      textIn(await saved(page)).split("\r\n", 2)[0],
      "\ufeffNamn,Klass,Password",
    );
    // A list that was made with other settings is not handed out.
    const last = await made(page, 30);
    await page.click("DisclosureTriangle Who gets a password?");
    await page.set("combobox Kind of password", "pin");
    await page.shows("#summary", /^30 people\. 30 get a new one\.$/);
    assertEquals(await page.isVisible("#made"), false);
    await page.set("combobox Kind of password", "pupil");
    assertEquals(await made(page, 30), last);
    for (const text of await page.bodies()) assertNotMatch(text, /Åsa|Bo|4B/);
  },
);

testList(
  "a file comes back byte for byte, but with passwords",
  async (page) => {
    const utf16 = (text: string) =>
      new Uint8Array(
        Uint16Array.from(text, (each) => each.charCodeAt(0)).buffer,
      );
    const windows = (text: string) =>
      Array.from(text, (each) => each.charCodeAt(0));
    const files: [before: Iterable<number>, encoding: string][] = [
      [utf8('\ufeffNamn;"Lösenord"\r\n"Åsa";""\r\n\r\nBo;old\r\n'), "utf-8"],
      [windows("Namn;Lösenord\r\nÅsa Öberg;\r\n"), "windows-1252"],
      [utf16("\ufeffNamn\tLösenord\r\nÅsa\t\r\n"), "utf-16le"],
    ];
    for (const [before, encoding] of files) {
      await drop(page, before, "klass.csv");
      await page.click("button Make 1 password");
      const passwords = await page.until<string[]>(
        `!document.querySelector("#made").hidden &&
       [...document.querySelectorAll("#list .text")].map((e) => e.textContent)`,
      );
      const [bytes, name] = await saved(page);
      assertEquals(name, "klass.csv");
      const decoder = new TextDecoder(encoding, { ignoreBOM: true });
      const [came, goes] = [[...before], bytes]
        .map((each) => decoder.decode(Uint8Array.from(each)));
      assert(goes!.includes(passwords[0]!));
      assertEquals(goes!.replace(passwords[0]!, ""), came);
      assertEquals(
        /Is “Åsa Öberg” right\?/.test(await page.text("#summary")),
        encoding === "windows-1252",
      );
    }
    // Another letter has no place in it.
    await drop(page, windows("Namn;Lösenord\r\nÅsa;\r\n"));
    await page.run("document.querySelector('#source').open = true");
    await page.set(TABLE, "Namn;Lösenord\nÅsa;\nŁucja;");
    await page.click("button Make 2 passwords");
    await made(page, 2);
    assertMatch(await page.text("#sheet"), /comes back as UTF-8/);
    assertMatch(
      textIn(await saved(page)),
      /^\ufeffNamn;Lösenord\r\nÅsa;.*\r\nŁucja;/,
    );
    // Refused before it is read.
    for (
      const [bytes, message] of [
        [[0x50, 0x4b, 3, 4, 0, 0], /no text file/],
        [new Uint8Array(2 ** 20 + 1).fill(65), /At most 1 MiB/],
      ] as const
    ) {
      await drop(page, bytes);
      await page.shows("#summary", message);
      assertEquals(await page.isVisible("#make"), false);
      assertEquals(await page.get(TABLE, "value"), "");
    }
  },
);

testList(
  "asks where it would have to guess, and shows what comes",
  async (page) => {
    const preview = () =>
      page.run<string[]>(
        `return [...document.querySelectorAll("#preview tr")].map((row) =>
         [...row.cells].map((cell) => cell.textContent).join("|"))`,
      );
    await page.set(TABLE, "Emma;Lind\nBo;Ek");
    assertMatch(await page.text("#summary"), /^Is the first row a heading/);
    assertEquals(await page.isVisible("#make"), false);
    await page.set("combobox Heading", "-1");
    assertEquals(await preview(), ["Emma|Lind|new", "Bo|Ek|new"]);
    await page.set("combobox Passwords in", "1");
    assertEquals(await preview(), ["Emma|Lind", "Bo|Ek"]);
    assertEquals(await page.text("#summary"), "2 people. All have a password.");
    // The answers stay while the first line does.
    await page.set(TABLE, "Emma;Lind\nBo;");
    assertEquals(await preview(), ["Emma|Lind", "Bo|new"]);
    // The last row may be a sum.
    const names = ["Namn;Klass", ...Array(9).fill("Bo;4B"), "", "Antal: 9;"];
    await page.set(TABLE, names.join("\n"));
    assertEquals(
      await preview(),
      [
        "Namn|Klass|Password",
        ...Array(3).fill("Bo|4B|new"),
        "…",
        "Antal: 9||new",
      ],
    );
    await page.set(TABLE, "Åsa <a@x.example>; Bo <b@x.example>");
    assertMatch(await page.text("#summary"), /between two names/);
    await page.set("combobox Between columns", "names ;");
    assertEquals(
      await page.get(TABLE, "value"),
      "Åsa <a@x.example>\nBo <b@x.example>\n",
    );
    await page.click("button Make 2 passwords");
    const [first] = await made(page, 2);
    // It can be read again.
    const [line, heading] = (await page.get<string>("#table", "value")).split(
      "\n",
    );
    assertEquals([line, heading], [
      "Name\tPassword",
      `Åsa <a@x.example>\t${first}`,
    ]);
    const wrong: [string, RegExp][] = [
      ["Bo\n".repeat(1001), /^At most 1,000 people/],
      ["Name,Class\nLi,7B\nBo,7B,8", /^Line 3 has more cells/],
      ['Li\n"Bo', /^Line 2: a quotation mark/],
      ["Name,Password\n", /^Nobody is in the table/],
    ];
    await page.run("document.querySelector('#source').open = true");
    for (const [text, message] of wrong) {
      await page.set(TABLE, text);
      await page.shows("#summary", message);
      assertEquals(await page.isVisible("#make"), false);
    }
    await page.set(TABLE, "");
    await page.set("textbox No names? Number them", "10");
    await page.click("button Number");
    await page.click("button Make 10 passwords");
    assertEquals((await made(page, 10)).length, 10);
  },
);

testPage(
  "the page of one password links to that for several, with its settings",
  async (page) => {
    await page.choose("pin");
    await page.setNext(field("length"), "8");
    await page.click("link For several people");
    await page.until(READY);
    assertMatch(await page.url(), /\/list-en#purpose=pin&length=8$/);
    assertEquals(await page.text("#kind"), "8 characters · 26 bits each");
    const back = "document.querySelector('#kind ~ a').hash";
    assertEquals(await page.run(`return ${back}`), "#purpose=pin&length=8");
    await page.run("setTimeout(() => history.back())");
    await page.until(
      "document.getElementById('password')?.textContent.length === 8",
    );
  },
);

testList({
  name: "a list has the settings of the link, as the API takes them",
  messages: REFUSED,
}, async (page) => {
  const go = async (fragment: string, pattern: RegExp) => {
    await page.run("location.hash = arguments[0]", fragment);
    await page.shows("#kind", pattern);
  };
  // Without what a spreadsheet takes for something else: 127.7 bits, not 129.7.
  await go("purpose=manager", /^20 characters · 127 bits each$/);
  await page.set(
    TABLE,
    Array.from({ length: 20 }, (_, i) => `Name ${i}`).join("\n"),
  );
  await page.click("button Make 20 passwords");
  for (const each of await made(page, 20)) assertNotMatch(each, /[-,;=+@]/);
  assertNotMatch(await page.text("#sheet"), /spreadsheet/);
  await page.run("document.querySelector('#source').open = true");
  // Where that is not possible, it says so.
  await page.record();
  await go(
    "purpose=site&specialCharacterSet=-",
    /^20 characters · 1\d\d bits/,
  );
  assertEquals((await page.bodies()).map((each) => JSON.parse(each).body), [
    { specialCharacterSet: "-", excludeCharacters: ",;=+@-" },
    { specialCharacterSet: "-" },
  ]);
  await go("purpose=pin&length=3", /^3 characters · 9 bits each$/);
  const many = Array.from({ length: 100 }, (_, i) => `Name ${i}`).join("\n");
  await page.set(TABLE, many);
  await page.click("button Make 100 passwords");
  const pins = await made(page, 100);
  assertEquals(new Set(pins).size, 100);
  assertMatch(await page.text("#sheet"), /^A spreadsheet can change \d+ of/);
  // What cannot be is said before.
  await page.run("document.querySelector('#source').open = true");
  await go("purpose=pin&length=1", /^1 characters · \d/);
  await page.set(TABLE, many);
  assertMatch(
    await page.text("#summary"),
    /too few passwords for 100 people/,
  );
  assertEquals(await page.isVisible("#make"), false);
  await go("purpose=pin&nothing=1", /^6 characters · /);
  assertMatch(await page.text("#unknown"), /: nothing\.$/);
  await page.run(
    "location.hash = 'purpose=site&excludeCharacters=0123456789'",
  );
  await page.shows("#message", /^The settings permit no password\. \w+/);
  await page.set("combobox Kind of password", "pin");
  await page.shows("#kind", /^6 characters · 19 bits each$/);
  assertEquals(await page.text("#message"), "");
});

testList("makes 1,000 with few requests", async (page) => {
  await page.record();
  const rows = Array.from(
    { length: 1000 },
    (_, i) => `Name ${i};u${i}@x.example\n`,
  );
  await drop(page, utf8(`Namn;E-post\n${rows.join("")}`));
  await page.shows("#summary", /^1,000 people/);
  await page.click("button Make 1,000 passwords");
  const all = await made(page, 1000);
  assertEquals(new Set(all).size, 1000);
  assert((await page.bodies()).length <= 12);
});

testList({
  name: "goes on after the limit, and keeps what it has when a person cancels",
  env: { PWGEN_RATE_LIMIT: "4", PWGEN_TRUSTED_PROXIES: "loopback" },
  messages: /Failed to load resource: .* 429 /,
}, async (page) => {
  await page.hurry();
  const rows = Array.from({ length: 500 }, (_, i) => `Name ${i}\n`);
  await page.set(TABLE, rows.join(""));
  await page.click("button Make 500 passwords");
  await page.shows("#message", /from this network/);
  // One with a part of a name is drawn again.
  const [, done] = /^(29\d|300) of 500$/.exec(await page.text("#progress"))!;
  assertMatch(await page.text("#countdown"), /^Trying again in \d+ s\.$/);
  // Nobody can change the table meanwhile.
  assertEquals(await page.get<boolean>("#ask", "disabled"), true);
  await page.click("button Cancel");
  assertEquals(
    await page.text("#summary"),
    `500 people. ${done} keep their password. ${
      500 - Number(done)
    } get a new one.`,
  );
  const before = (await page.get<string>("#table", "value")).split("\n");
  await page.click("#make");
  await page.shows("#message", /from this network/);
  await page.comesFrom("192.0.2.80");
  const all = await made(page, 500);
  assertEquals(
    before.slice(1, 1 + Number(done)).map((row) => row.split("\t")[1]),
    all.slice(0, Number(done)),
  );
  assertEquals(new Set(all).size, 500);
});

testList("asks before a table is left, and forgets it then", async (page) => {
  const asks = () =>
    page.run<boolean>(
      `return !dispatchEvent(new Event("beforeunload", { cancelable: true }))`,
    );
  assertEquals(await asks(), false);
  await page.set(TABLE, "Åsa");
  assertEquals(await asks(), true);
  await page.click("button Make 1 password");
  await made(page, 1);
  await page.run("dispatchEvent(new PageTransitionEvent('pagehide'))");
  assertEquals(await page.get("#table", "value"), "");
  assertEquals(await page.texts("#list .text"), []);
});

testList({
  name:
    "prints the list with headings, and slips of those who have a new password",
  skipped: NO_PDFTOTEXT,
}, async (page) => {
  await page.set(TABLE, "Namn\tLösenord\nÅsa\told-pass\nBo\t\nCia\t****");
  await page.click("button Make 1 password");
  const [, password] = await made(page, 3);
  await page.run("globalThis.print = () => {}");
  await page.set(
    "textbox A line on each slip, such as: Log in at …",
    "Log in at x.example",
  );
  const words = async (button: string) => {
    await page.click(`button ${button}`);
    const pages = await printed(page);
    assertEquals(pages.length, 1);
    return pages[0]!.split(/\s+/).filter(Boolean).join(" ");
  };
  assertEquals(
    await words("Print list"),
    `Namn Lösenord 1. Åsa old-pass 2. Bo ${password}`,
  );
  const slip = `Bo ${password} Log in at x.example`;
  assertEquals(await words("Print slips"), slip);
  await page.set("checkbox Slips for those who keep theirs too", true);
  const all = await words("Print slips");
  assertMatch(all, /Åsa Bo old-pass/);
  assertNotMatch(all, /\*|Namn/);
});

testList({
  name: "fits a narrow window, and each row can be read",
  size: [320, 640],
}, async (page) => {
  const name = "Fatima Nilsson-Persson fatima.nilssonpersson@skolan.example";
  await page.set(TABLE, `Namn\tKlass\n${name}\t4B\nBo\t4B`);
  await page.fits();
  await page.click("button Make 2 passwords");
  await made(page, 2);
  await page.fits();
  const lines = await page.run<number[]>(
    `return [...document.querySelectorAll("#list .text, #list button")]
       .map((each) => each.getClientRects().length === 1 ? each.offsetHeight : 0)`,
  );
  // No password and no button needs a second line.
  for (const height of lines) assert(height > 0 && height < 50, `${height}`);
});
