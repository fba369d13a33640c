/**
 * Passwords for others, in a real browser: tables, slips, spreadsheets.
 */
import { assert, assertEquals, assertMatch, assertNotMatch } from "@std/assert";
import { csvRows } from "../../helpers/csv.ts";
import { KEY } from "../../helpers/webdriver.ts";
import {
  field,
  NO_PDFTOTEXT,
  type Page,
  printed,
  radio,
  testPage,
} from "./page.ts";

const TABLE =
  "textbox Names, or a table with columns. They stay here until you leave the page.";

/** Opens the part for several people. */
const open = (page: Page) =>
  page.click("DisclosureTriangle For several people");

/** What stands in the rows of the list: the person, and the password. */
const people = async (page: Page) => {
  const names = await page.texts("#list .name");
  return (await page.texts("#list .text")).map((text, i) => [names[i], text]);
};

/** Keeps the next file that the page saves, as text. */
async function saved(page: Page, button = "For a spreadsheet (CSV)") {
  await page.run(
    `URL.createObjectURL = (blob) => {
       blob.arrayBuffer().then((bytes) =>
         globalThis.saved = [...new Uint8Array(bytes)]);
       return "blob:x";
     };
     delete globalThis.saved;
     HTMLAnchorElement.prototype.click = function () { globalThis.link = this }`,
  );
  await page.click(`button ${button}`);
  const bytes = await page.until<number[]>("globalThis.saved");
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  return decoder.decode(new Uint8Array(bytes));
}

testPage("makes many at once, to copy, save or print", async (page) => {
  await page.hurry();
  await page.permitClipboard();
  await open(page);
  await page.set(field("count"), "20");
  const shown = await page.list(20);
  for (const password of shown) assertMatch(password, /^[!-~]{20}$/);
  assertEquals(new Set(shown).size, 20);
  assertEquals(
    await page.text("#verdict"),
    "20 passwords, all very strong · 129 bits",
  );
  assertEquals(await page.text("#announcement"), "20 passwords, very strong.");
  assertEquals(await page.isVisible("#repeat"), false);
  assertEquals(await page.copied("button Copy password, 3"), shown[2]);
  await page.copied();
  assertEquals(await page.clipboard("text/plain"), shown.join("\n") + "\n");
  assertMatch(await page.text("#sheet"), /Let each person change it/);
  const rows = [["Password"], ...shown.map((text) => [text])];
  assertEquals(csvRows((await saved(page)).slice(1), ","), rows);
  // It is a table, and one tab stop.
  assertEquals(await page.role("#list"), "table");
  assertEquals(await page.role("#list th"), "rowheader");
  const stops = "#list :is(button, [tabindex]):not([tabindex='-1'])";
  assertEquals((await page.texts(stops)).length, 1);
  await page.click("button Copy password, 1");
  await page.press(KEY.down);
  const name = "return document.activeElement.ariaLabel";
  assertEquals(await page.run(name), "Copy password, 2");
  assertEquals((await page.texts(stops)).length, 1);
  // Their number stays, in every purpose and in the address.
  await page.click("radio PIN");
  assertEquals((await page.list(20)).length, 20);
  await page.run("location.reload()");
  await page.list(20);
  // What a person does with all of them comes before the list.
  const order = await page.run<string[]>(
    `return [...document.querySelectorAll("#copy, #save, #print, #slips, #list")]
       .map(({ id }) => id)`,
  );
  assertEquals(order, ["copy", "save", "print", "slips", "list"]);
});

testPage("a list has each person and password on a line", async (page) => {
  await page.hurry();
  await page.choose("remember");
  await page.more();
  await page.set(field("minimumLength"), "44");
  await open(page);
  await page.set(TABLE, "Emma Lind\nBo\nLiv\nÅsa\nZoë");
  for (const text of await page.list(5)) assert(text.length >= 44);
  const lines = await page.run<number[]>(
    `return [...document.querySelectorAll("#list .text")].map((each) =>
       each.offsetHeight / parseFloat(getComputedStyle(each).lineHeight))`,
  );
  for (const each of lines) assert(each < 1.5, `${lines}`);
  // Without a table, there is one password again.
  await page.set(TABLE, "");
  await page.until("document.querySelectorAll('#list tr').length === 0");
});

