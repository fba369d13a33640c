import { assert, assertEquals } from "@std/assert";
import { end, isInstalled, ROOT, spawn, unless } from "./helpers/program.ts";

/** Runs a script as root of a network of its own. */
const inNetwork = (script: string, args: string[] = []) =>
  end(spawn("unshare", ["-rn", "sh", "-ec", script, ...args]));

/** Why the rules cannot run here. */
async function reason(): Promise<string> {
  if (Deno.build.os !== "linux") return "needs Linux";
  const missing = !await isInstalled("nft") || !await isInstalled("ip");
  if (missing) return "no nft or ip (Debian: nftables iproute2)";
  const { code, stderr } = await inNetwork("nft list ruleset");
  return code === 0 ? "" : `no network namespace: ${stderr.trim()}`;
}

const SETUP = `
  ip link set lo up
  for address in 2001:db8:1::1 2001:db8:1::2 2001:db8:2::1; do
    ip address add $address/128 dev lo nodad
  done
  printf %s "$1" | nft -f -
  exec "$0" eval "$2"`;

/** Prints what clients at different addresses can do. */
const CLIENTS = `
  import net from "node:net";
  const received = {};
  const server = net.createServer((socket) => {
    const client = socket.remoteAddress.replace("::ffff:", "");
    received[client] = 0;
    socket.on("data", ({ length }) => received[client] += length);
  });
  await new Promise((resolve) => server.listen(443, "::", resolve));
  const connect = (localAddress) => new Promise((resolve) => {
    const host = localAddress.includes(":") ? "::1" : "127.0.0.1";
    const socket = net.connect({ port: 443, host, localAddress });
    socket.on("connect", () => resolve(socket)).on("error", () => resolve());
  });
  const open = async (address, tries) => {
    let count = 0;
    for (let i = 0; i < tries; i++) if (await connect(address)) count++;
    return count;
  };
  const send = async (address, bytes) =>
    (await connect(address)).write(new Uint8Array(bytes));
  const pause = () => new Promise((resolve) => setTimeout(resolve, 100));
  const start = performance.now();
  for (const flood of ["127.0.0.1", "2001:db8:1::1"]) await send(flood, 9e6);
  for (const other of ["127.0.0.2", "2001:db8:2::1"]) await send(other, 4e5);
  const arrived = (address) => received[address] === 4e5;
  while (!arrived("127.0.0.2") || !arrived("2001:db8:2::1")) await pause();
  while (performance.now() < start + 1000) await pause();
  const bytes = [received["127.0.0.1"], received["2001:db8:1::1"]];
  const seconds = (performance.now() - start) / 1000;
  const connections = {
    ipv4: [await open("127.0.0.1", 60), await open("127.0.0.2", 60)],
    ipv6: [await open("2001:db8:1::1", 30), await open("2001:db8:1::2", 30)],
    other: await open("2001:db8:2::1", 60),
  };
  let all = 200;
  for (let i = 3; i < 18; i++) all += await open("127.0.0." + i, 60);
  console.log(JSON.stringify({ bytes, seconds, ...connections, all }));
  Deno.exit();`;

unless(await reason()).test(
  "the rules of SECURITY.md limit connections and bytes of an IPv4 address and an IPv6 /64",
  async () => {
    const document = await Deno.readTextFile(`${ROOT}SECURITY.md`);
    const [rules] = /^table inet pwgen .*?^}$/ms.exec(document)!;
    const { stdout, stderr } = await inNetwork(SETUP, [
      Deno.execPath(),
      rules,
      CLIENTS,
    ]);
    assertEquals(stderr, "");
    const { bytes, seconds, ...connections } = JSON.parse(stdout);
    // 500 kB at once, then 100 kB a second; a packet can have 64 kB.
    for (const each of bytes) {
      assert(each < 6e5 + 1e5 * seconds, `${each} in ${seconds} s`);
    }
    // One connection of each is open already.
    assertEquals(connections, {
      ipv4: [49, 49],
      ipv6: [30, 19],
      other: 49,
      all: 600,
    });
  },
);
