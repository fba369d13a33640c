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

/** The name in docs/api.md, the rules of others, and whether classes must mix. */
const RULES: Record<string, [name: string, rules: RegExp[], mixed: boolean]> = {
  entra: ["Microsoft Entra ID, Active Directory", [ENTRA], true],
  google: ["Google Workspace", [GOOGLE], false],
  pupil: [
    "Easy for a pupil",
    [/^[a-z]{3,9}(-[a-z]{3,9}){2}-\d\d$/, /^.{14,21}$/, ENTRA, GOOGLE],
    true,
  ],
  wifi: ["Wi-Fi", [/^[a-z\d]{8,63}$/], false],
  rds: ["Amazon RDS", [/^[a-zA-Z\d_-]{8,30}$/], false],
  connection: ["A connection string or .env file", [
    /^[a-zA-Z][a-zA-Z\d_-]{31}$/,
  ], false],
  oracle: ["Oracle Database", [/^[a-zA-Z][a-zA-Z\d_$#]{0,29}$/], false],
  azure: ["Azure virtual machine", [/^[!-~]{12,72}$/], true],
};

Deno.test("each preset has the body of docs/api.md, and meets the rule of others", async () => {
  const own = ["manager", "remember", "sentence", "type", "pin", "site"];
  assertEquals(
    Object.keys(PRESETS).sort(),
    [...own, ...Object.keys(RULES)].sort(),
  );
  for (const [name, [title, rules, mixed]] of Object.entries(RULES)) {
    const { kind, values } = PRESETS[name as keyof typeof PRESETS];
    const [, path, body, bits] = RegExp(
      `\\*\\*${title}\\*\\* \\(\`(\\w+)\`\\): \`({.*?})\`, (\\d+) bits\\.`,
    ).exec(DOCUMENT) ?? [];
    assertEquals([path, JSON.parse(body!)], [kind, values], title);
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
    assertEquals(Math.floor(Math.min(...least)), Number(bits), title);
  }
});

/** Passwords of a preset. */
async function passwordsOf(name: "rds" | "connection"): Promise<string[]> {
  const { kind, values } = PRESETS[name];
  const all: string[] = [];
  while (all.length < 500) {
    const body = { ...values, count: 100 };
    const response = await post(`/api/pwgen/${kind}`, body);
    all.push(...(await response.json()).passwords);
  }
  return all;
}

for (const name of ["rds", "connection"] as const) {
  onUnix.test(`500 passwords of ${name} go through a URL, a shell, a .env file and a Compose file unchanged`, async () => {
    const passwords = await passwordsOf(name);
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
