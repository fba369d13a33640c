/**
 * Who is asking: the remote address, or what listed proxies say of it.
 *
 * @module
 */
import { type BlockList, isIP } from "node:net";

/** Tells which addresses are listed proxies. */
export interface Proxies {
  /**
   * Whether an address is a listed proxy.
   *
   * @param address an IP address
   * @returns true for a listed proxy
   */
  trusts(address: string): boolean;
}

// A check costs some microseconds, and the peers that send many requests are
// few when there are proxies. Beyond this many it starts anew.
const MAX_VERDICTS = 1024;

/**
 * Tells listed proxies from everyone else.
 *
 * @param list the addresses and networks of the proxies; none if undefined
 * @returns the judge
 *
 * @example
 * ```ts
 * import { BlockList } from "node:net";
 * import { trustedProxies } from "./client.ts";
 * import { assert } from "@std/assert";
 *
 * const list = new BlockList();
 * list.addSubnet("10.0.0.0", 8, "ipv4");
 * assert(trustedProxies(list).trusts("10.1.2.3"));
 * assert(!trustedProxies(undefined).trusts("10.1.2.3"));
 * ```
 */
export function trustedProxies(list: BlockList | undefined): Proxies {
  if (list === undefined) return { trusts: () => false };
  const verdicts = new Map<string, boolean>();
  return {
    trusts: (address) => {
      let verdict = verdicts.get(address);
      if (verdict === undefined) {
        verdict = list.check(address, isIP(address) === 6 ? "ipv6" : "ipv4");
        if (verdicts.size === MAX_VERDICTS) verdicts.clear();
        verdicts.set(address, verdict);
      }
      return verdict;
    },
  };
}

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
 * const proxies = { trusts: (address: string) => address === "127.0.0.1" };
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
    // A zone id has a meaning on the proxy's machine only.
    if (isIP(entry) === 0 || entry.includes("%")) return client;
    client = entry;
    end = comma;
  }
  return client;
}

/**
 * What a budget is kept under: an IPv4 address itself, also when it came mapped
 * into IPv6; of an IPv6 address the first 64 bits, since one host has a whole
 * /64 to itself (RFC 4291, section 2.5.4; RFC 6177).
 *
 * @param address an IP address
 * @returns an IPv4 address, or four hexadecimal groups
 *
 * @example
 * ```ts
 * import { budgetKey } from "./client.ts";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(budgetKey("192.0.2.1"), "192.0.2.1");
 * assertEquals(budgetKey("::ffff:c000:201"), "192.0.2.1");
 * assertEquals(budgetKey("2001:db8:0:1::7"), "2001:db8:0:1");
 * assertEquals(budgetKey("2001:DB8::1:2:3:4:5"), "2001:db8:0:1");
 * ```
 */
export function budgetKey(address: string): string {
  if (!address.includes(":")) return address;
  const groups = groupsOf(address);
  if (
    groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff
  ) {
    const [high, low] = [groups[6]!, groups[7]!];
    return [high >> 8, high & 255, low >> 8, low & 255].join(".");
  }
  return groups.slice(0, 4).map((group) => group.toString(16)).join(":");
}

/** The eight 16-bit groups of an IPv6 address. */
function groupsOf(address: string): number[] {
  // RFC 4291, section 2.2: "::" stands for as many zero groups as are missing,
  // and the last two groups may be written as an IPv4 address.
  const [head = "", tail] = address.split("%", 1)[0]!.split("::");
  const parse = (part: string) =>
    part.split(":").filter((text) => text !== "").flatMap((text) => {
      if (!text.includes(".")) return [parseInt(text, 16)];
      const [a, b, c, d] = text.split(".").map(Number);
      return [a! << 8 | b!, c! << 8 | d!];
    });
  const before = parse(head);
  const after = parse(tail ?? "");
  const missing = 8 - before.length - after.length;
  return [...before, ...Array(missing).fill(0), ...after];
}
