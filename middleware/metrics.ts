/**
 * What the service counts for GET /metrics. With `--metrics=off` nothing of this
 * module is called.
 *
 * @module
 */
import type { Middleware } from "./compose.ts";
import type { RateLimiter } from "./limiters/sliding_window.ts";

/**
 * Counts by the text that follows the name of the metric in the text format of
 * Prometheus, such as `{status="200"}`. Counts that an alert needs are 0 from the
 * start, so that Prometheus sees the first increase
 * (https://prometheus.io/docs/practices/instrumentation/#avoid-missing-metrics).
 */
export type Counts = Map<string, number>;

function increment(counts: Counts, series: string, by = 1): void {
  counts.set(series, (counts.get(series) ?? 0) + by);
}

/**
 * Counts requests by route and status. The route is the path in the routing
 * table, or "other" if no route matches, so the number of labels is bounded, and
 * they contain nothing of a request.
 */
export function countRequests(
  counts: Counts,
  routes: readonly string[],
): Middleware {
  const labelsOf = (route: string, status: number) =>
    `{route="${route}",status="${status}"}`;
  for (const route of [...routes, "other"]) {
    for (const status of [500, 503]) counts.set(labelsOf(route, status), 0);
  }
  return (next) => async (request, context) => {
    const response = await next(request, context);
    increment(counts, labelsOf(context.route ?? "other", response.status));
    return response;
  };
}

/** The buckets of the histogram by their upper bounds, in seconds. */
const BUCKETS = [0.001, 0.005, 0.025, 0.1, 0.5, 2, 10]
  .map((le) => ({ le, series: `_bucket{le="${le}"}` }));

/**
 * Measures how long the requests with status 200 take. The others say little: a
 * refusal takes no time, and a body that never arrives takes its whole deadline.
 */
export function timeRequests(counts: Counts, now: () => number): Middleware {
  const add = (count: number, seconds: number) => {
    for (const { le, series } of BUCKETS) {
      increment(counts, series, seconds <= le ? count : 0);
    }
    increment(counts, '_bucket{le="+Inf"}', count);
    increment(counts, "_sum", seconds);
    increment(counts, "_count", count);
  };
  add(0, 0);
  return (next) => async (request, context) => {
    const start = now();
    const response = await next(request, context);
    if (response.status === 200) add(1, (now() - start) / 1000);
    return response;
  };
}

/**
 * Counts the decisions of a rate limiter by outcome, and by who decided: the
 * process alone (`memory`) or the shared store (`store`).
 */
export function countDecisions(
  limiter: RateLimiter,
  counts: Counts,
): RateLimiter {
  const labelsOf = (outcome: string, decidedBy: string) =>
    `{outcome="${outcome}",decided_by="${decidedBy}"}`;
  for (const outcome of ["admitted", "refused"]) {
    for (const by of ["memory", "store"]) counts.set(labelsOf(outcome, by), 0);
  }
  return {
    admit: async (key) => {
      const decision = await limiter.admit(key);
      const outcome = decision.admitted ? "admitted" : "refused";
      const decidedBy = decision.byStore ? "store" : "memory";
      increment(counts, labelsOf(outcome, decidedBy));
      return decision;
    },
  };
}
