/**
 * Measures how the cost of a request grows with the number of clients, with the
 * length of the password and with the number of open connections.
 * Usage: deno task bench:growth [--seconds 3]
 *
 * @module
 */
// deno-lint-ignore-file no-console
import type { Running } from "../tests/helpers/program.ts";
import { median } from "../tests/helpers/statistics.ts";
import { load, startService } from "./load.ts";
import { readOptions } from "./options.ts";

const { seconds } = readOptions({ seconds: 3 });
// The default rate limit would reject most of the requests.
const env = { PWGEN_RATE_LIMIT: "10000" };

async function cost(
  server: Running,
  body: string,
  clients: number,
): Promise<number> {
  const path = "/api/pwgen/characters";
  const options = { path, body, clients, seconds };
  const cpu: number[] = [];
  for (let i = 0; i < 3; i++) {
    cpu.push((await load(server, options)).cpu);
  }
  return median(cpu);
}

function print(size: number, us: number): void {
  console.log(`  ${String(size).padStart(9)} ${us.toFixed(1)}`);
}

console.log("us of CPU per request, by clients:");
for (const clients of [1, 100, 10_000, 100_000, 1_000_000]) {
  await using server = await startService(env);
  // The highest limit, 10,000 per minute, rejects most requests of one client.
  await cost(server, "{}", clients);
  print(clients, await cost(server, "{}", clients));
}

console.log("us of CPU per request, by length of the password:");
await using server = await startService(env);
for (const length of [1, 20, 64, 128]) {
  print(length, await cost(server, `{"length":${length}}`, 1_000_000));
}

console.log("us of CPU per request, by other open connections:");
const idle: Deno.Conn[] = [];
for (const connections of [1, 100, 1000, 5000]) {
  while (idle.length < connections) {
    idle.push(
      await Deno.connect({ hostname: "127.0.0.1", port: server.port }),
    );
  }
  print(connections, await cost(server, "{}", 1_000_000));
}
for (const connection of idle) connection.close();
