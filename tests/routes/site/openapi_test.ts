import { assert, assertEquals } from "@std/assert";
import { MAX_PENDING_BODIES } from "../../../routes/api/body.ts";
import { openApiDocument } from "../../../routes/site/openapi/mod.ts";
import type {
  Operation,
  ResponseObject,
  Schema,
} from "../../../routes/site/openapi/types.ts";
import { RawConnection } from "../../helpers/connection.ts";
import { type Running, serve } from "../../helpers/program.ts";
import {
  assertDescribed,
  DESCRIPTION,
  violations,
} from "../../helpers/schema.ts";
import { ask, post, service } from "../../helpers/service.ts";

const JSON_TYPE = { "content-type": "application/json" };
const POSTS = Object.entries(DESCRIPTION.paths).flatMap(([path, { post }]) =>
  post ? [{ path, post }] : []
);

/** The tables of the specification, sections "Resources and their fields". */
const boolean = (byDefault: boolean) => ({
  type: "boolean",
  default: byDefault,
});
const integer = (minimum: number, maximum: number, byDefault: number) => ({
  type: ["integer", "string"],
  format: "int32",
  pattern: "^-?(0|[1-9][0-9]*)$",
  minimum,
  maximum,
  default: byDefault,
});
const PHRASE = {
  language: { type: "string", enum: ["sv", "en"], default: "sv" },
  casing: {
    type: "string",
    enum: ["lower", "upper", "first", "title"],
    default: "title",
  },
  numberPosition: {
    type: "string",
    enum: ["before", "after", "between", "all"],
    default: "before",
  },
  numberLength: integer(0, 12, 2),
  replaceSwedishCharacters: boolean(false),
  replaceWithSpecialCharacters: boolean(false),
};
const SPECIFIED: Record<string, Record<string, unknown>> = {
  CharacterPasswordRequest: {
    length: integer(1, 128, 20),
    lowercase: boolean(true),
    uppercase: boolean(true),
    numbers: boolean(true),
    specialCharacters: boolean(true),
    swedishCharacters: boolean(false),
    specialCharacterPercentage: integer(0, 100, 0),
  },
  WordPasswordRequest: { ...PHRASE, wordCount: integer(1, 10, 4) },
  SentencePasswordRequest: PHRASE,
};

function requestSchema(operation: Operation): Schema {
  return operation.requestBody!.content["application/json"]!.schema;
}

/** Sends a request over HTTP, from an address that was never seen before. */
function sender({ url }: Running) {
  let clients = 0;
  return async (
    path: string,
    init: RequestInit & { headers?: object } = {},
  ) => {
    const headers = {
      ...init.headers,
      "x-forwarded-for": `192.0.2.${++clients}`,
    };
    const response = await fetch(url + path, { ...init, headers });
    const text = await response.text();
    assertDescribed(response, text, path, init.method ?? "GET");
    return { response, text };
  };
}

Deno.test("openApiDocument() has the fields of the specification, with their types, ranges and defaults", () => {
  for (const [name, fields] of Object.entries(SPECIFIED)) {
    const { properties = {} } = DESCRIPTION.components.schemas[name]!;
    const without = Object.fromEntries(
      Object.entries(properties).map(([field, { description, ...rest }]) => {
        assert(description !== undefined && description.length > 0);
        return [field, rest];
      }),
    );
    assertEquals(without, fields);
  }
  assertEquals(DESCRIPTION.info.version, "1.0.0");
});

