import {
  assert,
  assertEquals,
  assertMatch,
  assertStringIncludes,
} from "@std/assert";
import { REQUEST_BUDGET } from "../../../middleware/request_budget.ts";
import { MAX_PENDING_BODIES } from "../../../routes/api/body.ts";
import { MAX_WAITING } from "../../../routes/api/turns.ts";
import { API } from "../../../routes/api/mod.ts";
import { fakeIntervals } from "../../helpers/fake_time.ts";
import {
  assertDescribed,
  DESCRIPTION,
  resolve,
  type Schema,
  schemaName,
  violations,
} from "../../helpers/schema.ts";
import {
  ask,
  FAILING,
  handlerFor,
  postInit,
  readProblem,
  service,
} from "../../helpers/service.ts";
import { currentTable, type Kind } from "../../oracle.ts";

const POSTS = Object.entries(DESCRIPTION.paths).flatMap(([path, { post }]) =>
  post ? [{ path, post }] : []
);

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
        type: "string",
        maxLength: row.maxLength,
        ...row.pattern && { pattern: row.pattern },
      }
      : {},
  };
  return { ...types[type], ...since && { "x-since": since } };
}

/** Checks that the document describes a response, and returns its body. */
async function described(
  response: Response,
  path: string,
  method = "POST",
): Promise<string> {
  const text = await response.text();
  assertDescribed(response, text, path, method);
  return text;
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
    const properties = Object.entries(schema.properties!);
    assertEquals(properties.length, Object.keys(table).length);
    const defaults: Record<string, unknown> = {};
    for (const [name, property] of properties) {
      const {
        description,
        "x-enum-varnames": _,
        "x-enumNames": __,
        ...rest
      } = resolve(property);
      const row = table[name]!;
      assertEquals(rest, schemaOf(row));
      const value = JSON.stringify(row.default);
      assertStringIncludes(description!, `. Default: \`${value}\`.`);
      defaults[name] = row.default;
    }
    assertEquals(schema.default, defaults);
  }
  // swagger-parser before 12.1 and several importers refuse 3.1.1 and later.
  assertEquals(DESCRIPTION.openapi, "3.1.0");
  assertEquals(POSTS.map(({ path }) => path), Object.keys(API));
});

Deno.test("the OpenAPI document has example requests that get responses like the examples", async () => {
  for (const { path, post } of POSTS) {
    const schema = DESCRIPTION.components.schemas[schemaName(post)]!;
    const { examples = {} } = post.requestBody!.content["application/json"]!;
    const content = post.responses[200]!.content!;
    // Some generators take the first type only.
    assertEquals(Object.keys(content), ["application/json", "text/plain"]);
    const { schema: ofResponse, examples: shown = {} } =
      content["application/json"]!;
    assertEquals(Object.keys(examples), Object.keys(shown));
    for (const [name, { value }] of Object.entries(examples)) {
      assertEquals(violations(value, schema), []);
      const response = await ask(path, postInit(value));
      const body = JSON.parse(await described(response, path));
      // Only the random part of the example differs from the response.
      const example = shown[name]!.value as typeof body;
      assertEquals(violations(example, ofResponse), []);
      assertEquals(Object.keys(body), Object.keys(example));
      assertEquals(body.type, example.type);
      assertEquals(body.passwords?.length, example.passwords?.length);
      assertEquals(example.length, example.password.length);
      const text = await ask(path, postInit(value, { accept: "text/plain" }));
      assertEquals(
        (await described(text, path)).split("\n").length,
        1 + (body.passwords?.length ?? 0),
      );
    }
  }
});

Deno.test("the OpenAPI document has an identifier for each value of an enum", () => {
  const { schemas } = DESCRIPTION.components;
  const enums = Object.values(schemas).flatMap(({ properties = {} }) =>
    Object.values(properties).map(resolve)
      .filter((schema) => schema.enum !== undefined)
  );
  assert(enums.length > 8);
  for (const schema of enums) {
    const names = schema["x-enum-varnames"] ?? schema.enum as string[];
    assertEquals(new Set(names).size, schema.enum!.length);
    for (const name of names) assertMatch(name, /^[A-Za-z]+$/);
    assertEquals(schema["x-enumNames"], schema["x-enum-varnames"]);
  }
});

