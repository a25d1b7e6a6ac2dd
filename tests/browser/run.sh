#!/bin/sh
# Tests the HTML report in a real browser: makes a report of made-up examples and opens it from disk in headless Chromium.
#   tests/browser/run.sh                          the tests
#   tests/browser/run.sh measure 500000           build time, folder size and time to a usable page
#   SCREENSHOTS=folder tests/browser/run.sh       the tests, and pictures of the page
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
target=${CARGO_TARGET_DIR:-$root/target}
tools=${ACIDTEST_NODE:-$target/browser}
mode=${1:-test}
examples=${2:-12000}

CHROMIUM=$("$root/scripts/install-browser.sh")
export CHROMIUM
mkdir -p "$tools"
if [ ! -d "$tools/node_modules/playwright-core" ] || [ ! -d "$tools/node_modules/axe-core" ]; then
    cp "$here/package.json" "$tools/"
    (cd "$tools" && npm install --no-audit --no-fund --silent)
fi
(cd "$root" && cargo build --quiet -p acidtest-evaluate --example html_report)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$target/debug/examples/html_report" "$examples" "$work/report"
"$target/debug/examples/html_report" 400 "$work/single" --single-file
NODE_PATH="$tools/node_modules" node "$here/$mode.cjs" "$work"
