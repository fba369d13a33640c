/**
 * Runs tests of version 1.1.0 from the git history against the service of this tree,
 * over HTTP: what 1.1.0 promised holds, apart from CHANGES. The word lists are those
 * of this tree. Usage: deno task test:outside. Remove it when 1.2.0 is published.
 *
 * @module
 */
// deno-lint-ignore-file no-console
import { assert, assertEquals } from "@std/assert";
import { ROOT, serveDirectly } from "../tests/helpers/program.ts";

/** Version 1.1.0. */
const COMMIT = "a21e33cba1424d97b9e2a3def66d20344e868ce3";

/** A file in the old tests/, a text that it has once, and the text instead. */
type Edit = readonly [file: string, from: string, to: string];

/** What the old tests need to reach the service of this tree. */
const SETUP: readonly Edit[] = [
  ["helpers/program.ts", "../../deno.json", `${ROOT}deno.json`],
  ["helpers/program.ts", 'import.meta.resolve("../../")', `"file://${ROOT}"`],
  [
    "helpers/service.ts",
    "Promise.resolve(handler(request, peer))",
    `fetch(Deno.env.get("OUTSIDE_URL") + path, {
      ...init, headers: { ...init.headers, "x-forwarded-for": peer } })`,
  ],
  // A fifth of the requests, with enough from the client at its limit. Of half as many
  // again, which a second measurement sends, fewer than 600 are refused.
  ["fuzz/fuzz_test.ts", "REQUESTS = 100_000", "REQUESTS = 20_000"],
  ["fuzz/requests.ts", '"no client address": [6,', '"no client address": [18,'],
];

/** All intended changes that the old tests notice. Any other one is a regression. */
const CHANGES: readonly {
  readonly before: string;
  readonly now: string;
  /** Words of CHANGELOG.md, above 1.1.0. */
  readonly changelog: string;
  readonly edits: readonly Edit[];
}[] = [
  {
    before: "the version is that of the last release",
    now: "it ends with -dev",
    changelog: "Between two releases, the version ends with `-dev`",
    edits: [[
      "helpers/program.ts",
      String.raw`pwgen-api [\d.]+`,
      "pwgen-api \\S+",
    ]],
  },
  {
    before: "the start line ends with the URL",
    now: "it says besides that only this machine can connect",
    changelog: "the start line says that only this machine can connect",
    edits: [["helpers/program.ts", String.raw`\/(?:"\})?\n/`, ".*\\n/"]],
  },
  {
    before: "JSON has no charset",
    now: "its charset is utf-8",
    changelog: "JSON has the media type `application/json; charset=utf-8`",
    edits: [
      ["routes/api/v1_test.ts", '/json"', '/json; charset=utf-8"'],
      ["routes/api/v1_test.ts", '+json"', '+json; charset=utf-8"'],
      ["helpers/service.ts", '/json")', '/json; charset=utf-8")'],
    ],
  },
  {
    before: "all responses have CORS header fields",
    now: "only those of the API and the OpenAPI document",
    changelog: "Only the three API paths and `/openapi/v1.json` have CORS",
    edits: [
      [
        "helpers/schema.ts",
        "Object.values(description.headers)",
        `Object.values(description.headers).filter(({ $ref }) =>
          !$ref.includes("Access-Control") || DESCRIPTION.paths[path]?.post ||
          path === "/openapi/v1.json")`,
      ],
      [
        "fuzz/fuzz_test.ts",
        '["/healthz", "GET"]',
        'DESCRIPTION.paths[path]?.post ? [path, "POST"] : ["/healthz", "GET"]',
      ],
    ],
  },
  {
    before: "a request with an invalid Host counts against the rate limit",
    now: "it does not",
    changelog: "does not count against the rate limit, and its response has no",
    edits: [[
      "helpers/schema.ts",
      "Object.values(description.headers)",
      `Object.values(description.headers).filter(({ $ref }) =>
        !$ref.includes("RateLimit") || status !== 400 ||
        text.includes('"errors"'))`,
    ]],
  },
  {
    before: "an empty Host is valid",
    now: "it gets 400",
    changelog: "An empty `Host` gets 400",
    edits: [
      [
        "fuzz/request_values.ts",
        '"__proto__", "", CANARY,',
        '"__proto__", CANARY,',
      ],
      ["fuzz/request_values.ts", '"a b",', '"", "a b",'],
    ],
  },
  {
    before: "a body has any number of chunks",
    now: "more than 128 pieces get 413, and TCP can divide a chunk",
    changelog: "A body without Content-Length is read in at most 128 pieces",
    edits: [[
      "fuzz/requests.ts",
      "body.length > 500 ? Math.max(largest, 100) : largest",
      "Math.max(largest, body.length / 40)",
    ]],
  },
  {
    before: "in X-Forwarded-For, 1.2.3.4:80 is no address",
    now: "it is the client 1.2.3.4",
    changelog: "An entry of `X-Forwarded-For` may have a port",
    edits: [["fuzz/requests.ts", '"1.2.3.4:80", ', ""]],
  },
  {
    before: "the log has no line if such an entry is no address",
    now: "it has one",
    changelog: "is no address, the service logs a line, once",
    edits: [[
      "fuzz/fuzz_test.ts",
      "forgot .*",
      "(forgot|refused|a proxy in) .*",
    ]],
  },
  {
    before: "a header field of 1,000 characters is read",
    now: "one of more than 256 is ignored",
    changelog: "a field of more than 256 characters is ignored",
    edits: [
      ["fuzz/request_values.ts", "repeat(190)", "repeat(48)"],
      ["fuzz/request_values.ts", "repeat(400)", "repeat(110)"],
      ["fuzz/request_values.ts", "repeat(70)", "repeat(17)"],
    ],
  },
  {
    before: "Content-Encoding is ignored",
    now: "it gets 415, except identity",
    changelog: "A body with a `Content-Encoding` gets 415",
    edits: [[
      "fuzz/request_values.ts",
      "Content-Encoding: gzip",
      "Content-Encoding: identity",
    ]],
  },
  {
    before: "in X-Forwarded-For, [::1] is no address",
    now: "it is one",
    changelog: "An entry `[2001:db8::1]` of `X-Forwarded-For` is an address",
    edits: [["fuzz/requests.ts", '"[::1]", ', ""]],
  },
  {
    before: "a preflight allows only Content-Type",
    now: "it also allows Prefer",
    changelog: "`Prefer: handling=strict` (RFC 7240)",
    edits: [[
      "../routes/header_fields.ts",
      'Headers": "Content-Type"',
      'Headers": "Content-Type, Prefer"',
    ]],
  },
];

