/**
 * The real program with a real Redis server behind its rate limit: several
 * processes, under load, while the server fails in every way.
 */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { contend, type Outcome } from "./helpers/contention.ts";
import { tempDir } from "./helpers/files.ts";
import { RawConnection } from "./helpers/connection.ts";
import {
  end,
  isInstalled,
  post,
  type Running,
  serve,
  shiftedClock,
  start,
  testStop,
} from "./helpers/program.ts";
import { HAS_REDIS, startRedis, testRedis } from "./helpers/redis.ts";

const LIMIT = 60;
const PASSWORD = "p%40ss-hunter2";

/** The environment of a process that counts in Redis. */
function environment(url: string): Record<string, string> {
  return { PWGEN_RATE_LIMIT_STORE: url, PWGEN_TRUSTED_PROXIES: "loopback" };
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

let networks = 0;

/** The first three numbers of addresses that were not used before. */
function freshNetwork(): string {
  networks++;
  return `198.51.${networks}`;
}

/** Asks with 20 new clients, far more often than they may. */
async function assertExact(services: readonly Running[]): Promise<void> {
  const { admitted, failures } = await contend(services, {
    clients: 20,
    network: freshNetwork(),
    requests: 1000,
  });
  assertEquals(failures, []);
  assertEquals(admitted, Array(20).fill(LIMIT));
}

/**
 * Keeps processes busy while something happens: a few clients that are over
 * their limit, and many that are not.
 */
async function underLoad(
  services: readonly Running[],
  event: () => Promise<unknown>,
): Promise<void> {
  const controller = new AbortController();
  const { signal } = controller;
  const outcomes = [3, 250].map((clients) =>
    contend(services, { clients, network: freshNetwork(), signal })
  );
  let loaded: Outcome[];
  try {
    await pause(500);
    await event();
    await pause(500);
  } finally {
    controller.abort();
    loaded = await Promise.all(outcomes);
  }
  for (const { failures, mostOfOneProcess, requests } of loaded) {
    assertEquals(failures.slice(0, 5), []);
    assert(mostOfOneProcess <= LIMIT, `${mostOfOneProcess} by one process`);
    assert(requests > 100, `${requests} requests`);
  }
}

/** The lines of an outage with its reasons, and of its end. */
function outage(...reasons: string[]): string {
  const lines = reasons.map((reason) =>
    `Rate limit: cannot use Redis: ${reason}; this process counts by itself until it can\n`
  );
  return `${lines.join("")}Rate limit: Redis is in use again\n`;
}

/** Waits until processes have written just these lines, and takes them away. */
async function assertLines(
  services: readonly Running[],
  lines: RegExp,
): Promise<void> {
  for (const { stderr } of services) {
    await stderr.match(lines);
    stderr.text = stderr.text.replace(lines, "");
    assertEquals(stderr.text, "");
  }
}

testRedis(
  "four processes on Redis grant each client exactly its limit, whatever happens to Redis",
  async () => {
    await using redis = await startRedis(
      "--requirepass",
      decodeURIComponent(PASSWORD),
    );
    const admin = (...args: string[]) =>
      redis.cli(
        "--no-auth-warning",
        "-a",
        decodeURIComponent(PASSWORD),
        ...args,
      );
    const env = environment(redis.url.replace("//", `//:${PASSWORD}@`));
    await using stack = new AsyncDisposableStack();
    const services: Running[] = [];
    for (let i = 0; i < 4; i++) services.push(stack.use(await serve({ env })));
    await assertExact(services);
    await assertLines(services, /^/);

    // The script is gone: it is sent again, and nobody notices.
    await underLoad(services, () => admin("SCRIPT", "FLUSH"));
    await assertLines(services, /^/);
    await assertExact(services);

    // Killed, and back.
    await underLoad(services, async () => {
      redis.signal("SIGKILL");
      await pause(500);
      await redis.restart();
    });
    await assertLines(
      services,
      RegExp(
        outage(
          "(it closed the connection.*|the connection failed|connection refused)",
        ),
      ),
    );
    await assertExact(services);

    // Held: it accepts connections, and says nothing.
    await underLoad(services, async () => {
      redis.signal("SIGSTOP");
      await pause(2500);
      redis.signal("SIGCONT");
    });
    await assertLines(services, RegExp(outage("no answer within 1000 ms")));
    await assertExact(services);

    // Another password, then the old one again.
    await underLoad(services, async () => {
      await admin("CONFIG", "SET", "requirepass", "other");
      await redis.cli(
        ...["--no-auth-warning", "-a", "other", "CLIENT", "KILL"],
        ...["TYPE", "normal", "SKIPME", "yes"],
      );
      for (const { stderr } of services) await stderr.match(/WRONGPASS/);
      await redis.cli(
        ...["--no-auth-warning", "-a", "other", "CONFIG", "SET", "requirepass"],
        decodeURIComponent(PASSWORD),
      );
    });
    await assertLines(
      services,
      RegExp(outage(
        "it closed the connection.*",
        "user or password is wrong \\(WRONGPASS\\)",
      )),
    );
    await assertExact(services);

    // Emptied: the processes that run keep their secret for up to a minute, a new
    // one has another. By then all keys of clients must be gone.
    await underLoad(services, async () => {
      await admin("FLUSHALL");
      services.push(stack.use(await serve({ env })));
    });
    await pause(62_000);
    assertEquals(await admin("KEYS", "*"), "pwgen:secret");
    await assertExact(services);
    await assertLines(services, /^/);
    for (const { stdout } of services) {
      assert(!stdout.text.includes("hunter2"), stdout.text);
    }
  },
);

const HAS_FAKETIME = HAS_REDIS && await isInstalled("faketime");

Deno.test({
  name: "processes whose clocks differ by an hour share one budget on Redis" +
    (HAS_FAKETIME
      ? ""
      : " (skipped: no redis-server or faketime; Debian: redis-server, faketime)"),
  ignore: !HAS_FAKETIME,
  fn: async () => {
    await using redis = await startRedis();
    await using stack = new AsyncDisposableStack();
    const services: Running[] = [];
    const shifts = [-3600, -1800, 0, 3600];
    for (const shift of shifts) {
      const env = {
        ...environment(redis.url),
        PWGEN_ACCESS_LOG: "json",
        ...await shiftedClock(`${shift < 0 ? "" : "+"}${shift}s`),
      };
      services.push(stack.use(await serve({ env })));
    }
    const begin = Date.now();
    await assertExact(services);
    for (const [i, { stdout, stderr }] of services.entries()) {
      // The clock of the process is what it should be.
      const [, time] = /"time":"([^"]+)"/.exec(stdout.text)!;
      const shift = (Date.parse(time!) - begin) / 1000;
      assert(Math.abs(shift - shifts[i]!) < 120, `${shift} s`);
      assertEquals(stderr.text, "");
    }
  },
});

