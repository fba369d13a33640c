import { assertEquals, assertMatch } from "@std/assert";
import { MAX_PENDING_BODIES } from "../../routes/api/body.ts";
import { postInit, service } from "../helpers/service.ts";

const WORDS = "http://localhost/api/pwgen/words";

Deno.test("exempt() leaves out the rate limit and its fields for exempt clients", async () => {
  const { handler, logged } = await service(
    "--rate-limit=1",
    "--trusted-proxies=loopback",
    "--exempt-clients=198.51.100.0/24,2001:db8::/32",
  );
  const statuses = async (peer: string, forwardedFor?: string) => {
    const headers = forwardedFor && { "x-forwarded-for": forwardedFor };
    const send = async () => {
      const init = postInit("{}", headers || {});
      const { status, headers: fields } = await handler(
        new Request(WORDS, init),
        peer,
      );
      const names = ["ratelimit", "ratelimit-policy"];
      return [status, ...names.map((name) => fields.has(name))];
    };
    return [await send(), await send()];
  };
  const free = [[200, false, false], [200, false, false]];
  const limited = [[200, true, true], [429, true, true]];
  assertEquals(await statuses("198.51.100.1"), free);
  assertEquals(await statuses("::ffff:198.51.100.1"), free);
  assertEquals(await statuses("2001:db8:ffff::1"), free);
  assertEquals(await statuses("127.0.0.1", "198.51.100.1"), free);
  assertEquals(await statuses("192.0.2.1"), limited);
  assertEquals(await statuses("127.0.0.1", "192.0.2.2"), limited);
  assertEquals(await statuses("127.0.0.1"), limited);
  assertEquals(logged, []);
  // Another client cannot name an exempt address.
  assertEquals(await statuses("192.0.2.3", "198.51.100.1"), limited);
  logged.length = 0;
  // An exempt address that may be a proxy is reported once.
  assertEquals(await statuses("198.51.100.1", "192.0.2.4"), free);
  assertMatch(
    logged.join("\n"),
    /^Rate limit: an address in PWGEN_EX[^\d\n]+$/,
  );
});

Deno.test("exempt() keeps the other limits of a client", async () => {
  const { handler } = await service("--exempt-clients=192.0.2.1");
  const bodies: TransformStream<Uint8Array, Uint8Array>[] = [];
  const begin = (peer: string) => {
    const body = new TransformStream<Uint8Array, Uint8Array>();
    bodies.push(body);
    const init = { ...postInit(), body: body.readable };
    return handler(new Request(WORDS, init), peer);
  };
  const pending = Array.from(
    { length: MAX_PENDING_BODIES.client },
    () => begin("192.0.2.1"),
  );
  assertEquals((await begin("192.0.2.1")).status, 503);
  const other = begin("192.0.2.2");
  for (const { writable } of bodies) writable.close().catch(() => {});
  for (const { status } of await Promise.all([...pending, other])) {
    assertEquals(status, 400); // the body is empty
  }
});
