/**
 * IP addresses and networks. (`node:net` reads both, but to load it would make
 * a start 31 % longer.)
 *
 * @module
 */

/**
 * An address as four int32s. An IPv4 address is its IPv4-mapped IPv6 address
 * (RFC 4291, section 2.5.5.2), and so is the IPv6 address that NAT64 makes of it
 * (RFC 6052, section 2.1), so that all three are equal.
 */
export type Address = readonly [number, number, number, number];

/** Reads an IPv4 address, four numbers from 0 to 255, as an int32. */
function parseIPv4(text: string): number | undefined {
  const parts = text.split(".", 5);
  if (parts.length !== 4) return undefined;
  let value = 0;
  for (const part of parts) {
    const byte = Number(part);
    // Some programs read a leading zero as octal.
    const isByte = byte >= 0 && byte <= 255 && String(byte) === part;
    if (!isByte) return undefined;
    value = value << 8 | byte;
  }
  return value;
}

/** Reads 16-bit groups between colons. An IPv4 address at the end is two groups. */
function parseGroups(text: string): number[] | undefined {
  const parts = text === "" ? [] : text.split(":");
  const ipv4 = parseIPv4(parts.at(-1) ?? "");
  if (ipv4 !== undefined) {
    const halves = [ipv4 >>> 16, ipv4 & 0xffff];
    parts.splice(-1, 1, ...halves.map((half) => half.toString(16)));
  }
  return parts.every((part) => /^[\da-f]{1,4}$/i.test(part))
    ? parts.map((part) => parseInt(part, 16))
    : undefined;
}

/** The groups of 64:ff9b::/96. */
const NAT64 = [0x64, 0xff9b, 0, 0, 0, 0].join();

/**
 * Parses an IP address. A zone is an error, since it has a meaning only on the
 * machine that wrote it (RFC 4007, section 6).
 *
 * @param text the address
 * @returns the address; undefined if the text is not an address
 */
export function parseAddress(text: string): Address | undefined {
  if (!text.includes(":")) {
    const ipv4 = parseIPv4(text);
    return ipv4 === undefined ? undefined : [0, 0, 0xffff, ipv4];
  }
  const [head, tail, more] = text.split("::");
  const [first, last] = [parseGroups(head!), parseGroups(tail ?? "")];
  if (!first || !last || more !== undefined) return undefined;
  // "::" stands for at least one group.
  const missing = 8 - first.length - last.length;
  if (tail === undefined ? missing !== 0 : missing < 1) return undefined;
  // IPv4 is only at the end.
  if (tail !== undefined && head!.includes(".")) return undefined;
  const groups = [...first, ...Array<number>(missing).fill(0), ...last];
  const word = (at: number) => groups[at]! << 16 | groups[at + 1]!;
  const isNat64 = groups.slice(0, 6).join() === NAT64;
  return isNat64
    ? [0, 0, 0xffff, word(6)]
    : [word(0), word(2), word(4), word(6)];
}

/** A list of addresses and networks. */
export interface AddressList {
  /** One address of each entry. */
  readonly addresses: readonly Address[];
  /** Tells whether an entry is this address or contains it. */
  readonly includes: (address: Address) => boolean;
}

/** The networks that `loopback` stands for. */
const LOOPBACK = ["127.0.0.0/8", "::1"];

/** The length of the prefix of all IPv4 addresses. */
const MAPPED_LENGTH = 96;

/** Tells whether two addresses have the same prefix of this length. */
function haveSamePrefix(a: Address, b: Address, length: number): boolean {
  return a.every((word, i) => {
    const inWord = Math.min(32, length - 32 * i);
    return inWord <= 0 || (word ^ b[i]!) >>> (32 - inWord) === 0;
  });
}

/**
 * Parses a list of addresses and networks, such as `loopback, 10.0.0.0/8`.
 *
 * @param text the entries, separated by commas
 * @returns the list; undefined if an entry is not one of these, or is a network of
 *   all addresses, since then anyone could forge an address
 */
export function parseAddressList(text: string): AddressList | undefined {
  const networks: { address: Address; length: number }[] = [];
  const entries = text.split(",").map((entry) => entry.trim())
    .flatMap((entry) => entry === "loopback" ? LOOPBACK : [entry]);
  for (const entry of entries) {
    const [, start = "", prefix] =
      /^([^/]+)(?:\/(0|[1-9][0-9]*))?$/.exec(entry) ?? [];
    const address = parseAddress(start);
    const isIPv4 = !start.includes(":");
    const size = isIPv4 ? 32 : 128;
    const prefixLength = Number(prefix ?? size);
    if (address === undefined || prefixLength > size) return undefined;
    const length = isIPv4 ? MAPPED_LENGTH + prefixLength : prefixLength;
    const hasAllIPv4 = length <= MAPPED_LENGTH &&
      haveSamePrefix(address, [0, 0, 0xffff, 0], length);
    if (hasAllIPv4) return undefined;
    networks.push({ address, length });
  }
  return {
    addresses: networks.map(({ address }) => address),
    includes: (address) =>
      networks.some((network) =>
        haveSamePrefix(address, network.address, network.length)
      ),
  };
}

/** Tells whether two lists have an address in common. */
export function overlap(one: AddressList, other: AddressList): boolean {
  return one.addresses.some(other.includes) ||
    other.addresses.some(one.includes);
}
