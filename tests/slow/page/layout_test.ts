/**
 * What people see of the page and reach on it, in a real browser: sizes of windows, the
 * keyboard, names for a screen reader.
 */
import {
  assert,
  assertEquals,
  assertMatch,
  assertStringIncludes,
} from "@std/assert";
import { KEY } from "../../helpers/webdriver.ts";
import { field, PASSWORD, radio, testPage, textNodes } from "./page.ts";

testPage("is one text, however it is selected or heard", async (page) => {
  await page.hurry();
  await page.permitClipboard();
  const command = (name: string) =>
    page.cdp("Input.dispatchKeyEvent", { type: "keyDown", commands: [name] });
  /** What is copied of what an action selects. */
  const copied = async (select: () => Promise<unknown>) => {
    await page.run("getSelection().empty()");
    await select();
    await command("copy");
    return await page.run<string>(
      `return navigator.clipboard.readText().finally(() =>
         navigator.clipboard.writeText(""))`,
    );
  };
  for (
    const [fragment, language] of [
      ["purpose=remember", "en"],
      ["purpose=remember&language=sv&separator=+", "sv"],
      ["purpose=wifi&language=en", "en"],
      ["purpose=manager", ""],
    ]
  ) {
    const password = await page.next(() =>
      page.run("location.hash = arguments[0]", fragment)
    );
    assertEquals(await textNodes(page, "#single"), [password]);
    const lang = "document.getElementById('whole').closest('[lang]').lang";
    assertEquals(await page.run(`return ${lang}`), language);
    const [x, y] = await page.run<number[]>(
      `const part = document.querySelector("#password .part");
       const { left, top } = part.getBoundingClientRect();
       return [left + 20, top + 20]`,
    );
    for (const clickCount of [1, 2, 3]) {
      const click = async () => {
        for (const type of ["mousePressed", "mouseReleased"]) {
          const mouse = { type, x, y, button: "left", clickCount };
          await page.cdp("Input.dispatchMouseEvent", mouse);
        }
      };
      assertEquals(await copied(click), password, `${fragment} ${clickCount}`);
    }
    const all = await copied(() => command("selectAll"));
    assertEquals(all.split(password).length, 2, all);
  }
});

testPage("shows a password large, and how to say it", async (page) => {
  await page.hurry();
  await page.permitClipboard();
  const spelled = async (purpose: string) => {
    const password = await page.choose(purpose);
    const place = await page.run("scrollTo(0, 40); return scrollY");
    await page.click("#enlarge");
    assertEquals(await page.get(":focus", "id"), "large-title");
    const box = await page.run<number[]>(
      `const { x, y, width, height } = document.querySelector("dialog:modal")
         .getBoundingClientRect();
       return [x, y, width, height]`,
    );
    assertEquals(box, [0, 0, 1280, 900]);
    // One text, then how to say it; not each character with its position.
    assertEquals(await textNodes(page, "#large-text"), [password]);
    assertEquals(await page.texts(".group > *"), [...password]);
    assertEquals(await textNodes(page, "#characters"), []);
    const lines = await page.texts("#spelled p");
    assertEquals(await page.copied("#large-copy"), password);
    await page.press(KEY.escape);
    await page.until("document.getElementById('spelled').textContent === ''");
    assertEquals(await page.get("#large-text", "textContent"), "");
    assertEquals(await page.texts(".group"), []);
    assertEquals(await page.get(":focus", "id"), "enlarge");
    assertMatch(await page.name("#enlarge"), /^Show large, and spelled/);
    assertEquals(await page.run("return scrollY"), place);
    return { password, lines };
  };
  const words = await spelled("type");
  assertEquals(
    words.lines.join(", "),
    words.password.replaceAll("-", ", hyphen, "),
  );
  const { password, lines } = await spelled("manager");
  assertEquals(lines.length, 5);
  // A letter has a word, and a sign has a name.
  const said = lines.join(", ");
  for (const sign of new Set(password)) {
    if (/\p{L}/u.test(sign)) assertStringIncludes(said, `${sign} as in `);
    else if (/\D/.test(sign)) assert(!said.split(", ").includes(sign), said);
  }
  await page.choose("remember");
  await page.more();
  const title = await page.setNext(field("casing"), "title");
  await page.click("#enlarge");
  const [line] = await page.texts("#spelled p");
  const [word] = /\w+/.exec(title)!;
  assertEquals(line, `${word} (capital ${word[0]}), hyphen`);
});

