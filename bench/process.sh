#!/bin/sh
# Pairs per second through a process that only echoes, with and without stored answers. First argument: how many pairs (500000 if none is given).
set -eu
cd "$(dirname "$0")/.."
cargo run --quiet --release -p acidtest-model --example process_throughput -- "${1:-500000}"
