import {
  assert,
  assertEquals,
  assertNotMatch,
  assertStringIncludes,
} from "@std/assert";
import { ask, service } from "../../helpers/service.ts";

/** The path of each page below the public path. */
const PAGES = ["/", "/docs"];

/** The values of all attributes of a page that contain a URL. */
function links(html: string): string[] {
  const found = [...html.matchAll(/<(\w+)[^>]*\s(?:href|src)="([^"]*)"/g)];
  return found.filter(([, name]) => name !== "base").map(([, , url]) => url!);
}

Deno.test("htmlDocument() adds a base element that only a public path needs", async () => {
  for (const path of PAGES) {
    const plain = await ask(path);
    assert(
      plain.headers.get("content-security-policy")!.includes("base-uri 'none'"),
    );
    assertNotMatch(await plain.text(), /<base/);
    const { handler } = await service("--public-path=/tools/pw");
    const response = await ask(path, {}, handler);
    const policy = response.headers.get("content-security-policy")!;
    assert(policy.split("; ").includes("base-uri 'self'"), policy);
    const html = await response.text();
    assertEquals(html.match(/<base /g)?.length, 1);
    // Before the first URL: HTML, section 4.2.3.
    const base = html.indexOf('<base href="/tools/pw/">');
    assert(html.indexOf("<head>") < base && base < html.indexOf("<link"));
    assert(html.indexOf("<meta charset") < 1024); // HTML, section 4.2.5.4
  }
});

Deno.test("htmlDocument() has URLs that lead to the service, with and without a public path", async () => {
  for (
    const [publicPath, addresses] of [
      // With a slash at the end, no public path is necessary.
      ["/", ["/", "/docs", "/other/", "/other/docs"]],
      ["/pw", ["/pw", "/pw/", "/pw/docs"]],
      ["/tools/pw", ["/tools/pw", "/tools/pw/", "/tools/pw/docs"]],
    ] as const
  ) {
    const { handler } = await service(`--public-path=${publicPath}`);
    for (const address of addresses) {
      const path = address.endsWith("/docs") ? "/docs" : "/";
      const html = await (await ask(path, {}, handler)).text();
      const [, baseHref = ""] = /<base href="([^"]*)"/.exec(html) ?? [];
      const page = `https://a.example${address}`;
      const base = new URL(baseHref, page);
      const prefix = publicPath === "/"
        ? address.replace(/\/(docs)?$/, "")
        : publicPath;
      const urls = links(html).map((link) => new URL(link, base));
      assert(urls.length >= 4);
      for (const { href, origin, pathname, hash } of urls) {
        assertEquals(origin, "https://a.example");
        assert(pathname.startsWith(`${prefix}/`), href);
        const target = pathname.slice(prefix.length);
        const response = await ask(target, {}, handler);
        await response.body?.cancel();
        assertEquals(response.status, 200, href);
        // An anchor leads to an element of the same page.
        if (hash === "") continue;
        assertEquals(href, `https://a.example${prefix}/docs${hash}`);
        assert(html.includes(`id="${hash.slice(1)}"`), href);
      }
      assertEquals(urls.some(({ hash }) => hash !== ""), path === "/docs");
    }
  }
});

Deno.test("page(), openapi() and docs() name the public path", async () => {
  for (const path of ["/", "/tools/pw"]) {
    const { handler } = await service(`--public-path=${path}`);
    const { servers } = await (await ask("/openapi/v1.json", {}, handler))
      .json();
    assertEquals(servers, [{ url: path }]);
    const html = await (await ask("/docs", {}, handler)).text();
    assertEquals(
      html.includes(", followed by <code>/tools/pw/</code>."),
      path !== "/",
    );
    const prefix = path === "/" ? "" : path;
    assertStringIncludes(
      await (await ask("/", {}, handler)).text(),
      `curl -X POST https://ADDRESS${prefix}/api/pwgen/words `,
    );
  }
});
