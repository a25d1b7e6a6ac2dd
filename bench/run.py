"""Compares `acidtest run` of two binaries, such as the current one and the last release: the ratio of the medians, and peak memory.

    cargo build --release -p acidtest
    ACIDTEST_DATA=../shared/data python3 bench/run.py OLD [NEW] [rounds]

Both make eight challenge sets from MultiNLI dev matched and test two models in alternating rounds: first two rules, then a rule and the
built-in network. Statements are appended to every sentence, complete or not, as older versions did, so that both make the same sets; the last lines
show the additional time of the default, which first parses sentences that may be incomplete.
"""

import gzip
import os
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
DATA = os.environ.get("ACIDTEST_DATA", os.path.join(ROOT, "..", "shared", "data"))
BINARY = os.path.join(os.environ.get("CARGO_TARGET_DIR", os.path.join(ROOT, "target")), "release", "acidtest")
OLD = sys.argv[1]
NEW = sys.argv[2] if len(sys.argv) > 2 else BINARY
ROUNDS = int(sys.argv[3]) if len(sys.argv) > 3 else 7
CHALLENGES = [
    "word-overlap",
    "negation",
    "length-mismatch",
    "tautology",
    "spelling-swap",
    "spelling-keyboard",
    "spelling-swap-content",
    "spelling-swap-function",
]

JOINED = ["word-overlap", "negation", "length-mismatch", "tautology"]
EVERY_SENTENCE = [f"{name}.{rule}=keep" for name in JOINED for rule in ("questions", "verbless", "fragments")]


def measured(command):
    """Seconds and peak megabytes of a command."""
    start = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    if status != 0:
        sys.exit(f"{' '.join(command)}: failed")
    return time.perf_counter() - start, usage.ru_maxrss / 1024


def compare(name, corpus, models):
    """Prints how much faster the new program is."""
    flags = [flag for challenge in CHALLENGES for flag in ("--challenge", challenge)]
    flags += [flag for model in models for flag in ("--model", model)]
    every_sentence = [flag for setting in EVERY_SENTENCE for flag in ("--set", setting)]
    commands = {
        "old": [OLD, "run", "--data", corpus, "--threads", "2", *flags],
        "new": [NEW, "run", "--data", corpus, "--threads", "2", *flags, *every_sentence],
        "default": [NEW, "run", "--data", corpus, "--threads", "2", *flags],
    }
    found = {which: [] for which in commands}
    for _ in range(ROUNDS):
        for which, command in commands.items():
            found[which].append(measured(command))
    (old, old_peak), (new, new_peak), (default, default_peak) = (map(statistics.median, zip(*runs)) for runs in found.values())
    print(f"run, {name}: {old / new:.2f} times as fast; peak memory {new_peak:.0f} MB, before {old_peak:.0f} MB")
    print(f"  complete sentences only (default): {old / default:.2f} times as fast; peak memory {default_peak:.0f} MB")


def main():
    with tempfile.TemporaryDirectory() as folder:
        corpus = os.path.join(folder, "mnli.jsonl")
        with gzip.open(os.path.join(DATA, "mnli", "mnli_dev_matched.jsonl.gz"), "rb") as source, open(corpus, "wb") as target:
            target.write(source.read())
        compare("two rule models", corpus, ["overlap", "negation-word"])
        compare("esim-small and a rule", corpus, ["esim-small", "negation-word"])


main()
