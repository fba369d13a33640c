import { testProxy, WORDS } from "./proxy.ts";

await testProxy({
  program: "caddy",
  config: "deploy/Caddyfile",
  withSharedStore: [["BALANCING:first", "BALANCING:least_conn"]],
  belowPrefix: [
    ["\thandle {\n\t\t# Deno", "\t\t# Deno"],
    ["#redir", "redir"],
    ["#handle_path", "handle_path"],
  ],
  // The time for a body is that of the service.
  shortTimes: [["read_header 10s\n", "read_header 2s\n"]],
  longTimes: [[/(?<=(?:health|dial|response_header)_timeout )\w+/g, "1m", 3]],
  behindCdn: [
    ["#trusted_proxies", "trusted_proxies"],
    ["192.0.2.0/24", "127.0.0.1"],
  ],
  changes: (http, https) => [
    ["admin off", `admin off\nhttp_port ${http}\nhttps_port ${https}`],
    // Caddy serves only this name, and the certificate is for localhost.
    ["pwgen.example.com", "localhost"],
  ],
  requestId: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, // a UUID
  connect: /^HTTP\/1\.1 405 /,
  args: (config) => ["run", "--adapter", "caddyfile", "--config", config],
  hasHttp2: true,
  // Caddy 2.6 does not (caddyserver/caddy#7547).
  sendsBodyTwice: false,
  running: `
over | request         | size  | transfer-encoding | expect       => status | by
     | POST ${WORDS}   | 16385 |                   |              => 413    | service
     | POST ${WORDS}   | 16385 | chunked           |              => 413    | service
     | POST ${WORDS}   | 20000 |                   | 100-continue => 413    | proxy
h2   | POST ${WORDS}   | 16385 |                   |              => 413    | service
h2   | POST ${WORDS}   |       |                   |              => 200    |
     | GET /metrics    |       |                   |              => 404    | proxy
     | GET x:metrics   |       |                   |              => 400    | proxy
`,
});
