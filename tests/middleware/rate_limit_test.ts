import { assert, assertEquals, assertMatch } from "@std/assert";
import { postInit, readProblem, service } from "../helpers/service.ts";

const PATHS = ["characters", "words", "sentence"].map((name) =>
  `/api/pwgen/${name}`
);

function request(path: string, ...init: Parameters<typeof postInit>): Request {
  return new Request(`http://localhost${path}`, postInit(...init));
}

/** Checks both header fields of the rate limiter. */
function assertFields(
  { headers }: Response,
  { limit = 60, remaining, seconds = 60 }: {
    limit?: number;
    remaining: number;
    seconds?: number;
  },
): void {
  const expected = [
    `"default";q=${limit};w=60`,
    `"default";r=${remaining};t=${seconds}`,
  ];
  const fields = ["ratelimit-policy", "ratelimit"];
  assertEquals(fields.map((name) => headers.get(name)), expected);
}

Deno.test("rateLimit() reports once, after a refusal, what may be wrong with a proxy, without a public address", async () => {
  const untrusted =
    /^Rate limit: X-Forwarded-For came from a public address, which is not in /;
  const nameless = /^Rate limit: a proxy in PWGEN_TRUSTED_PROXIES sent no /;
  const many = /^Rate limit: refused a client that may be a proxy; /;
  const client = { "x-forwarded-for": "198.51.100.1" };
  const other = { forwarded: "for=198.51.100.1", "x-real-ip": "198.51.100.1" };
  const cases: [string, Record<string, string>, RegExp | undefined][] = [
    ...[
      "192.0.2.3",
      "172.32.0.1",
      "100.128.0.1",
      "2001:db8::1",
      "::ffff:198.51.100.1",
    ].map((peer): typeof cases[number] => [peer, client, untrusted]),
    ["192.0.2.1", client, undefined],
    // A load balancer that appends its own address, or a client that lies.
    ["192.0.2.1", { "x-forwarded-for": "203.0.113.1, 198.51.100.1" }, many],
    ["192.0.2.1", { "x-forwarded-for": "203.0.113.1, 10.0.0.7" }, many],
    ["192.0.2.1", { "x-forwarded-for": "198.51.100.1, 192.0.2.1" }, undefined],
    // More than the 32 entries that are looked at.
    ["192.0.2.1", { "x-forwarded-for": `::1${",192.0.2.1".repeat(32)}` }, many],
    ["192.0.2.1", { "x-forwarded-for": "198.51.100.1, hidden" }, nameless],
    // The walk ends before the entry that a client wrote.
    ["192.0.2.1", { "x-forwarded-for": "hidden, 198.51.100.1:80" }, many],
    ["192.0.2.1", {}, nameless],
    ["192.0.2.1", other, nameless],
    ...["10.1.2.3", "172.31.0.1", "192.168.1.1", "fd00::1", "fe80::1%eth0"]
      .map((peer): typeof cases[number] => [peer, other, many]),
    // A socket without an IP address.
    ["", {}, many],
    // Programs on the machine of the service.
    ...["127.0.0.1", "::1", "::ffff:127.0.0.1", "172.32.0.1", "2001:db8::1"]
      .map((peer): typeof cases[number] => [peer, other, undefined]),
  ];
  for (const [peer, headers, expected] of cases) {
    const { handler, logged } = await service(
      "--rate-limit=1",
      "--trusted-proxies=192.0.2.1",
    );
    const send = () => handler(request(PATHS[0]!, "{}", headers), peer);
    assertEquals((await send()).status, 200);
    assertEquals(logged, [], peer);
    for (let i = 0; i < 2; i++) assertEquals((await send()).status, 429);
    assertEquals(logged.length, expected ? 1 : 0, peer);
    assertMatch(logged[0] ?? "", expected ?? /^$/);
    assert(!/\d|hidden/.test(logged.join()), "no address");
  }
});

