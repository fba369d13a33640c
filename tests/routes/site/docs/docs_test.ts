import {
  assert,
  assertEquals,
  assertMatch,
  assertStringIncludes,
} from "@std/assert";
import { API } from "../../../../routes/api/mod.ts";
import { tempDir } from "../../../helpers/files.ts";
import { end, missing, post, ROOT, spawn } from "../../../helpers/program.ts";
import { ask, handlerFor } from "../../../helpers/service.ts";
import { Browser, browserTests, KEY } from "../../../helpers/webdriver.ts";

const READY = "document.querySelector('figcaption > button')";

/** A browser that shows the page. */
class Docs extends Browser {
  /** Loads the page, also if only the fragment of its URL is another one. */
  async load(url: string): Promise<void> {
    await this.go("about:blank");
    await this.go(url);
    await this.until(READY);
  }

  /** Evaluates an expression for each element `e` that matches. */
  map<T>(selector: string, expression: string): Promise<T[]> {
    return this.run(
      `return [...document.querySelectorAll(arguments[0])]
         .map((e) => ${expression})`,
      selector,
    );
  }

  /** The examples of a section, or of all, as people see and copy them. */
  examples(section = ""): Promise<[caption: string, text: string][]> {
    return this.map(
      `section:has(h2${section}) figure`,
      `[e.querySelector("figcaption").firstChild.data.trim(),
        e.querySelector("pre").textContent]`,
    );
  }

  /** Opens or closes all folded parts of the text. */
  async setOpen(open: boolean): Promise<void> {
    await this.map("main details", `e.open = ${open}`);
  }

  /** Waits until an element is in a part that is open, and in the window. */
  async isInView(selector: string): Promise<void> {
    await this.until(
      `((e) => e.checkVisibility({ contentVisibilityAuto: true }) &&
         e.getBoundingClientRect().top >= 0 &&
         e.getBoundingClientRect().bottom <= innerHeight)
         (document.querySelector("${selector}"))`,
    );
  }
}

const testDocs = browserTests(Docs, "/docs", READY);

Deno.test("/docs has the promises of SECURITY.md", async () => {
  const html = await (await ask("/docs")).text();
  const security = await Deno.readTextFile(`${ROOT}SECURITY.md`);
  // Letters and digits are enough to compare the texts.
  const words = (text: string) => text.match(/\p{L}+|\d+/gu)!.join(" ");
  const [, part] = security.match(
    /^## What the service promises\n([^]*?)^## /m,
  )!;
  const [, section] = html.match(
    /<h2 id="promises">.*<\/h2>([^]*?)<\/section>/,
  )!;
  assertEquals(
    words(section!.replace(/<[^>]*>/g, "")),
    words(part!.replace(/\]\([^)]*\)/g, "")),
  );
});

testDocs("the tables have the declared fields", async (docs) => {
  const declared = (path: string) =>
    Object.entries(API[path]!.fields).map(([name, field]) => [
      name,
      field.default === undefined ? "none" : JSON.stringify(field.default),
      field.since,
    ]);
  for (const kind of ["characters", "words"]) {
    const rows = await docs.map<string[]>(
      `section:has(h2[id=generate${kind} i]) .fields tbody tr`,
      "[...e.cells].map((cell) => cell.innerText)",
    );
    assertEquals(
      rows.map(([name, , byDefault, meaning]) => [
        name,
        byDefault,
        / Since (.+)\.$/.exec(meaning!)?.[1],
      ]),
      declared(`/api/pwgen/${kind}`),
    );
  }
  // The page says so in a sentence.
  assertEquals(
    declared("/api/pwgen/sentence"),
    declared("/api/pwgen/words").filter(([name]) => name !== "wordCount"),
  );
});

/** Runs an example, and returns its output. */
async function output(
  [command, ...args]: readonly string[],
  cwd = ROOT,
): Promise<string> {
  const program = spawn(command!, args, { PYTHONUTF8: "1" }, { cwd });
  const { code, stdout, stderr } = await end(program);
  assertEquals(code, 0, `${args.join(" ")}\n${stderr}`);
  return stdout;
}

