/**
 * Requests whose response depends on earlier ones or on the state of the process, and
 * the lines of the log about them (tests/helpers/exchanges.ts).
 */
import { testExchanges } from "./helpers/exchanges.ts";

const WORDS = "/api/pwgen/words";
/** The request budget of a client, spent on each kind of path outside of the API. */
const SPENT = ["/", "/unknown", "/healthz", "/metrics", WORDS]
  .map((path) => `120 GET ${path}`).join(", ");
const UUID = "7f4df9b7-1d6f-4b5f-9c0e-1f7a4d2f9a10";
const X128 = "x".repeat(128);

const UNTRUSTED = "warning: Rate limit: X-Forwarded-For came from";
const NAMELESS =
  "warning: Rate limit: a proxy in PWGEN_TRUSTED_PROXIES sent no ";
const MANY = "warning: Rate limit: refused a client that may be a proxy; ";
const PROXY = "--access-log=json --trusted-proxies=198.51.100.1";
const EXEMPT =
  "--rate-limit=1 --trusted-proxies=loopback --exempt-clients=198.51.100.0/24,2001:db8::/32";
const ONE = "--rate-limit=1 --trusted-proxies=192.0.2.1";
/** One entry more than the service looks at. */
const LONG = `::1${",192.0.2.1".repeat(32)}`;

