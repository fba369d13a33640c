/**
 * GET /metrics: the numbers of the process, in the text format of Prometheus.
 *
 * @module
 */
import type { Handler } from "./context.ts";

// https://prometheus.io/docs/instrumenting/exposition_formats/
const MEDIA_TYPE = "text/plain; version=0.0.4; charset=utf-8";

/**
 * The samples of a metric: value by labels. The labels are as in the text format,
 * such as `route="/healthz",status="200"`; they are empty for a single sample.
 */
export type Samples = ReadonlyMap<string, number>;

/** What the metrics are read from, at the time of a request. */
export interface MetricsSources {
  /** The version of the program. */
  readonly version: string;
  /** Responses by `route` and `status`. */
  readonly requests: Samples;
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

/** A metric: its description, and a function that reads it. */
interface Metric {
  readonly type: "counter" | "gauge";
  readonly help: string;
  readonly read: () => number | Samples | Promise<number>;
}

const counter = (help: string, read: Metric["read"]): Metric => ({
  type: "counter",
  help,
  read,
});

const gauge = (help: string, read: Metric["read"]): Metric => ({
  type: "gauge",
  help,
  read,
});

/**
 * Makes the handler of GET /metrics. No label contains a part of a request: the
 * route is a path of the routing table, or "other".
 *
 * @param sources what the metrics are read from
 * @returns the handler: 200 with the metrics
 */
export function metrics(sources: MetricsSources): Handler {
  const { version, requests, decisions, limiter } = sources;
  const hasStore = limiter.outages !== undefined;
  const list: Record<string, Metric> = {
    pwgen_requests_total: counter(
      "Requests by path in the routing table, or other, and by status.",
      () => requests,
    ),
    pwgen_rate_limit_decisions_total: counter(
      "Rate-limit decisions by outcome, and by who decided: memory is this process alone.",
      () => decisions,
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
      "Responses that clients have not read yet, except those of the API.",
      sources.unreadResponses,
    ),
    pwgen_log_lines_lost_total: counter(
      "Log lines that could not be written.",
      sources.lostLines,
    ),
    pwgen_build_info: gauge(
      "The version of the program.",
      () => new Map([[`version="${version}"`, 1]]),
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
  // Not at the start of the process: the import takes some milliseconds.
  const { cpuUsage } = await import("node:process");
  const { user, system } = cpuUsage();
  return (user + system) / 1e6;
}

/** The lines of a metric. No label or description needs an escape sequence. */
async function toText(
  [name, { type, help, read }]: [string, Metric],
): Promise<string> {
  const value = await read();
  const samples = typeof value === "number" ? [["", value] as const] : value;
  let text = `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n`;
  for (const [labels, value] of samples) {
    text += `${name}${labels && `{${labels}}`} ${value}\n`;
  }
  return text;
}
