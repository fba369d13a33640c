/** The examples in the documents and the code: the request beside each can make them. */
import { assertEquals } from "@std/assert";
import { API } from "../routes/api/mod.ts";
import { textFiles } from "./helpers/files.ts";
import { type Kind, outcome } from "./oracle.ts";

type JsonBody = Record<string, unknown>;

/** What a text shows beside a request. */
interface Shown {
  kind: string;
  body: JsonBody;
  /** The bits, which may be rounded down. */
  bits?: string | undefined;
  /** Lines of output, or a password of the library. */
  passwords?: string[];
  response?: { password: string; length: number; passwords?: string[] };
  /** The field with an error. */
  refused?: string | undefined;
}

/** A form of examples. */
interface Form {
  /** The request; the last one before a result counts. */
  request: RegExp;
  result: RegExp;
  /** Reads the groups of both, in a file of this name. */
  read: (groups: Record<string, string>, file: string) => Shown;
}

/** The value of a literal in JavaScript. */
const valueOf = (literal: string) => new Function(`return (${literal})`)();

/** The body that flags make. */
function bodyOf(flags: string): JsonBody {
  const pairs = [...flags.matchAll(/--(no-)?([a-z-]+)(?: (?!--)(\S+))?/g)];
  return Object.fromEntries(pairs.map(([, no, flag, value]) => [
    flag!.replace(/-(.)/g, (_, letter) => letter.toUpperCase()),
    value ?? !no,
  ]));
}

/** Values in the texts of the page. */
const VALUES =
  /"(?:For example|Till exempel) (?<specialCharacterSet>\S+)|Password Rules(?: language)?, (?:such as|for example|till exempel) (?<passwordRules>[^"]+)"/g;

