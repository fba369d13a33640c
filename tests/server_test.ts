import { assert, assertEquals, assertMatch } from "@std/assert";
import http2 from "node:http2";
import metadata from "../deno.json" with { type: "json" };
import { tempDir } from "./helpers/files.ts";
import {
  frame,
  get,
  INITIAL_WINDOW_SIZE,
  preface,
  send,
  WINDOW_UPDATE,
} from "./helpers/http2.ts";
import { RawConnection } from "./helpers/connection.ts";
import {
  CERT,
  end,
  HAS_SIGTERM,
  isInstalled,
  KEY,
  listening,
  post,
  ROOT,
  type Running,
  serve,
  shiftedClock,
  spawn,
  start,
  testStop,
} from "./helpers/program.ts";
import { readErrors, readPassword, readProblem } from "./helpers/service.ts";

const ENDPOINTS = ["characters", "words", "sentence"];

Deno.test("the program answers all endpoints over HTTP", async () => {
  await using service = await serve();
  assertEquals(service.url, `http://127.0.0.1:${service.port}`);
  for (const name of ENDPOINTS) {
    const path = `/api/pwgen/${name}`;
    const url = service.url + path;
    await readPassword(await post(url, "{}"), name);
    await readErrors(await post(url, "nonsense"), path, "$");
    // Chunked, without a Content-Length.
    const pieces = [" ", '{"casing":', '"lower"', "}"].map((text) =>
      new TextEncoder().encode(text)
    );
    const chunked = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: ReadableStream.from(pieces),
    });
    await readPassword(chunked, name);
    const preflight = await fetch(url, { method: "OPTIONS" });
    assertEquals(preflight.status, 204);
    assertEquals(await preflight.text(), "");
  }
  const health = await fetch(`${service.url}/healthz`);
  assertEquals(await health.json(), { status: "ok" });
  await readProblem(await fetch(`${service.url}/nowhere`), 404, "/nowhere");
  const head = await fetch(`${service.url}/api/pwgen/words`, {
    method: "HEAD",
  });
  assertEquals(head.status, 405);
  assertEquals(await head.text(), "");
});

Deno.test("the program answers over TLS, with HSTS, over HTTP/1.1 and HTTP/2", async () => {
  const env = { PWGEN_TLS_CERT: CERT, PWGEN_TLS_KEY: KEY };
  await using service = await serve({ task: "start:tls", env });
  assertMatch(service.url, /^https:/);
  for (const version of [1, 2]) {
    using client = Deno.createHttpClient({
      caCerts: [await Deno.readTextFile(CERT)],
      http1: version === 1,
      http2: version === 2,
    });
    for (const name of ENDPOINTS) {
      const response = await fetch(
        `https://localhost:${service.port}/api/pwgen/${name}`,
        {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: "{}",
          client,
        },
      );
      assertEquals(
        response.headers.get("strict-transport-security"),
        "max-age=31536000",
      );
      await readPassword(response, name);
    }
  }
});

Deno.test("the program takes path and host from the request line as they are", async () => {
  await using service = await serve();
  const ask = async (target: string, host = "Host: localhost\r\n") => {
    using wire = await RawConnection.connect(service.port);
    await wire.write(
      `POST ${target} HTTP/1.1\r\n${host}` +
        "Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}",
    );
    const { status, body } = await wire.read();
    return { status, body: JSON.parse(body) };
  };
  for (const name of ENDPOINTS) {
    const path = `/api/pwgen/${name}`;
    const good = [path, `${path}?a=b`, `http://other${path}`, `${path}?/`];
    for (const target of good) {
      assertEquals((await ask(target)).body.type, name, target);
    }
    for (
      const target of [
        `/x/..${path}`,
        `/.${path}`,
        `/${path}`,
        `${path}/`,
        `${path}#x`,
        path.replace("pw", "%70w"),
        `/?${path}`,
        `http://other?${path}`,
      ]
    ) {
      const { status, body } = await ask(target);
      const shown = target.startsWith("http") ? "/" : target.split("?")[0];
      assertEquals(status, shown === "/" ? 405 : 404, target);
      assertEquals(body.instance, shown);
    }
    for (const host of [`x${path}?`, `x${path}#`, "x/", "u@x", "a b", "x\\"]) {
      for (const target of ["/healthz", "/nowhere", path]) {
        const { status, body } = await ask(target, `Host: ${host}\r\n`);
        assertEquals(status, 400, host);
        assertEquals(body.instance, target);
      }
    }
  }
  // No Host, or an empty one, is no reason to shift anything.
  for (const host of ["", "Host:\r\n"]) {
    assertEquals((await ask("/api/pwgen/words", host)).body.type, "words");
  }
});

