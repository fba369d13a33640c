import { assert, assertEquals, assertMatch } from "@std/assert";
import type { ServerHandler } from "../../app.ts";
import metadata from "../../deno.json" with { type: "json" };
import {
  SharedLimiter,
  type SharedStore,
  StoreError,
} from "../../middleware/limiters/shared.ts";
import { tempDir } from "../helpers/files.ts";
import {
  end,
  freePorts,
  isInstalled,
  post,
  ROOT,
  serve,
  spawn,
  stop,
  testUnless,
  TLS,
  tlsClient,
  until,
} from "../helpers/program.ts";
import {
  ask,
  handlerFor,
  postInit,
  readProblem,
  service,
} from "../helpers/service.ts";

const WORDS = "/api/pwgen/words";

/** Reads the metrics of a handler: the value of each series by its text. */
async function scrape(handler: ServerHandler): Promise<Record<string, number>> {
  const response = await ask("/metrics", {}, handler);
  assertEquals(response.status, 200);
  return parse(await response.text());
}

/** Parses the text format strictly; a series without samples is not in it. */
function parse(text: string): Record<string, number> {
  assert(text.endsWith("\n"));
  const series: Record<string, number> = {};
  const names = new Set<string>();
  let current = "";
  let isHistogram = false;
  for (const line of text.slice(0, -1).split("\n")) {
    const help = /^# HELP ([a-z_]+) \S.*\.$/.exec(line);
    if (help) {
      current = help[1]!;
      assert(!names.has(current), line);
      names.add(current);
      continue;
    }
    const type = /^# TYPE ([a-z_]+) (counter|gauge|histogram)$/.exec(line);
    if (type) {
      assertEquals(type[1], current);
      isHistogram = type[2] === "histogram";
      assertEquals(type[2] === "counter", current.endsWith("_total"), line);
      continue;
    }
    const sample = /^(([a-z_]+)(?:\{[^{}]+\})?) ([0-9.e-]+)$/.exec(line);
    assert(sample, line);
    const name = isHistogram
      ? sample[2]!.replace(/_(bucket|sum|count)$/, "")
      : sample[2];
    assertEquals(name, current);
    assert(!(sample[1]! in series), line);
    series[sample[1]!] = Number(sample[3]);
  }
  return series;
}

/** The name of the series that counts requests. */
function requests(route: string, status: number): string {
  return `pwgen_requests_total{route="${route}",status="${status}"}`;
}

/** The name of the series that counts decisions. */
function decisions(outcome: string, by: "memory" | "store"): string {
  return `pwgen_rate_limit_decisions_total{outcome="${outcome}",decided_by="${by}"}`;
}

/** The decisions of the limiter, and its clients. */
async function scrapeLimiter(handler: ServerHandler) {
  const series = await scrape(handler);
  return {
    admitted: series[decisions("admitted", "memory")],
    admittedByStore: series[decisions("admitted", "store")],
    refused: series[decisions("refused", "memory")],
    refusedByStore: series[decisions("refused", "store")],
    clients: series.pwgen_rate_limit_clients,
    evicted: series.pwgen_rate_limit_clients_evicted_total,
    outage: series.pwgen_rate_limit_store_outage,
    outages: series.pwgen_rate_limit_store_outages_total,
  };
}

/** A limiter with a shared store of which these functions are not the usual. */
function limiterWith(
  store: Pick<SharedStore, "admit"> & Partial<SharedStore>,
): SharedLimiter {
  return new SharedLimiter({
    ...{ limit: 2, maxClients: 2, warn: () => {} },
    store: {
      ...{ name: "The store", deadlineMs: 60_000, close: () => {} },
      connect: () => Promise.resolve(),
      ...store,
    },
  });
}

/** Sends an empty object, from one client. */
function postWords(
  handler: ServerHandler,
  peer = "192.0.2.1",
): Promise<Response> {
  const request = new Request(`http://localhost${WORDS}`, postInit());
  return handler(request, peer);
}

/** Lets pending promises settle. */
function turn(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}

