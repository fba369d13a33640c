/**
 * The API takes the form of an ASP.NET service. The requests are those of clients
 * that NSwag 14.7.1 made (on Mono), and of Kiota's libraries for TypeScript; .NET
 * can also write integers as strings, send chunks, and wait for 100 (Continue).
 *
 * @module
 */
import { assert, assertEquals } from "@std/assert";
import { RawConnection } from "../../helpers/connection.ts";
import { serve } from "../../helpers/program.ts";
import { JSON_TYPE, PROBLEM_TYPE } from "../../helpers/service.ts";
import { KINDS, TABLES, V1 } from "../../oracle.ts";

/** The parts of a request, each with the ways to write it. */
interface Parts {
  kind: typeof KINDS[number];
  /** The fields: those of the first version, or all. */
  tables: typeof V1 | typeof TABLES;
  accept: string;
  type: string;
  isChunked: boolean;
  waits: boolean;
  isPascalCase: boolean;
  hasStrings: boolean;
}
const PARTS: { [Name in keyof Parts]: readonly Parts[Name][] } = {
  kind: KINDS,
  tables: [V1, TABLES],
  accept: [
    "application/json",
    "application/json, application/problem+json",
    "application/json, text/plain;q=0.9",
  ],
  type: ["application/json", "application/json; charset=utf-8"],
  isChunked: [false, true],
  waits: [false, true],
  isPascalCase: [false, true],
  hasStrings: [false, true],
};

/** All combinations of the parts. */
const REQUESTS = Object.entries(PARTS).reduce<object[]>(
  (all, [name, values]) =>
    all.flatMap((parts) =>
      values.map((value) => ({ ...parts, [name]: value }))
    ),
  [{}],
) as Parts[];

/** A body with every field, at its default if it has no other value. */
function bodyOf(
  { kind, tables, isPascalCase, hasStrings }: Parts,
  values: Record<string, number>,
): string {
  const fields = Object.entries(tables[kind]).map(([name, row]) => {
    const value = values[name] ?? row.default;
    return [
      isPascalCase ? name[0]!.toUpperCase() + name.slice(1) : name,
      hasStrings && typeof value === "number" ? String(value) : value,
    ];
  });
  return JSON.stringify(Object.fromEntries(fields));
}

/** Sends a request, and returns status, media type and body of the response. */
async function send(connection: RawConnection, parts: Parts, body: string) {
  const { kind, accept, type, isChunked, waits } = parts;
  const size = body.length.toString(16);
  await connection.write([
    `POST /api/pwgen/${kind} HTTP/1.1`,
    "Host: localhost",
    `Accept: ${accept}`,
    `Content-Type: ${type}`,
    isChunked ? "Transfer-Encoding: chunked" : `Content-Length: ${body.length}`,
    ...waits ? ["Expect: 100-continue"] : [],
    "\r\n",
  ].join("\r\n"));
  if (waits) assertEquals((await connection.read()).status, 100);
  await connection.write(
    isChunked ? `${size}\r\n${body}\r\n0\r\n\r\n` : body,
  );
  const { status, headers, body: text } = await connection.read();
  return [status, headers.get("content-type"), JSON.parse(text)] as const;
}

Deno.test("a client that was made for an ASP.NET service works unchanged", async () => {
  await using service = await serve({ env: { PWGEN_RATE_LIMIT: "10000" } });
  using connection = await RawConnection.connect(service.port);
  for (const parts of REQUESTS) {
    const { kind } = parts;
    const good = await send(connection, parts, bodyOf(parts, {}));
    const { password } = good[2];
    const { length } = [...password];
    assertEquals(good, [200, JSON_TYPE, { password, length, type: kind }]);

    const name = kind === "characters" ? "length" : "numberLength";
    const bad = await send(connection, parts, bodyOf(parts, { [name]: 1000 }));
    // The members of ValidationProblemDetails, with a list of texts for each field.
    const texts: unknown[] = bad[2].errors[name];
    assert(texts.every((text) => typeof text === "string"));
    assertEquals(bad, [400, PROBLEM_TYPE, {
      type: "https://www.rfc-editor.org/rfc/rfc9110#section-15.5.1",
      title: "One or more validation errors occurred.",
      status: 400,
      detail: `Not acceptable: ${name}; see errors.`,
      instance: `/api/pwgen/${kind}`,
      errors: { [name]: texts },
    }]);
  }
});
