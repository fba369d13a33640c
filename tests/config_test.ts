import { assert, assertEquals, assertRejects } from "@std/assert";
import { type Config, ConfigError, HELP, readConfig } from "../config.ts";

async function read(
  args: string[],
  variables: Record<string, string> = {},
): Promise<Config> {
  const config = await readConfig(args, (name) => variables[name]);
  if (typeof config === "string") throw new Error(`Unexpected ${config}`);
  return config;
}

/** Each setting with its flag, its variable, and what it takes and refuses. */
const SETTINGS: [
  keyof Config,
  string,
  string,
  [string, unknown][],
  string[],
][] = [
  ["port", "port", "PORT", [["0", 0], ["8080", 8080], ["65535", 65535]], [
    "65536",
    "-1",
    "80.0",
    "http",
    "08",
    " 80",
    "1e3",
    "99999999999999999999",
  ]],
  [
    "host",
    "host",
    "PWGEN_HOST",
    [["::1", "::1"], ["0.0.0.0", "0.0.0.0"], ["a.example", "a.example"]],
    ["a b", "a/b", "http://a", "a:80", "-a", "1.2.3", "1.2.3.4.5"],
  ],
  [
    "rateLimit",
    "rate-limit",
    "PWGEN_RATE_LIMIT",
    [["1", 1], ["10000", 10_000]],
    ["0", "10001", "60/min", "-5", "1.5"],
  ],
  [
    "rateLimitStore",
    "rate-limit-store",
    "PWGEN_RATE_LIMIT_STORE",
    [
      ["memory", "memory"],
      ["kv", "kv"],
      ["rediss://u:p@a.example:1/2", {
        hostname: "a.example",
        port: 1,
        tls: true,
        username: "u",
        password: "p",
        database: 2,
      }],
    ],
    ["redis", "kv:", "KV", "memory:", "redis://", "redis://a/x"],
  ],
  [
    "maxClients",
    "max-clients",
    "PWGEN_MAX_CLIENTS",
    [["1", 1], ["10000000", 10_000_000]],
    ["0", "10000001", "many"],
  ],
  [
    "accessLog",
    "access-log",
    "PWGEN_ACCESS_LOG",
    [["off", "off"], ["json", "json"]],
    ["on", "JSON", "true", "1"],
  ],
];

Deno.test("readConfig() has the documented defaults", async () => {
  assertEquals(await read([]), {
    port: 8000,
    host: "127.0.0.1",
    trustedProxies: undefined,
    rateLimit: 60,
    rateLimitStore: "memory",
    maxClients: 250_000,
    accessLog: "off",
    onDenoDeploy: false,
    tls: undefined,
    checkOnly: false,
  });
});

Deno.test("readConfig() listens for everyone on Deno Deploy, unless told otherwise", async () => {
  for (const name of ["DENO_DEPLOYMENT_ID", "DENO_DEPLOY"]) {
    const { host, onDenoDeploy } = await read([], { [name]: "1" });
    assertEquals([host, onDenoDeploy], ["0.0.0.0", true]);
    const told = await read([], { [name]: "1", PWGEN_HOST: "::" });
    assertEquals([told.host, told.onDenoDeploy], ["::", true]);
  }
  assertEquals((await read([], { DENO_DEPLOY: "" })).host, "127.0.0.1");
});

Deno.test("readConfig() reads each setting from its variable and its flag", async () => {
  for (const [key, flag, variable, good] of SETTINGS) {
    for (const [text, value] of good) {
      assertEquals((await read([], { [variable]: text }))[key], value);
      assertEquals((await read([`--${flag}`, text]))[key], value);
      assertEquals(
        (await read([`--${flag}=${text}`], { [variable]: "!" }))[key],
        value,
      );
      // The last of two flags counts, and an empty variable is none.
      assertEquals(
        (await read([`--${flag}=!`, `--${flag}=${text}`]))[key],
        value,
      );
    }
    assertEquals(
      (await read([], { [variable]: "" }))[key],
      (await read([]))[key],
    );
  }
});

