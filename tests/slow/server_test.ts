import { assert, assertEquals, assertMatch } from "@std/assert";
import { RawConnection, UPGRADE_TO_HTTP2 } from "../helpers/connection.ts";
import { setTimeout as pause } from "node:timers/promises";
import metadata from "../../deno.json" with { type: "json" };
import { testWay } from "./deploy/contract.ts";
import { tempDir } from "../helpers/files.ts";
import {
  frame,
  get,
  INITIAL_WINDOW_SIZE,
  preface,
  send,
  WINDOW_UPDATE,
} from "../helpers/http2.ts";
import {
  CERT,
  end,
  freePorts,
  isListening,
  KEY,
  listening,
  missing,
  onUnix,
  post,
  ROOT,
  type Running,
  serve,
  spawn,
  start,
  START_ARGS,
  TLS,
  unless,
  until,
  untilHealthIs,
} from "../helpers/program.ts";
import { readPassword, readProblem } from "../helpers/service.ts";
import { type Config, readConfig } from "../../config.ts";
import { DRAIN_MS, FLUSH_MS } from "../../main.ts";
import { reportPlainHttp } from "../../serve.ts";

const WORDS = "/api/pwgen/words";
/** The header of a request without the fields that describe its body. */
const HEAD = `POST ${WORDS} HTTP/1.1\r\nHost: localhost\r\n` +
  "Content-Type: application/json\r\n";

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

// Since its own HTTP/1.1 (denoland/deno#34446). If Deno responds with 200, remove what
// docs/api.md, docs/runbook.md and docs/operate.md say about Upgrade, and
// "request_header -Upgrade" in the Caddyfile.
Deno.test("Deno responds with an empty 400 to a body with Upgrade, as docs/api.md says", async () => {
  await using server = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen: () => {} },
    () => new Response("unexpected"),
  );
  using connection = await RawConnection.connect(server.addr.port);
  const upgrade = UPGRADE_TO_HTTP2.join("\r\n");
  await connection.write(`${HEAD}${upgrade}\r\nContent-Length: 2\r\n\r\n{}`);
  const { status, body } = await connection.read();
  assertEquals([status, body], [400, ""]);
});

Deno.test("with PWGEN_LOG_FORMAT=json every line after the settings is JSON", async () => {
  const env = { PWGEN_LOG_FORMAT: "json", PWGEN_HOST: "0.0.0.0" };
  const { stdout, stderr } = await end(start({ env, flags: ["--check"] }));
  assertMatch(JSON.parse(stdout).message, / would serve /);
  assertMatch(JSON.parse(stderr).message, /^Plain HTTP .*HTTPS/);
  // The program cannot know the format before it has read the settings.
  const wrong = await end(start({ env, flags: ["--port=x"] }));
  assertMatch(wrong.stderr, /^--port \(PORT\): "x" is not allowed; .*\n$/);
});

Deno.test("with PWGEN_LOG_FORMAT=journal an error in the settings has a priority too", async () => {
  const env = { PWGEN_LOG_FORMAT: "journal", PWGEN_HOST: "0.0.0.0" };
  const { stderr } = await end(start({ env, flags: ["--check"] }));
  assertMatch(stderr, /^<4>Plain HTTP .*\n$/);
  const wrong = await end(start({ env, flags: ["--port=x"] }));
  assertMatch(wrong.stderr, /^<3>--port \(PORT\): .*\n$/);
});

Deno.test("the start line names the settings, and does not say that only this machine can connect if the host is set, or PORT is not", async () => {
  const cases: [Parameters<typeof start>[0], settings: string][] = [
    [{ env: { PWGEN_HOST: "127.0.0.1" } }, "PORT, PWGEN_HOST"],
    // The name of the second is misspelled.
    [
      { env: { PORT: "", PWGEN_PORT: "0", PWGEN_RATELIMIT: "5" } },
      "PWGEN_PORT",
    ],
    [{ env: { PORT: "" }, flags: ["--port=0"] }, "PWGEN_PORT"],
  ];
  for (const [options, settings] of cases) {
    await using service = await serve(options);
    const [line] = service.stdout.text.split("\n");
    assertEquals(
      line,
      `pwgen-api ${metadata.version}: ${service.url}/ (settings: ${settings})`,
    );
  }
});

