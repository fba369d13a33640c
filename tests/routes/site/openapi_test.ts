import { assert, assertEquals, assertMatch } from "@std/assert";
import { MAX_PENDING_BODIES } from "../../../routes/api/body.ts";
import { API } from "../../../routes/api/mod.ts";
import { RawConnection } from "../../helpers/connection.ts";
import {
  CERT,
  KEY,
  type Running,
  serve,
  tlsClient,
} from "../../helpers/program.ts";
import {
  assertDescribed,
  DESCRIPTION,
  type Schema,
  schemaName,
  violations,
} from "../../helpers/schema.ts";
import { ask, postInit, service } from "../../helpers/service.ts";
import { currentTable, type Kind, LATER } from "../../oracle.ts";

const POSTS = Object.entries(DESCRIPTION.paths).flatMap(([path, { post }]) =>
  post ? [{ path, post }] : []
);

/** Makes an object with the same keys and other values. */
function mapValues<T, U>(
  object: Readonly<Record<string, T>>,
  change: (value: T, key: string) => U,
): Record<string, U> {
  return Object.fromEntries(
    Object.entries(object).map(([key, value]) => [key, change(value, key)]),
  );
}

/** The JSON Schema of a field. */
function schemaOf(
  { type, since, default: _, ...row }: ReturnType<typeof currentTable>[string],
): Schema {
  const types: Record<string, Schema> = {
    integer: {
      type: ["integer", "string"],
      format: "int32",
      pattern: "^-?(0|[1-9][0-9]*)$",
      minimum: "range" in row ? row.range[0] : NaN,
      maximum: "range" in row ? row.range[1] : NaN,
    },
    boolean: { type: "boolean" },
    string: { type: "string", enum: "values" in row ? row.values : [] },
    text: "maxLength" in row
      ? {
        ...{ type: "string", maxLength: row.maxLength },
        ...row.pattern && { pattern: row.pattern },
      }
      : {},
  };
  return { ...types[type], ...since && { "x-since": since } };
}

/** Returns a function that sends requests over HTTP, each from a new client. */
function sender({ url }: Running) {
  let clients = 0;
  return async (path: string, init: RequestInit = {}) => {
    const headers = new Headers(init.headers);
    headers.set("x-forwarded-for", `192.0.2.${++clients}`);
    const response = await fetch(url + path, { ...init, headers });
    const text = await response.text();
    assertDescribed(response, text, path, init.method ?? "GET");
    return { response, text };
  };
}

Deno.test("the OpenAPI document has the types, ranges and defaults of the specification", () => {
  const schemas = {
    characters: "CharacterPasswordRequest",
    words: "WordPasswordRequest",
    sentence: "SentencePasswordRequest",
  };
  for (const [kind, name] of Object.entries(schemas)) {
    const table = currentTable(kind as Kind);
    const schema = DESCRIPTION.components.schemas[name]!;
    const without = mapValues(
      schema.properties!,
      ({ description, ...rest }, field) => {
        const value = JSON.stringify(table[field]!.default);
        const shown = value === undefined ? "none" : `\`${value}\``;
        assertMatch(description!, RegExp(`^.+\\. Default: ${shown}\\.$`));
        return rest;
      },
    );
    assertEquals(without, mapValues(table, schemaOf));
    const defaults = mapValues(table, (row) => row.default);
    // JSON has no undefined: a field without a default is absent.
    assertEquals(schema.default, JSON.parse(JSON.stringify(defaults)));
  }
  assertEquals(DESCRIPTION.info.version, Object.keys(LATER).at(-1));
  assertEquals(POSTS.map(({ path }) => path), Object.keys(API));
});

