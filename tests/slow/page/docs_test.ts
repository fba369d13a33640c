import {
  assert,
  assertEquals,
  assertMatch,
  assertNotMatch,
  assertStringIncludes,
} from "@std/assert";
import { tempDir } from "../../helpers/files.ts";
import {
  end,
  missing,
  post,
  ROOT,
  spawn,
  until,
} from "../../helpers/program.ts";
import { DESCRIPTION } from "../../helpers/schema.ts";
import { ask, handlerFor } from "../../helpers/service.ts";
import { Browser, browserTests, KEY } from "../../helpers/webdriver.ts";
import { KINDS, TABLES } from "../../oracle.ts";

const READY = "document.querySelector('figcaption > button')";

/** A browser that shows the page. */
class Docs extends Browser {
  /** Evaluates an expression for each element `e` that matches. */
  map<T>(selector: string, expression: string): Promise<T[]> {
    return this.run(
      `return [...document.querySelectorAll(arguments[0])]
         .map((e) => ${expression})`,
      selector,
    );
  }

  /** The texts of the cells of the first table below a heading. */
  cells(heading: string): Promise<string[][]> {
    return this.run(
      `return [...document.querySelector(arguments[0]).tBodies[0].rows]
         .map(({ cells }) => [...cells].map((cell) => cell.innerText))`,
      `${heading} ~ table`,
    );
  }

  /** The examples by their captions, as people see and copy them. */
  async examples(): Promise<Record<string, string>> {
    return Object.fromEntries(
      await this.map<[string, string]>(
        "figure",
        `[e.querySelector("figcaption").firstChild.data.trim(),
          e.querySelector("pre").textContent]`,
      ),
    );
  }
}

const testDocs = browserTests(Docs, "/docs", READY);

testDocs("the tables have the fields of the specification", async (docs) => {
  for (const kind of KINDS) {
    const rows = await docs.cells(`[id=generate${kind} i]`);
    const table = TABLES[kind];
    assertEquals(rows.map(([name]) => name!).sort(), Object.keys(table).sort());
    for (const [name, values, meaning] of rows as [string, string, string][]) {
      const { since, default: byDefault, ...row } = table[name]!;
      assert(values.endsWith(`default ${JSON.stringify(byDefault)}`), values);
      if ("range" in row) assert(values.startsWith(row.range.join("–")));
      const listed = "values" in row ? row.values : [];
      for (const value of listed) assertStringIncludes(values, `"${value}"`);
      assertEquals(/ Since (.+)\.$/.exec(meaning)?.[1], since);
    }
  }
});

testDocs(
  "the tables have the paths, errors and header fields of the OpenAPI document",
  async (docs) => {
    const names = async (id: string) =>
      (await docs.cells(id)).map(([name]) => name!);
    const { paths, components } = DESCRIPTION;
    assertEquals(
      (await names("#paths")).map((name) => name.split(" ")[1]),
      Object.keys(paths),
    );
    const fields = await names("#header-fields");
    const described = Object.keys(components.headers!);
    assertEquals(fields.slice(0, described.length), described);
    const preflight = await ask("/api/pwgen/words", { method: "OPTIONS" });
    const lower = fields.map((name) => name.toLowerCase());
    for (const name of preflight.headers.keys()) {
      assert(lower.includes(name), name);
    }
    const statuses = (await names("#errors")).map((name) =>
      name.split(" ")[0]!
    );
    for (const { post } of Object.values(paths)) {
      for (const status of Object.keys(post?.responses ?? {})) {
        assertEquals(statuses.includes(status), status !== "200", status);
      }
    }
    assert(statuses.includes("404") && statuses.includes("405"));
    const empty = (await docs.cells("#errors"))
      .filter(([, reason]) => reason!.startsWith("No body: "));
    assertEquals(empty.map(([status]) => status), ["429", "503"]);
  },
);

