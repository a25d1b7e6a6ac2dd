#!/bin/bash
# Runs all tests: installs what they need if it is missing, then the tests of every crate, then those of the HTML report in a browser.
#   scripts/test.sh             everything
#   scripts/test.sh ARGS..      `cargo test --workspace ARGS..`, and nothing else
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# Says what is missing and installs it from the distribution's packages: needs COMMAND PACKAGE..
needs() {
    local command=$1
    shift
    if command -v "$command" >/dev/null; then
        return
    fi
    echo "test.sh: $command is missing, installing $*" >&2
    if ! command -v apt-get >/dev/null; then
        echo "test.sh: no apt-get here; install $command yourself and run this again" >&2
        exit 1
    fi
    local as_root=()
    if [ "$(id -u)" != 0 ]; then
        as_root=(sudo)
    fi
    "${as_root[@]}" apt-get update -qq
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@"
}

if ! command -v cargo >/dev/null; then
    echo "test.sh: cargo is missing; install Rust from https://rustup.rs and run this again" >&2
    exit 1
fi
# The Zstandard library and the memory allocator are compiled from C.
needs cc gcc libc6-dev
# The models of the process tests, and the one in the README, are Python programs.
needs python3 python3-minimal

if [ $# -gt 0 ]; then
    exec cargo test --workspace "$@"
fi

failed=()
# One failing crate does not hide the next one.
cargo test --workspace --no-fail-fast || failed+=("cargo test")
if [ -x tests/browser/run.sh ]; then
    needs npm nodejs npm
    tests/browser/run.sh || failed+=("tests/browser/run.sh")
fi

if [ ${#failed[@]} -gt 0 ]; then
    printf 'test.sh: failed: %s\n' "${failed[@]}" >&2
    exit 1
fi
echo "test.sh: all tests passed"