onUnix.test("the program drains requests in flight after a signal, and exits with 0", async () => {
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) {
    await using service = await serve();
    using idle = await RawConnection.connect(service.port);
    using pending = await beginRequest(service);
    service.process.kill(signal);
    await untilStopping(service);
    // Later requests get 503, on a new connection and on an old one.
    const complete = `${HEAD}Content-Length: 2\r\n\r\n{}`;
    using other = await RawConnection.connect(service.port);
    for (const connection of [idle, other]) {
      await connection.write(complete);
      const late = await connection.read();
      assertEquals([late.status, JSON.parse(late.body).status], [503, 503]);
      assertEquals(late.headers.get("connection"), "close");
    }
    await pending.write("}");
    const { status, body } = await pending.read();
    assertEquals([status, JSON.parse(body).type], [200, "words"]);
    const { code, stderr } = await end(service);
    assertEquals([code, stderr], [0, ""]);
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

unless(await missing("script")).test(
  "a service that setsid starts outlives its terminal",
  async () => {
    const document = await Deno.readTextFile(`${ROOT}docs/operate.md`);
    const [line] = /(?<=^ +)PWGEN_.* setsid .*(?= >>)/m.exec(document)!;
    const [port, other] = freePorts(2) as [number, number];
    const withSetsid = line.replace("8000", String(port));
    const without = withSetsid.replace("setsid", "")
      .replace(String(port), String(other));
    const commands = `${withSetsid} & echo pid $!; ${without} & wait`;
    const terminal = spawn("script", ["-qfc", commands, "/dev/null"]);
    const [, pid] = await terminal.stdout.match(/pid (\d+)/);
    try {
      await until(async () =>
        await isListening(port) && await isListening(other)
      );
      terminal.process.kill("SIGKILL");
      await until(async () => !await isListening(other));
      assert(await isListening(port));
    } finally {
      Deno.kill(Number(pid), "SIGTERM");
      await end(terminal);
    }
  },
);

unless(await missing("ss")).test(
  "the command of docs/operate.md prints the address of a proxy",
  async () => {
    const document = await Deno.readTextFile(`${ROOT}docs/operate.md`);
    const [command] = /^ss .*$/m.exec(document)!;
    await using service = await serve();
    const { port } = service;
    using proxy = await Deno.connect({ port, hostname: "127.0.0.1" });
    const found = spawn("sh", ["-c", command.replace("8000", String(port))]);
    const { stdout } = await end(found);
    const { hostname, port: from } = proxy.localAddr as Deno.NetAddr;
    assertEquals(stdout, `${hostname}:${from}\n`);
  },
);

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
    service.process.kill(signal);
    // After a drain it would be 0.
    assertEquals((await end(service)).code, 1);
  }
});

