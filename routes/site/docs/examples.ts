/**
 * The examples of an operation, with the code that sends their requests.
 *
 * @module
 */
import type { Operation } from "../openapi/types.ts";

/**
 * The start of each URL in the code. The script of /docs (docs.js) replaces it by
 * the address of the service.
 */
export const PLACEHOLDER = "https://ADDRESS/";

/** A request that an example sends. */
export interface ExampleRequest {
  /** The method, in upper case. */
  readonly method: string;
  /** The path, which starts with a slash. */
  readonly path: string;
  /** The value of Accept; undefined for the default of the service. */
  readonly accept?: string | undefined;
  /** The body before it becomes JSON; undefined for none. */
  readonly body?: unknown;
}

/** A response, and the code that gets it. */
export interface Example {
  /** The status. */
  readonly status: string;
  /** What the example shows. */
  readonly summary: string;
  /** The code of the request by language; empty if no request always gets it. */
  readonly code: Readonly<Record<string, string>>;
  /** The media type; undefined if the document has no example of the body. */
  readonly type?: string;
  /** The body; undefined if the document has no example of it. */
  readonly body?: string;
}

/** A string for a POSIX shell. */
function shellString(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** A JSON value in JavaScript, on one line. */
function javascriptValue(value: unknown): string {
  return JSON.stringify(value, null, 1).replace(/\n */g, " ");
}

/** A JSON value in Python. */
function pythonValue(value: unknown): string {
  if (value === null) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value !== "object") return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(pythonValue).join(", ")}]`;
  const members = Object.entries(value).map(([name, member]) =>
    `${JSON.stringify(name)}: ${pythonValue(member)}`
  );
  return `{${members.join(", ")}}`;
}

/**
 * Writes the code that sends a request and prints the response. The code needs no
 * package: Python uses its standard library.
 *
 * @param request the request
 * @returns the code by language
 *
 * @example
 * ```ts
 * import { requestCode } from "./examples.ts";
 * import { assertEquals } from "@std/assert";
 *
 * const { curl } = requestCode({ method: "GET", path: "/healthz" });
 * assertEquals(curl, "curl 'https://ADDRESS/healthz'");
 * ```
 */
export function requestCode(
  { method, path, accept, body }: ExampleRequest,
): Record<string, string> {
  const url = PLACEHOLDER + path.slice(1);
  const hasBody = body !== undefined;
  const headers = {
    ...(hasBody && { "content-type": "application/json" }),
    ...(accept && { accept }),
  };
  const fields = Object.entries(headers);
  const isPlain = accept !== undefined || method === "OPTIONS";
  const curl = [
    // -i shows the header fields, which are all that OPTIONS returns.
    `curl ${method === "OPTIONS" ? "-i " : ""}${
      method === "GET" ? "" : `-X ${method} `
    }${shellString(url)}`,
    ...fields.map(([name, value]) => `-H ${shellString(`${name}: ${value}`)}`),
    ...(hasBody ? [`-d ${shellString(JSON.stringify(body))}`] : []),
  ];
  const javascript = [
    `method: ${JSON.stringify(method)},`,
    ...(fields.length > 0 ? [`headers: ${javascriptValue(headers)},`] : []),
    ...(hasBody ? [`body: JSON.stringify(${javascriptValue(body)}),`] : []),
  ];
  const python = [
    `${JSON.stringify(url)},`,
    `method=${JSON.stringify(method)},`,
    ...(fields.length > 0 ? [`headers=${pythonValue(headers)},`] : []),
    ...(hasBody ? [`data=json.dumps(${pythonValue(body)}).encode(),`] : []),
  ];
  const read = isPlain ? "response.read().decode()" : "json.load(response)";
  return {
    "curl": curl.join(" \\\n  "),
    "JavaScript": `const response = await fetch(${JSON.stringify(url)}, {
  ${javascript.join("\n  ")}
});
console.log(response.status, await response.${isPlain ? "text" : "json"}());`,
    "Python": `import json
import urllib.error
import urllib.request

request = urllib.request.Request(
    ${python.join("\n    ")}
)
try:
    response = urllib.request.urlopen(request)
except urllib.error.HTTPError as error:
    response = error  # also has a status and a body
print(response.status, ${read})`,
  };
}

/** A body as it is sent: text, or JSON with line breaks. */
function asText(body: unknown): string {
  return typeof body === "string" ? body : JSON.stringify(body, null, 2);
}

/**
 * Lists the examples of an operation.
 *
 * @param path the path of the operation
 * @param method its method, in lower case
 * @param operation the operation
 * @returns the examples in the order of the document
 *
 * @example
 * ```ts
 * import { examples } from "./examples.ts";
 * import { openApiDocument } from "../openapi/mod.ts";
 * import { assertEquals } from "@std/assert";
 *
 * const { paths } = openApiDocument({ limit: 60, seconds: 60 });
 * const [first] = examples("/healthz", "get", paths["/healthz"]!["get"]!);
 * assertEquals([first!.status, first!.summary], ["200", "The only response"]);
 * ```
 */
export function examples(
  path: string,
  method: string,
  { requestBody, responses }: Operation,
): Example[] {
  const requests = Object.values(requestBody?.content ?? {})[0]?.examples ?? {};
  const [normal] = Object.keys(responses);
  const codeOf = (body: unknown, accept?: string) =>
    requestCode({ method: method.toUpperCase(), path, accept, body });
  return Object.entries(responses).flatMap(
    ([status, { description: summary, content = {} }]) => {
      // Without a request body, every request gets the first response.
      const isNormal = requestBody === undefined && status === normal;
      const all = Object.entries(content).flatMap(([type, media], index) =>
        Object.entries(media.examples ?? {}).map(([name, example]): Example => {
          const body = requests[name]?.value ?? example["x-request"];
          return {
            status,
            summary: example.summary,
            code: body !== undefined || isNormal
              // The service sends the first media type by default.
              ? codeOf(body, index > 0 ? type : undefined)
              : {},
            type,
            body: asText(example.value),
          };
        })
      );
      return all.length === 0 && isNormal
        ? [{ status, summary, code: codeOf(undefined) }]
        : all;
    },
  );
}
