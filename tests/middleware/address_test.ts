import { assert, assertEquals } from "@std/assert";
import { BlockList, isIP } from "node:net";
import {
  overlap,
  parseAddress,
  parseAddressList,
} from "../../middleware/address.ts";
import { type Random, withRandom } from "../helpers/random.ts";

Deno.test("parseAddressList() refuses what is not a list of addresses and networks", () => {
  for (
    const list of [
      "",
      "localhost",
      "*",
      "10.0.0.1,",
      "10.0.0.1 10.0.0.2",
      "10.0.0.0/33",
      "10.0.0.0/",
      "10.0.0.0/08",
      "10.0.0/8",
      "2001:db8::/129",
      "10.0.0.0/8/8",
      "fe80::1%eth0",
    ]
  ) assertEquals(parseAddressList(list), undefined, list);
});

Deno.test("parseAddressList() refuses a network of all addresses", () => {
  const lists = [
    "0.0.0.0/0",
    "::/0",
    "10.0.0.1/0",
    "10.0.0.0/8, 0.0.0.0/0",
    "::/1",
    "::ffff:0:0/96",
    "0:0:0:0:0:ffff::/90",
    "::/80",
    "::fffe:0:0/95",
  ];
  for (const list of lists) {
    assertEquals(parseAddressList(list), undefined, list);
  }
});

Deno.test("overlap() tells whether two lists have an address in common", () => {
  const cases: [string, string, boolean][] = [
    ["10.0.0.0/8", "10.1.2.3", true],
    ["10.1.2.3/8", "192.0.2.1,10.200.0.0/16", true],
    ["loopback", "::1", true],
    ["loopback", "127.9.9.9", true],
    ["loopback", "128.0.0.1", false],
    ["192.0.2.7", "192.0.2.8, 192.0.2.7", true],
    ["2001:db8::/32", "2001:db8:1::/48", true],
    ["10.0.0.0/8", "::ffff:10.1.2.3", true],
    ["::ffff:10.0.0.0/104", "10.1.2.3", true],
    ["10.0.0.0/8", "11.0.0.0/8,2001:db8::1", false],
    ["2001:db8:1::/48", "2001:db8:2::/48", false],
  ];
  for (const [one, other, expected] of cases) {
    const [a, b] = [parseAddressList(one)!, parseAddressList(other)!];
    assertEquals([overlap(a, b), overlap(b, a)], [expected, expected], one);
  }
});

/** Texts that are nearly addresses, and those that are. */
function randomText(random: Random): string {
  const ipv4 = () =>
    Array.from({ length: 4 }, () => random.below(256)).join(".");
  const groups = Array.from({ length: 8 }, () => {
    const digits = random.below(2 ** (4 * random.below(5))).toString(16);
    return digits.padStart(random.below(5), "0");
  });
  if (random.below(3) === 0) groups.splice(-2, 2, ipv4());
  if (random.below(2) === 0) {
    const from = random.below(groups.length);
    groups.splice(from, random.below(groups.length - from) + 1, "");
    if (from === 0) groups.unshift("");
    if (from === groups.length - 1) groups.push("");
  }
  const texts = [ipv4(), `::ffff:${ipv4()}`, groups.join(":")];
  let text = random.pick(texts);
  for (let i = random.below(3); i > 0; i--) {
    const [at, removed] = [random.below(text.length + 1), random.below(2)];
    const inserted = random.pick(["", ":", ".", "0", "9", "f", "F", "g", "%"]);
    text = text.slice(0, at) + inserted + text.slice(at + removed);
  }
  return text;
}

withRandom.test("parseAddress() and parseAddressList() agree with isIP() and BlockList", (random) => {
  const family = (text: string) => text.includes(":") ? "ipv6" : "ipv4";
  const addresses: string[] = [];
  for (let i = 0; i < 30_000; i++) {
    const text = randomText(random);
    const isAddress = isIP(text) !== 0 && !text.includes("%");
    assertEquals(parseAddress(text) !== undefined, isAddress, text);
    if (isAddress) addresses.push(text);
  }
  assert(addresses.length > 5000, `${addresses.length}`);
  let inside = 0;
  for (let i = 0; i < 30_000; i++) {
    const start = random.pick(addresses);
    const length = random.below(family(start) === "ipv4" ? 33 : 129);
    const list = parseAddressList(`${start}/${length}`);
    if (list === undefined) continue; // a network of all addresses
    const blocks = new BlockList();
    blocks.addSubnet(start, length, family(start));
    // The address with one other bit, and another address.
    const near = [...parseAddress(start)!] as [number, number, number, number];
    const bit = random.below(128);
    near[bit >> 5]! ^= 1 << (31 - bit % 32);
    const nearText = near.flatMap((word) => [word >>> 16, word & 0xffff])
      .map((group) => group.toString(16)).join(":");
    for (const text of [nearText, random.pick(addresses)]) {
      const expected = blocks.check(text, family(text));
      const actual = list.includes(parseAddress(text)!);
      assertEquals(actual, expected, `${start}/${length} ${text}`);
      if (expected) inside++;
    }
  }
  assert(inside > 3000, `${inside}`);
});
