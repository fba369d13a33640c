/**
 * The composition of the service: which middleware surrounds which routes.
 *
 * @module
 */
import type { Config } from "./config.ts";
import type { Log } from "./log.ts";
import { accessLog, requestId } from "./middleware/access_log.ts";
import { catchErrors } from "./middleware/catch_errors.ts";
import { clientOf } from "./middleware/client.ts";
import { compose } from "./middleware/compose.ts";
import { endConnect } from "./middleware/connect.ts";
import { head } from "./middleware/head.ts";
import {
  type LimiterState,
  type RateLimiter,
  SlidingWindowLimiter,
} from "./middleware/limiters/sliding_window.ts";
import { Metrics } from "./middleware/metrics.ts";
import { rateLimit } from "./middleware/rate_limit.ts";
import { responseHeaders } from "./middleware/response_headers.ts";
import {
  limitUnread,
  REQUEST_BUDGET,
  requestBudget,
} from "./middleware/site_limits.ts";
import { BodyReader } from "./routes/api/body.ts";
import { API, preflight } from "./routes/api/mod.ts";
import { passwordHandler } from "./routes/api/endpoint.ts";
import { Turns } from "./routes/api/turns.ts";
import type { Handler } from "./routes/context.ts";
import { HEALTH, health, STOPPING } from "./routes/health.ts";
import type { Problem } from "./routes/problem.ts";
import {
  INVALID_HOST,
  isValidHost,
  requestPath,
  respondWith,
  router,
} from "./routes/router.ts";
import { SITE } from "./routes/site/mod.ts";
import { notFound } from "./routes/site/not_found.ts";

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
  /** Tells whether the process is stopping. The default always says no. */
  readonly isStopping?: () => boolean;
  /** Tells whether new requests get 503. The default always says no. */
  readonly isDraining?: () => boolean;
  /** The rate limiter. The default counts in memory. */
  readonly limiter?: RateLimiter & LimiterState;
  /** Counts the lost lines of the log. The default always returns 0. */
  readonly lostLines?: () => number;
  /** Returns when the certificate expires, in seconds since 1970; only with TLS. */
  readonly tlsNotAfter?: (() => Promise<number>) | undefined;
}

/** Handles a request; `peer` is the address at the other end of the socket. */
export type ServerHandler = (
  request: Request,
  peer: string,
  info?: { readonly completed: Promise<void> },
) => Promise<Response>;

/** A service that does not listen yet. It shares no state with another one. */
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
 * Puts the service together.
 *
 * @param config the settings
 * @param dependencies the log, and other parts that tests can replace
 * @returns the handler for Deno.serve, and what stopping needs
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
  const { middleware: unreadLimited, unread } = limitUnread();
  const metrics = config.metrics === "on"
    ? new Metrics({ limiter, bodies, unread, now, lostLines, tlsNotAfter })
    : undefined;
  const budgeted = requestBudget(
    new SlidingWindowLimiter({
      limit: REQUEST_BUDGET,
      maxClients: MAX_SITE_CLIENTS,
      now,
      name: "Request budget",
      warn: (line) => log("warning", line),
    }),
  );

  /** The limits of all but the API and the metrics. */
  const limited = (handler: Handler) => budgeted(unreadLimited(handler));
  const refuse = (problem: Problem) => limited(respondWith(problem));

  const table: Record<string, Record<string, Handler>> = {
    [HEALTH]: { GET: limited(health(isStopping)) },
  };
  const rateLimited = rateLimit({
    limit: config.rateLimit,
    warn: (line) => log("warning", line),
    budget: budgeted,
    limiter: metrics?.limiter ?? limiter,
  });
  for (const [path, endpoint] of Object.entries(API)) {
    const handler = passwordHandler(endpoint, bodies, turns, unreadLimited);
    table[path] = {
      POST: compose([metrics?.timeRequests, rateLimited], handler),
      // Not limited by unread responses, since its response has no body.
      OPTIONS: budgeted(preflight),
    };
  }
  for (const [path, document] of Object.entries(SITE)) {
    table[path] = { GET: limited(document) };
  }
  // Not limited by unread responses, since it shows how many there are.
  if (metrics) table[METRICS] = { GET: budgeted(metrics.handler) };

  const apiPaths = Object.keys(API);
  const middleware = [
    config.accessLog === "json"
      ? accessLog({
        log: (line) => log("access", line),
        except: [HEALTH, METRICS],
      })
      : undefined,
    metrics?.countRequests(Object.keys(table)),
    endConnect,
    head,
    // Deno Deploy speaks TLS in front of the process.
    responseHeaders({
      tls: config.tls !== undefined || config.onDenoDeploy,
      hstsMaxAge: config.hstsMaxAge,
      negotiated: new Set(apiPaths),
      anyOrigin: new Set([...apiPaths, OPENAPI]),
    }),
    catchErrors((line, request, context) =>
      log("error", line, requestId(request, context))
    ),
  ];
  const refuseHost = refuse(INVALID_HOST);
  const stop = respondWith(STOPPING);
  const route = router(table, {
    notFound: limited(notFound),
    refuse,
    instead: () => isDraining() ? stop : undefined,
  });
  const respond = compose(
    middleware,
    (request, context) =>
      (context.hasInvalidHost ? refuseHost : route)(request, context),
  );
  return {
    handler: (request, peer, info) => {
      // A request over HTTP/2 has no Host field: its authority is only in the URL.
      const host = request.headers.get("host");
      const hasInvalidHost = host !== null && !isValidHost(host);
      const path = requestPath(request.url, hasInvalidHost ? host : "");
      const client = clientOf(
        peer,
        request.headers.get("x-forwarded-for"),
        config.trustedProxies,
        config.exemptClients,
      );
      return respond(request, { path, hasInvalidHost, client, info });
    },
    drain: async () => {
      await bodies.drain();
      await turns.drain();
    },
  };
}
