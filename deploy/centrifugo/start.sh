#!/bin/sh
# Starts Centrifugo 6 for Relaydeck, over Redis, so that several of them serve the same pages (docs/realtime.md, Centrifugo).
#
#   CENTRIFUGO_API_KEY, CENTRIFUGO_TOKEN_SECRET   as in the settings of the service
#   PUBLIC_URL                                    origin of the dashboard
#   REDIS_ADDRESS                                 default redis://127.0.0.1:6379
#   CENTRIFUGO_BIN                                the program, default centrifugo
#   CENTRIFUGO_ADDRESS, CENTRIFUGO_PORT           where it listens, default 127.0.0.1 and 8000
set -eu
for name in CENTRIFUGO_API_KEY CENTRIFUGO_TOKEN_SECRET PUBLIC_URL; do
  eval "value=\${$name:-}"
  if [ -z "$value" ]; then
    echo "Set $name" >&2
    exit 78
  fi
done
bin=${CENTRIFUGO_BIN:-centrifugo}
if ! command -v "$bin" >/dev/null; then
  echo "$bin is not a program: set CENTRIFUGO_BIN to Centrifugo 6 (https://github.com/centrifugal/centrifugo/releases)" >&2
  exit 78
fi
# By variables, so that the list of processes shows no secret. Ours would be read as settings of Centrifugo.
CENTRIFUGO_HTTP_API_KEY=$CENTRIFUGO_API_KEY
CENTRIFUGO_CLIENT_TOKEN_HMAC_SECRET_KEY=$CENTRIFUGO_TOKEN_SECRET
CENTRIFUGO_CLIENT_ALLOWED_ORIGINS=$PUBLIC_URL
CENTRIFUGO_ENGINE_REDIS_ADDRESS=${REDIS_ADDRESS:-redis://127.0.0.1:6379}
CENTRIFUGO_HTTP_SERVER_ADDRESS=${CENTRIFUGO_ADDRESS:-127.0.0.1}
CENTRIFUGO_HTTP_SERVER_PORT=${CENTRIFUGO_PORT:-8000}
unset CENTRIFUGO_API_KEY CENTRIFUGO_TOKEN_SECRET CENTRIFUGO_ADDRESS CENTRIFUGO_PORT CENTRIFUGO_BIN
export CENTRIFUGO_HTTP_API_KEY CENTRIFUGO_CLIENT_TOKEN_HMAC_SECRET_KEY CENTRIFUGO_CLIENT_ALLOWED_ORIGINS
export CENTRIFUGO_ENGINE_REDIS_ADDRESS CENTRIFUGO_HTTP_SERVER_ADDRESS CENTRIFUGO_HTTP_SERVER_PORT
exec "$bin" -c "$(dirname "$(readlink -f "$0")")/config.json"
