"""The lexical model beside scikit-learn: same rows, same features, same penalty.

    cargo build --release -p acidtest && cargo build --release -p acidtest-experiment --example lexical_times
    python bench/lexical.py [ROUNDS]

Wants scikit-learn, and SNLI with parses in ../shared/data or the folder that ACIDTEST_DATA names. Both sides read the same compressed files. scikit-learn's side
makes its features from the rows by itself, by the rules of docs/lexical.md, so that equal losses also mean equal features. The bias is a
feature that every row has, on both sides, so that both have the same loss to minimise. Times are medians of ROUNDS (default 3), taken in turns. The program
may use two threads (THREADS=1 for one).
"""

import gzip
import json
import os
import re
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from functools import partial
from pathlib import Path

print = partial(print, flush=True)

ROOT = Path(__file__).resolve().parent.parent
DATA = Path(os.environ.get("ACIDTEST_DATA", ROOT.parent / "shared" / "data"))
TRAIN = DATA / "snli" / "snli_1.0_train_100k.jsonl.gz"
DEV = DATA / "snli" / "snli_1.0_test_even.jsonl.gz"
PROGRAM = ROOT / "target" / "release" / "acidtest"
TIMES = ROOT / "target" / "release" / "examples" / "lexical_times"
PENALTY = float(os.environ.get("PENALTY", "4"))
THREADS = int(os.environ.get("THREADS", "2"))
LABELS = {"entailment": 0, "neutral": 1, "contradiction": 2}

LEAF = re.compile(r"\(([^\s()]+)\s+([^\s()]+)\)")
CONTENT = re.compile(r"(NN|VB|JJ|RB).*|WRB")
ALWAYS = {"not", "n't", "no", "there"}
LETTER = re.compile(r"[^\W_]")


def words(parse):
    found = {}
    for tag, word in LEAF.findall(parse):
        word = word.lower().replace("’", "'").replace("\\", "")
        if (CONTENT.fullmatch(tag) or word in ALWAYS) and LETTER.search(word):
            found[word] = None
    return list(found)


def features(row):
    premise, hypothesis = words(row["sentence1_parse"]), words(row["sentence2_parse"])
    yield "bias"
    for word in premise:
        yield "p " + word
    for word in hypothesis:
        yield "h " + word
    for first in premise:
        for second in hypothesis:
            yield "x " + first + " " + second


def read(path):
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        rows = [row for row in map(json.loads, lines) if row["gold_label"] in LABELS]
    return rows, [LABELS[row["gold_label"]] for row in rows]


def peer(solver):
    """One whole run of scikit-learn's side, in a process of its own."""
    import numpy as np
    from sklearn.feature_extraction.text import CountVectorizer
    from sklearn.linear_model import LogisticRegression, SGDClassifier

    started = time.perf_counter()
    rows, labels = read(TRAIN)
    vectorizer = CountVectorizer(analyzer=features, binary=True, dtype=np.float64)
    matrix = vectorizer.fit_transform(rows)
    made = time.perf_counter()
    if solver == "sgd":
        model = SGDClassifier(loss="log_loss", alpha=PENALTY / len(labels), fit_intercept=False, random_state=1)
    elif solver == "saga":
        model = LogisticRegression(solver="saga", C=1 / PENALTY, fit_intercept=False, tol=1e-4, max_iter=1000, random_state=1)
    else:
        model = LogisticRegression(solver="lbfgs", C=1 / PENALTY, fit_intercept=False, tol=1e-9, max_iter=5000)
    model.fit(matrix, labels)
    fitted = time.perf_counter()
    dev_rows, dev_labels = read(DEV)
    right = int((model.predict(vectorizer.transform(dev_rows)) == dev_labels).sum())
    ended = time.perf_counter()
    scores = matrix @ model.coef_.T
    most = scores.max(axis=1, keepdims=True)
    sums = most[:, 0] + np.log(np.exp(scores - most).sum(axis=1))
    loss = float((sums - scores[np.arange(len(labels)), labels]).sum() + PENALTY / 2 * (model.coef_**2).sum())
    print(json.dumps({
        "solver": solver, "features": matrix.shape[1] - 1, "loss": loss, "dev": right / len(dev_labels), "whole": ended - started, "made": made - started,
        "fit": fitted - made, "iterations": int(np.max(model.n_iter_)), "peak": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }))


def run_peer(solver):
    output = subprocess.run([sys.executable, __file__, "--peer", solver], check=True, capture_output=True, text=True)
    return json.loads(output.stdout)


