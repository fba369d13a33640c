/**
 * Counts the steps of API requests: how often each block of code is executed. The
 * count does not depend on the machine. This is a program of its own, because the
 * profiler would disturb the measurement of coverage.
 *
 * Usage: deno run steps.ts '[["characters",{"count":100}]]'
 *
 * @module
 */
// deno-lint-ignore-file no-console
import { Session } from "node:inspector/promises";
import { API } from "../../routes/api/mod.ts";
import { draw } from "../../routes/api/endpoint.ts";

const requests: ["characters" | "words" | "sentence", object][] = JSON.parse(
  Deno.args[0]!,
);
const session = new Session();
session.connect();
await session.post("Profiler.enable");
await session.post("Profiler.startPreciseCoverage", {
  ...{ callCount: true, detailed: true },
});
const steps: number[] = [];
for (const [type, body] of requests) {
  await session.post("Profiler.takePreciseCoverage"); // sets the counts to 0
  const requested = API[`/api/pwgen/${type}`]!.passwords({ ...body });
  if (!requested.errors) draw(type, requested);
  const { result } = await session.post("Profiler.takePreciseCoverage");
  const counts = result.filter(({ url }) => url.startsWith("file:"))
    .flatMap(({ functions }) => functions)
    .flatMap(({ ranges }) => ranges.map(({ count }) => count));
  steps.push(counts.reduce((sum, count) => sum + count, 0));
}
console.log(JSON.stringify(steps));
session.disconnect();
