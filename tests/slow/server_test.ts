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
  unless,
  until,
} from "../helpers/program.ts";
import { assertCells, begin, readSet, readTable } from "../helpers/rows.ts";
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

/**
 * How the program ends: what it prints is one line, which begins with the cell. A stream
 * without a column stays empty. An npm script has "--" before the flags.
 *
 * @param used a port where another program listens
 */
const endings = (used: number): Record<string, string> => ({
  "what it would serve": `
task      | set                                                              => status | stdout
          | --check PORT=${used}                                             => 0      | pwgen-api VERSION would serve http://127.0.0.1:${used}/, 60 requests a minute, counted in memory; settings: PORT
start:tls | --check PWGEN_HOST=:: PWGEN_TLS_CERT=${CERT}\r PWGEN_TLS_KEY=${KEY} => 0   | pwgen-api VERSION would serve https://localhost:0/, 60 requests a minute, counted in memory; settings: PORT, PWGEN_HOST, PWGEN_TLS_CERT, PWGEN_TLS_KEY
          | -- --version                                                     => 0      | VERSION
`,

  "the format of its lines": `
set                                                 => status | stdout                                                      | stderr
--check PWGEN_HOST=0.0.0.0 PWGEN_LOG_FORMAT=json    => 0      | {TIME,"level":"info","message":"pwgen-api VERSION would serve | {TIME,"level":"warning","message":"Plain HTTP
--check PWGEN_HOST=0.0.0.0 PWGEN_LOG_FORMAT=journal => 0      | pwgen-api VERSION would serve                               | <4>Plain HTTP
--port=x PWGEN_LOG_FORMAT=json                      => 2      |                                                             | --port (PORT): "x" is not allowed;
--port=x PWGEN_LOG_FORMAT=journal                   => 2      |                                                             | <3>--port (PORT): "x" is not allowed;
`,

  // 192.0.2.1 is an address of documentation (RFC 5737), which no machine has.
  "what it cannot use": `
task      | set                                                          => status | stderr
start:tls | {,--check }PWGEN_TLS_CERT=/no/\u202e PWGEN_TLS_KEY=${KEY}    => 2      | PWGEN_TLS_CERT: cannot read "/no/\\u{202e}": no such file
start:tls | {,--check }PWGEN_TLS_CERT=${CERT} PWGEN_TLS_KEY=${ROOT}main.ts => 2    | PWGEN_TLS_CERT, PWGEN_TLS_KEY: cannot use them:
          | {,--check }PWGEN_TLS_CERT=${CERT} PWGEN_TLS_KEY=${KEY}       => 2      | PWGEN_TLS_CERT: cannot read "${CERT}": no permission from Deno; use deno task start:tls
          | {,--check }PWGEN_RATE_LIMIT_STORE_FILE=${CERT}               => 2      | PWGEN_RATE_LIMIT_STORE_FILE: cannot read "${CERT}": no permission from Deno; use PWGEN_RATE_LIMIT_STORE="$(cat FILE)", or the
          | {,--check }PWGEN_HOST=192.0.2.1 PWGEN_PORT=${used}           => 2      | PWGEN_PORT, PWGEN_HOST: cannot listen on 192.0.2.1, port ${used}:
          | PORT=${used}                                                 => 2      | PWGEN_PORT, PWGEN_HOST: cannot listen on 127.0.0.1, port ${used}: address already in use;
          | --check --rate-limit-store=redis://:any@127.0.0.1:1          => 2      | PWGEN_RATE_LIMIT_STORE: cannot use Redis: Connection refused; use memory, or
`,
});

Deno.test("the program ends with a status and one line that says what it would do, or why it cannot", async () => {
  using listener = Deno.listen({ port: 0, hostname: "127.0.0.1" });
  const tables = Object.entries(endings(listener.addr.port));
  await Promise.all(
    tables.flatMap(([subject, table]) =>
      readTable(table).map(async ([{ task, set }, wanted]) => {
        const [flags, env] = readSet(set!);
        const program = start({ task: task as "start:tls", flags, env });
        const { code, stdout, stderr } = await end(program);
        const line = (text: string, cell?: string) => {
          assertMatch(text, /^(.+\n)?$/);
          const stable = text.replace(metadata.version, "VERSION")
            .replace(/"time":"[-:.\dTZ]{24}"/, "TIME")
            .replace(/ \(os error \d+\)/, "");
          return begin(stable, cell);
        };
        const came = {
          status: `${code}`,
          stdout: line(stdout, wanted.stdout),
          stderr: line(stderr, wanted.stderr),
        };
        const nothing = { stdout: "", stderr: "" };
        assertCells(came, { ...nothing, ...wanted }, `${subject}: ${set}`);
      })
    ),
  );
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

Deno.test("the program prints its help", async () => {
  for (const task of ["start", "start:tls"] as const) {
    const help = await end(start({ task, flags: ["--help"] }));
    assertEquals([help.code, help.stderr], [0, ""]);
    assertMatch(help.stdout, /^pwgen-api: [^]*PWGEN_TRUSTED_PROXIES/);
  }
});