/** The response to many requests of one client. */
async function tooManyRequests(path: string): Promise<Response> {
  const { handler } = await service();
  const send = () =>
    handler(new Request(`http://localhost${path}`, postInit()), "192.0.2.1");
  for (let i = 0; i < 60; i++) assertEquals((await send()).status, 200);
  return await send();
}

/** The response of an endpoint while too many bodies are pending. */
async function tooManyBodies(path: string): Promise<Response> {
  const handler = await handlerFor([]);
  const pending: ReadableStreamDefaultController[] = [];
  const send = () => {
    const start = (controller: ReadableStreamDefaultController) =>
      void pending.push(controller);
    const body = new ReadableStream({ start });
    return ask(path, { ...postInit(), body }, handler);
  };
  const responses = Array.from({ length: MAX_PENDING_BODIES.process }, send);
  const response = await send();
  for (const controller of pending) controller.close();
  await Promise.all(responses);
  return response;
}

/** The response of an endpoint while too many requests are queued. */
async function tooManyWaiting(path: string): Promise<Response> {
  const handler = await handlerFor([]);
  const send = () => ask(path, postInit({ count: 1 }), handler);
  // Those that arrive first have their turn at once.
  const responses = Array.from({ length: 2 * MAX_WAITING.process }, send);
  const refused = (await Promise.all(responses))
    .find(({ status }) => status === 503);
  assert(refused);
  return refused;
}

/** The response of a path while the process stops. */
async function stopping(path: string, init = {}): Promise<Response> {
  const parts = { isStopping: () => true, isDraining: () => true };
  return await ask(path, init, await handlerFor([], parts));
}

/** The response of an endpoint to a body that does not arrive. */
async function lateBody(path: string): Promise<Response> {
  using time = fakeIntervals();
  const handler = await handlerFor([]);
  const init = { ...postInit(), body: new ReadableStream() };
  const response = ask(path, init, handler);
  // The service waits for the body from the next turn of the event loop.
  await new Promise((resolve) => setTimeout(resolve));
  time.pass(11_000);
  return await response;
}

Deno.test("the OpenAPI document has example problems that equal those of the service", async () => {
  for (const { path, post } of POSTS) {
    const pieces = ReadableStream.from(Array(130).fill(Uint8Array.of(32)));
    /** What has each example of a status as its response. */
    const provoke: Record<string, (() => Promise<Response>)[]> = {
      408: [() => lateBody(path)],
      413: [
        () => ask(path, postInit("x".repeat(16_385))),
        () => ask(path, { ...postInit(), body: pieces }),
      ],
      415: [
        () => ask(path, postInit("{}", { "content-type": "text/plain" })),
        () => ask(path, postInit("{}", { "content-encoding": "gzip" })),
      ],
      429: [() => tooManyRequests(path)],
      500: [async () => ask(path, postInit(), await handlerFor([], FAILING))],
      503: [
        () => tooManyBodies(path),
        () => tooManyWaiting(path),
        () => stopping(path, postInit()),
      ],
    };
    const { 200: _, 400: invalid, ...problems } = post.responses;
    assertEquals(Object.keys(problems), Object.keys(provoke));
    const { examples = {} } = invalid!.content!["application/problem+json"]!;
    provoke[400] = Object.values(examples).map((example) => () =>
      ask(path, postInit(example["x-request"]))
    );
    for (const [status, calls] of Object.entries(provoke)) {
      const { content = {} } = post.responses[status]!;
      const { examples = {}, schema } = content["application/problem+json"]!;
      assertEquals(Object.keys(examples).length, calls.length);
      for (const [i, example] of Object.values(examples).entries()) {
        assertEquals(violations(example.value, schema), []);
        const response = await calls[i]!();
        await readProblem(response.clone(), Number(status), path);
        const problem = JSON.parse(await described(response, path));
        assertEquals(problem, example.value);
      }
    }
  }
  const { NotFound, MethodNotAllowed } = DESCRIPTION.components.responses;
  for (const { content } of [NotFound!, MethodNotAllowed!]) {
    const { examples } = content!["application/problem+json"]!;
    const problem = examples!["example"]!.value as { instance: string };
    const response = await ask(problem.instance);
    const text = await described(response, problem.instance, "GET");
    assertEquals(JSON.parse(text), problem);
  }
  for (const path of ["/healthz", "/openapi/v1.json"]) {
    const { content } = DESCRIPTION.paths[path]!["get"]!.responses[503]!;
    const { examples } = content!["application/problem+json"]!;
    const text = await described(await stopping(path), path, "GET");
    assertEquals(JSON.parse(text), examples!["example"]!.value);
  }
});