Deno.test("/docs has no placeholder, and links to documents without dead links", async () => {
  const html = await (await ask("/docs")).text();
  assertNotMatch(html, /undefined|\{[a-z]+\}/i);
  const link = /!?\[([^\]]+)\]\(([^)\s]+)\)/g;
  for (const name of ["docs/api.md", "docs/clients.md", "SECURITY.md"]) {
    const [, path] = RegExp(`href="([^"]*${name})"`).exec(html)!;
    const text = await (await ask(`/${path}`)).text();
    const plain = (text: string) => text.replace(link, "$1");
    const file = await Deno.readTextFile(ROOT + name);
    assertEquals(plain(text), plain(file));
    for (const [, , target] of text.matchAll(link)) {
      const { origin, pathname } = new URL(target!, `http://site/${path}`);
      if (origin !== "http://site") continue;
      assertEquals((await ask(pathname)).status, 200, target);
    }
  }
  assertStringIncludes(await (await ask("/")).text(), 'href="SECURITY.md"');
});

/** The program that runs an example, its flag, and the program that it needs. */
const COMMANDS: Record<string, [string, string, string]> = {
  curl: ["sh", "-c", "curl"],
  // In this command, sh reads quotes as programs on Windows do.
  cmd: ["sh", "-c", "curl"],
  Python: ["python3", "-c", "python3"],
};

/** A password of the examples. */
const PASSWORD = /\b\d\d([A-Z][a-z]+){5}\b/;

/** An example with a misspelt field. */
const misspelt = (code: string) => code.replace("wordCount", "wordCuont");

for (const [language, [program, flag, needed]] of Object.entries(COMMANDS)) {
  testDocs({
    name: `the example in ${language} prints a password, or the error`,
    skipped: await missing(needed),
  }, async (docs) => {
    const code = (await docs.examples())[language]!;
    const run = (code: string) =>
      end(spawn(program, [flag, code], { PYTHONUTF8: "1" }));
    const good = await run(code);
    assertEquals(good.code, 0, good.stderr);
    assertMatch(good.stdout, PASSWORD);
    const bad = await run(misspelt(code));
    assert(bad.code !== 0);
    assertMatch(bad.stdout + bad.stderr, /\b400\b.*wordCuont/s);
    assertNotMatch(bad.stdout, PASSWORD);
  });
}

testDocs(
  "the example in JavaScript runs on a page of another origin",
  async (docs, { url }) => {
    const code = (await docs.examples()).JavaScript!;
    await using other = Deno.serve(
      { hostname: "127.0.0.1", port: 0, onListen: () => {} },
      () => new Response("", { headers: { "content-type": "text/html" } }),
    );
    await docs.go(`http://127.0.0.1:${other.addr.port}/`);
    const run = (code: string) =>
      docs.run<string>(
        `const console = { log: (text) => printed = text };
       let printed;
       const run = async () => { ${code} };
       return run().then(() => printed, ({ message }) => message);`,
      );
    assertMatch(await run(code), PASSWORD);
    assertMatch(await run(misspelt(code)), /^No password: 400 .*wordCuont/);
    // What follows judges the requests of the page itself.
    await docs.renew();
    await docs.go(`${url}/docs`);
  },
);

testDocs("the command line runs", async (docs) => {
  const code = (await docs.examples())["Command line"]!;
  const { stdout, stderr } = await end(spawn("sh", ["-ec", code]));
  assertMatch(
    stdout,
    /^(\d\d(-[A-Z][a-z]+){4}\n){2}\D{30}\ndeno task generate words\n/,
    stderr,
  );
});

testDocs(
  "the response that is shown is like the one to the examples",
  async (docs, { url }) => {
    const [, body] = /-d '(.*)'/.exec((await docs.examples()).curl!)!;
    const actual = await (await post(`${url}/api/pwgen/words`, body!)).json();
    const shown = JSON.parse(await docs.text("p + pre"));
    assertEquals(Object.keys(shown), Object.keys(actual));
    assertMatch(shown.password, PASSWORD);
    assertEquals([shown.length, shown.type], [shown.password.length, "words"]);
  },
);

