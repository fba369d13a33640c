import { assert, assertEquals } from "@std/assert";
import { keyOf } from "./key.ts";
import { spy } from "@std/testing/mock";
import { DatabaseSync } from "node:sqlite";
import {
  KV_DEADLINE_MS,
  KvWindow,
  type KvWindowOptions,
} from "../../middleware/kv_window.ts";
import { contend } from "../contention.ts";
import { end, serve, start } from "../program.ts";

/** A KV file in a folder of its own, and windows that share it. */
async function shared() {
  const folder = await Deno.makeTempDir();
  const path = `${folder}/rate.kv`;
  const windows: KvWindow[] = [];
  const warnings: string[] = [];
  return {
    path,
    warnings,
    window: (options: Partial<KvWindowOptions> = {}) => {
      const window = new KvWindow({
        limit: 60,
        maxClients: 1000,
        open: () => Deno.openKv(path),
        warn: (line) => warnings.push(line),
        ...options,
      });
      windows.push(window);
      return window;
    },
    [Symbol.asyncDispose]: async () => {
      windows.forEach((window) => window.close());
      await new Promise((resolve) => setTimeout(resolve, 20));
      await Deno.remove(folder, { recursive: true });
    },
  };
}

/** Asks several times at once; how many were admitted. */
async function ask(window: KvWindow, key: string, count: number) {
  const decisions = await Promise.all(
    Array.from({ length: count }, () => window.admit(keyOf(key))),
  );
  return decisions.filter(({ admitted }) => admitted).length;
}

Deno.test("KvWindow shares one budget among processes, and slides", async () => {
  await using files = await shared();
  let now = 1_000_000_000_000;
  const clock = { now: () => now };
  const [a, b] = [files.window(clock), files.window(clock)];
  assertEquals(await ask(a, "x", 30), 30);
  now += 40_000;
  assertEquals(await ask(b, "x", 31), 30);
  assertEquals(await ask(a, "x", 5), 0);
  assertEquals(await ask(a, "y", 60), 60);
  now += 21_000; // 61 s: those of 0 s have left
  assertEquals(await ask(a, "x", 31), 30);
  assertEquals(await ask(b, "x", 31), 0);
  now += 60_000;
  assertEquals(await ask(b, "x", 61), 60);
  assertEquals(files.warnings, []);
});

Deno.test("KvWindow tells what remains and when the oldest request leaves", async () => {
  await using files = await shared();
  let now = 1_000_000_000_000;
  const window = files.window({ limit: 2, now: () => now });
  assertEquals(await window.admit(keyOf("x")), {
    admitted: true,
    remaining: 1,
    resetMs: 60_000,
  });
  now += 10_000;
  assertEquals(await window.admit(keyOf("x")), {
    admitted: true,
    remaining: 0,
    resetMs: 50_000,
  });
  now += 10_000;
  // Refused at once, without the database.
  const refused = window.admit(keyOf("x"));
  assertEquals(refused, { admitted: false, remaining: 0, resetMs: 40_000 });
});

Deno.test("KvWindow asks nothing of the database for a client that it has refused", async () => {
  await using files = await shared();
  let operations = 0;
  const window = files.window({
    open: async () => {
      const kv = await Deno.openKv(files.path);
      const get = kv.get.bind(kv);
      kv.get = ((key: Deno.KvKey) => {
        operations++;
        return get(key);
      }) as typeof kv.get;
      return kv;
    },
  });
  await ask(window, "x", 61);
  const before = operations;
  for (let i = 0; i < 10_000; i++) {
    const decision = window.admit(keyOf("x"));
    assert(!(decision instanceof Promise) && !decision.admitted);
  }
  assertEquals(operations, before);
  // Sixty-one at once took a handful of transactions, not sixty-one.
  assert(before <= 5, `${before} reads`);
});

Deno.test("KvWindow keeps 10,000 admissions of a client", async () => {
  await using files = await shared();
  const [a, b] = [
    files.window({ limit: 10_000 }),
    files.window({ limit: 10_000 }),
  ];
  assertEquals(await ask(a, "x", 6000), 6000);
  assertEquals(await ask(b, "x", 6000), 4000);
});

Deno.test("KvWindow writes a keyed hash, never an address, and lets it expire", async () => {
  await using files = await shared();
  using written = spy(Deno.AtomicOperation.prototype, "set");
  await ask(files.window(), "192.0.2.77", 3);
  await ask(files.window(), "2001:db8:1:2", 3);
  const kv = await Deno.openKv(files.path);
  const names: string[] = [];
  for await (const { key, value } of kv.list({ prefix: ["pwgen"] })) {
    const text = new TextDecoder().decode(
      key[2] instanceof Uint8Array ? key[2] : undefined,
    ) + new TextDecoder().decode(value as Uint8Array) + key.join();
    assert(!/192\.0\.2|2001:db8/.test(text));
    names.push(String(key[1]));
    if (key[1] === "window") {
      assertEquals((key[2] as Uint8Array).length, 32);
    }
  }
  assertEquals(names, ["secret", "window", "window"]);
  const windows = written.calls.map(({ args }) =>
    args as Parameters<Deno.AtomicOperation["set"]>
  ).filter(([key]) => key[1] === "window");
  assert(windows.length >= 2);
  for (const [, , options] of windows) {
    assertEquals(options, { expireIn: 60_000 });
  }
  kv.close();
  for (const end of ["", "-wal"]) {
    const raw = new TextDecoder("latin1").decode(
      await Deno.readFile(files.path + end),
    );
    assert(!raw.includes("192.0.2.77") && !raw.includes("2001:db8:1:2"));
  }
});

