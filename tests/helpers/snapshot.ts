/**
 * The service. After SIGUSR2 it collects garbage and writes a heap snapshot.
 * Usage: snapshot.ts FILE, with --expose-gc
 *
 * @module
 */
// deno-lint-ignore-file no-console
import { writeHeapSnapshot } from "node:v8";
import { handlerFor } from "./service.ts";

declare const gc: () => void;

/** Texts that the search of the test must find. */
const kept: string[] = [];

const handler = await handlerFor(["--trusted-proxies=loopback"]);

Deno.serve({
  hostname: "127.0.0.1",
  port: 0,
  onListen: ({ port }) =>
    console.log(`pwgen-api 0.0.0: http://127.0.0.1:${port}/`),
}, async (request, info) => {
  const hold = request.headers.has("x-hold");
  const response = await handler(request, info.remoteAddr.hostname);
  if (hold) kept.push(await response.clone().text());
  return response;
});

Deno.addSignalListener("SIGTERM", () => Deno.exit());
Deno.addSignalListener("SIGUSR2", () => {
  gc();
  gc();
  writeHeapSnapshot(Deno.args[0]!);
  console.log("written");
});
