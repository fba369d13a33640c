/**
 * The composition of the service: which middleware surrounds which routes.
 *
 * @module
 */
import type { Config } from "./config.ts";
import type { Log } from "./log.ts";
import { accessLog, requestId } from "./middleware/access_log.ts";
import { clientOf, UNKNOWN } from "./middleware/client.ts";
import { policyMiddleware, REQUEST_BUDGET } from "./middleware/policies.ts";
import {
  type LimiterState,
  type RateLimiter,
  SlidingWindowLimiter,
} from "./middleware/limiters/sliding_window.ts";
import { Metrics } from "./middleware/metrics.ts";
import { respond } from "./middleware/respond.ts";
import { BodyReader } from "./routes/api/body.ts";
import { API, preflight } from "./routes/api/mod.ts";
import { passwordHandler } from "./routes/api/endpoint.ts";
import { Turns } from "./routes/api/turns.ts";
import { HEALTH, health, healthStatus, STOPPING } from "./routes/health.ts";
import { InFlight } from "./http/in_flight.ts";
import { type Methods, respondWith, router } from "./http/router.ts";
import { SITE } from "./routes/site/mod.ts";
import { notFound } from "./routes/site/not_found.ts";
import { limitUnread, MAX_UNREAD } from "./middleware/unread.ts";

const OPENAPI = "/openapi/v1.json";
const METRICS = "/metrics";

/** The maximum number of clients whose request budget is remembered. */
const MAX_SITE_CLIENTS = 50_000;

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
 * @param dependencies the log, and other parts that tests can replace
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
export function createHandler(
  config: Config,
  {
    log,
    now = () => performance.now(),
    limiter = new SlidingWindowLimiter({
      limit: config.rateLimit,
      maxClients: config.maxClients,
      now,
      warn: (line) => log("warning", line),
    }),
    isStopping = () => false,
    isDraining = () => false,
    lostLines = () => 0,
    tlsNotAfter,
  }: Dependencies,
): Service {
  const bodies = new BodyReader();
  const turns = new Turns();
  const unread = new InFlight(MAX_UNREAD);
  const warn = (line: string) => log("warning", line);
  const metrics = config.metrics === "on"
    ? new Metrics({ limiter, bodies, unread, now, lostLines, tlsNotAfter })
    : undefined;

  const unreadLimit = limitUnread(unread);
  const table: Record<string, Methods> = {
    [HEALTH]: { GET: ["health", health(isStopping)] },
  };
  for (const [path, endpoint] of Object.entries(API)) {
    const handler = passwordHandler(endpoint, bodies, turns, unreadLimit);
    table[path] = { POST: ["api", handler], OPTIONS: ["open", preflight] };
  }
  for (const [path, document] of Object.entries(SITE)) {
    table[path] = { GET: ["site", document] };
  }
  for (const path of [HEALTH, "/"]) {
    table[path] = {
      ...table[path],
      OPTIONS: ["health", healthStatus(isStopping)],
    };
  }
  if (metrics) table[METRICS] = { GET: ["open", metrics.handler] };

  const policies = policyMiddleware({
    limit: config.rateLimit,
    limiter: metrics?.limiter ?? limiter,
    unreadLimit,
    budget: new SlidingWindowLimiter({
      limit: REQUEST_BUDGET,
      maxClients: MAX_SITE_CLIENTS,
      now,
      name: "Request budget",
      warn,
    }),
    warn,
  });
  const stop = respondWith(STOPPING);
  const unknownPath = policies.site(notFound);
  const route = router(table, {
    policies,
    unknownPath,
    override: ({ headers }, { path }) => {
      if (isDraining()) return stop;
      // A proxy that forwards every path would show the metrics to everyone.
      const isForwarded = path === METRICS && headers.has("x-forwarded-for");
      return isForwarded ? unknownPath : undefined;
    },
  });
  const apiPaths = Object.keys(API);
  let handler = respond(
    (request, context) => {
      context.client = clientOf(
        context.peer,
        request.headers.get("x-forwarded-for"),
        config.trustedProxies,
        config.exemptClients,
      );
      return route(request, context);
    },
    {
      logError: (line, request, context) =>
        log("error", line, requestId(request, context)),
      // Deno Deploy speaks TLS in front of the process.
      tls: config.tls !== undefined || config.onDenoDeploy,
      hstsMaxAge: config.hstsMaxAge,
      negotiated: new Set(apiPaths),
      // A page that has a wrong path of the API can read why.
      isForAnyOrigin: (path) => path.startsWith("/api/") || path === OPENAPI,
    },
  );
  if (metrics) {
    const routes = Object.keys(table);
    handler = metrics.measureRequests(routes, apiPaths)(handler);
  }
  if (config.accessLog === "json") {
    handler = accessLog({
      log: (line) => log("access", line),
      except: [HEALTH, METRICS],
    })(handler);
  }
  return {
    handler: (request, peer, info) =>
      handler(request, { path: "/", client: UNKNOWN, peer, info }),
    drain: async () => {
      await bodies.drain();
      await turns.drain();
    },
  };
}
