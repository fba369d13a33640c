#!/usr/bin/env bash
# Checks the service with programs of others, before a release: h2load,
# slowhttptest (Debian: nghttp2-client, slowhttptest) and Prism as a validating
# proxy (npm). Prints what each found, and ends with 1 at the first difference.
set -euo pipefail
cd "$(dirname "$0")/.."
deno=${DENO:-deno}
work=$(mktemp -d)
prism=
trap 'kill ${prism:+-- "-$prism"} $(jobs -p) 2>/dev/null || true; wait; rm -r "$work"' EXIT
export PWGEN_EXEMPT_CLIENTS=127.0.0.1

PWGEN_PORT=8940 "$deno" task -q start &
tls=(PWGEN_TLS_CERT="$PWD/tests/tls/cert.pem" PWGEN_TLS_KEY="$PWD/tests/tls/key.pem")
env PWGEN_PORT=8941 "${tls[@]}" "$deno" task -q start:tls &
"$deno" task -q openapi >"$work/openapi.json"
# Waits at most 30 s until a URL answers.
await() { timeout 30 sh -c 'until curl -sk -o /dev/null "$0"; do sleep 0.1; done' "$1" || { echo "No answer: $1" >&2; exit 1; }; }
await http://127.0.0.1:8940/healthz
await https://127.0.0.1:8941/healthz

echo '{}' >"$work/body.json"
load() {
  echo "h2load $*"
  h2load "$@" -n 10000 -c 50 -H 'content-type: application/json' -d "$work/body.json" | tee "$work/load" | grep '^status codes'
  grep -q '^status codes: 10000 2xx' "$work/load"
}
load --h1 http://127.0.0.1:8940/api/pwgen/words
load -m 10 http://127.0.0.1:8940/api/pwgen/words
load -m 10 https://127.0.0.1:8941/api/pwgen/words

# A client with two requests a second is served while 200 connections are slow.
slow() {
  echo "slowhttptest $1"
  slowhttptest -c 200 -r 100 -i 5 -l 12 -x 10 "$@" -u http://127.0.0.1:8940/api/pwgen/words >"$work/slow" 2>&1 &
  local attack=$! sent=0 served=0
  while kill -0 "$attack" 2>/dev/null; do
    sent=$((sent + 1))
    if curl -fs -m 5 -o /dev/null -H 'content-type: application/json' -d '{}' http://127.0.0.1:8940/api/pwgen/words; then
      served=$((served + 1))
    fi
    sleep 0.5
  done
  echo "  $served of $sent requests of another client were served"
  [ "$served" = "$sent" ]
}
slow -H
slow -B -t POST -f application/json -s 8192
slow -X -w 10 -y 20 -n 5 -z 32 -k 3

# The first download can take longer than await waits.
prism_cli=@stoplight/prism-cli@5.14.2
npx --yes "$prism_cli" --version >/dev/null
# Prism sends its own 4xx or 5xx if a request or a response violates the document.
# Its own process group, since npx does not end the program that it starts.
setsid npx --yes "$prism_cli" proxy "$work/openapi.json" http://127.0.0.1:8940 --errors --port 8942 >"$work/prism" 2>&1 &
prism=$!
await http://127.0.0.1:8942/healthz
bodies=$(grep -ohP "(?<=-d ')\{.*?\}(?=')" README.md docs/api.md docs/clients.md | sort -u)
for kind in characters words sentence; do
  while read -r body; do
    direct=$(curl -s -o /dev/null -w '%{http_code}' -H 'content-type: application/json' -d "$body" "http://127.0.0.1:8940/api/pwgen/$kind")
    proxied=$(curl -s -o "$work/answer" -w '%{http_code}' -H 'content-type: application/json' -d "$body" "http://127.0.0.1:8942/api/pwgen/$kind")
    echo "Prism $kind $body: $proxied"
    [ "$direct" = "$proxied" ] || { cat "$work/answer"; exit 1; }
  done <<<"$bodies"
done
