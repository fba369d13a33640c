/**
 * The service in the process of the test, without a socket.
 *
 * @module
 */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { readConfig } from "../../config.ts";
import {
  createHandler,
  type Dependencies,
  type ServerHandler,
  type Service,
} from "../../app.ts";

/** The media type of each JSON response. PowerShell 5.1 needs the charset. */
export const JSON_TYPE = "application/json; charset=utf-8";
/** The media type of each problem. */
const PROBLEM_TYPE = "application/problem+json; charset=utf-8";

/** The body of an error. */
interface ProblemBody {
  type: string;
  title: string;
  status: number;
  detail: string;
  /** The path; null if that is long, or if a proxy made the problem. */
  instance: string | null;
  errors?: Record<string, string[]>;
}

/** A service with its logs, and with a clock that only the test changes. */
interface TestService extends Service {
  /** The lines of both logs. */
  logged: string[];
  clock: { now: number };
}

async function create(
  flags: string[],
  dependencies: Dependencies,
): Promise<Service> {
  const config = readConfig(flags, () => undefined);
  if (typeof config === "string") throw new Error("--help is no setting");
  return createHandler(config, dependencies);
}

/** Dependencies of a service in which every decision about the rate limit fails. */
export const FAILING: Partial<Dependencies> = {
  limiter: {
    size: 0,
    evicted: 0,
    admit: () => Promise.reject(new Error("Planted")),
  },
};

/** Creates the handler of a service from flags. By default it has no log. */
export async function handlerFor(
  flags: string[],
  dependencies: Partial<Dependencies> = {},
): Promise<ServerHandler> {
  return (await create(flags, { log: () => {}, ...dependencies })).handler;
}

/** Creates a service from flags. */
export async function service(...flags: string[]): Promise<TestService> {
  const logged: string[] = [];
  const clock = { now: 1_000_000.125 };
  const created = await create(flags, {
    log: (_level, line) => void logged.push(line),
    now: () => clock.now,
  });
  return { ...created, logged, clock };
}

const shared = await service();
let clients = 0;

/** Sends a request to a service, from a client without earlier requests. */
export function ask(
  path: string,
  init: RequestInit = {},
  handler: ServerHandler = shared.handler,
): Promise<Response> {
  clients++;
  const peer = `10.${clients >> 16}.${(clients >> 8) & 255}.${clients & 255}`;
  const request = new Request(`http://localhost${path}`, init);
  return handler(request, peer);
}

/** A POST request. A body other than a string or bytes becomes JSON. */
export function postInit(
  body: unknown = "{}",
  headers: Record<string, string> = {},
): RequestInit {
  const raw = typeof body === "string" || body instanceof Uint8Array;
  return {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: raw ? body as BodyInit : JSON.stringify(body),
  };
}

/** Sends a POST request. */
export function post(
  path: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<Response> {
  return ask(path, postInit(body, headers));
}

const SECTIONS: Record<number, string> = {
  400: "rfc9110#section-15.5.1",
  403: "rfc9110#section-15.5.4",
  404: "rfc9110#section-15.5.5",
  405: "rfc9110#section-15.5.6",
  408: "rfc9110#section-15.5.9",
  413: "rfc9110#section-15.5.14",
  414: "rfc9110#section-15.5.15",
  415: "rfc9110#section-15.5.16",
  429: "rfc6585#section-4",
  500: "rfc9110#section-15.6.1",
  501: "rfc9110#section-15.6.2",
  502: "rfc9110#section-15.6.3",
  503: "rfc9110#section-15.6.4",
  504: "rfc9110#section-15.6.5",
};

/** Checks that a response is a problem (RFC 9457), and returns its body. */
export async function readProblem(
  response: Response,
  status: number,
  instance: string | null,
): Promise<ProblemBody> {
  const text = await response.text();
  assertEquals(response.status, status, text);
  assertEquals(response.headers.get("content-type"), PROBLEM_TYPE);
  assertEquals(response.headers.get("cache-control"), "no-store");
  const problem = JSON.parse(text) as ProblemBody;
  assertEquals(problem.status, status);
  assertEquals(problem.instance, instance);
  assertEquals(
    problem.type,
    `https://www.rfc-editor.org/rfc/${SECTIONS[status]}`,
  );
  assert(problem.detail.length > 0);
  assert(problem.title.length > 0);
  if (problem.errors !== undefined) {
    assertEquals(problem.title, "One or more validation errors occurred.");
  }
  return problem;
}

/** Checks that a response is a validation failure of these fields only. */
export async function readErrors(
  response: Response,
  instance: string,
  ...fields: string[]
): Promise<Record<string, string[]>> {
  const { errors = {} } = await readProblem(response, 400, instance);
  assertEquals(Object.keys(errors).sort(), fields.sort());
  for (const messages of Object.values(errors)) {
    assert(messages.length > 0 && messages.every((text) => text.length > 0));
  }
  return errors;
}

/** Checks that a response is a password and nothing else, and returns it. */
export async function readPassword(
  response: Response,
  type: string,
): Promise<string> {
  const text = await response.text();
  assertEquals(response.status, 200, text);
  assertEquals(response.headers.get("content-type"), JSON_TYPE);
  assertMatch(response.headers.get("entropy-bits") ?? "", /^\d+\.\d\d$/);
  const { password, length, ...rest } = JSON.parse(text);
  assertEquals(rest, { type });
  assertEquals(length, [...password.normalize("NFC")].length);
  return password;
}