Deno.test("KvWindow with clocks 5 s apart renews a budget 5 s early at most", async () => {
  await using files = await shared();
  let now = 1_000_000_000_000;
  const behind = files.window({ now: () => now });
  const ahead = files.window({ now: () => now + 5000 });
  assertEquals(await ask(behind, "x", 61), 60);
  now += 54_999;
  assertEquals(await ask(ahead, "x", 61), 0);
  now += 1;
  // 55 s later by a true clock: the worst that can happen.
  assertEquals(await ask(ahead, "x", 61), 60);
  // And in the long run no more than the limit a minute: the clock behind has
  // these for 65 s.
  now += 64_999;
  assertEquals(await ask(behind, "x", 61), 0);
  now += 1;
  assertEquals(await ask(behind, "x", 61), 60);
  // Admissions of both in one window: neither adds to the other's.
  now += 120_000;
  assertEquals(await ask(ahead, "x", 30), 30);
  assertEquals(await ask(behind, "x", 61), 30);
  assertEquals(await ask(ahead, "x", 61), 0);
});

Deno.test("KvWindow does not count what a clock wrote that was set back since", async () => {
  await using files = await shared();
  let now = 1_000_000_000_000;
  const window = files.window({ limit: 1, now: () => now });
  assertEquals(await ask(window, "x", 2), 1);
  now -= 3_600_000;
  assertEquals(await ask(window, "x", 2), 1);
  now += 59_999;
  assertEquals(await ask(window, "x", 2), 0);
  now += 1;
  assertEquals(await ask(window, "x", 2), 1);
});

Deno.test("KvWindow never tells of less than nothing", async () => {
  await using files = await shared();
  assertEquals(await ask(files.window({ limit: 100 }), "x", 100), 100);
  const { admitted, remaining } = await files.window().admit(keyOf("x"));
  assertEquals([admitted, remaining], [false, 0]);
});

Deno.test("KvWindow lets 5,000 clients come at once without giving up", async () => {
  await using files = await shared();
  const window = files.window({ maxClients: 10_000 });
  const decisions = await Promise.all(
    Array.from({ length: 5000 }, (_, i) => window.admit(keyOf(`client ${i}`))),
  );
  assert(decisions.every(({ remaining }) => remaining === 59));
  assertEquals(files.warnings, []);
});