/** Runs a command, and tells whether it succeeded. */
async function run(
  command: string,
  args: string[],
  options: Deno.CommandOptions = {},
): Promise<boolean> {
  const child = new Deno.Command(command, { args, cwd: ROOT, ...options });
  return (await child.spawn().status).success;
}

const changelog = await Deno.readTextFile(`${ROOT}CHANGELOG.md`);
const [recent = ""] = changelog.replace(/\s+/g, " ").split("## [1.1.0]");
for (const { changelog } of CHANGES) {
  assert(recent.includes(changelog), `CHANGELOG.md lacks: ${changelog}`);
}
if (!await run("git", ["cat-file", "-e", COMMIT], { stderr: "null" })) {
  console.log(
    `Skipped: no ${COMMIT} in the git history, as in a shallow clone`,
  );
  Deno.exit();
}
const folder = await Deno.makeTempDir();
let passed = false;
try {
  const copy = `git archive ${COMMIT} | tar -x -C "$0"
    for l in en sv; do cp wordlists/$l/*.txt "$0/wordlists/$l"; done`;
  assert(await run("sh", ["-ec", copy, folder]));
  const edits = [...SETUP, ...CHANGES.flatMap(({ edits }) => edits)];
  for (const [file, from, to] of edits) {
    const path = `${folder}/tests/${file}`;
    const parts = (await Deno.readTextFile(path)).split(from);
    assertEquals(parts.length, 2, `${from} is not once in ${file}`);
    await Deno.writeTextFile(path, parts.join(to));
  }
  const env = { PWGEN_TRUSTED_PROXIES: "loopback" };
  await using service = await serveDirectly(env);
  passed = await run(
    Deno.execPath(),
    [
      "test",
      "--frozen",
      "--no-check",
      "--parallel",
      "--allow-all",
      "tests/fuzz/fuzz_test.ts",
      "tests/routes/api/v1_test.ts",
    ],
    { cwd: folder, env: { OUTSIDE_URL: service.url } },
  );
} finally {
  await Deno.remove(folder, { recursive: true });
}
Deno.exit(passed ? 0 : 1);
