import { assert, assertEquals } from "@std/assert";
import { RawConnection } from "../helpers/connection.ts";
import {
  end,
  HANG_MS,
  requestWords,
  serve,
  spawn,
  unless,
} from "../helpers/program.ts";

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
  let late = 0;
  /** Begins a request; its field or its body begins with the result. */
  const begin = async (client: number, rest: string) => {
    const connection = clients.use(await RawConnection.connect(service.port));
    await connection.write(
      "POST /api/pwgen/words HTTP/1.1\r\nHost: localhost\r\n" +
        "Content-Type: application/json\r\n" +
        `X-Forwarded-For: 10.0.${client >> 8}.${client & 255}\r\n${rest}`,
    );
    return async (text: string) => {
      const start = performance.now();
      await connection.write(text);
      slow.push(connection);
      const { status, headers } = await connection.read();
      const seconds = (performance.now() - start) / 1000;
      if (status === 408) late++;
      return { status, retryAfter: headers.get("retry-after"), seconds };
    };
  };
  const timer = setInterval(() => {
    for (const connection of slow) connection.write("x").catch(() => {});
  }, 1000);
  clients.defer(() => clearInterval(timer));
  const deadline = setTimeout(() => clients.dispose(), HANG_MS);
  clients.defer(() => clearTimeout(deadline));

  let ended = 0;
  for (let n = 0; n < HEADERS; n++) {
    const start = await begin(n, "X-Slow: ");
    start("x").catch(() => {}).finally(() => ended++);
  }
  const starts = [];
  for (let n = 0; n < BODIES; n++) {
    starts.push(await begin(n, "Content-Length: 16000\r\n"));
  }
  // All at once, since each has its deadline from now on.
  const responses = starts.map((start) => start("\r\n{"));
  assertEquals((await requestWords(service)).status, 200);
  assertEquals(late, 0, "a normal client waits");
  const all = await Promise.all(responses);
  assertEquals(late, 1000);
  for (const { status, seconds, retryAfter } of all) {
    if (status === 408) assert(seconds > 9.9, `${seconds} s`);
    else assertEquals([status, retryAfter], [503, "10"]);
  }
  assertEquals(ended, 0, "the slow headers are still pending");
  // Now a body may be pending again.
  const next = await begin(0, "Expect: 100-continue\r\nContent-Length: 2\r\n");
  assertEquals((await next("\r\n")).status, 100);
});
