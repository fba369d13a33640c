// The test prints the numbers of requests by kind and outcome.
// deno-lint-ignore-file no-console
import { assert, assertEquals, assertMatch } from "@std/assert";
import { Buffer } from "node:buffer";
import {
  ignoreClosed,
  RawConnection,
  type RawResponse,
} from "../helpers/connection.ts";
import { post, residentBytes, serveDirectly } from "../helpers/program.ts";
import { assertDescribed } from "../helpers/schema.ts";
import { readPassword } from "../helpers/service.ts";
import { fuzzRequest, KINDS, randomFor } from "./generator.ts";
import { CANARY, type Outcome } from "./oracle.ts";
import type { FuzzRequest } from "./request_parts.ts";

const REQUESTS = 100_000;
const CONNECTIONS = 32;
/** The maximum number of requests before the client reads a response. */
const BATCH = 20;
/** The service itself waits 10 s at most. */
const DEADLINE_MS = 30_000;

/**
 * The permitted growth of memory with 50,000 requests. Garbage changes it by about
 * 20 MiB. A leak of 1 KiB per request is 49 MiB.
 */
const MAX_GROWTH_MIB = 40;

/** The number of the first request, to start again at a failure. */
const FIRST = Number(Deno.env.get("PWGEN_FIRST") ?? 0);
const SEED = Number(Deno.env.get("PWGEN_SEED") ?? 20_260_801) | 0;

/** A JavaScript string literal with one character per byte. */
function literal(bytes: Uint8Array): string {
  return JSON.stringify(Buffer.from(bytes).toString("latin1")).replace(
    /[\x7f-\xff]/g,
    (character) => `\\x${character.charCodeAt(0).toString(16)}`,
  );
}

/** The results of all requests. */
class Results {
  readonly failures: string[] = [];
  /** The number of requests by kind and outcome. */
  readonly outcomes = new Map<string, Map<string, number>>();
  /** Every text in every problem. */
  readonly problemTexts = new Set<string>();
  /** The requests of kind "wait". */
  readonly waiting: Promise<unknown>[] = [];

  count(kind: string, outcome: string, count = 1): void {
    const counts = this.outcomes.get(kind) ?? new Map();
    this.outcomes.set(kind, counts);
    counts.set(outcome, (counts.get(outcome) ?? 0) + count);
  }

  /** Prints the numbers of requests of a kind. */
  print(kind: string): void {
    const counts = [...this.outcomes.get(kind) ?? []].sort()
      .map(([outcome, count]) => `${outcome} ${count}`);
    console.log(`  ${kind}: ${counts.join(", ")}`);
  }

  /** Checks a response, or that the connection is closed without one. */
  check(
    { kind, method, path }: FuzzRequest,
    permitted: readonly Outcome[],
    response?: RawResponse,
  ): void {
    const outcome = response === undefined
      ? "closed"
      : response.headers.has("x-content-type-options")
      ? String(response.status)
      : "refused";
    this.count(kind, outcome);
    const matching = permitted.filter((each) =>
      outcome === (typeof each === "string" ? each : String(each.status))
    );
    const expected = JSON.stringify(permitted);
    assert(matching.length > 0, `${outcome} instead of ${expected}`);
    if (response === undefined) return;
    const { status, head, headers, body } = response;
    assert(!head.toLowerCase().includes(CANARY), `canary in ${head}`);
    if (outcome === "refused") {
      assertEquals([status, body], [400, ""]);
      assertEquals(headers.get("connection"), "close");
      return;
    }
    if (status === 204) {
      // The document does not describe preflight requests.
      assertEquals([method, body], ["OPTIONS", ""]);
      return;
    }
    const described = new Response(null, { status, headers });
    assertDescribed(described, body, path, method);
    if (body === "") return;
    const json = JSON.parse(body);
    if (status === 200) {
      assert(!body.toLowerCase().includes(CANARY), `canary in ${body}`);
      if (method !== "POST") return;
      assertEquals(json.type, path.split("/").at(-1));
      assertEquals(json.length, [...json.password.normalize()].length);
      assertEquals(json.passwords?.[0] ?? json.password, json.password);
      return;
    }
    const { instance, errors = {}, ...rest } = json;
    // A problem does not repeat a long path.
    assertEquals(instance, path.length <= 200 ? path : null);
    assertEquals(rest.status, status);
    const names = Object.keys(errors).sort().join();
    const isPermitted = matching.some((each) =>
      typeof each !== "string" &&
      [...each.errors ?? []].sort().join() === names
    );
    assert(isPermitted, `errors of ${names} instead of ${expected}`);
    const texts = [Object.values(rest), Object.entries(errors)].flat(3);
    // A list of fields counts as its parts. Numbers are limits and positions.
    for (const text of texts.flatMap((text) => String(text).split(", "))) {
      this.problemTexts.add(text.replace(/\d+/g, "0"));
    }
  }
}

