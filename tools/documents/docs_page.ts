/**
 * The HTML of /docs: the OpenAPI document as a page for people.
 *
 * @module
 */
import { escapeHtml } from "../../routes/site/html.ts";
import template from "./docs_page.html" with { type: "text" };
import { CLIENTS } from "./clients.ts";
import { ADDRESS, requestCode, SCRIPT } from "./example_code.ts";
import type {
  OpenApiDocument,
  Operation,
  ResponseObject,
  Schema,
} from "./openapi.ts";

const code = (text: string) => `<code>${escapeHtml(text)}</code>`;

/** HTML of a text of the OpenAPI document, in which backticks mark code. */
const prose = (text: string) =>
  escapeHtml(text).replace(/`([^`]+)`/g, "<code>$1</code>");

const link = (id: string, content: string) => `<a href="#${id}">${content}</a>`;

/** A heading that is a link to itself, so that people can copy its address. */
const heading = (level: 2 | 3 | 4, id: string, content: string) =>
  `<h${level} id="${id}">${link(id, content)}</h${level}>`;

/** A block of code. The script adds a button that copies it. */
const block = (caption: string, text: string) =>
  // With a tab stop, so that the keyboard can scroll a wide block.
  `<figure data-name="${escapeHtml(caption)}"><figcaption><span>${
    prose(caption)
  }</span></figcaption><pre tabindex="0" translate="no">${
    code(text)
  }</pre></figure>`;

const folded = (summary: string, content: string) =>
  `<details><summary>${summary}</summary>${content}</details>`;

/** A table whose first column has the headings of the rows. The cells are HTML. */
function table(heads: readonly string[], rows: readonly string[][]): string {
  const head = heads.map((text) => `<th scope="col">${text}</th>`).join("");
  const body = rows.map(([first, ...rest]) =>
    `<tr><th scope="row">${first}</th>${
      rest.map((cell, index) =>
        // On a narrow screen, each cell is a line with the heading before it.
        `<td data-head="${heads[index + 1]}">${cell}</td>`
      ).join("")
    }</tr>`
  );
  return `<div class="table" tabindex="0"><table><thead><tr>${head}</tr></thead><tbody>\n${
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
  return table(
    ["Field", "Values", "Meaning"],
    Object.entries(schema.properties ?? {}).map(([name, of]) => [
      code(name),
      values(of),
      prose(of.description ?? "") +
      (of["x-since"] ? ` Since ${of["x-since"]}.` : ""),
    ]),
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

/** The same code in several languages. The script adds buttons to choose one. */
function codeBlocks(code: Readonly<Record<string, string>>): string {
  const blocks = Object.entries(code).map(([name, text]) => block(name, text));
  return blocks.length === 0
    ? ""
    : `<div class="languages">${blocks.join("")}</div>`;
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
    folded(
      summary,
      group.map(({ status, code, type, body }) =>
        codeBlocks(code) + block(`Response ${status}: \`${type}\``, body)
      ).join(""),
    )
  ).join("\n");
}

/** A form that sends a request. It is hidden until the script shows it. */
function tryIt(path: string, { operationId: id, responses }: Operation) {
  const types = Object.keys(responses[200]!.content!);
  return `<div class="try" data-path="${path.slice(1)}" hidden>
${heading(4, `${id}-try`, "Try it")}
<label for="${id}-body">Body</label>
<textarea id="${id}-body" rows="3" spellcheck="false" autocomplete="off" translate="no">{}</textarea>
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

/** The responses of an operation; `common` are header fields not to repeat. */
function responseTable(
  { responses }: Operation,
  common: readonly string[],
): string {
  const own = shared(Object.values(responses)).filter((name) =>
    !common.includes(name)
  );
  const known = [...common, ...own];
  const intro = `<p>Each of these responses has ${headerLinks(own)}.</p>`;
  return (own.length > 0 ? intro : "") + table(
    ["Response", "When", "Header fields"],
    Object.entries(responses).map(([status, { description, headers }]) => [
      status,
      prose(description),
      headerLinks(Object.keys(headers).filter((name) => !known.includes(name))),
    ]),
  );
}

/** A section with a heading of the second level, and its parts. */
interface Section {
  readonly id: string;
  readonly title: string;
  readonly intro?: string;
  readonly parts: { id: string; title: string; html: string }[];
}

function sections({ paths, components }: OpenApiDocument): Section[] {
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({
      path,
      method,
      operation,
    }))
  );
  const common = shared(
    operations.flatMap(({ operation }) => Object.values(operation.responses)),
  );
  return [
    {
      id: "operations",
      title: "Operations",
      parts: operations.map(({ path, method, operation }) => {
        const { operationId: id, summary, description, requestBody } =
          operation;
        const [request] = Object.values(requestBody?.content ?? {});
        const schema = request &&
          components.schemas[request.schema.$ref!.split("/").at(-1)!]!;
        const all = examples(path, method, operation);
        return {
          id,
          title: code(`${method.toUpperCase()} ${path}`),
          html: [
            `<p><strong>${prose(summary)}.</strong> ${prose(description)}</p>`,
            schema ? heading(4, `${id}-fields`, "Fields") : "",
            schema ? `<p>${prose(schema.description!)}</p>` : "",
            schema ? properties(schema) : "",
            all.length > 0 ? heading(4, `${id}-examples`, "Examples") : "",
            exampleList(all),
            requestBody ? tryIt(path, operation) : "",
            heading(4, `${id}-responses`, "Responses"),
            responseTable(operation, common),
          ].filter((html) => html !== "").join("\n"),
        };
      }),
    },
    {
      id: "bodies",
      title: "Bodies of responses",
      parts: ["PasswordResponse", "HttpValidationProblemDetails"].map((id) => {
        const schema = components.schemas[id]!;
        const html = `<p>${prose(schema.description!)}</p>\n`;
        return { id, title: id, html: html + properties(schema) };
      }),
    },
    {
      id: "errors",
      title: "Errors of any path",
      parts: Object.entries(components.responses).map(([id, response]) => {
        const [type, { examples }] = Object.entries(response.content!)[0]!;
        const body = block(
          `Response: \`${type}\``,
          asText(examples!["example"]!.value),
        );
        const html = `<p>${prose(response.description)}</p>\n`;
        return { id, title: id, html: html + folded("Example", body) };
      }),
    },
    {
      id: "header-fields",
      title: "Header fields",
      intro: `<p>Every response has ${headerLinks(common)}.</p>\n` + table(
        ["Header field", "Meaning", "Example"],
        Object.entries(components.headers).map(([name, header]) => [
          `<span id="${name}">${name}</span>`,
          prose(header.description),
          code(header.example),
        ]),
      ),
      parts: [],
    },
    {
      id: "scripts",
      title: "In a script",
      intro: `<p>${
        prose(
          "These commands print no password, except after `set -x`. The second one writes 30 passwords to a new file that only its owner can read, one on each line. After status 429, curl waits as `Retry-After` says.",
        )
      }</p>\n${block("POSIX shell", SCRIPT.trimEnd())}`,
      parts: [],
    },
    {
      id: "clients",
      title: "Generate a client",
      intro:
        "<p>Run the commands of one generator in the folder of a TypeScript program.</p>",
      parts: CLIENTS.map(({ name, description, commands, code }) => ({
        // Without a scope such as "@hey-api/".
        id: name.split("/").at(-1)!,
        title: name,
        html: `<p>${prose(description)}</p>\n${
          block("Commands", commands.trimEnd())
        }${block("client.ts", code.trimEnd())}`,
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
  const { info, paths } = document;
  const all = sections(document);
  const contents = all.map(({ id, title, parts }) =>
    `<li>${link(id, title)}<ul>${
      parts.map(({ id, title }) => `<li>${link(id, title)}</li>`).join("")
    }</ul></li>`
  );
  const [path, { post }] = Object.entries(paths)[0]!;
  const introduction = info.description.split("\n\n").map((text) =>
    `<p>${prose(text)}</p>`
  ).concat(codeBlocks(examples(path, "post", post!)[0]!.code));
  const content = all.flatMap(({ id, title, intro = "", parts }) => [
    heading(2, id, title),
    intro,
    ...parts.map(({ id, title, html }) =>
      `<section>\n${heading(3, id, title)}\n${html}\n</section>`
    ),
  ]);
  return template
    .replace(/^ +/gm, "") // the indentation
    .replaceAll("TITLE", info.title)
    .replace("VERSION", info.version)
    .replace("ADDRESS", ADDRESS)
    // As functions, since "$&" in a text would have a meaning.
    .replace("<!-- contents -->", () => contents.join("\n"))
    .replace("<!-- introduction -->", () => introduction.join("\n"))
    .replace("<!-- sections -->", () => content.join("\n"));
}