testRedis(
  "a command whose reply is lost is not sent again: the process decides itself",
  async () => {
    await using redis = await startRedis();
    // Between the process and Redis: cuts the connection instead of giving the
    // reply to the first decision.
    using listener = Deno.listen({ port: 0, hostname: "127.0.0.1" });
    let cuts = 0;
    const proxy = (async () => {
      for await (const near of listener) {
        const far = await Deno.connect({ port: redis.port });
        let cut = false;
        const up = near.readable.pipeThrough(
          new TransformStream<Uint8Array, Uint8Array>({
            transform: (chunk, controller) => {
              const text = new TextDecoder().decode(chunk);
              // Not the one by which the process tries its rights.
              if (cuts === 0 && /EVALSHA(?!.*pwgen:try)/s.test(text)) {
                cut = true;
                cuts++;
              }
              controller.enqueue(chunk);
            },
          }),
        ).pipeTo(far.writable);
        const down = far.readable.pipeThrough(
          new TransformStream<Uint8Array, Uint8Array>({
            transform: (chunk, controller) => {
              if (cut) throw new Error("Cut");
              controller.enqueue(chunk);
            },
          }),
        ).pipeTo(near.writable);
        Promise.allSettled([up, down]);
      }
    })();
    await using service = await serve({
      env: environment(`redis://127.0.0.1:${listener.addr.port}`),
    });
    const ask = async () => {
      const response = await post(`${service.url}/api/pwgen/words`, "{}", {
        "x-forwarded-for": "192.0.2.1",
      });
      await response.body?.cancel();
      assertEquals(response.status, 200);
      return response.headers.get("ratelimit")!;
    };
    assertMatch(await ask(), /r=59;/);
    assertEquals(cuts, 1);
    await service.stderr.match(/cannot use Redis: .*\n.*in use again\n/);
    // Counted once by Redis, once by the process.
    assertMatch(await ask(), /r=58;/);
    const [key] = (await redis.cli("KEYS", "pwgen:*")).split("\n")
      .filter((key) => key !== "pwgen:secret");
    assertEquals(await redis.cli("LLEN", key!), "2");
    await service[Symbol.asyncDispose]();
    listener.close();
    await proxy;
  },
);

