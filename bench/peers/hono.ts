/**
 * What a user could write in place of the service: Hono on Deno, with a range check
 * and randomness in batches. With the argument "same" it does what the service does
 * for each password: the fields, the exact bits, the rate limit and the header fields.
 * Usage: deno run --no-lock --allow-all bench/peers/hono.ts [same]
 *
 * @module
 */
import { SlidingWindowLimiter } from "../../middleware/limiters/sliding_window.ts";
import { characters } from "../../routes/api/characters.ts";
import { formatBits } from "../../generators/minimum_entropy.ts";
import { draw } from "../../routes/api/endpoint.ts";
import { importNpm } from "../../tools/needs.ts";
import { CHARACTERS } from "./characters.ts";

/** The part of Hono that is in use. */
interface HonoContext {
  req: {
    header(name: string): string | undefined;
    json(): Promise<Record<string, unknown>>;
  };
  json(
    value: object,
    status?: number,
    headers?: Record<string, string>,
  ): Response;
}
type HonoHandler = (c: HonoContext) => Promise<Response>;
type HonoClass = new () => {
  fetch: (request: Request) => Response | Promise<Response>;
  post(path: string, handler: HonoHandler): void;
};

const { Hono } = await importNpm<{ Hono: HonoClass }>("npm:hono@4.13.19");

const batch = new Uint8Array(4096);
let next = batch.length;

/** Draws an index below a size of at most 256. */
function randomIndex(size: number): number {
  const end = 256 - 256 % size;
  while (true) {
    if (next === batch.length) {
      crypto.getRandomValues(batch);
      next = 0;
    }
    const byte = batch[next++]!;
    if (byte < end) return byte % size;
  }
}

const minimal: HonoHandler = async (c) => {
  const { length = 20 } = await c.req.json();
  if (
    typeof length !== "number" || !Number.isInteger(length) || length < 1 ||
    length > 128
  ) {
    return c.json({ error: "length must be an integer from 1 to 128" }, 400);
  }
  let password = "";
  while (password.length < length) {
    password += CHARACTERS[randomIndex(CHARACTERS.length)];
  }
  return c.json({ password, length, type: "characters" });
};

const limiter = new SlidingWindowLimiter({
  limit: 60,
  maxClients: 10_000_000,
  now: () => performance.now(),
});

const same: HonoHandler = async (c) => {
  const { admitted, remaining, resetMs } = limiter.admit(
    c.req.header("x-forwarded-for")!,
  );
  if (!admitted) return c.json({ error: "too many requests" }, 429);
  const result = characters.passwords(await c.req.json());
  if (result.errors) return c.json(result.errors, 400);
  return c.json(draw("characters", result), 200, {
    "access-control-allow-origin": "*",
    "access-control-expose-headers":
      "Retry-After, RateLimit, RateLimit-Policy, Entropy-Bits",
    "cache-control": "no-store",
    "entropy-bits": formatBits(result.bits),
    "ratelimit": `"default";r=${remaining};t=${Math.ceil(resetMs / 1000)}`,
    "ratelimit-policy": '"default";q=60;w=60',
    "vary": "Accept",
    "x-content-type-options": "nosniff",
  });
};

const app = new Hono();
app.post(
  "/api/pwgen/characters",
  Deno.args[0] === "same" ? same : minimal,
);

Deno.serve({
  hostname: "127.0.0.1",
  port: 0,
  onListen: ({ port }) => {
    // deno-lint-ignore no-console
    console.log(`pwgen-api 0.0.0: http://127.0.0.1:${port}/`);
  },
}, app.fetch);
