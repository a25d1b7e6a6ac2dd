#!/bin/bash
# Trains each of the five networks with two builds of the program and compares the weights byte for byte:
#   scripts/compare-weights.sh OLD_BINARY NEW_BINARY
# Weights may differ between processors, so no test pins them; two builds on one machine must agree. The networks are tiny (hidden size 16, one epoch) and
# learn the embedded sample. Prints one line per network; exits with 1 if any differ or a training fails, with 2 on wrong usage.
set -euo pipefail
if [ $# -ne 2 ]; then
    echo "usage: scripts/compare-weights.sh OLD_BINARY NEW_BINARY" >&2
    exit 2
fi
for program in "$1" "$2"; do
    if [ ! -x "$program" ] || [ -d "$program" ]; then
        echo "compare-weights.sh: $program is not a program" >&2
        exit 2
    fi
done
old=$(realpath "$1")
new=$(realpath "$2")
root=$(realpath "$(dirname "${BASH_SOURCE[0]}")/..")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp "$root/crates/corpus/data/sample.jsonl" "$work/train.jsonl"
cp "$root/crates/cli/tests/fixtures/parsed.jsonl" "$work/dev.jsonl"
cd "$work"

# Trains a network: train BINARY MODEL FOLDER
train() {
    "$1" train --model "$2" --train train.jsonl --dev dev.jsonl --set hidden=16 --set epochs=1 --seed 1 --threads 2 -o "$3" >"$3.log" 2>&1
}

different=0
for model in cbow bilstm infersent decomposable esim; do
    result=same
    for build in old new; do
        if ! train "${!build}" "$model" "$build-$model"; then
            result="the $build binary failed: $(tail -n 1 "$build-$model.log")"
        fi
    done
    if [ "$result" = same ] && ! cmp -s "old-$model/weights.safetensors" "new-$model/weights.safetensors"; then
        result=different
    fi
    if [ "$result" = same ]; then
        result="same  $(sha256sum "new-$model/weights.safetensors" | cut -c 1-16)"
    else
        different=1
    fi
    printf '%-14s %s\n' "$model" "$result"
done
exit "$different"
