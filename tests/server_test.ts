import { assert, assertEquals, assertMatch } from "@std/assert";
import { MAX_BODY_BYTES, TOO_MANY_PIECES } from "../routes/api/body.ts";
import { RawConnection } from "./helpers/connection.ts";
import http2 from "node:http2";
import { setTimeout as pause } from "node:timers/promises";
import metadata from "../deno.json" with { type: "json" };
import { testWay } from "./deploy/contract.ts";
import { tempDir } from "./helpers/files.ts";
import {
  frame,
  get,
  INITIAL_WINDOW_SIZE,
  preface,
  send,
  WINDOW_UPDATE,
} from "./helpers/http2.ts";
import {
  end,
  HAS_SIGTERM,
  isListening,
  listening,
  missing,
  onUnix,
  post,
  ROOT,
  type Running,
  serve,
  shiftedClock,
  spawn,
  start,
  START_ARGS,
  stop,
  TLS,
  tlsClient,
  unless,
  until,
  untilHealthIs,
} from "./helpers/program.ts";
import { readPassword, readProblem } from "./helpers/service.ts";
import { isTooOld } from "../main.ts";

const ENDPOINTS = ["characters", "words", "sentence"];
const WORDS = "/api/pwgen/words";
/** The header of a request without the fields that describe its body. */
const HEAD = `POST ${WORDS} HTTP/1.1\r\nHost: localhost\r\n` +
  "Content-Type: application/json\r\n";

/** Sends pieces of a request on a new connection, and reads the response. */
async function exchange(
  { port }: Running,
  ...pieces: string[]
): Promise<Awaited<ReturnType<RawConnection["read"]>>> {
  using connection = await RawConnection.connect(port);
  for (const piece of pieces) await connection.write(piece);
  return await connection.read();
}

/** Checks that a service makes a password. */
async function assertServes({ url }: Running): Promise<void> {
  await readPassword(await post(url + WORDS, "{}"), "words");
}

/** Begins a request; its body is complete after "}". */
async function beginRequest({ port }: Running): Promise<RawConnection> {
  const connection = await RawConnection.connect(port);
  await connection.write(
    `${HEAD}Expect: 100-continue\r\nContent-Length: 2\r\n\r\n`,
  );
  // The service sends 100 when it starts to read the body.
  assertEquals((await connection.read()).status, 100);
  await connection.write("{");
  return connection;
}

/** Waits until a service has received a signal to stop. */
const untilStopping = (service: Running) => untilHealthIs(503, service);

/** Waits until a service accepts no connection. */
const untilClosed = ({ port }: Running) =>
  until(async () => !await isListening(port));

/** The time since a start, in seconds. */
function secondsSince(start: number): number {
  return (performance.now() - start) / 1000;
}

testWay({ name: "deno task start", start: (env = {}) => start({ env }) });

Deno.test("the program serves TLS with HSTS, over HTTP/1.1 and HTTP/2", async () => {
  await using service = await serve({ task: "start:tls", env: TLS });
  assertMatch(service.url, /^https:/);
  for (const isHttp2 of [false, true]) {
    using client = await tlsClient({ http1: !isHttp2, http2: isHttp2 });
    for (const name of ENDPOINTS) {
      const url = `https://localhost:${service.port}/api/pwgen/${name}`;
      const response = await post(url, "{}", {}, { client });
      assertEquals(
        response.headers.get("strict-transport-security"),
        "max-age=31536000",
      );
      await readPassword(response, name);
    }
  }
});