/** Whether a port takes a connection. */
async function accepts(port: number): Promise<boolean> {
  try {
    (await RawConnection.connect(port))[Symbol.dispose]();
    return true;
  } catch {
    return false;
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

Deno.test("the program checks in the decided order: path, method, rate limit, size, emptiness, media type, JSON, fields", async () => {
  await using service = await serve({ env: { PWGEN_RATE_LIMIT: "7" } });
  const words = "/api/pwgen/words";
  const ask = async (
    method: string,
    path: string,
    type: string | undefined,
    length: number,
    body: string,
  ) => {
    using wire = await RawConnection.connect(service.port);
    await wire.write(
      `${method} ${path} HTTP/1.1\r\nHost: localhost\r\n` +
        (type ? `Content-Type: ${type}\r\n` : "") +
        `Content-Length: ${length}\r\n\r\n${body}`,
    );
    return (await wire.read()).status;
  };
  // Each request has every fault that is checked later, too.
  assertEquals(await ask("PUT", "/x", "text/plain", 16_385, ""), 404);
  assertEquals(await ask("PUT", words, "text/plain", 16_385, ""), 405);
  assertEquals(await ask("POST", words, "text/plain", 16_385, ""), 413);
  assertEquals(await ask("POST", words, "text/plain", 0, ""), 400);
  assertEquals(await ask("POST", words, undefined, 3, " \n\t"), 400);
  assertEquals(await ask("POST", words, "text/plain", 2, "[]"), 415);
  assertEquals(await ask("POST", words, undefined, 2, "{}"), 415);
  assertEquals(await ask("POST", words, "application/json", 2, "[]"), 400);
  const fields = '{"casing":1}';
  assertEquals(
    await ask("POST", words, "application/json", fields.length, fields),
    400,
  );
  // Seven were counted: 404 and 405 were not.
  assertEquals(await ask("POST", words, "text/plain", 16_385, ""), 429);
  assertEquals(await ask("PUT", words, "text/plain", 16_385, ""), 405);
});

Deno.test("the program gives a body 10 seconds, and judges its size as it comes", async () => {
  await using service = await serve();
  const head = "POST /api/pwgen/words HTTP/1.1\r\nHost: localhost\r\n" +
    "Content-Type: application/json\r\n";
  const answer = async (...pieces: string[]) => {
    using wire = await RawConnection.connect(service.port);
    for (const piece of pieces) await wire.write(piece);
    return (await wire.read()).status;
  };
  const chunk = `400\r\n${" ".repeat(1024)}\r\n`;
  const start = performance.now();
  const [slow, slowChunk, large] = await Promise.all([
    answer(head + "Content-Length: 20\r\n\r\n{"),
    answer(head + "Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n"),
    answer(
      head + "Transfer-Encoding: chunked\r\n\r\n",
      ...Array(17).fill(chunk),
    ),
  ]);
  const seconds = (performance.now() - start) / 1000;
  assertEquals([slow, slowChunk, large], [408, 408, 413]);
  assert(seconds >= 9.9, `waited ${seconds} s`);
  // The process goes on.
  await readPassword(
    await post(`${service.url}/api/pwgen/words`, "{}"),
    "words",
  );
});

Deno.test("the program limits by socket, and by X-Forwarded-For from listed proxies alone", async () => {
  for (const env of [{}, { PWGEN_TRUSTED_PROXIES: "loopback" }]) {
    await using service = await serve({ env });
    const trusted = "PWGEN_TRUSTED_PROXIES" in env;
    let refused = 0;
    for (let i = 0; i < 90; i++) {
      const response = await post(
        `${service.url}/api/pwgen/${ENDPOINTS[i % 3]}`,
        "{}",
        { "x-forwarded-for": `192.0.2.${i % 2}` },
      );
      await response.body?.cancel();
      if (response.status === 429) refused++;
    }
    assertEquals(refused, trusted ? 0 : 30);
  }
});

Deno.test("the program logs each request, and no password that it made", async () => {
  await using service = await serve({
    env: {
      PWGEN_ACCESS_LOG: "json",
      PWGEN_RATE_LIMIT: "10000",
      PWGEN_MAX_CLIENTS: "1",
      PWGEN_TRUSTED_PROXIES: "loopback",
    },
  });
  const passwords: string[] = [];
  for (let i = 0; i < 1000; i++) {
    const name = ENDPOINTS[i % 3]!;
    // Each client has the one before it forgotten, which is logged as well.
    const response = await post(
      `${service.url}/api/pwgen/${name}?length=hunter2`,
      '{"length":8,"wordCount":1,"hunter2":"hunter2"}',
      { "x-forwarded-for": `192.0.2.${i % 256}` },
    );
    passwords.push(await readPassword(response, name));
  }
  assertEquals((await fetch(`${service.url}/healthz`)).status, 200);
  service.process.kill("SIGTERM");
  const { code, stdout, stderr } = await end(service);
  if (HAS_SIGTERM) assertEquals(code, 0);
  const lines = stdout.trim().split("\n").slice(1);
  assertEquals(lines.length, 1000);
  assert(lines.every((line) => JSON.parse(line).status === 200));
  assertMatch(stderr, /^Rate limit: forgot 1 client\(s\)/);
  for (const secret of [...passwords, "hunter2", "192.0.2.", "127.0.0.1"]) {
    const log = lines.join("\n") + stderr;
    assert(!log.includes(secret), `${secret} is in the log`);
  }
});

const UNFINISHED = "POST /api/pwgen/words HTTP/1.1\r\nHost: localhost\r\n" +
  "Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{";

testStop(
  "the program lets requests in flight finish after SIGTERM, SIGINT or SIGHUP, takes no more, and exits with 0",
  async () => {
    for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) {
      await using service = await serve();
      using _idle = await RawConnection.connect(service.port);
      using slow = await RawConnection.connect(service.port);
      using slower = await RawConnection.connect(service.port);
      await slow.write(UNFINISHED);
      await pause(300);
      service.process.kill(signal);
      await pause(300);
      // Begun while another one kept the process: it is not broken off either.
      await slower.write(UNFINISHED);
      await pause(300);
      await slow.write("}");
      await pause(300);
      await slower.write("}");
      for (const wire of [slow, slower]) {
        const { status, body } = await wire.read();
        assertEquals([status, JSON.parse(body).type], [200, "words"]);
      }
      const start = performance.now();
      const { code, stderr } = await end(service);
      assertEquals([code, stderr], [0, ""]);
      assert(performance.now() - start < 5000, "waited for idle connections");
      assert(!await accepts(service.port));
    }
  },
);

testStop(
  "the program ends at once with status 1 on a second signal, and is not healthy before",
  async () => {
    for (const signal of ["SIGTERM", "SIGINT"] as const) {
      await using service = await serve();
      using stuck = await RawConnection.connect(service.port);
      await stuck.write(UNFINISHED);
      await pause(300);
      service.process.kill(signal);
      // As one signal, passed on: it is the same.
      service.process.kill(signal);
      await pause(300);
      const health = await fetch(`${service.url}/healthz`);
      await readProblem(health, 503, "/healthz");
      await pause(600);
      const begin = performance.now();
      service.process.kill(signal);
      assertEquals((await end(service)).code, 1);
      assert(performance.now() - begin < 3000, "waited for the body");
    }
  },
);

const HAS_CERTIFICATES = await isInstalled("openssl") &&
  await isInstalled("faketime");

Deno.test({
  name: "the program reports a certificate that expires soon or has expired" +
    (HAS_CERTIFICATES
      ? ""
      : " (skipped: no openssl or faketime; Debian: openssl, faketime)"),
  ignore: !HAS_CERTIFICATES,
  fn: async () => {
    await using folder = await tempDir();
    const [PWGEN_TLS_CERT, PWGEN_TLS_KEY] = ["cert.pem", "key.pem"].map(
      (name) => `${folder.path}/${name}`,
    ) as [string, string];
    await new Deno.Command("openssl", {
      args: [
        ...["req", "-x509", "-newkey", "ec", "-nodes", "-days", "20"],
        ...["-pkeyopt", "ec_paramgen_curve:P-256", "-subj", "/CN=localhost"],
        ...["-keyout", PWGEN_TLS_KEY, "-out", PWGEN_TLS_CERT],
      ],
    }).output();
    await Deno.writeTextFile(
      `${folder.path}/both.pem`,
      await Deno.readTextFile(PWGEN_TLS_KEY) +
        await Deno.readTextFile(PWGEN_TLS_CERT),
    );
    const expiry = new Date(Date.now() + 20 * 86_400_000).toISOString();
    for (
      const [days, words] of [[0, ""], [8, "expires on"], [
        30,
        "has expired on",
      ]]
    ) {
      await using service = await serve({
        task: "start:tls",
        env: {
          PWGEN_TLS_CERT,
          PWGEN_TLS_KEY,
          ...await shiftedClock(`+${days}d`),
        },
      });
      const line = words &&
        `PWGEN_TLS_CERT: the certificate ${words} ${
          expiry.slice(0, 10)
        }; renew it and restart the service\n`;
      if (line) await service.stderr.match(/\n/);
      assertEquals(service.stderr.text, line);
      const check = await end(start({
        task: "start:tls",
        flags: ["--check"],
        env: {
          // The key may stand before it.
          PWGEN_TLS_CERT: `${folder.path}/both.pem`,
          PWGEN_TLS_KEY,
          ...await shiftedClock(`+${days}d`),
        },
      }));
      assertEquals([check.code, check.stderr], [0, line]);
    }
  },
});

testStop(
  "the program stops accepting at once when no body is on its way, idle connections or not",
  async () => {
    await using service = await serve();
    using _idle = await RawConnection.connect(service.port);
    using kept = await RawConnection.connect(service.port);
    await kept.write(UNFINISHED + "}");
    assertEquals((await kept.read()).status, 200);
    service.process.kill("SIGTERM");
    await pause(300);
    assert(!await accepts(service.port));
    assertEquals((await end(service)).code, 0);
  },
);

testStop(
  "the program waits for a body 10 seconds at most when told to stop",
  async () => {
    await using service = await serve();
    using stuck = await RawConnection.connect(service.port);
    await stuck.write(UNFINISHED);
    await pause(300);
    const start = performance.now();
    service.process.kill("SIGTERM");
    assertEquals((await end(service)).code, 0);
    const seconds = (performance.now() - start) / 1000;
    assert(seconds > 8 && seconds < 14, `took ${seconds} s`);
  },
);

/** Starts a service that may have 100 file descriptors. */
function serveWithFewDescriptors(): Promise<Running> {
  const command = metadata.tasks.start.command.replace(
    /^deno /,
    `"${Deno.execPath()}" `,
  );
  return listening(
    spawn("sh", ["-c", `ulimit -n 100; set -f; exec ${command}`]),
  );
}

/** Uses up the descriptors of a service, and waits until it listens again. */
async function exhaust({ port, stdout, stderr }: Running): Promise<void> {
  const wires: RawConnection[] = [];
  try {
    while (wires.length < 150) wires.push(await RawConnection.connect(port));
  } catch {
    // Refused: there are no more descriptors.
  }
  await stderr.match(/^Cannot accept connections: .*Too many open/);
  for (const wire of wires) wire[Symbol.dispose]();
  await stdout.match(/\n(pwgen-api [^]*\n)/);
}

testStop(
  "the program goes on after it ran out of file descriptors",
  async () => {
    await using service = await serveWithFewDescriptors();
    await exhaust(service);
    await readPassword(
      await post(`${service.url}/api/pwgen/words`, "{}"),
      "words",
    );
  },
);

testStop(
  "the program finishes what it sends after it ran out of descriptors and was told to stop",
  async () => {
    await using service = await serveWithFewDescriptors();
    // One document that is not read yet: no window for the stream.
    using reader = await send(service, [
      ...preface([0, INITIAL_WINDOW_SIZE, 0, 0, 0, 0]),
      ...get(1, "/openapi/v1.json", { isSecure: false, client: "192.0.2.1" }),
    ]);
    const buffer = new Uint8Array(65_536);
    await reader.read(buffer);
    await exhaust(service);
    service.process.kill("SIGTERM");
    await pause(500);
    const window = [0, 0x0f, 0, 0];
    await reader.write(Uint8Array.from([
      ...frame(WINDOW_UPDATE, 0, 0, window),
      ...frame(WINDOW_UPDATE, 0, 1, window),
    ]));
    let received = 0;
    while (received < 20_000) {
      const length = await reader.read(buffer);
      assert(length !== null, `broken off after ${received} bytes`);
      received += length;
    }
  },
);

Deno.test("the program reads no more than 16 KiB, whatever Content-Length says", async () => {
  await using service = await serve();
  const body = "{}".padEnd(20_002);
  for (const length of ["20002", "20002\r\nContent-Length: 20002"]) {
    using wire = await RawConnection.connect(service.port);
    await wire.write(
      "POST /api/pwgen/words HTTP/1.1\r\nHost: localhost\r\n" +
        `Content-Type: application/json\r\nContent-Length: ${length}\r\n\r\n` +
        body,
    );
    assertEquals((await wire.read()).status, 413);
  }
  const client = http2.connect(service.url);
  for (const length of ["20002", undefined]) {
    const stream = client.request({
      ":method": "POST",
      ":path": "/api/pwgen/words",
      "content-type": "application/json",
      ...(length && { "content-length": length }),
    });
    const status = new Promise((resolve, reject) => {
      stream.on("response", (headers) => resolve(headers[":status"]));
      stream.on("error", reject);
    });
    stream.end(body);
    assertEquals(await status, 413, String(length));
    stream.close();
  }
  client.destroy();
});

Deno.test("the program says in one line what is wrong with its settings, and exits with 2", async () => {
  using taken = Deno.listen({ port: 0, hostname: "127.0.0.1" });
  const port = String(taken.addr.port);
  const noFile = { PWGEN_TLS_CERT: "/no/such.pem", PWGEN_TLS_KEY: KEY };
  const noKey = {
    PWGEN_TLS_CERT: CERT,
    PWGEN_TLS_KEY: `${ROOT}main.ts`,
  };
  const cases: [Parameters<typeof start>[0], RegExp][] = [
    [{ env: { PORT: "http" } }, /^PORT: "http" is not allowed; use an integer/],
    [
      { flags: ["--rate-limit=0"] },
      /^--rate-limit \(PWGEN_RATE_LIMIT\): "0" is not allowed; use/,
    ],
    [{ flags: ["--prot=80"] }, /^--prot: unknown flag; --help lists/],
    [{ env: { PWGEN_TLS_CERT: "x" } }, /^PWGEN_TLS_KEY: not set although/],
    [{ env: { PORT: port } }, RegExp(`port ${port}: address already in use;`)],
    [{ env: { PWGEN_HOST: "192.0.2.1" } }, /^PORT, PWGEN_HOST: cannot listen/],
    [
      { task: "start:tls", env: noFile },
      /^PWGEN_TLS_CERT: cannot read.*no such/,
    ],
    // A path that the task was not permitted to read.
    [{ env: { PWGEN_TLS_CERT: CERT, PWGEN_TLS_KEY: KEY } }, /no permission/],
    [
      { task: "start:tls", env: noKey },
      /^PWGEN_TLS_CERT, PWGEN_TLS_KEY: cannot use them: No keys found/,
    ],
  ];
  for (const [options, pattern] of cases) {
    const { code, stdout, stderr } = await end(start(options));
    assertEquals(code, 2, stderr);
    assertEquals(stdout, "");
    assertMatch(stderr, pattern);
    assertEquals(stderr.split("\n").length, 2, stderr);
  }
});

Deno.test("the program warns once when passwords would travel in the clear", async () => {
  const open = { PWGEN_HOST: "0.0.0.0" };
  const cases: [Parameters<typeof serve>[0], boolean][] = [
    [{ env: open }, true],
    [{ env: { ...open, PWGEN_TRUSTED_PROXIES: "10.0.0.0/8" } }, false],
    // macOS has the first address of the loopback's alone.
    ...(Deno.build.os === "darwin"
      ? []
      : [[{ env: { PWGEN_HOST: "127.0.0.2" } }, false]] as typeof cases),
    [{
      task: "start:tls",
      env: { ...open, PWGEN_TLS_CERT: CERT, PWGEN_TLS_KEY: KEY },
    }, false],
  ];
  for (const [options, warns] of cases) {
    const service = await serve(options);
    if (options!.env!.PWGEN_HOST === "0.0.0.0") {
      assertMatch(service.url, /^https?:\/\/localhost:/);
    }
    service.process.kill("SIGTERM");
    const { stderr } = await end(service);
    const warnings = stderr.match(/^Warning: .*HTTPS.*$/gm) ?? [];
    assertEquals(warnings.length, warns ? 1 : 0, stderr);
    assertEquals(stderr.split("\n").length, warns ? 2 : 1);
  }
});

Deno.test("the program runs with no permission but for the network and its own variables", () => {
  assertEquals(
    metadata.tasks.start.command,
    "deno run --quiet --frozen --no-prompt --allow-net --allow-env=PORT,PWGEN_* main.ts",
  );
});

Deno.test("the program gives back the permission to read", async () => {
  await using temporary = await tempDir();
  // Loaded before the program; says when the permission is gone.
  const probe = `${temporary.path}/probe.ts`;
  await Deno.writeTextFile(
    probe,
    `const timer = setInterval(() => {
      if (Deno.permissions.querySync({ name: "read" }).state === "granted") return;
      console.log("may read no more");
      clearInterval(timer);
    }, 20);
    Deno.unrefTimer(timer); // the program is loaded when nothing is waited for`,
  );
  await using service = await listening(
    spawn(Deno.execPath(), [
      ...["run", "--no-prompt", "--preload", probe, "--allow-all", "main.ts"],
    ]),
  );
  await service.stdout.match(/may read no more/);
});

Deno.test("the program checks with --check what the start would check, and says what it would serve", async () => {
  const tls = { PWGEN_TLS_CERT: CERT, PWGEN_TLS_KEY: KEY };
  const base = `pwgen-api ${metadata.version} would serve`;
  const cases: [Parameters<typeof start>[0], number, string][] = [
    [
      { env: { PORT: "8000" } },
      0,
      `${base} http://127.0.0.1:8000/, 60 requests a minute, counted in memory`,
    ],
    [
      { task: "start:tls", env: { ...tls, PWGEN_HOST: "::" } },
      0,
      `${base} https://localhost:0/, 60 requests a minute, counted in memory`,
    ],
    [
      { env: tls },
      0,
      `${base} https://127.0.0.1:0/, 60 requests a minute, counted in memory; not checked, without permission: certificate and key`,
    ],
    [{ flags: ["--port=x"] }, 2, "--port (PORT): "],
    [
      { task: "start:tls", env: { ...tls, PWGEN_TLS_KEY: "/no/such.pem" } },
      2,
      'PWGEN_TLS_KEY: cannot read "/no/such.pem": no such file',
    ],
    [
      { task: "start:tls", env: { ...tls, PWGEN_TLS_KEY: CERT } },
      2,
      "PWGEN_TLS_CERT, PWGEN_TLS_KEY: cannot use them: ",
    ],
    [
      { env: { PWGEN_RATE_LIMIT_STORE: "redis://127.0.0.1:1" } },
      2,
      "Rate limit: cannot use Redis: connection refused",
    ],
  ];
  for (
    const [{ flags = [], ...options }, status, line] of cases.map(
      ([options, ...rest]) => [options!, ...rest] as const,
    )
  ) {
    const { code, stdout, stderr } = await end(
      start({ ...options, flags: ["--check", ...flags] }),
    );
    const [text, other] = status === 0 ? [stdout, stderr] : [stderr, stdout];
    assertEquals([code, other], [status, ""], text);
    assert(status === 0 ? text === `${line}\n` : text.startsWith(line), text);
    assertEquals(text.split("\n").length, 2, text);
  }
  // Without permission to connect, the settings alone.
  const { code, stdout } = await end(spawn(Deno.execPath(), [
    ...["run", "--frozen", "--no-prompt", "--allow-env=PORT,PWGEN_*"],
    ...["main.ts", "--check", "--rate-limit-store=redis://127.0.0.1:1"],
  ]));
  assertEquals(code, 0);
  assertMatch(stdout, /counted in Redis; not checked, .*: the store\n$/);
  const npm = await end(start({ flags: ["--", "--version"] }));
  assertEquals(npm.stdout, `${metadata.version}\n`);
});

Deno.test("the program prints help and version and exits with 0", async () => {
  for (const task of ["start", "start:tls"] as const) {
    const help = await end(start({ task, flags: ["--help"] }));
    assertEquals([help.code, help.stderr], [0, ""]);
    assertMatch(help.stdout, /PWGEN_TRUSTED_PROXIES/);
  }
  const version = await end(start({ flags: ["--version"] }));
  assertEquals(version, {
    code: 0,
    stdout: `${metadata.version}\n`,
    stderr: "",
  });
});

Deno.test("the program never sees Content-Length beside Transfer-Encoding: Deno refuses it", async () => {
  await using service = await serve();
  for (const coding of ["chunked", "identity", "gzip, chunked"]) {
    using wire = await RawConnection.connect(service.port);
    await wire.write(
      "POST /api/pwgen/words HTTP/1.1\r\nHost: localhost\r\n" +
        `Content-Type: application/json\r\nTransfer-Encoding: ${coding}\r\n` +
        "Content-Length: 2\r\n\r\n{}",
    );
    const { status, body } = await wire.read();
    assertEquals([status, body], [400, ""]);
  }
});
