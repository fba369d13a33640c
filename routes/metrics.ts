/**
 * GET /metrics: the numbers of the process, in the text format of Prometheus.
 *
 * @module
 */
import type { Handler } from "./context.ts";

// https://prometheus.io/docs/instrumenting/exposition_formats/
const MEDIA_TYPE = "text/plain; version=0.0.4; charset=utf-8";

/**
 * The values of a metric by the text that follows its name in the text format,
 * such as `{route="/healthz",status="200"}`.
 */
export type Samples = ReadonlyMap<string, number>;

/** What the metrics are read from, at the time of a request. */
export interface MetricsSources {
  /** The version of the program. */
  readonly version: string;
  /** Responses by `route` and `status`. */
  readonly requests: Samples;
  /** The histogram of durations, in seconds. */
  readonly durations: Samples;
  /** Decisions of the rate limiter by `outcome` and `decided_by`. */
  readonly decisions: Samples;
  /** The rate limiter. */
  readonly limiter: LimiterState;
  /** Returns how many request bodies the process waits for. */
  readonly pendingBodies: () => number;
  /** Returns how many responses clients have not read yet. */
  readonly unreadResponses: () => number;
  /** Returns how many lines of the log were lost. */
  readonly lostLines: () => number;
  /** Returns when the certificate expires, in seconds since 1970; only with TLS. */
  readonly tlsNotAfter?: (() => Promise<number>) | undefined;
}

/** The numbers of a rate limiter. */
export interface LimiterState {
  /** The number of clients in the memory of the process. */
  readonly size: number;
  /** How many clients were forgotten before their window was over. */
  readonly evicted: number;
  /** How often the shared store failed; undefined without a shared store. */
  readonly outages?: number;
  /** Whether the shared store decides; undefined without a shared store. */
  readonly isConnected?: boolean;
}

interface Metric {
  readonly type: "counter" | "gauge" | "histogram";
  readonly help: string;
  readonly read: () => number | Samples | Promise<number>;
}

const metric =
  (type: Metric["type"]) => (help: string, read: Metric["read"]): Metric => ({
    type,
    help,
    read,
  });
const counter = metric("counter");
const gauge = metric("gauge");
const histogram = metric("histogram");

/**
 * Makes the handler of GET /metrics. No label contains a part of a request: the
 * route is a path of the routing table, or "other".
 */
export function metrics(sources: MetricsSources): Handler {
  const { version, limiter, tlsNotAfter } = sources;
  const hasStore = limiter.outages !== undefined;
  const list: Record<string, Metric> = {
    pwgen_requests_total: counter(
      "Requests by path in the routing table, or other, and by status.",
      () => sources.requests,
    ),
    pwgen_request_duration_seconds: histogram(
      "Durations of requests to the API with status 200, with the wait for the body.",
      () => sources.durations,
    ),
    pwgen_rate_limit_decisions_total: counter(
      "Rate-limit decisions by outcome, and by who decided: memory is this process alone.",
      () => sources.decisions,
    ),
    pwgen_rate_limit_clients: gauge(
      "Clients that the rate limiter of this process remembers.",
      () => limiter.size,
    ),
    pwgen_rate_limit_clients_evicted_total: counter(
      "Clients that the rate limiter forgot before their minute was over.",
      () => limiter.evicted,
    ),
    ...hasStore && {
      pwgen_rate_limit_store_outages_total: counter(
        "Outages of the shared store.",
        () => limiter.outages!,
      ),
      pwgen_rate_limit_store_outage: gauge(
        "1 during an outage of the shared store, otherwise 0.",
        () => limiter.isConnected ? 0 : 1,
      ),
    },
    pwgen_pending_bodies: gauge(
      "Request bodies that the process waits for.",
      sources.pendingBodies,
    ),
    pwgen_unread_responses: gauge(
      "Responses that clients have not read yet, of the API only those with count.",
      sources.unreadResponses,
    ),
    pwgen_log_lines_lost_total: counter(
      "Log lines that could not be written.",
      sources.lostLines,
    ),
    ...tlsNotAfter && {
      pwgen_tls_not_after_seconds: gauge(
        "Expiry of the certificate, in seconds since 1970.",
        tlsNotAfter,
      ),
    },
    pwgen_build_info: gauge(
      "The version of the program.",
      () => new Map([[`{version="${version}"}`, 1]]),
    ),
    process_resident_memory_bytes: gauge(
      "Resident memory of the process.",
      () => Deno.memoryUsage().rss,
    ),
    process_cpu_seconds_total: counter(
      "CPU time of the process, in seconds.",
      cpuSeconds,
    ),
    process_start_time_seconds: gauge(
      "Start of the process, in seconds since 1970.",
      () => performance.timeOrigin / 1000,
    ),
  };
  return async () => {
    const texts = await Promise.all(Object.entries(list).map(toText));
    return new Response(texts.join(""), {
      headers: { "content-type": MEDIA_TYPE },
    });
  };
}

async function cpuSeconds(): Promise<number> {
  // Imported here, since it would delay the start by some milliseconds.
  const { cpuUsage } = await import("node:process");
  const { user, system } = cpuUsage();
  return (user + system) / 1e6;
}

/** No label or description needs an escape sequence. */
async function toText(
  [name, { type, help, read }]: [string, Metric],
): Promise<string> {
  const value = await read();
  const samples = typeof value === "number" ? [["", value] as const] : value;
  let text = `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n`;
  for (const [series, value] of samples) text += `${name}${series} ${value}\n`;
  return text;
}
