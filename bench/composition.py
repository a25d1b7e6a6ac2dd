"""Compares `acidtest challenge subject-object-swap` with plain Python on the same trees (bench/baseline_swap.py, trees read with NLTK).

    python3 -m venv .venv && .venv/bin/pip install nltk
    cargo build --release -p acidtest
    ACIDTEST_DATA=../shared/data .venv/bin/python bench/composition.py [rounds]

Both read the first 100,000 examples of SNLI's training set in alternating rounds, including start-up and writing the set. The script is also run
with repeated premises skipped. Then prints peak memory on the file and on one four times as long.
"""

import gzip
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
DATA = os.environ.get("ACIDTEST_DATA", os.path.join(ROOT, "..", "shared", "data"))
BINARY = os.path.join(os.environ.get("CARGO_TARGET_DIR", os.path.join(ROOT, "target")), "release", "acidtest")
ROUNDS = int(sys.argv[1]) if len(sys.argv) > 1 else 5


def seconds(command):
    """Wall time and processor time."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    wall = time.perf_counter() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def peak_megabytes(command):
    code = "import resource,subprocess,sys;subprocess.run(sys.argv[1:],check=True,stderr=subprocess.DEVNULL);print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
    out = subprocess.run([sys.executable, "-c", code, *command], check=True, capture_output=True, text=True).stdout
    return int(out.split()[-1]) / 1024


def challenge(analysis, corpus, output):
    return [BINARY, "challenge", "subject-object-swap", "--from", corpus, "-o", output, "--threads", "2", "--set", f"analysis={analysis}"]


def main():
    with tempfile.TemporaryDirectory() as folder:
        corpus = os.path.join(folder, "snli.jsonl")
        with gzip.open(os.path.join(DATA, "snli", "snli_1.0_train_100k.jsonl.gz"), "rt", encoding="utf-8") as source:
            lines = source.readlines()
        with open(corpus, "w", encoding="utf-8") as target:
            target.writelines(lines)
        script = [sys.executable, os.path.join(ROOT, "bench", "baseline_swap.py"), corpus]
        runs = {
            "script": lambda output: [*script, output],
            "script, each premise once": lambda output: [*script, output, "--once"],
            "tree": lambda output: challenge("tree", corpus, output),
            "strict": lambda output: challenge("strict", corpus, output),
        }
        times = {name: [] for name in runs}
        for round_ in range(ROUNDS):
            for name, command in runs.items():
                times[name].append(seconds(command(os.path.join(folder, f"{name}{round_}.jsonl"))))
        wall = {name: statistics.median(found[0] for found in found_all) for name, found_all in times.items()}
        cpu = {name: statistics.median(found[1] for found in found_all) for name, found_all in times.items()}
        for name in runs:
            print(f"{name}: {wall[name]:.2f} s, processor {cpu[name]:.2f} s (median of {ROUNDS} alternating rounds, 2 threads)")
        for name in ("tree", "strict"):
            for other in ("script", "script, each premise once"):
                print(f"{name}: {wall[other] / wall[name]:.1f} times the {other}; by processor time {cpu[other] / cpu[name]:.1f} times")
        longer = os.path.join(folder, "longer.jsonl")
        with open(longer, "w", encoding="utf-8") as target:
            for copy in range(4):
                for line in lines:
                    row = json.loads(line)
                    row["pairID"] = f"{row['pairID']}{copy}"
                    target.write(json.dumps(row) + "\n")
        for name, file in (("100,000 examples", corpus), ("400,000 examples", longer)):
            for analysis in ("tree", "strict"):
                peak = peak_megabytes(challenge(analysis, file, os.path.join(folder, f"{analysis}.jsonl")))
                print(f"peak memory, {analysis}, {name}: {peak:.0f} MB")


main()
