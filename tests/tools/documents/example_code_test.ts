import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { type Example, examples } from "../../../tools/documents/docs_page.ts";
import {
  ADDRESS,
  requestCode,
  SCRIPTS,
} from "../../../tools/documents/example_code.ts";
import { tempDir } from "../../helpers/files.ts";
import {
  end,
  isInstalled,
  missing,
  serve,
  spawn,
  unless,
} from "../../helpers/program.ts";
import { DESCRIPTION } from "../../helpers/schema.ts";

/** How to run the code of each language. */
const PROGRAMS: Record<string, [command: string, ...args: string[]]> = {
  "curl": ["sh", "-c"],
  "JavaScript": [Deno.execPath(), "eval"],
  "Python": ["python3", "-c"],
};
const MISSING: string[] = [];
for (const program of ["curl", "python3"]) {
  if (!await isInstalled(program)) MISSING.push(program);
}
const isMissing = (language: string) =>
  MISSING.some((program) => program.startsWith(language.toLowerCase()));
const SKIPPED = MISSING.length > 0 ? ` (skipped: no ${MISSING.join()})` : "";

/** Runs code with the address of a service, and returns its output. */
async function run(
  language: string,
  code: string,
  base: string,
): Promise<string> {
  const [command, ...args] = PROGRAMS[language]!;
  const text = code.replaceAll(ADDRESS, base);
  const program = spawn(command, [...args, text], { PYTHONUTF8: "1" });
  const { code: status, stdout, stderr } = await end(program);
  assertEquals(status, 0, `${text}\n${stderr}`);
  return stdout;
}

const OPERATIONS = Object.entries(DESCRIPTION.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({
    name: `${method.toUpperCase()} ${path}`,
    all: examples(path, method, operation),
  }))
);

/** Checks what the code of an example printed. */
function checkOutput(
  language: string,
  output: string,
  { status, type, body }: Example,
): void {
  if (language !== "curl") assertEquals(output.slice(0, 4), `${status} `);
  else if (type !== "text/plain") {
    const actual = JSON.parse(output);
    const expected = JSON.parse(body);
    if (status !== "200") assertEquals(actual, expected);
    assertEquals(Object.keys(actual), Object.keys(expected));
  }
  if (type === "text/plain") {
    // No password has a quotation mark, and no password of the examples a space.
    // Each one of a batch ends with a line feed, and console.log() adds another.
    const lines = body.split("\n").length;
    assertMatch(output, /^(200 )?([^\s"']{8,}\n{0,2})+$/);
    assertEquals(output.trimEnd().split("\n").length, Math.max(lines - 1, 1));
  } else {
    // All strings are the same each time, except the password.
    const { password: _, passwords = [], ...others } = JSON.parse(body);
    if (passwords.length > 0) {
      const [, printed] = /passwords["']?: ?(\[[^]*?\])/.exec(output)!;
      assertEquals(
        printed!.match(/(["'])\w{12}\1/g)!.length,
        passwords.length,
      );
    }
    for (const value of Object.values(others)) {
      if (typeof value === "string") assertStringIncludes(output, value);
    }
  }
}

Deno.test(`examples() run as pasted${SKIPPED}`, async (t) => {
  await using service = await serve({ env: { PWGEN_RATE_LIMIT: "10000" } });
  for (const { name, all } of OPERATIONS) {
    await t.step(name, async () => {
      for (const example of all) {
        if (Object.keys(example.code).length === 0) continue;
        assertEquals(Object.keys(example.code), Object.keys(PROGRAMS));
        await Promise.all(
          Object.entries(example.code).map(async ([language, code]) => {
            if (isMissing(language)) return;
            const output = await run(language, code, service.url);
            checkOutput(language, output, example);
          }),
        );
      }
    });
  }
});

unless(await missing("curl")).test(
  "SCRIPTS get a password, and write 30 to a file that only its owner can read",
  async () => {
    await using folder = await tempDir();
    await using service = await serve();
    const run = (then: string) => {
      const code = `${
        Object.values(SCRIPTS).join("\n").replaceAll(ADDRESS, service.url)
      }\n${then}`;
      return end(spawn("sh", ["-c", code], {}, { cwd: folder.path }));
    };
    const { code, stdout, stderr } = await run('printf %s "$password"');
    assertEquals([code, stderr], [0, ""]);
    assertMatch(stdout, /^\d\d\p{L}+$/u);
    const file = `${folder.path}/passwords.txt`;
    assertMatch(await Deno.readTextFile(file), /^(\d\d\p{L}+\n){30}$/u);
    const { mode } = await Deno.stat(file);
    if (Deno.build.os !== "windows") assertEquals(mode! & 0o777, 0o600);
    assertEquals((await run("exit 7")).stdout, "");
  },
);

Deno.test("examples() has every example of the OpenAPI document, and code for each request", () => {
  for (const [path, item] of Object.entries(DESCRIPTION.paths)) {
    for (const [method, operation] of Object.entries(item)) {
      const expected = Object.values(operation.responses).flatMap((
        { content = {} },
      ) =>
        Object.values(content).flatMap(({ examples = {} }) =>
          Object.values(examples)
        )
      );
      const all = examples(path, method, operation);
      assertEquals(all.length, expected.length);
      const coded = all.filter(({ code }) => "curl" in code);
      const [request] = Object.values(operation.requestBody?.content ?? {});
      const valid = Object.keys(request?.examples ?? {}).length;
      const invalid = expected.filter((example) => "x-request" in example);
      // A valid request has an example for JSON and one for text.
      const requests = request ? 2 * valid + invalid.length : expected.length;
      assertEquals(coded.length, requests, path);
    }
  }
});

Deno.test(`requestCode() quotes any value and prefix${SKIPPED}`, async () => {
  const body = {
    quotes: `'"\`$(id) \\ \n`,
    "it's": [true, false, null, 1.5, "åäö 😀", {}, []],
    nested: { nothing: null },
  };
  await using server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    async (request) => {
      assertEquals(request.headers.get("accept"), "text/a");
      assertEquals(new URL(request.url).pathname, "/$(id)%27/path");
      return new Response(await request.text());
    },
  );
  const code = requestCode({
    method: "POST",
    path: "/path",
    accept: "text/a",
    body,
  });
  const base = `http://127.0.0.1:${server.addr.port}/$(id)%27`;
  for (const [language, text] of Object.entries(code)) {
    if (isMissing(language)) continue;
    const output = await run(language, text, base);
    assertEquals(JSON.parse(output.replace(/^200 /, "")), body, language);
  }
});
