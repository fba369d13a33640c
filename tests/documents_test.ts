/** The documents, compared with each other and with the code. */
import { assert, assertEquals } from "@std/assert";
import metadata from "../deno.json" with { type: "json" };
import { API } from "../routes/api/mod.ts";
import { DOCUMENTS, withTables } from "../tools/tables.ts";
import { textFiles } from "./helpers/files.ts";

/** The texts of the repository by their path. */
const FILES = textFiles();

/** The fragments of the headings of a document, as GitHub makes them. */
function fragments(path: string): string[] {
  const text = FILES.get(path)!.replace(/^ *```.*?^ *```$/gms, "");
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
    heading!.toLowerCase().replace(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-")
  );
}

/** Whether a link leads to a file, and to a heading if it names one. */
function leads(from: string, link: string): boolean {
  const { pathname, hash } = new URL(link, `file:///${from}`);
  const path = pathname.slice(1);
  const isFolder = [...FILES.keys()].some((file) =>
    file.startsWith(`${path.replace(/\/$/, "")}/`)
  );
  if (hash === "") return FILES.has(path) || isFolder || path.endsWith(".png");
  return FILES.has(path) && fragments(path).includes(hash.slice(1));
}

Deno.test("every relative link of a document leads to a file and a heading", () => {
  const links = [...FILES].filter(([path]) => path.endsWith(".md"))
    .flatMap(([from, text]) =>
      [...text.replace(/^ *```.*?^ *```$/gms, "").matchAll(/\]\(([^)]+)\)/g)]
        .map(([, link]) => [from, link!] as const)
    ).filter(([, link]) => !/^[a-z]+:/.test(link));
  assertEquals(links.filter(([from, link]) => !leads(from, link)), []);
  assert(links.length > 50);
});