Deno.test("openApiDocument() takes a value exactly when the service does", async () => {
  const values = [
    ...[
      0,
      1,
      2,
      10,
      11,
      12,
      13,
      100,
      101,
      128,
      129,
      -1,
      1.5,
      2 ** 31,
      -(2 ** 31),
    ],
    ...["0", "1", "12", "05", "+5", " 5", "5.0", "", "x", "true"],
    ...["sv", "en", "SV", "lower", "Title", "title", "before", "all"],
    ...[true, false, null, [], [5], {}, { a: 1 }],
  ];
  for (const { path, post: operation } of POSTS) {
    const name = requestSchema(operation).$ref!.split("/").at(-1)!;
    const { properties = {} } = DESCRIPTION.components.schemas[name]!;
    for (const [field, schema] of Object.entries(properties)) {
      for (const value of values) {
        const body = { [field]: value };
        const conforms =
          violations(body, requestSchema(operation)).length === 0;
        const { status } = await post(path, body);
        // What no schema of a single field can say: a range of strings, and
        // the rule for one word.
        const inRange = schema.maximum === undefined || (
          Number(value) >= schema.minimum! && Number(value) <= schema.maximum
        );
        assertEquals(
          status === 200,
          conforms && inRange,
          `${path} ${JSON.stringify(body)}`,
        );
      }
    }
  }
});

Deno.test("openApiDocument() has examples of requests that are answered as it says", async () => {
  await using running = await serve({
    env: { PWGEN_TRUSTED_PROXIES: "loopback" },
  });
  const send = sender(running);
  for (const { path, post } of POSTS) {
    const schema = requestSchema(post);
    const { examples = {} } = post.requestBody!.content["application/json"]!;
    const content = post.responses[200]!.content!["application/json"]!;
    assertEquals(Object.keys(examples), Object.keys(content.examples!));
    for (const [name, { value }] of Object.entries(examples)) {
      assertEquals(violations(value, schema), []);
      const { response, text } = await send(path, {
        method: "POST",
        headers: JSON_TYPE,
        body: JSON.stringify(value),
      });
      assertEquals(response.status, 200, text);
      // The example is random, and like the answer in all that is not.
      const shown = content.examples![name]!.value as Record<string, unknown>;
      assertEquals(violations(shown, content.schema), []);
      assertEquals(shown["length"], String(shown["password"]).length);
      const { password, length, type } = JSON.parse(text);
      assertEquals(type, shown["type"]);
      if (type === "characters") assertEquals(length, shown["length"]);
      const digits = (of: unknown) => /\d*$/.exec(String(of))![0].length;
      if (type !== "characters") {
        assertEquals(digits(password), digits(shown["password"]));
      }
    }
  }
});

