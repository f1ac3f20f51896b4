#!/bin/sh
# Runs a command with a mock broker beside it, at a free port:
#
#   with-mock-broker.sh npm test
#
# The command finds the broker's URL in MQ_URL. Its exit code is the script's. Run it where atom-mq is installed, or
# say in ATOM_MQ what starts it; not by npx, which hands no signal on, so that the broker would outlive the script.
set -eu

directory=$(mktemp -d)
broker=
finish() {
  if [ -n "$broker" ]; then kill "$broker" 2>/dev/null || true; wait "$broker" 2>/dev/null || true; fi
  rm -rf "$directory"
}
trap finish EXIT
trap 'exit 130' INT TERM

${ATOM_MQ:-node_modules/.bin/atom-mq} serve --port 0 --port-file "$directory/port" --control --clock manual \
  --queue orders --quiet >/dev/null &
broker=$!

# The file is there, whole, as soon as the port is open.
tries=0
while [ ! -e "$directory/port" ]; do
  tries=$((tries + 1))
  if [ "$tries" -gt 600 ] || ! kill -0 "$broker" 2>/dev/null; then
    echo 'with-mock-broker.sh: the broker did not start' >&2
    exit 1
  fi
  sleep 0.05
done

MQ_URL="http://127.0.0.1:$(cat "$directory/port")"
export MQ_URL
"$@"
