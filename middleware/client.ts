/**
 * Who is asking: the remote address, or what listed proxies say of it.
 *
 * @module
 */
import type { BudgetKey } from "./limiters/sliding_window.ts";

/** Tells which addresses are listed proxies. */
export interface Proxies {
  /**
   * Whether an address is a listed proxy.
   *
   * @param address an IP address
   * @returns true for a listed proxy
   */
  trusts(address: string): boolean;
  /**
   * Whether what a proxy reports is an address that a client can have.
   *
   * @param text an entry of X-Forwarded-For
   * @returns true for an IP address without a zone
   */
  isAddress(text: string): boolean;
}

/**
 * Nobody is a listed proxy.
 *
 * @example
 * ```ts
 * import { NO_PROXIES } from "./client.ts";
 * import { assert } from "@std/assert";
 *
 * assert(!NO_PROXIES.trusts("127.0.0.1"));
 * ```
 */
export const NO_PROXIES: Proxies = {
  trusts: () => false,
  isAddress: () => false,
};

/**
 * The address of the client.
 *
 * X-Forwarded-For is read from the right, since each proxy appends the address
 * that it was spoken to from: the first address that is not a listed proxy is
 * the client. An entry that is no address ends the walk, and the hop that
 * reported it is the client. If all are proxies, it is the leftmost.
 *
 * @param peer the address at the other end of the socket
 * @param forwardedFor the X-Forwarded-For header field, or null without one
 * @param proxies whose word counts
 * @returns the address of the client, as it was written
 *
 * @example
 * ```ts
 * import { clientAddress } from "./client.ts";
 * import { assertEquals } from "@std/assert";
 *
 * const proxies = {
 *   trusts: (address: string) => address === "127.0.0.1",
 *   isAddress: () => false, // but for IPv4, which needs no help
 * };
 * assertEquals(
 *   clientAddress("127.0.0.1", "192.0.2.66, 198.51.100.7", proxies),
 *   "198.51.100.7",
 * );
 * assertEquals(
 *   clientAddress("203.0.113.5", "192.0.2.66", proxies),
 *   "203.0.113.5",
 * );
 * ```
 */
export function clientAddress(
  peer: string,
  forwardedFor: string | null,
  proxies: Proxies,
): string {
  let client = peer;
  if (forwardedFor === null) return client;
  let end = forwardedFor.length;
  while (end >= 0 && proxies.trusts(client)) {
    const comma = end === 0 ? -1 : forwardedFor.lastIndexOf(",", end - 1);
    const entry = forwardedFor.slice(comma + 1, end).trim();
    if (parseIPv4(entry) === undefined && !proxies.isAddress(entry)) {
      return client;
    }
    client = entry;
    end = comma;
  }
  return client;
}

/**
 * The key of the client that sent a request.
 *
 * @param request the request; X-Forwarded-For is read only if it counts
 * @param peer the address at the other end of the socket
 * @param proxies whose X-Forwarded-For counts
 * @returns the key, as {@linkcode budgetKey} makes it
 *
 * @example
 * ```ts
 * import { budgetKey, clientKey, NO_PROXIES } from "./client.ts";
 * import { assertEquals } from "@std/assert";
 *
 * const headers = { "x-forwarded-for": "198.51.100.7" };
 * const request = new Request("http://localhost/", { headers });
 * assertEquals(
 *   clientKey(request, "192.0.2.1", NO_PROXIES),
 *   budgetKey("192.0.2.1"),
 * );
 * ```
 */
export function clientKey(
  request: Request,
  peer: string,
  proxies: Proxies,
): BudgetKey {
  // Reading a header field has a price: 1 us for the first one.
  const forwardedFor = proxies.trusts(peer)
    ? request.headers.get("x-forwarded-for")
    : null;
  return budgetKey(clientAddress(peer, forwardedFor, proxies));
}

/**
 * What a budget is kept under: an IPv4 address itself, also when it came mapped
 * into IPv6; of an IPv6 address the first 64 bits, since one host has a whole
 * /64 to itself (RFC 4291, section 2.5.4; RFC 6177).
 *
 * @param address an IP address
 * @returns the 64 bits; of an IPv4 address the last 32, after ones, which are
 *   the beginning of no IPv6 address that a host can have (RFC 4291, 2.7)
 *
 * @example
 * ```ts
 * import { budgetKey } from "./client.ts";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(budgetKey("192.0.2.1"), { high: -1, low: 0xc0000201 | 0 });
 * assertEquals(budgetKey("::ffff:c000:201"), budgetKey("192.0.2.1"));
 * assertEquals(budgetKey("2001:DB8::1:2:3:4:5"), {
 *   high: 0x20010db8,
 *   low: 0x00000001,
 * });
 * ```
 */
export function budgetKey(address: string): BudgetKey {
  const low = parseIPv4(address);
  if (low !== undefined) return { high: -1, low };
  const groups = groupsOf(address);
  const half = (at: number) => groups[at]! << 16 | groups[at + 1]!;
  return half(0) === 0 && half(2) === 0 && half(4) === 0xffff
    ? { high: -1, low: half(6) }
    : { high: half(0), low: half(2) };
}

/**
 * The 32 bits of an IPv4 address in decimal, as an int32; undefined for what is
 * none. By hand, since this is asked for each request: `isIP` takes three times
 * as long and gives no number.
 */
function parseIPv4(text: string): number | undefined {
  const { length } = text;
  let bits = 0;
  let part = 0;
  let digits = 0; // of the part
  let parts = 1;
  for (let at = 0; at < length; at++) {
    const digit = text.charCodeAt(at) - 48;
    if (digit === DOT) {
      if (digits === 0 || parts === 4) return undefined;
      bits = bits << 8 | part;
      part = digits = 0;
      parts++;
    } else {
      // No zero leads: some read it as a sign of octal.
      if (digit < 0 || digit > 9 || (digits > 0 && part === 0)) {
        return undefined;
      }
      part = 10 * part + digit;
      digits++;
      if (part > 255) return undefined;
    }
  }
  return parts === 4 && digits > 0 ? bits << 8 | part : undefined;
}

/** Less the code of "0". */
const DOT = -2;

/** The eight 16-bit groups of an IPv6 address that is valid. */
function groupsOf(address: string): Uint16Array {
  // RFC 4291, section 2.2: "::" stands for as many zero groups as are missing,
  // and the last two groups may be written as an IPv4 address.
  const groups = new Uint16Array(8);
  let count = 0;
  let gap = -1; // before which group "::" stands
  let start = 0; // of the group that is being read
  let group = 0;
  const { length } = address;
  for (let at = 0; at <= length; at++) {
    const code = at === length ? PERCENT : address.charCodeAt(at);
    if (code === COLON || code === PERCENT) {
      if (at > start) groups[count++] = group;
      else if (at > 0 && code === COLON) gap = count;
      if (code === PERCENT) break;
      start = at + 1;
      group = 0;
    } else if (code === FULL_STOP) {
      const ipv4 = parseIPv4(address.slice(start).split("%", 1)[0]!)!;
      groups[count++] = ipv4 >>> 16;
      groups[count++] = ipv4;
      break;
    } else {
      // 0-9 are 48-57; A-F and a-f differ in one bit, and A is 65.
      group = group << 4 | (code < 58 ? code - 48 : (code | 32) - 87);
    }
  }
  if (gap >= 0) {
    const after = count - gap;
    groups.copyWithin(8 - after, gap, count);
    groups.fill(0, gap, 8 - after);
  }
  return groups;
}

const PERCENT = 37;
const FULL_STOP = 46;
const COLON = 58;
