import { assert, assertEquals, assertMatch } from "@std/assert";
import { parse as parseYaml } from "@std/yaml";
import { parseEnv } from "node:util";
import { PRESETS } from "../../../../routes/site/page/purposes.js";
import { end, onUnix, ROOT, spawn } from "../../../helpers/program.ts";
import { post } from "../../../helpers/service.ts";

const DOCUMENT = (await Deno.readTextFile(`${ROOT}docs/api.md`))
  .replace(/\s+/g, " ");

/** At least three of four classes. */
const isMixed = (password: string) =>
  [/[a-z]/, /[A-Z]/, /\d/, /[^a-zA-Z\d]/]
    .filter((kind) => kind.test(password)).length >= 3;

const ENTRA = /^[!-~]{8,256}$/;
const GOOGLE = /^[!-~]{8,100}$/;

/** The rules of others by the name in docs/api.md, and whether classes must mix. */
const RULES: Record<string, [rules: RegExp[], mixed: boolean]> = {
  "Microsoft Entra ID, Active Directory, Google Workspace": [
    [ENTRA, GOOGLE],
    true,
  ],
  "Easy for a pupil": [
    [/^[a-z]{3,9}(-[a-z]{3,9}){2}-\d\d$/, /^.{14,21}$/, ENTRA, GOOGLE],
    true,
  ],
  "Wi-Fi": [[/^[a-z\d]{8,63}$/], false],
  "Amazon RDS": [[/^[a-zA-Z\d_-]{8,30}$/], false],
  "A connection string or .env file": [
    [/^[a-zA-Z][a-zA-Z\d_-]{31}$/],
    false,
  ],
  "Oracle Database": [[
    /^[a-zA-Z][a-zA-Z\d_$#]{8,29}$/,
    // Its function ora12c_strong_verify_function.
    /^(?=(.*[a-z]){2})(?=(.*[A-Z]){2})(?=(.*\d){2})(.*[_$#]){2}/,
  ], true],
  "Azure virtual machine": [[/^[!-~]{12,72}$/], true],
};

/** The body that docs/api.md has for a system. */
function bodyFor(title: string) {
  const [, kind, body, bits] = RegExp(
    `\\*\\*${title}\\*\\* \\(\`(\\w+)\`\\): \`({.*?})\`, (\\d+) bits\\.`,
  ).exec(DOCUMENT) ?? [];
  assert(kind && body, title);
  return { kind, values: JSON.parse(body), bits: Number(bits) };
}

Deno.test("each body of docs/api.md meets the rule of others, with the bits that it says", async () => {
  for (const [title, [rules, mixed]] of Object.entries(RULES)) {
    const { kind, values, bits } = bodyFor(title);
    const languages = kind === "words" ? ["sv", "en"] : [undefined];
    const least: number[] = [];
    for (const language of languages) {
      const response = await post(`/api/pwgen/${kind}`, {
        ...values,
        ...language && { language },
        count: 100,
      }, { prefer: "handling=strict" });
      const { passwords } = await response.json();
      assertEquals(passwords.length, 100);
      for (const password of passwords) {
        for (const rule of rules) assertMatch(password, rule, title);
        assert(!mixed || isMixed(password), `${title}: ${password}`);
      }
      least.push(Number(response.headers.get("entropy-bits")));
    }
    assertEquals(Math.floor(Math.min(...least)), bits, title);
  }
});

Deno.test("each preset of the page for a system has the body of docs/api.md", () => {
  const titles = {
    entra: "Microsoft Entra ID, Active Directory, Google Workspace",
    pupil: "Easy for a pupil",
    wifi: "Wi-Fi",
  };
  const others = ["manager", "remember", "sentence", "type", "pin", "site"];
  assertEquals(
    Object.keys(PRESETS).sort(),
    [...others, ...Object.keys(titles)].sort(),
  );
  for (const [name, title] of Object.entries(titles)) {
    const { kind, values } = PRESETS[name as keyof typeof PRESETS];
    const body = bodyFor(title);
    assertEquals([body.kind, body.values], [kind, values]);
  }
});

/** 500 passwords of a body. */
async function passwordsFor(title: string): Promise<string[]> {
  const { kind, values } = bodyFor(title);
  const passwords: string[] = [];
  while (passwords.length < 500) {
    const response = await post(`/api/pwgen/${kind}`, {
      ...values,
      count: 100,
    });
    passwords.push(...(await response.json()).passwords);
  }
  return passwords;
}

for (const title of ["Amazon RDS", "A connection string or .env file"]) {
  onUnix.test(`500 passwords of "${title}" go through a URL, a shell, a .env file and a Compose file unchanged`, async () => {
    const passwords = await passwordsFor(title);
    for (const password of passwords) {
      const url = new URL(`postgres://user:${password}@host/db`);
      assertEquals([url.username, url.host], ["user", "host"]);
      // A client decodes it, whether it was encoded or not.
      assertEquals([url.password, decodeURIComponent(url.password)], [
        password,
        password,
      ]);
    }
    const script = `printf '%s\\n' ${passwords.join(" ")}`;
    const { stdout } = await end(spawn("sh", ["-c", script]));
    assertEquals(stdout.trim().split("\n"), passwords);
    const lines = passwords.map((password, i) => `P${i}=${password}`);
    assertEquals(Object.values(parseEnv(lines.join("\n"))), passwords);
    // Compose replaces what follows a "$", and reads YAML.
    const compose = passwords.map((password, i) => `P${i}: ${password}\n`)
      .join("");
    assert(!compose.includes("$"));
    assertEquals(Object.values(parseYaml(compose) as object), passwords);
  });
}
