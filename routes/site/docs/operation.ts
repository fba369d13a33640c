/**
 * One operation of the OpenAPI document as a section of /docs.
 *
 * @module
 */
import { escapeHtml } from "../html.ts";
import type {
  OpenApiDocument,
  Operation,
  ResponseObject,
  Schema,
} from "../openapi/types.ts";
import {
  anchor,
  block,
  code,
  folded,
  heading,
  prose,
  table,
} from "./elements.ts";
import { type Example, examples } from "./examples.ts";

/** The allowed values of a schema, in words. */
function values(schema: Schema): string {
  const { type, minimum, maximum, enum: all } = schema;
  if (all !== undefined) {
    // An empty string or a space would be invisible without quotation marks.
    const isBlank = all.some((value) => String(value).trim() === "");
    return all.map((value) =>
      code(isBlank ? JSON.stringify(value) : String(value))
    ).join(", ");
  }
  const types = [type].flat().join(" or ");
  return maximum === undefined ? types : `${minimum}–${maximum}`;
}

/**
 * Makes the table of the properties of a schema.
 *
 * @param schema the schema
 * @param heads the headings; "Default" adds a column with the defaults
 * @returns HTML
 *
 * @example
 * ```ts
 * import { properties } from "./operation.ts";
 * import { assertStringIncludes } from "@std/assert";
 *
 * const schema = { properties: { a: { type: "string", description: "Any" } } };
 * const html = properties(schema, ["Field", "Type", "Meaning"]);
 * assertStringIncludes(html, "Any</td></tr>");
 * ```
 */
export function properties(schema: Schema, heads: readonly string[]): string {
  return table(
    heads,
    Object.entries(schema.properties ?? {}).map(([name, of]) => [
      code(name),
      values(of),
      ...(heads.includes("Default") ? [values({ enum: [of.default] })] : []),
      prose(of.description ?? "") +
      (of["x-since"] === undefined ? "" : ` (since ${of["x-since"]})`),
    ]),
  );
}

/**
 * Links to the descriptions of header fields.
 *
 * @param names the names of the header fields
 * @returns HTML
 *
 * @example
 * ```ts
 * import { headerLinks } from "./operation.ts";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(headerLinks(["Vary"]), '<a href="#Vary">Vary</a>');
 * ```
 */
export function headerLinks(names: readonly string[]): string {
  return names.map((name) => `<a href="${anchor(name)}">${name}</a>`).join(
    ", ",
  );
}

/** The header fields that all of these responses have. */
function shared(responses: readonly ResponseObject[]): string[] {
  return Object.keys(responses[0]!.headers).filter((name) =>
    responses.every(({ headers }) => name in headers)
  );
}

/**
 * Lists the header fields of every response.
 *
 * @param document the OpenAPI document
 * @returns the names
 *
 * @example
 * ```ts
 * import { commonHeaders } from "./operation.ts";
 * import { openApiDocument } from "../openapi/mod.ts";
 * import { assert } from "@std/assert";
 *
 * const names = commonHeaders(openApiDocument({ limit: 60, seconds: 60 }));
 * assert(names.includes("Cache-Control") && !names.includes("Allow"));
 * ```
 */
export function commonHeaders({ paths }: OpenApiDocument): string[] {
  return shared(
    Object.values(paths).flatMap((item) =>
      Object.values(item).flatMap(({ responses }) => Object.values(responses))
    ),
  );
}

/** The responses of an operation; `common` are header fields not to repeat. */
function responseTable(
  { responses }: Operation,
  common: readonly string[],
): string {
  const own = shared(Object.values(responses)).filter((name) =>
    !common.includes(name)
  );
  const known = [...common, ...own];
  const intro = own.length > 0
    ? `<p>Each of these responses has ${headerLinks(own)}.</p>`
    : "";
  return intro + table(
    ["Response", "When", "Header fields"],
    Object.entries(responses).map(([status, { description, headers }]) => [
      status,
      prose(description),
      headerLinks(Object.keys(headers).filter((name) => !known.includes(name))),
    ]),
  );
}

