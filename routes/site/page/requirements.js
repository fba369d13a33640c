/**
 * What a web site says about passwords, in English or Swedish, and the Password Rules
 * language. A clause that is not understood completely has no effect, and is named.
 *
 * @module
 */

/**
 * @typedef {object} Requirements
 * @property {string} minlength digits; "" for none
 * @property {string} maxlength digits; "" for none
 * @property {boolean} lower whether the password has letters a-z; without, it must not
 * @property {boolean} upper
 * @property {boolean} digit
 * @property {boolean} special
 * @property {string} characters the only special characters; "" for all
 * @property {string} repeating most equal characters in a row, digits; "" for none
 */

const KINDS = ["lower", "upper", "digit", "special"];

/** The special characters of the service. */
const SPECIAL = "!#$%&()*+,-./:;<=>?@[]^_{|}~";

/** The special characters in a text, where commas may separate single ones. */
function signsIn(text) {
  const special = text.replace(/[^!-~]|[a-z\d]/gi, " ");
  const single = special.split(/[\s,]+/).filter(Boolean);
  const isList = single.length > 1 &&
    single.every(({ length }) => length === 1);
  return [...new Set(isList ? single : special.replaceAll(" ", ""))].join("");
}

/** A class of the Password Rules language: "-" stands first in it, "]" last. */
function classOf(text) {
  const signs = signsIn(text);
  const others = signs.replace(/[-\]]/g, "");
  const first = signs.includes("-") ? "-" : "";
  const last = signs.includes("]") ? "]" : "";
  return signs ? `[${first}${others}${last}]` : "special";
}

/**
 * Writes requirements as a rule that requires each kind.
 *
 * @param {Requirements} requirements without any kind, no password meets the rule
 * @returns {string} the rule
 */
export function ruleOf(
  { minlength, maxlength, repeating, characters, ...has },
) {
  const kinds = KINDS.filter((kind) => has[kind]);
  return [
    minlength && `minlength: ${minlength};`,
    maxlength && `maxlength: ${maxlength};`,
    repeating && `max-repeating: ${repeating};`,
    ...kinds.map((kind) =>
      `required: ${kind === "special" ? classOf(characters) : kind};`
    ),
    kinds.length === 0 && "allowed: [];",
  ].filter(Boolean).join(" ");
}

const NONE = {
  ...{ minlength: "", maxlength: "", repeating: "", characters: "" },
  ...{ lower: false, upper: false, digit: false, special: false },
};

/** The names of numbers in the language of rules. */
const NUMBERS = {
  minlength: "minlength",
  maxlength: "maxlength",
  "max-repeating": "repeating",
};

/**
 * Reads a rule, in any order and with any spaces.
 *
 * @param {string} rule any text
 * @returns {Requirements | undefined} undefined if they cannot express the rule
 */
export function requirementsOf(rule) {
  const result = { ...NONE };
  // A class that does not end takes the rest, so that nothing is searched twice.
  for (const statement of rule.match(/(\[[^\]]*(\]?\]|$)|[^;[])+/g) ?? []) {
    const [, name, text] = /^\s*([a-z-]+)\s*:(.*)$/s.exec(statement) ??
      [undefined, "", statement];
    const value = text.trim();
    const isClass = /^\[.+\]$/.test(value);
    const kind = isClass ? "special" : value;
    const number = NUMBERS[name];
    if (name === "" && value === "") continue;
    if (name === "allowed" && value === "[]") continue;
    if (/^\d+$/.test(value) && result[number] === "") result[number] = value;
    else if (name === "required" && result[kind] === false) {
      result[kind] = true;
      if (isClass) result.characters = value.slice(1, -1);
    } else return undefined;
  }
  // A class with a letter, for example, is more than special characters.
  const { characters } = result;
  return characters && classOf(characters) !== `[${characters}]`
    ? undefined
    : result;
}

/** Words for numbers from 1, in both languages. */
const WORDS =
  "one|en|ett two|två|tvåsiffrig three|tre four|fyra|fyr five|fem six|sex seven|sju eight|åtta nine|nio ten|tio eleven|elva twelve|tolv thirteen|tretton fourteen|fjorton fifteen|femton sixteen|sexton seventeen|sjutton eighteen|arton nineteen|nitton twenty|tjugo"
    .split(" ").flatMap((words, i) =>
      words.split("|").map((word) => [word, i + 1])
    );
const NUMBER_OF_WORD = new Map(WORDS);

