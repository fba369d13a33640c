/**
 * What a request costs against a bare Deno.serve that sends the same bytes and
 * header fields. Both run in turn under wrk, from many client addresses, and are
 * compared in pairs: machines differ, ratios less.
 *
 * Usage: deno task bench:http [--seconds 4] [--pairs 5]
 *
 * @module
 */
// deno-lint-ignore-file no-console
import { parseArgs } from "node:util";
import {
  load,
  type Measure,
  median,
  startBare,
  startService,
  stop,
} from "./load.ts";

const { values } = parseArgs({
  options: {
    seconds: { type: "string", default: "4" },
    pairs: { type: "string", default: "5" },
  },
});
const seconds = Number(values.seconds);

const FULL =
  '{"length":24,"lowercase":true,"uppercase":true,"numbers":true,"specialCharacters":true,"swedishCharacters":false,"specialCharacterPercentage":20}';
const CASES: [name: string, body: string, status?: 400 | 429][] = [
  ["characters", "{}"],
  ["words", "{}"],
  ["sentence", "{}"],
  ["characters", FULL],
  ["words", '{"language":"en","wordCount":5}'],
  ["characters", '{"length":129}', 400],
  ["words", "{}", 429], // but for every 50th
];

function show(name: string, measures: Measure[]): void {
  const of = (get: (measure: Measure) => number) => median(measures.map(get));
  console.log(
    `  ${name.padEnd(8)} ${
      of(({ perSecond }) => perSecond).toFixed(0).padStart(7)
    }/s ${of(({ cpu }) => cpu).toFixed(1).padStart(6)} us CPU   p50 ${
      of(({ p50 }) => p50).toFixed(2)
    } ms   p99 ${of(({ p99 }) => p99).toFixed(2)} ms`,
  );
}

for (const [name, body, status] of CASES) {
  const path = `/api/pwgen/${name}`;
  const service = await startService(
    status === 429 ? { PWGEN_RATE_LIMIT: "1" } : {},
  );
  // Behind this one address, of which a limit of 1 refuses the second request.
  if (status === 429) await startBare(service, path, body).then(stop);
  const bare = await startBare(service, path, body);
  console.log(`POST ${path} ${body} ${status ?? ""}`);
  const options = { path, body, seconds };
  for (const server of [bare, service]) {
    await load(server, { ...options, seconds: 1 });
  }
  const [ofBare, ofService]: [Measure[], Measure[]] = [[], []];
  for (let pair = 0; pair < Number(values.pairs); pair++) {
    ofBare.push(await load(bare, options));
    ofService.push(await load(service, options));
  }
  if (ofService.some(({ refused }) => refused !== (status !== undefined))) {
    throw new Error("Cannot compare: the service answered otherwise");
  }
  show("bare", ofBare);
  show("service", ofService);
  const ratio = (get: (a: Measure, b: Measure) => number) =>
    median(ofService.map((measure, i) => get(measure, ofBare[i]!))).toFixed(2);
  console.log(
    `  service to bare, median of pairs: ${
      ratio((a, b) => a.perSecond / b.perSecond)
    } in requests/s, ${ratio((a, b) => b.cpu / a.cpu)} in CPU, p99 ${
      ratio((a, b) => a.p99 / b.p99)
    } times\n`,
  );
  await stop(service);
  await stop(bare);
}
