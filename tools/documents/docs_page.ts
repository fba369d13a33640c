/**
 * The HTML of /docs: the OpenAPI document as a page for people.
 *
 * @module
 */
import { STATUS_TEXT } from "@std/http/status";
import { isDeepStrictEqual } from "node:util";
import { escapeHtml } from "../../routes/site/html.ts";
import template from "./docs_page.html" with { type: "text" };
import { CLIENTS } from "./clients.ts";
import { ADDRESS, requestCode, SCRIPTS } from "./example_code.ts";
import { highlight, type Language } from "./highlight.ts";
import { markdownPart, prose } from "./markdown.ts";
import type {
  OpenApiDocument,
  Operation,
  ResponseObject,
  Schema,
} from "./openapi.ts";

const code = (text: string) => prose(`\`${text}\``);

/** Paragraphs of a text of the OpenAPI document. */
const paragraphs = (...texts: readonly string[]) =>
  texts.map((text) => `<p>${prose(text)}</p>`).join("\n");

const link = (id: string, content: string) => `<a href="#${id}">${content}</a>`;

/** A heading that is a link to itself, so that people can copy its address. */
const heading = (level: 2 | 3 | 4, id: string, content: string) =>
  `<h${level} id="${id}">${link(id, content)}</h${level}>`;

/** A block of code. The script adds a button that copies it. */
const block = (caption: string, text: string, language?: Language) =>
  // With a tab stop, so that the keyboard can scroll a wide block.
  `<figure data-name="${escapeHtml(caption)}"><figcaption><span>${
    prose(caption)
  }</span></figcaption><pre tabindex="0" translate="no"><code>${
    highlight(text, language)
  }</code></pre></figure>`;

/** A block with the body of a response. */
const bodyBlock = (status: string | number, type: string, body: string) =>
  block(
    `Response ${status}: \`${type}\``,
    body,
    type.endsWith("json") ? "json" : undefined,
  );

/** A part that people can unfold. Its attributes are HTML. */
const folded = (summary: string, content: string, attributes = "") =>
  `<details${attributes}><summary>${summary}</summary>\n${content}\n</details>`;

/** A table whose first column has the headings of the rows. The cells are HTML. */
function table(
  heads: readonly string[],
  rows: readonly string[][],
  kind = "",
): string {
  const head = heads.map((text) => `<th scope="col">${text}</th>`).join("");
  const body = rows.map(([first, ...rest]) =>
    `<tr><th scope="row">${first}</th>${
      rest.map((cell, index) =>
        // On a narrow screen, each cell is a line with the heading before it.
        `<td data-head="${heads[index + 1]}">${cell}</td>`
      ).join("")
    }</tr>`
  );
  return `<div class="${
    `table ${kind}`.trim()
  }" tabindex="0"><table><thead><tr>${head}</tr></thead><tbody>\n${
    body.join("\n")
  }\n</tbody></table></div>`;
}

/** The allowed values of a schema, as HTML. */
function values({ type, minimum, maximum, enum: all }: Schema): string {
  if (all === undefined) {
    return maximum === undefined
      ? [type].flat().join(" or ")
      : `${minimum}–${maximum}`;
  }
  // An empty string or a space would be invisible without quotation marks.
  const isBlank = all.some((value) => String(value).trim() === "");
  return all.map((value) =>
    code(isBlank ? JSON.stringify(value) : String(value))
  ).join(", ");
}

/** The table of the properties of a schema. */
function properties(schema: Schema): string {
  const hasDefaults = schema.default !== undefined;
  return table(
    ["Field", "Values", ...hasDefaults ? ["Default"] : [], "Meaning"],
    Object.entries(schema.properties ?? {}).map(([name, of]) => {
      // The description of a field of a request ends with the default.
      const [meaning = "", byDefault = ""] = of.description!.split(
        " Default: ",
      );
      return [
        code(name),
        values(of),
        ...hasDefaults ? [prose(byDefault.slice(0, -1))] : [],
        prose(meaning) +
        (of["x-since"] ? ` Since ${of["x-since"]}.` : ""),
      ];
    }),
    "fields",
  );
}

const headerLinks = (names: readonly string[]) =>
  names.map((name) => link(name, name)).join(", ");

/** The header fields that all of these responses have. */
function shared(responses: readonly ResponseObject[]): string[] {
  return Object.keys(responses[0]!.headers).filter((name) =>
    responses.every(({ headers }) => name in headers)
  );
}

/** A body as it is sent: text, or JSON with line breaks. */
const asText = (body: unknown) =>
  typeof body === "string" ? body : JSON.stringify(body, null, 2);

