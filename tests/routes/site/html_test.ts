import { assert, assertEquals, assertNotMatch } from "@std/assert";
import { ask } from "../../helpers/service.ts";

Deno.test("htmlDocument() has URLs that lead to the service, below any prefix", async () => {
  for (const prefix of ["", "/tools/pw"]) {
    for (const path of ["/", "/docs"]) {
      const html = await (await ask(path)).text();
      assertNotMatch(html, /<base/);
      const links = [...html.matchAll(/ (?:href|src)="([^"]*)"/g)];
      assert(links.length >= 4);
      for (const [, link] of links) {
        const base = `https://a.example${prefix}`;
        const { href, pathname, hash } = new URL(link!, base + path);
        assert(href.startsWith(`${base}/`), href);
        const response = await ask(
          pathname.slice(prefix.length),
        );
        await response.body?.cancel();
        assertEquals(response.status, 200, href);
        // An anchor leads to an element of the same page.
        if (hash === "") continue;
        assertEquals(href, base + path + hash);
        assert(html.includes(`id="${hash.slice(1)}"`), href);
      }
    }
  }
});
