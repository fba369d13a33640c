/**
 * One request to the API.
 *
 * @module
 */

const TIMEOUT_MS = 15_000;

/**
 * The separator that the page sends if the person wants none, but not with a
 * maximum length, which would count it. It shows where the words begin, and the
 * page removes it again.
 */
const BOUNDARY = " ";

/**
 * Requests passwords.
 *
 * @param path "characters", "words" or "sentence"
 * @param settings the body of the request
 * @param controller aborts the request
 * @returns the parts of each password, the separator that the person chose, and
 *   the bits; or an error: the key of a text, and what the text needs
 */
export async function requestPasswords(path, settings, controller) {
  const timer = setTimeout(() => controller.abort(), TIMEOUT_MS);
  const url = new URL(`api/pwgen/${path}`, document.baseURI);
  url.username = url.password = ""; // fetch() refuses them
  const { separator, maximumLength } = settings;
  const body = separator === "" && !maximumLength
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
    return await read(response, body, separator);
  } catch {
    return { error: navigator.onLine ? "unreachable" : "offline" };
  } finally {
    clearTimeout(timer);
  }
}

/** The parts of a password without separator, if capital letters show them. */
function partsOf(password, { casing, replaceWithSpecialCharacters }) {
  return casing === "title" && !replaceWithSpecialCharacters
    ? password.match(/\d+|\p{Lu}\P{Lu}*(?<!\d)/gu)
    : [password];
}

async function read(response, body, separator = "") {
  const { separator: sent = "" } = body;
  const { status, headers } = response;
  // The body is always read, so that the browser can use the connection again. A
  // proxy may send one that is not JSON.
  const { password, passwords = [password], errors } = await response.json()
    .catch(() => ({}));
  if (status === 429) {
    const seconds = Number(
      /;t=(\d+)/.exec(headers.get("ratelimit"))?.[1] ??
        headers.get("retry-after"),
    );
    return { error: "limit", seconds: seconds > 0 ? seconds : 60 };
  }
  if (response.ok && password) {
    return {
      passwords: passwords.map((each) =>
        sent ? each.split(sent) : partsOf(each, body)
      ),
      separator,
      bits: Number(headers.get("entropy-bits")),
    };
  }
  // Something else responded, such as a captive portal.
  if (response.ok) return { error: "unreachable" };
  return status === 400 && errors
    ? { error: "fields", errors }
    : { error: "failed", status };
}
