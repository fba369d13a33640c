/**
 * What the service counts, and GET /metrics: the numbers of the process, in the
 * text format of Prometheus. With `--metrics=off` nothing of this module runs.
 *
 * @module
 */
import metadata from "../deno.json" with { type: "json" };
import type { Handler, Middleware } from "../http/context.ts";
import type { LimiterState, RateLimiter } from "./limiters/sliding_window.ts";

// https://prometheus.io/docs/instrumenting/exposition_formats/
const MEDIA_TYPE = "text/plain; version=0.0.4; charset=utf-8";

/**
 * The values of a metric by the text that follows its name in the text format,
 * such as `{status="200"}`. Counts that an alert needs are 0 from the start, so
 * that Prometheus sees the first increase
 * (https://prometheus.io/docs/practices/instrumentation/#avoid-missing-metrics).
 */
type Samples = Map<string, number>;

/**
 * What GET /metrics writes of a metric; nothing if its value is undefined. A name that
 * ends in `_total` is that of a counter, and other metrics are gauges by default
 * (https://prometheus.io/docs/practices/naming/).
 */
type Metric = readonly [
  help: string,
  value: number | Samples | Promise<number> | undefined,
  type?: "histogram",
];

function increment(samples: Samples, series: string, by = 1): void {
  samples.set(series, (samples.get(series) ?? 0) + by);
}

const requestSeries = (route: string, status: number) =>
  `{route="${route}",status="${status}"}`;

const decisionSeries = (outcome: string, decidedBy: string) =>
  `{outcome="${outcome}",decided_by="${decidedBy}"}`;

/** The buckets of the histogram by their upper bounds, in seconds. */
const BUCKETS = [0.001, 0.005, 0.025, 0.1, 0.5, 2, 10]
  .map((le) => ({ le, series: `_bucket{le="${le}"}` }));

/** The parts of the service that the metrics measure. */
export interface MetricsSources {
  readonly limiter: RateLimiter & LimiterState;
  /** A monotonic clock, in milliseconds. */
  readonly now: () => number;
  /** How many request bodies the process waits for. */
  readonly bodies: { readonly pending: number };
  /** The responses that clients have not read yet. */
  readonly unread: { readonly size: number };
  /** Returns how many lines of the log were lost. */
  readonly lostLines: () => number;
  /** Returns when the certificate expires, in seconds since 1970; only with TLS. */
  readonly tlsNotAfter?: (() => Promise<number>) | undefined;
}

/** The metrics of a service. No label contains a part of a request. */
export class Metrics {
  readonly #requests: Samples = new Map();
  readonly #durations: Samples = new Map();
  readonly #decisions: Samples = new Map();

  constructor(private readonly sources: MetricsSources) {
    this.#addDurations(0, 0);
    for (const outcome of ["admitted", "refused"]) {
      for (const decidedBy of ["memory", "store"]) {
        this.#decisions.set(decisionSeries(outcome, decidedBy), 0);
      }
    }
  }