Deno.test("the program reports a certificate that is not valid now, or expires soon", async () => {
  await using folder = await tempDir();
  // Key and certificate in one file, in this order.
  const file = `${folder.path}/both.pem`;
  const pems = [KEY, CERT].map((path) => Deno.readTextFileSync(path));
  await Deno.writeTextFile(file, pems.join(""));
  const clock = `${folder.path}/clock.ts`;
  const renew = "2126-10-28; renew it and restart the service";
  const use = "use a valid one, or set the clock of this machine";
  // The certificate of the tests is valid from 2026-11-21 to 2126-10-28.
  const states = {
    "2026-11-20": ` is not valid before 2026-11-21; ${use}`,
    "2026-11-22": "",
    "2126-10-14": "",
    "2126-10-15": ` expires on ${renew}`,
    "2126-10-29": ` expired on ${renew}`,
  };
  for (const [today, state] of Object.entries(states)) {
    await Deno.writeTextFile(clock, `Date.now = () => Date.parse("${today}");`);
    const run = (...flags: string[]) => {
      const args = ["run", "-A", "--preload", clock, "main.ts", ...flags];
      const env = { PWGEN_TLS_CERT: file, PWGEN_TLS_KEY: file };
      return spawn(Deno.execPath(), args, env);
    };
    const line = state && `PWGEN_TLS_CERT: the certificate${state}\n`;
    const { code, stderr } = await end(run("--check"));
    assertEquals([code, stderr], [0, line]);
    await using service = await listening(run());
    if (line) await service.stderr.match(/\n/);
    assertEquals(service.stderr.text, line);
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
  assert(seconds > 11.9, `took ${seconds} s`);
  // After this time systemd or Docker would kill the process.
  assert(DRAIN_MS + FLUSH_MS < 15_000);
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
  await using other = await serve();
  for (const task of ["start", "start:tls"] as const) {
    const isSecure = task === "start:tls";
    await using service = await serve({ task, env: isSecure ? TLS : {} });
    using _silent = await RawConnection.connect(service.port);
    using _unread = await holdResponse(service);
    service.process.kill("SIGTERM");
    // A body that begins now is late in 10 s.
    using pending = await beginRequest(other);
    const ended = await Promise.race([end(service), pending.next("POST")]);
    assert(ended !== undefined && "code" in ended, "took 10 s");
    assertEquals(ended.code, 0);
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
  env: Record<string, string> = {},
): Promise<Running> {
  const script = 'ulimit -n 100; exec "$0" "$@"';
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

onUnix.test("the program serves again after it had no file descriptor left, and drains a response from before", async () => {
  const env = { PWGEN_HOST: "0.0.0.0" };
  await using service = await serveWithFewDescriptors(env);
  using reader = await holdResponse(service);
  // More failures than the servers that serve.ts keeps open.
  for (let i = 0; i < 14; i++) await exhaust(service);
  // It does not repeat the warning when it listens again.
  assertMatch(
    service.stderr.text,
    /^Plain HTTP .*\n(Cannot accept connections: .*Too many.*\n)+$/,
  );
  await assertServes(service);
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

Deno.test("the program ends with status 2 and one line for a wrong address or certificate, with --check too", async () => {
  using listener = Deno.listen({ port: 0, hostname: "127.0.0.1" });
  const port = String(listener.addr.port);
  const withTls = (env: Partial<typeof TLS>) =>
    ({ task: "start:tls", env: { ...TLS, ...env } }) as const;
  const always: [Parameters<typeof start>[0], RegExp][] = [
    [
      withTls({ PWGEN_TLS_CERT: "/no/such\u202e.pem" }),
      /^PWGEN_TLS_CERT: cannot read "\/no\/such\\u\{202e\}.pem": no such file/,
    ],
    [
      withTls({ PWGEN_TLS_KEY: `${ROOT}main.ts` }),
      /^PWGEN_TLS_CERT, PWGEN_TLS_KEY: cannot use them: /,
    ],
    // An address of documentation (RFC 5737), which no machine has.
    [
      { env: { PWGEN_HOST: "192.0.2.1", PWGEN_PORT: port } },
      RegExp(`^PWGEN_PORT, PWGEN_HOST: .* on 192\\.0\\.2\\.1, port ${port}: `),
    ],
    [{ env: TLS }, /no permission from Deno; use deno task start:tls/],
    [
      { env: { PWGEN_RATE_LIMIT_STORE_FILE: CERT } },
      /^PWGEN_RATE_LIMIT_STORE_FILE: .* from Deno; use PWGEN_RATE_LIMIT_STORE="\$\(cat FILE\)", or the /,
    ],
  ];
  const cases: typeof always = [
    ...always,
    ...always.map(([options, pattern]): typeof always[number] => [
      { ...options, flags: ["--check", ...options?.flags ?? []] },
      pattern,
    ]),
    // With --check another process may listen there.
    [{ env: { PORT: port } }, RegExp(`port ${port}: address already in use;`)],
  ];
  for (const [options, pattern] of cases) {
    const { code, line } = await runToLine(options);
    assertEquals(code, 2, line);
    assertMatch(line, pattern);
  }
});

Deno.test("reportPlainHttp() warns if passwords would travel without TLS", () => {
  const cases: [flags: string[], warns: boolean][] = [
    [["--host=0.0.0.0"], true],
    [["--host=::"], true],
    [["--host=pwgen.example"], true],
    [["--host=0.0.0.0", "--trusted-proxies=10.0.0.0/8"], false],
    [["--host=0.0.0.0", "--tls-cert=c", "--tls-key=k"], false],
    ...["127.0.0.2", "::1", "localhost"].map((host) =>
      [[`--host=${host}`], false] as [string[], boolean]
    ),
  ];
  for (const [flags, warns] of cases) {
    const lines: string[] = [];
    const config = readConfig(flags, () => undefined) as Config;
    reportPlainHttp(config, (level, line) => lines.push(`${level}: ${line}`));
    assertEquals(lines.length, warns ? 1 : 0, flags.join(" "));
    if (warns) assertMatch(lines[0]!, /^warning: Plain HTTP .*HTTPS/);
  }
});

onUnix.test("deno task start may use the network and read its variables, and deno task generate may do nothing", async () => {
  await using folder = await tempDir();
  const probe = `${folder.path}/probe.ts`;
  await Deno.writeTextFile(
    probe,
    `const isGranted = (permission) =>
      Deno.permissions.querySync(permission).state === "granted";
    const kinds = ["env", "ffi", "import", "net", "read", "run", "sys", "write"];
    const variables = ["DENO_DEPLOY", "HOME", "PORT", "PWGEN_ANY"];
    console.log(
      ...kinds.filter((name) => isGranted({ name })),
      ...variables.filter((variable) => isGranted({ name: "env", variable })),
    );
    Deno.exit();`,
  );
  const allowed = { start: "net PORT PWGEN_ANY\n", generate: "\n" };
  for (const [task, expected] of Object.entries(allowed)) {
    const { command } = metadata.tasks[task as keyof typeof allowed];
    const line = command.replace("deno run", `"$0" run --preload "$1"`);
    const args = ["-c", line, Deno.execPath(), probe];
    assertEquals((await end(spawn("sh", args))).stdout, expected, task);
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
  // The other tests run with 2.9.6.
  for (const version of ["2.9.10-rc.1", "2.10.0"]) {
    assertEquals(await runWith(version), served);
  }
  for (const version of ["2.9.5-rc.1+4fa2e16", "2.8.10"]) {
    const stderr =
      `pwgen-api needs Deno 2.9.6 or later; this is Deno ${version}\n`;
    assertEquals(await runWith(version), { code: 2, stdout: "", stderr });
  }
  assertEquals(await runWith("2.9.5", { DENO_DEPLOY: "1" }), served);
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
      "run",
      "--no-prompt",
      "--preload",
      probe,
      "--allow-all",
      "main.ts",
    ]),
  );
  await service.stderr.match(/read permission revoked/);
});

Deno.test("--check ends with status 0 and one line, or with 2 if Redis is not usable", async () => {
  const tls = "PWGEN_TLS_CERT, PWGEN_TLS_KEY";
  const onTls = {
    task: "start:tls",
    // A file with CR LF leaves CR at the end.
    env: { ...TLS, PWGEN_TLS_CERT: `${CERT}\r`, PWGEN_HOST: "::" },
  } as const;
  const cases: [Parameters<typeof start>[0], url: string, string][] = [
    [{ env: { PORT: "8000" } }, "http://127.0.0.1:8000/", "PORT"],
    [onTls, "https://localhost:0/", `PORT, PWGEN_HOST, ${tls}`],
  ];
  for (const [options, url, settings] of cases) {
    const line = `pwgen-api ${metadata.version} would serve ${url}, ` +
      `60 requests a minute, counted in memory; settings: ${settings}\n`;
    const result = await runToLine({ ...options, flags: ["--check"] });
    assertEquals(result, { code: 0, line });
  }
  const store = "--rate-limit-store=redis://:any@127.0.0.1:1";
  const failed = await runToLine({ flags: ["--check", store] });
  assertEquals(failed.code, 2);
  // Nothing counts after a check.
  assertMatch(
    failed.line,
    /^PWGEN_RATE_LIMIT_STORE: cannot use Redis: Connection refused[^;]*; use memory, or [^;]*\n$/,
  );
});

Deno.test("the program prints its help or its version, and exits with 0", async () => {
  for (const task of ["start", "start:tls"] as const) {
    const help = await end(start({ task, flags: ["--help"] }));
    assertEquals([help.code, help.stderr], [0, ""]);
    assertMatch(help.stdout, /^pwgen-api: [^]*PWGEN_TRUSTED_PROXIES/);
  }
  // npm puts "--" before the flags.
  const version = await runToLine({ flags: ["--", "--version"] });
  assertEquals(version, { code: 0, line: `${metadata.version}\n` });
});
