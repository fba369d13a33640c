/**
 * The client of a request: the remote address, or the address that trusted
 * proxies report.
 *
 * @module
 */
import type { ClientKey } from "./limiters/sliding_window.ts";

/** A list of addresses and networks. */
export interface AddressList {
  /** One address of each entry. */
  readonly addresses: readonly string[];
  /**
   * Tells whether an address is in the list.
   *
   * @param address an IP address
   * @returns true if an entry is this address or contains it
   */
  includes(address: string): boolean;
}

/** The proxies that the operator trusts. */
export interface Proxies {
  /** The list of the operator; undefined if it is empty. */
  readonly list?: AddressList;
  /**
   * Tells whether an address is a trusted proxy.
   *
   * @param address an IP address
   * @returns true for a trusted proxy
   */
  trusts(address: string): boolean;
  /**
   * Returns the address in an entry of X-Forwarded-For.
   *
   * @param entry the entry, without white space around it
   * @returns the address without its port; undefined if the entry is no IP address,
   *   or one with a zone
   */
  addressIn(entry: string): string | undefined;
}

/**
 * An empty list of proxies.
 */
export const NO_PROXIES: Proxies = {
  trusts: () => false,
  addressIn: () => undefined,
};

/**
 * Returns the address of the client.
 *
 * X-Forwarded-For is read from the right, since each proxy appends the address
 * of its own client. The first address that is not a trusted proxy is the
 * client. If an entry is not an address, the proxy that reported it is the
 * client. If all addresses are trusted proxies, the leftmost one is the client.
 * The port of an entry is ignored.
 *
 * @param peer the address at the other end of the socket
 * @param forwardedFor the X-Forwarded-For header field, or null without one
 * @param proxies the trusted proxies
 * @param onInvalid called if an entry is not an address
 * @returns the address of the client, as written in the field,
 *   without a port
 */
export function clientAddress(
  peer: string,
  forwardedFor: string | null,
  proxies: Proxies,
  onInvalid: () => void = () => {},
): string {
  let client = peer;
  let unread = forwardedFor;
  while (unread !== null && proxies.trusts(client)) {
    const comma = unread.lastIndexOf(",");
    const address = proxies.addressIn(unread.slice(comma + 1).trim());
    if (address === undefined) {
      onInvalid();
      break;
    }
    client = address;
    unread = comma < 0 ? null : unread.slice(0, comma);
  }
  return client;
}

/**
 * Returns the key of the client that sent a request.
 *
 * @param request the request
 * @param peer the address at the other end of the socket
 * @param proxies the proxies whose X-Forwarded-For is believed
 * @returns the key, see {@linkcode addressKey}
 */
export function clientKey(
  request: Request,
  peer: string,
  proxies: Proxies,
): ClientKey {
  const forwardedFor = proxies.trusts(peer)
    ? request.headers.get("x-forwarded-for")
    : null;
  return addressKey(clientAddress(peer, forwardedFor, proxies));
}

/**
 * Returns the key under which the rate limiter counts an address. All addresses
 * of an IPv6 /64 have one key, since one host usually has a /64 to itself (RFC
 * 4291, section 2.5.4; RFC 6177). An IPv4-mapped IPv6 address has the key of its
 * IPv4 address.
 *
 * @param address an IP address
 * @returns the first 64 bits of an IPv6 address. For an IPv4 address: 32 one bits,
 *   then the address (no IPv6 host has this prefix: RFC 4291, section 2.7).
 */
export function addressKey(address: string): ClientKey {
  if (!address.includes(":")) return { high: -1, low: parseIPv4(address) };
  const groups = parseIPv6(address);
  const half = (at: number) => groups[at]! << 16 | groups[at + 1]!;
  return half(0) === 0 && half(2) === 0 && half(4) === 0xffff
    ? { high: -1, low: half(6) }
    : { high: half(0), low: half(2) };
}

/**
 * Parses a valid IPv4 address to an int32. Each request needs it, and split()
 * takes four times as long.
 */
function parseIPv4(address: string): number {
  let bits = 0;
  let byte = 0;
  for (let i = 0; i < address.length; i++) {
    const code = address.charCodeAt(i);
    if (code === DOT) {
      bits = bits << 8 | byte;
      byte = 0;
    } else byte = 10 * byte + code - ZERO;
  }
  return bits << 8 | byte;
}

const DOT = 46;
const ZERO = 48;

/**
 * Parses a valid IPv6 address to its eight 16-bit groups. "::" stands for the
 * missing groups, which are zero, and the last two groups may be written as an
 * IPv4 address (RFC 4291, section 2.2).
 */
function parseIPv6(address: string): number[] {
  const parse = (text: string) =>
    text.split(":").filter((group) => group !== "").flatMap((group) => {
      if (!group.includes(".")) return [parseInt(group, 16)];
      const bits = parseIPv4(group);
      return [bits >>> 16, bits & 0xffff];
    });
  const [withoutZone = ""] = address.split("%", 1);
  const [head = [], tail = []] = withoutZone.split("::").map(parse);
  const missing = 8 - head.length - tail.length;
  return [...head, ...Array<number>(missing).fill(0), ...tail];
}
