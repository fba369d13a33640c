#!/bin/sh
# Puts a renewed certificate into use: a process reads its certificate when it
# starts, so each is restarted, one after the other. "systemctl restart" returns
# when the process listens again.
#
# For certbot, which calls it after each renewal:
#
#   certbot renew --deploy-hook /opt/pwgen-api/deploy/renewed.sh
#
# For any other program that writes the certificate, pwgen-api-renewed.path
# beside this file calls it when the file changes.
#
# Behind a proxy that speaks TLS, reload the proxy instead ("nginx -s reload";
# Caddy renews by itself).
set -eu
for port in ${PWGEN_PORTS:-8000 8001}; do
  systemctl restart "pwgen-api@$port"
done