Deno.test("GET /metrics is an unknown path by default", async () => {
  await readProblem(await ask("/metrics"), 404, "/metrics");
});

Deno.test("GET /metrics responds to GET and HEAD in the text format, and no cache keeps it", async () => {
  const { handler } = await service("--metrics=on");
  const response = await ask("/metrics", {}, handler);
  assertEquals(response.status, 200);
  const type = "text/plain; version=0.0.4; charset=utf-8";
  assertEquals(response.headers.get("content-type"), type);
  assertEquals(response.headers.get("cache-control"), "no-store");
  parse(await response.text());
  const head = await ask("/metrics", { method: "HEAD" }, handler);
  assertEquals([head.status, head.body], [200, null]);
  const other = await ask("/metrics", { method: "POST" }, handler);
  await readProblem(other, 405, "/metrics");
});

Deno.test("GET /metrics has exactly the documented metrics", async () => {
  const limiter = limiterWith({
    admit: () => Promise.reject(new StoreError("planted")),
  });
  const handler = await handlerFor(["--metrics=on"], {
    limiter,
    tlsNotAfter: () => Promise.resolve(0),
  });
  const text = await (await ask("/metrics", {}, handler)).text();
  const names = [...text.matchAll(/^# HELP (\S+)/gm)].map(([, name]) => name);
  const document = await Deno.readTextFile(`${ROOT}docs/telemetry.md`);
  const rows = [...document.matchAll(/^\| `([a-z_]+)/gm)].map(([, name]) =>
    name
  );
  assertEquals(names.sort(), rows.sort());
});

Deno.test("GET /metrics describes the process", async () => {
  const { handler } = await service("--metrics=on");
  const series = await scrape(handler);
  assertEquals(series[`pwgen_build_info{version="${metadata.version}"}`], 1);
  assert(series.process_resident_memory_bytes! > 1e6);
  const cpu = series.process_cpu_seconds_total!;
  assert(cpu > 0);
  await until(async () =>
    (await scrape(handler)).process_cpu_seconds_total! > cpu
  );
  const start = series.process_start_time_seconds! * 1000;
  assert(Math.abs(start - performance.timeOrigin) < 1);
  // Nothing is said about a shared store or a certificate if there is none.
  assert(!Object.keys(series).some((name) => /outage|tls/.test(name)));
});

Deno.test("Metrics.countRequests() counts every response by route and status", async () => {
  const { handler } = await service("--metrics=on", "--rate-limit=2");
  for (let i = 0; i < 3; i++) await postWords(handler);
  await ask(WORDS, { method: "POST" }, handler); // 400
  await ask("/", { method: "HEAD" }, handler);
  for (const path of [WORDS, "/", "/healthz", "/nowhere", "/nowhere"]) {
    await ask(path, {}, handler); // WORDS: 405
  }
  const series = await scrape(handler);
  const counted = Object.entries(series).filter(([name, count]) =>
    name.startsWith("pwgen_requests_total") && count > 0
  );
  assertEquals(Object.fromEntries(counted), {
    [requests(WORDS, 200)]: 2,
    [requests(WORDS, 429)]: 1,
    [requests(WORDS, 405)]: 1,
    [requests(WORDS, 400)]: 1,
    [requests("/", 200)]: 2,
    [requests("/healthz", 200)]: 1,
    [requests("other", 404)]: 2,
  });
  assertEquals((await scrape(handler))[requests("/metrics", 200)], 1);
});

Deno.test("Metrics.countRequests() counts an internal error", async () => {
  for (const fail of [() => Promise.reject(new Error()), thrower]) {
    const limiter = { size: 0, evicted: 0, admit: fail };
    const handler = await handlerFor(["--metrics=on"], { limiter });
    assertEquals((await scrape(handler))[requests(WORDS, 500)], 0);
    assertEquals((await postWords(handler)).status, 500);
    assertEquals((await scrape(handler))[requests(WORDS, 500)], 1);
  }
});

Deno.test("Metrics.timeRequests() counts the durations of API requests with status 200, with the wait for the body", async () => {
  const { handler, clock } = await service("--metrics=on");
  const name = "pwgen_request_duration_seconds";
  const bounds = ["0.001", "0.005", "0.025", "0.1", "0.5", "2", "10", "+Inf"];
  const read = async () => {
    const series = await scrape(handler);
    const buckets = bounds.map((le) => series[`${name}_bucket{le="${le}"}`]);
    return [buckets.join(" "), series[`${name}_sum`], series[`${name}_count`]];
  };
  assertEquals(await read(), ["0 0 0 0 0 0 0 0", 0, 0]);
  const send = async (body: string, seconds: number) => {
    const { readable, writable } = new TransformStream<Uint8Array>();
    const headers = { "content-type": "application/json" };
    const init = { method: "POST", headers, body: readable };
    const responses = ask(WORDS, init, handler);
    clock.now += 1000 * seconds;
    const writer = writable.getWriter();
    await writer.write(new TextEncoder().encode(body));
    await writer.close();
    return (await responses).status;
  };
  assertEquals(await send("[]", 3), 400);
  assertEquals((await ask(WORDS, {}, handler)).status, 405);
  assertEquals((await ask("/", {}, handler)).status, 200);
  assertEquals(await read(), ["0 0 0 0 0 0 0 0", 0, 0]);
  for (const seconds of [0, 0.125, 0.5, 0.75, 2, 10.5]) {
    assertEquals(await send("{}", seconds), 200);
  }
  assertEquals(await read(), ["1 1 1 1 3 5 5 6", 13.875, 6]);
});

Deno.test("Metrics.timeRequests() measures the wait for the shared store", async () => {
  let now = 0;
  const decision = { admitted: true, remaining: 59, resetMs: 1, byStore: true };
  const limiter = limiterWith({
    admit: async () => {
      now += 750;
      return decision;
    },
  });
  await limiter.start();
  const handler = await handlerFor(["--metrics=on"], {
    limiter,
    now: () => now,
  });
  assertEquals((await postWords(handler)).status, 200);
  await limiter.close();
  const series = await scrape(handler);
  assertEquals(series.pwgen_request_duration_seconds_sum, 0.75);
});

Deno.test("GET /metrics has the expiry of the certificate", async () => {
  await using service = await serve({
    task: "start:tls",
    env: { ...TLS, PWGEN_METRICS: "on" },
  });
  using client = await tlsClient();
  const url = `https://localhost:${service.port}`;
  const answer = await post(url + WORDS, "{}", {}, { client });
  await answer.body?.cancel();
  const series = parse(
    await (await fetch(`${url}/metrics`, { client })).text(),
  );
  // openssl x509 -noout -enddate -in tests/tls/cert.pem
  const expiry = Date.parse("Oct 28 07:44:58 2126 GMT") / 1000;
  assertEquals(series.pwgen_tls_not_after_seconds, expiry);
  assertEquals(series.pwgen_request_duration_seconds_count, 1);
  assert(series.pwgen_request_duration_seconds_sum! > 0);
});

function thrower(): never {
  throw new Error();
}

Deno.test("GET /metrics is not rate-limited and not in the access log", async () => {
  const { handler, logged } = await service(
    ...["--metrics=on", "--rate-limit=1", "--access-log=json"],
  );
  for (let i = 0; i < 5; i++) {
    const request = new Request("http://localhost/metrics");
    const response = await handler(request, "192.0.2.1");
    assertEquals(response.status, 200);
    assertEquals(response.headers.get("ratelimit"), null);
    await response.body?.cancel();
  }
  assertEquals((await postWords(handler, "192.0.2.1")).status, 200);
  assertEquals(logged.length, 1); // of the password
});

Deno.test("Metrics.limiter counts what the limiter in memory decides, and clients", async () => {
  const { handler, clock } = await service(
    ...["--metrics=on", "--rate-limit=2", "--max-clients=4"],
  );
  const noStore = {
    ...{ admittedByStore: 0, refusedByStore: 0 },
    ...{ outage: undefined, outages: undefined },
  };
  assertEquals(await scrapeLimiter(handler), {
    ...noStore,
    ...{ admitted: 0, refused: 0, clients: 0, evicted: 0 },
  });
  for (let i = 0; i < 5; i++) await postWords(handler);
  for (let i = 2; i < 6; i++) await postWords(handler, `192.0.2.${i}`);
  assertEquals(await scrapeLimiter(handler), {
    ...noStore,
    ...{ admitted: 6, refused: 3, clients: 3, evicted: 2 },
  });
  // A client whose minute is over is forgotten, but not evicted.
  clock.now += 120_000;
  await postWords(handler);
  const { clients, evicted } = await scrapeLimiter(handler);
  assertEquals({ clients, evicted }, { clients: 1, evicted: 2 });
});

Deno.test("Metrics.limiter distinguishes the shared store from an outage of it", async () => {
  let connect = () => Promise.resolve();
  let isFailing = false;
  const limiter = limiterWith({
    connect: () => connect(),
    admit: (key) => {
      if (isFailing) return Promise.reject(new StoreError("planted"));
      const remaining = 1 - (Number(key.split(":")[1]) & 1);
      const admitted = remaining > 0;
      return Promise.resolve({ admitted, remaining, resetMs: 60_000 });
    },
  });
  await limiter.start();
  const handler = await handlerFor(["--metrics=on"], { limiter });
  await postWords(handler, "192.0.2.0");
  await postWords(handler, "192.0.2.1");
  await postWords(handler, "192.0.2.1"); // known to be at its limit
  await postWords(handler, "192.0.2.2"); // an eviction without effect
  const before = {
    ...{ admitted: 0, admittedByStore: 2, refused: 1, refusedByStore: 1 },
    ...{ clients: 2, evicted: 0, outage: 0, outages: 0 },
  };
  assertEquals(await scrapeLimiter(handler), before);

  isFailing = true;
  const { promise: back, resolve: reconnected } = Promise.withResolvers<void>();
  const { promise: repaired, resolve: repair } = Promise.withResolvers<void>();
  connect = async () => {
    await repaired;
    reconnected();
  };
  await postWords(handler, "192.0.2.4"); // its decision is made in memory
  await postWords(handler, "192.0.2.6");
  const during = { ...before, admitted: 2, evicted: 2, outage: 1, outages: 1 };
  assertEquals(await scrapeLimiter(handler), during);

  repair();
  await back;
  await turn();
  assertEquals(await scrapeLimiter(handler), { ...during, outage: 0 });
  await limiter.close();
});

Deno.test("GET /metrics counts bodies that are on their way", async () => {
  const { handler } = await service("--metrics=on");
  const { readable, writable } = new TransformStream<Uint8Array>();
  const responses = ask(WORDS, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: readable,
  }, handler);
  await turn();
  assertEquals((await scrape(handler)).pwgen_pending_bodies, 1);
  const writer = writable.getWriter();
  await writer.write(new TextEncoder().encode("{}"));
  await writer.close();
  assertEquals((await responses).status, 200);
  await turn();
  assertEquals((await scrape(handler)).pwgen_pending_bodies, 0);
});

Deno.test("GET /metrics counts unread documents and lost lines of the log", async () => {
  let lost = 0;
  const handler = await handlerFor(["--metrics=on"], { lostLines: () => lost });
  const { promise: completed, resolve } = Promise.withResolvers<void>();
  for (let i = 0; i < 3; i++) {
    const request = new Request("http://localhost/");
    await handler(request, "192.0.2.1", { completed });
  }
  lost = 7;
  let series = await scrape(handler);
  assertEquals(series.pwgen_unread_responses, 3);
  assertEquals(series.pwgen_log_lines_lost_total, 7);
  resolve();
  await turn();
  series = await scrape(handler);
  assertEquals(series.pwgen_unread_responses, 0);
});

Deno.test("the number of series is bounded, and they contain nothing of a request", async () => {
  const secret = "hunter2";
  const { handler } = await service("--metrics=on", "--rate-limit=1");
  const initial = await scrape(handler);
  const send = (i: number, random: string, net: number) => {
    const path = [
      ...["/", "/healthz", "/metrics", WORDS, "/api/pwgen/sentence", "/docs"],
      `/${random}`,
      `${WORDS}/${random}`,
      `/metrics"} 1\n${random}`,
    ][i % 9]!;
    const method = ["GET", "POST", "OPTIONS", `X${random}`][(i / 9 | 0) % 4]!;
    const host = i % 5 === 0 ? `${random}/x?` : "localhost";
    const request = new Request(`http://localhost${path}?${random}`, {
      method,
      headers: {
        "content-type": i % 2 === 0 ? "application/json" : random,
        cookie: random,
        host,
        "user-agent": random,
      },
      body: method === "GET" ? null : [`{"casing":"${random}"}`, "{}", ""][
        (i / 36 | 0) % 3
      ]!,
    });
    return handler(request, `10.9.${net}.${i % 50}`);
  };
  const round = async (net: number) => {
    for (let i = 0; i < 1000; i++) {
      const random = secret + crypto.randomUUID();
      const response = await send(i, random.slice(0, 7 + i % 37), net);
      await response.body?.cancel();
    }
  };
  await round(0);
  const fixed = Object.keys(await scrape(handler)).sort();
  await round(1);
  const response = await ask("/metrics", {}, handler);
  const text = await response.text();
  const series = parse(text);
  assertEquals(Object.keys(series).sort(), fixed);
  assert(!text.includes(secret) && !text.includes("10.9."), text);
  // Each route exists from the start, and each status is one of the service.
  for (const name of fixed) {
    const [, route, status] = /\{route="(.+)",status="(.+)"\}$/.exec(name) ??
      [];
    if (route === undefined) continue;
    assert(requests(route, 500) in initial, name);
    if (status === "500" || status === "503") assertEquals(series[name], 0);
    else assertMatch(status!, /^(200|204|400|404|405|415|429)$/);
  }
});

/** Why tests with a program of Prometheus are skipped; undefined if they can run. */
async function reasonWithout(program: string): Promise<string | undefined> {
  return await isInstalled(program)
    ? undefined
    : `no ${program} (Debian: prometheus)`;
}

const noPromtool = await reasonWithout("promtool");
testUnless(
  noPromtool,
  "promtool has no complaint about the metrics",
  checkMetrics,
);
testUnless(
  noPromtool,
  "each alert of prometheus-rules.yaml fires for its reason, and only then",
  testAlerts,
);
testUnless(
  await reasonWithout("prometheus"),
  "Prometheus scrapes the service as docs/telemetry.md describes",
  scrapeByPrometheus,
);

async function checkMetrics(): Promise<void> {
  // No Redis listens there: the metrics of an outage are included.
  await using service = await serve({
    env: {
      PWGEN_METRICS: "on",
      PWGEN_RATE_LIMIT_STORE: "redis://127.0.0.1:1",
    },
  });
  await (await post(`${service.url}${WORDS}`, "{}")).body?.cancel();
  const text = await (await fetch(`${service.url}/metrics`)).text();
  const series = parse(text);
  assertEquals(series[requests(WORDS, 200)], 1);
  assertEquals(series.pwgen_rate_limit_store_outage, 1);
  assertEquals(await promtool(["check", "metrics"], text), {
    code: 0,
    text: "",
  });
}

/** Runs promtool; returns its exit status and what it prints. */
async function promtool(args: string[], input = "") {
  const process = new Deno.Command("promtool", {
    args,
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const writer = process.stdin.getWriter();
  await writer.write(new TextEncoder().encode(input));
  await writer.close();
  const { code, stdout, stderr } = await process.output();
  const decoder = new TextDecoder();
  return { code, text: decoder.decode(stdout) + decoder.decode(stderr) };
}

/** An alert of prometheus-rules.yaml, and when it fires. */
interface AlertCase {
  alert: string;
  /** The severities with which it fires. */
  severity: string[];
  /** Series with which it fires; a value per minute, in the notation of promtool. */
  bad: Record<string, string>;
  /** Series with which it does not fire. */
  good: Record<string, string>[];
}

/** When the alerts are evaluated, in minutes. */
const MINUTES = 20;

/** An alert that a counter causes when it increases. */
function onIncrease(alert: string, counter: string): AlertCase {
  const [bad, good] = [{ [counter]: "0x18 1x2" }, [{ [counter]: "7x20" }]];
  return { alert, severity: ["warning"], bad, good };
}

/** The alert about a certificate that expires after so many days. */
function onExpiry(days: number, ...severity: string[]): AlertCase {
  const series = (days: number) => ({
    pwgen_tls_not_after_seconds: `${MINUTES * 60 + days * 86_400}x20`,
  });
  const [bad, good] = [series(days), [series(14.1)]];
  return { alert: "PwgenCertificateExpires", severity, bad, good };
}

/** The counts of the histogram in a minute. */
function durations(within: number, all: number): Record<string, string> {
  return {
    'pwgen_request_duration_seconds_bucket{le="0.5"}': `0+${within}x20`,
    pwgen_request_duration_seconds_count: `0+${all}x20`,
  };
}

/** The decisions in a minute. */
function decided(admitted: number, refused: number): Record<string, string> {
  return {
    [decisions("admitted", "store")]: `0+${admitted}x20`,
    [decisions("refused", "store")]: `0+${refused / 2}x20`,
    [decisions("refused", "memory")]: `0+${refused / 2}x20`,
  };
}

const ALERTS: AlertCase[] = [
  {
    alert: "PwgenDown",
    severity: ["critical"],
    bad: { up: "1x17 0x3" },
    good: [{ up: "1x18 0 1" }],
  },
  {
    alert: "PwgenRestarts",
    severity: ["critical"],
    bad: { process_start_time_seconds: "0x15 9 18 27 36 36" },
    good: [{ process_start_time_seconds: "0x15 9 18 27 27 27" }],
  },
  onIncrease("PwgenInternalErrors", requests(WORDS, 500)),
  {
    ...onIncrease("PwgenOverloaded", requests(WORDS, 503)),
    // A process that stops.
    good: [{ [requests("/healthz", 503)]: "0+9x20" }],
  },
  {
    alert: "PwgenSlowRequests",
    severity: ["warning"],
    bad: durations(8, 10),
    good: [durations(95, 100), durations(0, 1)],
  },
  {
    alert: "PwgenSlowScrapes",
    severity: ["warning"],
    bad: { scrape_duration_seconds: "0.1x4 0.6x16" },
    good: [
      { scrape_duration_seconds: "0.4x20" },
      { scrape_duration_seconds: "0.1x18 3 0.1" },
    ],
  },
  {
    alert: "PwgenRefusals",
    severity: ["warning"],
    bad: decided(60, 100),
    // Few of many requests, and a client that needs no attention.
    good: [decided(400, 300), decided(0, 50)],
  },
  {
    alert: "PwgenStoreOutage",
    severity: ["warning"],
    bad: { pwgen_rate_limit_store_outage: "1x20" },
    good: [{ pwgen_rate_limit_store_outage: "1 0x18 1" }],
  },
  onIncrease("PwgenClientsEvicted", "pwgen_rate_limit_clients_evicted_total"),
  onIncrease("PwgenLogLinesLost", "pwgen_log_lines_lost_total"),
  onExpiry(13.9, "warning"),
  onExpiry(3.1, "warning"),
  onExpiry(2.9, "warning", "critical"),
];

async function testAlerts(): Promise<void> {
  const inputs = (values: Record<string, string>, instance: string) =>
    Object.entries(values).map(([metric, values]) => ({
      series: metric.replace(
        /\}?$/,
        (end) => `${end ? "," : "{"}job="pwgen-api",instance="${instance}"}`,
      ),
      values,
    }));
  const firing = (minutes: number, labels: string[]) => ({
    expr:
      'count by (alertname, severity, instance) (ALERTS{alertstate="firing"})',
    eval_time: `${minutes}m`,
    exp_samples: labels.map((labels) => ({ labels: `{${labels}}`, value: 1 })),
  });
  const file = `${ROOT}deploy/prometheus-rules.yaml`;
  const tests = {
    rule_files: [file],
    tests: [{
      interval: "1m",
      input_series: ALERTS.flatMap(({ bad, good }, i) => [
        ...inputs(bad, `bad ${i}`),
        ...good.flatMap((values, j) => inputs(values, `good ${i} ${j}`)),
      ]),
      promql_expr_test: [firing(
        MINUTES,
        ALERTS.flatMap(({ alert, severity }, i) =>
          severity.map((severity) =>
            `alertname="${alert}", severity="${severity}", instance="bad ${i}"`
          )
        ),
      )],
    }, {
      // Other jobs have targets.
      interval: "1m",
      input_series: [{ series: 'up{job="other"}', values: "1x20" }],
      promql_expr_test: [
        firing(4, []),
        firing(5, ['alertname="PwgenAbsent", severity="critical"']),
      ],
    }],
  };
  await using folder = await tempDir();
  // JSON is YAML.
  await Deno.writeTextFile(`${folder.path}/tests.yaml`, JSON.stringify(tests));
  const { code, text } = await promtool(
    ["test", "rules", `${folder.path}/tests.yaml`],
  );
  assertEquals(code, 0, text);
  const rules = await Deno.readTextFile(file);
  const names = [...rules.matchAll(/alert: (\w+)/g)].map(([, name]) => name!);
  assertEquals(
    new Set(names),
    new Set(["PwgenAbsent", ...ALERTS.map(({ alert }) => alert)]),
  );
}

async function scrapeByPrometheus(): Promise<void> {
  await using service = await serve({ env: { PWGEN_METRICS: "on" } });
  for (let i = 0; i < 3; i++) {
    await (await post(`${service.url}${WORDS}`, "{}")).body?.cancel();
  }
  await using folder = await tempDir();
  const document = await Deno.readTextFile(`${ROOT}docs/telemetry.md`);
  const [, example] = /```yaml\n(scrape_configs:\n[^`]*)```/.exec(document)!;
  const targets = '["127.0.0.1:8000", "127.0.0.1:8001"]';
  assert(example!.includes(targets));
  const file = `${folder.path}/prometheus.yml`;
  await Deno.writeTextFile(
    file,
    "global: { scrape_interval: 2s, scrape_timeout: 2s }\n" +
      example!.replace(targets, `["127.0.0.1:${service.port}"]`),
  );
  const [port] = freePorts(1) as [number];
  const prometheus = spawn("prometheus", [
    `--config.file=${file}`,
    `--storage.tsdb.path=${folder.path}/data`,
    `--web.listen-address=127.0.0.1:${port}`,
  ]);
  try {
    await prometheus.stderr.match(/Server is ready to receive web requests/);
    const expected: [query: string, value: string][] = [
      ['up{job="pwgen-api"}', "1"],
      [requests(WORDS, 200), "3"],
      [decisions("admitted", "memory"), "3"],
      ["pwgen_rate_limit_clients", "1"],
      ['pwgen_request_duration_seconds_bucket{le="+Inf"}', "3"],
      [`pwgen_build_info{version="${metadata.version}"}`, "1"],
    ];
    for (const [query, value] of expected) {
      const url = new URL(`http://127.0.0.1:${port}/api/v1/query`);
      url.searchParams.set("query", query);
      let found: { value: [time: number, value: string] }[] = [];
      await until(async () => {
        found = (await (await fetch(url)).json()).data.result;
        return found.length === 1 && found[0]!.value[1] === value;
      }, () => `${query}: ${JSON.stringify(found)}`);
    }
  } finally {
    await stop(prometheus, "SIGTERM");
  }
  service.process.kill("SIGTERM");
  assertEquals((await end(service)).stderr, "");
}