Deno.test("the program takes the path from the request line, whatever the Host is", async () => {
  await using service = await serve();
  const request = async (target: string, host = "Host: localhost\r\n") => {
    const { status, body } = await exchange(
      service,
      `POST ${target} HTTP/1.1\r\n${host}` +
        "Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}",
    );
    return { status, body: JSON.parse(body) };
  };
  for (const name of ENDPOINTS) {
    const path = `/api/pwgen/${name}`;
    const good = [path, `${path}?a=b`, `http://other${path}`, `${path}?/`];
    for (const target of good) {
      assertEquals((await request(target)).body.type, name, target);
    }
    const bad = [
      ...[`/x/..${path}`, `/.${path}`, `/${path}`, `${path}/`, `${path}#x`],
      ...[path.replace("pw", "%70w"), `/?${path}`, `http://other?${path}`],
    ];
    for (const target of bad) {
      const { status, body } = await request(target);
      const instance = target.startsWith("http") ? "/" : target.split("?")[0];
      assertEquals(status, instance === "/" ? 405 : 404, target);
      assertEquals(body.instance, instance);
    }
    const invalid = ["", "x/", "u@x", "a b", "x\\", `x${path}?`, `x${path}#`];
    for (const host of invalid) {
      for (const target of ["/healthz", "/nowhere", path]) {
        const { status, body } = await request(target, `Host: ${host}\r\n`);
        assertEquals(status, 400, host);
        assertEquals(body.instance, target);
      }
    }
  }
  assertEquals((await request(WORDS, "")).body.type, "words");
});

Deno.test("the program checks path, method, limit, size, type, JSON and fields in order", async () => {
  await using service = await serve({ env: { PWGEN_RATE_LIMIT: "7" } });
  const json = "application/json";
  const fields = '{"casing":1}';
  // Each request also has every fault that is checked later.
  const cases = [
    [404, "PUT", "/x", "text/plain", 16_385, ""],
    [405, "PUT", WORDS, "text/plain", 16_385, ""],
    [413, "POST", WORDS, "text/plain", 16_385, ""],
    [400, "POST", WORDS, "text/plain", 0, ""],
    [400, "POST", WORDS, undefined, 3, " \n\t"],
    [415, "POST", WORDS, "text/plain", 2, "[]"],
    [415, "POST", WORDS, undefined, 2, "{}"],
    [400, "POST", WORDS, json, 2, "[]"],
    [400, "POST", WORDS, json, fields.length, fields],
    // The limit counted seven: all but 404 and 405.
    [429, "POST", WORDS, "text/plain", 16_385, ""],
    [405, "PUT", WORDS, "text/plain", 16_385, ""],
  ] as const;
  for (const [expected, method, path, type, length, body] of cases) {
    const { status } = await exchange(
      service,
      `${method} ${path} HTTP/1.1\r\nHost: localhost\r\n` +
        (type ? `Content-Type: ${type}\r\n` : "") +
        `Content-Length: ${length}\r\n\r\n${body}`,
    );
    assertEquals(status, expected, `${method} ${path} ${type} ${body}`);
  }
});

Deno.test("the program waits 10 s for a body, and refuses a large one as it arrives", async () => {
  await using service = await serve();
  const chunked = `${HEAD}Transfer-Encoding: chunked\r\n\r\n`;
  const chunk = `400\r\n${" ".repeat(1024)}\r\n`;
  const start = performance.now();
  const responses = await Promise.all([
    exchange(service, `${HEAD}Content-Length: 20\r\n\r\n{`),
    exchange(service, `${chunked}1\r\n{\r\n`),
    exchange(service, chunked, ...Array(17).fill(chunk)),
  ]);
  const seconds = secondsSince(start);
  assertEquals(responses.map(({ status }) => status), [408, 408, 413]);
  assert(seconds >= 9.9, `waited ${seconds} s`);
  await assertServes(service);
});

Deno.test("the access log has each request, and no secret of it", async () => {
  await using service = await serve({
    env: {
      PWGEN_ACCESS_LOG: "json",
      PWGEN_RATE_LIMIT: "10000",
      PWGEN_MAX_CLIENTS: "2",
      PWGEN_TRUSTED_PROXIES: "loopback",
    },
  });
  const passwords: string[] = [];
  for (let i = 0; i < 1000; i++) {
    const name = ENDPOINTS[i % 3]!;
    // Each new client evicts the one before it, which the log also reports.
    const response = await post(
      `${service.url}/api/pwgen/${name}?length=hunter2`,
      '{"length":8,"wordCount":1,"hunter2":"hunter2"}',
      { "x-forwarded-for": `192.0.2.${i % 256}` },
    );
    passwords.push(await readPassword(response, name));
  }
  assertEquals((await fetch(`${service.url}/healthz`)).status, 200);
  const { code, stdout, stderr } = await stop(service);
  if (HAS_SIGTERM) assertEquals(code, 0);
  const lines = stdout.trim().split("\n").slice(1);
  if (HAS_SIGTERM) assertEquals(JSON.parse(lines.pop()!).level, "info");
  assertEquals(lines.length, 1000);
  assert(lines.every((line) => JSON.parse(line).status === 200));
  const { level, message } = JSON.parse(stderr.split("\n")[0]!);
  assertEquals(level, "warning");
  assertMatch(message, /^Rate limit: forgot clients/);
  for (const secret of [...passwords, "hunter2", "192.0.2.", "127.0.0.1"]) {
    const log = lines.join("\n") + stderr;
    assert(!log.includes(secret), `${secret} is in the log`);
  }
});