const FORMS: Record<string, Form> = {
  curl: {
    request:
      /\/api\/pwgen\/(?<kind>\w+)(?:(?!\/api\/)[^{}])* -d '(?<body>\{.*?\})'/g,
    result: /^entropy-bits: (?<bits>.+)|(?<response>\{"password":".*\})/gm,
    read: ({ kind, body, bits, response = "null" }) => ({
      kind: kind!,
      body: JSON.parse(body!),
      bits,
      response: JSON.parse(response) ?? undefined,
    }),
  },
  library: {
    request:
      /(?<name>character|word|sentence|rule)Passwords\((?<values>.*?)\)/gs,
    result:
      /(?:generate\(\)|\bbits\)?;).*\/\/ (?:(?<bits>\d+\.\d+)\.\.\. ?)?(?<password>.+)?$/gm,
    read: ({ name, values, bits, password }, file) => {
      const [first, second] = valueOf(`[${values}]`);
      // Two modules have one language, named after it.
      const [language] = /^(en|sv)(?=\.ts$)/.exec(file) ?? [];
      return {
        kind: { word: "words", sentence: "sentence" }[name!] ?? "characters",
        body: name === "rule"
          ? { passwordRules: first, ...second }
          : { ...language && { language }, ...first },
        bits,
        passwords: password === undefined ? [] : [password],
      };
    },
  },
  "command line": {
    request: /(?:deno task|pwgen-api) generate (?<kind>\w+)(?<flags>.*)/g,
    result: /(?<=(?:deno task|pwgen-api) generate .*\n)(?<lines>(?:# .+\n)+)/g,
    read: ({ kind, flags, lines }) => ({
      kind: kind!,
      body: bodyOf(flags!),
      passwords: lines!.trimEnd().split("\n").map((line) => line.slice(2)),
    }),
  },
  declaration: {
    request: /\bvalue: (?<body>\{.*?\}),\n/gs,
    result: /\bpasswords: (?<list>\[\s*".*?"\s*,?\s*\])/gs,
    read: ({ body, list }, file) => ({
      kind: file.replace(".ts", ""),
      body: valueOf(body!),
      passwords: valueOf(list!),
    }),
  },
  table: {
    request: /^\| (?<kind>\w+) +\| `(?<body>\{.*?\})` /gm,
    result: /^\| \w+ +\| `\{.*?\}` +\| (?<bits>\d+\.\d+) +\|$/gm,
    read: ({ kind, body, bits }) => ({
      kind: kind!,
      body: JSON.parse(body!),
      bits,
    }),
  },
  rule: {
    request: /`(?<kind>characters|words|sentence) (?<body>\{[^`]*\})`/g,
    result:
      /\bgives\s+`(?<password>[^`]+)`|\bis\s400\s+for\s+`(?<refused>\w+)`/g,
    read: ({ kind, body, password, refused }) => ({
      kind: kind!,
      body: JSON.parse(body!),
      passwords: password === undefined ? [] : [password],
      refused,
    }),
  },
  value: {
    request: VALUES,
    result: VALUES,
    read: ({ passwordRules, specialCharacterSet }) => ({
      kind: "characters",
      body: passwordRules === undefined
        ? { specialCharacterSet }
        : { passwordRules },
    }),
  },
};

/** What looks like an example, in whatever form. */
const LIKE_EXAMPLES =
  /"password":"|\b\d\d[-._, ]?\p{Lu}\p{Ll}+(?:[-._, ]?\p{Lu}\p{Ll}+){2}|(?<![\p{L}-])\p{L}{3,}(?:-\p{L}{3,}){4,}(?![\p{L}\/-]|\.\w)/gu;

/** What is wrong with an example. */
function errorsOf(shown: Shown) {
  const { kind, body, bits, passwords = [], response, refused } = shown;
  if (refused) {
    const { errors = {} } = API[`/api/pwgen/${kind}`]!.passwords(body);
    return Object.keys(errors).join() === refused ? [] : ["no such error"];
  }
  const { permits, ...expected } = outcome(kind as Kind, body);
  if (expected.errors.length > 0) return [`not allowed: ${expected.errors}`];
  const errors: string[] = [];
  if (bits && !expected.bits.startsWith(bits)) {
    errors.push(`${bits} bits, not ${expected.bits}`);
  }
  const all = response?.passwords ?? passwords;
  for (const password of response ? [response.password, ...all] : all) {
    if (!permits(password)) errors.push(`not possible: ${password}`);
  }
  const { count = 0 } = body;
  if (count && all.length !== Number(count)) {
    errors.push(`${all.length} passwords, not ${count}`);
  }
  if (response === undefined) return errors;
  const { password } = response;
  const members = {
    password,
    length: [...password].length,
    type: kind,
    ...count !== 0 && { passwords: [password, ...all.slice(1)] },
  };
  if (JSON.stringify(response) !== JSON.stringify(members)) {
    errors.push(`not ${JSON.stringify(members)}`);
  }
  return errors;
}

Deno.test("every example in the documents and the code is what the request beside it makes", () => {
  const errors: string[] = [];
  const found = new Set<string>();
  for (const [path, source] of textFiles()) {
    // Old entries have the words of their time, and tests have wrong examples.
    if (/^(tests\/|CHANGELOG\.md$|wordlists\/.*\.txt$)/.test(path)) continue;
    // In a comment, an example begins at the start of a line.
    const text = source.replace(/^ \*(?: |$)/gm, "");
    const places: [start: number, end: number][] = [];
    const at = (index: number) =>
      `${path}:${text.slice(0, index).split("\n").length}`;
    for (const [name, { request, result, read }] of Object.entries(FORMS)) {
      for (const shown of text.matchAll(result)) {
        const end = shown.index + shown[0].length;
        places.push([shown.index, end]);
        found.add(name);
        const last = [...text.slice(0, end).matchAll(request)].at(-1);
        if (!last) {
          errors.push(`${at(shown.index)}: no request of the ${name}`);
          continue;
        }
        const groups = { ...last.groups, ...shown.groups };
        const file = path.split("/").at(-1)!;
        errors.push(
          ...errorsOf(read(groups, file)).map((error) =>
            `${at(shown.index)}: ${error}`
          ),
        );
      }
    }
    for (const { 0: like, index } of text.matchAll(LIKE_EXAMPLES)) {
      if (places.some(([start, end]) => start <= index && index < end)) {
        continue;
      }
      errors.push(`${at(index)}: no request beside ${like}`);
    }
  }
  assertEquals(errors, []);
  assertEquals([...found].sort(), Object.keys(FORMS).sort());
});
