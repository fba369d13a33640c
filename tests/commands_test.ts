import { assert, assertEquals } from "@std/assert";

/** Where commands for users stand; tests/ and wordlists/ have none. */
const FOLDERS = [".", ".ci", ".github/workflows", "deploy", "docs"];
FOLDERS.push("routes/site", "routes/site/docs", "routes/site/page");

/** The text of an HTML document, each element but `span` in a line of its own. */
function textOf(html: string): string {
  return html.replace(/<\/?span[^>]*>/g, "").replace(/<[^>]*>/g, "\n")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">").replaceAll("&#39;", "'");
}

/** The curl commands of a text, each in one line. */
function curlCommands(text: string): string[] {
  const lines = text.replace(/\\\n\s*/g, " ").split("\n");
  return lines.filter((line) => /\bcurl [^|]*(:\/\/|-X )/.test(line));
}

/** Whether the output of a command in the line is assigned, piped or saved. */
function isCaptured(line: string): boolean {
  const unquoted = line.replace(/'[^']*'/g, "''");
  return /(\$\(|<\()\s*curl\b|\bcurl\b.*([|>]| -o| -O|--output)/.test(unquoted);
}

const failsClosed = (line: string) => /\bcurl -fsS/.test(line);

Deno.test("isCaptured() finds the commands that need -fsS", () => {
  const url = "http://localhost/";
  for (
    const line of [
      ...[`PASS=$(curl -s ${url})`, `PASS="$( curl -s ${url} )"`],
      ...[`curl ${url} | head`, `curl ${url} \\\n  > a`, `curl -o a ${url}`],
      ...[`read -r a < <(curl ${url})`, `curl -X GET a -d '{}' | cat`],
    ]
  ) {
    assertEquals(curlCommands(line).filter(isCaptured).length, 1, line);
  }
  assert(!isCaptured(`curl ${url} -d '{"a":"|>"}'`));
});

Deno.test("every documented command fails on an error if its output is assigned, piped or a password alone", async () => {
  const captured: string[] = [];
  for (const folder of FOLDERS) {
    for await (const { name, isFile } of Deno.readDir(folder)) {
      if (!isFile || name.endsWith(".png")) continue;
      const text = await Deno.readTextFile(`${folder}/${name}`);
      const commands = curlCommands(
        name.endsWith(".html") ? textOf(text) : text,
      );
      captured.push(
        ...commands.filter((command) =>
          isCaptured(command) || command.includes("text/plain")
        ),
      );
    }
  }
  assertEquals(captured.filter((command) => !failsClosed(command)), []);
  assert(captured.length >= 5);
});