for (const variable of ["PWGEN_ACCESS_LOG", "PWGEN_LOG_FORMAT"]) {
  Deno.test(`with ${variable}=json, every line after the settings is JSON`, () =>
    testJsonLines({ [variable]: "json" }));
}

async function testJsonLines(json: Record<string, string>): Promise<void> {
  /** The levels and messages of a stream; fails if a line has another form. */
  const messages = (text: string) => {
    const lines = text.split("\n");
    assertEquals(lines.pop(), "");
    return lines.map((line) => {
      const { time, level, message, ...rest } = JSON.parse(line);
      assertEquals(new Date(time).toISOString(), time);
      assertEquals(rest, {});
      return `${level}: ${message}`;
    });
  };

  // A start with two warnings: plain HTTP, and a store that does not exist.
  await using service = await serve({
    env: {
      ...json,
      PWGEN_HOST: "0.0.0.0",
      PWGEN_RATE_LIMIT_STORE: "redis://127.0.0.1:1",
    },
  });
  await service.stderr.match(/Plain HTTP .*\n/);
  // The same port once more: an error after the settings are read.
  const PORT = String(service.port);
  const env = { ...json, PORT, PWGEN_HOST: "0.0.0.0" };
  const second = await end(start({ env }));
  assertEquals([second.code, second.stdout], [2, ""]);
  const [inUse, ...others] = messages(second.stderr);
  assertEquals(others, []);
  assertMatch(
    inUse!,
    /^error: PWGEN_PORT, PWGEN_HOST: .*address already in use/,
  );
  const { stdout, stderr } = await stop(service);
  assertEquals(messages(stdout), [
    `info: pwgen-api ${metadata.version}: ${service.url}/`,
    ...(HAS_SIGTERM ? ["info: Stopping: SIGTERM"] : []),
  ]);
  const [store, http] = messages(stderr);
  assertMatch(store!, /^warning: Rate limit: cannot use Redis: /);
  assertMatch(http!, /^warning: Plain HTTP/);

  const check = await end(start({ env: json, flags: ["--check"] }));
  assertMatch(messages(check.stdout).join("\n"), /^info: .* would serve .*$/);

  // The program cannot know the format before it has read the settings.
  const wrong = await end(start({ env: json, flags: ["--port=x"] }));
  assertEquals(wrong.code, 2);
  assertMatch(wrong.stderr, /^--port \(PORT\): "x" is not allowed; .*\n$/);
  const version = await end(start({ env: json, flags: ["--version"] }));
  assertEquals(version.stdout, `${metadata.version}\n`);
}

onUnix.test("the program drains requests in flight after a signal, and exits with 0", async () => {
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) {
    await using service = await serve();
    using idle = await RawConnection.connect(service.port);
    using pending = await beginRequest(service);
    using slow = await beginRequest(service);
    service.process.kill(signal);
    await untilStopping(service);
    await pending.write("}");
    const { status, body } = await pending.read();
    assertEquals([status, JSON.parse(body).type], [200, "words"]);
    // Later requests get 503, on a new connection and on an old one.
    const complete = `${HEAD}Content-Length: 2\r\n\r\n{}`;
    await idle.write(complete);
    for (const late of [await idle.read(), await exchange(service, complete)]) {
      assertEquals([late.status, JSON.parse(late.body).status], [503, 503]);
      assertEquals(late.headers.get("connection"), "close");
    }
    await readProblem(await post(service.url + WORDS, "{}"), 503, WORDS);
    using unfinished = await RawConnection.connect(service.port);
    await unfinished.write(`${HEAD}Content-Length: 2\r\n\r\n{`);
    assertEquals((await unfinished.read()).status, 503);
    await slow.write("}");
    assertEquals((await slow.read()).status, 200);
    const start = performance.now();
    const { code, stderr } = await end(service);
    assertEquals([code, stderr], [0, ""]);
    assert(secondsSince(start) < 5, "waited for idle connections");
    await untilClosed(service);
  }
});