testDocs(
  "the examples and the OpenAPI document have the address of the service, below any prefix",
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
      await docs.go(`${base.replace("//", "//name:secret@")}/docs`);
      await docs.until(READY);
      assertNotMatch(await docs.get("main", "innerText"), /secret|localhost/);
      const urls = Object.values(await docs.examples())
        .flatMap((text) => text.match(/\bhttp:\/\/127[^ '"]*/g) ?? []);
      assertEquals(urls.length, 5);
      for (const url of urls) {
        assert(url.startsWith(`${base.replaceAll("'", "%27")}/`), url);
        const { status, body } = await post(url, "{}");
        await body?.cancel();
        assertEquals(status, 200, url);
      }
      await using folder = await tempDir();
      await docs.cdp("Browser.setDownloadBehavior", {
        behavior: "allow",
        downloadPath: folder.path,
      });
      await docs.click("#absolute a");
      const file = `${folder.path}/pwgen.json`;
      // Until all has come, an empty file keeps the name.
      await until(() =>
        Deno.stat(file).then(({ size }) => size > 0, () => false)
      );
      const { servers, ...rest } = JSON.parse(await Deno.readTextFile(file));
      const { servers: _, ...expected } = DESCRIPTION;
      assertEquals(rest, expected);
      assertEquals(servers, [{ url: base.replaceAll("'", "%27") }]);
    }
  },
);

testDocs({
  name: "an error is not saved as the OpenAPI document",
  messages: /favicon/,
}, async (docs) => {
  await docs.run(
    `globalThis.fetch = () => Promise.resolve(Response.json({}, { status: 503 }))`,
  );
  await docs.click("#absolute a");
  await docs.until("location.pathname === '/openapi/v1.json'");
});

testDocs("copies an example, and says so", async (docs) => {
  await docs.permitClipboard();
  const captions = Object.keys(await docs.examples());
  assertEquals(
    await docs.map("figcaption > button", "e.ariaLabel"),
    captions.map((caption) => `Copy: ${caption}`),
  );
  await docs.tabTo("figcaption > button");
  await docs.stopTimers();
  await docs.press(KEY.enter);
  await docs.shows("#copied", /^Copied$/);
  const command = await docs.run("return navigator.clipboard.readText()");
  assertEquals(command, await docs.text("pre"));
  assertEquals(await docs.role("#copied"), "status");
});

testDocs(
  "each link to a part of the page leads to its heading",
  async (docs, { url }) => {
    const links = await docs.map<string>("a[href^='#']", "e.hash");
    const headings = await docs.map<string>("h2", "'#' + e.id");
    assertEquals(links.slice(0, headings.length), headings);
    assertEquals(new Set(headings).size, headings.length);
    for (const link of new Set(links)) {
      assert(headings.includes(link), link);
      await docs.click(`nav a[href="${link}"]`);
      assertEquals(await docs.url(), `${url}/docs${link}`);
      await docs.until(
        `(({ top, bottom }) => top >= 0 && bottom <= innerHeight)
         (document.querySelector("h2${link}").getBoundingClientRect())`,
      );
    }
  },
);

testDocs("fits in 320 px, and its tables stay tables", async (docs) => {
  await docs.emulate([320, 700]);
  await docs.fits();
  assertEquals(await docs.role("table"), "table");
  assertEquals(await docs.role("tbody th"), "rowheader");
});

testDocs("is readable without JavaScript", async (docs, { url }) => {
  await docs.goWithoutScripts(`${url}/docs`);
  assertMatch(await docs.get("#address", "innerText"), /address of this page/);
  assert(!(await docs.map("main *", "e.checkVisibility()")).includes(false));
  assertEquals(await docs.map("button", "e.outerHTML"), []);
});
