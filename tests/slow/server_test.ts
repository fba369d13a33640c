import { assert, assertEquals, assertMatch } from "@std/assert";
import { RawConnection, UPGRADE_TO_HTTP2 } from "../helpers/connection.ts";
import metadata from "../../deno.json" with { type: "json" };
import { testWay } from "./deploy/contract.ts";
import { tempDir } from "../helpers/files.ts";
import {
  CERT,
  end,
  freePorts,
  isListening,
  KEY,
  listening,
  missing,
  onUnix,
  ROOT,
  serve,
  spawn,
  start,
  START_ARGS,
  TLS,
  unless,
  until,
} from "../helpers/program.ts";
import { type Config, readConfig } from "../../config.ts";
import { reportPlainHttp } from "../../serve.ts";

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
  await connection.write(
    `POST / HTTP/1.1\r\nHost: localhost\r\n${upgrade}\r\nContent-Length: 2\r\n\r\n{}`,
  );
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
  const run = (...flags: string[]) => {
    const args = ["run", "-A", "--preload", clock, "main.ts", ...flags];
    const env = { PWGEN_TLS_CERT: file, PWGEN_TLS_KEY: file };
    return spawn(Deno.execPath(), args, env);
  };
  let line = "";
  for (const [today, state] of Object.entries(states)) {
    await Deno.writeTextFile(clock, `Date.now = () => Date.parse("${today}");`);
    line = state && `PWGEN_TLS_CERT: the certificate${state}\n`;
    const { code, stderr } = await end(run("--check"));
    assertEquals([code, stderr], [0, line]);
  }
  await using service = await listening(run());
  await service.stderr.match(/\n/);
  assertEquals(service.stderr.text, line);
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
  await Promise.all(cases.map(async ([options, pattern]) => {
    const { code, line } = await runToLine(options);
    assertEquals(code, 2, line);
    assertMatch(line, pattern);
  }));
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