onUnix.test("the program serves during the drain delay, with 503 at /healthz", async () => {
  await using service = await serve({ flags: ["--drain-delay=2"] });
  const start = performance.now();
  service.process.kill("SIGTERM");
  await untilStopping(service);
  // A body that begins in the delay is still pending when the drain begins.
  using pending = await beginRequest(service);
  await assertServes(service);
  assertEquals((await fetch(service.url)).status, 200);
  await until(async () => {
    const response = await post(service.url + WORDS, "{}");
    await response.body?.cancel();
    return response.status === 503;
  });
  const seconds = secondsSince(start);
  assert(seconds >= 2, `drained after ${seconds} s`);
  await pending.write("}");
  assertEquals((await pending.read()).status, 200);
  assertEquals((await end(service)).code, 0);
});

onUnix.test("the program ends at once with status 1 on a second signal", async () => {
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    await using service = await serve();
    using _pending = await beginRequest(service);
    service.process.kill(signal);
    // A second signal within 500 ms counts as the first.
    service.process.kill(signal);
    await untilStopping(service);
    await pause(600);
    const health = await fetch(`${service.url}/healthz`);
    await readProblem(health, 503, "/healthz");
    const start = performance.now();
    service.process.kill(signal);
    assertEquals((await end(service)).code, 1);
    assert(secondsSince(start) < 3, "waited for the body");
  }
});

const onShiftedClock = unless(await missing("openssl", "faketime"));
onShiftedClock.test("the program reports a certificate that is not valid now, or expires soon", async () => {
  await using folder = await tempDir();
  const cert = `${folder.path}/cert.pem`;
  const key = `${folder.path}/key.pem`;
  const both = `${folder.path}/both.pem`;
  const renew = "; renew it and restart the service";
  const use = "; use a valid one, or set the clock of this machine";
  // By the age of the certificate, which is valid for 20 days.
  const cases: [age: number, line: (from: string, to: string) => string][] = [
    [-2, (from) => ` is not valid before ${from}${use}`],
    [0, () => ""],
    [8, (_, to) => ` expires on ${to}${renew}`],
    [30, (_, to) => ` expired on ${to}${renew}`],
  ];
  for (const [days, text] of cases) {
    const args = [
      ...["req", "-x509", "-newkey", "ec", "-nodes", "-days", "20"],
      ...["-pkeyopt", "ec_paramgen_curve:P-256", "-subj", "/CN=localhost"],
      ...["-keyout", key, "-out", cert],
    ];
    // Not the program, which crashes at times with a shifted clock.
    const clock = `${days < 0 ? "+" : "-"}${Math.abs(days)}d`;
    await end(spawn("openssl", args, await shiftedClock(clock)));
    await Deno.writeTextFile(
      both,
      await Deno.readTextFile(key) + await Deno.readTextFile(cert),
    );
    const day = (after: number) =>
      new Date(Date.now() + after * 86_400_000).toISOString().slice(0, 10);
    const state = text(day(-days), day(20 - days));
    const line = state && `PWGEN_TLS_CERT: the certificate${state}\n`;
    const withCert = (PWGEN_TLS_CERT: string) => ({
      task: "start:tls" as const,
      env: { PWGEN_TLS_CERT, PWGEN_TLS_KEY: key },
    });
    await using service = await serve(withCert(cert));
    if (line) await service.stderr.match(/\n/);
    assertEquals(service.stderr.text, line);
    // The file may contain the key before the certificate.
    const { code, stderr } = await end(
      start({ ...withCert(both), flags: ["--check"] }),
    );
    assertEquals([code, stderr], [0, line]);
  }
});

