import { assert, assertEquals } from "@std/assert";
import { readProblem, service } from "../helpers/service.ts";

const PATHS = ["characters", "words", "sentence"].map((name) =>
  `/api/pwgen/${name}`
);

function request(
  path: string,
  headers: Record<string, string> = {},
  body = "{}",
): Request {
  return new Request(`http://localhost${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body,
  });
}

Deno.test("rateLimit() shares 60 requests a minute among the three paths, valid or not", async () => {
  const { handler, clock } = await service();
  const bodies = ["{}", "[]", "", '{"length":0,"casing":1}'];
  for (let i = 0; i < 60; i++) {
    const path = PATHS[i % 3]!;
    const response = await handler(
      request(path, {}, bodies[i % 4]),
      "192.0.2.1",
    );
    assert(response.status === 200 || response.status === 400);
    assertEquals(
      response.headers.get("ratelimit-policy"),
      '"default";q=60;w=60',
    );
    assertEquals(
      response.headers.get("ratelimit"),
      `"default";r=${59 - i};t=60`,
    );
    await response.body?.cancel();
  }
  clock.now += 12_345.6;
  for (const path of PATHS) {
    const refused = request(path, { "content-length": "99999" });
    const response = await handler(refused, "192.0.2.1");
    assertEquals(response.headers.get("retry-after"), "60");
    // 60 - 12.3456 seconds, rounded up.
    assertEquals(response.headers.get("ratelimit"), '"default";r=0;t=48');
    assertEquals(
      response.headers.get("ratelimit-policy"),
      '"default";q=60;w=60',
    );
    const problem = await readProblem(response, 429, path);
    assertEquals(problem.title, "Too Many Requests");
    assertEquals(problem.errors, undefined);
    assert(!refused.bodyUsed, "the body of a refused request is not read");
  }
  const other = await handler(request(PATHS[0]!), "192.0.2.2");
  assertEquals(other.status, 200);
  clock.now += 48_000;
  assertEquals((await handler(request(PATHS[0]!), "192.0.2.1")).status, 200);
});

Deno.test("rateLimit() counts nothing but POST to the three paths", async () => {
  const { handler } = await service();
  for (let i = 0; i < 100; i++) {
    for (const path of PATHS) {
      for (const method of ["OPTIONS", "GET"]) {
        const response = await handler(
          new Request(`http://localhost${path}`, { method }),
          "192.0.2.1",
        );
        assertEquals(response.headers.get("ratelimit"), null);
      }
    }
    await handler(request("/nowhere"), "192.0.2.1");
    await handler(request("/healthz"), "192.0.2.1");
    await handler(new Request("http://localhost/healthz"), "192.0.2.1");
  }
  const response = await handler(request(PATHS[0]!), "192.0.2.1");
  assertEquals(response.headers.get("ratelimit"), '"default";r=59;t=60');
});

Deno.test("rateLimit() keeps one budget for IPv4 and its mapped form, and for a /64", async () => {
  const { handler } = await service();
  const remaining = async (peer: string) =>
    (await handler(request(PATHS[0]!), peer)).headers.get("ratelimit");
  assertEquals(await remaining("192.0.2.1"), '"default";r=59;t=60');
  assertEquals(await remaining("::ffff:192.0.2.1"), '"default";r=58;t=60');
  assertEquals(await remaining("2001:db8::1"), '"default";r=59;t=60');
  assertEquals(await remaining("2001:db8::2:0:0:1"), '"default";r=58;t=60');
  assertEquals(await remaining("2001:db8:0:1::1"), '"default";r=59;t=60');
});

Deno.test("rateLimit() believes X-Forwarded-For from listed proxies alone", async () => {
  const { handler } = await service("--trusted-proxies=127.0.0.1");
  const remaining = async (peer: string, forwarded: string) => {
    const headers = { "x-forwarded-for": forwarded };
    const response = await handler(request(PATHS[0]!, headers), peer);
    return response.headers.get("ratelimit");
  };
  assertEquals(
    await remaining("127.0.0.1", "192.0.2.1"),
    '"default";r=59;t=60',
  );
  assertEquals(
    await remaining("127.0.0.1", "192.0.2.2"),
    '"default";r=59;t=60',
  );
  assertEquals(
    await remaining("127.0.0.1", "192.0.2.1"),
    '"default";r=58;t=60',
  );
  // Nobody else's word moves a request to another budget.
  for (let i = 0; i < 60; i++) {
    assertEquals(
      await remaining("203.0.113.9", `192.0.2.${i}`),
      `"default";r=${59 - i};t=60`,
    );
  }
  assertEquals(await remaining("203.0.113.9", "8.8.8.8"), '"default";r=0;t=60');
});

Deno.test("rateLimit() follows the operator's number", async () => {
  const { handler } = await service("--rate-limit=2");
  for (const [status, header] of [[200, 1], [200, 0], [429, 0]]) {
    const response = await handler(request(PATHS[0]!), "192.0.2.1");
    assertEquals(response.status, status);
    assertEquals(
      response.headers.get("ratelimit-policy"),
      '"default";q=2;w=60',
    );
    assertEquals(
      response.headers.get("ratelimit"),
      `"default";r=${header};t=60`,
    );
  }
});

Deno.test("rateLimit() reports clients forgotten too early once a minute at most", async () => {
  const { handler, logged, clock } = await service("--max-clients=10");
  const flood = async (count: number) => {
    for (let i = 0; i < count; i++) {
      clock.now++;
      await handler(
        request(PATHS[0]!),
        `10.${count & 255}.${i >> 8}.${i & 255}`,
      );
    }
  };
  await flood(500);
  assertEquals(logged.length, 1);
  clock.now += 59_000;
  await flood(600);
  assertEquals(logged.length, 2);
  assertEquals(logged.map((line) => Number(/forgot (\d+)/.exec(line)![1])), [
    1,
    // 489 more of the first flood, 511 of the second until 60 s were over.
    1000,
  ]);
  assert(logged.every((line) => line.includes("PWGEN_MAX_CLIENTS (10)")));
  assert(logged.every((line) => !/\d+\.\d+\.\d+\.\d+/.test(line)));
});

Deno.test("rateLimit() counts by the socket, whatever header a client sends", async () => {
  const names = [
    "x-forwarded-for",
    "forwarded",
    "x-real-ip",
    "x-client-ip",
    "client-ip",
    "true-client-ip",
    "cf-connecting-ip",
    "fastly-client-ip",
    "x-cluster-client-ip",
    "x-forwarded",
    "x-forwarded-proto",
    "x-forwarded-host",
    "via",
    "forwarded-for",
    "x-original-forwarded-for",
  ];
  for (const flags of [[], ["--trusted-proxies=10.0.0.0/8"]]) {
    const { handler } = await service(...flags);
    for (let i = 0; i < 70; i++) {
      const headers = new Headers({ "content-type": "application/json" });
      for (const name of names) {
        for (let repeat = 0; repeat <= i % 3; repeat++) {
          headers.append(name, `10.0.0.${i}, 192.0.2.${i}, for="[::${i}]"`);
        }
      }
      const response = await handler(
        new Request(`http://localhost${PATHS[i % 3]}`, {
          method: "POST",
          headers,
          body: "{}",
        }),
        "203.0.113.9",
      );
      assertEquals(
        response.headers.get("ratelimit"),
        `"default";r=${Math.max(0, 59 - i)};t=60`,
      );
      assertEquals(response.status, i < 60 ? 200 : 429);
      assertEquals(response.headers.get("strict-transport-security"), null);
    }
  }
});
