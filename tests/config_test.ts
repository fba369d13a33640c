import {
  assert,
  assertEquals,
  assertMatch,
  assertRejects,
  assertThrows,
} from "@std/assert";
import {
  type Config,
  ConfigError,
  HELP,
  readConfig,
  readSettingFile,
  SETTINGS as DECLARED,
} from "../config.ts";
import { flagOf } from "../flags.ts";
import { tempDir } from "./helpers/files.ts";
import { onUnix } from "./helpers/program.ts";
import {
  assertCells,
  begin,
  type Cells,
  nameOf,
  readSet,
  readTable,
} from "./helpers/rows.ts";
import { readRedisUrl } from "../middleware/limiters/redis_url.ts";
import { listen, readCertificate } from "../serve.ts";

async function read(
  args: string[],
  variables: Record<string, string> = {},
): Promise<Config> {
  const config = await readConfig(args, (name) => variables[name]);
  if (typeof config === "string") throw new Error(`Unexpected ${config}`);
  return config;
}

/** What holds for the message of each error: one line, without secrets and controls. */
function messageOf(error: unknown): string {
  assert(error instanceof ConfigError);
  assertMatch(error.message, /^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+$/u);
  assert(!error.message.includes("hunter2"), error.message);
  return error.message;
}

/** Reads settings of which one is not allowed; returns the message. */
async function readError(
  args: string[],
  variables: Record<string, string> = {},
): Promise<string> {
  return messageOf(
    await assertRejects(() => read(args, variables), ConfigError),
  );
}

/** The texts that each variable allows, with their values, and other texts. */
const ALLOWED: Record<string, [[string, unknown][], string[]]> = {
  "PWGEN_PORT": [
    [["0", 0], ["8080", 8080], ["65535", 65535]],
    ["65536", "-1", "80.0", "http", "08", " 80", "1e3", "99999999999999999999"],
  ],
  "PWGEN_HOST": [
    [["::1", "::1"], ["0.0.0.0", "0.0.0.0"], ["a.example", "a.example"]],
    ["a b", "a/b", "http://a", "a:80", "-a", "1.2.3", "1.2.3.4.5", "a-"],
  ],
  "PWGEN_RATE_LIMIT": [
    [["1", 1], ["10000", 10_000]],
    ["0", "10001", "60/min", "-5", "1.5"],
  ],
  "PWGEN_RATE_LIMIT_STORE": [
    [
      ["memory", "memory"],
      ["kv", "kv"],
      ["redis://:p@a.example", readRedisUrl("redis://:p@a.example")],
    ],
    ["redis", "kv:", "KV", "memory:", "redis://", "redis://a/x"],
  ],
  "PWGEN_MAX_CLIENTS": [
    [["2", 2], ["10000000", 10_000_000]],
    ["0", "10000001", "many"],
  ],
  "PWGEN_DRAIN_DELAY": [
    [["1", 1], ["60", 60]],
    ["61", "-1", "2s", "0.5"],
  ],
  "PWGEN_HSTS_MAX_AGE": [
    [["0", 0], ["300", 300], ["63072000", 63_072_000]],
    ["63072001", "-1", "1y", "0.5"],
  ],
  "PWGEN_ACCESS_LOG": [
    [["off", "off"], ["json", "json"]],
    ["on", "JSON", "true", "1"],
  ],
  "PWGEN_LOG_FORMAT": [
    [["text", "text"], ["json", "json"], ["journal", "journal"]],
    ["off", "JSON", "plain"],
  ],
  "PWGEN_METRICS": [
    [["off", "off"], ["on", "on"]],
    ["ON", "true", "1", "json"],
  ],
};

/** Each variable with its flag and its member of Config: their names agree. */
const SETTINGS = Object.entries(ALLOWED).map(([variable, [good, bad]]) => {
  const words = variable.replace("PWGEN_", "").toLowerCase();
  const flag = words.replaceAll("_", "-");
  const key = words.replace(/_(.)/g, (_, first) => first.toUpperCase());
  return { variable, flag, key: key as keyof Config, good, bad };
});