Deno.test("rateLimit() names the first proxy with a private address that is not trusted", async () => {
  const peers = {
    "10.1.2.3": "10.1.2.3",
    "172.31.0.1": "172.31.0.1",
    "::ffff:192.168.1.1": "192.168.1.1",
    "100.64.0.1": "100.64.0.1",
    "127.0.0.1": "127.0.0.1",
    "fd00::1": "fd00::1",
    "fe80::1%eth0": "fe80::1",
  };
  const fields = { "x-forwarded-for": "198.51.100.1" };
  for (const [peer, name] of Object.entries(peers)) {
    const { handler, logged } = await service("--rate-limit=1");
    // Others do not get a second line. A public address gets its own.
    for (const address of [peer, "10.9.9.9", "203.0.113.1", "203.0.113.2"]) {
      for (let i = 0; i < 3; i++) {
        await handler(request(PATHS[0]!, "{}", fields), address);
      }
    }
    assertEquals(logged.length, 2, logged.join("\n"));
    assert(
      logged[0]!.startsWith(
        `Rate limit: X-Forwarded-For came from ${name}, which is not in PWGEN_TRUSTED_PROXIES; `,
      ),
      logged[0],
    );
    assert(!logged.join().includes("198.51.100"), "no client");
    assert(!/\d/.test(logged[1]!), "no public address");
  }
});

Deno.test("rateLimit() admits 60 requests per minute on the three paths, valid or not", async () => {
  const { handler, clock } = await service();
  const bodies = ["{}", "[]", "", '{"length":0,"casing":1}'];
  const preflight = new Request(`http://localhost${PATHS[0]}`, {
    method: "OPTIONS",
  });
  assertEquals((await handler(preflight, "192.0.2.1")).status, 204);
  for (let i = 0; i < 60; i++) {
    const path = PATHS[i % 3]!;
    const response = await handler(request(path, bodies[i % 4]), "192.0.2.1");
    assert(response.status === 200 || response.status === 400);
    assertFields(response, { remaining: 59 - i });
  }
  clock.now += 12_987.6;
  for (const path of PATHS) {
    let isRead = false;
    const refused = new Request(`http://localhost${path}`, {
      ...postInit(),
      body: new ReadableStream({ pull: () => void (isRead = true) }, {
        highWaterMark: 0,
      }),
    });
    const response = await handler(refused, "192.0.2.1");
    assertEquals(response.headers.get("retry-after"), "60");
    // 60 - 12.9876 seconds, rounded up: the nearest integer is 47.
    assertFields(response, { remaining: 0, seconds: 48 });
    const problem = await readProblem(response, 429, path);
    assertEquals(problem.title, "Too Many Requests");
    assertEquals(problem.errors, undefined);
    assert(!isRead, "the body of a refused request is not read");
  }
  const other = await handler(request(PATHS[0]!), "192.0.2.2");
  assertEquals(other.status, 200);
  clock.now += 48_000;
  assertEquals((await handler(request(PATHS[0]!), "192.0.2.1")).status, 200);
});

Deno.test("rateLimit() leaves out exempt clients and the fields of their responses", async () => {
  const { handler } = await service(
    "--rate-limit=1",
    "--trusted-proxies=loopback",
    "--exempt-clients=198.51.100.0/24,2001:db8::/32",
  );
  const cases: [peer: string, forwardedFor: string, isExempt: boolean][] = [
    ["198.51.100.1", "", true],
    ["::ffff:198.51.100.1", "", true],
    ["2001:db8:ffff::1", "", true],
    ["127.0.0.1", "198.51.100.1", true],
    ["192.0.2.1", "", false],
    ["127.0.0.1", "192.0.2.2", false],
    ["127.0.0.1", "", false],
    // Another client cannot name an exempt address.
    ["192.0.2.3", "198.51.100.1", false],
  ];
  for (const [peer, forwardedFor, isExempt] of cases) {
    const headers = forwardedFor && { "x-forwarded-for": forwardedFor };
    for (const expected of [200, isExempt ? 200 : 429]) {
      const sent = request(PATHS[0]!, "{}", headers || {});
      const { status, headers: fields } = await handler(sent, peer);
      assertEquals(status, expected, peer);
      for (const name of ["ratelimit", "ratelimit-policy"]) {
        assertEquals(fields.has(name), !isExempt, peer);
      }
    }
  }
});

Deno.test("rateLimit() reports once an exempt client that may be a proxy, since all its clients are exempt", async () => {
  const { handler, logged } = await service("--exempt-clients=198.51.100.1");
  const field = { "x-forwarded-for": "192.0.2.4" };
  for (const [fields, count] of [[{}, 0], [field, 1], [field, 1]] as const) {
    await handler(request(PATHS[0]!, "{}", fields), "198.51.100.1");
    assertEquals(logged.length, count);
  }
  assertMatch(logged[0]!, /^Rate limit: X-Forwarded-For came from a public /);
});

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
      const forged = request(PATHS[0]!, "{}", fields);
      assertFields(await handler(forged, "203.0.113.9"), { remaining: 59 - i });
    }
  }
});