Deno.test("the OpenAPI document has example requests that get responses like the examples", async () => {
  await using running = await serve({
    env: { PWGEN_TRUSTED_PROXIES: "loopback" },
  });
  const send = sender(running);
  for (const { path, post } of POSTS) {
    const schema = DESCRIPTION.components.schemas[schemaName(post)]!;
    const { examples = {} } = post.requestBody!.content["application/json"]!;
    const content = post.responses[200]!.content!["application/json"]!;
    assertEquals(Object.keys(examples), Object.keys(content.examples!));
    for (const [name, { value }] of Object.entries(examples)) {
      assertEquals(violations(value, schema), []);
      const { response, text } = await send(path, postInit(value));
      assertEquals(response.status, 200, text);
      // Only the random characters of the example differ from the response.
      const shown = content.examples![name]!.value as
        & Record<string, unknown>
        & { passwords?: string[] };
      assertEquals(violations(shown, content.schema), []);
      assertEquals(shown["length"], String(shown["password"]).length);
      const body = JSON.parse(text);
      assertEquals(Object.keys(body), Object.keys(shown));
      assertEquals(body.passwords?.length, shown["passwords"]?.length);
      const { password, length, type } = body;
      assertEquals(type, shown["type"]);
      if (type === "characters") assertEquals(length, shown["length"]);
      const digits = (password: unknown) =>
        /\d*$/.exec(String(password))![0].length;
      if (type !== "characters") {
        assertEquals(digits(password), digits(shown["password"]));
      }
    }
  }
});

Deno.test("the OpenAPI document has example problems that equal those of the service", async () => {
  const env = { PWGEN_TRUSTED_PROXIES: "loopback" };
  await using running = await serve({ env });
  const send = sender(running);
  // All at once, since each takes ten seconds.
  const timeouts = new Map(
    POSTS.map(({ path }) => [path, requestTimeout(running.port, path)]),
  );
  for (const { path, post } of POSTS) {
    const provoke: Record<number, (sent: unknown) => Promise<string>> = {
      400: async (sent) => (await send(path, postInit(sent))).text,
      408: () => timeouts.get(path)!,
      413: async () => (await send(path, postInit("x".repeat(16_385)))).text,
      415: async () =>
        (await send(path, postInit("{}", { "content-type": "text/plain" })))
          .text,
      429: async () => {
        const client = { "x-forwarded-for": `198.51.100.${path.length}` };
        const request = postInit("{}", client);
        for (let i = 0;; i++) {
          const response = await fetch(running.url + path, request);
          const text = await response.text();
          assertEquals(response.status, i < 60 ? 200 : 429);
          assertDescribed(response, text, path, "POST");
          if (i === 60) return text;
        }
      },
      500: () => internalError(path),
      503: () => tooManyBodies(path),
    };
    const problems = Object.entries(post.responses).filter(([status]) =>
      status !== "200"
    );
    assertEquals(
      problems.map(([status]) => Number(status)),
      Object.keys(provoke).map(Number),
    );
    for (const [status, { content = {} }] of problems) {
      const { examples = {}, schema } = content["application/problem+json"]!;
      assert(Object.keys(examples).length > 0);
      for (const example of Object.values(examples)) {
        assertEquals(violations(example.value, schema), []);
        const text = await provoke[Number(status)]!(example["x-request"]);
        assertEquals(JSON.parse(text), example.value);
      }
    }
  }
  const { NotFound, MethodNotAllowed } = DESCRIPTION.components.responses;
  for (const described of [NotFound!, MethodNotAllowed!]) {
    const { examples } = described.content!["application/problem+json"]!;
    const problem = examples!["example"]!.value as { instance: string };
    const { text } = await send(problem.instance);
    assertEquals(JSON.parse(text), problem);
  }
});

/** The response of an endpoint whose body does not arrive. */
async function requestTimeout(port: number, path: string): Promise<string> {
  using connection = await RawConnection.connect(port);
  await connection.write(
    `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{`,
  );
  return (await connection.read()).body;
}