testPage({
  name:
    "Hide covers a list and what is printed; copies and the file have the passwords",
  skipped: NO_PDFTOTEXT,
}, async (page) => {
  await page.hurry();
  await page.permitClipboard();
  await page.choose("remember");
  await open(page);
  await page.set(TABLE, "Emma Lind\nBo");
  const passwords = await page.list(2);
  const rows = [["Name", "Password"], ["Emma Lind", passwords[0]!], [
    "Bo",
    passwords[1]!,
  ]];
  await page.click("button Hide passwords");
  const dots = await page.texts("#list .text");
  assertEquals(new Set(dots).size, 1);
  assertMatch(dots[0]!, /^•+$/);
  assertEquals(await page.name("#list .text"), "Password hidden");
  const paper = (await printed(page)).join("");
  assertMatch(paper, /Emma Lind +•+/);
  for (const text of passwords) {
    assert(!paper.includes(text));
    // Nothing in the document has it either.
    const html = "return document.documentElement.outerHTML";
    assert(!(await page.run<string>(html)).includes(text));
  }
  assertEquals(
    await page.copied("button Copy password, Emma Lind"),
    passwords[0],
  );
  await page.copied();
  const table = rows.map((cells) => `${cells.join("\t")}\n`).join("");
  assertEquals(await page.clipboard("text/plain"), table);
  assertEquals(csvRows((await saved(page)).slice(1), ","), rows);
  // New ones are hidden too.
  await page.click("button New passwords");
  await page.until("!document.querySelector('#undo').hidden");
  assertEquals(await page.texts("#list .text"), dots);
  await page.click("button Undo");
  await page.click("button Show passwords");
  assertEquals(await page.texts("#list .text"), passwords);
});

/** Names as a class has them; no word of a password is in one. */
const CLASS = Array.from(
  { length: 28 },
  (_, i) => `${["Åsa", "Märta-Lisa", "Örjan", "Zoë"][i % 4]} Ek-Öhrn ${i + 1}`,
);

