// The test prints its seed and the outcomes.
// deno-lint-ignore-file no-console
import { assert, assertEquals, assertMatch } from "@std/assert";
import { Buffer } from "node:buffer";
import {
  ignoreClosed,
  RawConnection,
  type RawResponse,
} from "../helpers/connection.ts";
import {
  HANG_MS,
  requestWords,
  residentBytes,
  serveDirectly,
} from "../helpers/program.ts";
import { cases, Random } from "../helpers/random.ts";
import { assertDescribed } from "../helpers/schema.ts";
import { type CostRefusal, costRefusal } from "../oracle.ts";
import { CANARY, kindOf, type Permitted } from "./bodies.ts";
import { type FuzzRequest, fuzzRequest } from "./requests.ts";

const REQUESTS = cases(40_000);
const CONNECTIONS = 32;
/** The maximum number of requests before the client reads a response. */
const BATCH = 20;

/**
 * The permitted growth of memory with half of the requests. Garbage changes it by
 * about 20 MiB. A leak of 2 KiB per request is 39 MiB.
 */
const MAX_GROWTH_MIB = 35;

/** The same requests in every run, except in that of the night. */
const SEED = Number(Deno.env.get("PWGEN_SEED") || 20_260_801) | 0;

/**
 * What of a response the contract is about: status and errors, "refused", ...; and the
 * cost for which a request is refused.
 */
function outcomeOf(
  response: RawResponse | undefined,
): [outcome: string, refusal?: CostRefusal | undefined] {
  if (response === undefined) return ["closed"];
  const { status, headers, body } = response;
  if (!headers.has("x-content-type-options")) {
    // The HTTP layer of Deno has refused the request.
    assertEquals([status, body, headers.get("connection")], [400, "", "close"]);
    return ["refused"];
  }
  const { errors = {} } = body === "" ? {} : JSON.parse(body);
  const names = Object.keys(errors).sort();
  return [[status, ...names].join(" "), costRefusal(errors)];
}

/** Checks a response, or that the connection is closed without one. */
function check(
  { method, path }: FuzzRequest,
  permitted: Permitted,
  response?: RawResponse,
): string {
  const [outcome, refusal] = outcomeOf(response);
  const outcomes = permitted(refusal);
  assert(outcomes.includes(outcome), `${outcome} instead of ${outcomes}`);
  if (response === undefined || outcome === "refused") return outcome;
  const { status, head, headers, body } = response;
  const { instance = path, ...rest } = body === "" ? {} : JSON.parse(body);
  assert(!(head + JSON.stringify(rest)).toLowerCase().includes(CANARY), body);
  // A problem does not repeat a long path.
  assertEquals(instance, path.length <= 200 || body === "" ? path : null);
  if (outcome === "200" && method === "POST") {
    assertEquals(rest.type, kindOf(path));
  }
  // The document does not describe preflight requests.
  if (status === 204) assertEquals([method, body], ["OPTIONS", ""]);
  else {
    assertDescribed(
      new Response(null, { status, headers }),
      body,
      path,
      method,
    );
  }
  return outcome;
}