/** Words that are rewritten before a clause is read; "~" stands for "not". */
const REWRITTEN = [
  [/\bA ?(?:-|–|to|through|till) ?Z\b/g, " versaler "],
  [/\ba ?(?:-|–|to|through|till) ?z\b/g, " gemener "],
  [/\b0 ?(?:-|–|to|through|till) ?9\b/g, " siffror "],
  [/["“][^"“”\n]*["”]|\bbase 10\b|(?<!\p{L})\p{L}+\d+/gu, " "],
];

const OPERATORS = [
  [
    /(?:no|not|inte) (?:fewer|less|mindre|färre|kortare) (?:than|än)|at least|minst\p{L}*|\bmin(?:imum|imi\p{L}*)?\b\.?(?: (?:of|length))?/gu,
    " >= ",
  ],
  [
    /(?:no|not|cannot|can't|inte)(?: be| vara)? (?:more|longer|greater|mer|fler|längre) (?:than|än)|(?:cannot|not|inte) (?:exceed|överstiga)|at most|up to|högst\p{L}*|upp till|\bmax(?:imum|imal\p{L}*)?\b\.?(?: (?:of|length))?/gu,
    " <= ",
  ],
  [/(?<!\d)(\d+) ?\+/g, " >= $1 "],
  [/(?:more|longer|greater|mer|fler|längre) (?:than|än)/g, " > "],
  [/(?:fewer|less|shorter|mindre|färre|kortare) (?:than|än)/g, " < "],
  [
    /(?<!\d)(\d+)( (?:characters?|tecken|digits|siffror))? (?:or|eller) (?:more|longer|fler|mer|längre)/g,
    " >= $1$2 ",
  ],
  [
    /(?<!\d)(\d+)( (?:characters?|tecken|digits|siffror))? (?:or|eller) (?:fewer|less|färre|mindre)/g,
    " <= $1$2 ",
  ],
];

/** What is no requirement, whatever numbers it has. */
const ADVICE =
  /å, ?ä|åäö|\b(?:previous|former|last|senaste|tidigare|history|svenska|swedish|accent|expires?|days|dagar|months|månader|giltighet|recommend|rekommend|suggest|phone|telefon|e-?mail|e-post|person(?:nummer|al))/;

/** What every random password meets. */
const HARMLESS =
  /\b(?:space|blank|mellanslag|blanksteg|user ?name|names?|namn|användar|birth|födelse|dictionar|ordlist|common|vanlig|leak|läck|change|byt|share|dela|lämna|case.?sensitive|skiljer|match|other web|easy|lätt|guess|gissa|too short|för kort|requirements|krav på|krav\b.*:|longer is|obs|sorry|oj)/;

/** What the language of rules cannot say. */
const BEYOND =
  /¤|\b(?:begin|start|börja|end(?:s|ing)? with|sluta|differ|skilja sig|sequen|sekvens|keyboard|tangentbord)/;

/** Stands for signs whose meaning is not clear. */
const UNCLEAR = " ¤ ";

const OPTIONAL =
  /no requirement|not required|inget krav|krävs inte|behöver inte|\b(?:may|can|tillåt|allowed|permitted|optional|får|kan)/;
const NEGATION =
  /\b(?:no|not|never|without|cannot|inga?|inget|inte|ej|utan|aldrig|avoid)\b|n[’']t\b/;
const ONLY = /\b(?:only|solely|endast|bara|enbart)\b/;

const PATTERNS = {
  upper: /\bupper|\bcapital|versal|\bstora?\b/,
  lower: /\blower|\bsmall\b|gemen|\bsmå\b|\bliten\b/,
  digit: /\bdigits?\b|\bnumbers?\b|numer|siffr/,
  special: /special|symbol|punctuation|skiljetecken|non-?alpha/,
};
const LETTERS = /letter|bokst|(?<!non-?)alpha/;

/** The kinds in a clause. Letters of no case are both. */
function kindsIn(clause) {
  const kinds = KINDS.filter((kind) => PATTERNS[kind].test(clause));
  const hasCase = kinds.includes("lower") || kinds.includes("upper");
  if (/(?<!non-?)alphanumeric|alfanumer/.test(clause)) kinds.push("digit");
  return LETTERS.test(clause) && !hasCase
    ? [...kinds, "lower", "upper"]
    : kinds;
}

/** Reads the lengths in a clause into `result`, and returns what is left of it. */
function readLengths(clause, result, isLeast) {
  const rest = clause
    .replace(
      /(?<!\d)(\d+) ?(?:-|–|—|to|till|and|och) ?(?:<= )?(\d+)/,
      (_, from, to) => {
        [result.minlength, result.maxlength] = [from, to];
        return "";
      },
    )
    .replace(/(>=|<=|>|<)[^\d<>]{0,30}(\d+)/g, (_, operator, number) => {
      const name = operator.startsWith(">") ? "minlength" : "maxlength";
      const step = { ">": 1, "<": -1 }[operator] ?? 0;
      result[name] = String(Number(number) + step);
      return "";
    });
  return rest.replace(/(\d+)/, (_, number) => {
    result.minlength = number;
    if (!isLeast) result.maxlength = number;
    return "";
  });
}

/** Reads one clause. Returns the changed requirements; undefined if it is unclear. */
function readClause(clause, signs, isPin, isLeast) {
  const isNegative = NEGATION.test(clause) &&
    !/no requirement|inget krav/.test(clause);
  const result = {};
  if (BEYOND.test(clause)) return undefined;
  if (
    /identical|same|equal|repeat|likadana|\blika\b|samma|upprep/.test(clause) &&
    /\brow\b|consecutiv|\brad\b|följd|repeat|upprep|varandra/.test(clause)
  ) {
    const [number] = clause.match(/\d+/g)?.slice(-1) ?? ["1"];
    // "3 or more" is too many.
    const most = Number(number) - (/>= \d/.test(clause) ? 1 : 0);
    return isNegative || /<=|>/.test(clause)
      ? { repeating: String(most) }
      : undefined;
  }
  if (ADVICE.test(clause)) return { always: true };
  if (HARMLESS.test(clause) && !/\d{1,3}.*(?:character|tecken)/.test(clause)) {
    return { always: true };
  }
  const kinds = kindsIn(clause);
  // "3 of the following 4 groups" is met by all of them.
  let rest = clause.replace(
    /\b\d+ (?:of|av)\b[^:\d]{0,40}\d*[^:\d]{0,40}?(?:groups?|grupper|categories|kategorier|types?|typer|following|följande)/,
    "",
  )
    .replace(/(>= )?\b1\b(?! ?[-–])/g, "");
  const isLength = /\btecken|character|\bchars?\b|lång|length|längd|long\b/
    .test(rest.replace(/special\p{L}*( characters?)?/gu, ""));
  const isDigits = isPin || ONLY.test(clause) && kinds.join() === "digit";
  const hasNumber = /\d/.test(rest);
  const isRange = /\d ?(?:-|–|to|till) ?\d/.test(rest);
  if (hasNumber && (isLength || isRange || isDigits || kinds.length === 0)) {
    rest = readLengths(rest, result, isLeast);
  }
  const required = Object.fromEntries(kinds.map((kind) => [kind, true]));
  // No rule can require two characters of a kind.
  if (/\d/.test(rest)) {
    return isNegative ? undefined : { ...required, unclear: true };
  }
  if (/no requirement|inget krav/.test(clause)) return result;
  // One of several kinds.
  if (
    /\b(?:or|eller)\b/.test(rest) && kinds.length > 1 && !hasNumber &&
    !isNegative
  ) return undefined;
  const list = signs(clause);
  if (list) {
    if (!isNegative) {
      return { ...result, special: true, characters: list };
    }
    const others = [...SPECIAL].filter((sign) => !list.includes(sign));
    return { ...result, characters: others.join("") };
  }
  if (isDigits && kinds.includes("digit")) {
    return {
      ...result,
      lower: false,
      upper: false,
      digit: true,
      special: false,
    };
  }
  if (ONLY.test(clause) || /(?<!non-?)alphanumeric|alfanumer/.test(clause)) {
    if (kinds.length === 0) return undefined;
    for (const kind of KINDS) if (!kinds.includes(kind)) result[kind] = false;
    return result;
  }
  if (isNegative) {
    return {
      ...result,
      ...Object.fromEntries(kinds.map((kind) => [kind, false])),
    };
  }
  if (OPTIONAL.test(clause) && !hasNumber) return result;
  return { ...result, ...required };
}

/** A run of signs, such as "(!@#$)", "- _ . !" or "!, # or %". */
const SIGNS =
  /(?<![\p{L}\d])(?:[^\p{L}\d\s](?:[ ,]|\b(?:or|eller|and|och)\b)*){2,}/gu;
const EXAMPLES =
  /(?:e\. ?g\.?|for example|such as|like|examples?|exempel|t\. ?ex\.?|till exempel|exempelvis)[,:]?\s*$/i;

/** Where another clause begins: a line, a sentence, or a conjunction before a verb. */
const BREAK =
  /[\n;•✓]|[.!?](?=\s|$)|(?:,\s(?:(?:and|och|but|men|samt|varav|with|med|which)\s)?|\s(?:and|och|but|men|samt|varav|with|med)\s)(?=(?:>=|<=|>|<|no|not|must|cannot|can't|should|ska|måste|får|inga?|inte|utan|without|(?:the )?only|endast|bara|use|contain|include|innehåll\p{L}*|vara|börja|begin|start|samma|the same|1|\d+ of|\d+ av)(?:\s|$))/u;

/** Where a sentence ends, for the person who wrote it. */
const SENTENCE = /[\n;•✓]|(?<!\b(?:min|max|t\.ex|e\.g|bl\.a)\.)(?<=[.!?])\s/i;

/** The name of a list of signs in a clause. */
const NAMES = "abcdefghij";

/** Replaces each list of signs by "§", its name and "§", and adds it to `lists`. */
function markSigns(text, lists) {
  return text.replace(SIGNS, (run, at) => {
    const trimmed = run.replace(/^[("“'\s:*]+|[("”'\s.,:)]+$/g, "");
    const signs = signsIn(trimmed);
    const isText = signs.replace(/[().,:;'"-]/g, "") === "" || signs.length < 2;
    if (isText || lists.length === NAMES.length) return run;
    // Such as "hyphen (-), underscore (_)".
    if (/^[^(]*\)/.test(trimmed)) return UNCLEAR;
    const end = /\.\s*$/.test(run) ? ". " : " ";
    if (EXAMPLES.test(text.slice(Math.max(0, at - 20), at))) return end;
    lists.push({ signs, run: run.trim() });
    return ` §${NAMES[lists.length - 1]}§${end}`;
  });
}

/** Writes numbers as digits, and what is said in many ways in one. */
function rewrite(sentence) {
  let result = sentence;
  for (const [pattern, word] of REWRITTEN) {
    result = result.replace(pattern, word);
  }
  result = result.toLowerCase()
    .replace(/\p{L}+/gu, (word) => {
      const [, number, digits = ""] = /^(.*?)(siffrig.*)?$/.exec(word);
      const known = NUMBER_OF_WORD.get(number);
      return known && digits ? `${known} siffror` : known ?? word;
    })
    .replace(/(?<!\d)(\d+)-(?=digit|char|siffr)/g, "$1 ");
  for (const [pattern, word] of OPERATORS) {
    result = result.replace(pattern, word);
  }
  return result.replace(/ +/g, " ");
}

/** The rule in a text: the whole text, or an attribute of an element. */
function ruleIn(text) {
  const [, quoted, single] =
    /passwordrules\s*=\s*(?:"([^"]*)"|'([^']*)')/i.exec(text) ?? [];
  const isRule =
    /^\s*(?:(?:required|allowed|m(?:in|ax)length|max-[a-z]+)\s*:[^\n:]+(?:;|$)\s*)+$/i
      .test(text);
  return quoted ?? single ?? (isRule ? text.trim() : undefined);
}

/**
 * Reads what a site says: sentences, or the Password Rules language, also in an
 * attribute or an `<input>`.
 *
 * @param {string} text any text
 * @returns {{ requirements: Requirements, rule: string | undefined, stated: string[], unknown: string[] }}
 *   the requirements; the rule if the text has one; the names of what the text says,
 *   with "always" for what every random password meets; and the sentences that are
 *   not understood completely
 */
export function readRequirements(text) {
  const requirements = { ...NONE, lower: true, upper: true, digit: true };
  const [stated, unknown] = [new Set(), new Set()];
  const plain = text.replace(/&quot;|&#34;/g, '"').replace(/&#39;/g, "'")
    .replaceAll("§", " "); // which markSigns() writes
  const rule = ruleIn(plain);
  const result = () => ({
    requirements,
    rule,
    stated: [...stated],
    unknown: [...unknown],
  });
  if (rule !== undefined) {
    Object.assign(requirements, requirementsOf(rule));
    return result();
  }
  if (/^\s*<input/i.test(plain)) {
    for (const name of ["minlength", "maxlength"]) {
      const [, number] = RegExp(`\\s${name}=["']?(\\d+)`, "i").exec(plain) ??
        [];
      if (number === undefined) continue;
      requirements[name] = number;
      stated.add(name);
    }
    return result();
  }

  const lists = [];
  const marked = markSigns(plain, lists);
  const whole = rewrite(marked);
  // A heading such as "At least:".
  const isLeast = />= ?:? ?\n/.test(whole);
  const isPin = /\bpin\b|passcode|\bkod(?:en)?\b/.test(whole);
  const nameIn = (clause) => NAMES.indexOf(/§(\w)§/.exec(clause)?.[1] ?? "-");
  const signs = (clause) => lists[nameIn(clause)]?.signs;
  for (const sentence of marked.split(SENTENCE)) {
    for (const clause of rewrite(sentence).split(BREAK)) {
      if (!clause?.trim()) continue;
      const { unclear, ...changes } =
        readClause(clause, signs, isPin, isLeast) ?? { unclear: true };
      Object.assign(requirements, changes);
      for (const name of Object.keys(changes)) stated.add(name);
      if (!unclear) continue;
      unknown.add(
        sentence.replace(
          / ?§(\w)§/g,
          (_, name) => lists[NAMES.indexOf(name)].run,
        )
          .replaceAll("¤", "…").trim().slice(0, 200),
      );
    }
  }
  delete requirements.always;
  return result();
}
