/**
 * Measures the cost of long header fields: of each field that the service or a
 * library reads, with several repeated patterns, compared with a field that
 * nothing reads. Exits with 1 if a field costs 1 ms more.
 *
 * Usage: deno task bench:headers
 *
 * @module
 */
// deno-lint-ignore-file no-console
import { handlerFor } from "../tests/helpers/service.ts";
import { median } from "../tests/helpers/statistics.ts";

const MAX_MORE_MS = 1;
// The longest value that most fields may have, and two that are not read.
const SIZES = [1000, 16 * 1024, 60 * 1024];
const UNREAD = "x-unread";
/** The fields, each with a request for which the service reads it. */
const FIELDS: [name: string, method: string, path: string][] = [
  ["host", "POST", "/api/pwgen/words"],
  ["content-type", "POST", "/api/pwgen/words"],
  ["content-length", "POST", "/api/pwgen/words"],
  ["x-forwarded-for", "POST", "/api/pwgen/words"],
  ["x-forwarded-proto", "POST", "/api/pwgen/words"],
  ["accept", "POST", "/api/pwgen/words"],
  ["x-request-id", "POST", "/api/pwgen/words"],
  ["accept-language", "GET", "/"],
  ["accept-encoding", "GET", "/openapi/v1.json"],
  ["if-none-match", "GET", "/openapi/v1.json"],
];
/** The repeated parts of the values. */
const PATTERNS = [
  ...["a", "1", ",", " ", ";", "\t;", "sv,", 'W/"x", ', '"', "%", "/"],
  ...["127.0.0.1, ", "::1,", 'a="\\"";', ";a=b", "application/json;"],
  ...["br;q=0.5,", "text/plain;q=0.5,", "https,"],
];
/** The valid start of a value. */
const PREFIXES: Record<string, string> = {
  "accept": "text/plain",
  "content-type": "application/json",
  "host": "localhost",
};

const handler = await handlerFor(
  ["--trusted-proxies=loopback", "--rate-limit=10000", "--access-log=json"],
  { log: () => {} },
);

/** The median time of the handler, in milliseconds. */
async function cost(
  method: string,
  path: string,
  headers: Record<string, string>,
): Promise<number> {
  const times: number[] = [];
  for (let i = 0; i < 15; i++) {
    const request = new Request(`http://localhost${path}`, {
      method,
      headers: { "content-type": "application/json", ...headers },
      ...(method === "POST" && { body: "{}" }),
    });
    const start = performance.now();
    const response = await handler(request, "127.0.0.1");
    times.push(performance.now() - start);
    await response.body?.cancel();
  }
  return median(times);
}

let worst = 0;
console.log(
  "field             characters: ms more than an unread field (worst pattern)",
);
for (const [name, method, path] of FIELDS) {
  const results: string[] = [];
  for (const size of SIZES) {
    let most = { ms: -Infinity, pattern: "" };
    for (const pattern of PATTERNS) {
      // Without the x, trailing blanks would not be part of the value (RFC
      // 9110, section 5.5).
      const value = `${
        ((PREFIXES[name] ?? "") + pattern.repeat(size)).slice(0, size - 1)
      }x`;
      const unread = await cost(method, path, { [UNREAD]: value });
      const ms = await cost(method, path, { [name]: value }) - unread;
      if (ms > most.ms) most = { ms, pattern };
    }
    worst = Math.max(worst, most.ms);
    results.push(
      `${size}: ${most.ms.toFixed(3)} (${JSON.stringify(most.pattern)})`,
    );
  }
  console.log(`${name.padEnd(18)}${results.join("   ")}`);
}
console.log(`worst: ${worst.toFixed(3)} ms`);
if (worst > MAX_MORE_MS) Deno.exitCode = 1;
