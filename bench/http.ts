/**
 * Compares the cost of a request with that of a bare Deno.serve that sends the
 * same bytes and header fields, and with what a user could write in place of the
 * service; then the library with packages of npm. All run in turn: wrk loads the
 * servers from many client addresses. The ratios of the pairs vary less than the
 * times.
 *
 * Hono checks one range, and sends two fields; "Hono like ours" has our fields, exact
 * bits, rate limit and header fields, but no limits of bodies. Fastify checks a schema
 * and counts clients; its passwords are by generate-password. Of the libraries, nanoid
 * cuts passwords from a text in memory, and xkpasswd draws with Math.random(), which is
 * not for secrets.
 *
 * Usage: deno task bench:http [--seconds 4] [--pairs 5]
 *
 * @module
 */
// deno-lint-ignore-file no-console
import { characters } from "../routes/api/characters.ts";
import { tempDir } from "../tests/helpers/files.ts";
import { post, type Running } from "../tests/helpers/program.ts";
import { median } from "../tests/helpers/statistics.ts";
import {
  load,
  type Measurement,
  startBare,
  startFastify,
  startHono,
  startService,
} from "./load.ts";
import { readOptions } from "./options.ts";
import { LIBRARIES, OURS } from "./peers/library.ts";

const { seconds, pairs } = readOptions({ seconds: 4, pairs: 5 });

/** How many passwords of a library are timed together, and how often. */
const [PASSWORDS, ROUNDS] = [20_000, 25];

/** A request with every field of characters, some with another value. */
const FULL = JSON.stringify({
  ...Object.fromEntries(
    Object.entries(characters.fields).map(([name, field]) => [
      name,
      field.default,
    ]),
  ),
  length: 24,
  specialCharacterPercentage: 20,
  excludeAmbiguous: true,
  minimumEntropy: 100,
});
/** Requests; peers make only characters. */
const CASES: [name: string, body: string, status?: 400 | 429][] = [
  ["characters", "{}"],
  ["characters", '{"length":129}', 400],
  ["characters", FULL],
  ["words", "{}"],
  ["sentence", "{}"],
  ["words", '{"language":"en","wordCount":5}'],
  ["words", "{}", 429], // except every 50th
];

/** A number of each measurement. */
type Get = (measurement: Measurement) => number;

/** The median of the ratios of pairs. */
function ratio(others: number[], ours: number[]): number {
  return median(others.map((other, i) => other / ours[i]!));
}

function print(name: string, measurements: Measurement[]): void {
  const medianOf = (get: Get) => median(measurements.map(get));
  console.log(
    `  ${name.padEnd(14)} ${
      medianOf(({ perSecond }) => perSecond).toFixed(0).padStart(7)
    }/s ${medianOf(({ cpu }) => cpu).toFixed(1).padStart(6)} us CPU   p50 ${
      medianOf(({ p50 }) => p50).toFixed(2)
    } ms   p99 ${medianOf(({ p99 }) => p99).toFixed(2)} ms`,
  );
}

/** Loads servers in turn, and prints what a request to each costs. */
async function compare(
  servers: Record<string, Running>,
  options: { path: string; body: string },
  hasErrors: boolean,
): Promise<void> {
  const all: Record<string, Measurement[]> = {};
  for (const [name, server] of Object.entries(servers)) {
    all[name] = [];
    await load(server, { ...options, seconds: 1 });
  }
  for (let pair = 0; pair < pairs; pair++) {
    for (const [name, server] of Object.entries(servers)) {
      all[name]!.push(await load(server, { ...options, seconds }));
    }
  }
  for (const [name, measurements] of Object.entries(all)) {
    if (measurements.some((each) => each.hasErrors !== hasErrors)) {
      throw new Error(`Cannot compare: ${name} had another status`);
    }
    print(name, measurements);
    if (name === OURS) continue;
    const toOurs = (get: Get) =>
      ratio(measurements.map(get), all[OURS]!.map(get)).toFixed(2);
    console.log(
      `    to ${OURS}, median of pairs: ${
        toOurs(({ perSecond }) => perSecond)
      } in requests/s, ${toOurs(({ cpu }) => cpu)} in CPU`,
    );
  }
  console.log();
}

/** Makes passwords with libraries in turn, and prints what a password costs. */
function compareLibraries(
  libraries: Readonly<Record<string, () => string>>,
): void {
  const times: Record<string, number[]> = {};
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [name, generate] of Object.entries(libraries)) {
      const start = performance.now();
      for (let i = 0; i < PASSWORDS; i++) generate();
      // The first time, the code is not optimized yet.
      if (round === 0) times[name] = [];
      else times[name]!.push(performance.now() - start);
    }
  }
  for (const [name, all] of Object.entries(times)) {
    if (name === OURS) continue;
    const toOurs = ratio(all, times[OURS]!).toFixed(2);
    console.log(`  ${name} to ${OURS}, median of pairs: ${toOurs} in time`);
  }
}

await using folder = await tempDir();
await using hono = await startHono("minimal");
await using honoSame = await startHono("same");
await using fastify = await startFastify(folder.path);
for (const [name, body, status] of CASES) {
  const path = `/api/pwgen/${name}`;
  await using service = await startService(
    status === 429 ? { PWGEN_RATE_LIMIT: "1" } : {},
  );
  // The limit of 1 rejects the second request of this client.
  if (status === 429) await (await post(service.url + path, body)).text();
  await using bare = await startBare(service, path, body);
  console.log(`POST ${path} ${body} ${status ?? ""}`);
  const hasPeers = name === "characters" && body !== FULL;
  const servers = {
    "Deno.serve": bare,
    [OURS]: service,
    ...hasPeers && { "Hono": hono, "Fastify": fastify },
    // Its errors have no header fields.
    ...hasPeers && !status && { "Hono like ours": honoSame },
  };
  await compare(servers, { path, body }, status !== undefined);
}
for (const [kind, libraries] of Object.entries(LIBRARIES)) {
  console.log(kind);
  compareLibraries(libraries);
}