testPage({
  name: "a teacher prints slips for a class, and no name leaves the browser",
  skipped: NO_PDFTOTEXT,
}, async (page) => {
  await page.hurry();
  await page.record();
  await page.run("globalThis.print = () => {}");
  await page.choose("type");
  await page.set("combobox Made of", "pupil");
  await page.set(TABLE, CLASS.join("\n"));
  const passwords = await page.list(28);
  await page.set("textbox A line on each slip", "Log in at school.example");
  assertEquals(await page.texts("#list .name"), CLASS);
  assertMatch(
    await page.text("#verdict"),
    /^28 passwords · For logins that lock · 40 bits each$/,
  );
  const slip = "Log in at school.example";
  /** The lines of each slip; nothing stands before or after a whole one. */
  const printSlips = async () => {
    await page.click("button Print slips");
    const pages = await printed(page, "-raw");
    for (const each of pages) assertEquals(each.split(slip).at(-1)!.trim(), "");
    const all = pages.flatMap((each) => each.split(slip).slice(0, -1));
    return { pages, slips: all.map((text) => text.trim().split("\n")) };
  };
  // Thirty fit on two pages too: the smallest slip is 30 mm high.
  for (const count of [28, 30]) {
    if (count === 30) {
      await page.set(TABLE, [...CLASS, "Bo", "Liv"].join("\n"));
      await page.list(30);
    }
    const { pages, slips } = await printSlips();
    assertEquals(pages.length, 2);
    const rows = await people(page);
    assertEquals(
      slips,
      rows.map(([name, text], i) => [`${i + 1}.`, name, text]),
    );
  }
  // A slip that is higher moves to the next page as a whole.
  const long = "Log in at school.example, and change this password at once. ";
  await page.set("textbox A line on each slip", long.repeat(3));
  const solid = (text: string) => text.replace(/\s/g, "");
  for (const each of await printed(page, "-raw")) {
    assert(solid(each).endsWith(solid(long)), each.slice(-200));
  }
  await page.set("textbox A line on each slip", slip);
  await page.click("button Undo");
  assertEquals(await page.texts("#list .text"), passwords);
  await page.click("button Print list");
  const list = (await printed(page, "-raw")).join("").trim().split("\n");
  assertEquals(list.length, 28);
  for (const [i, line] of list.entries()) {
    assertMatch(line, RegExp(`^${i + 1}\\. +${CLASS[i]} +\\S+$`));
  }
  // Next week: the file with one more name, whose slip is the only one.
  const week1 = (await saved(page)).slice(1);
  await page.set(TABLE, "");
  await page.set(TABLE, `${week1}Bo\n`);
  assertEquals((await page.list(29)).slice(0, 28), passwords);
  await page.shows(
    "#table-note",
    /^People: 29\. First: Åsa .* passwords: Password\. 28 have one and keep it\.$/,
  );
  const one = [["29.", "Bo", (await page.list(29))[28]]];
  assertEquals((await printSlips()).slips, one);
  await page.set("checkbox Slips also for those who keep theirs", true);
  assertEquals((await printSlips()).slips.length, 29);
  await page.click("button New passwords");
  await page.until(
    `document.querySelectorAll("#list .text")[28].textContent !== "${
      one[0]![2]
    }"`,
  );
  assertEquals((await page.list(29)).slice(0, 28), passwords);
  // A request has the settings and the number.
  const bodies = await page.bodies();
  const places = await page.run<string[]>(
    `return [location.href, JSON.stringify(history.state), document.title]`,
  );
  for (const text of [...bodies, ...places, ...await page.requests()]) {
    assertNotMatch(decodeURIComponent(text), /Åsa|Ek-|school/);
  }
});

