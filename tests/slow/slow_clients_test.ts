import { assert, assertEquals } from "@std/assert";
import { RawConnection } from "../helpers/connection.ts";
import { end, requestWords, serve, spawn, unless } from "../helpers/program.ts";

/** Connections whose header, and whose body, never ends; 1,000 may be pending. */
const [HEADERS, BODIES] = [1000, 1200];
/** The descriptors that the service needs, and that this process needs. */
const DESCRIPTORS = HEADERS + BODIES + 300;

/** The limit of open files that this process and its children have. */
async function openFilesLimit(): Promise<number> {
  if (Deno.build.os === "windows") return 0;
  const { stdout } = await end(spawn("sh", ["-c", "ulimit -n"]));
  return stdout.trim() === "unlimited" ? Infinity : Number(stdout);
}

const withDescriptors = unless(
  await openFilesLimit() >= DESCRIPTORS
    ? ""
    : `needs ulimit -Hn ${DESCRIPTORS}`,
);

withDescriptors.test("of 2,200 clients that send one byte per second, 1,000 get 408 for their bodies, 200 get 503, and no other client waits", async () => {
  const env = { PWGEN_TRUSTED_PROXIES: "loopback" };
  await using service = await serve({ env });
  using clients = new DisposableStack();
  const slow: RawConnection[] = [];
  /** Begins a request; returns its response and the seconds until then. */
  const begin = async (client: number, rest: string) => {
    const connection = clients.use(await RawConnection.connect(service.port));
    await connection.write(
      "POST /api/pwgen/words HTTP/1.1\r\nHost: localhost\r\n" +
        "Content-Type: application/json\r\n" +
        `X-Forwarded-For: 10.0.${client >> 8}.${client & 255}\r\n${rest}`,
    );
    slow.push(connection);
    const start = performance.now();
    return async () => {
      const { status, headers } = await connection.read();
      const seconds = (performance.now() - start) / 1000;
      return { status, retryAfter: headers.get("retry-after"), seconds };
    };
  };
  const timer = setInterval(() => {
    for (const connection of slow) connection.write("x").catch(() => {});
  }, 1000);
  clients.defer(() => clearInterval(timer));
  const deadline = setTimeout(() => clients.dispose(), 60_000);
  clients.defer(() => clearTimeout(deadline));

  let ended = 0;
  for (let n = 0; n < HEADERS; n++) {
    const read = await begin(n, "X-Slow: ");
    read().catch(() => {}).finally(() => ended++);
  }
  const responses = [];
  for (let n = 0; n < BODIES; n++) {
    responses.push((await begin(n, "Content-Length: 16000\r\n\r\n{"))());
  }
  const start = performance.now();
  for (let n = 0; n < 50; n++) {
    assertEquals((await requestWords(service)).status, 200);
  }
  assert(performance.now() - start < 9000, "a normal client waits");
  const all = await Promise.all(responses);
  const late = all.filter(({ status }) => status === 408);
  const excess = all.filter(({ status }) => status === 503);
  assertEquals([late.length, excess.length], [1000, 200]);
  assert(late.every(({ seconds }) => seconds > 9.9));
  assert(excess.every(({ seconds }) => seconds < 9.9));
  assert(excess.every(({ retryAfter }) => retryAfter === "10"));
  assertEquals(ended, 0, "the slow headers are still pending");
  // Now a body may be pending again.
  const next = await begin(
    0,
    "Expect: 100-continue\r\nContent-Length: 2\r\n\r\n",
  );
  assertEquals((await next()).status, 100);
});