/** Words of a shell line, `NAME=value` and arguments; and settings, or the begin of the error. */
const TABLES: Record<string, string> = {
  "Deno Deploy": `
set                                                 => host      | onDenoDeploy | error
PWGEN_RATE_LIMIT_STORE=kv DENO_DEPLOY=              =>           |              | --rate-limit-store (PWGEN_RATE_LIMIT_STORE): kv is a database of Deno Deploy; use
PWGEN_RATE_LIMIT_STORE=kv DENO_DEPLOY=1             => 0.0.0.0   | true         |
PWGEN_RATE_LIMIT_STORE=kv DENO_DEPLOYMENT_ID=1      => 0.0.0.0   | true         |
DENO_DEPLOY=1 PWGEN_HOST=::                         => ::        | true         |
DENO_DEPLOY=1 PWGEN_DRAIN_DELAY=0 PWGEN_METRICS=off => 0.0.0.0   | true         |
DENO_DEPLOY=1 PWGEN_DRAIN_DELAY=1                   =>           |              | PWGEN_DRAIN_DELAY: Deno Deploy kills a process
DENO_DEPLOY=1 PWGEN_METRICS=on                      =>           |              | PWGEN_METRICS: on Deno Deploy anyone could read
PWGEN_DRAIN_DELAY=1 PWGEN_METRICS=on                => 127.0.0.1 | false        |
`,

  "the port, also of a Kubernetes Service": `
set                                     => port | explicitSettings | warnings            | error
PORT=1                                  => 1    | PORT             |                     |
PORT=1 PWGEN_PORT=                      => 1    | PORT             |                     |
PORT= PWGEN_PORT=                       => 8000 |                  |                     |
PORT=! PWGEN_PORT=2                     => 2    | PWGEN_PORT       |                     |
PORT=! PWGEN_PORT=! --port=3            => 3    | PWGEN_PORT       |                     |
PORT=! --port=3                         => 3    | PORT             |                     |
PORT=x                                  =>      |                  |                     | PORT: "x" is not allowed;
PORT=1 PWGEN_PORT=tcp://10.96.12.3:8000 => 1    | PORT             | PWGEN_PORT: ignored |
PWGEN_PORT=udp://[2001:db8::1]:53       => 8000 |                  | PWGEN_PORT: ignored |
PWGEN_PORT=http://10.96.12.3:8000       =>      |                  |                     | PWGEN_PORT: this value is not allowed;
PWGEN_PORT=tcp://10.96.12.3             =>      |                  |                     | PWGEN_PORT: this value is not allowed;
PWGEN_PORT=tcp:                         =>      |                  |                     | PWGEN_PORT: "tcp:" is not allowed;
`,

  "the URL of Redis": `
set                                          => explicitSettings       | warnings                                          | error
PWGEN_RATE_LIMIT_STORE=redis://h             => PWGEN_RATE_LIMIT_STORE | PWGEN_RATE_LIMIT_STORE: this URL has no password, |
PWGEN_RATE_LIMIT_STORE=valkeys://user@h      => PWGEN_RATE_LIMIT_STORE | PWGEN_RATE_LIMIT_STORE: this URL has no password, |
PWGEN_RATE_LIMIT_STORE=redis://user:@h       => PWGEN_RATE_LIMIT_STORE | PWGEN_RATE_LIMIT_STORE: this URL has no password, |
PWGEN_RATE_LIMIT_STORE=redis://:p@h          => PWGEN_RATE_LIMIT_STORE |                                                   |
PWGEN_RATE_LIMIT_STORE=memory                => PWGEN_RATE_LIMIT_STORE |                                                   |
PWGEN_RATE_LIMIT_STORE=tcp://10.96.12.3:6379 =>                        |                                                   | PWGEN_RATE_LIMIT_STORE: this value is not allowed;
`,

  "settings that belong together": `
set                                                                  => tls                    | exemptClients | error
--tls-cert=c PWGEN_TLS_KEY=k                                         => {"cert":"c","key":"k"} |               |
--tls-cert=c                                                         =>                        |               | PWGEN_TLS_KEY: not set although PWGEN_TLS_CERT is;
PWGEN_TLS_KEY=k                                                      =>                        |               | PWGEN_TLS_CERT: not set although PWGEN_TLS_KEY is;
--exempt-clients=198.51.100.0/24 PWGEN_TRUSTED_PROXIES=loopback      =>                        | any           |
--exempt-clients=127.0.0.1 PWGEN_TRUSTED_PROXIES=10.0.0.0/8,loopback =>                        |               | PWGEN_EXEMPT_CLIENTS: has an address that is also in PWGEN_TRUSTED_PROXIES; use
`,

  "the format of the log": `
set                                    => logFormat
--log-format=journal                   => journal
--access-log=json                      => json
--access-log=json --log-format=journal => json
`,

  "quotation marks around a path": `
set                => error
PWGEN_TLS_CERT="a" => PWGEN_TLS_CERT: ""a"" with its quotation marks is not allowed; use the path of a PEM file
PWGEN_TLS_KEY='a'  => PWGEN_TLS_KEY: "'a'" with its quotation marks is not allowed; use the path of a PEM file
`,

  "unknown flags": `
set                        => error
--prot=1                   => --prot: unknown flag;
-p 80                      => -p: unknown flag;
--Port=1                   => --Port: unknown flag;
--no-check                 => --no-check: unknown flag;
--redis=redis://:hunter2@h => --redis: unknown flag;
--constructor=1            => --constructor: unknown flag;
8080                       => argument 1: not a flag;
-- x                       => argument 1: not a flag;
--port=1 -- --port=2       => argument 3: not a flag;
--__proto__=1              => argument 1: not a flag;
redis://:hunter2@h         => argument 1: not a flag;
--redis://:hunter2@h       => argument 1: not a flag;
`,

  "flags with too little, or too much": `
set                    => error
--port=1 --port 1      => --port: given more than once;
--check --check        => --check: given more than once;
--check=false          => --check: takes no value;
--help=false           => --help: takes no value;
--tls-cert             => --tls-cert: needs a value; use the path of a PEM file
--tls-cert --tls-key=k => --tls-cert: needs a value; use the path of a PEM file
--tls-cert --          => --tls-cert: needs a value; use the path of a PEM file
`,

  "commands, which check no setting": `
set              => command | checkOnly | port
--check          =>         | true      | 8000
-- --port=80     =>         | false     | 80
--help PORT=!    => help    |           |
-h PORT=!        => help    |           |
--version PORT=! => version |           |
`,
};