testRedis("requests that wait for Redis finish after SIGTERM", async () => {
  await using redis = await startRedis();
  for (const comesBack of [true, false]) {
    await using service = await serve({ env: environment(redis.url) });
    const body = "{}";
    const head = "POST /api/pwgen/words HTTP/1.1\r\nHost: localhost\r\n" +
      `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;
    using whole = await RawConnection.connect(service.port);
    using slow = await RawConnection.connect(service.port);
    redis.signal("SIGSTOP");
    await whole.write(head + body);
    await slow.write(head + "{");
    await pause(300);
    service.process.kill("SIGTERM");
    await pause(200);
    if (comesBack) redis.signal("SIGCONT");
    const { status, body: answer } = await whole.read();
    assertEquals([status, JSON.parse(answer).type], [200, "words"]);
    await slow.write("}");
    assertEquals((await slow.read()).status, 200);
    redis.signal("SIGCONT");
    assertEquals((await end(service)).code, 0);
  }
});

testStop(
  "the program stops at once on SIGTERM while it waits for Redis at the start",
  async () => {
    using silent = Deno.listen({ port: 0, hostname: "127.0.0.1" });
    const program = start({
      env: environment(`redis://127.0.0.1:${silent.addr.port}`),
    });
    using _connection = await silent.accept();
    const begin = performance.now();
    program.process.kill("SIGTERM");
    assertEquals(await end(program), { code: 0, stdout: "", stderr: "" });
    assert(performance.now() - begin < 4000, "waited for Redis");
  },
);

const HAS_OPENSSL = HAS_REDIS && await isInstalled("openssl");

/** A certificate of its own authority for localhost, in a folder. */
async function makeCertificate(folder: string): Promise<void> {
  const openssl = async (...args: string[]) => {
    const { success, stderr } = await new Deno.Command("openssl", {
      args,
      cwd: folder,
    }).output();
    assert(success, new TextDecoder().decode(stderr));
  };
  const key = [
    "-newkey",
    "ec",
    "-pkeyopt",
    "ec_paramgen_curve:P-256",
    "-nodes",
  ];
  await openssl(
    ...["req", "-x509", ...key, "-keyout", "ca.key", "-out", "ca.pem"],
    ...["-subj", "/CN=Test authority", "-days", "2"],
  );
  await openssl(
    ...["req", ...key, "-keyout", "redis.key", "-out", "redis.csr"],
    ...["-subj", "/CN=localhost"],
  );
  await Deno.writeTextFile(
    `${folder}/extensions`,
    "subjectAltName=DNS:localhost\n",
  );
  await openssl(
    ...[
      "x509",
      "-req",
      "-in",
      "redis.csr",
      "-CA",
      "ca.pem",
      "-CAkey",
      "ca.key",
    ],
    ...["-CAcreateserial", "-out", "redis.pem", "-days", "2"],
    ...["-extfile", "extensions"],
  );
}