for (
  const size of [[320, 700], [390, 800], [768, 900], [1280, 720]] as [
    number,
    number,
  ][]
) {
  testPage({
    name: `does not move New upwards in ${
      size.join("x")
    }, and keeps the password in sight`,
    size,
  }, async (page) => {
    const place = () =>
      page.run<number>(
        `scrollTo(0, 0);
         return document.getElementById("new").getBoundingClientRect().top`,
      );
    await page.hurry();
    for (const purpose of ["remember", "type", "site"]) {
      await page.click(radio(purpose));
      await page.until("!document.querySelector('.busy')");
      let lowest = await place();
      for (let i = 0; i < 8; i++) {
        await page.next(() => page.click("button New password"));
        const now = await place();
        assert(now > lowest - 1, `${purpose} ${i}: ${now} ${lowest}`);
        lowest = Math.max(lowest, now);
      }
      // What comes next is in the window.
      if (purpose !== "site") continue;
      await page.choose("pin");
      await page.run("scrollTo(0, 0)");
      await page.click("radio A site with rules");
      await page.until(
        `(({ top, bottom }) => top >= 0 && bottom < innerHeight + 1)(
        document.getElementById("characters-length").getBoundingClientRect())`,
      );
    }
    // At the end of the form, in one line.
    await page.more();
    await page.run(
      "document.querySelector('.settings').scrollIntoView({ block: 'end' })",
    );
    const { top, bottom } = await page.run<{ top: number; bottom: number }>(
      "return document.getElementById('line-text').getBoundingClientRect()",
    );
    assertEquals([top, Math.round(bottom)], [0, 45]);
    const shown = await page.text("#line-text");
    assertEquals(shown, await page.text("#password"));
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
  assertEquals(await page.texts("main h2"), [
    "Your password",
    "What is the password for?",
    "Settings",
  ]);
  assertEquals(
    await page.name(".settings"),
    "What is the password for?",
  );
  for (const id of ["announcement", "verdict", "anew"]) {
    assertEquals(await page.role(`#${id}`), "status");
  }
  // The help of a purpose is heard with it.
  const { nodes } = await page.cdp("Accessibility.queryAXTree", {
    nodeId: (await page.cdp("DOM.getDocument") as { root: { nodeId: number } })
      .root.nodeId,
    role: "radio",
    accessibleName: "Password manager",
  }) as { nodes: { description: { value: string } }[] };
  assertMatch(nodes[0]!.description.value, /^Random characters\./);
});

/** Passwords of the longest words, by the fragment. */
const LONGEST: [fragment: string, password: string][] = [
  ["purpose=remember", `${"nnnnnnnnn-".repeat(5)}95`],
  ["purpose=sentence", `${"nnnnnnnnnnnn-".repeat(4)}95`],
  ["purpose=wifi", "nnnnnnnnn7".repeat(5)],
];

/** The spacing of WCAG 2.2, 1.4.12. */
const SPACING = `
  * {
    letter-spacing: 0.12em !important;
    word-spacing: 0.16em !important;
    line-height: 1.5 !important;
  }
  p { margin-bottom: 2em !important }`;

for (const size of [[390, 844], [1280, 900]] as [number, number][]) {
  testPage({
    name: `has large words that hold in larger type in ${size.join("x")}`,
    size,
  }, async (page) => {
    await page.hurry();
    const [low, high] = size[0] > 1000 ? [40, 64] : [28, 36];
    const fontSize = () =>
      page.run<number>(
        "return parseFloat(getComputedStyle(document.getElementById('single')).fontSize)",
      );
    for (const purpose of ["remember", "type", "wifi", "pin", "manager"]) {
      await page.next(`#app [value=${purpose}]`);
      const px = await fontSize();
      assert(px >= low! && px <= high!, `${purpose}: ${px}`);
    }
    await page.setNext("textbox Length", "128");
    assert(await fontSize() < low!);
    /** Checks that nothing is too wide, and no word is on two lines. */
    const holds = async () => {
      await page.fits();
      const broken = await page.run<string[]>(
        `const { clientWidth, scrollWidth } = document.querySelector("dialog");
         if (scrollWidth > clientWidth) return ["dialog", scrollWidth];
         return [...document.querySelectorAll("#password .part, .group")]
           .filter((word) => new Set([...word.children].flatMap((run) =>
             [...run.getClientRects()].map(({ bottom }) => Math.round(bottom))
           )).size > 1).map((word) => word.textContent)`,
      );
      assertEquals(broken, []);
    };
    await page.run("document.adoptedStyleSheets = [new CSSStyleSheet()]");
    for (
      const [standard, css] of [[16, ""], [16, SPACING], [32, ""]] as const
    ) {
      const fontSizes = { standard, fixed: standard };
      await page.cdp("Page.setFontSizes", { fontSizes });
      for (const [fragment, password] of LONGEST) {
        await page.run(
          `const [password, fragment, css] = arguments;
           globalThis.fetch = async () => Response.json({ password });
           document.adoptedStyleSheets[0].replaceSync(css);
           location.hash = fragment`,
          password,
          fragment,
          css,
        );
        await page.until(`${PASSWORD} === ${JSON.stringify(password)}`);
        await holds();
        await page.click("#enlarge");
        await holds();
        await page.press(KEY.escape);
      }
    }
  });
}

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
      await page.click(radio(purpose));
      await page.more();
      await page.set(input, value);
      await page.until(`${PASSWORD}.length >= ${length}`);
      await page.fits();
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