onUnix.test("the program drains for 12 s after SIGTERM, which is longer than the deadline of a body", async () => {
  await using service = await serve();
  using _unread = await holdResponse(service);
  using pending = await beginRequest(service);
  const start = performance.now();
  service.process.kill("SIGTERM");
  assertEquals((await pending.read()).status, 408);
  assertEquals((await end(service)).code, 0);
  const seconds = secondsSince(start);
  assert(seconds > 11.9 && seconds < 15, `took ${seconds} s`);
  // After this time systemd or Docker would kill the process.
  const limits = {
    "deploy/pwgen-api.service": /^TimeoutStopSec=(\d+)$/m,
    "deploy/compose.yaml": /^ +stop_grace_period: (\d+)s$/m,
  };
  for (const [path, pattern] of Object.entries(limits)) {
    const text = await Deno.readTextFile(ROOT + path);
    const [, limit] = pattern.exec(text)!;
    const [, delay] = /PWGEN_DRAIN_DELAY(?:=|: )"?(\d+)/.exec(text)!;
    assertEquals(Number(limit), 15 + Number(delay), path);
  }
});

onUnix.test("the program drains at most 3 s longer for a response that nobody reads, or a connection without TLS handshake", async () => {
  for (const task of ["start", "start:tls"] as const) {
    const isSecure = task === "start:tls";
    await using service = await serve({ task, env: isSecure ? TLS : {} });
    using _silent = await RawConnection.connect(service.port);
    using _unread = await holdResponse(service);
    const start = performance.now();
    service.process.kill("SIGTERM");
    assertEquals((await end(service)).code, 0);
    const seconds = secondsSince(start);
    assert(seconds < 10, `took ${seconds} s`);
  }
});

/** Requests a document and does not read it: its flow-control window is empty. */
async function holdResponse(service: Running): Promise<Deno.Conn> {
  const connection = await send(service, [
    ...preface([0, INITIAL_WINDOW_SIZE, 0, 0, 0, 0]),
    ...get(1, "/openapi/v1.json", {
      isSecure: service.url.startsWith("https:"),
      client: "192.0.2.1",
    }),
  ]);
  await connection.read(new Uint8Array(65_536));
  return connection;
}

/** Starts a service that may have 100 file descriptors. */
function serveWithFewDescriptors(
  { redirection = "", env = {} } = {},
): Promise<Running> {
  const script = `ulimit -n 100; exec "$0" "$@" ${redirection}`;
  const args = ["-c", script, Deno.execPath(), ...START_ARGS];
  return listening(spawn("sh", args, env));
}

/** Uses up the descriptors of a service, until its listener fails. */
async function useDescriptors({ port }: Running): Promise<DisposableStack> {
  const connections = new DisposableStack();
  try {
    for (let i = 0; i < 150; i++) {
      connections.use(await RawConnection.connect(port));
    }
  } catch {
    // The listener has failed.
  }
  return connections;
}

/** Uses up the descriptors of a service, and waits until it listens again. */
async function exhaust(service: Running): Promise<void> {
  const lines = service.stdout.text;
  const connections = await useDescriptors(service);
  await untilClosed(service);
  connections.dispose();
  await until(() => service.stdout.text !== lines);
}

onUnix.test("the program serves again after it had no file descriptor left", async () => {
  const env = { PWGEN_HOST: "0.0.0.0" };
  await using service = await serveWithFewDescriptors({ env });
  await exhaust(service);
  // It does not repeat the warning when it listens again.
  assertMatch(
    service.stderr.text,
    /^Plain HTTP .*\n(Cannot accept connections: .*Too many.*\n)+$/,
  );
  await assertServes(service);
  if (Deno.build.os !== "linux") return; // only Linux has /dev/full
  const redirection = "2>/dev/full";
  await using silent = await serveWithFewDescriptors({ redirection });
  await exhaust(silent);
  await assertServes(silent);
  assertEquals((await stop(silent)).code, 0);
});