testPage(
  "a person keeps the password when others come and go",
  async (page) => {
    await page.hurry();
    await page.choose("type");
    await open(page);
    /** Sets the names, and returns the passwords by name. */
    const passwordsOf = async (...names: string[]) => {
      await page.set(TABLE, names.join("\n"));
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
    // Other people are not the same persons.
    const others = await passwordsOf("Flo", "Gus", "Hal", "Ida");
    for (const text of others.values()) {
      assert(!other.values().toArray().includes(text));
    }
    await page.click("button Undo");
    assertEquals(await page.texts("#list .text"), [...other.values()]);
    const shorter = await passwordsOf("Dan", "Cia");
    assertEquals([...shorter.values()], [other.get("Dan")!, other.get("Cia")!]);
    // The former list comes back with its names.
    await page.click("button Undo");
    assertEquals(await page.get(TABLE, "value"), [...other.keys()].join("\n"));
    assertEquals(await page.texts("#list .name"), [...other.keys()]);
    assertEquals(await page.texts("#list .text"), [...other.values()]);
    // The table is only in the box: leaving the page asks first.
    const asks = () =>
      page.run<boolean>(
        `const event = new Event("beforeunload", { cancelable: true });
       return !dispatchEvent(event)`,
      );
    assert(await asks());
    // A new list is new for all.
    await page.click("button New passwords");
    await page.until(
      `document.querySelector("#list .text").textContent !== "${
        other.get("Eva")
      }"`,
    );
    for (const text of await page.texts("#list .text")) {
      assert(!other.values().toArray().includes(text));
    }
    await page.run("dispatchEvent(new PageTransitionEvent('pagehide'))");
    assertEquals(await page.get("#table", "value"), "");
  },
);

testPage(
  "a help desk takes a table with PINs to a spreadsheet, all of them different",
  async (page) => {
    await page.hurry();
    await page.record();
    await page.permitClipboard();
    await page.choose("pin");
    await page.setNext(field("length"), "4");
    await open(page);
    const names = ['Åsa "Å" Ek', "=cmd|1", "a;b, c", "<i>Bo</i> & Co"];
    names.push(...Array.from({ length: 96 }, (_, i) => `Name ${i}`));
    const table = names.map((name) => `7B\t"${name.replaceAll('"', '""')}"\n`);
    await page.set(TABLE, `Class\tName\n${table.join("")}`);
    for (const pin of await page.list(100)) assertMatch(pin, /^\d{4}$/);
    // The class is the same for all.
    assertEquals(await page.texts("#list .name"), names);
    assertMatch(await page.text("#sheet"), /^On paper: Name\. A .* B3, /);
    assertMatch(await page.text("#verdict"), /^100 .* 13 bits each$/);
    // 1 - exp(-100^2 / 2 / 10^4)
    assertMatch(await page.text("#repeat p"), /are equal is about 39%\.$/);
    await page.click("checkbox Draw equal ones again until all differ");
    await page.shows("#repeat p", /^All differ\. .* has 0\.014 bits less/);
    const pins = await page.list(100);
    assertEquals(new Set(pins).size, 100);
    const escaped = names.map((name) => name.replace(/^=/, "'="));
    const rows = pins.map((pin, i) => ["7B", escaped[i]!, pin]);
    const english = await saved(page);
    assertEquals(csvRows(english.slice(1), ","), [
      ["Class", "Name", "Password"],
      ...rows,
    ]);
    assertEquals(await page.run("return link.download"), "passwords.csv");
    // As a table: cells that are text, or text with tabs.
    await page.copied();
    assertEquals(
      await page.clipboard("text/plain"),
      [["Class", "Name", "Password"], ...rows]
        .map((cells) => `${cells.join("\t")}\n`).join(""),
    );
    const html = await page.clipboard("text/html");
    assertEquals(html.split('sdnum="1033;0;@">').length - 1, 303);
    assert(html.includes("&lt;i&gt;Bo&lt;/i&gt; &amp; Co"), html);
    // In Swedish, a comma is in decimal numbers.
    await page.click("button Svenska");
    await page.shows("h1", /^Lösenords/);
    const swedish = await saved(page, "Till kalkylark (CSV)");
    assertEquals(csvRows(swedish.slice(1), ";"), [
      ["Class", "Name", "Lösenord"],
      ...rows,
    ]);
    await page.click("button English");
    await page.shows("h1", /^Password/);
    // 100 PINs of two digits are hardly enough for 100; the page stops asking.
    await page.more();
    await page.set(field("length"), "1");
    await page.shows("#message", /too few different passwords/);
    await page.set(TABLE, names.slice(4, 9).join("\n"));
    assertEquals(new Set(await page.list(5)).size, 5);
    for (const text of await page.bodies()) assertNotMatch(text, /Åsa|Name/);
  },
);

testPage(
  "reads the files of others, and says what is wrong with one",
  async (page) => {
    await page.hurry();
    await open(page);
    const note = (pattern: RegExp) => page.shows("#table-note", pattern);
    await page.set(TABLE, "Name,Password\nEmma,\nBo,=Old 1\nEmma,");
    const [emma, bo, twin] = await page.list(3);
    assertEquals(bo, "=Old 1");
    assert(emma !== twin);
    await note(
      /^People: 3\. First: Emma\. .* passwords: Password\. 1 have .* Emma stands twice\.$/,
    );
    // A password that nobody can see is not printed, and those alone need no request.
    await page.run("document.querySelector('#announcement').textContent = ''");
    await page.set(TABLE, "Name,Password\nEmma,****\nBo,Old");
    assertEquals(await page.list(2), ["****", "Old"]);
    assertEquals((await page.texts("#list .masked")).length, 1);
    assertEquals(await page.text("#verdict"), "");
    assertEquals(await page.text("#announcement"), "");
    await page.set(TABLE, "Janame\nBo");
    await page.list(2);
    await note(/^People: 2\. First: Janame\. Their passwords are above\.$/);
    const heading = "checkbox The first row is a heading";
    await page.set(heading, true);
    await page.list(1);
    await note(/^People: 1\. First: Bo\. /);
    // Undo brings back what a person said of a former table.
    await page.set(TABLE, "Lina\nLi");
    await page.list(2);
    await page.set(heading, true);
    await page.list(1);
    await page.set(heading, false);
    await page.list(2);
    for (let i = 0; i < 3; i++) await page.click("button Undo");
    await page.set(TABLE, "Janame\nBo\nÅsa");
    await note(/^People: 2\. First: Bo\. /);
    const bad: [string, RegExp][] = [
      ["Bo\n".repeat(1001), /There are 1,001 people\. Enter at most 1,000\.$/],
      [
        "Name,Class\nLi,7B\nBo,7B,8",
        /Line 3 has more cells than the heading\.$/,
      ],
      ['Li\n"Bo', /Line 2: a quotation mark stays open\.$/],
      ["Name,Password\n", /Nobody is in the table\.$/],
    ];
    for (const [text, message] of bad) {
      await page.set(TABLE, text);
      await note(message);
      await page.shows("#message", message);
      assertEquals(await page.get(TABLE, "value"), text);
      assertEquals(await page.texts("#list .text"), []);
      assertEquals(await page.get("#copy", "ariaDisabled"), "true");
      await page.set(TABLE, "Bo\nLi");
      assertEquals((await page.list(2)).length, 2);
      assertEquals(await page.text("#message"), "");
    }
    // The number is gone while a table is there, and must be one.
    await page.shows("#table-note", /^People: 2\./);
    assertEquals(await page.get<boolean>("#count", "disabled"), true);
    await page.set(TABLE, "");
    for (const count of ["0", "-3", "1.5", "1e9", "1001"]) {
      await page.set(field("count"), count);
      await page.shows(
        "#message",
        /^How many: Enter a whole number from 1 to 1000/,
      );
    }
    await page.set(field("count"), "2");
    await page.list(2);
  },
);

testPage({
  name: "tries again if the script for lists cannot be loaded",
  messages: /page\/list\.js - Failed to load resource: /,
}, async (page) => {
  const block = (...urls: string[]) =>
    page.cdp("Network.setBlockedURLs", { urls });
  const isThere = "document.querySelectorAll('#list tr').length === 5";
  for (const isAtStart of [false, true]) {
    await block("*/page/list.js");
    if (isAtStart) {
      await page.run(
        "globalThis.old = location.hash = 'purpose=pin&count=5'; location.reload()",
      );
      await page.until("!globalThis.old && document.querySelector('#message')");
    } else {
      await page.hurry();
      await open(page);
      await page.set(field("count"), "5");
    }
    await page.shows("#message", /^The service is not responding\.$/);
    await page.shows("#countdown", /^Trying again in \d+ s\.$/);
    await block();
    if (isAtStart) await page.hurry();
    await page.until(isThere);
  }
});

testPage({
  name: "tries again if the script for Wi-Fi could not be loaded",
  messages: /page\/qr\.js - Failed to load resource: /,
}, async (page) => {
  await page.cdp("Network.setBlockedURLs", { urls: ["*/page/qr.js"] });
  await page.choose("wifi");
  await page.set("#ssid", "Bo");
  await page.shows("#ssid-note", /^The service is not responding\.$/);
  await page.cdp("Network.setBlockedURLs", { urls: [] });
  await page.set("#ssid", "Bo Ek");
  await page.until("document.querySelector('#code:not([hidden])')");
});

const REFUSED = /Failed to load resource: .* 4(29|00) /;

testPage({
  name: "makes 1,000 passwords on request, and loses none that it has made",
  env: { PWGEN_RATE_LIMIT: "12", PWGEN_TRUSTED_PROXIES: "loopback" },
  messages: REFUSED,
}, async (page) => {
  await page.comesFrom("192.0.2.80");
  await page.record();
  await page.hurry();
  await open(page);
  const table = Array.from(
    { length: 1000 },
    (_, i) => `user${i}@x.se,Name ${i}\n`,
  );
  await page.set(TABLE, table.join(""));
  await page.until("!document.querySelector('#make').hidden");
  const before = (await page.bodies()).length;
  assertEquals(await page.text("#make"), "Make 1,000 passwords");
  // Three at once are under way when a person stops them.
  await page.run(
    `const send = fetch;
     globalThis.left = 3;
     globalThis.fetch = (...request) =>
       left-- > 0 ? send(...request) : new Promise((_, reject) =>
         request[1].signal.onabort = () => reject(new Error()));
     globalThis.restore = () => globalThis.fetch = send`,
  );
  await page.run(
    `globalThis.heard = [];
     const status = document.querySelector("#announcement");
     new MutationObserver(() => heard.push(status.textContent))
       .observe(status, { childList: true })`,
  );
  await page.click("button Make 1,000 passwords");
  await page.shows("#countdown", /300 of 1,000$/);
  await page.click("button Cancel");
  await page.run("restore()");
  await page.click("button Make 700 passwords");
  const all = await page.list(1000);
  assertEquals(new Set(all).size, 1000);
  assertEquals((await page.bodies()).length, before + 10);
  assertEquals(
    await page.text("#announcement"),
    "1,000 passwords, very strong.",
  );
  assertEquals(await page.run("return heard"), [
    "0 of 1,000",
    "300 of 1,000",
    "500 of 1,000",
    "1,000 passwords, very strong.",
  ]);
  // Another setting only marks the list as old, and asks for nothing.
  await page.set(field("length"), "21");
  await page.shows("#making", /^These are from before the change\.$/);
  assertEquals((await page.bodies()).length, before + 10);
  // The limit stops it; what is missing is asked for by another client.
  await page.click("button Make 1,000 passwords");
  await page.shows("#message", /from this network/);
  const made = Number((await page.text("#countdown")).match(/(\d+) of 1,/)![1]);
  assert(made < 1000, `${made}`);
  await page.comesFrom("192.0.2.81");
  const asked = (await page.bodies()).length;
  await page.click("button New passwords");
  await page.until(
    "document.querySelector('#list .text').textContent.length === 21",
  );
  assertEquals((await page.bodies()).length - asked, 10 - made / 100);
  // Some limits allow fewer in a request: here ten.
  await page.comesFrom("192.0.2.82");
  await page.set(TABLE, CLASS.join("\n"));
  await page.click(radio("pin"));
  await page.more();
  await page.set(field("maximumRepeating"), "2");
  await page.set(field("maximumSequential"), "2");
  await page.set(field("length"), "128");
  await page.until(
    "/^\\d{128}$/.test(document.querySelector('#list .text')?.textContent)",
  );
  assertEquals((await page.list(28)).length, 28);
});

testPage({
  name: "prints each password once and whole on one page, and no controls",
  skipped: NO_PDFTOTEXT,
}, async (page) => {
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
    const pages = (await printed(page)).map((each) => each.replace(/\s/g, ""));
    for (const each of expected) {
      if (pages[0] === "") pages.shift();
      assertEquals(pages[0]?.slice(0, each.length), each);
      pages[0] = pages[0]!.slice(each.length);
    }
    assertEquals(pages.join(""), "");
  }
});

testPage(
  "a list begins with no password of other settings, and is new when its number changes",
  async (page) => {
    await page.hurry();
    await page.choose("pin");
    await page.choose("manager");
    await open(page);
    await page.set(field("count"), "3");
    const three = await page.list(3);
    for (const password of three) assertMatch(password, /^[!-~]{20}$/);
    await page.set(field("count"), "4");
    const four = await page.list(4);
    assertEquals(new Set([...three, ...four]).size, 7);
  },
);
