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
  /** Tells whether an entry is this IP address or contains it. */
  includes(address: string): boolean;
}

/** The proxies that the operator trusts. */
export interface Proxies {
  /** The list of the operator; undefined if it is empty. */
  readonly list?: AddressList;
  /** Tells whether an IP address is a trusted proxy. */
  trusts(address: string): boolean;
  /**
   * Returns the IP address in an entry of X-Forwarded-For, without a port;
   * undefined if the entry is no address, has a zone, or has white space around
   * it.
   */
  addressIn(entry: string): string | undefined;
}

/** An empty list: no address is trusted. */
export const NO_PROXIES: Proxies = {
  trusts: () => false,
  addressIn: () => undefined,
};

/**
 * Returns the address of the client, as written in X-Forwarded-For, without a
 * port.
 *
 * X-Forwarded-For is read from the right, since each proxy appends the address of
 * its own client. The first address that is not a trusted proxy is the client. If
 * an entry is not an address, the proxy that reported it is the client. If all
 * addresses are trusted proxies, the leftmost one is the client.
 *
 * @param peer the address at the other end of the socket
 * @param onInvalid called if an entry is not an address
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

/** Returns the {@linkcode addressKey} of the client that sent a request. */
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
 * Returns the key under which the rate limiter counts an IP address.
 *
 * All addresses of an IPv6 /64 have its 64 bits as their key, since one host
 * usually has a /64 to itself (RFC 4291, section 2.5.4; RFC 6177). An IPv4
 * address, also in an IPv4-mapped IPv6 address, has the key of 32 one bits and
 * the address. No IPv6 host has this prefix (RFC 4291, section 2.7).
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
