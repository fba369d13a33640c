/**
 * A request as a command.
 *
 * @module
 */

/**
 * In single quotes a shell changes nothing, and they end at the next one.
 *
 * @param {string} text
 */
const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;

/**
 * A request to the service, as a command of one line for sh.
 *
 * @param {string} url
 * @param {object} body
 */
export const curlOf = (url, body) =>
  [
    `curl -X POST ${quoted(url)}`,
    "-H 'content-type: application/json'",
    `-d ${quoted(JSON.stringify(body))}`,
  ].join(" ");
