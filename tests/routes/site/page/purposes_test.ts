import { assert, assertEquals, assertMatch } from "@std/assert";
import { PRESETS } from "../../../../routes/site/page/purposes.js";
import { ROOT } from "../../../helpers/program.ts";
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
  rds: ["Amazon RDS", [/^[!-~]{8,30}$/, /^[^/@"&']*$/], false],
  oracle: ["Oracle Database", [/^[a-zA-Z][a-zA-Z\d_$#]{0,29}$/], false],
  azure: ["Azure virtual machine", [/^[!-~]{12,72}$/], true],
};

Deno.test("each preset has the body of docs/api.md, and meets the rule of others", async () => {
  const names = Object.entries(PRESETS as Record<string, { of?: string }>)
    .filter(([name, { of }]) => of && name !== "sentence")
    .map(([name]) => name);
  assertEquals(Object.keys(RULES).sort(), names.sort());
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
