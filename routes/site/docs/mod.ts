/**
 * GET /docs: the OpenAPI document as a page for people.
 *
 * @module
 */
import type { Handler } from "../../context.ts";
import type { RateLimit } from "../../header_fields.ts";
import { CSS, escapeHtml, HTML, PAGE_HEADERS } from "../html.ts";
import { openApiDocument } from "../openapi/mod.ts";
import type {
  OpenApiDocument,
  Operation,
  ResponseObject,
  Schema,
} from "../openapi/types.ts";
import { serveDocument } from "../static.ts";
import style from "./docs.css" with { type: "text" };

const code = (text: string) => `<code>${escapeHtml(text)}</code>`;
const block = (text: string) =>
  // With a tab stop, so that the keyboard can scroll a wide block.
  `<pre tabindex="0"><code>${escapeHtml(text)}</code></pre>`;

/** A text of the document; backticks mark code. */
function prose(text: string): string {
  return escapeHtml(text).replace(/`([^`]+)`/g, "<code>$1</code>");
}

function table(heads: string[], rows: string[][]): string {
  const head = heads.map((text) => `<th scope="col">${text}</th>`).join("");
  const body = rows.map(([first, ...rest]) =>
    `<tr><th scope="row">${first}</th>${
      rest.map((cell) => `<td>${cell}</td>`).join("")
    }</tr>`
  );
  return `<div class="table" tabindex="0"><table><thead><tr>${head}</tr></thead><tbody>${
    body.join("")
  }</tbody></table></div>`;
}

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

function properties(schema: Schema, heads: string[]): string {
  return table(
    heads,
    Object.entries(schema.properties ?? {}).map(([name, of]) => [
      code(name),
      values(of),
      ...(heads.length > 3 ? [values({ enum: [of.default] })] : []),
      prose(of.description ?? "") +
      (of["x-since"] === undefined ? "" : ` (since ${of["x-since"]})`),
    ]),
  );
}

/** The schema that a reference points to. */
function resolve(schema: Schema, { components }: OpenApiDocument): Schema {
  return schema.$ref === undefined
    ? schema
    : components.schemas[schema.$ref.split("/").at(-1)!]!;
}

/** The request and the response of each example of an operation. */
function exchanges(
  path: string,
  { requestBody, responses }: Operation,
): string[] {
  const requests = Object.values(requestBody?.content ?? {})[0]?.examples ?? {};
  return Object.entries(responses).flatMap(([status, { content = {} }]) =>
    Object.entries(content).flatMap(([type, { examples = {} }]) =>
      Object.entries(examples).flatMap(([name, example]) => {
        const request = requests[name]?.value ?? example["x-request"];
        return [
          `<h4>${status}: ${prose(example.summary)}</h4>`,
          ...(request === undefined ? [] : [block(curl(path, request))]),
          block(`${type}\n${asText(example.value)}`),
        ];
      })
    )
  );
}

/** A body as it is sent: text, or JSON with line breaks. */
function asText(body: unknown): string {
  return typeof body === "string" ? body : JSON.stringify(body, null, 2);
}

function curl(path: string, body: unknown): string {
  return `curl -X POST https://ADDRESS${path} -H 'content-type: application/json' -d '${
    JSON.stringify(body)
  }'`;
}

function headerLinks(names: readonly string[]): string {
  return names.map((name) => `<a href="#${name}">${name}</a>`).join(", ");
}

/** The header fields of every response. */
function commonHeaders({ paths }: OpenApiDocument): string[] {
  const responses = Object.values(paths).flatMap((item) =>
    Object.values(item).flatMap(({ responses }) => Object.values(responses))
  );
  return Object.keys(responses[0]!.headers).filter((name) =>
    responses.every(({ headers }) => name in headers)
  );
}

function responseTable(
  responses: Readonly<Record<string, ResponseObject>>,
  common: readonly string[],
): string {
  return table(
    ["Response", "When", "Header fields"],
    Object.entries(responses).map(([status, { description, headers }]) => [
      status,
      prose(description),
      headerLinks(
        Object.keys(headers).filter((name) => !common.includes(name)),
      ),
    ]),
  );
}

