#!/bin/sh
# Measures pairs per second with a process model that only echoes, with and without cached predictions. First argument: number of pairs (default: 500000).
set -eu
cd "$(dirname "$0")/.."
cargo run --quiet --release -p acidtest-model --example process_throughput -- "${1:-500000}"