/** The cells of settings, or of the error. */
function cellsOf(set: string, wanted: Cells): Cells {
  const [args, env] = readSet(set);
  try {
    const config = readConfig(args, (name) => env[name]);
    if (typeof config === "string") return { command: config };
    const texts = Object.entries(config).map(([name, value]) => [
      name,
      Array.isArray(value) || typeof value !== "object"
        ? String(value ?? "")
        : JSON.stringify(value),
    ]);
    const cells = Object.fromEntries(texts);
    return { ...cells, warnings: begin(cells.warnings, wanted.warnings) };
  } catch (error) {
    return { error: begin(messageOf(error), wanted.error) };
  }
}

for (const [subject, table] of Object.entries(TABLES)) {
  for (const [sent, wanted] of readTable(table)) {
    Deno.test(
      nameOf(`readConfig(): ${subject}`, sent),
      () => assertCells(cellsOf(sent.set!, wanted), wanted),
    );
  }
}

Deno.test("readConfig() reads each setting from its variable and its flag, without white space at the end", async () => {
  const ends = ["", " ", "\r", "\n", "\r\n", " \t\n\n"];
  for (const { key, flag, variable, good } of SETTINGS) {
    for (const [text, value] of good) {
      const platform = { DENO_DEPLOY: value === "kv" ? "1" : "" };
      const assertRead = async (args: string[], set: string) => {
        const config = await read(args, { ...platform, [variable]: set });
        assertEquals(config[key], value);
        assertEquals(config.explicitSettings, [variable]);
      };
      // A flag has priority.
      await assertRead([`--${flag}`, text], "!");
      for (const end of ends) {
        await assertRead([`--${flag}=${text}${end}`], "!");
        await assertRead([], text + end);
      }
    }
    for (const blank of ["", " \r\n"]) {
      assertEquals(await read([], { [variable]: blank }), await read([]));
    }
  }
  assertEquals((await read([], { PORT: "81\r" })).port, 81);
  const tls = { PWGEN_TLS_CERT: "c\r", PWGEN_TLS_KEY: "k\n" };
  assertEquals((await read([], tls)).tls, { cert: "c", key: "k" });
});

