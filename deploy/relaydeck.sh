#!/bin/sh
# The command of a release: finds its release by its own real path. dist/service/relaydeck.js is the rest.
set -eu
umask 077
release=$(dirname "$(dirname "$(readlink -f "$0")")")
if [ -e /lib/ld-musl-x86_64.so.1 ] || [ -e /lib/ld-musl-aarch64.so.1 ] && ! [ -e /lib64/ld-linux-x86-64.so.2 ] && ! [ -e /lib/ld-linux-aarch64.so.1 ]; then
  echo "Relaydeck needs the C library of GNU (glibc 2.28 or newer). This system has musl, as Alpine does." >&2
  exit 1
fi
if [ "${1:-}" = serve ]; then
  # Without a Node in between: it closes the sockets that systemd hands to this process. Variables that are set win over the file.
  settings=
  case $release in /opt/relaydeck/releases/*) settings=--env-file-if-exists=/etc/relaydeck/relaydeck.env ;; esac
  RELAYDECK_COMMAND=relaydeck MALLOC_ARENA_MAX=${MALLOC_ARENA_MAX:-2}
  export RELAYDECK_COMMAND MALLOC_ARENA_MAX
  exec "$release/bin/node" --max-semi-space-size=1 $settings "$release/dist/service/supervisor.js" \
    --max-semi-space-size=2 "$release/dist/service/service.js"
fi
exec "$release/bin/node" --max-semi-space-size=1 "$release/dist/service/relaydeck.js" "$@"