/**
 * Sends requests in one write, and checks the responses.
 *
 * @returns the connection if it can be used again
 */
async function exchange(
  results: Results,
  port: number,
  requests: readonly FuzzRequest[],
  connection?: RawConnection,
): Promise<RawConnection | undefined> {
  const { index, kind, after } = requests.at(-1)!;
  connection ??= await RawConnection.connect(port);
  let current = requests[0]!;
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    connection[Symbol.dispose]();
  }, DEADLINE_MS);
  try {
    const bytes = Buffer.concat(requests.map(({ bytes }) => bytes));
    // A part of the data arrives later. (If the service closed the connection
    // before, the late part would reset it, and a response could be lost.)
    const random = randomFor(~SEED, index);
    const isSplit = after === "continue" && random.below(4) === 0;
    const middle = isSplit ? random.below(bytes.length) : 0;
    const written = (async () => {
      await connection.write(bytes.subarray(0, middle));
      await connection.write(bytes.subarray(middle));
      if (after === "half-close") await connection.closeWrite();
    })().catch(ignoreClosed);
    if (after === "close") await written;
    for (current of requests) {
      for (const permitted of current.responses) {
        const response = await connection.next(current.method);
        assert(!isLate, `no response in ${DEADLINE_MS} ms`);
        results.check(current, permitted, response);
      }
    }
    await written;
    if (after === "continue") return connection;
    if (after === "close") results.count(kind, "disconnected");
    else {
      await connection.closeWrite().catch(ignoreClosed);
      if (after !== "wait") {
        const next = await connection.next("GET");
        assertEquals(next, undefined, "more responses than requests");
      }
    }
  } catch (error) {
    results.failures.push(
      `${current.kind}: ${error}\nTo start again at this request, set ` +
        `PWGEN_SEED=${SEED} PWGEN_FIRST=${current.index}. It sends:\n` +
        literal(current.bytes),
    );
  } finally {
    clearTimeout(timer);
  }
  connection[Symbol.dispose]();
  return undefined;
}

/**
 * Splits a batch into groups that a connection sends in one write. A request
 * after which the connection ends has its own group: its end could destroy
 * responses to earlier requests.
 */
function groupsOf(batch: readonly FuzzRequest[]): FuzzRequest[][] {
  const groups: FuzzRequest[][] = [];
  for (const request of batch) {
    const group = groups.at(-1);
    if ([group?.[0], request].every((each) => each?.after === "continue")) {
      group!.push(request);
    } else groups.push([request]);
  }
  return groups;
}

/** Sends the requests from one index up to another, over 32 connections. */
async function sendAll(
  results: Results,
  port: number,
  from: number,
  to: number,
): Promise<void> {
  let next = from;
  const work = async () => {
    let connection: RawConnection | undefined;
    while (next < to && results.failures.length === 0) {
      const batch: FuzzRequest[] = [];
      while (batch.length < BATCH && next < to) {
        batch.push(fuzzRequest(SEED, next++));
      }
      for (const group of groupsOf(batch)) {
        if (results.failures.length > 0) break;
        if (group[0]!.after === "wait") {
          results.waiting.push(exchange(results, port, group));
        } else connection = await exchange(results, port, group, connection);
      }
    }
    connection?.[Symbol.dispose]();
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, work));
}