/** The response of an endpoint while too many bodies are pending. */
async function tooManyBodies(path: string): Promise<string> {
  const pending: ReadableStreamDefaultController[] = [];
  const send = () => {
    const start = (controller: ReadableStreamDefaultController) =>
      void pending.push(controller);
    const body = new ReadableStream({ start });
    return ask(path, { ...postInit(), body });
  };
  const responses = Array.from({ length: MAX_PENDING_BODIES.process }, send);
  const response = await send();
  for (const controller of pending) controller.close();
  await Promise.all(responses);
  const text = await response.text();
  assertDescribed(response, text, path, "POST");
  assertEquals(response.headers.get("retry-after"), "10");
  return text;
}

/** The response of an endpoint after an exception. */
async function internalError(path: string): Promise<string> {
  const { handler } = await service();
  const init = postInit("{}", { "content-length": "2" });
  const request = new Request(`http://localhost${path}`, init);
  Object.defineProperty(request, "json", {
    value: () => {
      throw new Error("The body cannot be read");
    },
  });
  const response = await handler(request, "192.0.2.1");
  const text = await response.text();
  assertDescribed(response, text, path, "POST");
  return text;
}

Deno.test("the OpenAPI document covers the other operations, and an invalid Host", async () => {
  await using running = await serve();
  const send = sender(running);
  for (const [path, item] of Object.entries(DESCRIPTION.paths)) {
    for (const method of Object.keys(item).map((name) => name.toUpperCase())) {
      if (method !== "POST") await send(path, { method });
      using connection = await RawConnection.connect(running.port);
      await connection.write(
        `${method} ${path} HTTP/1.1\r\nHost: a?b\r\nContent-Length: 0\r\n\r\n`,
      );
      const { status, headers, body } = await connection.read();
      assertDescribed(
        new Response(body, { status, headers }),
        body,
        path,
        method,
      );
    }
  }
});

Deno.test("the OpenAPI document is served as it is, and its server is the service below any prefix", async () => {
  const path = "/openapi/v1.json";
  const response = await ask(path);
  const text = await response.text();
  assertEquals(JSON.parse(text), DESCRIPTION);
  assertDescribed(response, text, path, "GET");
  const etag = response.headers.get("etag")!;
  const again = await ask(path, { headers: { "if-none-match": etag } });
  assertEquals(again.status, 304);
  assertDescribed(again, await again.text(), path, "GET");
  for (const prefix of ["", "/pw", "/tools/pw"]) {
    const [{ url }] = DESCRIPTION.servers as [{ url: string }];
    const { href } = new URL(url, `https://a.example${prefix}${path}`);
    assertEquals(href, `https://a.example${prefix}/`);
  }
});

Deno.test("the OpenAPI document describes a service whose settings have no default", async () => {
  await using running = await serve({
    task: "start:tls",
    env: {
      PWGEN_TLS_CERT: CERT,
      PWGEN_TLS_KEY: KEY,
      PWGEN_RATE_LIMIT: "3",
      PWGEN_TRUSTED_PROXIES: "loopback",
      PWGEN_MAX_CLIENTS: "2",
      PWGEN_ACCESS_LOG: "json",
      PWGEN_METRICS: "on",
      PWGEN_HSTS_MAX_AGE: "0",
    },
  });
  using client = await tlsClient();
  const statuses: number[] = [];
  for (const [path, item] of Object.entries(DESCRIPTION.paths)) {
    for (const method of Object.keys(item).map((name) => name.toUpperCase())) {
      for (let i = 0; i < 4; i++) {
        const response = await fetch(
          `https://localhost:${running.port}${path}`,
          {
            client,
            method,
            ...method === "POST" && postInit(),
          },
        );
        const text = await response.text();
        assertDescribed(response, text, path, method);
        const sts = response.headers.get("strict-transport-security");
        assertEquals(sts, "max-age=0");
        statuses.push(response.status);
      }
    }
  }
  assertEquals([...new Set(statuses)].sort(), [200, 429]);
});
