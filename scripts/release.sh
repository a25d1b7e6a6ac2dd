#!/bin/bash
# Makes a release archive: the program, shell completions, man pages, licences and notices.
#   scripts/release.sh [OUTPUT_FOLDER]          default: target/dist
# The archive unpacks into a prefix:
#   tar xf acidtest-VERSION-TARGET.tar.gz --strip-components=1 -C ~/.local
# ACIDTEST=FILE packs an existing binary. The same commit and binary give the same bytes.
set -euo pipefail
root=$(realpath "$(dirname "${BASH_SOURCE[0]}")/..")
output=$(realpath -m "${1:-$root/target/dist}")
cd "$root"

program=${ACIDTEST:-$root/target/release/acidtest}
if [ -z "${ACIDTEST:-}" ]; then
    cargo build --release --locked -p acidtest
fi
version=$("$program" --version | cut -d' ' -f2)
target=$(rustc -vV | sed -n 's/^host: //p')
name=acidtest-$version-$target

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
stage=$work/$name
doc=$stage/share/doc/acidtest

install -Dm755 "$program" "$stage/bin/acidtest"
"$program" packaging "$work/made"
install -Dm644 "$work/made/completions/acidtest.bash" "$stage/share/bash-completion/completions/acidtest"
install -Dm644 "$work/made/completions/_acidtest" "$stage/share/zsh/site-functions/_acidtest"
install -Dm644 "$work/made/completions/acidtest.fish" "$stage/share/fish/vendor_completions.d/acidtest.fish"
install -Dm644 -t "$stage/share/man/man1" "$work"/made/man/*.1
install -Dm644 -t "$doc" LICENSE-MIT LICENSE-APACHE README.md CHANGELOG.md
# Sources and licences of the built-in data.
install -Dm644 crates/lingua/data/README.md "$doc/notices/english-analysis.md"
install -Dm644 crates/lingua/data/LICENSE-WORDNET "$doc/notices/LICENSE-WORDNET"
install -Dm644 crates/lingua/data/LICENSE-SCOWL "$doc/notices/LICENSE-SCOWL"
install -Dm644 crates/experiment/data/esim-small/README.md "$doc/notices/esim-small.md"
install -Dm644 crates/corpus/data/README.md "$doc/notices/sample-corpus.md"
# Crates that are compiled into the program: a list, and the licence files that they ship.
python3 scripts/dependency-licences.py "$target" "$doc/dependencies"

mkdir -p "$output"
date=$(git log -1 --format=%ct 2>/dev/null || echo 0)
tar --sort=name --mtime="@$date" --owner=0 --group=0 --numeric-owner -C "$work" -cf - "$name" | gzip -9n > "$output/$name.tar.gz.partial"
mv "$output/$name.tar.gz.partial" "$output/$name.tar.gz"
echo "$output/$name.tar.gz"