Deno.test("readConfig() reads each setting from the file that NAME_FILE names", async () => {
  await using folder = await tempDir();
  const path = `${folder.path}/secret`;
  const write = (text: string) => Deno.writeTextFile(path, text);
  for (const { key, flag, variable, good, bad } of SETTINGS) {
    const file = { [`${variable}_FILE`]: `${path}\n`, DENO_DEPLOY: "" };
    for (const [text, value] of good.filter(([text]) => text !== "kv")) {
      await write(`${text}\r\n`);
      for (const others of [{}, { [variable]: "" }]) {
        const config = await read([], { ...file, ...others });
        assertEquals(config[key], value);
        assertEquals(config.explicitSettings, [variable]);
        assertEquals(config.warnings, []);
      }
      assertMatch(
        await readError([], { ...file, [variable]: text }),
        RegExp(`^${variable}_FILE: set although ${variable} is; set one of `),
      );
    }
    // A flag has precedence, so nobody reads the file.
    const [text, value] = good[0]!;
    const unread = { [`${variable}_FILE`]: folder.path, [variable]: "!" };
    assertEquals((await read([`--${flag}=${text}`], unread))[key], value);
    // No error repeats what is in the file.
    for (const text of [...bad, '"hunter2"', "hunter2\nhunter2"]) {
      await write(text);
      const message = await readError([], file);
      const problem =
        /_FILE: this value (with its quotation marks )?is not allowed; use /;
      assert(message.startsWith(variable), message);
      assertMatch(message, problem);
    }
    await write("\n");
    assertMatch(await readError([], file), /_FILE: needs a value; use /);
  }
  // PWGEN_PORT of a Kubernetes Service is no setting.
  await write("81");
  const link = { PWGEN_PORT: "tcp://10.96.12.3:8000", PORT: "1" };
  const config = await read([], { ...link, PWGEN_PORT_FILE: path });
  assertEquals([config.port, config.explicitSettings], [81, ["PWGEN_PORT"]]);
  // A file with the private key itself, and not with its path.
  for (const variable of ["PWGEN_TLS_CERT_FILE", "PWGEN_TLS_KEY_FILE"]) {
    await write("-----BEGIN PRIVATE KEY-----\nhunter2\n");
    assertEquals(
      await readError([], { [variable]: path }),
      `${variable}: this value is not allowed; use the path of a PEM file`,
    );
  }
});

onUnix.test("readConfig() reads a regular file of at most 64 KiB, also through a link, and no other", async () => {
  await using folder = await tempDir();
  const at = (name: string) => `${folder.path}/${name}`;
  await Deno.writeTextFile(at("longest"), "81".padEnd(65_536));
  await Deno.writeTextFile(at("too-long"), "81".padEnd(65_537));
  await Deno.symlink(at("longest"), at("link"));
  await Deno.symlink("/dev/zero", at("device-link"));
  await new Deno.Command("mkfifo", { args: [at("fifo")] }).output();
  const refused =
    /^PWGEN_PORT_FILE: cannot read "\/.*": not a regular file of at most 64 KiB; use the path of a file that this process may read$/;
  const rows: [args: string[], file: string, wanted: number | RegExp][] = [
    [[], at("longest"), 81],
    [[], at("link"), 81],
    [[], at("too-long"), refused],
    [[], folder.path, refused],
    [[], at("fifo"), refused],
    [[], at("device-link"), refused],
    [["--port=82"], at("fifo"), 82],
  ];
  for (const [args, path, wanted] of rows) {
    const env = { PWGEN_PORT_FILE: path };
    if (typeof wanted === "number") {
      assertEquals((await read(args, env)).port, wanted, path);
    } else assertMatch(await readError(args, env), wanted);
  }
});

Deno.test("no error of a start repeats a value that came from a file", async () => {
  await using folder = await tempDir();
  const path = `${folder.path}/secret`;
  const start = (config: Config) => {
    const certificate = readCertificate(config);
    listen(config, certificate, () => Promise.resolve(new Response()));
  };
  // 192.0.2.1 is an address of documentation (RFC 5737), which no machine has.
  const rows = readTable(`
variable       | text        | flag               => error
PWGEN_TLS_CERT | /no/hunter2 | --tls-key=/no/key  => PWGEN_TLS_CERT: cannot read this path: no such file; use
PWGEN_TLS_KEY  | /no/hunter2 | --tls-cert=${path} => PWGEN_TLS_KEY: cannot read this path: no such file; use
PWGEN_HOST     | 192.0.2.1   | --port=8080        => PWGEN_PORT, PWGEN_HOST: cannot listen on this host, port 8080:
PWGEN_PORT     | 8080        | --host=192.0.2.1   => PWGEN_PORT, PWGEN_HOST: cannot listen on 192.0.2.1, this port:
`);
  for (const [{ variable, text, flag }, wanted] of rows) {
    await Deno.writeTextFile(path, text!);
    const config = await read([flag!], { [`${variable}_FILE`]: path });
    const message = messageOf(assertThrows(() => start(config), ConfigError));
    assert(!message.includes(text!), message);
    assertCells({ error: begin(message, wanted.error) }, wanted);
  }
});

