import { assert, assertEquals } from "@std/assert";
import type { ServerHandler } from "../../app.ts";
import { decisions, parseMetrics, requests } from "../helpers/metrics.ts";
import { until } from "../helpers/program.ts";
import {
  ask,
  FAILING,
  handlerFor,
  postInit,
  service,
} from "../helpers/service.ts";

const WORDS = "/api/pwgen/words";

/** Reads the metrics of a handler. */
async function scrape(handler: ServerHandler): Promise<Record<string, number>> {
  return parseMetrics(await (await ask("/metrics", {}, handler)).text());
}

Deno.test("every response is counted by route and status, and nothing else of a request", async () => {
  const { handler } = await service("--metrics=on", "--rate-limit=2");
  const secret = "hunter2";
  const names = ["cookie", "user-agent", "x-forwarded-for"];
  const fields = Object.fromEntries(names.map((name) => [name, secret]));
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
    ["OPTIONS", "/"], // the health check of HAProxy
    ["GET", `/${secret}`],
    ["GET", `/metrics"} 1\n${secret}`],
    ["GET", "/metrics"], // a proxy forwards it
    ["PUT", "/metrics"],
  ];
  for (const [method, path, body = null, host = "localhost"] of cases) {
    const request = new Request(`http://localhost${path}?${secret}`, {
      method,
      headers: { host, "content-type": "application/json", ...fields },
      body,
    });
    await handler(request, "192.0.2.77");
  }
  const text = await (await ask("/metrics", {}, handler)).text();
  assert(!/hunter2|192\.0/.test(text), text);
  const counted = Object.entries(parseMetrics(text)).filter(([name, count]) =>
    name.startsWith("pwgen_requests_total") && count > 0
  );
  assertEquals(Object.fromEntries(counted), {
    [requests(WORDS, 200)]: 1,
    [requests(WORDS, 400)]: 1,
    [requests(WORDS, 429)]: 1,
    [requests(WORDS, 405)]: 2,
    [requests("/", 200)]: 2,
    [requests("/healthz", 200)]: 1,
    [requests("/healthz", 204)]: 1,
    [requests("/metrics", 404)]: 2,
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
  const page = new Request("http://localhost/");
  const { headers } = await handler(page, "192.0.2.1", info);
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
    pwgen_unread_bytes: 8000 + 2 * Number(headers.get("content-length")),
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
