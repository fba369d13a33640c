/**
 * Reads what a web site says to programs about passwords: a rule in the Password Rules
 * language, a line of Apple's list of such rules, or an `<input>`. It reads no
 * sentences: one that is read wrongly is worse than one that is not read.
 *
 * @module
 */

const MOST = { text: 4000, rule: 1000, length: 128 };

const CLASS = String
  .raw`(?:\[[^\]]*\]{1,2}|upper|lower|digit|special|ascii-printable|unicode)`;
const STATEMENT = new RegExp(
  String
    .raw`\s*(?:(?:(?:required|allowed):\s*${CLASS}(?:\s*,\s*${CLASS})*|(?:m(?:in|ax)length|max-(?:repeating|sequential|consecutive)):\s*\d+)\s*)?(?:;|$)`,
  "y",
);
const ATTRIBUTE =
  /\s+([^\s"'<>/=]+)(?:\s*=\s*("[^"]*"|'[^']*'|[^\s"'=<>`]+))?/y;

/** Matches a text from its beginning, again and again: all matches, and the rest. */
function matchAll(text, pattern, start = 0) {
  const matches = [];
  pattern.lastIndex = start;
  let end = start;
  for (
    let match;
    end < text.length && (match = pattern.exec(text));
    end = pattern.lastIndex
  ) matches.push(match);
  return { matches, rest: text.slice(end) };
}

/** Whether a text is a rule. The API says what is wrong with its numbers. */
const isRule = (text) =>
  text.length <= MOST.rule && /[a-z]/.test(text) &&
  matchAll(text, STATEMENT).rest === "";

/** The rule in a line such as `"password-rules": "minlength: 8;",`. */
function ruleInLine(text) {
  try {
    const { "password-rules": rule, ...others } = JSON.parse(
      `{${text.replace(/,$/, "")}}`,
    );
    return Object.keys(others).length === 0 ? rule : undefined;
  } catch {
    return undefined;
  }
}

const ENTITIES = { quot: '"', apos: "'", amp: "&", lt: "<", gt: ">" };
const ENTITY = /&(?:#(\d{1,6})|#x([\da-f]{1,5})|([a-z]\w*));/gi;

/** A text without character references; undefined if one is not known. */
function decode(text) {
  let isKnown = true;
  const decoded = text.replace(ENTITY, (_, decimal, hex, name) => {
    if (!name) return String.fromCodePoint(decimal ?? parseInt(hex, 16));
    isKnown &&= Object.hasOwn(ENTITIES, name);
    return ENTITIES[name];
  });
  return isKnown ? decoded : undefined;
}

/** The attributes of an `<input>`, in the text of a page; undefined for others. */
function attributesOf(text) {
  if (!/^<input\s/i.test(text)) return undefined;
  const { matches, rest } = matchAll(text, ATTRIBUTE, "<input".length);
  if (!/^\s*\/?>$/.test(rest)) return undefined;
  return Object.fromEntries(
    // Of two equal attributes, a browser takes the first.
    matches.reverse().map(([, name, value = ""]) => [
      name.toLowerCase(),
      value.replace(/^(["'])(.*)\1$/s, "$2"),
    ]),
  );
}

/** What may state more about the password than this module reads. */
const NOT_READ = ["pattern", "title", "placeholder", "inputmode"];

function readInput(attributes) {
  const isNumber = (name) => /^\d{1,4}$/.test(attributes[name]);
  const unread = NOT_READ.filter((name) => attributes[name]);
  const limits = ["minlength", "maxlength"].filter((name) => {
    if (name in attributes && !isNumber(name)) unread.push(name);
    return isNumber(name);
  });
  const [least, most] = ["minlength", "maxlength"].map((name) =>
    isNumber(name) ? Number(attributes[name]) : undefined
  );
  const { length } = MOST;
  let body;
  const rule = decode(attributes.passwordrules ?? "");
  if (least > Math.min(most ?? length, length) || most === 0) {
    unread.push(...limits);
  } else if (rule && isRule(rule)) {
    const statements = [
      rule.replace(/[\s;]+$/, ""),
      ...limits.map((name) => `${name}: ${attributes[name]}`),
    ];
    body = { passwordRules: `${statements.join("; ")};` };
  } else {
    if (rule !== "") unread.push("passwordrules");
    else if (limits.length > 0) {
      body = {
        length: Math.min(Math.max(20, least ?? 0), most ?? length, length),
      };
    }
  }
  return {
    body,
    unread: unread.map((name) => `${name}="${attributes[name]}"`),
  };
}

/**
 * Reads what a site says to programs.
 *
 * @param {string} text any text; one of more than 4,000 characters is not read
 * @returns {{ body: Record<string, string | number> | undefined, unread: string[] }}
 *   what it means in the body for POST /api/pwgen/characters, undefined if nothing was
 *   read; and what has no effect: attributes, or the text
 */
export function readRequirements(text) {
  const whole = text.trim();
  if (whole === "") return { body: undefined, unread: [] };
  if (whole.length <= MOST.text) {
    if (isRule(whole)) return { body: { passwordRules: whole }, unread: [] };
    const rule = ruleInLine(whole);
    if (typeof rule === "string" && isRule(rule)) {
      return { body: { passwordRules: rule }, unread: [] };
    }
    const attributes = attributesOf(whole);
    if (attributes) {
      const read = readInput(attributes);
      if (read.body || read.unread.length > 0) return read;
    }
  }
  return { body: undefined, unread: [whole] };
}