  #addDurations(count: number, seconds: number): void {
    for (const { le, series } of BUCKETS) {
      increment(this.#durations, series, seconds <= le ? count : 0);
    }
    increment(this.#durations, '_bucket{le="+Inf"}', count);
    increment(this.#durations, "_sum", seconds);
    increment(this.#durations, "_count", count);
  }

  /**
   * Counts requests by route and status. The route is the path in the routing
   * table, or "other" if no route matches, so the number of labels is bounded.
   *
   * Measures the durations of requests to the API with status 200. The others mean
   * little: a refusal takes no time, and a body that never arrives takes its whole
   * deadline.
   */
  measureRequests(
    routes: readonly string[],
    apiRoutes: readonly string[],
  ): Middleware {
    for (const route of [...routes, "other"]) {
      for (const status of [500, 503]) {
        this.#requests.set(requestSeries(route, status), 0);
      }
    }
    const { now } = this.sources;
    return (next) => async (request, context) => {
      const start = now();
      const response = await next(request, context);
      const { route = "other" } = context;
      increment(this.#requests, requestSeries(route, response.status));
      if (response.status === 200 && apiRoutes.includes(route)) {
        this.#addDurations(1, (now() - start) / 1000);
      }
      return response;
    };
  }

  /**
   * The limiter, whose decisions are counted by outcome, and by who decided: the
   * process alone (`memory`) or the shared store (`store`).
   */
  readonly limiter: RateLimiter = {
    admit: async (key) => {
      const decision = await this.sources.limiter.admit(key);
      const outcome = decision.admitted ? "admitted" : "refused";
      const decidedBy = decision.byStore ? "store" : "memory";
      increment(this.#decisions, decisionSeries(outcome, decidedBy));
      return decision;
    },
  };

  /** Responds to GET /metrics. */
  readonly handler: Handler = async () => {
    const texts = Object.entries(this.#read()).map(toText);
    return new Response((await Promise.all(texts)).join(""), {
      headers: { "content-type": MEDIA_TYPE },
    });
  };

  #read(): Record<string, Metric> {
    const { limiter, bodies, unread, lostLines, tlsNotAfter } = this.sources;
    return {
      pwgen_requests_total: [
        "Requests by path in the routing table, or other, and by status.",
        this.#requests,
      ],
      pwgen_request_duration_seconds: [
        "Durations of requests to the API with status 200, including the wait for the body.",
        this.#durations,
        "histogram",
      ],
      pwgen_rate_limit_decisions_total: [
        "Rate-limit decisions by outcome, and by who decided: memory is this process alone.",
        this.#decisions,
      ],
      pwgen_rate_limit_clients: [
        "Clients that the rate limiter of this process remembers.",
        limiter.size,
      ],
      pwgen_rate_limit_clients_evicted_total: [
        "Clients that the rate limiter forgot before their minute was over.",
        limiter.evicted,
      ],
      pwgen_rate_limit_store_outages_total: [
        "Outages of the shared store.",
        limiter.outages,
      ],
      pwgen_rate_limit_store_outage: [
        "1 during an outage of the shared store, otherwise 0.",
        limiter.outages === undefined
          ? undefined
          : Number(!limiter.isConnected),
      ],
      pwgen_pending_bodies: [
        "Request bodies that the process waits for.",
        bodies.pending,
      ],
      pwgen_unread_bytes: [
        "Bytes that responses take which clients have not read yet, of the API only lists.",
        unread.size,
      ],
      pwgen_log_lines_lost_total: [
        "Log lines that could not be written.",
        lostLines(),
      ],
      pwgen_tls_not_after_seconds: [
        "Expiry of the certificate, in seconds since 1970.",
        tlsNotAfter?.(),
      ],
      pwgen_build_info: [
        "The version of the program.",
        new Map([[`{version="${metadata.version}"}`, 1]]),
      ],
      process_resident_memory_bytes: [
        "Resident memory of the process.",
        Deno.memoryUsage().rss,
      ],
      process_cpu_seconds_total: [
        "CPU time of the process, in seconds.",
        cpuSeconds(),
      ],
      process_start_time_seconds: [
        "Start of the process, in seconds since 1970.",
        performance.timeOrigin / 1000,
      ],
    };
  }
}

async function cpuSeconds(): Promise<number> {
  // Imported here, since it would make a start 22 % longer.
  const { cpuUsage } = await import("node:process");
  const { user, system } = cpuUsage();
  return (user + system) / 1e6;
}

/** No label or description needs an escape sequence. */
async function toText(
  [name, [help, value, type]]: [string, Metric],
): Promise<string> {
  if (value === undefined) return "";
  const samples = value instanceof Map ? value : [["", await value] as const];
  const byName = name.endsWith("_total") ? "counter" : "gauge";
  let text = `# HELP ${name} ${help}\n# TYPE ${name} ${type ?? byName}\n`;
  for (const [series, value] of samples) text += `${name}${series} ${value}\n`;
  return text;
}
