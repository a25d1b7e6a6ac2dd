#!/bin/sh
# Builds the documentation as a static site that can be opened from disk and searched offline: scripts/docs.sh
#
# mdBook is installed once, into target/tools. With --check, Chromium opens the site from disk and searches it.
set -eu
cd "$(dirname "$0")/.."
VERSION=0.5.2
tools=$PWD/target/tools
if ! "$tools/bin/mdbook" --version 2>/dev/null | grep -qx "mdbook v$VERSION"; then
    cargo install --locked --quiet --root "$tools" --no-default-features --features search mdbook --version "$VERSION"
fi
"$tools/bin/mdbook" build
echo "Open target/site/index.html"

if [ "${1:-}" = --check ]; then
    browser=$(scripts/install-browser.sh)
    page=$("$browser" --headless --no-sandbox --disable-gpu --virtual-time-budget=8000 --dump-dom "file://$PWD/target/site/index.html?search=kappa" 2>/dev/null)
    echo "$page" | grep -q "search results for 'kappa'" || { echo "scripts/docs.sh: the search finds nothing offline" >&2; exit 1; }
    echo "The search works offline"
fi
