import { assert, assertEquals, assertThrows } from "@std/assert";
import { assertDescribed, type Schema, violations } from "./schema.ts";

Deno.test("violations() finds invalid values only", () => {
  const cases: [Schema, unknown[], unknown[]][] = [
    [{ type: "string" }, ["", "a"], [1, null, [], {}]],
    [{ type: ["integer", "null"] }, [1, 1.0, null], [1.5, "1", true]],
    [{ type: "array", items: { type: "boolean" } }, [[], [true]], [[1], {}]],
    [{ minItems: 1, maxItems: 2 }, [[1], [1, 2], {}], [[], [1, 2, 3]]],
    [{ type: "object" }, [{}], [[], null, "{}"]],
    [{ minimum: 1, maximum: 3 }, [1, 3, "9"], [0, 4]],
    [{ type: "integer", format: "int32" }, [-(2 ** 31)], [2 ** 31]],
    [{ maxLength: 2 }, ["", "ab", "\u{1f600}\u{1f600}", 123], ["abc"]],
    [{ pattern: "^a+$" }, ["a", "aa", 1], ["", "b"]],
    [{ enum: ["a", "b"] }, ["a"], ["c", 1]],
    [{ required: ["a"] }, [{ a: 1 }], [{}, { b: 1 }]],
    [{ properties: { a: { type: "null" } } }, [{}, { b: 1 }], [{ a: 1 }]],
    [
      { properties: { a: {} }, additionalProperties: { type: "string" } },
      [{ a: 1, b: "" }],
      [{ b: 1 }],
    ],
    [
      { $ref: "#/components/schemas/Health" },
      [{ status: "ok" }],
      [{ status: "well" }, {}],
    ],
  ];
  for (const [schema, good, bad] of cases) {
    for (const value of good) assertEquals(violations(value, schema), []);
    for (const value of bad) {
      assert(violations(value, schema).length > 0, JSON.stringify(value));
    }
  }
});

Deno.test("violations() fails on unknown keywords, types and references", () => {
  const unknown = { oneOf: [] } as unknown as Schema;
  assertThrows(() => violations(1, unknown), Error, "oneOf");
  assertThrows(() => violations(1, { type: "float" }), Error, "float");
  const elsewhere = { $ref: "#/components/schemas/Nothing" };
  assertThrows(() => violations(1, elsewhere), Error, "Nothing");
});

Deno.test("assertDescribed() fails on another status, field, media type or body", () => {
  const headers = {
    "content-type": "application/json; charset=utf-8",
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
  };
  const check = (
    change: { status?: number; headers?: Record<string, string> },
    body: unknown,
  ) =>
    assertDescribed(
      new Response(null, {
        ...change,
        headers: { ...headers, ...change.headers },
      }),
      JSON.stringify(body),
      "/healthz",
      "GET",
    );
  check({}, { status: "ok" });
  assertThrows(() => check({ status: 201 }, { status: "ok" }), Error, "201");
  assertThrows(() => check({}, {}), Error, "no status");
  const withHeaders = (headers: Record<string, string>) => () =>
    check({ headers }, { status: "ok" });
  assertThrows(withHeaders({ server: "x" }), Error, "server");
  assertThrows(
    withHeaders({ "cache-control": "public" }),
    Error,
    "cache-control",
  );
  assertThrows(
    withHeaders({ "content-type": "text/html; charset=utf-8" }),
    Error,
    "text/html",
  );
  assertThrows(
    withHeaders({ "content-type": "application/json" }),
    Error,
    "charset",
  );
});
