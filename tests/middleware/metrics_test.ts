import { assert, assertEquals } from "@std/assert";
import type { ServerHandler } from "../../app.ts";
import { tempDir } from "../helpers/files.ts";
import {
  end,
  isInstalled,
  post,
  ROOT,
  serve,
  spawn,
  TLS,
  tlsClient,
  unless,
  until,
} from "../helpers/program.ts";
import {
  ask,
  FAILING,
  handlerFor,
  postInit,
  readProblem,
  service,
} from "../helpers/service.ts";

const WORDS = "/api/pwgen/words";

/** Reads the text format: the value of each series by its text. */
function parse(text: string): Record<string, number> {
  const samples = text.matchAll(/^([^#].*) (\S+)$/gm);
  return Object.fromEntries(
    samples.map(([, series, value]) => [series, Number(value)]),
  );
}

/** Reads the metrics of a handler. */
async function scrape(handler: ServerHandler): Promise<Record<string, number>> {
  return parse(await (await ask("/metrics", {}, handler)).text());
}

/** The name of the series that counts requests. */
function requests(route: string, status: number): string {
  return `pwgen_requests_total{route="${route}",status="${status}"}`;
}

/** The name of the series that counts decisions. */
function decisions(outcome: string, by: "memory" | "store"): string {
  return `pwgen_rate_limit_decisions_total{outcome="${outcome}",decided_by="${by}"}`;
}

Deno.test("GET /metrics exists only with --metrics=on, for GET and HEAD, and no cache keeps it", async () => {
  await readProblem(await ask("/metrics"), 404, "/metrics");
  const { handler } = await service("--metrics=on");
  const { headers } = await ask("/metrics", {}, handler);
  assertEquals(headers.get("cache-control"), "no-store");
  const head = await ask("/metrics", { method: "HEAD" }, handler);
  assertEquals([head.status, head.body], [200, null]);
  const other = await ask("/metrics", { method: "POST" }, handler);
  await readProblem(other, 405, "/metrics");
});

Deno.test("every response is counted by route and status, and nothing else of a request", async () => {
  const { handler } = await service("--metrics=on", "--rate-limit=2");
  const secret = "hunter2";
  const cases: [string, string, body?: string | null, host?: string][] = [
    ["POST", WORDS, "{}"],
    ["POST", WORDS, `{"casing":"${secret}"}`],
    ["POST", WORDS, "{}"], // above the limit
    ["GET", WORDS],
    [secret, WORDS],
    ["HEAD", "/"],
    ["GET", "/"],
    ["GET", "/", null, `${secret}/`],
    ["GET", "/healthz"],
    ["GET", `/${secret}`],
    ["GET", `/metrics"} 1\n${secret}`],
  ];
  for (const [method, path, body = null, host = "localhost"] of cases) {
    const headers = { "content-type": "application/json", cookie: secret };
    const request = new Request(`http://localhost${path}?${secret}`, {
      method,
      headers: { ...headers, host, "user-agent": secret },
      body,
    });
    await handler(request, "192.0.2.77");
  }
  const text = await (await ask("/metrics", {}, handler)).text();
  assert(!/hunter2|192\.0/.test(text), text);
  const counted = Object.entries(parse(text)).filter(([name, count]) =>
    name.startsWith("pwgen_requests_total") && count > 0
  );
  assertEquals(Object.fromEntries(counted), {
    [requests(WORDS, 200)]: 1,
    [requests(WORDS, 400)]: 1,
    [requests(WORDS, 429)]: 1,
    [requests(WORDS, 405)]: 2,
    [requests("/", 200)]: 2,
    [requests("/healthz", 200)]: 1,
    [requests("other", 400)]: 1,
    [requests("other", 404)]: 2,
  });
  // What an alert needs is 0 from the start.
  const failing = await handlerFor(["--metrics=on"], FAILING);
  for (const count of [0, 1]) {
    assertEquals((await scrape(failing))[requests(WORDS, 500)], count);
    await ask(WORDS, postInit(), failing);
  }
});

Deno.test("the state of limiter, log, bodies and responses is shown, and decisions are counted by outcome and by who decided", async () => {
  const next = [4, 1, 2, 2, 3, 3, 3, 4, 4, 4].map((n) => ({
    admitted: n % 2 === 0,
    byStore: n > 2,
    remaining: 0,
    resetMs: 1,
  }));
  const handler = await handlerFor(["--metrics=on"], {
    limiter: {
      size: 5,
      evicted: 6,
      outages: 7,
      isConnected: false,
      admit: async () => next.pop()!,
    },
    lostLines: () => 8,
  });
  while (next.length > 1) await ask(WORDS, postInit(), handler);
  const body = new TransformStream<Uint8Array, Uint8Array>();
  const init = { ...postInit(), body: body.readable };
  const pending = ask(WORDS, init, handler);
  await until(async () => (await scrape(handler)).pwgen_pending_bodies === 1);
  const info = { completed: new Promise<void>(() => {}) };
  await handler(new Request("http://localhost/"), "192.0.2.1", info);
  const series = await scrape(handler);
  const expected = {
    [decisions("refused", "memory")]: 1,
    [decisions("admitted", "memory")]: 2,
    [decisions("refused", "store")]: 3,
    [decisions("admitted", "store")]: 4,
    pwgen_rate_limit_clients: 5,
    pwgen_rate_limit_clients_evicted_total: 6,
    pwgen_rate_limit_store_outages_total: 7,
    pwgen_rate_limit_store_outage: 1,
    pwgen_log_lines_lost_total: 8,
    pwgen_unread_responses: 1,
    pwgen_pending_bodies: 1,
  };
  for (const [name, value] of Object.entries(expected)) {
    assertEquals(series[name], value, name);
  }
  assert(series.process_resident_memory_bytes! > 1e6);
  assert(series.process_cpu_seconds_total! > 0);
  const start = series.process_start_time_seconds! * 1000;
  assert(Math.abs(start - performance.timeOrigin) < 1);
  await body.writable.close();
  assertEquals((await pending).status, 400);
  // Without a store and a certificate there is nothing about them.
  const alone = await scrape(await handlerFor(["--metrics=on"]));
  assertEquals(alone.pwgen_log_lines_lost_total, 0);
  assert(!Object.keys(alone).some((name) => /outage|tls/.test(name)));
});

Deno.test("the durations are those of API requests with status 200, with the wait for the limiter", async () => {
  let [now, seconds] = [0, 0];
  const limiter = {
    size: 0,
    evicted: 0,
    admit: async () => {
      now += 1000 * seconds;
      return { admitted: true, remaining: 59, resetMs: 1 };
    },
  };
  const options = { limiter, now: () => now };
  const handler = await handlerFor(["--metrics=on"], options);
  for (seconds of [0.0625, 0.5, 2, 10.5]) {
    for (const body of ["{}", "[]"]) await ask(WORDS, postInit(body), handler);
    await ask("/", {}, handler);
  }
  const name = "pwgen_request_duration_seconds";
  const series = await scrape(handler);
  const bounds = ["0.001", "0.005", "0.025", "0.1", "0.5", "2", "10", "+Inf"];
  const buckets = bounds.map((le) => series[`${name}_bucket{le="${le}"}`]);
  assertEquals(buckets, [0, 0, 0, 1, 2, 3, 3, 4]);
  assertEquals([series[`${name}_sum`], series[`${name}_count`]], [13.0625, 4]);
});

const withPromtool = unless(
  await isInstalled("promtool") ? "" : "no promtool (Debian: prometheus)",
);

withPromtool.test("GET /metrics of a process with TLS and a store has exactly the documented metrics, and promtool has no complaint", async () => {
  await using service = await serve({
    task: "start:tls",
    env: {
      ...TLS,
      PWGEN_METRICS: "on",
      PWGEN_RATE_LIMIT_STORE: "redis://127.0.0.1:1", // nothing listens there
    },
  });
  using client = await tlsClient();
  const url = `https://localhost:${service.port}`;
  await (await post(url + WORDS, "{}", {}, { client })).body?.cancel();
  const response = await fetch(`${url}/metrics`, { client });
  const type = "text/plain; version=0.0.4; charset=utf-8";
  assertEquals(response.headers.get("content-type"), type);
  const text = await response.text();
  const series = parse(text);
  assertEquals(series[requests(WORDS, 200)], 1);
  assertEquals(series.pwgen_rate_limit_store_outage, 1);
  // openssl x509 -noout -enddate -in tests/tls/cert.pem
  const expiry = Date.parse("Oct 28 07:44:58 2126 GMT") / 1000;
  assertEquals(series.pwgen_tls_not_after_seconds, expiry);

  const names = [...text.matchAll(/^# HELP (\S+)/gm)].map(([, name]) => name);
  const document = await Deno.readTextFile(`${ROOT}docs/operate.md`);
  const rows = [...document.matchAll(/^\| `((?:pwgen|process)_[a-z_]+)/gm)].map(
    ([, name]) => name,
  );
  assertEquals(names.sort(), rows.sort());

  await using folder = await tempDir();
  const file = `${folder.path}/metrics`;
  await Deno.writeTextFile(file, text);
  const args = ["-c", 'promtool check metrics <"$0"', file];
  const result = await end(spawn("sh", args));
  assertEquals(result, { code: 0, stdout: "", stderr: "" });
});

/** Series with a value per minute, in the notation of promtool. */
type Series = Record<string, string>;

/**
 * An alert of prometheus-rules.yaml: the severities with which it fires, series
 * with which it fires, and series with which it does not.
 */
type AlertCase = [
  alert: string,
  severities: string[],
  bad: Series,
  ...good: Series[],
];

/** When the alerts are evaluated, in minutes. */
const MINUTES = 20;
const [WARNING, CRITICAL] = [["warning"], ["critical"]];
const UP = 'up{job="pwgen-api"}';
const STARTED = 'process_start_time_seconds{job="pwgen-api"}';
const SCRAPED = 'scrape_duration_seconds{job="pwgen-api"}';
const OUTAGE = "pwgen_rate_limit_store_outage";

/** An alert that a counter causes when it increases. */
function onIncrease(alert: string, counter: string): AlertCase {
  return [alert, WARNING, { [counter]: "0x18 1x2" }, { [counter]: "7x20" }];
}

/** A certificate that expires after so many days. */
function expiry(days: number): Series {
  const seconds = MINUTES * 60 + days * 86_400;
  return { pwgen_tls_not_after_seconds: `${seconds}x20` };
}

/** The counts of the histogram in a minute. */
function durations(within: number, all: number): Series {
  return {
    'pwgen_request_duration_seconds_bucket{le="0.5"}': `0+${within}x20`,
    pwgen_request_duration_seconds_count: `0+${all}x20`,
  };
}

/** The decisions in a minute. */
function decided(admitted: number, refused: number): Series {
  return {
    [decisions("admitted", "store")]: `0+${admitted}x20`,
    [decisions("refused", "store")]: `0+${refused / 2}x20`,
    [decisions("refused", "memory")]: `0+${refused / 2}x20`,
  };
}

const ALERTS: AlertCase[] = [
  ["PwgenDown", CRITICAL, { [UP]: "1x17 0x3" }, { [UP]: "1x18 0 1" }],
  ["PwgenAbsent", CRITICAL, { [UP]: "1x14 stale" }, { [UP]: "1x15 stale" }],
  [
    "PwgenRestarts",
    CRITICAL,
    { [STARTED]: "0x15 9 18 27 36 36" },
    { [STARTED]: "0x15 9 18 27 27 27" },
  ],
  onIncrease("PwgenInternalErrors", requests(WORDS, 500)),
  onIncrease("PwgenOverloaded", requests(WORDS, 503)),
  [
    "PwgenOverloaded",
    WARNING,
    { [requests("/", 503)]: "0+9x20" },
    { [requests("/healthz", 503)]: "0+9x20" }, // a process that stops
  ],
  [
    "PwgenSlowRequests",
    WARNING,
    durations(8, 10),
    durations(95, 100),
    durations(0, 1),
  ],
  [
    "PwgenSlowScrapes",
    WARNING,
    { [SCRAPED]: "0.1x4 0.6x16" },
    { [SCRAPED]: "0.4x20" },
    { [SCRAPED]: "0.1x18 3 0.1" },
  ],
  [
    "PwgenRefusals",
    WARNING,
    decided(60, 100),
    // Few of many requests, and a client that needs no attention.
    decided(400, 300),
    decided(0, 50),
  ],
  ["PwgenStoreOutage", WARNING, { [OUTAGE]: "1x20" }, { [OUTAGE]: "1 0x18 1" }],
  onIncrease("PwgenClientsEvicted", "pwgen_rate_limit_clients_evicted_total"),
  onIncrease("PwgenLogLinesLost", "pwgen_log_lines_lost_total"),
  ["PwgenCertificateExpires", WARNING, expiry(13.9), expiry(14.1)],
  ["PwgenCertificateExpires", WARNING, expiry(3.1)],
  ["PwgenCertificateExpires", [...WARNING, ...CRITICAL], expiry(2.9)],
];

withPromtool.test("each alert of prometheus-rules.yaml fires for its reason, and only then", async () => {
  const file = `${ROOT}deploy/prometheus-rules.yaml`;
  const testOf = (alert: string, severities: string[], series: Series) => ({
    interval: "1m",
    input_series: Object.entries(series).map(([series, values]) => ({
      series,
      values,
    })),
    promql_expr_test: [{
      expr:
        `count by (severity) (ALERTS{alertstate="firing",alertname="${alert}"})`,
      eval_time: `${MINUTES}m`,
      exp_samples: severities.map((severity) => ({
        labels: `{severity="${severity}"}`,
        value: 1,
      })),
    }],
  });
  const tests = ALERTS.flatMap(([alert, severities, bad, ...good]) => [
    testOf(alert, severities, bad),
    ...good.map((series) => testOf(alert, [], series)),
  ]);
  await using folder = await tempDir();
  const input = `${folder.path}/tests.yaml`; // JSON is YAML
  await Deno.writeTextFile(
    input,
    JSON.stringify({ rule_files: [file], tests }),
  );
  const args = ["test", "rules", input];
  const { code, stdout, stderr } = await end(spawn("promtool", args));
  assertEquals(code, 0, stdout + stderr);
  const rules = await Deno.readTextFile(file);
  const names = [...rules.matchAll(/alert: (\w+)/g)].map(([, name]) => name!);
  assertEquals(new Set(names), new Set(ALERTS.map(([alert]) => alert)));
});
