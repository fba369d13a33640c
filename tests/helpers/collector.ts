/**
 * An OpenTelemetry collector.
 *
 * @module
 */

/** A collector on a free port, which keeps what programs send. */
export class Collector {
  /** The bodies that each path received. */
  readonly received: Record<string, string[]> = {};
  readonly #server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    async (request) => {
      const { pathname } = new URL(request.url);
      (this.received[pathname] ??= []).push(await request.text());
      return Response.json({});
    },
  );
  /** The environment of a program that sends to this collector. */
  readonly env: Record<string, string> = {
    OTEL_DENO: "true",
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${this.#server.addr.port}`,
    OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
    OTEL_BSP_SCHEDULE_DELAY: "200",
    OTEL_METRIC_EXPORT_INTERVAL: "200",
  };

  /** What a path received, or all paths. */
  text(path?: string): string {
    const { received } = this;
    return (path ? received[path] ?? [] : Object.values(received).flat())
      .join();
  }

  /** The records of the log, in order. */
  logRecords(): { severity: string; text: string }[] {
    return (this.received["/v1/logs"] ?? []).flatMap((body) =>
      JSON.parse(body).resourceLogs
    ).flatMap(({ scopeLogs }) => scopeLogs)
      .flatMap(({ logRecords }) => logRecords)
      .map(({ severityText, body }) => ({
        severity: severityText,
        text: body.stringValue,
      }));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server.shutdown();
  }
}
