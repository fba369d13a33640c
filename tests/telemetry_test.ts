/** What Deno's OpenTelemetry sends to a collector about the program. */
import { assert, assertEquals } from "@std/assert";
import {
  listening,
  post,
  type Running,
  spawn,
  until,
} from "./helpers/program.ts";

interface Span {
  name: string;
  attributes: { key: string }[];
  events: unknown[];
}

/** The elements of all lists that have a name in a JSON value. */
function* elementsOf<T>(name: string, value: unknown): Generator<T> {
  if (typeof value !== "object" || value === null) return;
  for (const [key, member] of Object.entries(value)) {
    if (key === name && Array.isArray(member)) yield* member;
    else yield* elementsOf<T>(name, member);
  }
}

/** An OpenTelemetry collector. */
class Collector {
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
    OTEL_SERVICE_NAME: "pwgen-api",
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${this.#server.addr.port}`,
    OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
    OTEL_BSP_SCHEDULE_DELAY: "200",
    OTEL_BLRP_SCHEDULE_DELAY: "200",
    OTEL_METRIC_EXPORT_INTERVAL: "200",
  };

  /** All bodies together. */
  get text(): string {
    return Object.values(this.received).flat().join("\n");
  }

  spans(): Span[] {
    const traces = (this.received["/v1/traces"] ?? []).map((text) =>
      JSON.parse(text)
    );
    return [...elementsOf<Span>("spans", traces)];
  }

  /** How many requests the newest metrics count. */
  requests(): number {
    const newest = this.received["/v1/metrics"]?.at(-1) ?? "{}";
    const duration = elementsOf<Span>("metrics", JSON.parse(newest))
      .filter(({ name }) => name === "http.server.request.duration").toArray();
    const points = elementsOf<{ count: string }>("dataPoints", duration);
    return points.reduce((sum, { count }) => sum + Number(count), 0);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server.shutdown();
  }
}

/**
 * Sends requests for passwords and requests with errors.
 *
 * @returns how many, and what of them must stay private
 */
async function sendRequests(
  url: string,
): Promise<{ count: number; secrets: string[] }> {
  const secrets: string[] = [];
  let count = 0;
  const send = async (path: string, body: string, field = "") => {
    count++;
    const fields = { "x-note": field, "cookie": `note=${field}` };
    const response = await post(`${url}/api/pwgen/${path}`, body, fields);
    return await response.json();
  };
  for (const path of ["characters", "words", "sentence"]) {
    for (let i = 0; i < 5; i++) {
      secrets.push((await send(`${path}?of=the-query`, "{}")).password);
    }
  }
  const body = "in-the-body";
  const field = "in-a-header-field";
  await send("words", JSON.stringify({ language: body }), field);
  await send("words", JSON.stringify({ [body]: body }), field);
  await send("words", body, field);
  return { count, secrets: [...secrets, body, field] };
}

/** Starts a service that sends to a collector. */
function serveWith(env: Record<string, string>): Promise<Running> {
  // With telemetry and coverage, Deno 2.9.6 sometimes does not end (2 of 84 times).
  const { DENO_COVERAGE_DIR: _, ...given } = Deno.env.toObject();
  const args = ["task", "-q", "start"];
  const all = { ...given, ...env };
  return listening(spawn(Deno.execPath(), args, all, { clearEnv: true }));
}

Deno.test("telemetry has each request, but no password, body or header field", async () => {
  await using collector = new Collector();
  await using service = await serveWith(collector.env);
  const { count, secrets } = await sendRequests(service.url);
  await until(() => collector.spans().length === count);
  await until(() => collector.requests() === count);
  const keys = new Set<string>();
  for (const { name, events, attributes } of collector.spans()) {
    assertEquals([name, events], ["POST", []]);
    for (const { key } of attributes) keys.add(key);
  }
  assertEquals([...keys].sort(), [
    ...["http.request.method", "http.response.status_code"],
    ...["url.full", "url.path", "url.query", "url.scheme"],
  ]);
  const { text } = collector;
  // Spans contain the query string, as docs/telemetry.md says.
  assert(text.includes("the-query"));
  for (const secret of secrets) {
    // JSON may escape characters of a password.
    const escaped = JSON.stringify(secret).slice(1, -1);
    assert(!text.includes(secret) && !text.includes(escaped), secret);
  }
});

Deno.test("telemetry has metrics alone, and no URL, if OTEL_DENO_TRACING is false", async () => {
  await using collector = new Collector();
  await using service = await serveWith({
    ...collector.env,
    OTEL_DENO_TRACING: "false",
  });
  const { count } = await sendRequests(service.url);
  await until(() => collector.requests() === count);
  assertEquals(collector.received["/v1/traces"], undefined);
  assert(!collector.text.includes("the-query"));
});