function operation(
  path: string,
  method: string,
  operation: Operation,
  document: OpenApiDocument,
): string {
  const { operationId, summary, requestBody, responses } = operation;
  const parts = [
    `<h3 id="${operationId}">${code(`${method.toUpperCase()} ${path}`)}</h3>`,
    `<p><strong>${prose(summary)}.</strong> ${
      prose(operation.description)
    }</p>`,
  ];
  for (const { schema } of Object.values(requestBody?.content ?? {})) {
    const request = resolve(schema, document);
    parts.push(
      `<p>${prose(request.description ?? "")}</p>`,
      properties(request, ["Field", "Values", "Default", "Meaning"]),
    );
  }
  parts.push(
    responseTable(responses, commonHeaders(document)),
    ...exchanges(path, operation),
  );
  return `<section>${parts.join("\n")}</section>`;
}

function page(document: OpenApiDocument): string {
  const { info, paths, components } = document;
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, of]) => ({ path, method, of }))
  );
  const body = [
    `<h1>${prose(info.title)}</h1>`,
    `<p>Version ${
      code(info.version)
    }. <a href="openapi/v1.json">OpenAPI document</a> for programs, <a href="./">a page</a> for people who need a password now.</p>`,
    ...info.description.split("\n\n").map((text) => `<p>${prose(text)}</p>`),
    `<p>In the examples, ADDRESS is the host of this page.</p>`,
    `<nav aria-label="Operations"><ul>${
      operations.map(({ path, method, of }) =>
        `<li><a href="#${of.operationId}">${
          code(`${method.toUpperCase()} ${path}`)
        }</a> ${prose(of.summary)}</li>`
      ).join("")
    }</ul></nav>`,
    `<h2>Operations</h2>`,
    ...operations.map(({ path, method, of }) =>
      operation(path, method, of, document)
    ),
    `<h2>Bodies of responses</h2>`,
    ...["PasswordResponse", "HttpValidationProblemDetails", "ProblemDetails"]
      .map((name) => {
        const schema = components.schemas[name]!;
        return `<h3>${name}</h3><p>${prose(schema.description ?? "")}</p>${
          properties(schema, ["Field", "Type", "Meaning"])
        }`;
      }),
    `<h2>Errors of any path</h2>`,
    ...Object.values(components.responses).map((response) => {
      const examples = Object.values(response.content ?? {}).flatMap(
        ({ examples }) => Object.values(examples ?? {}),
      );
      return `<p>${prose(response.description)}</p>${
        examples.map(({ value }) => block(JSON.stringify(value, null, 2))).join(
          "",
        )
      }`;
    }),
    `<h2>Header fields</h2>`,
    `<p>Every response has ${headerLinks(commonHeaders(document))}.</p>`,
    table(
      ["Header field", "Meaning", "Example"],
      Object.entries(components.headers).map(([name, header]) => [
        `<span id="${name}">${name}</span>`,
        prose(header.description),
        code(header.example),
      ]),
    ),
  ];
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(info.title)}</title>
<link rel="icon" href="page/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="docs/docs.css">
</head>
<body><main>
${body.join("\n")}
</main></body>
</html>
`;
}

/**
 * Makes the handlers of the paths under /docs.
 *
 * @param rateLimit the limit in force
 * @returns the handlers of the page, its style sheet, and the redirect from
 *   `/docs/`, by path
 *
 * @example
 * ```ts
 * import { docs } from "./mod.ts";
 * import { assertStringIncludes } from "@std/assert";
 *
 * const handler = docs({ limit: 60, seconds: 60 })["/docs"]!;
 * const request = new Request("http://localhost/docs");
 * const response = await handler(request, { path: "/docs", peer: "::1" });
 * assertStringIncludes(await response.text(), "POST /api/pwgen/words");
 * ```
 */
export function docs(
  rateLimit: RateLimit,
): Readonly<Record<string, Handler>> {
  return {
    "/docs": serveDocument({
      type: HTML,
      text: () => page(openApiDocument(rateLimit)),
      headers: PAGE_HEADERS,
    }),
    // A relative location also works if a proxy strips a prefix of the path.
    "/docs/": () =>
      new Response(null, { status: 308, headers: { location: "../docs" } }),
    "/docs/docs.css": serveDocument({ type: CSS, text: style }),
  };
}
