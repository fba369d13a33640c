import { assert, assertEquals, assertThrows } from "@std/assert";
import { type Config, ConfigError, HELP, readConfig } from "../config.ts";

function read(
  args: string[],
  variables: Record<string, string> = {},
): Config {
  const config = readConfig(args, (name) => variables[name]);
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
      ["kv", { kv: undefined }],
      ["kv:/var/a b.db", { kv: "/var/a b.db" }],
      ["kv:https://kv.example", { kv: "https://kv.example" }],
    ],
    ["redis", "kv:", "KV", "memory:"],
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

Deno.test("readConfig() has the documented defaults", () => {
  assertEquals(read([]), {
    port: 8000,
    host: "127.0.0.1",
    trustedProxies: undefined,
    rateLimit: 60,
    rateLimitStore: "memory",
    maxClients: 250_000,
    accessLog: "off",
    tls: undefined,
  });
});

Deno.test("readConfig() reads each setting from its variable and its flag", () => {
  for (const [key, flag, variable, good] of SETTINGS) {
    for (const [text, value] of good) {
      assertEquals(read([], { [variable]: text })[key], value);
      assertEquals(read([`--${flag}`, text])[key], value);
      assertEquals(
        read([`--${flag}=${text}`], { [variable]: "!" })[key],
        value,
      );
      // The last of two flags counts, and an empty variable is none.
      assertEquals(read([`--${flag}=!`, `--${flag}=${text}`])[key], value);
    }
    assertEquals(read([], { [variable]: "" })[key], read([])[key]);
  }
});

Deno.test("readConfig() refuses a bad value in one line with the setting and what is allowed", () => {
  for (const [, flag, variable, , bad] of SETTINGS) {
    for (const text of bad) {
      for (const named of [variable, `--${flag}`]) {
        const { message } = assertThrows(
          () =>
            named === variable
              ? read([], { [variable]: text })
              : read([`--${flag}=${text}`]),
          ConfigError,
        );
        assert(message.startsWith(`${named}: "${text}" is not allowed; use `));
        assertEquals(message.split("\n").length, 1);
      }
    }
    for (const args of [[`--${flag}`], [`--${flag}=`], [`--no-${flag}`]]) {
      assertThrows(() => read(args), ConfigError, flag);
    }
  }
  const { message } = assertThrows(
    () => read([], { PORT: "a\nb" }),
    ConfigError,
  );
  assertEquals(message.split("\n").length, 1);
});

Deno.test("readConfig() reads proxies: addresses, networks, loopback", () => {
  const judged = (list: string, address: string) =>
    read(["--trusted-proxies", list]).trustedProxies!.check(
      address,
      address.includes(":") ? "ipv6" : "ipv4",
    );
  assert(judged("loopback", "127.0.0.1"));
  assert(judged("loopback", "127.9.9.9"));
  assert(judged("loopback", "::1"));
  assert(!judged("loopback", "128.0.0.1"));
  assert(judged("10.0.0.0/8, 192.0.2.7", "10.255.0.1"));
  assert(judged("10.0.0.0/8,192.0.2.7", "192.0.2.7"));
  assert(!judged("10.0.0.0/8,192.0.2.7", "192.0.2.8"));
  assert(judged("2001:db8::/32", "2001:db8:ffff::1"));
  assert(!judged("2001:db8::/32", "2001:db9::1"));
  assert(judged("0.0.0.0/0", "8.8.8.8"));
  for (
    const bad of [
      "localhost",
      "10.0.0.0/33",
      "10.0.0.0/",
      "10.0.0.0/08",
      "10.0.0/8",
      "2001:db8::/129",
      "10.0.0.0/8/8",
      "fe80::1%eth0",
      "10.0.0.1,",
      "10.0.0.1 10.0.0.2",
      "*",
    ]
  ) {
    assertThrows(
      () => read(["--trusted-proxies", bad]),
      ConfigError,
      "networks such as 10.0.0.0/8",
    );
  }
});

Deno.test("readConfig() wants certificate and key together", () => {
  assertEquals(read(["--tls-cert=c"], { PWGEN_TLS_KEY: "k" }).tls, {
    cert: "c",
    key: "k",
  });
  const cert = assertThrows(() => read(["--tls-cert=c"]), ConfigError);
  assert(cert.message.startsWith("PWGEN_TLS_KEY: not set although"));
  const key = assertThrows(() => read([], { PWGEN_TLS_KEY: "k" }), ConfigError);
  assert(key.message.startsWith("PWGEN_TLS_CERT: not set although"));
});

Deno.test("readConfig() refuses what it does not know", () => {
  for (
    const [args, named] of [
      [["--prot=1"], "--prot"],
      [["-p", "80"], "-p"],
      [["8080"], '"8080"'],
      [["--", "x"], '"x"'],
      [["--port=1", "--", "--port=2"], '"--port=2"'],
      [["--constructor=1"], "--constructor"],
      [["--__proto__=1"], "--__proto__"],
    ] as const
  ) {
    const { message } = assertThrows(() => read([...args]), ConfigError);
    assert(message.startsWith(named), message);
    assert(message.includes("--help"));
  }
});

Deno.test("readConfig() judges settings with --check, and skips a leading --", () => {
  assertEquals(readConfig(["--check"], () => undefined), "check");
  assertThrows(() => read(["--check", "--port=x"]), ConfigError, "--port");
  assertEquals(read(["--", "--port=80"]).port, 80);
});

Deno.test("readConfig() answers --help and --version before it judges settings", () => {
  const none = () => "!";
  assertEquals(readConfig(["--help"], none), "help");
  assertEquals(readConfig(["-h"], none), "help");
  assertEquals(readConfig(["--version"], none), "version");
});

Deno.test("HELP names every flag with its variable and default", () => {
  for (const [key, flag, variable] of SETTINGS) {
    assert(HELP.includes(`--${flag} `), flag);
    assert(HELP.includes(variable), variable);
    assert(HELP.includes(`default: ${read([])[key]}`));
  }
  for (const name of ["TRUSTED_PROXIES", "TLS_CERT", "TLS_KEY"]) {
    assert(HELP.includes(`PWGEN_${name}`));
  }
});
