#!/bin/sh
# Restarts the active processes one after the other. "systemctl try-restart" returns
# when the process listens again.
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
# "nginx -s reload". Without the
# line "tls", Caddy renews by itself; with it, restart Caddy.
set -eu
units=$(systemctl show --property=Id --value 'pwgen-api@*')
for unit in $units; do
  systemctl try-restart "$unit"
done