testExchanges({
  "access log": `
flags                          | request                                   | cookie  | body                 => status | access
--access-log=json              | POST ${WORDS}?a=hunter2                   | hunter2 | {"casing":"hunter2"} => 400    | POST ${WORDS}
--access-log=json              | OPTIONS ${WORDS}                          | hunter2 |                      => 204    | OPTIONS ${WORDS}
--access-log=json              | POST /api/hunter2                         | hunter2 | hunter2              => 404    | POST null
--access-log=json              | DELETE /healthz/                          | hunter2 |                      => 404    | DELETE null
--access-log=json              | hunter2 ${WORDS}                          | hunter2 |                      => 405    | other ${WORDS}
--access-log=json              | GET /                                     |         |                      => 200    | GET /
--access-log=json              | {GET /healthz,OPTIONS /healthz,OPTIONS /} |         |                      => any    |
--access-log=json --metrics=on | GET /metrics                              |         |                      => 200    |
                               | GET /docs                                 |         |                      => 200    |
`,

  "request id": `
flags    | peer         | request   | x-request-id              | x-forwarded-for => access
${PROXY} | 198.51.100.1 | PUT /docs | ${UUID}                   |                 => PUT /docs ${UUID}
${PROXY} | 198.51.100.1 | PUT /docs | Root=1-67891233:abc/_.+@x |                 => PUT /docs Root=1-67891233:abc/_.+@x
${PROXY} | 198.51.100.1 | PUT /docs | a                         |                 => PUT /docs a
${PROXY} | 198.51.100.1 | PUT /docs | ${X128}                   |                 => PUT /docs ${X128}
${PROXY} | 198.51.100.1 | PUT /docs | ${X128}x                  |                 => PUT /docs
${PROXY} | 198.51.100.1 | PUT /docs | ""                        |                 => PUT /docs
${PROXY} | 198.51.100.1 | PUT /docs | a, b                      |                 => PUT /docs
${PROXY} | 198.51.100.2 | PUT /docs | a                         |                 => PUT /docs
${PROXY} | 198.51.100.2 | PUT /docs | a                         | 198.51.100.1    => PUT /docs
${PROXY} | 127.0.0.1    | PUT /docs | a                         | 198.51.100.1    => PUT /docs
`,

  "an error inside": `
state   | flags                       | peer      | request           | x-request-id => status | log
failing | --trusted-proxies=192.0.2.1 |           | POST ${WORDS}?a=b | the-request  => 500    | error the-request: Cannot answer ${WORDS}: Error at
failing | --trusted-proxies=192.0.2.1 | 192.0.2.2 | POST ${WORDS}?a=b | the-request  => 500    | error: Cannot answer ${WORDS}: Error at
`,

  "a process that stops": `
state    | flags                          | before        | request                                 | host => status | connection | ratelimit | access        | text
stopping | --access-log=json              |               | GET /healthz                            |      => 503    | close      |           |               | The process is stopping.
stopping | --access-log=json              |               | OPTIONS {/,/healthz}                    |      => 503    |            |           |               | ""
stopping | --access-log=json              | 600 OPTIONS / | OPTIONS {/,/healthz}                    |      => 503    |            |           |               | ""
stopping |                                |               | GET /                                   |      => 200    |            |           |               | <html
draining | --access-log=json              |               | POST ${WORDS}                           |      => 503    | close      |           | POST ${WORDS} | The process is stopping.
draining | --access-log=json              |               | POST /                                  |      => 503    | close      |           | POST /        | The process is stopping.
draining | --access-log=json              |               | POST /nowhere                           |      => 503    | close      |           | POST null     | The process is stopping.
draining | --access-log=json --metrics=on |               | {POST /healthz,POST /metrics,OPTIONS /} |      => 503    | close      |           |               | The process is stopping.
draining |                                |               | GET ${WORDS}                            | a/b  => 400    |            |           |               | The Host header is invalid.
`,

  "request budget, also of an exempt client": `
flags                                   | before                   | ms    | request                                             | host => status | retry-after | text
--metrics=on --exempt-clients=192.0.2.1 | ${SPENT}                 |       | GET {/,/unknown,/metrics,${WORDS},/openapi/v1.json} |      => 429    | 60          | ""
--metrics=on --exempt-clients=192.0.2.1 | ${SPENT}                 |       | GET /                                               | x/   => 429    | 60          | ""
--metrics=on --exempt-clients=192.0.2.1 | ${SPENT}                 |       | GET /healthz                                        |      => 200    |             | ""
                                        | 600 OPTIONS /            |       | OPTIONS {/,/healthz}                                |      => 204    |             | ""
--metrics=on --exempt-clients=192.0.2.1 | ${SPENT}                 |       | POST ${WORDS}                                       |      => 200    |             | {"password":"
                                        | 599 GET /unknown         | 59999 | GET /unknown                                        |      => 404    |             | Nothing is here.
                                        | 600 GET /unknown         | 59999 | GET /unknown                                        |      => 429    | 60          | ""
                                        | 600 GET /unknown         | 60000 | GET /unknown                                        |      => 404    |             | Nothing is here.
                                        | 600 GET / from 192.0.2.2 |       | GET /unknown                                        |      => 404    |             | Nothing is here.
--rate-limit=1                          | 600 POST ${WORDS}        |       | POST ${WORDS}                                       |      => 429    | 60          | "title":"Too Many Requests"
--rate-limit=1                          | 601 POST ${WORDS}        |       | POST ${WORDS}                                       |      => 429    | 60          | ""
`,

  "rate limit": `
flags          | before                                | ms      | request                                     | body         => status | errors | ratelimit           | ratelimit-policy    | retry-after
               |                                       |         | POST /api/pwgen/{characters,words,sentence} |              => 200    |        | "default";r=59;t=60 | "default";q=60;w=60 |
               | 1 OPTIONS ${WORDS}                    |         | POST ${WORDS}                               |              => 200    |        | "default";r=59;t=60 | "default";q=60;w=60 |
               | 59 POST /api/pwgen/characters         | 12987.6 | POST ${WORDS}                               | []           => 400    | $      | "default";r=0;t=48  | "default";q=60;w=60 |
               | 59 POST /api/pwgen/sentence           | 12987.6 | POST ${WORDS}                               | {"count":-1} => 400    | count  | "default";r=0;t=48  | "default";q=60;w=60 |
               | 60 POST ${WORDS}                      | 12987.6 | POST /api/pwgen/{characters,words,sentence} |              => 429    |        | "default";r=0;t=48  | "default";q=60;w=60 | 60
               | 60 POST ${WORDS}                      | 60000   | POST ${WORDS}                               |              => 200    |        | "default";r=59;t=60 | "default";q=60;w=60 |
               | 60 POST ${WORDS} from 192.0.2.2       |         | POST ${WORDS}                               |              => 200    |        | "default";r=59;t=60 | "default";q=60;w=60 |
--rate-limit=2 | 1 POST ${WORDS} from ::ffff:192.0.2.1 |         | POST ${WORDS}                               |              => 200    |        | "default";r=0;t=60  | "default";q=2;w=60  |
`,

  "exempt clients": `
flags     | peer                | x-forwarded-for | before          | request       => status | ratelimit          | ratelimit-policy
${EXEMPT} | 198.51.100.1        |                 | 1 POST ${WORDS} | POST ${WORDS} => 200    |                    |
${EXEMPT} | ::ffff:198.51.100.1 |                 | 1 POST ${WORDS} | POST ${WORDS} => 200    |                    |
${EXEMPT} | 2001:db8:ffff::1    |                 | 1 POST ${WORDS} | POST ${WORDS} => 200    |                    |
${EXEMPT} | 127.0.0.1           | 198.51.100.1    | 1 POST ${WORDS} | POST ${WORDS} => 200    |                    |
${EXEMPT} |                     |                 | 1 POST ${WORDS} | POST ${WORDS} => 429    | "default";r=0;t=60 | "default";q=1;w=60
${EXEMPT} | 127.0.0.1           | 192.0.2.2       | 1 POST ${WORDS} | POST ${WORDS} => 429    | "default";r=0;t=60 | "default";q=1;w=60
${EXEMPT} | 127.0.0.1           |                 | 1 POST ${WORDS} | POST ${WORDS} => 429    | "default";r=0;t=60 | "default";q=1;w=60
${EXEMPT} | 192.0.2.3           | 198.51.100.1    | 1 POST ${WORDS} | POST ${WORDS} => 429    | "default";r=0;t=60 | "default";q=1;w=60
`,

  "a refused client that may be a proxy": `
flags  | peer                 | x-forwarded-for           | before          | request       => status | log
${ONE} | {10.1.2.3,192.0.2.3} | 198.51.100.1              |                 | POST ${WORDS} => 200    |
${ONE} | 192.0.2.1            | 198.51.100.1              | 2 POST ${WORDS} | POST ${WORDS} => 429    |
${ONE} | 192.0.2.1            | 203.0.113.1, 198.51.100.1 | 2 POST ${WORDS} | POST ${WORDS} => 429    | ${MANY}
${ONE} | 192.0.2.1            | 203.0.113.1, 10.0.0.7     | 2 POST ${WORDS} | POST ${WORDS} => 429    | ${MANY}
${ONE} | 192.0.2.1            | 198.51.100.1, 192.0.2.1   | 2 POST ${WORDS} | POST ${WORDS} => 429    |
${ONE} | 192.0.2.1            | ${LONG}                   | 2 POST ${WORDS} | POST ${WORDS} => 429    | ${MANY}
${ONE} | 192.0.2.1            | 198.51.100.1, hidden      | 2 POST ${WORDS} | POST ${WORDS} => 429    | ${NAMELESS}
${ONE} | 192.0.2.1            | hidden, 198.51.100.1:80   | 2 POST ${WORDS} | POST ${WORDS} => 429    | ${MANY}
${ONE} | 192.0.2.1            |                           | 2 POST ${WORDS} | POST ${WORDS} => 429    | ${NAMELESS}
${ONE} | ""                   |                           | 2 POST ${WORDS} | POST ${WORDS} => 429    | ${MANY}
`,

  "a refused client without X-Forwarded-For": `
flags  | peer                                                    | forwarded        | x-real-ip    | before          | request       => status | log
${ONE} | 192.0.2.1                                               | for=198.51.100.1 | 198.51.100.1 | 2 POST ${WORDS} | POST ${WORDS} => 429    | ${NAMELESS}
${ONE} | {10.1.2.3,172.31.0.1,192.168.1.1,fd00::1,fe80::1%eth0}  | for=198.51.100.1 | 198.51.100.1 | 2 POST ${WORDS} | POST ${WORDS} => 429    | ${MANY}
${ONE} | {127.0.0.1,::1,::ffff:127.0.0.1,172.32.0.1,2001:db8::1} | for=198.51.100.1 | 198.51.100.1 | 2 POST ${WORDS} | POST ${WORDS} => 429    |
`,

  "a client whose X-Forwarded-For is not trusted": `
flags                         | peer                               | x-forwarded-for | before                                                  | request       => status | log
${ONE}                        | {172.15.0.1,172.32.0.1,100.128.0.1} | 198.51.100.1    | 2 POST ${WORDS}                                         | POST ${WORDS} => 429    | ${UNTRUSTED} a public address, which is
${ONE}                        | {2001:db8::1,::ffff:198.51.100.1}  | 198.51.100.1    | 2 POST ${WORDS}                                         | POST ${WORDS} => 429    | ${UNTRUSTED} a public address, which is
${ONE}                        | 172.31.0.1                         | 198.51.100.1    | 2 POST ${WORDS}                                         | POST ${WORDS} => 429    | ${UNTRUSTED} 172.31.0.1, which is
${ONE}                        | ::ffff:192.168.1.1                 | 198.51.100.1    | 2 POST ${WORDS}                                         | POST ${WORDS} => 429    | ${UNTRUSTED} 192.168.1.1, which is
${ONE}                        | 100.64.0.1                         | 198.51.100.1    | 2 POST ${WORDS}                                         | POST ${WORDS} => 429    | ${UNTRUSTED} 100.64.0.1, which is
${ONE}                        | 127.0.0.1                          | 198.51.100.1    | 2 POST ${WORDS}                                         | POST ${WORDS} => 429    | ${UNTRUSTED} 127.0.0.1, which is
${ONE}                        | fd00::1                            | 198.51.100.1    | 2 POST ${WORDS}                                         | POST ${WORDS} => 429    | ${UNTRUSTED} fd00::1, which is
${ONE}                        | fe80::1%eth0                       | 198.51.100.1    | 2 POST ${WORDS}                                         | POST ${WORDS} => 429    | ${UNTRUSTED} fe80::1, which is
${ONE}                        | 10.9.9.9                           | 198.51.100.1    | 3 POST ${WORDS} from 10.1.2.3                           | POST ${WORDS} => 200    | ${UNTRUSTED} 10.1.2.3, which is
${ONE}                        | 203.0.113.2                        | 198.51.100.1    | 2 POST ${WORDS} from 10.1.2.3, 3 POST ${WORDS} from ::2 | POST ${WORDS} => 200    | ${UNTRUSTED} 10.1.2.3, which is + ${UNTRUSTED} a public address,
--exempt-clients=198.51.100.1 | 198.51.100.1                       |                 | 1 POST ${WORDS}                                         | POST ${WORDS} => 200    |
--exempt-clients=198.51.100.1 | 198.51.100.1                       | 192.0.2.4       | 1 POST ${WORDS}                                         | POST ${WORDS} => 200    | ${UNTRUSTED} a public address,
`,
});