/** An example of an operation: a response, and the code that gets it. */
export interface Example {
  /** The status. */
  readonly status: string;
  /** What the example shows. */
  readonly summary: string;
  /** The code of the request by language; empty if no request always gets it. */
  readonly code: Readonly<Record<string, string>>;
  /** The media type of the response. */
  readonly type: string;
  /** The body of the response. */
  readonly body: string;
}

/**
 * Lists the examples of an operation.
 *
 * @param path the path of the operation
 * @param method its method, in lower case
 * @param operation the operation
 * @returns the examples in the order of the document
 */
export function examples(
  path: string,
  method: string,
  { requestBody, responses }: Operation,
): Example[] {
  const requests = Object.values(requestBody?.content ?? {})[0]?.examples ?? {};
  return Object.entries(responses).flatMap(([status, { content = {} }]) =>
    Object.entries(content).flatMap(([type, { examples = {} }], index) =>
      Object.entries(examples).map(([name, example]) => {
        const body = requests[name]?.value ?? example["x-request"];
        const hasCode = body !== undefined || requestBody === undefined;
        return {
          status,
          summary: example.summary,
          code: hasCode
            ? requestCode({
              method: method.toUpperCase(),
              path,
              // The service sends the first media type by default.
              accept: index > 0 ? type : undefined,
              body,
            })
            : {},
          type,
          body: asText(example.value),
        };
      })
    )
  );
}

/** The language of a block of code by its caption. */
const LANGUAGES: Record<string, Language> = {
  curl: "shell",
  JavaScript: "javascript",
  Python: "python",
};

/**
 * A request beside its response. The code of the request is in several languages;
 * the script adds buttons to choose one.
 */
function pair({ status, code, type, body }: Example): string {
  const blocks = Object.entries(code).map(([name, text]) =>
    block(name, text, LANGUAGES[name])
  );
  return `<div class="pair"><div class="languages">${blocks.join("")}</div>${
    bodyBlock(status, type, body)
  }</div>`;
}

/** The examples of requests: the first one is open, the others are folded. */
function exampleList(id: string, all: readonly Example[]): string {
  const bySummary = Map.groupBy(
    all.filter(({ code }) => "curl" in code),
    ({ status, summary }) =>
      `<span class="status">${status}</span> ${prose(summary)}`,
  );
  const [first, ...others] = [...bySummary].map((
    [summary, [json, text]],
    index,
  ) =>
    folded(
      summary,
      pair(json!) + (text ? folded("The same as plain text", pair(text)) : ""),
      index === 0 ? " open" : "",
    )
  );
  if (first === undefined) return "";
  const more = folded(`${others.length} more examples`, others.join("\n"));
  return `${heading(4, `${id}-examples`, "Examples")}\n${first}${
    others.length > 0 ? `\n${more}` : ""
  }`;
}

/** A form that sends a request. It is hidden until the script shows it. */
function tryIt(path: string, { operationId: id, responses }: Operation) {
  const types = Object.keys(responses[200]!.content!);
  const form = `<div class="form"><label for="${id}-body">Body</label>
<textarea id="${id}-body" rows="5" spellcheck="false" autocomplete="off" translate="no">{}</textarea>
<div class="row"><label for="${id}-accept">Accept</label>
<select id="${id}-accept" autocomplete="off">${
    types.map((type) => `<option>${type}</option>`).join("")
  }</select>
<button type="button" class="send">Send</button>
<span class="message" role="status"></span></div>
<div class="answer" hidden>${block("Response body", "")}${
    folded("Header fields", block("Header fields", ""))
  }</div></div>`;
  const attributes = `id="${id}-try" data-path="${path.slice(1)}"`;
  return folded("Try it", form, ` class="try" ${attributes} hidden`);
}

/** The errors among the responses of an operation, by status. */
const errorsOf = ({ responses }: Operation) =>
  Object.entries(responses).filter(([status]) => Number(status) >= 400);

/** The responses of an operation; `common` are header fields not to repeat. */
function responseList(operation: Operation, common: readonly string[]): string {
  const entries = Object.entries(operation.responses);
  const items = entries.filter(([status]) => Number(status) < 400)
    .map(([status, { description, headers }]) => {
      const own = Object.keys(headers).filter((name) => !common.includes(name));
      return `<span class="status">${status}</span> ${prose(description)}${
        own.length > 0 ? ` Header fields: ${headerLinks(own)}.` : ""
      }`;
    });
  const errors = errorsOf(operation).map(([status]) =>
    link(`error-${status}`, status)
  );
  if (errors.length > 0) items.push(`Errors: ${errors.join(", ")}.`);
  const list = items.map((item) => `<li>${item}</li>`).join("\n");
  return folded(
    `Responses: ${entries.map(([status]) => status).join(", ")}`,
    `<ul>${list}</ul>`,
    ` id="${operation.operationId}-responses"`,
  );
}