/** How to run the code of a request so that it prints the status and the body. */
const COMMANDS: Record<string, (code: string) => string[]> = {
  curl: (code) => ["sh", "-c", `${code} -sw ' %{http_code} '`],
  JavaScript: (code) => [
    ...[Deno.execPath(), "run", "-q", "--no-prompt", "--allow-net=127.0.0.1"],
    `data:text/javascript,${encodeURIComponent(code)}`,
  ],
  Python: (code) => ["python3", "-c", code],
};
const NO_CURL = await missing("curl");
const NO_PYTHON = await missing("python3");

testDocs({
  name: `each request gets the response that is shown${
    NO_PYTHON && ` (Python skipped: ${NO_PYTHON})`
  }`,
  skipped: NO_CURL,
}, async (docs) => {
  let requests = 0;
  const ids = ["#generateCharacters", "#generateWords", "#generateSentence"];
  for (const id of ["#quick-start", ...ids, "#errors"]) {
    const shown = await docs.examples(id);
    const [[caption, json]] = shown.splice(1, 1) as [[string, string]];
    const [, status] = /^Response (\d+)$/.exec(caption)!;
    const expected = JSON.parse(json);
    for (const [language, code] of shown) {
      requests++;
      if (language === "Python" && NO_PYTHON) continue;
      const printed = await output(COMMANDS[language]!(code));
      assertMatch(printed, RegExp(`(^| )${status} `), code);
      for (const member of Object.keys(expected)) {
        assertMatch(printed, RegExp(`\\b${member}\\b["']?:`));
      }
      if (language !== "curl") continue;
      const actual = JSON.parse(printed.replace(/ \d+ $/, ""));
      assertEquals(Object.keys(actual), Object.keys(expected));
      if (status === "200") {
        assertEquals(expected.password.length, expected.length);
      } else assertEquals(actual, expected); // has no random part
    }
  }
  assertEquals(requests, 7);
});

testDocs({
  name: "the commands for a shell run",
  skipped: NO_CURL,
}, async (docs) => {
  await using folder = await tempDir();
  const many = (await docs.examples("#many")).map(([, text]) => text);
  const script = [...many, 'printf %s "$password"'].join("\n");
  const password = await output(["sh", "-c", script], folder.path);
  assertMatch(password, /^\d\d\p{L}+$/u);
  const file = `${folder.path}/passwords.txt`;
  assertMatch(await Deno.readTextFile(file), /^(\d\d\p{L}+\n){30}$/u);
  const { mode } = await Deno.stat(file);
  if (Deno.build.os !== "windows") assertEquals(mode! & 0o777, 0o600);

  const [example] = await docs.examples("#command-line");
  assertMatch(
    await output(["sh", "-ec", example![1]]),
    /^(\d\d(-[A-Z][a-z]+){4}\n){2}\D{30}\nUsage: /,
  );
});

// They download packages: `deno task openapi:client` runs those of the document.
testDocs(
  "the commands of generators are those of docs/api.md",
  async (docs) => {
    const document = await Deno.readTextFile(`${ROOT}docs/api.md`);
    const address = new URL(await docs.url()).origin;
    const clients = await docs.examples("#clients");
    assertEquals(clients.length, 3);
    for (const [, text] of clients) {
      const commands = text.replaceAll(address, "http://localhost:8000");
      assertStringIncludes(document, `\n\`\`\`sh\n${commands}\n\`\`\`\n`);
    }
  },
);