onUnix.test("the program does not listen again after SIGTERM", async () => {
  await using service = await serveWithFewDescriptors();
  using pending = await beginRequest(service);
  using _connections = await useDescriptors(service);
  await service.stderr.match(/listening again in 1 s/);
  service.process.kill("SIGTERM");
  await pause(1500);
  await pending.write("}");
  assertEquals((await pending.read()).status, 200);
  const { code, stdout } = await end(service);
  assertEquals(code, 0);
  assertMatch(stdout, /\nStopping: SIGTERM\n$/);
});

onUnix.test("the program drains a response of a listener that has failed, also after many failures", async () => {
  await using service = await serveWithFewDescriptors();
  using reader = await holdResponse(service);
  // More failures than the servers that serve.ts keeps open.
  for (let i = 0; i < 14; i++) await exhaust(service);
  service.process.kill("SIGTERM");
  await untilClosed(service);
  const increment = [0, 0x0f, 0, 0];
  await reader.write(Uint8Array.from([
    ...frame(WINDOW_UPDATE, 0, 0, increment),
    ...frame(WINDOW_UPDATE, 0, 1, increment),
  ]));
  const buffer = new Uint8Array(65_536);
  let received = 0;
  while (received < 20_000) {
    const length = await reader.read(buffer);
    assert(length !== null, `closed after ${received} bytes`);
    received += length;
  }
});