def run_ours(folder, *settings, threads=THREADS):
    """One run of the program; the peak memory is that of the process."""
    command = [PROGRAM, "train", "--model", "lexical", "--train", TRAIN, "--dev", DEV, "-o", folder, "--threads", str(threads)]
    for setting in (f"penalty={PENALTY}", *settings):
        command += ["--set", setting]
    started = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    whole = time.perf_counter() - started
    assert status == 0
    about = json.loads((Path(folder) / "model.json").read_text())
    return {"whole": whole, "peak": usage.ru_maxrss / 1024, **about}


def times(*arguments):
    output = subprocess.run([TIMES, *map(str, arguments)], check=True, capture_output=True, text=True)
    return json.loads(output.stdout)


def median(runs, key):
    return statistics.median(run[key] for run in runs)


def main(rounds):
    with tempfile.TemporaryDirectory() as scratch:
        one, two = Path(scratch, "one"), Path(scratch, "two")
        best = run_peer("lbfgs")
        optimum = run_ours(two)
        print(f"penalty {PENALTY:g}, {optimum['training']['rows']} rows, features: ours {optimum['features'][0]}, scikit-learn {best['features']}")
        print(f"loss: ours {optimum['loss']:.2f}, lbfgs run to its end {best['loss']:.2f}: {100 * (optimum['loss'] / best['loss'] - 1):+.4f} % (bar 0.1)")
        print(f"dev accuracy: ours {100 * optimum['dev_accuracy']:.2f}, lbfgs {100 * best['dev']:.2f} (bar 0.3 points)")
        sgd = [run_peer("sgd")]
        passes = times("passes", TRAIN, DEV, PENALTY, sgd[0]["dev"])["passes"]
        ours, saga, early, fits, fits_to_optimum = [], [], [], [], []
        for turn in range(rounds):
            ours.append(run_ours(two))
            saga.append(run_peer("saga"))
            early.append(run_ours(two, f"passes={passes}"))
            if turn > 0:
                sgd.append(run_peer("sgd"))
            fits.append(times("fit", TRAIN, DEV, PENALTY, passes))
            fits_to_optimum.append(times("fit", TRAIN, DEV, PENALTY, 0))
        whole = median(ours, "whole")
        print(f"end to end: ours {whole:.2f} s, saga pipeline {median(saga, 'whole'):.2f} s ({median(saga, 'iterations'):.0f} iterations): {median(saga, 'whole') / whole:.1f} times (bar 20)")
        whole = median(early, "whole")
        print(f"end to end to SGD's dev accuracy: ours {whole:.2f} s, SGD pipeline {median(sgd, 'whole'):.2f} s: {median(sgd, 'whole') / whole:.1f} times")
        fit = median(fits, "fit_seconds")
        print(f"fit alone to SGD's dev accuracy ({100 * sgd[0]['dev']:.2f}; ours after {passes} passes {100 * early[0]['dev_accuracy']:.2f}): ours {fit:.3f} s, "
              f"SGD {median(sgd, 'fit'):.2f} s: {median(sgd, 'fit') / fit:.1f} times (floor 2, goal 4)")
        fit = median(fits_to_optimum, "fit_seconds")
        print(f"fit alone to the optimum: ours {fit:.3f} s, saga {median(saga, 'fit'):.2f} s: {median(saga, 'fit') / fit:.1f} times, lbfgs {best['fit']:.1f} s")
        print(f"peak memory: ours {median(ours, 'peak'):.0f} MB, scikit-learn {min(median(saga, 'peak'), median(sgd, 'peak')):.0f} MB")
        run_ours(one, threads=1)
        run_ours(two, threads=2)
        same = all((one / name).read_bytes() == (two / name).read_bytes() for name in ("model.json", "weights.bin", "seen.bin"))
        print(f"one thread and two write the same bytes: {'yes' if same else 'NO'}")
        for threads in (1, 2):
            scoring = [times("score", two, TRAIN, threads) for _ in range(rounds)]
            print(f"scoring on {threads} thread(s): {median(scoring, 'pairs_a_second'):.0f} pairs a second (bar 500,000)")
        print(f"loading: {median([times('load', two) for _ in range(2 * rounds + 1)], 'load_milliseconds'):.2f} ms")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--peer"]:
        peer(sys.argv[2])
    else:
        main(int(sys.argv[1]) if len(sys.argv) > 1 else 3)
