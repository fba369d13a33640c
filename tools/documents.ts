/**
 * Writes the documents that follow from the declarations of the endpoints.
 * Usage: deno task documents
 *
 * @module
 */
import { characters } from "../routes/api/characters.ts";
import type { Endpoint } from "../routes/api/endpoint.ts";
import { sentence } from "../routes/api/sentence.ts";
import { words } from "../routes/api/words.ts";
import { CLIENTS } from "./documents/clients.ts";
import { docsPage } from "./documents/docs_page.ts";
import { openApiDocument } from "./documents/openapi.ts";

const ROOT = new URL("../", import.meta.url);

/** A table in Markdown, as `deno fmt` formats it. */
function markdownTable(rows: readonly string[][]): string {
  const widths = rows[0]!.map((_, column) =>
    Math.max(...rows.map((row) => row[column]!.length))
  );
  const lines = rows.map((row) =>
    `| ${row.map((cell, i) => cell.padEnd(widths[i]!)).join(" | ")} |`
  );
  lines.splice(1, 0, `| ${widths.map((n) => "-".repeat(n)).join(" | ")} |`);
  return `${lines.join("\n")}\n`;
}

const code = (value: unknown) => `\`${value}\``.replaceAll("|", "\\|");

/** A string that would be invisible as code has quotation marks. */
const codeOf = (value: unknown) =>
  value === undefined
    ? "none"
    : code(String(value).trim() === "" ? JSON.stringify(value) : value);

/** The fields of several endpoints, each once, with the endpoints that have it. */
function rowsOf(endpoints: readonly Endpoint[]) {
  const fields = Object.assign({}, ...endpoints.map(({ fields }) => fields));
  return Object.entries(fields as Endpoint["fields"]).map(([name, field]) => {
    const having = endpoints.filter(({ fields }) => name in fields);
    const only = having.map(({ type }) => code(type)).join(", ");
    const isShared = having.length === endpoints.length;
    return { field, name: code(name) + (isShared ? "" : ` (only ${only})`) };
  });
}

/** A table of fields: what a request may contain, and what it means. */
function fields(...endpoints: Endpoint[]): string {
  return markdownTable([
    ["field", "values", "default", "since", "meaning"],
    ...rowsOf(endpoints).map(({ name, field }) => [
      name,
      field.range?.join("-") ?? field.values?.map(codeOf).join(", ") ??
        (field.type === "boolean" ? field.type : field.expected),
      codeOf(field.default),
      field.since ?? "1.0.0",
      field.description.replaceAll("|", "\\|"),
    ]),
  ]);
}

/** The generators of docs/api.md, with their commands and the code of a client. */
function clients(): string {
  return CLIENTS.map(({ name, description, commands, code }) =>
    `### ${name}\n\n${description}\n\`\`\`sh\n${commands}\`\`\`\n\n\`\`\`ts ignore\n${code}\`\`\`\n`
  ).join("\n");
}

/** The parts of docs/api.md by their name in its markers. */
const PARTS = {
  characters: fields(characters),
  passphrases: fields(words, sentence),
  clients: clients(),
};

/** Replaces what is between the two markers of each part. */
function withParts(text: string): string {
  for (const [name, part] of Object.entries(PARTS)) {
    const markers = new RegExp(
      `(<!-- (?:fields of )?${name}: .*-->\n)[^]*?(<!-- end of ${name} -->)`,
    );
    if (!markers.test(text)) throw new Error(`No marker of ${name}`);
    text = text.replace(
      markers,
      (_, start, end) => `${start}\n${part}\n${end}`,
    );
  }
  return text;
}

/**
 * Makes the written documents.
 *
 * @returns the text of each file by its path, from the root of the project
 */
export function documents(): Map<string, string> {
  const document = openApiDocument();
  const api = Deno.readTextFileSync(new URL("docs/api.md", ROOT));
  return new Map([
    ["routes/site/openapi.json", `${JSON.stringify(document, null, 2)}\n`],
    ["routes/site/docs/docs.html", docsPage(document)],
    ["docs/api.md", withParts(api)],
  ]);
}

if (import.meta.main) {
  for (const [path, text] of documents()) {
    Deno.writeTextFileSync(new URL(path, ROOT), text);
  }
}
