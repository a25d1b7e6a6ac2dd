#!/bin/sh
# Installs Chromium for the browser tests if it is missing, and prints its path.
set -eu
find_chromium() { command -v chromium || command -v chromium-browser || command -v google-chrome; }
if ! find_chromium >/dev/null; then
    as_root=$([ "$(id -u)" = 0 ] || echo sudo)
    $as_root apt-get update -qq >&2
    $as_root apt-get install -y -qq --no-install-recommends chromium >&2
fi
find_chromium
