/** What Deno's OpenTelemetry sends to a collector about the program. */
import { assert } from "@std/assert";
import { Collector } from "../helpers/collector.ts";
import {
  listening,
  post,
  type Running,
  spawn,
  until,
} from "../helpers/program.ts";

/**
 * Sends requests for passwords and requests with errors.
 *
 * @returns what of them must stay private
 */
async function sendRequests(url: string): Promise<string[]> {
  const [body, field] = ["in-the-body", "in-a-header-field"];
  const send = async (path: string, text: string) => {
    const fields = { "x-note": field, "cookie": `note=${field}` };
    const request = `${url}/api/pwgen/${path}?of=the-query`;
    return await (await post(request, text, fields)).json();
  };
  const secrets = [body, field];
  for (const path of ["characters", "words", "sentence"]) {
    for (let i = 0; i < 5; i++) secrets.push((await send(path, "{}")).password);
  }
  await send("words", JSON.stringify({ language: body, [body]: body }));
  await send("words", body);
  return secrets;
}

/** Starts a service that sends to a collector. */
function serveWith(env: Record<string, string>): Promise<Running> {
  // With telemetry and coverage, Deno 2.9.6 sometimes does not end (2 of 84 times).
  const { DENO_COVERAGE_DIR: _, ...given } = Deno.env.toObject();
  const args = ["task", "-q", "start"];
  const all = { ...given, ...env };
  return listening(spawn(Deno.execPath(), args, all, { clearEnv: true }));
}

Deno.test("telemetry has each request, but no password, body or header field", async () => {
  await using collector = new Collector();
  await using service = await serveWith(collector.env);
  const secrets = await sendRequests(service.url);
  // Each span contains the query string, as docs/operate.md says.
  const spans = () =>
    collector.text("/v1/traces").split('"url.query"').length - 1;
  await until(() => spans() === 17);
  await until(() => collector.text("/v1/metrics").includes("http.server."));
  const text = collector.text();
  assert(text.includes("the-query"));
  for (const secret of secrets) {
    // JSON may escape characters of a password.
    const escaped = JSON.stringify(secret).slice(1, -1);
    assert(!text.includes(secret) && !text.includes(escaped), secret);
  }
});
