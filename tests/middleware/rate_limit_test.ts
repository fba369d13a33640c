import { assertEquals } from "@std/assert";
import { postInit, service } from "../helpers/service.ts";

const WORDS = "/api/pwgen/words";

Deno.test("rateLimit() counts the address of the peer, whatever header fields it sends", async () => {
  const names = [
    "x-forwarded-for",
    "x-forwarded",
    "forwarded",
    "forwarded-for",
    "via",
    "x-original-forwarded-for",
    "x-real-ip",
    "x-client-ip",
    "client-ip",
    "true-client-ip",
    "cf-connecting-ip",
    "x-cluster-client-ip",
  ];
  for (const flags of [[], ["--trusted-proxies=10.0.0.0/8"]]) {
    const { handler } = await service(...flags);
    for (let i = 0; i < 10; i++) {
      const value = `10.0.0.${i}, 192.0.2.${i}, for="[::${i}]"`;
      const fields = Object.fromEntries(names.map((name) => [name, value]));
      const forged = new Request(
        `http://localhost${WORDS}`,
        postInit("{}", fields),
      );
      const { headers } = await handler(forged, "203.0.113.9");
      assertEquals(headers.get("ratelimit"), `"default";r=${59 - i};t=60`);
    }
  }
});
