/**
 * What people see of the page and reach on it, in a real browser: sizes of windows, the
 * keyboard, names for a screen reader.
 */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { KEY } from "../../helpers/webdriver.ts";
import { field, PASSWORD, PURPOSES, testPage } from "./page.ts";

testPage(
  "shows a password large, with numbers and how to say it",
  async (page) => {
    const password = await page.choose("type");
    await page.click("button Show large");
    const groups = await page.texts(".group");
    assertEquals(groups.join(""), password);
    assertEquals(await page.texts(".group > *"), [...password]);
    assertEquals(groups.length, 6);
    // Nothing covers it.
    const [top, bottom] = await page.run<number[]>(
      `const { top } = document.getElementById("characters").getBoundingClientRect();
       const { bottom } = document.querySelector(".card").getBoundingClientRect();
       return [top, bottom]`,
    );
    assert(top! >= bottom!, `${top} ${bottom}`);
    const [first] = await page.texts("#spelled");
    assertMatch(first!, RegExp(`^${password[0]} as in ${password[0]}`, "i"));
    assertMatch(first!, /, hyphen/);
  },
);

for (
  const size of [[320, 700], [390, 800], [768, 900], [1280, 650]] as [
    number,
    number,
  ][]
) {
  testPage({
    name: `keeps the place of New in ${
      size.join("x")
    }, and the password in sight`,
    size,
  }, async (page) => {
    const place = () =>
      page.run<number[]>(
        `scrollTo(0, 0);
         const { x, y } = document.getElementById("new").getBoundingClientRect();
         return [x, y]`,
      );
    await page.hurry();
    for (const purpose of ["remember", "type", "site"]) {
      await page.click(`radio ${PURPOSES[purpose]}`);
      await page.until("!document.querySelector('.busy')");
      const before = await place();
      for (let i = 0; i < 5; i++) {
        await page.next(() => page.click("button New password"));
        assertEquals(await place(), before, `${purpose} ${i}`);
      }
      await page.click("button Previous password");
      assertEquals(await place(), before, purpose);
      // What comes next is in the window.
      if (purpose !== "site") continue;
      await page.choose("pin");
      await page.run("scrollTo(0, 0)");
      await page.click("radio A site with its own requirements");
      await page.until(
        `(({ top, bottom }) => top >= 0 && bottom < innerHeight + 1)(
        document.getElementById("characters-length").getBoundingClientRect())`,
      );
    }
    if (size[1] > 800 || size[0] < 1000) return;
    // At the end of the form.
    await page.run(
      "document.querySelector('.settings').scrollIntoView({ block: 'end' })",
    );
    const { top, bottom } = await page.run<{ top: number; bottom: number }>(
      "return document.getElementById('password').getBoundingClientRect()",
    );
    assert(top >= 0 && bottom < size[1], `${top} ${bottom}`);
  });
}

testPage("can be used with the keyboard alone", async (page) => {
  await page.hurry();
  await page.tabTo("#copy");
  await page.tabTo("#new");
  await page.next(() => page.press(KEY.enter));
  await page.tabTo("[name=purpose]");
  const words = await page.next(() => page.press(KEY.down));
  assertMatch(words, /^[a-z]+(-[a-z]+){4}-\d\d$/);
  await page.next(() => page.press(KEY.up));
  await page.tabTo("#characters-length");
  await page.next(() => page.press(KEY.up));
  assertEquals((await page.text("#password")).length, 21);
  // Enter in a field does not submit the form.
  await page.next(() =>
    page.press(KEY.home, KEY.delete, KEY.delete, "9", KEY.enter)
  );
  await page.tabTo("[href=docs]");
});

testPage("has headings, and says what changes", async (page) => {
  assertEquals(await page.texts("h2"), [
    "Your password",
    "What is the password for?",
    "Settings",
  ]);
  assertEquals(await page.name("#password"), "Your password");
  assertEquals(
    await page.name("section:nth-child(2)"),
    "What is the password for?",
  );
  const live = { announcement: "status", message: "alert", help: "status" };
  for (const [id, role] of Object.entries(live)) {
    assertEquals(await page.role(`#${id}`), role);
  }
});

for (const size of [[320, 256], [1600, 1000]] as [number, number][]) {
  testPage({ name: `fits ${size.join("x")}`, size }, async (page) => {
    await page.hurry();
    const widest: [string, string, string, number][] = [
      ["manager", field("length"), "128", 128],
      ["remember", field("wordCount"), "10", 44],
      ["remember", "combobox Made of", "sentence", 10],
      ["site", field("minimumEntropy"), "512", 70],
    ];
    for (const [purpose, input, value, length] of widest) {
      await page.click(`radio ${PURPOSES[purpose]}`);
      await page.more();
      await page.set(input, value);
      await page.until(`${PASSWORD}.length >= ${length}`);
      await page.fits();
      // At 400 % zoom too, the password and Copy are in the window together.
      if (length > 100) continue;
      const height = await page.run<number>(
        `const { top } = document.getElementById("password").getBoundingClientRect();
         return document.getElementById("copy").getBoundingClientRect().bottom - top`,
      );
      assert(height <= size[1], `${purpose}: ${height}`);
    }
  });
}

testPage({
  name: "shows that something went wrong",
  messages: /NumberFormat is not a constructor/,
}, async (page) => {
  await page.run("Intl.NumberFormat = undefined");
  await page.click("radio To remember");
  await page.shows("#message", /^Something went wrong/);
});

testPage(
  "shows an alternative without JavaScript",
  async (page, { url }) => {
    await page.prefer("sv");
    await page.goWithoutScripts(`${url}/`);
    // The text appears after a moment, so that it does not flash with JavaScript.
    await page.until("/Utan/.test(document.body.innerText)");
    assertMatch(
      await page.get("body", "innerText"),
      /Utan JavaScript .*\n+curl -X POST https:\/\/ADDRESS\/api\/pwgen\/words/,
    );
    assertEquals(await page.isVisible("#app"), false);
    await page.go(`${url}/`);
    await page.until(PASSWORD);
  },
);
