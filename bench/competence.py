"""Compares `acidtest challenge antonym` with the released script's method in NLTK, and times all competence sets.

    apt-get install wordnet-base
    python3 -m venv .venv && .venv/bin/pip install nltk
    cargo build --release -p acidtest
    ACIDTEST_DATA=../shared/data .venv/bin/python bench/competence.py [rounds] [sentences for NLTK]

Both read the sentences of MultiNLI dev matched in alternating rounds. NLTK gets only part of them; the rates compared are sentences per second,
including start-up. Then prints the time of all competence sets from MultiNLI dev matched, and peak memory on the file and on one four times as long.
"""

import gzip
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
DATA = os.environ.get("ACIDTEST_DATA", os.path.join(ROOT, "..", "shared", "data"))
WORDNET = os.environ.get("WORDNET", "/usr/share/wordnet")
BINARY = os.path.join(os.environ.get("CARGO_TARGET_DIR", os.path.join(ROOT, "target")), "release", "acidtest")
ROUNDS = int(sys.argv[1]) if len(sys.argv) > 1 else 5
NLTK_SENTENCES = int(sys.argv[2]) if len(sys.argv) > 2 else 1500


def seconds(command):
    start = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return time.perf_counter() - start


def peak_megabytes(command):
    code = "import resource,subprocess,sys;subprocess.run(sys.argv[1:],check=True,stderr=subprocess.DEVNULL);print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
    out = subprocess.run([sys.executable, "-c", code, *command], check=True, capture_output=True, text=True).stdout
    return int(out.split()[-1]) / 1024


def challenge(names, corpus, output, *more):
    return [BINARY, "challenge", names, "--from", corpus, "-o", output, "--threads", "2", *more]


def main():
    with tempfile.TemporaryDirectory() as folder:
        corpus = os.path.join(folder, "mnli.jsonl")
        sentences = []
        with gzip.open(os.path.join(DATA, "mnli", "mnli_dev_matched.jsonl.gz"), "rt", encoding="utf-8") as source:
            rows = [json.loads(line) for line in source]
        with open(corpus, "w", encoding="utf-8") as target:
            for row in rows:
                target.write(json.dumps(row) + "\n")
                sentences.extend([row["sentence1"], row["sentence2"]])
        part = os.path.join(folder, "part.txt")
        step = max(1, len(sentences) // NLTK_SENTENCES)
        some = sentences[::step]
        with open(part, "w", encoding="utf-8") as target:
            target.writelines(" ".join(sentence.split()) + "\n" for sentence in some)
        script = [sys.executable, os.path.join(ROOT, "bench", "baseline_antonym.py"), WORDNET, part, os.path.join(folder, "nltk.jsonl")]
        rates = {"NLTK": [], "as published": [], "all filters": []}
        for _ in range(ROUNDS):
            rates["NLTK"].append(len(some) / seconds(script))
            for name, more in [("as published", ["--as-published"]), ("all filters", [])]:
                output = os.path.join(folder, "ours.jsonl")
                if os.path.exists(output):
                    os.remove(output)
                rates[name].append(len(sentences) / seconds(challenge("antonym", corpus, output, *more)))
        median = {name: statistics.median(found) for name, found in rates.items()}
        for name in ("as published", "all filters"):
            print(f"antonym, {name}: {median[name] / median['NLTK']:.1f} times NLTK's rate ({ROUNDS} alternating rounds, 2 threads)")
        sets = "antonym,numeric"
        times = []
        for round_ in range(ROUNDS):
            times.append(seconds(challenge(sets, corpus, os.path.join(folder, f"sets{round_}"))))
        print(f"all competence sets from MultiNLI dev matched: {statistics.median(times):.2f} s")
        longer = os.path.join(folder, "longer.jsonl")
        with open(longer, "w", encoding="utf-8") as target:
            for copy in range(4):
                for number, row in enumerate(rows):
                    # Different sentences, so that none is dropped as a duplicate.
                    own = {**row, "sentence1": f"{row['sentence1']} {copy}{number}.", "sentence2": f"{row['sentence2']} {copy}{number}."}
                    own.pop("pairID", None)
                    target.write(json.dumps(own) + "\n")
        for name, file in (("9,815 examples", corpus), ("39,260 examples", longer)):
            print(f"peak memory, {name}: {peak_megabytes(challenge('antonym', file, os.path.join(folder, name + '.jsonl'))):.0f} MB")


main()
