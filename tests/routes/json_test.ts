import { assert, assertEquals, assertMatch } from "@std/assert";
import { MAX_PENDING_BODIES } from "../../routes/api/body.ts";
import { API } from "../../routes/api/mod.ts";
import { DESCRIPTION } from "../helpers/schema.ts";
import {
  ask,
  FAILING,
  handlerFor,
  JSON_TYPE,
  post,
  postInit,
  PROBLEM_TYPE,
} from "../helpers/service.ts";

const WORDS = "/api/pwgen/words";

Deno.test("every kind of response with JSON names its charset", async () => {
  const limited = await handlerFor(["--rate-limit=1"]);
  const failing = await handlerFor([], FAILING);
  const draining = await handlerFor([], { isDraining: () => true });
  const stopping = await handlerFor([], { isStopping: () => true });
  const full = await handlerFor([]);
  const bodies: TransformStream<Uint8Array, Uint8Array>[] = [];
  /** Sends a body that has not arrived yet. */
  const begin = () => {
    const body = new TransformStream<Uint8Array, Uint8Array>();
    bodies.push(body);
    return ask(WORDS, { ...postInit(), body: body.readable }, full);
  };
  const pending = Array.from({ length: MAX_PENDING_BODIES.process }, begin);
  const spend = () =>
    limited(new Request(`http://localhost${WORDS}`, postInit()), "192.0.2.1");
  await spend();
  const text = { accept: "text/plain" };
  const head = { method: "HEAD" };
  const responses: [status: number, Response][] = [];
  for (const path of Object.keys(API)) {
    responses.push(
      [200, await post(path, {})],
      [200, await post(path, { count: 2 })],
      [400, await post(path, { count: 0 }, text)],
      [400, await post(path, "")],
      [405, await ask(path)],
      [413, await post(path, " ".repeat(20_000))],
      [415, await post(path, "{}", { "content-type": "text/plain" })],
    );
  }
  responses.push(
    [200, await ask("/healthz")],
    [200, await ask("/healthz", head)],
    [503, await ask("/healthz", {}, stopping)],
    [200, await ask("/openapi/v1.json")],
    [
      200,
      await ask("/openapi/v1.json", { headers: { "accept-encoding": "br" } }),
    ],
    [404, await ask("/nowhere")],
    [404, await ask("/nowhere", head)],
    [405, await ask("/healthz", { method: "PUT" })],
    [400, await ask(WORDS, { headers: { host: "x/" } })],
    [429, await spend()],
    [500, await ask(WORDS, postInit(), failing)],
    [503, await ask(WORDS, postInit(), draining)],
    [503, await begin()],
  );
  for (const { writable } of bodies) writable.close().catch(() => {});
  await Promise.all(pending);
  for (const [status, response] of responses) {
    assertEquals(response.status, status);
    const type = response.headers.get("content-type");
    assertEquals(type, status === 200 ? JSON_TYPE : PROBLEM_TYPE);
    if (response.body !== null) await response.body.cancel();
  }
  const described = Object.values(DESCRIPTION.paths).flatMap((item) =>
    Object.values(item).flatMap(({ responses }) =>
      Object.values(responses).flatMap(({ content = {} }) =>
        Object.keys(content)
      )
    )
  );
  // The media types of the document have no parameters.
  for (const type of described) assertMatch(type, /^[a-z]+\/[a-z+]+$/);
});

Deno.test("a client that reads the charset gets the Swedish letters", async () => {
  const only = {
    ...{ lowercase: false, uppercase: false, numbers: false },
    ...{ specialCharacters: false, swedishCharacters: true },
  };
  const response = await post("/api/pwgen/characters", only);
  // As Windows PowerShell 5.1 does, which takes ISO-8859-1 for no charset.
  const [, charset = "iso-8859-1"] = /charset=(.*)/.exec(
    response.headers.get("content-type")!,
  ) ?? [];
  const text = new TextDecoder(charset).decode(await response.bytes());
  assert(/^[åäöÅÄÖ]{20}$/.test(JSON.parse(text).password), text);
});