/** An error, with the id of its anchor, and an example of its body. */
function errorExample(id: string, response: ResponseObject) {
  const [type, { schema, examples }] = Object.entries(response.content!)[0]!;
  const { value } = Object.values(examples!)[0]!;
  const { status } = value as { status: number };
  return { id, response, schema, status, type, body: asText(value) };
}

/** The errors of all operations and of any path: a table, and their bodies. */
function errorTable(
  { components }: OpenApiDocument,
  operations: readonly Operation[],
  common: readonly string[],
): string {
  // An error is the same for all operations: that of the first one is shown.
  const ofOperations = new Map(operations.flatMap(errorsOf).reverse());
  const known = [...common, ...shared([...ofOperations.values()])];
  const all = [
    ...Object.entries(components.responses).map((entry) =>
      errorExample(...entry)
    ),
    ...[...ofOperations].map(([status, response]) =>
      errorExample(`error-${status}`, response)
    ),
  ].sort((a, b) => a.status - b.status);
  const rows = all.map(({ id, response, schema, status }) => {
    const fields = Object.keys(response.headers)
      .filter((name) => !known.includes(name));
    return [
      `<span id="${id}">${status} ${STATUS_TEXT[status as 400]}</span>`,
      prose(response.description),
      headerLinks(fields) +
      (schema.$ref!.includes("Validation")
        ? link("HttpValidationProblemDetails", code("errors"))
        : ""),
    ];
  });
  return table(["Error", "When", "Fields of note"], rows) +
    folded(
      "Bodies of these errors",
      all.map(({ status, type, body }) => bodyBlock(status, type, body))
        .join("\n"),
    );
}

/** A section with a heading of the second level, and its parts. */
interface Section {
  readonly id: string;
  readonly title: string;
  readonly intro?: string;
  /** If it is given, all but the introduction is folded below this summary. */
  readonly summary?: string;
  readonly parts?: readonly Part[];
}

/** A part of a section, with a heading of the third level. */
interface Part {
  readonly id: string;
  readonly title: string;
  /** What follows the title, but is not in the contents. */
  readonly path?: string;
  readonly html: string;
}

/** An operation with its path and method. */
interface Endpoint {
  readonly path: string;
  readonly method: string;
  readonly operation: Operation;
}

/** The schema of the body of a request; undefined if it has none. */
function requestSchema(
  { requestBody }: Operation,
  { components }: OpenApiDocument,
): Schema | undefined {
  const [request] = Object.values(requestBody?.content ?? {});
  return request &&
    components.schemas[request.schema.$ref!.split("/").at(-1)!];
}

/** The fields of a request, folded if another operation has all of them too. */
function fieldList(operation: Operation, document: OpenApiDocument): string {
  const schema = requestSchema(operation, document);
  if (schema === undefined) return "";
  const own = Object.entries(schema.properties!);
  const html = properties(schema);
  const title = heading(4, `${operation.operationId}-fields`, "Fields");
  for (const { post: other } of Object.values(document.paths)) {
    if (other === undefined || other === operation) continue;
    const { properties: all = {} } = requestSchema(other, document)!;
    if (own.some(([name, of]) => !isDeepStrictEqual(of, all[name]))) continue;
    const missing = Object.keys(all).filter((name) =>
      !(name in schema.properties!)
    );
    const of = link(`${other.operationId}-fields`, prose(other.summary));
    const without = missing.map(code).join(", ");
    return `${title}\n<p>The fields of ${of} without ${without}.</p>\n${
      folded(`${own.length} fields`, html)
    }`;
  }
  return `${title}\n${html}`;
}

function operationPart(
  { path, method, operation }: Endpoint,
  document: OpenApiDocument,
  common: readonly string[],
): Part {
  const { operationId: id, summary, description, requestBody } = operation;
  const [first, ...others] = description.split("\n\n");
  return {
    id,
    title: prose(summary),
    path: code(`${method.toUpperCase()} ${path}`),
    html: [
      paragraphs(first!),
      others.length > 0
        ? folded("How the settings work together", paragraphs(...others))
        : "",
      fieldList(operation, document),
      exampleList(id, examples(path, method, operation)),
      requestBody ? tryIt(path, operation) : "",
      responseList(operation, common),
    ].filter((html) => html !== "").join("\n"),
  };
}

/** The request of the quick start: its path, and the summary of its example. */
const QUICK_START = ["/api/pwgen/words", "Five English words, then digits"];

