#!/bin/sh
# Packs each executable of "deno task compile:all" with the licence, for Linux also
# with the files for systemd and nginx: dist/pwgen-api-PLATFORM.tar.gz, or .zip for
# Windows. The argument is another folder than dist.
set -eu
cd "$(dirname "$0")/.."
dist=${1:-dist}
for folder in "$dist"/pwgen-api-*/; do
  name=$(basename "$folder")
  cp LICENSE "$folder"
  case $name in
  *linux*) cp deploy/pwgen-api.service deploy/*.conf "$folder" ;;
  esac
  case $name in
  *windows*) (cd "$dist" && zip -qr "$name.zip" "$name") ;;
  *) tar -czf "$dist/$name.tar.gz" -C "$dist" --owner=0 --group=0 "$name" ;;
  esac
  rm -r "$folder"
done
