#!/bin/sh
# Installs or upgrades the files of pwgen-api in /opt/pwgen-api, or in the folder
# of the argument. The files of the last installation move to /opt/pwgen-api.old,
# so no file stays that this release lacks. A running process is not affected,
# because it reads no files after its start. The files are those of the commit that
# is checked out. Uncommitted changes are not installed.
#
# The folder also gets a copy of Deno, so each installation keeps its own version,
# and the standard library from npm, so the service starts without a network. The
# script needs git, tar and Deno 2.9.6 or later. "DENO=/path/of/deno" names another
# Deno than "deno". It downloads from the npm registry of this user:
# NPM_CONFIG_REGISTRY, or "registry=" in ~/.npmrc.
set -eu
target=${1:-/opt/pwgen-api}
deno=${DENO:-deno}
case $target in
/*[!/]) ;;
*)
  echo "install.sh: $target is not an absolute path without a slash at the end" >&2
  exit 2
  ;;
esac
if ! command -v "$deno" >/dev/null; then
  echo "install.sh: cannot find $deno; set DENO to the path of deno" >&2
  exit 2
fi
cd "$(dirname "$0")/.."
umask 022

rm -rf "$target.new"
mkdir -p "$target.new"
# The clone may belong to another user, whose files root's git refuses to read.
git -c safe.directory="$(pwd -P)" -c tar.umask=0022 \
  archive --output="$target.new/files.tar" HEAD
tar -x -f "$target.new/files.tar" -C "$target.new"
rm "$target.new/files.tar"
# "deno" of npm is a script, and execPath() is the program that it starts.
mkdir "$target.new/bin"
cp "$("$deno" eval 'console.log(Deno.execPath())')" "$target.new/bin/deno"
chmod 755 "$target.new/bin/deno"
(cd "$target.new" && DENO_DIR=$target.new/.deno bin/deno cache --quiet --frozen main.ts)
# Deno files a package by the URL of its registry, which the service must know too.
# Nothing else of the user's settings is kept, such as a token.
registry=${NPM_CONFIG_REGISTRY:-$(sed -n 's/^ *registry *= *"\{0,1\}\([^"[:space:]]*\).*/\1/p' "${HOME:-}/.npmrc" 2>/dev/null | tail -n 1)}
if [ -n "$registry" ]; then
  echo "registry=$registry" | sed 's|//[^/]*@|//|' >"$target.new/.npmrc"
fi
if ! (cd "$target.new" && env -i DENO_DIR="$target.new/.deno" bin/deno run --cached-only --quiet --frozen --no-prompt main.ts --version >/dev/null); then
  echo "install.sh: the service does not run without your environment; set NPM_CONFIG_REGISTRY to the URL of your npm registry" >&2
  exit 1
fi
chmod -R a+rX "$target.new"

rm -rf "$target.old"
if [ -e "$target" ]; then mv "$target" "$target.old"; fi
mv "$target.new" "$target"
# The cache contains JavaScript by the path of its TypeScript file.
(cd "$target" && DENO_DIR=$target/.deno bin/deno cache --quiet --frozen main.ts)
chmod -R a+rX "$target"
