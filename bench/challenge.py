"""Compares `acidtest challenge negation` with a plain Python script, and times all challenges and a HANS evaluation.

    cargo build --release -p acidtest
    ACIDTEST_DATA=../shared/data python3 bench/challenge.py [rounds]

Both read and write the same 100,000 SNLI rows (88 MB) in alternating rounds; the ratio is that of the medians. The script edits only the
text; acidtest also updates both parses. Then prints peak memory on the file and on one ten times as long, and the times of all challenges
from MultiNLI dev matched and of scoring 30,000 HANS predictions, including start-up.
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
ROUNDS = int(sys.argv[1]) if len(sys.argv) > 1 else 7
THREADS = "2"


def timed(command):
    """Wall time and processor time of a command, in seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.perf_counter()
    subprocess.run(command, check=True, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    wall = time.perf_counter() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return wall, cpu


def peak_megabytes(command):
    """Peak memory of a command."""
    code = "import resource,subprocess,sys;subprocess.run(sys.argv[1:],check=True,stderr=subprocess.DEVNULL);print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
    out = subprocess.run([sys.executable, "-c", code, *command], check=True, capture_output=True, text=True).stdout
    return int(out.split()[-1]) / 1024


def main():
    with tempfile.TemporaryDirectory() as folder:
        snli = os.path.join(folder, "snli.jsonl")
        with gzip.open(os.path.join(DATA, "snli", "snli_1.0_train_100k.jsonl.gz"), "rb") as source, open(snli, "wb") as target:
            target.write(source.read())
        script_out, our_out = os.path.join(folder, "script.jsonl"), os.path.join(folder, "ours.jsonl")
        script = [sys.executable, os.path.join(ROOT, "bench", "baseline_negation.py"), snli, script_out]
        ours = [BINARY, "challenge", "negation", "--from", snli, "-o", our_out, "--threads", THREADS]
        times = {"script": [], "acidtest": []}
        for _ in range(ROUNDS):
            # Both write a new file, because replacing one may wait for the disk.
            for name, command, output in [("script", script, script_out), ("acidtest", ours, our_out)]:
                if os.path.exists(output):
                    os.remove(output)
                times[name].append(timed(command))
        wall = {name: statistics.median(t[0] for t in rounds) for name, rounds in times.items()}
        cpu = {name: statistics.median(t[1] for t in rounds) for name, rounds in times.items()}
        print(f"challenge negation, {ROUNDS} alternating rounds, {THREADS} threads, wall: script {wall['script']:.3f} s, "
              f"acidtest {wall['acidtest']:.3f} s, ratio {wall['script'] / wall['acidtest']:.1f}")
        print(f"  processor time of all threads: script {cpu['script']:.3f} s, acidtest {cpu['acidtest']:.3f} s, "
              f"ratio {cpu['script'] / cpu['acidtest']:.1f}")

        long = os.path.join(folder, "long.jsonl")
        with open(snli, encoding="utf-8") as source, open(long, "w", encoding="utf-8") as target:
            rows = [json.loads(line) for line in source]
            for copy in range(10):
                for row in rows:
                    target.write(json.dumps({**row, "pairID": f"{row['pairID']}-{copy}"}) + "\n")
        for name, file in [("100,000 rows", snli), ("1,000,000 rows", long)]:
            command = [BINARY, "challenge", "negation", "--from", file, "-o", our_out, "--threads", THREADS]
            print(f"  peak memory, {name}: {peak_megabytes(command):.0f} MB")
        os.remove(long)

        dev = os.path.join(DATA, "mnli", "mnli_dev_matched.jsonl.gz")
        command = [BINARY, "challenge", "all", "--from", dev, "-o", os.path.join(folder, "all"), "--threads", THREADS]
        print(f"all challenges from MultiNLI dev matched: {statistics.median(timed(command)[0] for _ in range(ROUNDS)):.3f} s")
        key = os.path.join(DATA, "hans", "released_key.tsv.gz")
        predictions = os.path.join(DATA, "hans", "predictions", "bert.csv.gz")
        command = [BINARY, "evaluate", "--data", key, "--predictions", predictions, "--by", "heuristic,gold", "--by", "subcase"]
        print(f"evaluate 30,000 HANS predictions: {statistics.median(timed(command)[0] for _ in range(ROUNDS)):.3f} s")


main()
