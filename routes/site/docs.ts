/**
 * GET /docs: how to use the API, for people. Its text is written by hand; its
 * tables of fields follow from the declarations of the endpoints.
 *
 * @module
 */
import metadata from "../../deno.json" with { type: "json" };
import type { Handler } from "../context.ts";
import type { Field, Fields } from "../api/fields.ts";
import { API } from "../api/mod.ts";
import template from "./docs/docs.html" with { type: "text" };
import { escapeHtml, htmlDocument } from "./html.ts";
import openapi from "./openapi.json" with { type: "json" };
import { serveDocument } from "./static.ts";

const code = (text: string) => `<code>${escapeHtml(text)}</code>`;

/** A JSON value; without its quotation marks, a space would be invisible. */
const json = (value: unknown) => code(JSON.stringify(value));

/** The allowed values of a field. */
function valuesOf({ range, values, expected }: Field<unknown>): string {
  if (range !== undefined) return range.join("–");
  return values?.map(json).join(", ") ?? escapeHtml(expected);
}

/** What a field means. In a description, backticks mark code. */
function meaningOf({ description, since }: Field<unknown>): string {
  const meaning = escapeHtml(description)
    .replace(/`([^`]+)`/g, "<code>$1</code>");
  return `${meaning}.${since ? ` Since ${since}.` : ""}`;
}

/** The row of a field. On a narrow screen, each cell has its heading before it. */
function row([name, field]: [string, Field<unknown>]): string {
  return `<tr><th scope="row">${code(name)}</th>
<td data-head="Values">${valuesOf(field)}</td>
<td data-head="Default">${json(field.default)}</td>
<td data-head="Meaning">${meaningOf(field)}</td></tr>`;
}

/** The table of the fields of an endpoint. */
function table(fields: Fields): string {
  const heads = ["Field", "Values", "Default", "Meaning"]
    .map((head) => `<th scope="col">${head}</th>`);
  return `<div class="table fields" tabindex="0"><table>
<thead><tr>${heads.join("")}</tr></thead>
<tbody>
${Object.entries(fields).map(row).join("\n")}
</tbody></table></div>`;
}

/** Makes the page. */
function page(): string {
  return template
    .replace("{api}", openapi.info.version)
    .replaceAll("{program}", metadata.version)
    .replace(
      /<!-- fields of (\S+) -->/g,
      (_, path) => table(API[path]!.fields),
    );
}

/** The handler of the page. */
export const DOCS: Handler = serveDocument(htmlDocument(page));