Deno.test("the program reads at most 16 KiB and 128 chunks, whatever Content-Length says, and not together with Transfer-Encoding", async () => {
  await using service = await serve();
  for (const coding of ["chunked", "identity", "gzip, chunked"]) {
    const { status, body } = await exchange(
      service,
      `${HEAD}Transfer-Encoding: ${coding}\r\nContent-Length: 2\r\n\r\n{}`,
    );
    assertEquals([status, body], [400, ""]); // of Deno itself
  }
  const body = "{}".padEnd(20_002);
  for (const length of ["20002", "20002\r\nContent-Length: 20002"]) {
    const request = `${HEAD}Content-Length: ${length}\r\n\r\n${body}`;
    assertEquals((await exchange(service, request)).status, 413);
  }
  const chunks = "1\r\n \r\n".repeat(MAX_BODY_BYTES);
  const pieces = await exchange(
    service,
    `${HEAD}Transfer-Encoding: chunked\r\n\r\n${chunks}0\r\n\r\n`,
  );
  assertEquals(JSON.parse(pieces.body).detail, TOO_MANY_PIECES.detail);
  const client = http2.connect(service.url);
  for (const length of ["20002", undefined]) {
    const stream = client.request({
      ":method": "POST",
      ":path": WORDS,
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

/** Runs the program to its end: its status, and its only line. */
async function runToLine(
  options: Parameters<typeof start>[0],
): Promise<{ code: number; line: string }> {
  const { code, stdout, stderr } = await end(start(options));
  const [line, other] = code === 0 ? [stdout, stderr] : [stderr, stdout];
  assertMatch(line, /^.+\n$/);
  assertEquals(other, "");
  return { code, line };
}

Deno.test("the program ends with status 2 and one line for a wrong flag, address or certificate, with --check too", async () => {
  using listener = Deno.listen({ port: 0, hostname: "127.0.0.1" });
  const port = String(listener.addr.port);
  const withTls = (env: Partial<typeof TLS>) =>
    ({ task: "start:tls", env: { ...TLS, ...env } }) as const;
  const always: [Parameters<typeof start>[0], RegExp][] = [
    [
      { flags: ["--rate-limit=0"] },
      /^--rate-limit \(PWGEN_RATE_LIMIT\): "0" is not allowed; use/,
    ],
    [{ flags: ["--prot=80"] }, /^--prot: unknown flag; --help lists/],
    [
      withTls({ PWGEN_TLS_CERT: "/no/such.pem" }),
      /^PWGEN_TLS_CERT: cannot read "\/no\/such.pem": no such file/,
    ],
    [
      withTls({ PWGEN_TLS_KEY: `${ROOT}main.ts` }),
      /^PWGEN_TLS_CERT, PWGEN_TLS_KEY: cannot use them: No keys found/,
    ],
    [
      withTls({ PWGEN_TLS_CERT: `${ROOT}main.ts` }),
      /^PWGEN_TLS_CERT, PWGEN_TLS_KEY: cannot use them: No certificates found/,
    ],
    // An address of documentation (RFC 5737), which no machine has.
    [
      { env: { PWGEN_HOST: "192.0.2.1" } },
      /^PWGEN_PORT, PWGEN_HOST: cannot listen on 192\.0\.2\.1/,
    ],
  ];
  const cases: typeof always = [
    ...always,
    ...always.map(([options, pattern]): typeof always[number] => [
      { ...options, flags: ["--check", ...options?.flags ?? []] },
      pattern,
    ]),
    // With --check another process may listen there, and a file may be closed.
    [{ env: { PORT: port } }, RegExp(`port ${port}: address already in use;`)],
    [{ env: TLS }, /no permission/],
  ];
  for (const [options, pattern] of cases) {
    const { code, line } = await runToLine(options);
    assertEquals(code, 2, line);
    assertMatch(line, pattern);
  }
});

Deno.test("the program warns once if passwords would travel without TLS", async () => {
  const open = { PWGEN_HOST: "0.0.0.0" };
  const cases: [Parameters<typeof serve>[0], boolean][] = [
    [{ env: open }, true],
    [{ env: { ...open, PWGEN_TRUSTED_PROXIES: "10.0.0.0/8" } }, false],
    // On macOS 127.0.0.1 is the only loopback address.
    ...(Deno.build.os === "darwin"
      ? []
      : [[{ env: { PWGEN_HOST: "127.0.0.2" } }, false]] as typeof cases),
    [{ task: "start:tls", env: { ...open, ...TLS } }, false],
  ];
  for (const [options, warns] of cases) {
    const service = await serve(options);
    if (options!.env!.PWGEN_HOST === "0.0.0.0") {
      assertMatch(service.url, /^https?:\/\/localhost:/);
    }
    const { stderr } = await stop(service);
    assertMatch(stderr, warns ? /^Plain HTTP .*HTTPS.*\n$/ : /^$/);
  }
});

Deno.test("the task start permits only the network and the variables of the service", () => {
  assertEquals(
    metadata.tasks.start.command,
    'deno run --quiet --frozen --no-remote --no-prompt --allow-net "--allow-env=PORT,PWGEN_*" main.ts',
  );
});

Deno.test("the task start refuses to import from a host", async () => {
  const probe = `await import("https://esm.sh/x").catch((error) => {
    console.error(error.message);
    Deno.exit(3);
  })`;
  const url = `data:text/javascript,${encodeURIComponent(probe)}`;
  const args = START_ARGS.toSpliced(1, 0, "--preload", url);
  const { code, stderr } = await end(spawn(Deno.execPath(), args));
  assertEquals(code, 3);
  assertMatch(stderr, /"https:\/\/esm\.sh\/x", but --no-remote is specified/);
});

Deno.test("isTooOld() accepts Deno 2.9.6 and later", () => {
  const [builds, oldest] = [
    ["", "-rc.1", "-rc.1+4fa2e16", "+4fa2e16"],
    "2.9.6",
  ];
  const later = ["2.9.7", "2.9.10", "2.10.0", "2.10.5", "2.99.0", "3.0.0"];
  for (const version of [oldest, ...later, "3.9.5", "10.0.0"]) {
    for (const build of builds) {
      assertEquals(isTooOld(version + build), false, version + build);
    }
  }
  const older = ["2.9.5", "2.9.0", "2.8.9", "2.8.10", "2.8.99", "2.0.0"];
  for (const version of [...older, "1.46.3", "1.99.99", "0.10.7"]) {
    for (const build of builds) {
      assertEquals(isTooOld(version + build), true, version + build);
    }
  }
});

Deno.test("the program needs Deno 2.9.6 or later, except on Deno Deploy", async () => {
  await using folder = await tempDir();
  const file = `${folder.path}/version.ts`;
  /** Runs the program with --version as if Deno had another version. */
  const runWith = async (version: string, env: Record<string, string> = {}) => {
    const value = `{ value: { deno: "${version}" } }`;
    const code = `Object.defineProperty(Deno, "version", ${value});`;
    await Deno.writeTextFile(file, code);
    const platform = Object.keys(env).map((name) => `--allow-env=${name}`);
    const args = START_ARGS.toSpliced(1, 0, "--preload", file, ...platform);
    const program = spawn(Deno.execPath(), [...args, "--version"], env);
    return await end(program);
  };
  const served = { code: 0, stdout: `${metadata.version}\n`, stderr: "" };
  assertEquals(await runWith("2.9.6"), served);
  assertEquals(await runWith("2.9.5"), {
    code: 2,
    stdout: "",
    stderr: "pwgen-api needs Deno 2.9.6 or later; this is Deno 2.9.5\n",
  });
  assertEquals(await runWith("2.9.5", { DENO_DEPLOY: "1" }), served);
  const documents = ["README.md", "CONTRIBUTING.md", "docs/deployment.md"];
  for (const document of documents) {
    assertMatch(
      await Deno.readTextFile(ROOT + document),
      /Deno 2\.9\.6 or later/,
    );
  }
});

Deno.test("the program gives up the permission to read files", async () => {
  await using folder = await tempDir();
  const probe = `${folder.path}/probe.ts`;
  await Deno.writeTextFile(
    probe,
    `const timer = setInterval(() => {
      if (Deno.permissions.querySync({ name: "read" }).state === "granted") return;
      console.error("read permission revoked");
      clearInterval(timer);
    }, 20);
    Deno.unrefTimer(timer); // Deno loads the program when nothing is pending`,
  );
  await using service = await listening(
    spawn(Deno.execPath(), [
      ...["run", "--no-prompt", "--preload", probe, "--allow-all", "main.ts"],
    ]),
  );
  await service.stderr.match(/read permission revoked/);
});

Deno.test("--check ends with status 0 and one line, or with 2 if Redis is not usable", async () => {
  const tls = "PWGEN_TLS_CERT, PWGEN_TLS_KEY";
  const unread = "; not checked, without permission: certificate and key";
  const onTls = {
    task: "start:tls",
    env: { ...TLS, PWGEN_HOST: "::" },
  } as const;
  const cases: [Parameters<typeof start>[0], url: string, string][] = [
    [{ env: { PORT: "8000" } }, "http://127.0.0.1:8000/", "PORT"],
    [onTls, "https://localhost:0/", `PORT, PWGEN_HOST, ${tls}`],
    [{ env: TLS }, "https://127.0.0.1:0/", `PORT, ${tls}${unread}`],
  ];
  for (const [options, url, settings] of cases) {
    const line = `pwgen-api ${metadata.version} would serve ${url}, ` +
      `60 requests a minute, counted in memory; settings: ${settings}\n`;
    const result = await runToLine({ ...options, flags: ["--check"] });
    assertEquals(result, { code: 0, line });
  }
  const store = "--rate-limit-store=redis://127.0.0.1:1";
  const failed = await runToLine({ flags: ["--check", store] });
  assertEquals(failed.code, 2);
  assertMatch(failed.line, /^Rate limit: cannot use Redis: Connection refused/);
  // Without the permission to connect, it checks the settings alone.
  const { code, stdout } = await end(spawn(Deno.execPath(), [
    ...["run", "--frozen", "--no-prompt", "--allow-env=PORT,PWGEN_*"],
    ...["main.ts", "--check", store],
  ]));
  assertEquals(code, 0);
  assertMatch(stdout, /; not checked, .*: the address, the store\n$/);
  const plain = await end(start({ flags: ["--check", "--host=0.0.0.0"] }));
  assertEquals(plain.code, 0);
  assertMatch(plain.stderr, /^Plain HTTP .*HTTPS.*\n$/);
});

Deno.test("the program prints its help or its version, and exits with 0", async () => {
  for (const task of ["start", "start:tls"] as const) {
    const help = await end(start({ task, flags: ["--help"] }));
    assertEquals([help.code, help.stderr], [0, ""]);
    assertMatch(
      help.stdout,
      /^pwgen-api: [^]*PWGEN_TRUSTED_PROXIES[^]*print the version and exit\n/,
    );
  }
  // npm puts "--" before the flags.
  for (const flags of [["--version"], ["--", "--version"]]) {
    const { code, line } = await runToLine({ flags });
    assertEquals([code, line], [0, `${metadata.version}\n`]);
  }
});
