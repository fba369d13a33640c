import { assert, assertEquals, assertMatch, assertNotMatch } from "@std/assert";
import { csvRows } from "../helpers/csv.ts";
import { tempDir } from "../helpers/files.ts";
import {
  end,
  HAS_SIGTERM,
  missing,
  ROOT,
  serve,
  spawn,
  unless,
} from "../helpers/program.ts";

/** The programs of the document by the name that their first line has. */
const PROGRAMS = Object.fromEntries(
  [...(await Deno.readTextFile(`${ROOT}docs/clients.md`)).matchAll(
    /^```\w+\n(# (\w+\.\w+)\b.*?)^```$/gms,
  )].map(([, text, name]) => [name!, text!]),
);

const NO_SH = HAS_SIGTERM ? "" : "no sh on Windows";

/** Why a tool cannot run, its command, and whether it makes a CSV or a secret. */
const TOOLS = {
  curl: {
    reason: NO_SH || await missing("curl"),
    command: ["sh", "secret.sh"],
    isCsv: false,
  },
  Python: {
    reason: NO_SH || await missing("python3"),
    command: ["python3", "accounts.py"],
    isCsv: true,
  },
  Ansible: {
    reason: NO_SH || await missing("ansible-playbook"),
    command: ["ansible-playbook", "-vvv", "-e", "retry_delay=1", "secret.yml"],
    isCsv: false,
  },
};

const NAMES = [
  "anna",
  'o"brien',
  "a,b",
  "åsa",
  ...Array.from({ length: 97 }, (_, i) => `user${i}`),
];

/** A store with at most one secret. */
const VAULT = `#!/bin/sh
if [ "$2" = put ]; then
  printf '%s\\n' "$@" > vault.args
  exec cat > vault.input
fi
[ -e vault.input ] || { echo "No value found at secret/metadata/app" >&2; exit 2; }
`;

/** The file that a program of the document writes. */
const CSV = "accounts.csv";

/** What a program left. */
interface Result {
  code: number;
  output: string;
  /** The texts of the files in its folder. */
  files: Record<string, string>;
  /** The permissions of the CSV. */
  mode: number;
}

/** Runs a program of the document in a new folder, for a service at a URL. */
async function run(
  url: string,
  [command, ...args]: string[],
  more: Record<string, string> = {},
): Promise<Result> {
  await using folder = await tempDir();
  const at = (name: string) => `${folder.path}/${name}`;
  const given: Record<string, string> = {
    ...PROGRAMS,
    "accounts.txt": `${NAMES.join("\n")}\n`,
    "bin/vault": VAULT,
    "bin/pwgen-api":
      `#!/bin/sh\nexec deno run --quiet --no-prompt "${ROOT}main.ts" "$@"\n`,
    ...more,
  };
  await Deno.mkdir(at("bin"));
  for (const [name, text] of Object.entries(given)) {
    const there = text.replaceAll("http://localhost:8000", url);
    const mode = name.startsWith("bin/") ? 0o755 : 0o644;
    await Deno.writeTextFile(at(name), there, { mode });
  }
  await Deno.symlink(Deno.execPath(), at("bin/deno"));
  const program = spawn(command!, args, {
    PATH: `${at("bin")}:${Deno.env.get("PATH")}`,
    // Ansible needs UTF-8, and writes to these folders.
    LC_ALL: "C.UTF-8",
    ANSIBLE_HOME: at("ansible"),
    ANSIBLE_LOCAL_TEMP: at("ansible"),
    ANSIBLE_REMOTE_TEMP: at("ansible"),
  }, { cwd: folder.path });
  // Several runs of Ansible at one time take long on a busy machine.
  const { code, stdout, stderr } = await end(program);
  const files: Record<string, string> = {};
  for (const { name, isFile } of Deno.readDirSync(folder.path)) {
    if (isFile) files[name] = Deno.readTextFileSync(at(name));
  }
  const mode = CSV in files ? Deno.statSync(at(CSV)).mode! & 0o777 : 0;
  return { code, output: stdout + stderr, files, mode };
}

