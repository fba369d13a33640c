#!/bin/sh
# Restarts the processes one after the other. "systemctl restart" returns when the
# process listens again.
#
# With TLS in the service (pwgen-api-tls.conf), a renewed certificate needs a
# restart, because a process reads its certificate only when it starts. certbot
# runs this script after each renewal:
#
#   certbot renew --deploy-hook /opt/pwgen-api/deploy/renewed.sh
#
# For other programs, pwgen-api-renewed.path runs it when the certificate changes.
#
# If a proxy terminates TLS, the service needs no restart. Reload nginx with
# "nginx -s reload". Caddy renews its certificates by itself.
set -eu
for port in ${PWGEN_PORTS:-8000 8001}; do
  systemctl restart "pwgen-api@$port"
done
