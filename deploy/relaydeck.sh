#!/bin/sh
# The command of a release: finds its release by its own real path. dist/service/relaydeck.js is the rest.
set -eu
umask 077
release=$(dirname "$(dirname "$(readlink -f "$0")")")
if [ -e /lib/ld-musl-x86_64.so.1 ] || [ -e /lib/ld-musl-aarch64.so.1 ] && ! [ -e /lib64/ld-linux-x86-64.so.2 ] && ! [ -e /lib/ld-linux-aarch64.so.1 ]; then
  echo "Relaydeck needs the C library of GNU (glibc 2.28 or newer). This system has musl, as Alpine does." >&2
  exit 1
fi
exec "$release/bin/node" --max-semi-space-size=1 "$release/dist/service/relaydeck.js" "$@"