/** A password of the CSV, which has characters of all three classes. */
const PASSWORD =
  /\b(?=[a-zA-Z]*\d)(?=[a-z\d]*[A-Z])(?=[A-Z\d]*[a-z])[a-zA-Z\d]{20}\b/;

function assertSecret({ code, output, files }: Result): void {
  assertEquals(code, 0, output);
  const password = files["vault.input"]!;
  assertMatch(password, /^\d\d(-[A-Z][a-z]+){4}$/);
  const args = "kv\nput\n-mount=secret\napp\npassword=-\n";
  assertEquals(files["vault.args"], args);
  assert(!output.includes(password), output);
}

function assertCsv({ code, output, files, mode }: Result): void {
  assertEquals(code, 0, output);
  const [head, ...rows] = csvRows(files[CSV]!, ",");
  assertEquals(head, ["account", "password"]);
  assertEquals(rows.map(([name]) => name), NAMES);
  for (const [, password] of rows) {
    assertMatch(password!, /^[A-Za-z0-9]{20}$/);
    assert(!output.includes(password!), output);
  }
  assertEquals(
    new Set(rows.map(([, password]) => password)).size,
    NAMES.length,
  );
  assertEquals(mode, 0o600);
}

/** Checks that nothing is stored, and that the response is not printed. */
function assertFailure({ code, output, files }: Result, message: string): void {
  assert(code !== 0, message);
  assertEquals([files["vault.input"], files[CSV]], [undefined, undefined]);
  assertNotMatch(output, /in the body|lenght/, message);
  assertNotMatch(output, PASSWORD, message);
}

/** How a server responds that gives no passwords. */
const FAILURES = {
  full: () =>
    new Response("in the body", {
      status: 429,
      headers: { "retry-after": "1" },
    }),
  // A JSON parser can quote what it does not understand.
  broken: () =>
    new Response('in the body"', {
      headers: { "content-type": "application/json; charset=utf-8" },
    }),
};

/**
 * Starts a server in front of the service. The first part of a path is the
 * behaviour: one of those above, "old" for a service that ignores `count`,
 * "misspelt" for a request with an unknown field, or "busy" for status 429 once. The
 * second part is any name.
 */
