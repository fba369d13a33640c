/** Requests, and the responses to them (tests/helpers/exchanges.ts). */
import { testExchanges } from "./helpers/exchanges.ts";
import { ask } from "./helpers/service.ts";

/** What Chromium and Firefox send for a page. */
const BROWSER =
  "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8";
/** One character more than the service reads. */
const LONG = "text/html".padEnd(257, ",");
/** One byte more than a body may have. */
const LARGE = "x".repeat(16_385);
const TEXT = "text/plain; charset=utf-8";
const JSON_TYPE = "application/json; charset=utf-8";
const HTML = "text/html; charset=utf-8";
const ETAG = (await ask("/openapi/v1.json")).headers.get("etag")!;

testExchanges({
  HTTPS: `
flags                                      | peer      | request                          | x-forwarded-proto => strict-transport-security
--tls-cert=c --tls-key=k                   |           | POST {/api/pwgen/words,/nowhere} |                   => max-age=31536000
--tls-cert=c --tls-key=k --hsts-max-age=0  |           | GET /                            |                   => max-age=0
--tls-cert=c --tls-key=k --hsts-max-age=42 |           | GET /                            |                   => max-age=42
--hsts-max-age=0                           |           | GET /                            |                   =>
                                           | 127.0.0.1 | GET /                            | https             =>
--trusted-proxies=loopback                 |           | GET /                            | https             =>
--trusted-proxies=loopback                 | 127.0.0.1 | POST {/api/pwgen/words,/nowhere} | https             => max-age=31536000
--trusted-proxies=loopback                 | 127.0.0.1 | GET /                            | http , HTTPS      => max-age=31536000
--trusted-proxies=loopback                 | 127.0.0.1 | GET /                            | https, http       =>
--trusted-proxies=loopback                 | 127.0.0.1 | GET /                            | httpsx            =>
--trusted-proxies=loopback                 | 127.0.0.1 | GET /                            |                   =>
`,

  CORS: `
flags        | request                                                       => status | access-control-allow-origin
             | POST /api/pwgen/{characters,words,sentence}                   => 200    | *
             | {GET,PUT} /api/pwgen/words                                    => 405    | *
             | {GET,POST} /api/{,pwgen,pwgen/words/,pwgen/wrods,pwgen/Words} => 404    | *
             | POST /api/pwgen/w%6Frds                                       => 404    | *
             | GET /openapi/v1.json                                          => 200    | *
             | GET {/,/page/page.js,/docs,/healthz}                          => 200    |
--metrics=on | GET /metrics                                                  => 200    |
             | GET /docs/                                                    => 308    |
             | OPTIONS {/,/healthz}                                          => 204    |
             | {POST,PUT} {/,/healthz}                                       => 405    |
             | {POST,OPTIONS} {/page/page.js,/docs,/docs/}                   => 405    |
             | {GET,POST,OPTIONS} {/nowhere,/api,/openapi/v1.json/}          => 404    |
`,

  preflight: `
request                                        => status | allow         | access-control-allow-methods | access-control-allow-headers           | access-control-max-age
OPTIONS /api/pwgen/{characters,words,sentence} => 204    | POST, OPTIONS | POST, OPTIONS                | Content-Type, Prefer, Authorization, * | 86400
`,

  routes: `
request                            => status | allow              | location | text
GET {/page,/constructor,/Docs}     => 404    |                    |          | the page /docs describes the API
OPTIONS {/healthz/,//,/docs/x}     => 404    |                    |          | the page /docs describes the API
GET /docs/?length=hunter2          => 308    |                    | ../docs  |
{PUT,constructor} /api/pwgen/words => 405    | POST, OPTIONS      |          | the page /docs describes the API
{PUT,constructor} {/,/healthz}     => 405    | GET, OPTIONS, HEAD |          | the page /docs describes the API
{PUT,OPTIONS} {/docs,/docs/}       => 405    | GET, HEAD          |          | the page /docs describes the API
`,

  "metrics that a proxy forwards": `
flags                                  | peer | request                         | x-forwarded-for => status | vary   | text
--metrics=on                           |      | {GET,POST,PUT,OPTIONS} /metrics | 192.0.2.1       => 404    | Accept | Passwords are at /api/pwgen/
--metrics=on --trusted-proxies=::1     | ::1  | {GET,POST,PUT,OPTIONS} /metrics | 192.0.2.1       => 404    | Accept | Passwords are at /api/pwgen/
--metrics=on                           |      | GET /?a                         | 192.0.2.1       => 200    | any    |
`,

  metrics: `
flags        | request              => status | text
             | GET /metrics         => 404    | Passwords are at /api/pwgen/
--metrics=on | GET /metrics         => 200    | # HELP
--metrics=on | {POST,PUT} /metrics  => 405    | the page /docs describes the API
`,

  Host: `
request                                              | host               => status | allow | ratelimit | text
{GET /,GET /nowhere,PUT /docs,POST /api/pwgen/words} | a/b                => 400    |       |           | The Host header is invalid.
GET /                                                | ""                 => 400    |       |           | The Host header is invalid.
GET /                                                | a b                => 400    |       |           | The Host header is invalid.
GET /                                                | a?b                => 400    |       |           | The Host header is invalid.
GET /                                                | a#b                => 400    |       |           | The Host header is invalid.
GET /                                                | a@b                => 400    |       |           | The Host header is invalid.
GET /                                                | a\\b               => 400    |       |           | The Host header is invalid.
GET /                                                | [2001:db8::1]:8000 => 200    |       |           |
`,

  "an unknown path": `
request       | accept                                    | accept-language => status | vary                    | content-language | text
GET /nowhere  | ${BROWSER}                                |                 => 404    | Accept, Accept-Language | en               | >Not found</title>
GET /nowhere  | ${BROWSER}                                | sv              => 404    | Accept, Accept-Language | sv               | <html lang="sv">
GET /nowhere  | text/*, application/json;q=0.9            |                 => 404    | Accept, Accept-Language | en               | <html lang="en">
POST /nowhere | ${BROWSER}                                |                 => 404    | Accept                  |                  | Passwords are at /api/pwgen/
GET /nowhere  | */*                                       | sv              => 404    | Accept                  |                  | Passwords are at /api/pwgen/
GET /nowhere  | text/plain                                |                 => 404    | Accept                  |                  | Passwords are at /api/pwgen/
GET /nowhere  | text/html, */*                            |                 => 404    | Accept                  |                  | Passwords are at /api/pwgen/
GET /nowhere  | text/html;q=0.5, application/json         |                 => 404    | Accept                  |                  | Passwords are at /api/pwgen/
GET /nowhere  | application/problem+json, text/html;q=0.9 |                 => 404    | Accept                  |                  | Passwords are at /api/pwgen/
GET /nowhere  | ${LONG}                                   |                 => 404    | Accept                  |                  | Passwords are at /api/pwgen/
`,

  "the language of the page": `
request | accept-language         => status | vary                             | content-language | text
GET /   | sv                      => 200    | Accept-Encoding, Accept-Language | sv               | <html lang="sv">
GET /   | sv-SE,sv;q=0.9,en;q=0.8 => 200    | Accept-Encoding, Accept-Language | sv               | <html lang="sv">
GET /   | de, sv;q=0.1            => 200    | Accept-Encoding, Accept-Language | sv               | <html lang="sv">
GET /   | sv, *;q=0.5             => 200    | Accept-Encoding, Accept-Language | sv               | <html lang="sv">
GET /   | en, sv                  => 200    | Accept-Encoding, Accept-Language | en               | <html lang="en">
GET /   | de                      => 200    | Accept-Encoding, Accept-Language | en               | <html lang="en">
GET /   | *, sv;q=0.5             => 200    | Accept-Encoding, Accept-Language | en               | <html lang="en">
GET /   | sv;q=0                  => 200    | Accept-Encoding, Accept-Language | en               | <html lang="en">
GET /   | ""                      => 200    | Accept-Encoding, Accept-Language | en               | <html lang="en">
GET /   | \xff;;;,,q=             => 200    | Accept-Encoding, Accept-Language | en               | <html lang="en">
GET /   |                         => 200    | Accept-Encoding, Accept-Language | en               | <html lang="en">
`,

  API: `
request                                     | accept     | content-type | body                       => status | errors           | vary   | entropy-bits | text
POST /api/pwgen/{characters,words,sentence} |            |              |                            => 200    |                  | Accept | any          | {"password":"
POST /api/pwgen/words                       | text/plain |              | {"wordCount":1}            => 200    |                  | Accept | any          |
POST /api/pwgen/words                       | text/plain |              | {"wordCount":0,"COUNT":-1} => 400    | count, wordCount | Accept |              | "Must be an integer from 1 to 10
POST /api/pwgen/words                       |            |              | ""                         => 400    | $                | Accept |              | The body is blank
POST /api/pwgen/words                       |            | text/plain   |                            => 415    |                  | Accept |              | must be application/json
`,

  "the path in an error, which has no query string and at most 200 characters":
    `
request                             => status | text
POST /api/pwgen/words?wordCount=0   => 200    | "type":"words"
POST /${"a".repeat(199)}?hunter2    => 404    | "instance":"/${"a".repeat(199)}"
POST /${"a".repeat(200)}            => 404    | "instance":null
`,

  Accept: `
request               | accept                                             => status | vary   | entropy-bits | content-type
POST /api/pwgen/words |                                                    => 200    | Accept | any          | ${JSON_TYPE}
POST /api/pwgen/words | application/json;q=0.9, TEXT/Plain;q=0.901         => 200    | Accept | any          | ${TEXT}
POST /api/pwgen/words | text/plain;charset=latin1;format=flowed;q=0.001    => 200    | Accept | any          | ${TEXT}
POST /api/pwgen/words | text/plain;q=0.2, */*;q=0.3, application/json;q=0  => 200    | Accept | any          | ${TEXT}
POST /api/pwgen/words | text/*;q=0.5, application/*;q=0.1, */*             => 200    | Accept | any          | ${TEXT}
POST /api/pwgen/words | a/b;c="\\",;q=0", application/json;q=0, text/plain => 200    | Accept | any          | ${TEXT}
POST /api/pwgen/words | text/plain, */*                                    => 200    | Accept | any          | ${JSON_TYPE}
POST /api/pwgen/words | application/*, text/plain                          => 200    | Accept | any          | ${JSON_TYPE}
POST /api/pwgen/words | text/plain;q=0.5, application/json;q=0.5           => 200    | Accept | any          | ${JSON_TYPE}
POST /api/pwgen/words | text/*, text/plain;q=0.1, application/*;q=0.5      => 200    | Accept | any          | ${JSON_TYPE}
POST /api/pwgen/words | text/plain;q=1.1, application/json                 => 200    | Accept | any          | ${JSON_TYPE}
`,

  "Accept-Encoding": `
request              | accept-encoding                        => status | content-encoding
GET /openapi/v1.json | gzip, deflate, br, zstd                => 200    | br
GET /openapi/v1.json | br;q=0.1, gzip;q=1                     => 200    | gzip
GET /openapi/v1.json | *                                      => 200    | br
GET /openapi/v1.json | *;q=0.3, identity;q=0.2, BR;Q=0.1      => 200    | gzip
GET /openapi/v1.json | identity;q=0, br;q=0, *;q=0.1          => 200    | gzip
GET /openapi/v1.json | , identity;q=0.5, ,\tgzip ;\tq=0.5,     => 200    | gzip
GET /openapi/v1.json | identity, br;q=0.9, gzip;q=0.9         => 200    |
GET /openapi/v1.json | identity;q=0, *;q=0                    => 200    |
GET /openapi/v1.json | identity;q=0, deflate, br gzip, br;q=x => 200    |
GET /openapi/v1.json | ""                                     => 200    |
GET /openapi/v1.json |                                        => 200    |
`,

  "media types": `
request               | content-type                                        => status
POST /api/pwgen/words | application/json                                    => 200
POST /api/pwgen/words | APPLICATION/JSON                                    => 200
POST /api/pwgen/words | application/json; profile=x                         => 200
POST /api/pwgen/words | application/json; charset=utf-8                     => 200
POST /api/pwgen/words | application/json; Charset="UTF-8"                   => 200
POST /api/pwgen/words | application/json;charset=utf8                       => 200
POST /api/pwgen/words | application/json\t;\t;;a=b                          => 200
POST /api/pwgen/words | application/problem+JSON                            => 200
POST /api/pwgen/words | application/a+b+json; charset=utf-8                 => 200
POST /api/pwgen/words | application/json ; a=b;; c="d;\\"e"; charset=Utf-8; => 200
POST /api/pwgen/words | application/json; charset=utf-8; charset=UTF-8      => 200
POST /api/pwgen/words | application/json; a="b;charset=utf-16"              => 200
POST /api/pwgen/words | application/json; a="\\";b="                        => 200
POST /api/pwgen/words | ${
    "application/json".padEnd(256, ";")
  }              => 200
POST /api/pwgen/words | ""                                                  => 415
POST /api/pwgen/words | */*                                                 => 415
POST /api/pwgen/words | text/plain                                          => 415
POST /api/pwgen/words | text/json                                           => 415
POST /api/pwgen/words | application/jsonx                                   => 415
POST /api/pwgen/words | json                                                => 415
POST /api/pwgen/words | application/x-json                                  => 415
POST /api/pwgen/words | application/+json                                   => 415
POST /api/pwgen/words | application /json                                   => 415
POST /api/pwgen/words | application/json/x                                  => 415
POST /api/pwgen/words | application/json, application/json                  => 415
POST /api/pwgen/words | application/json x                                  => 415
POST /api/pwgen/words | application/json+xml                                => 415
POST /api/pwgen/words | application/json\xe5                                => 415
POST /api/pwgen/words | application/json; a=1, text/plain                   => 415
POST /api/pwgen/words | application/json; charset=utf-                      => 415
POST /api/pwgen/words | application/json; charset=utf-16                    => 415
POST /api/pwgen/words | application/json; charset =utf-8                    => 415
POST /api/pwgen/words | application/json; charset=latin1; charset=utf-8     => 415
POST /api/pwgen/words | application/json; charset=utf-8; charset=utf-7      => 415
POST /api/pwgen/words | application/json; charset="utf-8                    => 415
POST /api/pwgen/words | application/json; charset=                          => 415
POST /api/pwgen/words | application/json; charset                           => 415
POST /api/pwgen/words | application/json;=                                  => 415
POST /api/pwgen/words | application/json a                                  => 415
POST /api/pwgen/words | application/json; a b=c                             => 415
POST /api/pwgen/words | application/x-www-form-urlencoded                   => 415
POST /api/pwgen/words | ${
    "application/json".padEnd(257, ";")
  }              => 415
`,

  "Content-Encoding": `
request               | content-encoding               | body => status | accept-encoding | text
POST /api/pwgen/words | gzip                           |      => 415    | identity        | Content-Encoding
POST /api/pwgen/words | br                             |      => 415    | identity        | Content-Encoding
POST /api/pwgen/words | identity, gzip                 |      => 415    | identity        | Content-Encoding
POST /api/pwgen/words | ${
    "identity".padEnd(257, ",")
  } |      => 415    | identity        | Content-Encoding
POST /api/pwgen/words | identity                       |      => 200    |                 |
POST /api/pwgen/words | IDENTITY , identity            |      => 200    |                 |
POST /api/pwgen/words | ""                             |      => 200    |                 |
POST /api/pwgen/words | ${
    "identity".padEnd(256, ",")
  } |      => 200    |                 |
POST /api/pwgen/words | gzip                           | ""   => 400    |                 | The body is empty
`,

  "Prefer": `
request               | prefer                                      | body            => status | preference-applied | errors
POST /api/pwgen/words | handling=strict                             | {"lenght":5}    => 400    | handling=strict    | lenght
POST /api/pwgen/words | Handling = Strict                           | {"lenght":5}    => 400    | handling=strict    | lenght
POST /api/pwgen/words | handling="strict"                           | {"lenght":5}    => 400    | handling=strict    | lenght
POST /api/pwgen/words | respond-async, wait=10,handling=strict; a=b | {"lenght":5}    => 400    | handling=strict    | lenght
POST /api/pwgen/words | handling=strict;                            | {"lenght":5}    => 400    | handling=strict    | lenght
POST /api/pwgen/words | a="handling=lenient, b", handling=strict    | {"lenght":5}    => 400    | handling=strict    | lenght
POST /api/pwgen/words | ,, handling=strict                          | {"lenght":5}    => 400    | handling=strict    | lenght
POST /api/pwgen/words | handling=strict, handling=lenient           | {"lenght":5}    => 400    | handling=strict    | lenght
POST /api/pwgen/words | handling=strict                             | {"WORDCOUNT":2} => 200    | handling=strict    |
POST /api/pwgen/words |                                             | {"lenght":5}    => 200    |                    |
POST /api/pwgen/words | ""                                          | {"lenght":5}    => 200    |                    |
POST /api/pwgen/words | handling                                    | {"lenght":5}    => 200    |                    |
POST /api/pwgen/words | handling=lenient                            | {"lenght":5}    => 200    |                    |
POST /api/pwgen/words | handling=                                   | {"lenght":5}    => 200    |                    |
POST /api/pwgen/words | strict                                      | {"lenght":5}    => 200    |                    |
POST /api/pwgen/words | handling=lenient, handling=strict           | {"lenght":5}    => 200    |                    |
POST /api/pwgen/words | xhandling=strict                            | {"lenght":5}    => 200    |                    |
POST /api/pwgen/words | handling=strictly                           | {"lenght":5}    => 200    |                    |
POST /api/pwgen/words | a="b, handling=strict"                      | {"lenght":5}    => 200    |                    |
POST /api/pwgen/words | handling=strict x                           | {"lenght":5}    => 200    |                    |
POST /api/pwgen/words | handling, handling=strict                   | {"lenght":5}    => 200    |                    |
POST /api/pwgen/words | ${
    "handling=strict".padEnd(257, ",")
  }       | {"lenght":5}    => 200    |                    |
`,

  "a body that is empty, lost its quotes in a shell, or is too large": `
request               | content-length | content-type | content-encoding | body                => status | errors | text
POST /api/pwgen/words | 0              |              |                  | ""                  => 400    | $      | The body is empty.
POST /api/pwgen/words | 0              | text/plain   |                  | ""                  => 400    | $      | The body is empty.
POST /api/pwgen/words |                | text/plain   |                  | ""                  => 400    | $      | The body is empty.
POST /api/pwgen/words |                |              |                  | {language:en}       => 400    | $      | double quotes, which cmd and PowerShell can remove: the page /docs
POST /api/pwgen/words |                |              |                  | '{language:en}'     => 400    | $      | double quotes, which cmd and PowerShell can remove: the page /docs
POST /api/pwgen/words |                |              | gzip             | ${LARGE}            => 415    |        | Content-Encoding
POST /api/pwgen/words | 16385          |              | gzip             |                     => 413    |        | bytes
`,

  "fields of 256 and of 257 characters": `
request               | accept-language          | accept-encoding          | accept                           | if-none-match           => status | content-language | content-encoding | content-type
GET /                 | ${
    "sv".padEnd(256, ",")
  } |                          |                                  |                         => 200    | sv               |                  | ${HTML}
GET /                 | ${
    "sv".padEnd(257, ",")
  } |                          |                                  |                         => 200    | en               |                  | ${HTML}
GET /openapi/v1.json  |                          | ${
    "br".padEnd(256, ",")
  } |                                  |                         => 200    |                  | br               | ${JSON_TYPE}
GET /openapi/v1.json  |                          | ${
    "br".padEnd(257, ",")
  } |                                  |                         => 200    |                  |                  | ${JSON_TYPE}
POST /api/pwgen/words |                          |                          | ${
    "text/plain".padEnd(256, ",")
  } |                         => 200    |                  |                  | ${TEXT}
POST /api/pwgen/words |                          |                          | ${
    "text/plain".padEnd(257, ",")
  } |                         => 200    |                  |                  | ${JSON_TYPE}
GET /openapi/v1.json  |                          |                          |                                  | ${
    ETAG.padEnd(256, ",")
  } => 304    |                  |                  |
GET /openapi/v1.json  |                          |                          |                                  | ${
    ETAG.padEnd(257, ",")
  } => 200    |                  |                  | ${JSON_TYPE}
`,
});
