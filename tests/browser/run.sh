#!/bin/sh
# Tests the HTML report and the page of a review in a real browser: makes both from made-up examples and opens them from disk in headless Chromium.
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
if [ "$mode" = test ]; then
    (cd "$root" && cargo build --quiet -p acidtest)
    ACIDTEST=$target/debug/acidtest
    export ACIDTEST
    "$ACIDTEST" corpus sample 10 "$root/crates/corpus/data/sample.jsonl" --unlabelled drop --to acidtest -o "$work/set.jsonl" 2>"$work/log"
    cat >>"$work/set.jsonl" <<'END'
{"id": "x1", "premise": "<img src=x onerror=alert(1)> </script>", "hypothesis": "- A list, with \"quotes\".", "label": "neutral"}
{"id": "x2", "premise": "=HYPERLINK(\"nowhere\")", "hypothesis": "@home", "label": "contradiction"}
END
    "$ACIDTEST" review "$work/set.jsonl" -n 12 -o "$work/review" 2>"$work/log"
    "$ACIDTEST" challenge negation --from "$root/crates/corpus/data/sample.jsonl" -o "$work/negation.jsonl" 2>"$work/log"
    "$ACIDTEST" review "$work/negation.jsonl" -n 12 --questions relation -o "$work/relation" 2>"$work/log"
fi
NODE_PATH="$tools/node_modules" node "$here/$mode.cjs" "$work"
