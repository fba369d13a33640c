/**
 * Requests to the service.
 *
 * @module
 */

const TIMEOUT_MS = 15_000;

/**
 * When a page tries again by itself, in seconds, if the service does not say.
 *
 * @type {Readonly<Record<string, number>>}
 */
export const RETRY_S = { limit: 60, busy: 5, unreachable: 10 };

/**
 * @typedef {object} Problem why there is no password
 * @property {string} error the key of a text, or "fields"
 * @property {number} [status]
 * @property {number} [seconds] after which the service permits another request
 * @property {Record<string, string[]>} [errors] messages by field, in English
 * @property {Record<string, Record<string, string | number>>} [limits] by field:
 *   the reason, and its numbers
 *
 * @typedef {object} Passwords
 * @property {string[]} passwords
 * @property {number} bits of each
 * @property {undefined} [error]
 */

/**
 * The URL of a path of the service.
 *
 * @param {string} path
 */
export function urlOf(path) {
  const url = new URL(path, document.baseURI);
  url.username = url.password = ""; // fetch() refuses them
  return url;
}

/** Why a request got no response: the key of a text. */
export const failure = () => navigator.onLine ? "unreachable" : "offline";

/**
 * Asks for passwords.
 *
 * @param {{ path: string, body: object }} request
 * @param {AbortController} controller ends the request
 * @returns {Promise<Passwords | Problem>}
 * @throws if there is no response
 */
async function ask({ path, body }, controller) {
  // The controller itself stays: aborted, it means that a person has cancelled.
  const late = AbortSignal.timeout(TIMEOUT_MS);
  const response = await fetch(urlOf(`api/pwgen/${path}`), {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
    cache: "no-store",
    credentials: "omit",
    signal: AbortSignal.any([controller.signal, late]),
  });
  const { status, headers } = response;
  // The body is always read, so that the browser can use the connection again. A
  // proxy may send one that is not JSON.
  const { password, passwords = [password], errors, limits } = await response
    .json().catch(() => ({}));
  if (response.ok && password) {
    return { passwords, bits: Number(headers.get("entropy-bits")) };
  }
  if (status === 400 && errors) return { error: "fields", errors, limits };
  const after = headers.get("retry-after");
  if (status === 503) return { error: "busy", seconds: Number(after) };
  // The limit says 60 s, and RateLimit when the window has room.
  const window = /;t=(\d+)/.exec(headers.get("ratelimit") ?? "");
  const seconds = Number(window?.[1] ?? after);
  if (status === 429) return { error: "limit", seconds };
  // Something else responded, such as a captive portal.
  return response.ok ? { error: "unreachable" } : { error: "failed", status };
}

/**
 * Asks once, and once more if the connection was lost.
 *
 * @param {{ path: string, body: object }} request
 * @param {AbortController} controller ends the request
 * @returns {Promise<Passwords | Problem>}
 */
export const askTwice = (request, controller) =>
  ask(request, controller).catch(() => ask(request, controller))
    .catch(() => ({ error: failure() }));