testDocs(
  "the examples have the address of the service, below any prefix",
  async (docs, { url }) => {
    const handler = await handlerFor([]);
    await using proxy = Deno.serve(
      { hostname: "127.0.0.1", port: 0, onListen: () => {} },
      ({ url, method, headers, body }) => {
        const target = url.replace(/\/(pw|a\/it('|%27)s)\//, "/");
        assert(target !== url, target);
        const request = new Request(target, { method, headers, body });
        return handler(request, "192.0.2.1");
      },
    );
    const origin = `http://127.0.0.1:${proxy.addr.port}`;
    for (const base of [url, `${origin}/pw`, `${origin}/a/it's`]) {
      await docs.renew();
      // A name and a password in the URL would be copied with the command.
      await docs.load(`${base.replace("//", "//name:secret@")}/docs`);
      const text = await docs.get("main", "innerText");
      assert(!/secret|localhost/.test(text));
      const urls = (await docs.examples()).flatMap(([, text]) =>
        text.match(/\bhttp:\/\/127[^ '"]*/g) ?? []
      );
      assertEquals(urls.length, 12);
      for (const url of urls) {
        assert(url.startsWith(`${base.replaceAll("'", "%27")}/`), url);
        const isPost = url.includes("/api/");
        const { status, body } = await (isPost ? post(url, "{}") : fetch(url));
        await body?.cancel();
        assertEquals(status, 200, url);
      }
    }
  },
);

testDocs("copies an example, and says so", async (docs) => {
  await docs.permitClipboard();
  const names = await docs.map("figcaption > button", "e.ariaLabel");
  const captions = (await docs.examples()).map(([caption]) => caption);
  assertEquals(names, captions.map((caption) => `Copy: ${caption}`));

  await docs.run("document.querySelector('figcaption > button').focus()");
  await docs.press(KEY.enter);
  await docs.shows("#done", /^Copied$/);
  const command = await docs.run("return navigator.clipboard.readText()");
  assertEquals(command, await docs.text("pre"));
  assertEquals(await docs.role("#done"), "status");
});

testDocs(
  "each link of the contents leads to its heading",
  async (docs, { url }) => {
    const links = await docs.map<string>("nav a", "e.hash");
    assertEquals(links, await docs.map("h2 > a", "e.hash"));
    assert(links.length >= 10);
    for (const link of links) {
      await docs.click(`nav a[href="${link}"]`);
      assertEquals(await docs.url(), `${url}/docs${link}`);
      await docs.isInView(`h2${link}`);
    }
    await docs.emulate([390, 800]);
    await docs.click("nav summary");
    await docs.click("nav a[href='#generateWords']");
    await docs.isInView("#generateWords");
  },
);

testDocs(
  "a link opens the part that hides its target, also without JavaScript",
  async (docs, { url }) => {
    for (const id of ["Retry-After", "orval"]) {
      await docs.load(`${url}/docs#${id}`);
      await docs.isInView(`#${id}`);
      // In a browser that opens nothing itself.
      await docs.setOpen(false);
      await docs.run("dispatchEvent(new HashChangeEvent('hashchange'))");
      await docs.isInView(`#${id}`);
      await docs.go("about:blank");
      await docs.goWithoutScripts(`${url}/docs#${id}`);
      await docs.isInView(`#${id}`);
    }
    await docs.load(`${url}/docs`);
    // A link to a section opens its folded part.
    await docs.click("nav a[href='#clients']");
    await docs.until("document.querySelector('#orval').checkVisibility()");
  },
);

testDocs(
  "can be used with the keyboard, and its controls have names",
  async (docs) => {
    for (const selector of ["nav a", "h2 a", "figcaption button", "pre"]) {
      await docs.tabTo(selector);
    }
    await docs.tabTo("main summary");
    await docs.press(KEY.enter);
    await docs.tabTo("main details pre");
    await docs.tabTo(".table");

    await docs.setOpen(true);
    const ids = await docs.map<string>(
      "main :is(button, a, summary)",
      "e.id = 'control-' + crypto.randomUUID()",
    );
    assert(ids.length > 30);
    for (const id of ids) assertMatch(await docs.name(`#${id}`), /../);
  },
);

testDocs("is readable without JavaScript", async (docs, { url }) => {
  await docs.goWithoutScripts(`${url}/docs`);
  assertMatch(await docs.get("#address", "innerText"), /the address of this/);
  await docs.setOpen(true);
  assert(!(await docs.map("main *", "e.checkVisibility()")).includes(false));
  assertEquals(await docs.map("button", "e.outerHTML"), []);
});
