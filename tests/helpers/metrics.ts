/**
 * Reads GET /metrics.
 *
 * @module
 */

/** Reads the text format: the value of each series by its text. */
export function parseMetrics(text: string): Record<string, number> {
  const samples = text.matchAll(/^([^#].*) (\S+)$/gm);
  return Object.fromEntries(
    samples.map(([, series, value]) => [series, Number(value)]),
  );
}

/** The name of the series that counts requests. */
export function requests(route: string, status: number): string {
  return `pwgen_requests_total{route="${route}",status="${status}"}`;
}

/** The name of the series that counts decisions. */
export function decisions(outcome: string, by: "memory" | "store"): string {
  return `pwgen_rate_limit_decisions_total{outcome="${outcome}",decided_by="${by}"}`;
}