/** The results so far. */
interface Results {
  failure?: string;
  /** The number of responses by status, closed connections included. */
  readonly statuses: Record<string, number>;
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
  const { after } = requests.at(-1)!;
  connection ??= await RawConnection.connect(port);
  let current = requests[0]!;
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    connection[Symbol.dispose]();
  }, HANG_MS);
  try {
    const text = requests.map(({ text }) => text).join("");
    const bytes = Buffer.from(text, "latin1");
    // Sometimes a part arrives later. (If the service closed the connection before,
    // the late part would reset it, and a response could be lost.)
    const isSplit = after === "continue" && bytes.length % 4 === 0;
    const middle = isSplit ? bytes.length >> 1 : 0;
    const written = (async () => {
      await connection.write(bytes.subarray(0, middle));
      await connection.write(bytes.subarray(middle));
      if (after === "half-close") await connection.closeWrite();
    })().catch(ignoreClosed);
    if (after === "close") await written;
    for (current of requests) {
      for (const permitted of current.responses) {
        const response = await connection.next(current.method);
        assert(!isLate, `no response in ${HANG_MS} ms`);
        const outcome = check(current, permitted, response);
        const [status] = outcome.split(" ") as [string];
        results.statuses[status] = (results.statuses[status] ?? 0) + 1;
      }
    }
    await written;
    if (after === "continue") return connection;
    if (after !== "close") {
      await connection.closeWrite().catch(ignoreClosed);
      const next = await connection.next("GET");
      assertEquals(next, undefined, "more responses than requests");
    }
  } catch (error) {
    results.failure = `${error}\nPWGEN_SEED=${SEED} repeats it. It sent ${
      JSON.stringify(current.text)
    }, one byte for each character`;
  } finally {
    clearTimeout(timer);
  }
  connection[Symbol.dispose]();
  return undefined;
}

Deno.test("fuzzing: the service is correct for random requests", async (t) => {
  console.log(`PWGEN_SEED=${SEED}`);
  await using service = await serveDirectly({
    PWGEN_TRUSTED_PROXIES: "loopback",
    PWGEN_ACCESS_LOG: "json",
    // The client table must be full before the first measurement of memory.
    PWGEN_MAX_CLIENTS: "5000",
  });
  const { process: { pid }, port } = service;
  const random = new Random(SEED);
  const results: Results = { statuses: {} };
  let next = 0;
  /** Sends requests over 32 connections, up to this number of all. */
  const sendTo = async (end: number) => {
    const work = async () => {
      let connection: RawConnection | undefined;
      let group: FuzzRequest[] = [];
      while (next < end && results.failure === undefined) {
        const request = fuzzRequest(random, next++);
        if (request.after === "continue" && group.length < BATCH) {
          group.push(request);
          continue;
        }
        // A request after which the connection ends is sent alone: its end could
        // destroy responses to earlier requests.
        for (const requests of [group, [request]]) {
          if (requests.length === 0 || results.failure !== undefined) continue;
          connection = await exchange(results, port, requests, connection);
        }
        group = [];
      }
      connection?.[Symbol.dispose]();
    };
    await Promise.all(Array.from({ length: CONNECTIONS }, work));
    assert(results.failure === undefined, results.failure);
  };
  const hasMemory = Deno.build.os === "linux";
  const memory = () => hasMemory ? residentBytes(pid) / 2 ** 20 : NaN;

  await sendTo(REQUESTS / 2);
  const before = memory();
  await sendTo(REQUESTS);
  let growth = memory() - before;
  if (growth >= MAX_GROWTH_MIB) {
    // Garbage does not double with twice the requests, but a leak does.
    await sendTo(1.5 * REQUESTS);
    growth = (memory() - before) / 2;
  }
  console.log(results.statuses);

  await t.step(
    "requests of every outcome were sent",
    () =>
      assertEquals(Object.keys(results.statuses).sort(), [
        "200",
        "204",
        "400",
        "404",
        "405",
        "413",
        "closed",
        "refused",
      ]),
  );

  const skipped = hasMemory ? "" : " (skipped: no /proc)";
  await t.step({
    name: `memory does not grow${skipped}`,
    ignore: !hasMemory,
    fn: () => assert(growth < MAX_GROWTH_MIB, `${growth} MiB more`),
  });

  await t.step(
    "the service still responds, and logged no failure",
    async () => {
      const headers = { "x-forwarded-for": "192.0.2.1" };
      assertEquals((await requestWords(service, headers)).status, 200);
      const { stdout, stderr } = service;
      assertMatch(
        stderr.text,
        /^(\{.*"message":"Rate limit: (forgot|a proxy in) .*"\}\n)*$/,
      );
      assert(!stdout.text.toLowerCase().includes(CANARY));
    },
  );
});