Deno.test("KvWindow decides by itself when another process holds the lock for more than 2 seconds", async () => {
  await using files = await shared();
  const window = files.window();
  assertEquals(await ask(window, "x", 10), 10);
  const other = new DatabaseSync(files.path);
  other.exec("BEGIN EXCLUSIVE");
  try {
    const start = performance.now();
    // Ten were admitted by this very process: fifty are left.
    assertEquals(await ask(window, "x", 61), 50);
    const seconds = (performance.now() - start) / 1000;
    assert(seconds > 1.9 && seconds < 6, `${seconds} s`);
    for (let i = 0; i < 5; i++) {
      assertEquals(await ask(window, "x", 1), 0);
      await new Promise((resolve) => setTimeout(resolve, 700));
    }
    // A database that can only be read is not back.
    assertEquals(files.warnings.length, 1);
  } finally {
    other.exec("ROLLBACK");
    other.close();
  }
  for (let i = 0; i < 40 && files.warnings.length < 2; i++) {
    await ask(window, "y", 1);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  assert(files.warnings[1]!.includes("is back"));
  await new Promise((resolve) => setTimeout(resolve, 1200));
  assertEquals(files.warnings.length, 2);
});

Deno.test("KvWindow decides by itself while the database is gone, says so once, and comes back", async () => {
  await using files = await shared();
  let gone = false;
  let current: Deno.Kv | undefined;
  const window = files.window({
    open: async () => {
      if (gone) throw new Deno.errors.NotFound("no database");
      return current = await Deno.openKv(files.path);
    },
  });
  assertEquals(await ask(window, "x", 10), 10);
  gone = true;
  current!.close(); // operations fail from now on
  // This process has admitted ten: it goes on from there.
  assertEquals(await ask(window, "x", 100), 50);
  assertEquals(await ask(window, "x", 10), 0);
  assertEquals(await ask(window, "y", 61), 60);
  assertEquals(files.warnings.length, 1);
  await new Promise((resolve) => setTimeout(resolve, 1100));
  await ask(window, "z", 1); // asks whether it is back: it is not
  await new Promise((resolve) => setTimeout(resolve, 50));
  assertEquals(files.warnings.length, 1);
  gone = false;
  await new Promise((resolve) => setTimeout(resolve, 1100));
  await ask(window, "z", 1);
  await new Promise((resolve) => setTimeout(resolve, 100));
  assertEquals(files.warnings.map((line) => line.split(":")[1]!.trim()), [
    files.warnings[0]!.split(":")[1]!.trim(),
    "the KV database is back",
  ]);
  // What it holds counts again: ten were admitted before it went.
  assertEquals(await ask(window, "x", 61), 50);
});

Deno.test("KvWindow lets those who stood in line while the database went leave it alone", async () => {
  await using files = await shared();
  let opened = 0;
  const window = files.window({
    open: async () => {
      opened++;
      const kv = await Deno.openKv(files.path);
      kv.atomic = () => {
        throw new TypeError("disk full");
      };
      await kv.set(["pwgen", "secret"], new Uint8Array(32));
      return kv;
    },
  });
  const decisions = await Promise.all(
    Array.from({ length: 200 }, (_, i) => window.admit(keyOf(`client ${i}`))),
  );
  assert(decisions.every(({ admitted }) => admitted));
  assertEquals(opened, 1);
  assertEquals(files.warnings.length, 1);
});

Deno.test("KvWindow waits 2 seconds for an answer, then decides by itself", async () => {
  await using files = await shared();
  const window = files.window({
    open: async () => {
      const kv = await Deno.openKv(files.path);
      await kv.set(["pwgen", "secret"], new Uint8Array(32));
      kv.atomic = () => {
        throw new Error("not reached");
      };
      const get = kv.get.bind(kv);
      kv.get = ((key: Deno.KvKey) =>
        key[1] === "secret"
          ? get(key)
          : new Promise(() => {})) as typeof kv.get;
      return kv;
    },
  });
  const start = performance.now();
  assertEquals(await ask(window, "x", 61), 60);
  const waited = performance.now() - start;
  assert(waited >= KV_DEADLINE_MS - 50 && waited < 2 * KV_DEADLINE_MS);
  assertEquals(files.warnings.length, 1);
  assert(files.warnings[0]!.includes("TimedOut"));
});

Deno.test("KvWindow of 8 processes on one file admits exactly 60 of each client's requests", async () => {
  const { admitted, others, errors } = await contend({
    processes: 8,
    clients: 20,
    requests: 200,
  });
  assertEquals(admitted, Array(20).fill(60));
  assertEquals([others, errors], [[], ""]);
});

Deno.test("the program with kv:PATH goes on when the file is ruined, and shares again when it is whole", async () => {
  const folder = await Deno.makeTempDir();
  const path = `${folder}/rate.kv`;
  await using service = await serve({
    task: "start:kv",
    env: { PWGEN_KV_PATH: path },
  });
  const post = async () => {
    const response = await fetch(`${service.url}/api/pwgen/words`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: "{}",
    });
    await response.body?.cancel();
    return response.status;
  };
  assertEquals(await post(), 200);
  for (const end of ["", "-wal", "-shm"]) {
    await Deno.writeFile(path + end, new Uint8Array(100_000).fill(1));
  }
  const statuses = [];
  for (let i = 0; i < 70; i++) statuses.push(await post());
  assertEquals(statuses.filter((status) => status === 200).length, 59);
  assertEquals(statuses.filter((status) => status === 429).length, 11);
  await service.stderr.match(/^Rate limit: the KV database is gone .*\n/);
  // Letting go of the ruined file has taken some of these away already.
  for await (const { name } of Deno.readDir(folder)) {
    await Deno.remove(`${folder}/${name}`);
  }
  for (
    let i = 0;
    i < 20 && !/database is back/.test(service.stderr.text);
    i++
  ) {
    await new Promise((resolve) => setTimeout(resolve, 300));
    await post();
  }
  await service.stderr.match(/\nRate limit: the KV database is back\n$/);
  assertEquals(await post(), 200);
  await service[Symbol.asyncDispose]();
  await Deno.remove(folder, { recursive: true });
});

Deno.test("the program says in one line that its KV database cannot be opened", async () => {
  const cases: [Parameters<typeof start>[0], RegExp][] = [
    [
      { task: "start:kv" },
      /^--rate-limit-store \(PWGEN_RATE_LIMIT_STORE\): "kv:" is not allowed; use/,
    ],
    [
      { task: "start:kv", env: { PWGEN_KV_PATH: "/no/such/folder/rate.kv" } },
      /^PWGEN_RATE_LIMIT_STORE: cannot open the KV database: /,
    ],
    [
      { env: { PWGEN_RATE_LIMIT_STORE: "kv:/tmp/not-permitted.kv" } },
      /^PWGEN_RATE_LIMIT_STORE: .*no permission from Deno/,
    ],
  ];
  for (const [options, pattern] of cases) {
    const { code, stderr } = await end(start(options));
    assertEquals([code, stderr.split("\n").length], [2, 2], stderr);
    assert(pattern.test(stderr), stderr);
  }
});
