import { assertEquals } from "@std/assert";
import { FAILING, handlerFor, postInit } from "../helpers/service.ts";
import { RawConnection } from "../helpers/connection.ts";
import { serve } from "../helpers/program.ts";

Deno.test("respond() cancels the bodies that no handler reads", async () => {
  const handler = await handlerFor(["--rate-limit=2"]);
  const failing = await handlerFor([], FAILING);
  const late = await handlerFor([], { isDraining: () => true });
  const words = "/api/pwgen/words";
  const cases: [typeof handler, string, number, Record<string, string>?][] = [
    [handler, words, 200],
    [handler, words, 413, { "content-length": "16385" }],
    [handler, words, 429],
    [handler, "/", 405],
    [handler, "/", 400, { host: "x/" }],
    [failing, words, 500],
    [late, words, 503],
  ];
  for (const [handle, path, status, headers] of cases) {
    let isCancelled = false;
    const body = new ReadableStream({
      start: (controller) => {
        controller.enqueue(new TextEncoder().encode("{}"));
        if (status === 200) controller.close();
      },
      cancel: () => void (isCancelled = true),
    });
    const init = { ...postInit("", headers), body };
    const request = new Request(`http://localhost${path}`, init);
    const response = await handle(request, "192.0.2.1");
    assertEquals(response.status, status);
    assertEquals(isCancelled, status !== 200, String(status));
  }
});

Deno.test("a connection stays open after a response to an unread body", async () => {
  await using service = await serve({ flags: ["--rate-limit=1"] });
  using connection = await RawConnection.connect(service.port);
  const ask = async (path: string, length: number) => {
    const head = `POST ${path} HTTP/1.1\r\nHost: localhost\r\n`;
    const type = "Content-Type: application/json\r\n";
    await connection.write(`${head}${type}Content-Length: ${length}\r\n\r\n`);
    await connection.write("x".repeat(length));
    const { status, body } = await connection.read();
    assertEquals(JSON.parse(body).status, status);
    return status;
  };
  for (let round = 0; round < 3; round++) {
    assertEquals(await ask("/unknown", 500_000), 404);
    const api = await ask("/api/pwgen/words", 500_000);
    assertEquals(api, round === 0 ? 413 : 429);
  }
});