Deno.test("readConfig() refuses a bad value in one line with the setting and what is allowed", async () => {
  for (const [, flag, variable, , bad] of SETTINGS) {
    for (const text of bad) {
      for (const named of [variable, `--${flag} (${variable})`]) {
        const { message } = await assertRejects(
          () =>
            named === variable
              ? read([], { [variable]: text })
              : read([`--${flag}=${text}`]),
          ConfigError,
        );
        // The URL of a store may have a password in it.
        const isHidden = flag === "rate-limit-store" || text.includes("://");
        const value = isHidden ? "this value" : `"${text}"`;
        assert(message.startsWith(`${named}: ${value} is not allowed; use `));
        assertEquals(message.split("\n").length, 1);
      }
    }
    for (const args of [[`--${flag}`], [`--${flag}=`], [`--no-${flag}`]]) {
      await assertRejects(() => read(args), ConfigError, flag);
    }
  }
  const { message } = await assertRejects(
    () => read([], { PORT: "a\nb" }),
    ConfigError,
  );
  assertEquals(message.split("\n").length, 1);
});

Deno.test("readConfig() wants certificate and key together", async () => {
  assertEquals((await read(["--tls-cert=c"], { PWGEN_TLS_KEY: "k" })).tls, {
    cert: "c",
    key: "k",
  });
  const cert = await assertRejects(() => read(["--tls-cert=c"]), ConfigError);
  assert(cert.message.startsWith("PWGEN_TLS_KEY: not set although"));
  const key = await assertRejects(
    () => read([], { PWGEN_TLS_KEY: "k" }),
    ConfigError,
  );
  assert(key.message.startsWith("PWGEN_TLS_CERT: not set although"));
});

Deno.test("readConfig() refuses what it does not know", async () => {
  for (
    const [args, named] of [
      [["--prot=1"], "--prot"],
      [["-p", "80"], "-p"],
      [["8080"], "argument 1"],
      [["--", "x"], "argument 1"],
      [["--port=1", "--", "--port=2"], "argument 3"],
      [["--constructor=1"], "--constructor"],
      [["--__proto__=1"], "argument 1"],
      [["--redis://:hunter2@h"], "argument 1"],
      [["--port=1", "--x:hunter2@h"], "argument 2"],
      [["--check=false"], "--check: takes no value"],
      [["--help=false"], "--help: takes no value"],
    ] as const
  ) {
    const { message } = await assertRejects(() => read([...args]), ConfigError);
    assert(message.startsWith(named), message);
    assert(!message.includes("hunter2"), message);
    assert(message.includes("--help") || message.includes("leave it out"));
  }
});

Deno.test("readConfig() judges settings with --check, and skips a leading --", async () => {
  assertEquals((await read(["--check"])).checkOnly, true);
  await assertRejects(
    () => read(["--check", "--port=x"]),
    ConfigError,
    "--port",
  );
  assertEquals((await read(["--", "--port=80"])).port, 80);
});

Deno.test("readConfig() answers --help and --version before it judges settings", async () => {
  const none = () => "!";
  assertEquals(await readConfig(["--help"], none), "help");
  assertEquals(await readConfig(["-h"], none), "help");
  assertEquals(await readConfig(["--version"], none), "version");
});

Deno.test("HELP names every flag with its variable and default", async () => {
  for (const [key, flag, variable] of SETTINGS) {
    assert(HELP.includes(`--${flag} `), flag);
    assert(HELP.includes(variable), variable);
    assert(HELP.includes(`default: ${(await read([]))[key]}`));
  }
  for (const name of ["TRUSTED_PROXIES", "TLS_CERT", "TLS_KEY"]) {
    assert(HELP.includes(`PWGEN_${name}`));
  }
});
