/**
 * Sends 1,000 requests per second from 20 addresses of this machine until
 * SIGTERM, then prints the results as JSON. It is a separate program, so that
 * the work of the test does not delay the requests.
 *
 * Usage: deno run -A tests/helpers/load_generator.ts URL CERTIFICATE
 *
 * @module
 */
// deno-lint-ignore-file no-console
import { post } from "./program.ts";
import { quantile } from "./statistics.ts";

/** The results of the requests; times in milliseconds. */
export interface LoadReport {
  readonly requests: number;
  readonly seconds: number;
  readonly failures: string[];
  readonly p50: number;
  readonly p99: number;
}

/** Below the limit of connections that a proxy has for these addresses. */
const MAX_IN_FLIGHT = 400;

if (import.meta.main) {
  const [url, certificate] = Deno.args as [string, string];
  const caCerts = [await Deno.readTextFile(certificate)];
  const clients = Array.from(
    { length: 20 },
    (_, i) => Deno.createHttpClient({ localAddress: `127.0.1.${i}`, caCerts }),
  );
  const failures: string[] = [];
  const times: number[] = [];
  const inFlight = new Set<Promise<void>>();
  let sent = 0;

  const sendRequest = async () => {
    const client = clients[sent++ % clients.length]!;
    const start = performance.now();
    try {
      const response = await post(url, "{}", {}, { client });
      const text = await response.text();
      if (response.status !== 200) failures.push(`${response.status} ${text}`);
    } catch (error) {
      failures.push(String(error));
    }
    times.push(performance.now() - start);
  };

  const start = performance.now();
  const timer = setInterval(() => {
    const due = Math.floor(performance.now() - start); // one per millisecond
    while (sent < due && inFlight.size < MAX_IN_FLIGHT) {
      const request = sendRequest();
      inFlight.add(request);
      request.then(() => inFlight.delete(request));
    }
  }, 5);
  Deno.addSignalListener("SIGTERM", async () => {
    clearInterval(timer);
    const seconds = (performance.now() - start) / 1000;
    await Promise.all(inFlight);
    const report: LoadReport = {
      requests: times.length,
      seconds,
      failures: failures.slice(0, 5),
      p50: quantile(times, 0.5),
      p99: quantile(times, 0.99),
    };
    console.log(JSON.stringify(report));
    Deno.exit(0);
  });
  console.log("Loading");
}
