"""Compares the lexical model with scikit-learn: same rows, same features, same penalty.

    cargo build --release -p acidtest && cargo build --release -p acidtest-experiment --example lexical_times
    python bench/lexical.py [ROUNDS]

Needs scikit-learn, and SNLI with parses in ../shared/data or ACIDTEST_DATA. Both sides read the same compressed files. The scikit-learn side
extracts features independently, by the rules of docs/lexical.md, so equal losses also mean equal features. On both sides the bias is a feature
of every row, so that both minimise the same loss. scikit-learn's converged solution is that of saga, refined once by lbfgs until every entry of
the gradient is negligible. Times are medians of ROUNDS (default 3) in alternating order. The program uses two threads (one with THREADS=1).
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

# Only ASCII spaces separate words: a few words of the corpus contain others.
LEAF = re.compile(r"\(([^\s()]+)\s+([^()]*[^\s()])\s*\)", re.ASCII)
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


def peer(optimum):
    """A complete run of scikit-learn in a separate process: features once, then each solver, and the optimum if requested."""
    import numpy as np
    from sklearn.feature_extraction.text import CountVectorizer
    from sklearn.linear_model import LogisticRegression, SGDClassifier

    started = time.perf_counter()
    rows, labels = read(TRAIN)
    vectorizer = CountVectorizer(analyzer=features, binary=True, dtype=np.float64)
    matrix = vectorizer.fit_transform(rows)
    made = time.perf_counter() - started
    dev_rows, dev_labels = read(DEV)
    labels, dev_labels = np.array(labels), np.array(dev_labels)
    found = {"features": matrix.shape[1] - 1, "made": made}

    def fitted(name, model):
        started = time.perf_counter()
        model.fit(matrix, labels)
        fit = time.perf_counter() - started
        right = (model.predict(vectorizer.transform(dev_rows)) == dev_labels).mean()
        found[name] = {
            "fit": fit, "whole": made + time.perf_counter() - started, "dev": float(right), "iterations": int(np.max(model.n_iter_)),
            # The peak of the process so far: solvers that need less memory come first.
            "peak": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
        }
        return model

    fitted("sgd", SGDClassifier(loss="log_loss", alpha=PENALTY / len(labels), fit_intercept=False, random_state=1))
    saga = fitted("saga", LogisticRegression(solver="saga", C=1 / PENALTY, fit_intercept=False, tol=1e-4, max_iter=1000, random_state=1))
    if optimum:
        best = LogisticRegression(solver="lbfgs", C=1 / PENALTY, fit_intercept=False, tol=1e-7, max_iter=1000, warm_start=True)
        best.coef_ = saga.coef_.copy()
        fitted("best", best)
        scores = matrix @ best.coef_.T
        scores -= scores.max(axis=1, keepdims=True)
        powers = np.exp(scores)
        sums = powers.sum(axis=1)
        loss = (np.log(sums) - scores[np.arange(len(labels)), labels]).sum() + PENALTY / 2 * (best.coef_**2).sum()
        apart = powers / sums[:, None] - np.eye(3)[labels]
        gradient = (matrix.T @ apart).T + PENALTY * best.coef_
        found["best"] |= {"loss": float(loss), "gradient_norm": float(np.linalg.norm(gradient))}
    print(json.dumps(found))


def run_peer(*flags):
    output = subprocess.run([sys.executable, __file__, "--peer", *flags], check=True, stdout=subprocess.PIPE, text=True)
    return json.loads(output.stdout)


def run_ours(folder, *settings, threads=THREADS):
    """One run of the program, with the peak memory of its process."""
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


def median(runs, *keys):
    def value(run):
        for key in keys:
            run = run[key]
        return run

    return statistics.median(value(run) for run in runs)


def main(rounds):
    started = time.perf_counter()
    with tempfile.TemporaryDirectory() as scratch:
        one, two = Path(scratch, "one"), Path(scratch, "two")
        peers = [run_peer("--optimum")]
        sgd, best = peers[0]["sgd"], peers[0]["best"]
        passes = times("passes", TRAIN, DEV, PENALTY, sgd["dev"])["passes"]
        ours, early, fits, fits_to_optimum = [], [], [], []
        for turn in range(rounds):
            if turn > 0:
                peers.append(run_peer())
            ours.append(run_ours(two))
            early.append(run_ours(one, f"epochs={passes}"))
            fits.append(times("fit", TRAIN, DEV, PENALTY, passes))
            fits_to_optimum.append(times("fit", TRAIN, DEV, PENALTY, 0))
        optimum = ours[0]
        print(f"penalty {PENALTY:g}, {optimum['training']['rows']} rows, features: ours {optimum['features'][0]}, scikit-learn {peers[0]['features']}")
        print(f"loss: ours {optimum['loss']:.2f} (gradient norm {optimum['gradient_norm']:.2g}), scikit-learn's converged solution {best['loss']:.2f} "
              f"({best['gradient_norm']:.2g}): {100 * (optimum['loss'] / best['loss'] - 1):+.4f} % (bar 0.1)")
        print(f"dev accuracy: ours {100 * optimum['dev_accuracy']:.2f}, scikit-learn {100 * best['dev']:.2f}: {100 * (optimum['dev_accuracy'] - best['dev']):+.2f} points (bar 0.3)")
        whole, peer_whole = median(ours, "whole"), median(peers, "saga", "whole")
        print(f"end to end on {THREADS} thread(s): ours {whole:.2f} s, saga pipeline {peer_whole:.2f} s ({median(peers, 'saga', 'iterations'):.0f} iterations): {peer_whole / whole:.1f} times (bar 20)")
        whole, peer_whole = median(early, "whole"), median(peers, "sgd", "whole")
        print(f"end to end to SGD's dev accuracy: ours {whole:.2f} s, SGD pipeline {peer_whole:.2f} s: {peer_whole / whole:.1f} times")
        fit, peer_fit = median(fits, "fit_seconds"), median(peers, "sgd", "fit")
        print(f"fit alone to SGD's dev accuracy ({100 * sgd['dev']:.2f}; ours after {passes} passes {100 * early[0]['dev_accuracy']:.2f}): ours {fit:.3f} s, "
              f"SGD {peer_fit:.2f} s: {peer_fit / fit:.1f} times (floor 2, goal 4)")
        fit, peer_fit = median(fits_to_optimum, "fit_seconds"), median(peers, "saga", "fit")
        print(f"fit alone to the optimum: ours {fit:.3f} s, saga {peer_fit:.2f} s: {peer_fit / fit:.1f} times")
        print(f"peak memory: ours {median(ours, 'peak'):.0f} MB, scikit-learn {median(peers, 'sgd', 'peak'):.0f} MB")
        run_ours(one, threads=1)
        run_ours(two, threads=2)
        same = all((one / name).read_bytes() == (two / name).read_bytes() for name in ("model.json", "weights.bin", "seen.bin"))
        print(f"one thread and two write the same bytes: {'yes' if same else 'NO'}")
        for threads in (1, 2):
            scoring = [times("score", two, TRAIN, threads) for _ in range(rounds)]
            print(f"scoring on {threads} thread(s): {median(scoring, 'pairs_a_second'):.0f} pairs a second (bar 500,000)")
        size = (two / "weights.bin").stat().st_size / 1e6
        print(f"loading: {median([times('load', two) for _ in range(2 * rounds + 1)], 'load_milliseconds'):.2f} ms ({size:.1f} MB of weights)")
        print(f"all of it took {time.perf_counter() - started:.0f} s")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--peer"]:
        peer("--optimum" in sys.argv)
    else:
        main(int(sys.argv[1]) if len(sys.argv) > 1 else 3)
