/**
 * How the cost of a request grows: with the number of clients, with the length
 * of the password, with the number of connections that are open.
 * Usage: deno task bench:growth [--seconds 3]
 *
 * @module
 */
// deno-lint-ignore-file no-console
import { parseArgs } from "node:util";
import { load, median, type Server, startService, stop } from "./load.ts";

const { values } = parseArgs({
  options: { seconds: { type: "string", default: "3" } },
});
const seconds = Number(values.seconds);
// Whoever is asked so often must have a budget for it.
const env = { PWGEN_RATE_LIMIT: "10000" };

async function cost(
  server: Server,
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

console.log("us of CPU a request, by clients:");
for (const clients of [1, 100, 10_000, 100_000, 1_000_000]) {
  const server = await startService(env);
  // With one client most are refused: 10,000 a minute is the highest limit.
  await cost(server, "{}", clients);
  const us = await cost(server, "{}", clients);
  console.log(`  ${String(clients).padStart(9)} ${us.toFixed(1)}`);
  await stop(server);
}

console.log("us of CPU a request, by length of the password:");
const server = await startService(env);
for (const length of [1, 20, 64, 128]) {
  const us = await cost(server, `{"length":${length}}`, 1_000_000);
  console.log(`  ${String(length).padStart(9)} ${us.toFixed(1)}`);
}

console.log("us of CPU a request, by other connections that are open:");
const { hostname, port } = new URL(server.url);
const idle: Deno.Conn[] = [];
for (const connections of [1, 100, 1000, 5000]) {
  while (idle.length < connections) {
    idle.push(await Deno.connect({ hostname, port: Number(port) }));
  }
  const us = await cost(server, "{}", 1_000_000);
  console.log(`  ${String(connections).padStart(9)} ${us.toFixed(1)}`);
}
for (const connection of idle) connection.close();
await stop(server);
