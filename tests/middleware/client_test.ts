import { type Random, withRandom } from "../helpers/random.ts";
import { assert, assertEquals } from "@std/assert";
import process from "node:process";
import { parseAddressList } from "../../middleware/address.ts";
import { clientOf } from "../../middleware/client.ts";

const TRUSTED = parseAddressList("loopback,10.0.0.0/8,2001:db8::/32")!;

/** The key of the client at an address. */
const keyOf = (address: string) => clientOf(address, null).key;

/** Entries that are no address, with or without a port. */
const NO_ADDRESSES = [
  "",
  "unknown",
  "198.51.100.1,",
  "010.1.1.1",
  "1.2.3:80",
  "1.2.3.4:",
  "1.2.3.4:http",
  "1.2.3.4:123456",
  "1.2.3.4:80:80",
  "[1.2.3.4]:80",
  "[2001:db9::1]:",
  "[2001:db9::1%eth0]:80",
  "[:]:80",
  "2001:db9::1]:80",
  "[[2001:db9::1]]:80",
  `[${":".repeat(60_000)}`,
  "[2001:db9::1",
  "[1.2.3.4]",
  "fe80::1%eth0",
  "_hidden",
  "0x7f.1",
  "2130706433",
  " ",
  "127.0.0.1\u00a0",
  "for=127.0.0.1",
  '"127.0.0.1"',
  "9".repeat(500),
];

Deno.test("clientOf() does not look at what is too long for an address", () => {
  const timeOf = (entry: string) => {
    const start = process.cpuUsage();
    for (let i = 0; i < 200; i++) clientOf("::1", entry, TRUSTED);
    const { user, system } = process.cpuUsage(start);
    return user + system;
  };
  const runs = (entry: string) =>
    Math.min(...Array.from({ length: 5 }, () => timeOf(entry)));
  const short = runs("1".padEnd(64, ":1"));
  // Without a limit it takes 500 times as long.
  assert(runs("1".padEnd(60_000, ":1")) < 50 * short);
});

Deno.test("clientOf() reads the field from the right, past trusted proxies", () => {
  const cases: [string, string | null, string][] = [
    ["127.0.0.1", "198.51.100.1", "198.51.100.1"],
    ["127.0.0.1", "6.6.6.6, 198.51.100.1", "198.51.100.1"],
    ["127.0.0.1", "6.6.6.6,198.51.100.1,10.1.1.1,10.2.2.2", "198.51.100.1"],
    ["10.0.0.1", "  198.51.100.1  ", "198.51.100.1"],
    ["::1", "2001:db8::5, 2001:db9::1, 2001:db8::9", "2001:db9::1"],
    // All are proxies: the leftmost.
    ["127.0.0.1", "10.3.3.3, 10.2.2.2", "10.3.3.3"],
    // Only the last 32 entries are looked at.
    ["::1", `198.51.100.1${", 10.3.3.3".repeat(31)}`, "198.51.100.1"],
    ["::1", `198.51.100.1,10.4.4.4${", 10.3.3.3".repeat(31)}`, "10.4.4.4"],
    ["::1", `198.51.100.1, 10.4.4.4${",::1".repeat(15_000)}`, "::1"],
    ["::1", `unknown, 10.4.4.4${", 10.3.3.3".repeat(31)}`, "10.4.4.4"],
    // Without the field it is the peer.
    ["127.0.0.1", null, "127.0.0.1"],
    // What is not an address: the proxy that reported it is the client.
    ...NO_ADDRESSES.map((
      text,
    ): typeof cases[number] => ["127.0.0.1", text, "127.0.0.1"]),
    ["127.0.0.1", "198.51.100.1, unknown, 10.2.2.2", "10.2.2.2"],
    ["127.0.0.1", "198.51.100.1, , 10.2.2.2", "10.2.2.2"],
    // Azure Application Gateway appends the port of the client.
    ["127.0.0.1", "198.51.100.1:4711", "198.51.100.1"],
    ["127.0.0.1", "6.6.6.6, [2001:DB9::1]:443", "2001:DB9::1"],
    ["127.0.0.1", "[::ffff:198.51.100.1]:65535", "::ffff:198.51.100.1"],
    ["127.0.0.1", "198.51.100.1:1, 10.1.1.1:2,[2001:db8::9]:3", "198.51.100.1"],
    ["127.0.0.1", "6.6.6.6, [2001:db9::1]", "2001:db9::1"],
    // Without brackets this is an address and no port.
    ["127.0.0.1", "2001:db9::1:443", "2001:db9::1:443"],
    // The mapped form of a trusted proxy is that proxy.
    ["::ffff:127.0.0.1", "198.51.100.1", "198.51.100.1"],
    ["::ffff:7f00:1", "198.51.100.1, ::ffff:a00:1", "198.51.100.1"],
  ];
  for (const [peer, forwarded, client] of cases) {
    const { key } = clientOf(peer, forwarded, TRUSTED);
    assertEquals(key, keyOf(client), `${peer} ${forwarded}`);
  }
});

