import { assert, assertEquals } from "@std/assert";
import {
  overlap,
  readAddresses,
  readProxies,
} from "../../middleware/proxies.ts";

Deno.test("readProxies() reads addresses, networks and loopback", () => {
  const cases: [string, string, boolean][] = [
    ["loopback", "127.0.0.1", true],
    ["loopback", "127.9.9.9", true],
    ["loopback", "::1", true],
    ["loopback", "128.0.0.1", false],
    ["10.0.0.0/8, 192.0.2.7", "10.255.0.1", true],
    ["10.0.0.0/8,192.0.2.7", "192.0.2.7", true],
    ["10.0.0.0/8,192.0.2.7", "192.0.2.8", false],
    ["2001:db8::/32", "2001:db8:ffff::1", true],
    ["2001:db8::/32", "2001:db9::1", false],
    ["128.0.0.0/1", "192.0.2.1", true],
    ["::ffff:10.0.0.0/104", "10.255.0.1", true],
    ["::ffff:10.0.0.0/104", "11.0.0.1", false],
  ];
  for (const [list, address, expected] of cases) {
    const { trusts } = readProxies(list)!;
    assertEquals(trusts(address), expected, `${list} ${address}`);
  }
});

Deno.test("readProxies() refuses what is not a list of addresses and networks", () => {
  for (
    const list of [
      ...["", "localhost", "*", "10.0.0.1,", "10.0.0.1 10.0.0.2"],
      ...["10.0.0.0/33", "10.0.0.0/", "10.0.0.0/08", "10.0.0/8"],
      ...["2001:db8::/129", "10.0.0.0/8/8", "fe80::1%eth0"],
    ]
  ) assertEquals(readProxies(list), undefined, list);
});

Deno.test("readAddresses() refuses a network of all addresses", () => {
  for (
    const list of [...[
      "0.0.0.0/0",
      "::/0",
      "10.0.0.1/0",
      "10.0.0.0/8, 0.0.0.0/0",
    ], ...[
      "::ffff:0:0/96",
      "::ffff:0.0.0.0/96",
      "0:0:0:0:0:ffff::/90",
      "::/80",
      "::/1",
      "::fffe:0:0/95",
    ]]
  ) assertEquals(readAddresses(list), undefined, list);
});

Deno.test("overlap() tells whether two lists have an address in common", () => {
  const cases: [string, string, boolean][] = [
    ["10.0.0.0/8", "10.1.2.3", true],
    ["10.1.2.3/8", "192.0.2.1,10.200.0.0/16", true],
    ["loopback", "::1", true],
    ["2001:db8::/32", "2001:db8:1::/48", true],
    ["10.0.0.0/8", "::ffff:10.1.2.3", true],
    ["::ffff:10.0.0.0/104", "10.1.2.3", true],
    ["10.0.0.0/8", "11.0.0.0/8,2001:db8::1", false],
    ["2001:db8:1::/48", "2001:db8:2::/48", false],
  ];
  for (const [one, other, expected] of cases) {
    const [a, b] = [readAddresses(one)!, readAddresses(other)!];
    assertEquals([overlap(a, b), overlap(b, a)], [expected, expected], one);
  }
});

Deno.test("readProxies() gives the same results before and after its cache is full", () => {
  const { trusts } = readProxies("10.0.0.0/8")!;
  for (let round = 0; round < 2; round++) {
    for (let i = 0; i < 3000; i++) {
      assert(trusts(`10.0.${i >> 8}.${i & 255}`));
      assert(!trusts(`11.0.${i >> 8}.${i & 255}`));
    }
  }
});
