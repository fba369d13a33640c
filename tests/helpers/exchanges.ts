/**
 * Requests to a new service, each as a row of text (rows.ts).
 *
 * | column  | cell                                       | blank                    |
 * | ------- | ------------------------------------------ | ------------------------ |
 * | flags   | the settings of the service                | the default settings     |
 * | state   | `stopping`, `draining` or `failing`: every | it serves                |
 * |         | decision about the rate limit fails        |                          |
 * | peer    | the address of the socket                  | 192.0.2.1                |
 * | before  | requests that come first, such as `60 GET  | none                     |
 * |         | / from ::1`; a POST is as the row says     |                          |
 * | ms      | how long after them the request comes      | 0                        |
 * | request | method and path                            | never                    |
 * | body    | the text that a POST sends                 | `{}`                     |
 * | status  | the status code                            | never                    |
 * | text    | a part of the body; `""` is no body        | any body                 |
 * | errors  | the names in `errors` of a 400, sorted     | the body has no `errors` |
 * | log     | level, id of the request and begin of each | no line                  |
 * |         | line, with ` + ` between them              |                          |
 * | access  | method, route and id of the request in the | no line                  |
 * |         | only line of the access log                |                          |
 * | others  | the value of the header field of this name | no such field            |
 *
 * A table has only the columns that it needs. Another column is blank before `=>`, and
 * not compared after it. A POST has the Content-Type application/json, unless a column
 * says another one.
 *
 * `everyResponse()` says what must come besides, whatever the row is, and `readLog()`
 * what each line must be. A row with GET is also sent as HEAD, and the header fields
 * must be the same.
 *
 * @module
 */
import { assert, assertEquals, assertMatch } from "@std/assert";
import type { Dependencies } from "../../app.ts";
import { assertCells, begin, type Cells, nameOf, readTable } from "./rows.ts";
import { ask, FAILING, handlerFor, postInit, readProblem } from "./service.ts";

const PEER = "192.0.2.1";
const HTML = "text/html; charset=utf-8";

/** What differs in a service of this state. */
const STATES: Record<string, Partial<Dependencies>> = {
  serving: {},
  stopping: { isStopping: () => true },
  draining: { isStopping: () => true, isDraining: () => true },
  failing: FAILING,
};

/** A line of the log: level, message and id of the request. */
type Entry = Parameters<Dependencies["log"]>;

/** Sends a request to a new service; returns the response, and the lines about it. */
async function send(cells: Cells): Promise<[Response, Entry[]]> {
  const { flags, state = "serving", ...others } = cells;
  const { peer = PEER, before, ms = "0", request, body = "{}", ...fields } =
    others;
  const lines: Entry[] = [];
  let now = 1_000_000.125;
  const handler = await handlerFor(flags?.split(" ") ?? [], {
    log: (...entry) => void lines.push(entry),
    now: () => now,
    ...STATES[state],
  });
  const call = (request: string, peer: string) => {
    const [method, path] = request.split(" ") as [string, string];
    const init = method === "POST"
      ? postInit(body, fields)
      : { method, headers: fields };
    return handler(new Request(`http://localhost${path}`, init), peer);
  };
  for (const requests of before?.split(", ") ?? []) {
    const [, count, first, from = peer] = /^(\d+) (.*?)(?: from (.*))?$/
      .exec(requests)!;
    for (let i = 0; i < Number(count); i++) await call(first!, from);
  }
  now += Number(ms);
  return [await call(request!, peer), lines];
}

/** The policy of a page; tests/routes/site/page/mod_test.ts reads it. */
const POLICY = (await ask("/docs")).headers.get("content-security-policy")!;

const isPage = (headers: Headers) => headers.get("content-type") === HTML;

/** What every response must have. Besides, each error is a problem or a page. */
function everyResponse(headers: Headers): Cells {
  const isOpen = headers.has("access-control-allow-origin");
  const exposed = "Retry-After, RateLimit, RateLimit-Policy, Entropy-Bits";
  return {
    "x-content-type-options": "nosniff",
    // A document has an ETag, by which a cache asks whether it has changed.
    "cache-control": headers.has("etag") ? "no-cache" : "no-store",
    "content-security-policy": isPage(headers) ? POLICY : "",
    "cross-origin-resource-policy": isPage(headers) ? "same-origin" : "",
    "permissions-policy": isPage(headers) ? "any" : "",
    "access-control-expose-headers": isOpen ? exposed : "",
    "access-control-allow-credentials": "",
  };
}

/** The cells `log` and `access`. */
function readLog(lines: Entry[], sent: Cells, wanted: Cells, status: number) {
  const [access, others] = [true, false].map((isAccess) =>
    lines.filter(([level]) => (level === "access") === isAccess)
  ) as [Entry[], Entry[]];
  const begins = (wanted.log ?? "").split(" + ");
  const found = others.map(([level, message, id], i) => {
    const text = `${id ? `${level} ${id}` : level}: ${message}`;
    // A warning has no address but the one that the row names.
    const isNamed = level !== "warning" ||
      !/\d|hidden/.test(text.replace(begins[i] ?? "", ""));
    return isNamed ? begin(text, begins[i]) : text;
  });
  const cells: Cells = { log: found.join(" + "), access: "" };
  for (const [, line] of sent.before ? access.slice(-1) : access) {
    assertEquals(cells.access, "", "a second line");
    const { time, method, route, ms, requestId: id = "", ...rest } = JSON.parse(
      line,
    );
    assertMatch(line, /^{"time":"[^"]*","level":"info","method":"/);
    assertEquals(new Date(time).toISOString(), time);
    assert(ms >= 0);
    assertEquals(rest, { level: "info", status });
    assert(!line.includes("hunter2") && !line.includes(sent.peer ?? PEER));
    cells.access = `${method} ${route} ${id}`.trim();
  }
  return cells;
}

/** Sends a request, and compares the response with a row. */
async function exchange(sent: Cells, row: Cells): Promise<void> {
  const [response, lines] = await send(sent);
  const { status, headers } = response;
  const body = await response.clone().text();
  const [method, path] = sent.request!.split(/[ ?]/);
  const isEmpty = row.text === '""';
  let errors = {};
  if (status >= 400 && !isPage(headers) && !isEmpty) {
    const instance = path!.length > 200 ? null : path!;
    ({ errors = {} } = await readProblem(response, status, instance));
  }
  const came = {
    ...Object.fromEntries(headers),
    ...readLog(lines, sent, row, status),
    status: String(status),
    text: isEmpty && body === "" ? '""' : body,
    errors: Object.keys(errors).sort().join(", "),
  };
  assertCells(came, { ...everyResponse(headers), ...row });
  if (method === "GET") {
    const request = sent.request!.replace("GET", "HEAD");
    const [head] = await send({ ...sent, request });
    assertEquals([head.status, head.body], [status, null], "HEAD");
    // tests/middleware/head_test.ts compares Content-Length, over a connection.
    head.headers.delete("content-length");
    headers.delete("content-length");
    assertEquals([...head.headers], [...headers], "HEAD");
  }
}

/** Registers a test for each row of tables, which have a subject as their name. */
export function testExchanges(tables: Readonly<Record<string, string>>): void {
  for (const [subject, table] of Object.entries(tables)) {
    for (const [sent, wanted] of readTable(table)) {
      Deno.test(nameOf(subject, sent), () => exchange(sent, wanted));
    }
  }
}