Deno.test("every document that a message, a comment or a configuration names is there", () => {
  const names = [...FILES].filter(([path]) => !path.endsWith(".md"))
    .flatMap(([from, text]) =>
      [...text.matchAll(/\b(?:docs\/[\w-]+|[A-Z]+)\.md\b(?:#[\w-]+)?/g)]
        .map(([name]) => [from, name] as const)
    ).filter(([from]) => from !== "tests/documents_test.ts");
  assertEquals(names.filter(([, name]) => !leads("", name)), []);
  assert(names.length > 20);
});

Deno.test("the tables of the documents are those that deno task tables writes", () => {
  for (const path of DOCUMENTS) {
    const text = FILES.get(path)!;
    assertEquals(withTables(path, text), text, path);
  }
});

Deno.test("a table says in at most twelve words what a field does", () => {
  const [long] = Object.values(API).flatMap(({ fields }) =>
    Object.values(fields).map(({ description }) => description.split(". ")[0]!)
  ).filter((sentence) => sentence.split(" ").length > 12);
  assertEquals(long, undefined);
});

/** The sorted fields of the last release; a release adds its new ones. */
const RELEASED: Readonly<Record<string, string>> = {
  characters: `
    beginWithLetter count excludeAmbiguous excludeCharacters groupLength length
    lowercase maximumRepeating maximumSequential minimumEntropy minimumLowercase
    minimumNumbers minimumSpecialCharacters minimumUppercase numbers
    passwordRules specialCharacterPercentage specialCharacterSet
    specialCharacters swedishCharacters uppercase`,
  words: `
    casing count excludeSwedishCharacters language maximumLength minimumEntropy
    minimumLength numberLength numberPosition replaceSwedishCharacters
    replaceWithSpecialCharacters separator separatorSet wordCount`,
  sentence: `
    casing count excludeSwedishCharacters language maximumLength minimumEntropy
    minimumLength numberLength numberPosition replaceSwedishCharacters
    replaceWithSpecialCharacters separator separatorSet`,
};

Deno.test("a new field has the version of the next release, and no other has it", () => {
  const next = metadata.version.replace("-dev", "");
  for (const { type, fields } of Object.values(API)) {
    const released = RELEASED[type]!.trim().split(/\s+/);
    const isNew = (name: string) => !released.includes(name);
    const since = Object.entries(fields).map(([name, field]) =>
      [name, field.since === next] as const
    );
    assertEquals(since, since.map(([name]) => [name, isNew(name)] as const));
  }
});

Deno.test("docs/runbook.md has a section for every alert, and no other; each alert links to it", () => {
  const rules = FILES.get("deploy/prometheus-rules.yaml")!;
  const alerts = [...rules.matchAll(/- alert: (\w+)/g)].map(([, name]) =>
    name!
  );
  const [, part] = /^## Alerts\n(.*?)^## /ms.exec(
    FILES.get("docs/runbook.md")!,
  )!;
  const sections = [...part!.matchAll(/^### (\w+)$/gm)];
  assertEquals(sections.map(([, name]) => name), [...new Set(alerts)]);
  const links = [...rules.matchAll(/runbook: (\S+)/g)].map(([, link]) => link);
  assertEquals(
    links,
    alerts.map((name) => `docs/runbook.md#${name.toLowerCase()}`),
  );
});

Deno.test("docs/api.md names no field that is not declared", () => {
  const text = FILES.get("docs/api.md")!.replace(/^ *```.*?^ *```$/gms, "");
  // A field of one word cannot be told from other code.
  const names = [...text.matchAll(/`([a-z]+[A-Z]\w*)`/g)].map(([, name]) =>
    name!
  );
  const fields = Object.values(API).flatMap(({ fields }) =>
    Object.keys(fields)
  );
  assertEquals(names.filter((name) => !fields.includes(name)), []);
  assert(names.length > 20);
});

Deno.test("every command of a document that keeps what curl prints refuses a redirect", () => {
  const keeping = [...FILES].filter(([path]) => path.endsWith(".md"))
    .flatMap(([path, text]) =>
      [...text.replaceAll("\\\n", "").matchAll(/^.*\bcurl .*$/gm)]
        .map(([line]) => [path, line] as const)
    ).filter(([, line]) => /\$\(curl|\bcurl .*[^-] ?>/.test(line));
  // Over plain HTTP a proxy may redirect, which is no error for curl -f.
  const checks = /--proto '=https' .*https:|%\{http_code\}\|%\{content_type\}/;
  assertEquals(keeping.filter(([, line]) => !checks.test(line)), []);
  assert(keeping.length > 2);
});

Deno.test("drain delays, and the pause of the unit, are at least the interval times the failures plus the time-out of the health checks", () => {
  const numbers = (path: string, pattern: RegExp) =>
    pattern.exec(FILES.get(path)!)!.slice(1).map(Number) as [number, number];
  const [interval, timeout] = numbers(
    "deploy/Caddyfile",
    /health_interval (\d+)ms\n\s*health_timeout (\d+)s\n/,
  );
  const least = interval / 1000 + timeout;
  const delays = [
    numbers("deploy/pwgen-api.service", /PWGEN_DRAIN_DELAY=(\d+)$/m),
    numbers("deploy/pwgen-api.service", /^ExecStartPost=\/bin\/sleep (\d+)$/m),
    numbers("deploy/compose.yaml", /PWGEN_DRAIN_DELAY: "(\d+)"/),
  ];
  for (const [delay] of delays) assert(delay >= least, `${delay} < ${least}`);
});

Deno.test("every document installs the Deno of .dvmrc", () => {
  const names = [...FILES].filter(([path]) => path.endsWith(".md"))
    .flatMap(([path, text]) =>
      [...text.matchAll(/\bdeno@([\d.]*\d)/g)].map(([, version]) => [
        path,
        version,
      ])
    );
  assert(names.some(([path]) => path === "docs/operate.md"));
  const version = FILES.get(".dvmrc")!.trim();
  assertEquals(names.filter(([, name]) => name !== version), []);
});
