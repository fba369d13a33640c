/**
 * Writes the documents that follow from the declarations of the endpoints.
 * Usage: deno task documents
 *
 * @module
 */
import { characters } from "../routes/api/characters.ts";
import type { Endpoint } from "../routes/api/password.ts";
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

/** The table of the README: what each field means. */
function meanings(...endpoints: Endpoint[]): string {
  return markdownTable([
    ["field", "values", "default", "meaning"],
    ...rowsOf(endpoints).map(({ name, field }) => [
      name,
      field.range?.join("-") ??
        field.values?.map(codeOf).join(", ") ?? field.type,
      codeOf(field.default),
      field.description.replaceAll("|", "\\|") +
      (field.since ? ` (since ${field.since})` : ""),
    ]),
  ]);
}

/** The table of docs/api.md: what a request may contain. */
function allowedValues(...endpoints: Endpoint[]): string {
  return markdownTable([
    ["field", "allowed values", "since"],
    ...rowsOf(endpoints).map(({ name, field }) => [
      name,
      field.expected,
      field.since ?? "1.0.0",
    ]),
  ]);
}

/** The generators of docs/api.md, with their commands and the code of a client. */
function clients(): string {
  return CLIENTS.map(({ name, description, commands, code }) =>
    `### ${name}\n\n${description}\n\`\`\`sh\n${commands}\`\`\`\n\n\`\`\`ts ignore\n${code}\`\`\`\n`
  ).join("\n");
}

/** The parts by the path of their document and their name in its markers. */
const PARTS: Record<string, Record<string, string>> = {
  "README.md": {
    characters: meanings(characters),
    passphrases: meanings(words, sentence),
  },
  "docs/api.md": {
    characters: allowedValues(characters),
    passphrases: allowedValues(words, sentence),
    clients: clients(),
  },
};

/** Replaces what is between the two markers of each part. */
function withParts(text: string, parts: Record<string, string>): string {
  for (const [name, part] of Object.entries(parts)) {
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
  const texts = new Map([
    ["routes/site/openapi.json", `${JSON.stringify(document, null, 2)}\n`],
    ["routes/site/docs/docs.html", docsPage(document)],
  ]);
  for (const [path, parts] of Object.entries(PARTS)) {
    const text = Deno.readTextFileSync(new URL(path, ROOT));
    texts.set(path, withParts(text, parts));
  }
  return texts;
}

if (import.meta.main) {
  for (const [path, text] of documents()) {
    Deno.writeTextFileSync(new URL(path, ROOT), text);
  }
}
