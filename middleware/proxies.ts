/**
 * Lists of addresses: the trusted proxies, and the exempt clients. Only a service
 * with such a list loads this module, since `node:net` takes as long to load as
 * the rest of the program.
 *
 * @module
 */
import { BlockList, isIP } from "node:net";
import type { AddressList, Proxies } from "./client.ts";

/** The networks that `loopback` stands for. */
const LOOPBACK = ["127.0.0.0/8", "::1"];

// BlockList.check() takes some microseconds, and proxies are few, so results are
// kept; the Map is cleared at this size.
const MAX_VERDICTS = 1024;

// A zone has a meaning only on the machine that wrote it (RFC 4007, section 6).
const isAddress = (text: string) => isIP(text) !== 0 && !text.includes("%");

/**
 * Some proxies append a port to an entry, such as 192.0.2.1:80 or [2001:db8::1]:443
 * (RFC 7239, section 6).
 */
function addressIn(entry: string): string | undefined {
  if (isAddress(entry)) return entry;
  const [, ipv4, ipv6] =
    /^(?:([\d.]+)|\[([\da-f]*:[\da-f:.]+)\]):\d{1,5}$/i.exec(entry) ?? [];
  const address = ipv4 ?? ipv6 ?? "";
  return isAddress(address) ? address : undefined;
}

const familyOf = (address: string) => isIP(address) === 6 ? "ipv6" : "ipv4";

/** Reads the list of trusted proxies, see {@linkcode readAddresses}. */
export function readProxies(text: string): Proxies | undefined {
  const list = readAddresses(text);
  return list && { list, addressIn, trusts: list.includes };
}

/**
 * Tells whether two lists have an address in common. One address of each entry is
 * enough, since of two networks that overlap one contains the other.
 */
export function overlap(one: AddressList, other: AddressList): boolean {
  return one.addresses.some(other.includes) ||
    other.addresses.some(one.includes);
}

/**
 * Reads a list of IP addresses, networks such as 10.0.0.0/8, or "loopback",
 * separated by commas. Returns undefined if the text is not such a list, or has a
 * network of all addresses.
 */
export function readAddresses(text: string): AddressList | undefined {
  const addresses: string[] = [];
  const list = new BlockList();
  const entries = text.split(",").map((entry) => entry.trim())
    .flatMap((entry) => entry === "loopback" ? LOOPBACK : [entry]);
  for (const entry of entries) {
    const [, address = "", prefix] =
      /^([^/]+)(?:\/(0|[1-9][0-9]*))?$/.exec(entry) ?? [];
    if (!isAddress(address)) return undefined;
    const family = familyOf(address);
    const bits = family === "ipv6" ? 128 : 32;
    const length = Number(prefix ?? bits);
    if (length > bits) return undefined;
    list.addSubnet(address, length, family);
    // If everyone is a trusted proxy, everyone can forge an address. The network
    // ::ffff:0:0/96 is that of all IPv4 addresses (RFC 4291, section 2.5.5.2).
    const hasAllIPv4 = length <= 96 && family === "ipv6" &&
      list.check("::ffff:0:0", "ipv6");
    if (length === 0 || hasAllIPv4) return undefined;
    addresses.push(address);
  }

  const verdicts = new Map<string, boolean>();
  return {
    addresses,
    includes: (address) => {
      let verdict = verdicts.get(address);
      if (verdict === undefined) {
        verdict = list.check(address, familyOf(address));
        if (verdicts.size === MAX_VERDICTS) verdicts.clear();
        verdicts.set(address, verdict);
      }
      return verdict;
    },
  };
}
