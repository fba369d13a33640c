import { assert, assertEquals } from "@std/assert";
import { ask } from "../../helpers/service.ts";

async function pageAt(path: string): Promise<string> {
  const response = await ask(path, { headers: { accept: "text/html" } });
  return await response.text();
}

Deno.test("notFound() has links that lead to the service below any prefix, and is small", async () => {
  const paths = [
    "/x",
    "/x/",
    "/docs/x",
    "//",
    "/a//b",
    "/a/b/c/d?e=f/g",
    "/%2F",
  ];
  for (const path of paths) {
    const html = await pageAt(path);
    const links = [...html.matchAll(/ href="([^"]*)"/g)].map((m) => m[1]!);
    for (const prefix of ["", "/pw", "/tools/pw"]) {
      assertEquals(
        links.map((link) =>
          new URL(link, `https://a.example${prefix}${path}`).href
        ),
        ["/page/icon.svg", "/page/page.css", "/", "/docs"].map((link) =>
          `https://a.example${prefix}${link}`
        ),
      );
    }
  }
  const deep = await pageAt("/".repeat(8000));
  assert(deep.length < 1500, `${deep.length}`);
});
