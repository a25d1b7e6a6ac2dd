#!/bin/sh
# Regenerates the pictures of the README from real output: scripts/pictures.sh
#
# The terminal is drawn as SVG by scripts/terminal_picture.py; the page is a screenshot by Chromium (installed if missing).
set -eu
cd "$(dirname "$0")/.."
program=${ACIDTEST:-target/release/acidtest}
[ -n "${ACIDTEST:-}" ] || cargo build --release --quiet -p acidtest
mkdir -p docs/pictures
SHOWN="acidtest run" python3 scripts/terminal_picture.py docs/pictures/terminal.svg 80 "${LINES_SHOWN:-47}" "$program" run
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$program" run --report "$folder/page" >/dev/null
browser=$(scripts/install-browser.sh)
"$browser" --headless --no-sandbox --disable-gpu --hide-scrollbars --window-size=1280,900 --virtual-time-budget=8000 \
    --screenshot="$PWD/docs/pictures/page.png" "file://$folder/page/index.html" >/dev/null 2>&1
ls -l docs/pictures