/**
 * Shows the same code in several languages. The script adds buttons that choose
 * one of them.
 *
 * @param code the code by language
 * @returns HTML
 *
 * @example
 * ```ts
 * import { codeBlocks } from "./operation.ts";
 * import { assertStringIncludes } from "@std/assert";
 *
 * assertStringIncludes(codeBlocks({ curl: "curl 'a'" }), "curl 'a'");
 * ```
 */
export function codeBlocks(code: Readonly<Record<string, string>>): string {
  const blocks = Object.entries(code).map(([name, text]) => block(name, text));
  return `<div class="languages">${blocks.join("")}</div>`;
}

/** The code of an example, if it has any, and its response. */
function exampleBlocks({ status, code, type, body }: Example): string {
  return (Object.keys(code).length > 0 ? codeBlocks(code) : "") +
    (body === undefined ? "" : block(`Response ${status}: \`${type}\``, body));
}

/** The examples, folded: one part for each request, and one for all others. */
function exampleList(all: readonly Example[]): string {
  const bySummary = Map.groupBy(
    all,
    ({ status, summary, code }) =>
      Object.keys(code).length > 0
        ? `${status}: ${prose(summary)}`
        : "Bodies of other responses",
  );
  return [...bySummary].map(([summary, group]) =>
    folded(summary, group.map(exampleBlocks).join(""))
  ).join("");
}

/** A form that sends a request. It is hidden until the script shows it. */
function tryIt(
  path: string,
  { operationId: id, requestBody, responses }: Operation,
): string {
  const [media] = Object.values(requestBody?.content ?? {});
  const [first] = Object.values(media?.examples ?? {});
  const types = Object.keys(Object.values(responses)[0]?.content ?? {});
  const body = escapeHtml(JSON.stringify(first?.value ?? {}));
  return `<div class="try" data-path="${path.slice(1)}" hidden>
${heading(4, `${id}-try`, "Try it")}
<label for="${id}-body">Body</label>
<textarea id="${id}-body" rows="3" spellcheck="false" autocomplete="off" translate="no">${body}</textarea>
<div class="row"><label for="${id}-accept">Accept</label>
<select id="${id}-accept" autocomplete="off">${
    types.map((type) => `<option>${type}</option>`).join("")
  }</select>
<button type="button" class="send">Send</button>
<span class="message" role="status"></span></div>
<div class="answer" hidden>${block("Header fields", "")}${
    block("Response body", "")
  }</div>
</div>`;
}

/**
 * Makes the section of an operation. A preflight request is folded, because
 * browsers send it by themselves.
 *
 * @param path the path of the operation
 * @param method its method, in lower case
 * @param operation the operation
 * @param document the OpenAPI document
 * @returns HTML
 *
 * @example
 * ```ts
 * import { operationSection } from "./operation.ts";
 * import { openApiDocument } from "../openapi/mod.ts";
 * import { assertStringIncludes } from "@std/assert";
 *
 * const document = openApiDocument({ limit: 60, seconds: 60 });
 * const { get } = document.paths["/healthz"]!;
 * const html = operationSection("/healthz", "get", get!, document);
 * assertStringIncludes(html, '<h3 id="getHealth">');
 * ```
 */
export function operationSection(
  path: string,
  method: string,
  operation: Operation,
  document: OpenApiDocument,
): string {
  const { operationId: id, summary, requestBody } = operation;
  const title = code(`${method.toUpperCase()} ${path}`);
  const parts = [
    heading(3, id, title),
    `<p><strong>${prose(summary)}.</strong> ${
      prose(operation.description)
    }</p>`,
  ];
  for (const { schema } of Object.values(requestBody?.content ?? {})) {
    const name = schema.$ref!.split("/").at(-1)!;
    const request = document.components.schemas[name]!;
    parts.push(
      heading(4, `${id}-fields`, "Fields"),
      `<p>${prose(request.description ?? "")}</p>`,
      properties(request, ["Field", "Values", "Default", "Meaning"]),
    );
  }
  parts.push(
    heading(4, `${id}-examples`, "Examples"),
    exampleList(examples(path, method, operation)),
    ...(requestBody === undefined ? [] : [tryIt(path, operation)]),
    heading(4, `${id}-responses`, "Responses"),
    responseTable(operation, commonHeaders(document)),
  );
  const section = parts.join("\n");
  return method === "options" ? folded(title, section) : section;
}