Deno.test({
  name: "the program reaches Redis over TLS, with an authority of its own" +
    (HAS_OPENSSL
      ? ""
      : " (skipped: no redis-server or openssl; Debian: redis-server, openssl)"),
  ignore: !HAS_OPENSSL,
  fn: async () => {
    await using folder = await tempDir();
    await makeCertificate(folder.path);
    await using redis = await startRedis(
      ...["--tls-port", "0", "--tls-cert-file", `${folder.path}/redis.pem`],
      ...["--tls-key-file", `${folder.path}/redis.key`],
      ...["--tls-ca-cert-file", `${folder.path}/ca.pem`],
      ...["--tls-auth-clients", "no"],
    );
    // redis-cli, which waits for the start, speaks to the port without TLS.
    using free = Deno.listen({ port: 0, hostname: "127.0.0.1" });
    const { port } = free.addr;
    free.close();
    assertEquals(
      await redis.cli("CONFIG", "SET", "tls-port", String(port)),
      "OK",
    );
    const DENO_CERT = `${folder.path}/ca.pem`;
    const env = environment(`rediss://localhost:${port}`);
    await using one = await serve({ env: { ...env, DENO_CERT } });
    await using other = await serve({ env: { ...env, DENO_CERT } });
    await assertExact([one, other]);
    assertEquals(one.stderr.text + other.stderr.text, "");

    const wrongName = environment(`rediss://127.0.0.1:${port}`);
    for (
      const [vars, reason] of [
        [env, "UnknownIssuer"],
        [{ ...wrongName, DENO_CERT }, "not valid for name|NotValidForName"],
        [
          { ...env, DENO_CERT: "/no/such.pem" },
          "DENO_CERT names cannot be read",
        ],
      ] as const
    ) {
      const { code, stdout, stderr } = await end(start({ env: vars }));
      assertEquals([code, stdout], [2, ""], stderr);
      assertMatch(
        stderr,
        RegExp(`^PWGEN_RATE_LIMIT_STORE: cannot use Redis: .*(${reason}).*\n$`),
      );
    }
  },
});

testRedis(
  "the program says in one line which setting of Redis is wrong, and never the password",
  async () => {
    await using redis = await startRedis();
    await redis.cli("ACL", "SETUSER", "few", "on", ">hunter2", "~*", "+get");
    await redis.cli("ACL", "SETUSER", "default", ">secret");
    await using web = Deno.serve(
      { port: 0, hostname: "127.0.0.1", onListen: () => {} },
      () => new Response(),
    );
    const at = `127.0.0.1:${redis.port}`;
    const cases: [string, string][] = [
      [`redis://:hunter2@${at}/x`, "this value is not allowed; use memory, kv"],
      [`redis://:hunter2@`, "this value is not allowed"],
      [`rediss:/u:hunter2@${at}`, "this value is not allowed"],
      [`redis://${at}`, "it requires a password"],
      [`redis://:hunter2@${at}`, "user or password is wrong"],
      [`redis://few:hunter2@${at}`, "a permission is missing"],
      [`redis://:secret@${at}/99`, "there is no such database"],
      [
        `redis://:hunter2@127.0.0.1:${web.addr.port}`,
        "what listens there is not Redis",
      ],
    ];
    for (const [url, reason] of cases) {
      for (
        const options of [
          { env: { PWGEN_RATE_LIMIT_STORE: url } },
          { flags: [`--rate-limit-store=${url}`] },
        ]
      ) {
        const { code, stdout, stderr } = await end(start(options));
        assertEquals([code, stdout], [2, ""], stderr);
        assert(stderr.includes("PWGEN_RATE_LIMIT_STORE"), stderr);
        assert(stderr.includes(reason), stderr);
        assert(!stderr.includes("hunter2"), stderr);
        assertEquals(stderr.split("\n").length, 2, stderr);
      }
    }
    const misplaced = await end(start({ flags: [`redis://:hunter2@${at}`] }));
    assertEquals(misplaced.code, 2);
    assertMatch(misplaced.stderr, /^argument 1: not a flag; .*\n$/);
  },
);

testRedis(
  "the program starts when Redis does not answer yet, with one line",
  async () => {
    await using replica = await startRedis("--replicaof", "127.0.0.1", "1");
    // Accepts connections, and says nothing.
    using silent = Deno.listen({ port: 0, hostname: "127.0.0.1" });
    await Promise.all([
      ["redis://127.0.0.1:1", "connection refused"],
      ["redis://no.such.host.invalid", "its host name cannot be resolved"],
      [replica.url, "it is a read-only replica (READONLY)"],
      [`redis://127.0.0.1:${silent.addr.port}`, "no answer within 5000 ms"],
    ].map(async ([url, reason]) => {
      await using service = await serve({ env: environment(url!) });
      const response = await post(`${service.url}/api/pwgen/words`, "{}");
      await response.body?.cancel();
      assertEquals(response.status, 200);
      assertEquals(
        service.stderr.text,
        `Rate limit: cannot use Redis: ${reason}; this process counts by itself until it can\n`,
      );
    }));
    // And counts there as soon as it can.
    await using service = await serve({ env: environment(replica.url) });
    await replica.cli("REPLICAOF", "NO", "ONE");
    await service.stderr.match(/\nRate limit: Redis is in use again\n$/);
  },
);