function sections(document: OpenApiDocument): Section[] {
  const { info, paths, components } = document;
  const [, settings, limit, text, cors, errors] = info.description
    .split("\n\n") as [string, string, string, string, string, string];
  const endpoints: Endpoint[] = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({
      path,
      method,
      operation,
    }))
  );
  const operations = endpoints.map(({ operation }) => operation);
  const common = shared(
    operations.flatMap(({ responses }) => Object.values(responses)),
  );
  const [path, summary] = QUICK_START as [string, string];
  const first = examples(path, "post", paths[path]!["post"]!)
    .find((example) => example.summary === summary)!;
  const scripts = Object.entries(SCRIPTS).map(([caption, text]) =>
    block(caption, text, "shell")
  );
  const shell = (text: string) => block("Shell", text, "shell");
  const names = Object.keys(components.headers);
  return [
    {
      id: "quick-start",
      title: "Quick start",
      intro: `${
        paragraphs(
          "Send the settings as JSON. The response has the password, its length and its type. The header field `Entropy-Bits` states how strong the password is.",
        )
      }\n${pair(first)}\n<ul>${
        [settings, limit, text].map((text) => `<li>${prose(text)}</li>`)
          .join("\n")
      }</ul>`,
    },
    {
      id: "operations",
      title: "Operations",
      intro: paragraphs(Object.values(components.schemas)[0]!.description!),
      parts: endpoints.map((endpoint) =>
        operationPart(endpoint, document, common)
      ),
    },
    {
      id: "errors",
      title: "Errors",
      intro: paragraphs(errors) + errorTable(document, operations, common),
    },
    {
      id: "scripts",
      title: "In a script",
      intro: paragraphs(
        "These commands print no password, except after `set -x`. After status 429, curl waits as `Retry-After` says.",
      ) + scripts[0] +
        folded("Many passwords in a file", scripts.slice(1).join("")),
    },
    {
      id: "command-line",
      title: "Without a server",
      intro: markdownPart("docs/api.md", "command-line", shell),
    },
    {
      id: "promises",
      title: "What the service promises",
      intro: markdownPart("SECURITY.md", "promises", shell),
    },
    {
      id: "bodies",
      title: "Bodies of responses",
      summary: "Fields of a password and of an error",
      parts: Object.entries({
        PasswordResponse: "Password",
        HttpValidationProblemDetails: "Error",
      }).map(([id, title]) => {
        const schema = components.schemas[id]!;
        const html = `${paragraphs(schema.description!)}\n`;
        const path = code(id);
        return { id, title, path, html: html + properties(schema) };
      }),
    },
    {
      id: "header-fields",
      title: "Header fields",
      intro: folded(
        `${names.length} header fields, and CORS`,
        `${paragraphs(cors)}<p>Every response has ${
          headerLinks(common)
        }.</p>\n` + table(
          ["Header field", "Meaning", "Example"],
          Object.entries(components.headers).map(([name, header]) => [
            `<span id="${name}">${name}</span>`,
            prose(header.description),
            code(header.example),
          ]),
        ),
      ),
    },
    {
      id: "clients",
      title: "Generate a client",
      summary: `Commands and code of ${CLIENTS.length} generators`,
      parts: CLIENTS.map(({ name, description, commands, code }) => ({
        // Without a scope such as "@hey-api/".
        id: name.split("/").at(-1)!,
        title: name,
        html: paragraphs(description.trimEnd()) +
          block("Commands", commands.trimEnd(), "shell") +
          block("client.ts", code.trimEnd(), "javascript"),
      })),
    },
  ];
}

/**
 * Makes the page.
 *
 * @param document the OpenAPI document
 * @returns the HTML
 */
export function docsPage(document: OpenApiDocument): string {
  const { info } = document;
  const all = sections(document);
  const contents = all.map(({ id, title, parts = [] }) =>
    `<li>${link(id, title)}${
      parts.length > 0
        ? `<ul>${
          parts.map(({ id, title }) => `<li>${link(id, title)}</li>`).join("")
        }</ul>`
        : ""
    }</li>`
  );
  const content = all.map(({ id, title, intro = "", summary, parts = [] }) => {
    const html = parts.map(({ id, title, path = "", html }) =>
      `<section>\n${
        heading(3, id, `${title} ${path}`.trim())
      }\n${html}\n</section>`
    ).join("\n");
    return `${heading(2, id, title)}\n${intro}${
      summary ? folded(summary, html) : html
    }`;
  });
  return template
    .replace(/^ +/gm, "") // the indentation
    .replaceAll("TITLE", info.title)
    .replace("VERSION", info.version)
    .replace("ADDRESS", ADDRESS)
    // As functions, since "$&" in a text would have a meaning.
    .replace("ABOUT", () => prose(info.description.split("\n\n")[0]!))
    .replace("<!-- contents -->", () => contents.join("\n"))
    .replace("<!-- sections -->", () => content.join("\n"));
}
