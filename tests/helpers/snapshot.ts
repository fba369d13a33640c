/**
 * The service, which on SIGUSR2 collects its garbage and writes down all that
 * its heap holds. Usage: snapshot.ts FILE, with --expose-gc
 *
 * @module
 */
// deno-lint-ignore-file no-console
import { writeHeapSnapshot } from "node:v8";
import { readConfig } from "../../config.ts";
import { createHandler } from "../../app.ts";

declare const gc: () => void;

/** Kept on purpose: what the search must find, if it can find anything. */
const held: Response[] = [];

const config = await readConfig(
  ["--trusted-proxies=loopback"],
  () => undefined,
);
if (typeof config === "string") throw new Error("No service with --help");
const handler = createHandler(config, { log: () => {} });

Deno.serve({
  hostname: "127.0.0.1",
  port: 0,
  onListen: ({ port }) =>
    console.log(`pwgen-api 0.0.0: http://127.0.0.1:${port}/`),
}, async (request, info) => {
  const hold = request.headers.has("x-hold");
  const response = await handler(request, info.remoteAddr.hostname);
  if (hold) held.push(response.clone());
  return response;
});

Deno.addSignalListener("SIGTERM", () => Deno.exit());
Deno.addSignalListener("SIGUSR2", () => {
  gc();
  gc();
  writeHeapSnapshot(Deno.args[0]!);
  console.log("written");
});