Deno.test("openApiDocument() has examples of problems that are those of the service, to the letter", async () => {
  const env = { PWGEN_TRUSTED_PROXIES: "loopback" };
  await using running = await serve({ env });
  const send = sender(running);
  const body = (text: string, type = "application/json") => ({
    method: "POST",
    headers: { "content-type": type },
    body: text,
  });
  // At once, since each takes ten seconds.
  const late = new Map(
    POSTS.map(({ path }) => [path, lateBody(running.port, path)]),
  );
  for (const { path, post } of POSTS) {
    const provoke: Record<number, (sent: unknown) => Promise<string>> = {
      400: async (sent) => (await send(path, body(JSON.stringify(sent)))).text,
      408: () => late.get(path)!,
      413: async () => (await send(path, body("x".repeat(16_385)))).text,
      415: async () => (await send(path, body("{}", "text/plain"))).text,
      429: async () => {
        const init = body("{}");
        const headers = {
          ...init.headers,
          "x-forwarded-for": `198.51.100.${path.length}`,
        };
        for (let i = 0; i < 60; i++) {
          const response = await fetch(running.url + path, {
            ...init,
            headers,
          });
          await response.body?.cancel();
          assertEquals(response.status, 200);
        }
        const response = await fetch(running.url + path, { ...init, headers });
        const text = await response.text();
        assertDescribed(response, text, path, "POST");
        return text;
      },
      500: () => broken(path),
      503: () => crowded(path),
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
  const exampleOf = (answer: ResponseObject | undefined) =>
    answer!.content!["application/problem+json"]!.examples!["example"]!
      .value as {
        instance: string;
      };
  for (const answer of [NotFound, MethodNotAllowed]) {
    const example = exampleOf(answer);
    const { text } = await send(example.instance);
    assertEquals(JSON.parse(text), example);
  }
});

/** What an endpoint answers when its body does not come. */
async function lateBody(port: number, path: string): Promise<string> {
  using wire = await RawConnection.connect(port);
  await wire.write(
    `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{`,
  );
  return (await wire.read()).body;
}

/** What an endpoint answers when too many bodies are on their way. */
async function crowded(path: string): Promise<string> {
  const awaited: ReadableStreamDefaultController[] = [];
  const { handler } = await service();
  const send = async () => {
    const start = (controller: ReadableStreamDefaultController) =>
      void awaited.push(controller);
    const request = new Request(`http://localhost${path}`, {
      method: "POST",
      headers: JSON_TYPE,
      body: new ReadableStream({ start }),
    });
    const peer = `10.1.${awaited.length >> 8}.${awaited.length & 255}`;
    return await handler(request, peer);
  };
  const waiting = Array.from({ length: MAX_PENDING_BODIES }, send);
  await new Promise((resolve) => setTimeout(resolve, 50));
  const response = await send();
  for (const controller of awaited) controller.close();
  await Promise.all(waiting);
  const text = await response.text();
  assertDescribed(response, text, path, "POST");
  assertEquals(response.headers.get("retry-after"), "10");
  return text;
}

/** What an endpoint answers when there is no randomness to be had. */
async function broken(path: string): Promise<string> {
  const { getRandomValues } = crypto;
  crypto.getRandomValues = () => {
    throw new Error("No randomness");
  };
  try {
    const { handler } = await service();
    for (let drawn = 0; drawn < 10_000; drawn++) {
      const request = new Request(`http://localhost${path}`, {
        method: "POST",
        headers: JSON_TYPE,
        body: "{}",
      });
      const response = await handler(
        request,
        `10.0.${drawn >> 8}.${drawn & 255}`,
      );
      const text = await response.text();
      assertDescribed(response, text, path, "POST");
      if (response.status === 500) return text; // the block is used up
    }
    throw new Error("It never ran out of randomness");
  } finally {
    crypto.getRandomValues = getRandomValues;
  }
}

Deno.test("openApiDocument() covers every other operation, and a Host that is none", async () => {
  await using running = await serve();
  const send = sender(running);
  for (const [path, item] of Object.entries(DESCRIPTION.paths)) {
    for (const method of Object.keys(item).map((name) => name.toUpperCase())) {
      if (method !== "POST") await send(path, { method });
      using wire = await RawConnection.connect(running.port);
      await wire.write(
        `${method} ${path} HTTP/1.1\r\nHost: a?b\r\nContent-Length: 0\r\n\r\n`,
      );
      const { status, body } = await wire.read();
      assertEquals(status, 400);
      const { content } = DESCRIPTION.paths[path]![method.toLowerCase()]!
        .responses[400]!;
      const { schema } = content!["application/problem+json"]!;
      assertEquals(violations(JSON.parse(body), schema), []);
    }
  }
});

Deno.test("openapi() serves the description, and 304 to who has it", async () => {
  const path = "/openapi/v1.json";
  const response = await ask(path);
  const text = await response.text();
  assertEquals(JSON.parse(text), DESCRIPTION);
  assertDescribed(response, text, path, "GET");
  const etag = response.headers.get("etag")!;
  for (const have of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) {
    const again = await ask(path, { headers: { "if-none-match": have } });
    assertEquals(again.status, 304);
    assertEquals(again.headers.get("etag"), etag);
    assertEquals(again.headers.get("cache-control"), "no-cache");
    assertDescribed(again, await again.text(), path, "GET");
  }
  const stale = await ask(path, { headers: { "if-none-match": '"other"' } });
  assertEquals(stale.status, 200);
  // Another limit is another description.
  const { handler } = await service("--rate-limit=7");
  const other = await (await ask(path, {}, handler)).json();
  assertEquals(other, openApiDocument({ limit: 7, seconds: 60 }));
  const policy = other.components.headers["RateLimit-Policy"].schema.enum;
  assertEquals(policy, ['"default";q=7;w=60']);
});
