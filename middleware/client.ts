/**
 * The client of a request: its address, past all trusted proxies.
 *
 * @module
 */
import type { Client } from "../http/context.ts";
import { type Address, type AddressList, parseAddress } from "./address.ts";

/**
 * An entry with a port or in brackets: `192.0.2.1:80`, `[2001:db8::1]:443`,
 * `[2001:db8::1]`. It is read in linear time.
 */
const WITH_PORT =
  /^(?:([\d.]+):\d{1,5}|\[([\da-f]*:[\da-f:.]+)\](?::\d{1,5})?)$/i;

/** More than the longest address with a port. A longer entry would take 5 ms. */
const MAX_ENTRY_LENGTH = 64;

function parseEntry(entry: string): Address | undefined {
  if (entry.length > MAX_ENTRY_LENGTH) return undefined;
  const address = parseAddress(entry);
  if (address !== undefined) return address;
  const [, ipv4, ipv6] = WITH_PORT.exec(entry) ?? [];
  return parseAddress(ipv4 ?? ipv6 ?? "");
}

/**
 * The number of entries of X-Forwarded-For that are looked at. Thousands of entries
 * that are all trusted would take 20 ms.
 */
const MAX_ENTRIES = 32;

/** The address of all connections without an IP address, such as Unix sockets. */
const WITHOUT_ADDRESS: Address = [0, 0, 0, 0];

/**
 * Finds the client. Only the X-Forwarded-For of trusted proxies counts. It is read
 * from the right, since each proxy appends the address that it sees: the first
 * address that is not a trusted proxy is the client. An entry that is not an address
 * ends the search, and the proxy that reported it is the client. If all are trusted
 * proxies, the leftmost is the client. Only the last 32 entries are looked at.
 *
 * @param peer the address at the other end of the socket; it may have a zone or a port.
 *   Undefined for a connection without an IP address: all of these are one client
 * @param forwardedFor the value of X-Forwarded-For; null if it is missing
 * @param proxies the trusted proxies; undefined if there are none
 * @param exempt the clients that the rate limit does not apply to
 * @returns the client
 *
 * @example
 * ```ts
 * import { parseAddressList } from "./address.ts";
 * import { clientOf } from "./client.ts";
 * import { assertEquals } from "@std/assert";
 *
 * const proxies = parseAddressList("loopback, 10.0.0.0/8");
 * const { key } = clientOf("::1", "198.51.100.1, 10.1.2.3", proxies);
 * assertEquals(key, clientOf("198.51.100.1", null).key);
 * ```
 */
export function clientOf(
  peer: string | undefined,
  forwardedFor: string | null,
  proxies?: AddressList,
  exempt?: AddressList,
): Client {
  let address = parseEntry(peer?.split("%", 1)[0] ?? "") ?? WITHOUT_ADDRESS;
  const isProxied = proxies?.includes(address) ?? false;
  let doubt: Client["doubt"];
  if (address === WITHOUT_ADDRESS) doubt = "may be a proxy";
  else if (isProxied && forwardedFor === null) {
    doubt = "proxy names no client";
  } else if (!isProxied && forwardedFor !== null) {
    doubt = "proxy is not trusted";
  }
  let unread = isProxied ? forwardedFor : null;
  for (
    let entries = 0;
    unread !== null && entries < MAX_ENTRIES && proxies!.includes(address);
    entries++
  ) {
    const comma = unread.lastIndexOf(",");
    const next = parseEntry(unread.slice(comma + 1).trim());
    if (next === undefined) {
      doubt = "proxy names no client";
      break;
    }
    address = next;
    unread = comma < 0 ? null : unread.slice(0, comma);
  }
  if (unread !== null) doubt ??= "may be a proxy";
  const [high, low, mapped, ipv4] = address;
  const isIPv4 = high === 0 && low === 0 && mapped === 0xffff;
  return {
    address,
    // No host has an IPv6 address that begins with ffff:ffff, an int32 of -1.
    key: isIPv4 ? `-1:${ipv4}` : `${high}:${low}`,
    network: isIPv4 ? undefined : `${high}:${low >>> 16}/48`,
    isExempt: exempt?.includes(address) ?? false,
    isProxied,
    doubt,
  };
}
