/**
 * Requests, and how to build one from its parts.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import type { Random } from "../helpers/random.ts";
import { expectedOutcomes, latin1, type Outcome } from "./oracle.ts";

/** A request, and the outcomes that the contract permits. */
export interface FuzzRequest {
  readonly kind: string;
  readonly index: number;
  readonly bytes: Uint8Array;
  readonly method: string;
  /** The path of the request line: `instance` of a problem. */
  readonly path: string;
  /** The permitted outcomes of each response, in order. */
  readonly responses: readonly (readonly Outcome[])[];
  /**
   * What the client does after the request. "continue": it sends the next
   * request on the connection. "end": it sends nothing more. "half-close": it
   * closes its side of the connection at once. "close": it closes the
   * connection before the response. "wait": it leaves the request incomplete.
   */
  readonly after: "continue" | "end" | "half-close" | "close" | "wait";
}

/** The parts of a request. The default of each part is a usual value. */
export interface RequestParts {
  method?: string;
  target?: string;
  version?: string;
  /** Header fields, each with its end of line. */
  host?: string;
  forwardedFor?: string;
  contentType?: string;
  fields?: string;
  length?: string;
  body?: string;
  path?: string;
  responses?: FuzzRequest["responses"];
  after?: FuzzRequest["after"];
  /** Replaces the text of the whole request. */
  replace?: (text: string) => string;
}

export type RequestKind = (
  random: Random,
  path: string,
  index: number,
) => RequestParts;

/** The address of a client without earlier requests. */
export function clientAddress(index: number): string {
  return `10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`;
}

/** The text of a request to an endpoint, with one character per byte. */
export function requestText(
  index: number,
  endpoint: string,
  parts: RequestParts,
): string {
  const { method = "POST", target = endpoint, version = "HTTP/1.1" } = parts;
  const { host = "Host: localhost\r\n", fields = "", body = "{}" } = parts;
  const { contentType = "Content-Type: application/json\r\n" } = parts;
  const { length = `Content-Length: ${body.length}\r\n` } = parts;
  const client = clientAddress(index);
  const { forwardedFor = `X-Forwarded-For: ${client}\r\n` } = parts;
  return `${method} ${target} ${version}\r\n` +
    `${host}${forwardedFor}${contentType}${fields}${length}\r\n${body}`;
}

/** Makes a request to an endpoint from its parts. */
export function buildRequest(
  kind: string,
  index: number,
  endpoint: string,
  parts: RequestParts,
): FuzzRequest {
  const text = requestText(index, endpoint, parts);
  const { method = "POST", target = endpoint, body = "{}" } = parts;
  const { responses = [expectedOutcomes(endpoint, body)] } = parts;
  const { path = Buffer.from(target.split("?")[0]!, "latin1").toString() } =
    parts;
  const bytes = latin1(parts.replace?.(text) ?? text);
  const { after = "continue" } = parts;
  return { kind, index, bytes, method, path, responses, after };
}
