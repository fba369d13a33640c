/**
 * Searches for the API request that takes the longest, from the parsed body to the
 * text of the response, and prints each one that takes longer than those before.
 * Half of the requests are random, and half are changes of the longest one so far.
 *
 * Usage: deno run bench/worst_requests.ts [--minutes 10]
 *
 * @module
 */
// deno-lint-ignore-file no-console
import { API } from "../routes/api/mod.ts";
import { draw } from "../routes/api/endpoint.ts";
import { Problem } from "../routes/problem.ts";
import { readOptions } from "./options.ts";

type Body = Record<string, unknown>;

const ASCII = Array.from(
  { length: 94 },
  (_, i) => String.fromCharCode(33 + i),
).filter((c) => c !== "]" && c !== "-").join("");
const CLASSES = ["lower", "upper", "digit", "special", "ascii-printable"];

const below = (n: number) => Math.floor(Math.random() * n);
const pick = <T>(list: readonly T[]) => list[below(list.length)]!;

/** A class of random characters, or a named one. */
function randomClass(): string {
  if (below(3) === 0) return pick(CLASSES);
  const size = pick([1, 1, 2, 3, 8, 30]);
  return `[${Array.from({ length: size }, () => pick([...ASCII])).join("")}]`;
}

function randomRules(): string {
  const required = Array.from(
    { length: below(8) },
    () => `required: ${randomClass()}`,
  );
  const limits = ["max-repeating", "max-sequential", "max-consecutive"]
    .filter(() => below(2) === 0).map((name) => `${name}: ${1 + below(4)}`);
  const lengths = below(3) === 0 ? [`minlength: ${below(129)}`] : [];
  const allowed = Array.from({ length: 1 + below(3) }, randomClass);
  return [...required, ...limits, ...lengths, `allowed: ${allowed}`].join("; ");
}

/** Values for fields whose values are no booleans, lists or small ranges. */
const OTHERS: Record<string, () => unknown> = {
  passwordRules: randomRules,
  specialCharacterSet: () =>
    [...new Set(ASCII.replace(/\w/g, ""))].sort(() => Math.random() - 0.5)
      .slice(0, 1 + below(32)).join(""),
  count: () => pick([1, 2, 17, 50, 100, 100]),
  minimumEntropy: () => pick([1, 100, 200, 400, 512]),
};

/** A random value of a field. */
function randomValue(type: string, name: string): unknown {
  const { range, values } = API[`/api/pwgen/${type}`]!.fields[name]!;
  if (OTHERS[name]) return OTHERS[name]();
  if (range) return range[0] + below(range[1] - range[0] + 1);
  return values ? pick(values) : below(2) === 0;
}

/** Fields that passwordRules replaces, so that the request is not refused. */
const REPLACED = /^(lower|upper|numb|special|swedish)/;

function change(type: string, body: Body): Body {
  const changed = { ...body };
  const names = Object.keys(API[`/api/pwgen/${type}`]!.fields);
  for (let i = 0; i <= below(4); i++) {
    const name = pick(names);
    if (below(4) === 0) delete changed[name];
    else changed[name] = randomValue(type, name);
  }
  if (changed["passwordRules"]) {
    for (const name of names) if (REPLACED.test(name)) delete changed[name];
  }
  return changed;
}

/** The time of a request in milliseconds, and the reason if it is refused. */
function respond(type: string, body: Body): [ms: number, refused: string] {
  const start = performance.now();
  const requested = API[`/api/pwgen/${type}`]!.passwords(body);
  JSON.stringify(
    requested.errors
      ? Problem.ofFields(requested.errors).details("")
      : draw(type as "words", requested),
  );
  const ms = performance.now() - start;
  return [ms, Object.keys(requested.errors ?? {}).join()];
}

const { minutes } = readOptions({ minutes: 10 });
const end = performance.now() + minutes * 60_000;
const worst: Record<string, { ms: number; body: Body }> = {};
let requests = 0;
while (performance.now() < end) {
  const type = pick(["characters", "characters", "words", "sentence"]);
  const known = worst[type]?.body ?? {};
  const body = change(type, below(2) === 0 ? known : change(type, {}));
  requests++;
  let [ms, refused] = respond(type, body);
  // The machine has other work, so the shortest of many times counts.
  for (let i = 0; i < 30 && ms > (worst[type]?.ms ?? 0); i++) {
    ms = Math.min(ms, respond(type, body)[0]);
  }
  if (ms <= (worst[type]?.ms ?? 0)) continue;
  worst[type] = { ms, body };
  console.log(
    `${ms.toFixed(2)} ms ${type} ${JSON.stringify(body)}${
      refused && ` (refused: ${refused})`
    }`,
  );
}
console.log(`${requests} requests`);
