/**
 * GET /docs: how to use the API, for people. The tables and errors are made from the
 * declarations of the API and of the OpenAPI document.
 *
 * @module
 */
import { STATUS_TEXT } from "@std/http/status";
import type { Endpoint } from "../api/endpoint.ts";
import type { Field } from "../api/fields.ts";
import { API, PREFLIGHT_HEADERS } from "../api/mod.ts";
import type { Handler } from "../../http/context.ts";
import { Problem } from "../../http/problem.ts";
import { INVALID_HOST, methodNotAllowed } from "../../http/router.ts";
import template from "./docs/docs.html" with { type: "text" };
import { escapeHtml, htmlDocument } from "./html.ts";
import { NOT_FOUND } from "./not_found.ts";
import {
  EMPTY,
  HEADERS,
  INFO,
  INVALID,
  operationId,
  PASSWORD_RESPONSE,
  PROBLEMS,
  REQUEST,
  SERVICE,
} from "./openapi.ts";
import { FIELD_TEXTS } from "./page/languages.ts";
import { serveDocument } from "./static.ts";

/** The problems that a request can get instead of a password. */
const EVERY_PROBLEM = [
  new Problem(400, INVALID),
  INVALID_HOST,
  NOT_FOUND,
  methodNotAllowed(PREFLIGHT_HEADERS.Allow),
  ...PROBLEMS,
];

const code = (text: string) => `<code>${escapeHtml(text)}</code>`;

/** A JSON value; without its quotation marks, a space would be invisible. */
const json = (value: unknown) => code(JSON.stringify(value));

/** A text in which backticks mark code, with a full stop at its end. */
const prose = (text: string) =>
  escapeHtml(text).replace(/`([^`]+)`/g, "<code>$1</code>")
    .replace(/[^.]$/, "$&.");

/** A table. The first cell of a row is its heading. */
function table(heads: string[], rows: string[][]): string {
  const head = heads.map((head) => `<th scope="col">${head}</th>`).join("");
  const body = rows.map(([first, ...cells]) =>
    `<tr><th scope="row">${first}</th>${
      cells.map((cell) => `<td>${cell}</td>`).join("")
    }</tr>`
  );
  return `<table>
<thead><tr>${head}</tr></thead>
<tbody>
${body.join("\n")}
</tbody></table>`;
}

function valuesOf({ range, values, expected }: Field<unknown>): string {
  if (range !== undefined) return range.join("–");
  return values?.map(json).join(", ") ?? escapeHtml(expected);
}

function row([name, field]: [string, Field<unknown>]): string[] {
  const { description, since } = field;
  const why = FIELD_TEXTS[name]?.why;
  const meaning = [
    prose(description),
    ...why ? [escapeHtml(why)] : [],
    ...since ? [`Since ${since}.`] : [],
  ];
  const values = `${valuesOf(field)}; default ${json(field.default)}`;
  return [code(name), values, meaning.join(" ")];
}

function section([path, endpoint]: [string, Endpoint]): string {
  const { fields, about } = endpoint;
  const examples = Object.values(about.examples).map((example) => [
    escapeHtml(example.summary),
    json(example.value),
    example.passwords.map(code).join(" "),
  ]);
  return `<h2 id="${operationId(endpoint)}">${about.summary}</h2>
<p>${code(`POST ${path}`)}</p>
<p>${prose(about.description)}</p>
${table(["Field", "Values", "Meaning"], Object.entries(fields).map(row))}
${table(["Example", "Body", "Password"], examples)}`;
}

/** The generated parts of the page, by their names in docs.html. */
function parts(): Record<string, string> {
  const [path, endpoint] = Object.entries(API)[0]!;
  const { value } = endpoint.about.invalid;
  const { errors } = endpoint.passwords(value);
  const problem = Problem.ofFields(errors!).details(path);
  return {
    title: INFO.title,
    summary: INFO.summary,
    version: INFO.version,
    paths: table(
      ["Method and path", "Response"],
      [
        ...Object.entries(API).map(([path, endpoint]) => [
          code(`POST ${path}`),
          `<a href="#${operationId(endpoint)}">${endpoint.about.summary}</a>`,
        ]),
        ...Object.entries(SERVICE).map(([path, { summary }]) => [
          code(`GET ${path}`),
          summary,
        ]),
      ],
    ),
    endpoints: Object.entries(API).map(section).join("\n"),
    notes: [...INFO.description.split("\n\n"), REQUEST]
      .map((text) => `<li>${prose(text)}</li>`).join("\n"),
    response: table(
      ["Member", "Type", "Meaning"],
      Object.entries(PASSWORD_RESPONSE.properties)
        .map(([name, { type, description }]) => [
          code(name),
          type,
          prose(description),
        ]),
    ),
    problems: table(
      ["Status", "Reason", "Header fields"],
      [
        ...EVERY_PROBLEM.map(({ status, detail, headers }) => [
          `${status} ${STATUS_TEXT[status]}`,
          prose(detail),
          Object.entries(headers)
            .map(([name, value]) => code(`${name}: ${value}`)).join(" "),
        ]),
        ...Object.entries(EMPTY).map(([status, reason]) => [
          status,
          `No body: ${prose(reason)}`,
          code("retry-after"),
        ]),
      ],
    ),
    invalid: json(value),
    problem: escapeHtml(JSON.stringify(problem, null, 2)),
    headers: table(
      ["Header field", "Example", "Meaning"],
      [
        ...Object.entries(HEADERS)
          .map(([name, { description, example }]) => [
            code(name),
            code(example),
            prose(description),
          ]),
        ...Object.entries(PREFLIGHT_HEADERS)
          .filter(([name]) => !(name in HEADERS))
          .map((
            [name, value],
          ) => [code(name), code(value), "Only of OPTIONS."]),
      ],
    ),
  };
}

function page(): string {
  const made = parts();
  const html = template.replace(/\{(\w+)\}/g, (all, name) => made[name] ?? all);
  const contents = html.matchAll(/<h2 id="(.*?)">(.*?)<\/h2>/g)
    .map(([, id, heading]) => `<li><a href="#${id}">${heading}</a></li>`);
  return html.replace("{contents}", () => [...contents].join("\n"));
}

export const DOCS: Handler = serveDocument(htmlDocument(page));