Deno.test("fuzzing: the service is correct for 100,000 random requests", async (t) => {
  await using service = await serveDirectly({
    PWGEN_TRUSTED_PROXIES: "loopback",
    PWGEN_ACCESS_LOG: "json",
    // The client table must be full before the first measurement of memory.
    PWGEN_MAX_CLIENTS: "5000",
  });
  const { process: { pid }, port } = service;
  const hasMemory = Deno.build.os === "linux";
  const memory = () => hasMemory ? residentBytes(pid) / 2 ** 20 : NaN;
  const results = new Results();
  const start = performance.now();
  const half = FIRST + REQUESTS / 2;
  const end = FIRST + REQUESTS;
  await sendAll(results, port, FIRST, half);
  const before = memory();
  await sendAll(results, port, half, end);
  let growth = memory() - before;
  if (growth >= MAX_GROWTH_MIB) {
    // Garbage does not double with twice the requests, but a leak does.
    await sendAll(results, port, end, end + REQUESTS / 2);
    growth = (memory() - before) / 2;
  }
  await Promise.all(results.waiting);
  const seconds = (performance.now() - start) / 1000;

  console.log(`PWGEN_SEED=${SEED}: ${seconds.toFixed(1)} s`);
  for (const kind of KINDS) results.print(kind);

  // After a response that the contract does not permit, no request follows. So
  // the steps would say nothing.
  assert(results.failures.length === 0, results.failures.join("\n\n"));

  await t.step({
    name: "every kind of request was sent",
    ignore: FIRST > 0, // only the first requests of all are slow
    fn: () =>
      assertEquals([...results.outcomes.keys()].sort(), [...KINDS].sort()),
  });

  await t.step("problems contain only texts of the service", () => {
    const { problemTexts } = results;
    const texts = [...problemTexts].join("\n");
    // With a part of the request in one text, there would be thousands.
    assert(problemTexts.size < 500, texts);
    assert(!texts.toLowerCase().includes(CANARY), texts);
  });

  await t.step("one client may send 60 requests per minute", () => {
    const { 429: rejected = 0, ...admitted } = Object.fromEntries(
      results.outcomes.get("no client address") ?? [],
    );
    const sum = Object.values(admitted).reduce((a, b) => a + b, 0);
    const most = 60 * (1 + Math.floor(seconds / 60));
    assert(sum >= 60 && sum <= most, `${sum} in ${seconds} s`);
    assert(rejected > 0);
  });

  const skipped = hasMemory ? "" : " (skipped: no /proc)";
  await t.step({
    name: `memory does not grow${skipped}`,
    ignore: !hasMemory,
    fn: () => {
      console.log(`  ${before.toFixed()} MiB, then ${growth.toFixed()} more`);
      assert(growth < MAX_GROWTH_MIB, `${growth} MiB more`);
    },
  });

  await t.step(
    "the service still responds, and logged no failure",
    async () => {
      const response = await post(
        `${service.url}/api/pwgen/words`,
        "{}",
        { "x-forwarded-for": "192.0.2.1" },
        { signal: AbortSignal.timeout(DEADLINE_MS) },
      ).catch((error) => {
        // A process that hangs does not handle SIGTERM.
        Deno.kill(pid, "SIGKILL");
        throw error;
      });
      await readPassword(response, "words");
      const { stdout, stderr } = service;
      assertMatch(
        stderr.text,
        /^(\{.*"message":"Rate limit: (forgot|refused|a proxy in) .*"\}\n)*$/,
      );
      assert(!stdout.text.toLowerCase().includes(CANARY));
    },
  );
});
