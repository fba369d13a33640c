/**
 * The code in /docs that sends a request.
 *
 * @module
 */

/**
 * The address of the service in the code. The script of /docs (docs.js) replaces
 * it by the real address.
 */
export const ADDRESS = "http://localhost:8000";

/** What a shell script needs most: commands by what they do. */
export const SCRIPTS: Readonly<Record<string, string>> = {
  "A password in a variable":
    `password=$(curl -fsS --retry 3 '${ADDRESS}/api/pwgen/words' \\
  -H 'content-type: application/json' -H 'accept: text/plain' \\
  -d '{}') || exit`,
  "30 passwords in a new file that only its owner can read, one on each line":
    `(umask 077 && curl -fsS --retry 3 '${ADDRESS}/api/pwgen/words' \\
  -H 'content-type: application/json' -H 'accept: text/plain' \\
  -d '{"count":30}' > passwords.txt) || exit`,
};

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

/** A string for a POSIX shell. */
function shellString(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** A JSON value in JavaScript, on one line. */
function javascriptValue(value: unknown): string {
  return JSON.stringify(value, null, 1).replace(/\n */g, " ");
}

/** A JSON value in Python, on one line. */
function pythonValue(value: unknown): string {
  return javascriptValue(value).replace(
    /"(?:[^"\\]|\\.)*"|\b(?:true|false|null)\b/g,
    (token) => PYTHON[token] ?? token,
  ).replace(/^([{[]) (.*) ([}\]])$/, "$1$2$3");
}

const PYTHON: Record<string, string> = {
  true: "True",
  false: "False",
  null: "None",
};

/**
 * Writes the code that sends a request and prints the response. The code needs no
 * package: Python uses its standard library.
 *
 * @param request the request
 * @returns the code by language
 */
export function requestCode(
  { method, path, accept, body }: ExampleRequest,
): Record<string, string> {
  const url = ADDRESS + path;
  const hasBody = body !== undefined;
  const headers = {
    ...(hasBody && { "content-type": "application/json" }),
    ...(accept && { accept }),
  };
  const fields = Object.entries(headers);
  const curl = [
    // Text is a password alone, which a script assigns: -f prints no error in its
    // place, and fails.
    `curl ${accept ? "-fsS " : ""}${method === "GET" ? "" : `-X ${method} `}${
      shellString(url)
    }`,
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
  return {
    "curl": curl.join(" \\\n  "),
    "JavaScript": `const response = await fetch(${JSON.stringify(url)}, {
  ${javascript.join("\n  ")}
});
console.log(response.status, await response.${accept ? "text" : "json"}());`,
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
print(response.status, ${
      accept ? "response.read().decode()" : "json.load(response)"
    })`,
  };
}
