/**
 * What Deno's own OpenTelemetry says of the program to a collector: that it was
 * asked, not what it answered.
 */
import { assert, assertEquals } from "@std/assert";
import { serve } from "./helpers/program.ts";

interface Attribute {
  key: string;
  value: Record<string, unknown>;
}

interface Span {
  name: string;
  attributes: Attribute[];
  events: unknown[];
}

/** A collector: what came to each of its paths, as text. */
function collector() {
  const received: Record<string, string[]> = {};
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    async (request) => {
      const { pathname } = new URL(request.url);
      (received[pathname] ??= []).push(await request.text());
      return Response.json({});
    },
  );
  const env = {
    OTEL_DENO: "true",
    OTEL_SERVICE_NAME: "pwgen-api",
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${server.addr.port}`,
    OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
    OTEL_BSP_SCHEDULE_DELAY: "200",
    OTEL_BLRP_SCHEDULE_DELAY: "200",
    OTEL_METRIC_EXPORT_INTERVAL: "200",
  };
  const spans = (): Span[] =>
    (received["/v1/traces"] ?? []).flatMap((text) =>
      JSON.parse(text).resourceSpans
    ).flatMap(({ scopeSpans }) => scopeSpans).flatMap(({ spans }) => spans);
  /** How many requests the newest metrics count. */
  const counted = (): number =>
    (received["/v1/metrics"] ?? []).reduce((newest, text) => {
      const points = JSON.parse(text).resourceMetrics
        .flatMap(({ scopeMetrics }: { scopeMetrics: unknown[] }) =>
          scopeMetrics
        )
        .flatMap(({ metrics }: { metrics: unknown[] }) => metrics)
        .filter(({ name }: { name: string }) =>
          name === "http.server.request.duration"
        )
        .flatMap(({ histogram }: { histogram: { dataPoints: unknown[] } }) =>
          histogram.dataPoints
        );
      const counts = points.map(({ count }: { count: string }) =>
        Number(count)
      );
      const sum = counts.reduce((a: number, b: number) => a + b, 0);
      return Math.max(newest, sum);
    }, 0);
  return { received, env, spans, counted, close: () => server.shutdown() };
}

/** Waits until something holds, for 15 s at most. */
async function until(holds: () => boolean, what: string): Promise<void> {
  for (let i = 0; i < 150; i++) {
    if (holds()) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`Never: ${what}`);
}

/** Asks for passwords, and for errors; hands back what nobody else may know. */
async function ask(
  url: string,
): Promise<{ requests: number; secrets: string[] }> {
  const secrets: string[] = [];
  let requests = 0;
  const post = async (path: string, body: string, header = "") => {
    requests++;
    const response = await fetch(`${url}/api/pwgen/${path}`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        ...(header && { "x-note": header, "cookie": `note=${header}` }),
      },
      body,
    });
    return await response.json();
  };
  for (const path of ["characters", "words", "sentence"]) {
    for (let i = 0; i < 5; i++) {
      secrets.push((await post(`${path}?of=the-query`, "{}")).password);
    }
  }
  const body = "in-the-body";
  const header = "in-a-header";
  await post("words", JSON.stringify({ language: body }), header);
  await post("words", JSON.stringify({ [body]: body }), header);
  await post("words", body, header);
  return { requests, secrets: [...secrets, body, header] };
}

Deno.test("telemetry tells a collector of requests, and of no password, body or header field", async () => {
  const { received, env, spans, counted, close } = collector();
  {
    await using service = await serve({ env });
    const { requests, secrets } = await ask(service.url);
    await until(() => spans().length === requests, "a span for each request");
    await until(() => counted() === requests, "a metric of all requests");
    const keys = new Set(
      spans().flatMap(({ attributes }) => attributes.map(({ key }) => key)),
    );
    assertEquals([...keys].sort(), [
      "http.request.method",
      "http.response.status_code",
      "url.full",
      "url.path",
      "url.query",
      "url.scheme",
    ]);
    for (const { name, events } of spans()) {
      assertEquals([name, events], ["POST", []]);
    }
    const all = Object.values(received).flat().join("\n");
    // What the README says of Deno's spans: the query is in them.
    assert(all.includes("the-query"));
    for (const secret of secrets) {
      // In JSON a password may be written with escapes.
      const written = JSON.stringify(secret).slice(1, -1);
      assert(!all.includes(secret) && !all.includes(written), secret);
    }
  }
  await close();
});

Deno.test("telemetry is metrics alone, without any URL, where OTEL_DENO_TRACING says so", async () => {
  const { received, env, counted, close } = collector();
  {
    await using service = await serve({
      env: { ...env, OTEL_DENO_TRACING: "false" },
    });
    const { requests } = await ask(service.url);
    await until(() => counted() === requests, "a metric of all requests");
    assertEquals(received["/v1/traces"], undefined);
    const all = Object.values(received).flat().join("\n");
    assert(!all.includes("the-query"));
  }
  await close();
});
