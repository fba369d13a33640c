#!/bin/sh
# Installs or upgrades the files of pwgen-api in /opt/pwgen-api, or in the folder
# of the argument. The files of the last installation move to /opt/pwgen-api.old,
# so no file stays that this release lacks. A running process is not affected,
# because it reads no files after its start.
#
# The script downloads the standard library from npm, so the service starts
# without a network. It needs git, tar and /usr/local/bin/deno.
set -eu
target=${1:-/opt/pwgen-api}
deno=${DENO:-/usr/local/bin/deno}
cd "$(dirname "$0")/.."
umask 022

rm -rf "$target.new"
mkdir -p "$target.new"
git ls-files -z | tar -c --null --files-from=- | tar -x -C "$target.new"
(cd "$target.new" && DENO_DIR=$target.new/.deno "$deno" cache --quiet --frozen main.ts)
chmod -R a+rX "$target.new"

rm -rf "$target.old"
if [ -e "$target" ]; then mv "$target" "$target.old"; fi
mv "$target.new" "$target"
# The cache contains JavaScript by the path of its TypeScript file.
(cd "$target" && DENO_DIR=$target/.deno "$deno" cache --quiet --frozen main.ts)
chmod -R a+rX "$target"
