/**
 * One request to the API.
 *
 * @module
 */

/** The time limit of a request, in milliseconds. */
const TIMEOUT_MS = 15_000;

/**
 * The separator that the page sends if the person chose none. It shows where the
 * words begin, and the page removes it again. A maximum length would count it.
 */
const BOUNDARY = " ";

/**
 * Requests a password.
 *
 * @param kind "characters", "words" or "sentence"
 * @param settings the body of the request
 * @param controller aborts the request
 * @returns the parts of the password, the separator that the person chose, and
 *   the bits; or an error: the key of a text, and what the text needs
 */
export async function requestPassword(kind, settings, controller) {
  const timer = setTimeout(() => controller.abort(), TIMEOUT_MS);
  const url = new URL(`api/pwgen/${kind}`, document.baseURI);
  url.username = url.password = ""; // fetch() refuses them
  const { separator, maximumLength } = settings;
  const body = separator === "" && maximumLength === 0
    ? { ...settings, separator: BOUNDARY }
    : settings;
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
      cache: "no-store",
      credentials: "omit",
      signal: controller.signal,
    });
    return await read(response, separator, body.separator);
  } catch {
    return { error: navigator.onLine ? "unreachable" : "offline" };
  } finally {
    clearTimeout(timer);
  }
}

async function read(response, separator, sent) {
  const { status, headers } = response;
  if (status === 429) {
    const seconds = Number(
      /;t=(\d+)/.exec(headers.get("ratelimit"))?.[1] ??
        headers.get("retry-after"),
    );
    return { error: "limit", seconds: seconds > 0 ? seconds : 60 };
  }
  // A proxy may send a response that is not JSON.
  const { password, errors } = await response.json().catch(() => ({}));
  if (response.ok && password) {
    const parts = sent ? password.split(sent) : [password];
    return { parts, separator, bits: headers.get("entropy-bits") };
  }
  // Something else responded, such as a captive portal.
  if (response.ok) return { error: "unreachable" };
  return status === 400 && errors
    ? { error: "fields", errors }
    : { error: "failed", status };
}