Deno.test("the OpenAPI document describes each operation, also with an invalid Host or other settings", async () => {
  const handlers = [
    await handlerFor([]),
    await handlerFor([
      "--tls-cert=c",
      "--tls-key=k",
      "--hsts-max-age=0",
      "--rate-limit=3",
      "--metrics=on",
    ]),
  ];
  for (const [path, item] of Object.entries(DESCRIPTION.paths)) {
    for (const method of Object.keys(item).map((name) => name.toUpperCase())) {
      for (const host of ["localhost", "a?b"]) {
        for (const handler of handlers) {
          const body = method === "POST" ? postInit() : {};
          const headers = { ...body.headers, host };
          const init = { method, ...body, headers };
          const response = await ask(path, init, handler);
          assertEquals(response.status, host === "localhost" ? 200 : 400);
          await described(response, path, method);
        }
      }
    }
  }
});

Deno.test("the OpenAPI document has the request budget wherever it applies", () => {
  const { info, paths } = DESCRIPTION;
  for (
    const text of [
      info.description,
      paths["/healthz"]!["get"]!.description,
      paths["/openapi/v1.json"]!["get"]!.responses[429]!.description,
      POSTS[0]!.post.responses[429]!.description,
    ]
  ) assertMatch(text, RegExp(`\\b${REQUEST_BUDGET} .*\\b60 seconds`));
});

Deno.test("the OpenAPI document has patterns that JavaScript compiles with each of its Unicode flags", () => {
  const text = JSON.stringify(DESCRIPTION);
  const patterns = new Set<string>();
  JSON.parse(text, (key, value) => {
    if (key === "pattern") patterns.add(value);
    return value;
  });
  assert(patterns.size > 4);
  // HTML takes the flag v; Java, Rust and Ruby refuse the same classes as it does.
  for (const pattern of patterns) {
    for (const flag of "uv") RegExp(pattern, flag);
  }
});

Deno.test("the OpenAPI document is served as it is, and its server is the service below any prefix", async () => {
  const path = "/openapi/v1.json";
  const response = await ask(path);
  const etag = response.headers.get("etag")!;
  assertEquals(JSON.parse(await described(response, path, "GET")), DESCRIPTION);
  const again = await ask(path, { headers: { "if-none-match": etag } });
  assertEquals(again.status, 304);
  await described(again, path, "GET");
  for (const prefix of ["", "/pw", "/tools/pw"]) {
    const [{ url }] = DESCRIPTION.servers as [{ url: string }];
    const { href } = new URL(url, `https://a.example${prefix}${path}`);
    assertEquals(href, `https://a.example${prefix}/`);
  }
});

Deno.test("the OpenAPI document describes the longest response", async () => {
  const path = "/api/pwgen/characters";
  const response = await ask(path, postInit({ length: 128, groupLength: 1 }));
  assertEquals(JSON.parse(await described(response, path)).length, 255);
});
