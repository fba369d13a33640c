import { assert, assertEquals } from "@std/assert";
import { spy } from "@std/testing/mock";
import { BlockList } from "node:net";
import { readProxies } from "../../middleware/proxies.ts";

Deno.test("readProxies() reads addresses, networks, loopback", () => {
  const judged = (list: string, address: string) =>
    readProxies(list)!.trusts(address);
  assert(judged("loopback", "127.0.0.1"));
  assert(judged("loopback", "127.9.9.9"));
  assert(judged("loopback", "::1"));
  assert(!judged("loopback", "128.0.0.1"));
  assert(judged("10.0.0.0/8, 192.0.2.7", "10.255.0.1"));
  assert(judged("10.0.0.0/8,192.0.2.7", "192.0.2.7"));
  assert(!judged("10.0.0.0/8,192.0.2.7", "192.0.2.8"));
  assert(judged("2001:db8::/32", "2001:db8:ffff::1"));
  assert(!judged("2001:db8::/32", "2001:db9::1"));
  assert(judged("0.0.0.0/0", "8.8.8.8"));
  for (
    const bad of [
      "",
      "localhost",
      "10.0.0.0/33",
      "10.0.0.0/",
      "10.0.0.0/08",
      "10.0.0/8",
      "2001:db8::/129",
      "10.0.0.0/8/8",
      "fe80::1%eth0",
      "10.0.0.1,",
      "10.0.0.1 10.0.0.2",
      "*",
    ]
  ) {
    assertEquals(readProxies(bad), undefined, bad);
  }
});

Deno.test("readProxies() asks its list once for an address, and remembers a bounded number", () => {
  using asked = spy(BlockList.prototype, "check");
  const some = readProxies("loopback")!;
  for (let i = 0; i < 10; i++) some.trusts("192.0.2.1");
  assertEquals(asked.calls.length, 1);
  for (let i = 0; i < 5000; i++) some.trusts(`10.0.${i >> 8}.${i & 255}`);
  some.trusts("192.0.2.1");
  assertEquals(asked.calls.length, 5002);
});

Deno.test("readProxies() answers alike before and after its memory is full", () => {
  const some = readProxies("10.0.0.0/8")!;
  for (let round = 0; round < 2; round++) {
    for (let i = 0; i < 3000; i++) {
      assert(some.trusts(`10.0.${i >> 8}.${i & 255}`));
      assert(!some.trusts(`11.0.${i >> 8}.${i & 255}`));
    }
  }
});
