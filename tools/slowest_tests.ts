/**
 * Prints the ten slowest test files, the skipped tests and the result, from the
 * output of `deno task test`. Usage: deno run --allow-read tools/slowest_tests.ts LOG
 *
 * @module
 */
// deno-lint-ignore-file no-console

const SECONDS: Record<string, number> = { "µs": 1e-6, ms: 1e-3, s: 1 };

const lines = Deno.readTextFileSync(Deno.args[0]!).split("\n");
const files = new Map<string, number>();
for (const line of lines) {
  const [, file = "", name = "", minutes = 0, time, unit = ""] =
    /^(\S+) => (.*) \.\.\. \w+ \((?:(\d+)m)?(\d+)(µs|ms|s)\)$/.exec(line) ?? [];
  // The time of a test has the times of its steps in it.
  if (time === undefined || name.includes(" ... ")) continue;
  const seconds = 60 * Number(minutes) + Number(time) * SECONDS[unit]!;
  files.set(file, (files.get(file) ?? 0) + seconds);
}

console.log("The slowest test files, in seconds of their tests:");
for (
  const [file, seconds] of [...files].sort((a, b) => b[1] - a[1]).slice(0, 10)
) {
  console.log(`${seconds.toFixed(1).padStart(6)}  ${file}`);
}
for (const line of lines) {
  if (/ \.\.\. ignored |^(ok|FAILED) \| /.test(line)) console.log(line);
}