Deno.test({
  name: "readConfig() never ignores a file that it cannot read",
  permissions: { read: false },
  fn: async () => {
    for (const { variable } of SETTINGS) {
      assertEquals(
        await readError([], { [`${variable}_FILE`]: "/run/secrets/a" }),
        `${variable}_FILE: cannot read "/run/secrets/a": no permission from Deno; use ${variable}="$(cat FILE)", or the flag --allow-read=FILE of Deno`,
      );
    }
    const url = { PWGEN_RATE_LIMIT_STORE_FILE: "redis://:hunter2@h" };
    assertMatch(await readError([], url), /^[^:]+: cannot read this path: no /);
  },
});

Deno.test("no error repeats a private key that stands in place of its path", async () => {
  const key = `-----BEGIN PRIVATE KEY-----\n${"hunter2".repeat(50)}\n`;
  const line = key.replaceAll("\n", "\\n");
  // A file with the key in one line has a path for readConfig().
  for (const text of [key, line, btoa(key)]) {
    const message = text === key
      ? await readError([], { PWGEN_TLS_KEY: key })
      : assertThrows(() => readSettingFile("", text, ""), ConfigError).message;
    assert(!/hunter2|BEGIN|LS0t/.test(message), message);
  }
});

Deno.test("readConfig() rejects a value with the setting and what is allowed", async () => {
  for (const { flag, variable, good, bad } of SETTINGS) {
    const quoted = [`"${good[0]![0]}"`, `'${good[0]![0]}'`];
    for (const text of [...bad, ...quoted]) {
      // A URL can contain a password.
      const isSecret = flag === "rate-limit-store" || text.includes("://");
      const value = (isSecret ? "this value" : `"${text}"`) +
        (quoted.includes(text) ? " with its quotation marks" : "");
      for (
        const [name, message] of [
          [variable, await readError([], { [variable]: text })],
          [`--${flag} (${variable})`, await readError([`--${flag}=${text}`])],
        ] as const
      ) {
        assert(message.startsWith(`${name}: ${value} is not allowed; use `));
      }
    }
    for (const args of [[`--${flag}`], [`--${flag}=`], [`--no-${flag}`]]) {
      assert((await readError(args)).includes(flag));
    }
  }
});

Deno.test("an error of readConfig() has no character that controls a terminal, or the direction of its text", async () => {
  const ranges = [[0, 0x1f], [0x7f, 0x9f], [0x61c, 0x61c], [0x200e, 0x200f]];
  const others = [[0x2028, 0x202e], [0x2066, 0x2069]]; // UAX 9, section 2
  const codes = [...ranges, ...others].flatMap(([first, last]) =>
    Array.from({ length: last! - first! + 1 }, (_, i) => first! + i)
  );
  const text = String.fromCodePoint(...codes);
  const escaped = codes.map((code) => `\\u{${code.toString(16)}}`).join("");
  for (
    const message of [
      await readError([], { PWGEN_PORT: text }),
      await readError([`--port=${text}`]),
    ]
  ) assert(message.includes(`: "${escaped}" is not allowed; use `), message);
  // What is no flag is not repeated, also if it has such characters.
  const args = ["--a\n\u001b[2Jb=1", "--a\u202e\u2028\u00ad\ufe0f\u{e0041}b"];
  for (const arg of [...args, "--a\ud800b"]) {
    assertMatch(await readError([arg]), /^argument 1: not a flag; /);
  }
});

Deno.test("HELP has each setting with its variable and default", async () => {
  for (const [name, setting] of Object.entries(DECLARED)) {
    const { defaultValue = "none" } = setting;
    const flag = flagOf(name);
    const variable = `PWGEN_${flag.toUpperCase().replaceAll("-", "_")}`;
    const inHelp = RegExp(
      `^  --${flag} +${variable} .*\n.*: ${defaultValue}$`,
      "m",
    );
    assertMatch(HELP, inHelp);
  }
  // The process has these defaults.
  const config: Record<string, unknown> = { ...await read([]) };
  for (const [name, { defaultValue }] of Object.entries(DECLARED)) {
    if (!name.startsWith("tls")) assertEquals(config[name], defaultValue);
  }
  assertEquals([config["tls"], config["explicitSettings"]], [undefined, []]);
});
