import { assert, assertEquals } from "@std/assert";
import { RawConnection } from "../../helpers/connection.ts";
import { end, missing, spawn, stop, unless } from "../../helpers/program.ts";
import {
  type Change,
  exchangeAll,
  type Kind,
  LONG,
  post,
  PROXIED,
  startSite,
  testProxy,
  WORDS,
} from "./proxy.ts";

const NGINX: Kind = {
  program: "nginx",
  config: "deploy/nginx.conf",
  withSharedStore: [["max_fails=0 backup;", "max_fails=0;"]],
  belowPrefix: [
    [/^ *location \/ \{\n *proxy_pass .*\n/gm, ""],
    ["#location", "location", 2],
    ["#    proxy_pass", "proxy_pass"],
  ],
  shortTimes: [[/(?<=client_(?:header|body)_timeout )\d+s/g, "2s", 2]],
  longTimes: [[/(?<=proxy_(?:connect|read)_timeout )\d+ms/g, "60s", 2]],
  behindCdn: [
    [/#(?=set_real_ip_from |real_ip_)/g, "", 4],
    ["192.0.2.0/24", "127.0.0.1"],
  ],
  changes: (http, https) => [
    [/^ *listen \[::\].*\n/gm, "", 2],
    ["listen 80;", `listen ${http};`],
    ["listen 443 ", `listen ${https} `],
    ["/var/log/nginx/error.log", "stderr"],
    ["/var/log/nginx/access.log", "/dev/stdout"],
  ],
  requestId: /^[0-9a-f]{32}$/,
  connect: /^HTTP\/1\.1 40[05] /,
  args: (config, folder) => [
    "-c",
    config,
    "-p",
    folder,
    "-e",
    "stderr",
    "-g",
    `daemon off; pid ${folder}/nginx.pid;`,
  ],
  hasHttp2: false,
  sendsBodyTwice: true,
  inFlight: `
request                     | x-forwarded-for    => status | by
{GET,POST,OPTIONS} ${WORDS} | 2001:db8:a0a::ffff => 429    | proxy
HEAD ${WORDS}               | 2001:db8:a0a::ffff => 429    |
GET /                       | 2001:db8:a0a::ffff => 429    | proxy
POST ${WORDS}               | 2001:db8:a0a:a::1  => 200    |
POST ${WORDS}               | 198.51.100.4       => 200    |
`,
  logLine:
    /^\{"time":"[-\d]{10}T[:\d]{8}[-+][:\d]{5}","status":(\d+),"requestId":"([\da-f]{32})"\}$/,
  running: `
over        | request               | size  | transfer-encoding | x-long  => status | by
            | POST ${WORDS}         | 16385 |                   |         => 413    | proxy
HTTP/1.0    | POST ${WORDS}         | 16385 |                   |         => 413    | proxy
            | POST ${WORDS}         | 16385 | chunked           |         => 413    | proxy
            | POST /                | 16385 |                   |         => 413    | proxy
            | GET {/,/docs}         |       |                   | ${LONG} => 400    | proxy
            | POST ${WORDS}         |       |                   | ${LONG} => 400    | proxy
            | GET /api/${LONG}      |       |                   |         => 414    | proxy
            | POST ${WORDS}         |       | other             |         => 501    | proxy
            | TRACE {/,${WORDS}}    |       |                   |         => 405    | proxy
            | GET {/,/api/}metrics  |       |                   |         => 404    | proxy
            | GET /error.{json,html} |      |                   |         => 404    | proxy
http to 443 | POST ${WORDS}         |       |                   |         => 400    | proxy
`,
};

await testProxy(NGINX);

const NO_NGINX = await missing("nginx");

/** Why nginx cannot raise its limit of open files to that of its configuration. */
async function lowHardLimit(): Promise<string> {
  const { stdout } = await end(spawn("sh", ["-c", "ulimit -Hn"]));
  // It may be "unlimited".
  return Number(stdout) < 16384 ? "needs ulimit -Hn 16384" : "";
}

const ONE_WORKER: Change = ["worker_processes auto;", "worker_processes 1;"];

const withFiles = unless(NO_NGINX || await lowHardLimit());
withFiles.test(`${NGINX.config}: idle connections do not take the place of others`, async () => {
  // systemd has 1,024 in the place of 100.
  const script = 'ulimit -Sn 100 && exec "$0" "$@"';
  const limited: Kind = {
    ...NGINX,
    program: "sh",
    args: (...args) => ["-c", script, "nginx", ...NGINX.args(...args)],
  };
  await using site = await startSite(limited, PROXIED, [
    ONE_WORKER,
    // They stay until the end of the test.
    ["client_header_timeout 5s;", "client_header_timeout 1h;"],
  ]);
  using connections = new DisposableStack();
  for (let i = 0; i < 200; i++) {
    connections.use(await RawConnection.connect(site.http));
  }
  assertEquals((await post(site, "127.0.0.2")).status, 200);
});

unless(NO_NGINX).test(
  `${NGINX.config}: a full nginx says so, and logs no address and no query string`,
  async () => {
    await using site = await startSite(NGINX, {}, [
      ONE_WORKER,
      // None is left for the connection to the service.
      ["worker_connections 4096;", "worker_connections 4;"],
    ]);
    await exchangeAll(
      site,
      "full",
      `
request                       => status | by
POST ${WORDS}?length=hunter2  => 500    | proxy
`,
    );
    const { stderr } = await stop(site.proxy);
    assert(!/hunter2|127\.0\.0\.1/.test(stderr), stderr);
  },
);
