/**
 * Compares the cost of a request with that of a bare Deno.serve that sends the
 * same bytes and header fields. wrk loads both in turn, from many client
 * addresses. The ratios of the pairs vary less than the times.
 *
 * Usage: deno task bench:http [--seconds 4] [--pairs 5]
 *
 * @module
 */
// deno-lint-ignore-file no-console
import { characters } from "../routes/api/characters.ts";
import { post } from "../tests/helpers/program.ts";
import { median } from "../tests/helpers/statistics.ts";
import { load, type Measurement, startBare, startService } from "./load.ts";
import { readOptions } from "./options.ts";

const { seconds, pairs } = readOptions({ seconds: 4, pairs: 5 });

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
const CASES: [name: string, body: string, status?: 400 | 429][] = [
  ["characters", "{}"],
  ["words", "{}"],
  ["sentence", "{}"],
  ["characters", FULL],
  ["words", '{"language":"en","wordCount":5}'],
  ["characters", '{"length":129}', 400],
  ["words", "{}", 429], // except every 50th
];

function print(name: string, measurements: Measurement[]): void {
  const medianOf = (get: (measurement: Measurement) => number) =>
    median(measurements.map(get));
  console.log(
    `  ${name.padEnd(8)} ${
      medianOf(({ perSecond }) => perSecond).toFixed(0).padStart(7)
    }/s ${medianOf(({ cpu }) => cpu).toFixed(1).padStart(6)} us CPU   p50 ${
      medianOf(({ p50 }) => p50).toFixed(2)
    } ms   p99 ${medianOf(({ p99 }) => p99).toFixed(2)} ms`,
  );
}

for (const [name, body, status] of CASES) {
  const path = `/api/pwgen/${name}`;
  await using service = await startService(
    status === 429 ? { PWGEN_RATE_LIMIT: "1" } : {},
  );
  // The limit of 1 rejects the second request of this client.
  if (status === 429) await (await post(service.url + path, body)).text();
  await using bare = await startBare(service, path, body);
  console.log(`POST ${path} ${body} ${status ?? ""}`);
  const options = { path, body, seconds };
  for (const server of [bare, service]) {
    await load(server, { ...options, seconds: 1 });
  }
  const ofBare: Measurement[] = [];
  const ofService: Measurement[] = [];
  for (let pair = 0; pair < pairs; pair++) {
    ofBare.push(await load(bare, options));
    ofService.push(await load(service, options));
  }
  if (ofService.some(({ hasErrors }) => hasErrors !== (status !== undefined))) {
    throw new Error("Cannot compare: the service had another status");
  }
  print("bare", ofBare);
  print("service", ofService);
  const ratio = (get: (a: Measurement, b: Measurement) => number) =>
    median(ofService.map((service, i) => get(service, ofBare[i]!))).toFixed(2);
  console.log(
    `  service to bare, median of pairs: ${
      ratio((a, b) => a.perSecond / b.perSecond)
    } in requests/s, ${ratio((a, b) => b.cpu / a.cpu)} in CPU, p99 ${
      ratio((a, b) => a.p99 / b.p99)
    } times\n`,
  );
}