function proxyOf(service: string) {
  const times = new Map<string, number[]>();
  const server = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen() {} },
    async ({ url, method, headers: received, body }) => {
      const headers = new Headers(received);
      const [, key, behaviour, path] = /^(\/(\w+)\/\w+)(.*)$/
        .exec(new URL(url).pathname)!;
      const before = times.get(key!) ?? [];
      times.set(key!, [...before, performance.now()]);
      const text = await new Response(body).text();
      if (behaviour! in FAILURES) {
        return FAILURES[behaviour as keyof typeof FAILURES]();
      }
      if (behaviour === "busy" && before.length === 0) {
        const headers = { "retry-after": "2" };
        return new Response("in the body", { status: 429, headers });
      }
      if (behaviour === "old") headers.delete("prefer");
      const sent = {
        old: text.replace("count", "unknown"),
        misspelt: text.replace("{", '{"lenght":1,'),
      }[behaviour!];
      return await fetch(service + path, {
        method,
        headers: [...headers].filter(([name]) => name !== "content-length"),
        body: sent ?? text,
      });
    },
  );
  return {
    url: `http://127.0.0.1:${server.addr.port}`,
    /** The times of the requests to a path in ms. */
    times: (path: string) => times.get(path) ?? [],
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

for (const [tool, { reason, command, isCsv }] of Object.entries(TOOLS)) {
  unless(reason).test(
    `docs/clients.md: ${tool} stores passwords for their owner alone and prints none, waits as Retry-After says, and stores nothing after an error`,
    async () => {
      await using service = await serve();
      await using proxy = proxyOf(service.url);
      const assertStored = isCsv ? assertCsv : assertSecret;
      const runs: Record<string, () => Promise<void>> = {
        existing: async () => {
          if (!isCsv) return;
          const result = await run(service.url, command, { [CSV]: "old" });
          assert(result.code !== 0);
          assertEquals(result.files[CSV], "old");
          assertNotMatch(result.output, PASSWORD);
        },
        busy: async () => {
          const path = `/busy/${tool}`;
          assertStored(await run(proxy.url + path, command));
          const [first, second, ...more] = proxy.times(path);
          // The delay of Ansible does not depend on the response. Timers are inexact.
          const delay = tool === "Ansible" ? 1000 : 2000;
          assert(second! - first! > delay - 50, `${second! - first!} ms`);
          // 101 accounts take one more request.
          assertEquals(more.length, isCsv ? 1 : 0);
        },
      };
      const requests = { broken: 1, misspelt: 1, old: 1, full: 5 };
      for (const [name, count] of Object.entries(requests)) {
        // The others ask for one password, so they need no count.
        if (!isCsv && name === "old") continue;
        runs[name] = async () => {
          const path = `/${name}/${tool}`;
          assertFailure(await run(proxy.url + path, command), path);
          assertEquals(proxy.times(path).length, count, path);
        };
      }
      await Promise.all(Object.values(runs).map((run) => run()));
    },
  );
}

unless(TOOLS.Ansible.reason).test(
  "docs/clients.md: Ansible stores nothing in check mode, over another secret, or if it cannot look",
  async () => {
    await using service = await serve();
    await using proxy = proxyOf(service.url);
    const { command } = TOOLS.Ansible;
    const denied = "#!/bin/sh\necho permission denied >&2\nexit 2\n";
    const play = async (args: string[], more: Record<string, string>) => {
      const url = `${proxy.url}/new/Ansible`;
      const { code, output, files } = await run(url, args, more);
      return { code, output, secret: files["vault.input"] };
    };
    const check = [...command, "--check"];
    const [checked, again, blind] = await Promise.all([
      play(check, {}),
      play(command, { "vault.input": "old" }),
      play(check, { "bin/vault": denied }),
    ]);
    assertEquals(
      [checked.code, checked.secret],
      [0, undefined],
      checked.output,
    );
    assertEquals([again.code, again.secret], [0, "old"], again.output);
    assertMatch(again.output, /changed=0 /);
    assertEquals([blind.code, blind.secret], [2, undefined], blind.output);
    assertMatch(blind.output, /permission denied/);
    assertEquals(proxy.times("/new/Ansible"), []);
  },
);

unless(NO_SH).test(
  "docs/clients.md: pwgen-api generate writes a secret without a server, and no file if it is missing",
  async () => {
    const local = ["sh", "local.sh"];
    const { code, output, files } = await run("", local);
    assertEquals([code, output], [0, ""]);
    assertMatch(files["key.txt"]!, /^[0-9a-f]{32}\n$/);
    const without = { "bin/pwgen-api": "#!/bin/sh\nexit 127\n" };
    const failed = await run("", local, without);
    assertEquals([failed.code, failed.files["key.txt"]], [127, undefined]);
  },
);

unless(NO_SH).test(
  "docs/clients.md: pwgen-api generate adds a column of passwords to a list of 100 names of Excel, and writes no list for 101",
  async () => {
    const local = ["sh", "list.sh"];
    const list = (count: number) =>
      Array.from({ length: count }, (_, i) => `${i}\tÅsa, "A"; B\r\n`).join("");
    const full = { "names.txt": `\ufeff${list(100)}` };
    const { code, output, files } = await run("", local, full);
    assertEquals([code, output], [0, ""]);
    assertMatch(
      files["list.txt"]!,
      /^\ufeff(\d+\tÅsa, "A"; B\t\d\d(\p{Lu}\p{Ll}+){4}\n){100}$/u,
    );
    const passwords = files["list.txt"]!.match(/[^\t]+(?=\n)/g)!;
    assertEquals(new Set(passwords).size, 100);
    // The last line has no end.
    const long = await run("", local, { "names.txt": `${list(100)}Bo` });
    assertMatch(long.output, /^--count: 0 to 100; got 101\n$/);
    assertEquals([long.code, long.files["list.txt"]], [2, undefined]);
  },
);