Deno.test("clientOf() gives every notation of an IPv4 address, and the addresses of an IPv6 /64, the same key", () => {
  const same = [
    [
      "192.0.2.1",
      "::ffff:192.0.2.1",
      "::FFFF:192.0.2.1",
      "::ffff:C000:0201",
      "0:0:0:0:0:ffff:192.0.2.1",
      "::ffff:c000:201",
      "0000:0000:0000:0000:0000:ffff:c000:0201",
      // What NAT64 makes of it.
      "64:ff9b::192.0.2.1",
      "64:ff9b::c000:201",
      "0064:FF9B:0::c000:0201",
    ],
    ["192.0.2.2"],
    ["2001:db8::", "2001:DB8:0:0:1::1", "2001:db8::5:0:0:7%eth0"],
    ["2001:db8:0:1::"],
    ["2001:db8:1::"],
    ["2001:db9::"],
    ["::1", "::2"],
    // Only 64:ff9b::/96 is NAT64.
    ["64:ff9b:1::c000:201"],
    ["64:ff9b::1:c000:201"],
    ["65::1"],
  ];
  const keys = same.map((addresses) => new Set(addresses.map(keyOf)));
  for (const [i, { size }] of keys.entries()) {
    assertEquals(size, 1, `${same[i]}`);
  }
  assertEquals(new Set(keys.flatMap((key) => [...key])).size, same.length);
});

/** Entries that a client may write into X-Forwarded-For. */
const HOSTILE = [
  ...NO_ADDRESSES.filter(({ length }) => length < 1000),
  "127.0.0.1",
  "10.0.0.1",
  "::1",
  "::ffff:127.0.0.1",
  "::ffff:7f00:1",
  "192.0.2.1",
  "192.0.2.1:80",
  "2001:db8::1",
  "[2001:db8::1]:443",
];

/** A header field of up to 1,000 hostile entries. */
function hostileList(random: Random): string {
  let list = random.pick(HOSTILE);
  for (let rest = Math.floor(1000 ** random.next()); rest > 1; rest--) {
    list += random.pick([",", ", ", " ,", ",,", "\t,"]) + random.pick(HOSTILE);
  }
  return list;
}

withRandom.test("clientOf() is what the trusted proxy appends to the field of the client, and otherwise the peer", (random) => {
  for (let i = 0; i < 2000; i++) {
    const client = ["203.0.113.5", "2001:db9::5"][i % 2]!;
    const written = hostileList(random);
    for (const proxied of ["", ", 10.1.1.1,10.2.2.2"]) {
      const field = `${written}, ${client}${proxied}`;
      assertEquals(clientOf("::1", field, TRUSTED).key, keyOf(client));
    }
    assertEquals(clientOf(client, written, TRUSTED).key, keyOf(client));
    assertEquals(clientOf("::1", written).key, keyOf("::1"));
  }
});
