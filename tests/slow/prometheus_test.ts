import { assertEquals } from "@std/assert";
import { tempDir } from "../helpers/files.ts";
import { decisions, parseMetrics, requests } from "../helpers/metrics.ts";
import {
  end,
  missing,
  post,
  ROOT,
  serve,
  spawn,
  TLS,
  tlsClient,
  unless,
} from "../helpers/program.ts";

const WORDS = "/api/pwgen/words";

const withPromtool = unless(await missing("promtool"));

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
  const series = parseMetrics(text);
  assertEquals(series[requests(WORDS, 200)], 1);
  assertEquals(series.pwgen_rate_limit_store_outage, 1);
  // openssl x509 -noout -enddate -in tests/tls/cert.pem
  const expiry = Date.parse("Oct 28 07:44:58 2126 GMT") / 1000;
  assertEquals(series.pwgen_tls_not_after_seconds, expiry);

  const names = [...text.matchAll(/^# HELP (\S+)/gm)].map(([, name]) => name);
  const document = await Deno.readTextFile(`${ROOT}docs/operate.md`);
  const [, list] = /^## Metrics\n(.*?)^## /ms.exec(document)!;
  const rows = [...list!.matchAll(/`((?:pwgen|process)_[a-z_]+)/g)].map(
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
// The name of the job is up to the operator, and Prometheus has other jobs.
const PWGEN = '{job="passwords",instance="a"}';
const OTHER = '{job="other",instance="a"}';
/** The service was there until the end, or at first. */
const [SEEN, SEEN_AT_FIRST] = ["1x20", "1x17 stale"].map((values) => ({
  [`pwgen_build_info${PWGEN}`]: values,
}));
const started = (target: string, values: string): Series => ({
  [`process_start_time_seconds${target}`]: values,
  ...SEEN,
});
const scraped = (target: string, values: string): Series => ({
  [`scrape_duration_seconds${target}`]: values,
  ...SEEN,
});
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
  [
    "PwgenDown",
    CRITICAL,
    { [`up${PWGEN}`]: "1x17 0x3", ...SEEN_AT_FIRST },
    { [`up${OTHER}`]: "1x17 0x3", ...SEEN },
  ],
  [
    "PwgenAbsent",
    CRITICAL,
    { [UP]: "1x14 stale" },
    { [UP]: "1x15 stale" },
    SEEN!,
  ],
  [
    "PwgenRestarts",
    CRITICAL,
    started(PWGEN, "0x15 9 18 27 36 36"),
    started(PWGEN, "0x15 9 18 27 27 27"),
    started(OTHER, "0x15 9 18 27 36 36"),
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
    scraped(PWGEN, "0.1x4 0.6x16"),
    scraped(PWGEN, "0.4x20"),
    scraped(PWGEN, "0.1x18 3 0.1"),
    scraped(OTHER, "0.1x4 0.6x16"),
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
