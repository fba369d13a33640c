/**
 * The composition of the service: which middleware surrounds which routes.
 *
 * @module
 */
import type { Config } from "./config.ts";
import type { Middleware } from "./http/context.ts";
import { compose, divert, respondWith } from "./http/handlers.ts";
import { InFlight } from "./http/in_flight.ts";
import { INVALID_HOST, router, type RoutingTable } from "./http/router.ts";
import type { Log } from "./log.ts";
import { accessLog } from "./middleware/access_log.ts";
import { clientOf } from "./middleware/client.ts";
import {
  type LimiterState,
  type RateLimiter,
  SlidingWindowLimiter,
} from "./middleware/limiters/sliding_window.ts";
import { Metrics } from "./middleware/metrics.ts";
import { rateLimit } from "./middleware/rate_limit.ts";
import { keepStatus, requestBudget } from "./middleware/request_budget.ts";
import { respond } from "./middleware/respond.ts";
import { limitUnread, MAX_UNREAD } from "./middleware/unread.ts";
import { BodyReader } from "./routes/api/body.ts";
import { passwordHandler } from "./routes/api/endpoint.ts";
import { API, preflight } from "./routes/api/mod.ts";
import { Turns } from "./routes/api/turns.ts";
import { HEALTH, health, healthStatus, STOPPING } from "./routes/health.ts";
import { SITE } from "./routes/site/mod.ts";
import { notFound } from "./routes/site/not_found.ts";

const OPENAPI = "/openapi/v1.json";
const METRICS = "/metrics";

/** The paths whose requests are not in the access log. */
const UNLOGGED = [HEALTH, METRICS];

const FORWARDED_FOR = "x-forwarded-for";

const isForwarded = ({ headers }: Request) => headers.has(FORWARDED_FOR);

const never = () => false;

/** A path of the API, or the document about it: web pages of every origin may read it. */
function isForAnyOrigin(path: string): boolean {
  // A page that has a wrong path of the API can read why.
  return path.startsWith("/api/") || path === OPENAPI;
}

/** What surrounds every handler, the outermost first. */
function everyRequest(
  { accessLog: format, tls, onDenoDeploy, hstsMaxAge }: Config,
  log: Log,
  metrics: Metrics | undefined,
  routes: readonly string[],
): Middleware {
  const apiPaths = Object.keys(API);
  return compose(
    format === "json" ? accessLog(log, UNLOGGED) : undefined,
    metrics?.measureRequests(routes, apiPaths),
    respond({
      log,
      // Deno Deploy speaks TLS in front of the process.
      tls: tls !== undefined || onDenoDeploy,
      hstsMaxAge,
      negotiated: new Set(apiPaths),
      isForAnyOrigin,
    }),
  );
}

/** Makes a row of the routing table for each path of a record. */
function rows<T>(
  record: Readonly<Record<string, T>>,
  row: (value: T) => RoutingTable[string],
): RoutingTable {
  const entries = Object.entries(record);
  return Object.fromEntries(entries.map(([path, value]) => [path, row(value)]));
}

/** What the service needs besides its configuration. */
export interface Dependencies {
  /** Writes a line to the log. */
  readonly log: Log;
  /** A monotonic clock, in milliseconds. The default is `performance.now`. */
  readonly now?: () => number;
  /** Tells whether the process is stopping. The default returns false. */
  readonly isStopping?: () => boolean;
  /** Tells whether new requests get 503. The default returns false. */
  readonly isDraining?: () => boolean;
  /** The rate limiter. The default counts in memory. */
  readonly limiter?: RateLimiter & LimiterState;
  /** Returns how many lines of the log were lost. The default returns 0. */
  readonly lostLines?: () => number;
  /** Returns when the certificate expires, in seconds since 1970; only with TLS. */
  readonly tlsNotAfter?: (() => Promise<number>) | undefined;
}

/**
 * Handles a request; `peer` is the address at the other end of the socket, undefined
 * if it has none.
 */
export type ServerHandler = (
  request: Request,
  peer: string | undefined,
  info?: { readonly completed: Promise<void> },
) => Promise<Response>;

/** A service that does not listen yet. It shares no state with any other. */
export interface Service {
  /** The handler for Deno.serve. */
  readonly handler: ServerHandler;
  /**
   * Waits until no request body is pending and no request waits for its turn. While
   * `isDraining` no body begins, so this takes 12 seconds at most.
   */
  readonly drain: () => Promise<void>;
}

/**
 * Assembles the service.
 *
 * @param config the settings
 * @param parts the log, and other parts that tests can replace
 * @returns the handler for Deno.serve, and the drain that precedes its shutdown
 *
 * @example
 * ```ts
 * import { createHandler } from "./app.ts";
 * import { readConfig } from "./config.ts";
 * import { assertEquals } from "@std/assert";
 *
 * const config = readConfig([], () => undefined);
 * if (typeof config === "string") throw new Error("Unexpected --help");
 * const { handler } = createHandler(config, { log: () => {} });
 * const response = await handler(
 *   new Request("http://localhost/healthz"),
 *   "192.0.2.1",
 * );
 * assertEquals(await response.json(), { status: "ok" });
 * ```
 */
export function createHandler(config: Config, parts: Dependencies): Service {
  const { log, isStopping = never, isDraining = never } = parts;
  const { now = () => performance.now(), lostLines = () => 0 } = parts;
  const { rateLimit: limit, maxClients } = config;
  const { trustedProxies: proxies, exemptClients: exempt } = config;
  const warn = (line: string) => log("warning", line);
  const bodies = new BodyReader();
  const turns = new Turns();
  const unread = new InFlight(MAX_UNREAD);
  const limiter = parts.limiter ??
    new SlidingWindowLimiter({ limit, maxClients, now, warn });
  const metrics = config.metrics === "on"
    ? new Metrics({ ...parts, limiter, bodies, unread, now, lostLines })
    : undefined;

  // What limits the requests to a path.
  const budget = requestBudget({ now, warn });
  const limitLists = limitUnread(unread);
  const site = compose(budget, limitLists);
  const status = keepStatus(site);
  const counted = metrics?.limiter ?? limiter;
  const api = rateLimit({ limit, limiter: counted, refused: budget, warn });

  const check = { handler: status(healthStatus(isStopping)), route: HEALTH };
  const unknownPath = site(notFound);
  const table: RoutingTable = {
    [HEALTH]: { GET: status(health(isStopping)), OPTIONS: check },
    ...rows(API, (endpoint) => ({
      POST: api(passwordHandler(endpoint, bodies, turns, limitLists)),
      OPTIONS: budget(preflight),
    })),
    ...rows(SITE, (document) => ({ GET: site(document) })),
    "/": { GET: site(SITE["/"]!), OPTIONS: check },
    ...(metrics && {
      [METRICS]: {
        GET: budget(metrics.handler),
        // A proxy that forwards every path would show the metrics to everyone.
        around: divert(isForwarded, unknownPath),
      },
    }),
  };

  // What surrounds all of them, the outermost first.
  const every = everyRequest(config, log, metrics, Object.keys(table));
  const find = router(table, {
    around: compose(every, divert(isDraining, respondWith(STOPPING))),
    refused: site,
    unknownPath,
    invalidHost: every(site(respondWith(INVALID_HOST))),
  });
  return {
    handler: (request, peer, info) => {
      const [path, { route, handler }] = find(request);
      const forwardedFor = request.headers.get(FORWARDED_FOR);
      const client = clientOf(peer, forwardedFor, proxies, exempt);
      return handler(request, { peer, path, route, client, info });
    },
    drain: () => bodies.drain().then(() => turns.drain()),
  };
}
