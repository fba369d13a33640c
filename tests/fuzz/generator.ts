/**
 * The requests of the fuzz test. A seed and an index determine each of them.
 *
 * @module
 */
import { assertEquals } from "@std/assert";
import { Random } from "../helpers/random.ts";
import { BODY_KINDS, type BodyKind } from "./bodies.ts";
import { expectedOutcomes, FIELDS, OK } from "./oracle.ts";
import {
  buildRequest,
  type FuzzRequest,
  type RequestKind,
} from "./request_parts.ts";
import { REQUEST_KINDS } from "./requests.ts";

/** How many requests at the start wait ten seconds for the end of a body. */
const SLOW_REQUESTS = 24;
const PATHS = [...FIELDS.keys()];

/** The random choices for an index. Those of adjacent indexes are unrelated. */
export function randomFor(seed: number, index: number): Random {
  const mixed = seed ^ Math.imul(index + 1, 0x9e3779b1);
  return new Random(Math.imul(mixed, 0x85ebca6b));
}

/** Requests of this kind of bodies. */
function requestsWith(makeBody: BodyKind): RequestKind {
  return (random, path) => {
    const [body, errors] = makeBody(random, path);
    if (errors !== undefined) {
      // The kind and the API description must agree.
      const known = errors.length === 0 ? OK : { status: 400, errors };
      assertEquals(expectedOutcomes(path, body)[0], known, body);
    }
    return { body };
  };
}

const ALL_KINDS: Record<string, [weight: number, RequestKind]> = {
  ...REQUEST_KINDS,
};
for (const [kind, [weight, makeBody]] of Object.entries(BODY_KINDS)) {
  ALL_KINDS[kind] = [weight, requestsWith(makeBody)];
}
const WEIGHTED = Object.entries(ALL_KINDS).map(([kind, [weight]]) =>
  [weight, kind] as const
);

/** The names of all kinds. */
export const KINDS: readonly string[] = Object.keys(ALL_KINDS);

/** Makes the request with this index. */
export function fuzzRequest(seed: number, index: number): FuzzRequest {
  const random = randomFor(seed, index);
  const picked = random.pickWeighted(WEIGHTED);
  const kind = index < SLOW_REQUESTS ? "body never sent" : picked;
  const [, make] = ALL_KINDS[kind]!;
  const path = random.pick(PATHS);
  return buildRequest(kind, index, path, make(random, path, index));
}
