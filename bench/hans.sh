#!/usr/bin/env bash
# Times the generation and identification of HANS on one core, including start-up. Medians of ROUNDS runs.
#
#   cargo build --release -p acidtest
#   bench/hans.sh [PATH OF acidtest]
#
# The original generator makes 7,000 pairs per CPU second.
set -euo pipefail

program=$(realpath "${1:-${CARGO_TARGET_DIR:-target}/release/acidtest}")
rounds=${ROUNDS:-15}
original=7000
pairs=30000
folder=$(mktemp -d)
trap 'rm -r "$folder"' EXIT
cd "$folder"

# Runs a command ROUNDS times and prints the medians of wall time and CPU time.
measure() {
    local name=$1
    shift
    for _ in $(seq "$rounds"); do
        { TIMEFORMAT='%R %U %S'; time "$@" >/dev/null 2>/dev/null; } 2>>times
    done
    awk '{ print $1 }' times | sort -n | sed -n "$(((rounds + 1) / 2))p" >wall
    awk '{ print $2 + $3 }' times | sort -n | sed -n "$(((rounds + 1) / 2))p" >processor
    awk -v name="$name" -v pairs="$pairs" -v original="$original" -v wall="$(cat wall)" -v processor="$(cat processor)" 'BEGIN {
        printf "%-34s %6.1f ms wall, %6.1f ms processor: %9.0f pairs per wall second, %9.0f per processor second (%.0f times the original)\n",
            name, 1000 * wall, 1000 * processor, pairs / wall, pairs / processor, pairs / processor / original
    }'
    rm times
}

"$program" challenge hans --as-published -o set.txt 2>/dev/null
"$program" corpus convert set.txt --to sick -o bare.txt 2>/dev/null
measure "make HANS text" "$program" challenge hans --threads 1 --as-published -o made.txt
measure "make our JSON lines" "$program" challenge hans --threads 1 -o made.jsonl
measure "identify texts alone" "$program" challenge identify --threads 1 bare.txt
measure "identify, all columns" "$program" challenge identify --threads 1 set.txt
measure "identify and write with parses" "$program" challenge identify --threads 1 bare.txt -o found.txt
