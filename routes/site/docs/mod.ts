/**
 * GET /docs: the OpenAPI document as a page for people.
 *
 * @module
 */
import type { Handler } from "../../context.ts";
import type { RateLimit } from "../../header_fields.ts";
import { CSS, escapeHtml, htmlDocument, JAVASCRIPT } from "../html.ts";
import { openApiDocument } from "../openapi/mod.ts";
import type { OpenApiDocument, Schema } from "../openapi/types.ts";
import { serveDocument } from "../static.ts";
import script from "./docs.js" with { type: "text" };
import style from "./docs.css" with { type: "text" };
import {
  anchor,
  block,
  code,
  folded,
  heading,
  prose,
  table,
} from "./elements.ts";
import { examples, PLACEHOLDER } from "./examples.ts";
import {
  codeBlocks,
  commonHeaders,
  headerLinks,
  operationSection,
  properties,
} from "./operation.ts";

/** A heading of the second level, and its parts with one of the third level. */
interface Section {
  id: string;
  title: string;
  intro?: string;
  parts: { id: string; title: string; html: string }[];
}

/** A part of a section. */
function part(id: string, title: string, content: string) {
  return { id, title, html: heading(3, id, title) + content };
}

function sections(document: OpenApiDocument): Section[] {
  const { paths, components } = document;
  return [
    {
      id: "operations",
      title: "Operations",
      parts: Object.entries(paths).flatMap(([path, item]) =>
        Object.entries(item).map(([method, operation]) => ({
          id: operation.operationId,
          title: code(`${method.toUpperCase()} ${path}`),
          html: operationSection(path, method, operation, document),
        }))
      ),
    },
    {
      id: "bodies",
      title: "Bodies of responses",
      parts: [
        "PasswordResponse",
        "HttpValidationProblemDetails",
        "ProblemDetails",
      ]
        .map((name) => {
          const schema: Schema = components.schemas[name]!;
          return part(
            name,
            name,
            `<p>${prose(schema.description ?? "")}</p>${
              properties(schema, ["Field", "Type", "Meaning"])
            }`,
          );
        }),
    },
    {
      id: "errors",
      title: "Errors of any path",
      parts: Object.entries(components.responses).map(([name, response]) => {
        const bodies = Object.entries(response.content ?? {}).flatMap((
          [type, { examples = {} }],
        ) =>
          Object.values(examples).map(({ summary, value }) =>
            folded(
              `Example: ${prose(summary)}`,
              block(`Response: \`${type}\``, JSON.stringify(value, null, 2)),
            )
          )
        );
        return part(
          name,
          name,
          `<p>${prose(response.description)}</p>${bodies.join("")}`,
        );
      }),
    },
    {
      id: "header-fields",
      title: "Header fields",
      intro: `<p>Every response has ${
        headerLinks(commonHeaders(document))
      }.</p>${
        table(
          ["Header field", "Meaning", "Example"],
          Object.entries(components.headers).map(([name, header]) => [
            `<span id="${name}">${name}</span>`,
            prose(header.description),
            code(header.example),
          ]),
        )
      }`,
      parts: [],
    },
  ];
}

/** The links to all sections and parts. */
function contents(all: readonly Section[]): string {
  const link = ({ id, title }: { id: string; title: string }) =>
    `<a href="${anchor(id)}">${title}</a>`;
  const list = all.map((section) =>
    `<li>${link(section)}<ul>${
      section.parts.map((part) => `<li>${link(part)}</li>`).join("")
    }</ul></li>`
  );
  return `<nav aria-label="Contents">${
    folded("Contents", `<ul>${list.join("")}</ul>`)
  }</nav>`;
}

/** The code of the first example. */
function firstExample({ paths }: OpenApiDocument): string {
  const [path, item] = Object.entries(paths)[0]!;
  const [method, operation] = Object.entries(item)[0]!;
  return codeBlocks(examples(path, method, operation)[0]!.code);
}

function page(document: OpenApiDocument): string {
  const { info } = document;
  const all = sections(document);
  const main = [
    `<h1>${prose(info.title)}</h1>`,
    `<p>Version ${
      code(info.version)
    }. <a href="openapi/v1.json">OpenAPI document</a> for programs, <a href="./">a page</a> for people who need a password now.</p>`,
    ...info.description.split("\n\n").map((text) => `<p>${prose(text)}</p>`),
    `<p id="placeholder"><strong>In the examples, replace ${
      code(PLACEHOLDER)
    } by the address of this service.</strong></p>`,
    firstExample(document),
    ...all.flatMap(({ id, title, intro = "", parts }) => [
      heading(2, id, title),
      intro,
      ...parts.map(({ html }) => `<section>${html}</section>`),
    ]),
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
<link rel="modulepreload" href="page/clipboard.js">
<script type="module" src="docs/docs.js"></script>
</head>
<body>
${contents(all)}
<main>
${main.join("\n")}
</main>
<p id="done" role="status"></p>
</body>
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
export function docs(rateLimit: RateLimit): Readonly<Record<string, Handler>> {
  return {
    "/docs": serveDocument(
      htmlDocument(() => page(openApiDocument(rateLimit))),
    ),
    // A relative location also works if a proxy strips a prefix of the path.
    "/docs/": () =>
      new Response(null, { status: 308, headers: { location: "../docs" } }),
    "/docs/docs.css": serveDocument({ type: CSS, text: style }),
    "/docs/docs.js": serveDocument({ type: JAVASCRIPT, text: script }),
  };
}
