"""The paired cluster bootstrap against the same in numpy: 30,000 rows, 10,000 replicates.

    cargo build --release -p acidtest-evaluate --example bootstrap
    python bench/bootstrap.py [--example PATH] [--rounds 5]

Both sides get the same rows. The numpy version first reduces rows to sums and sizes of clusters, then draws clusters in blocks and
adds up with vectorised indexing. The two take turns; the medians and their ratio are printed, with one and with all threads of ours
(numpy's random numbers and indexing run on one thread), and the intervals of both, which must agree but for Monte-Carlo error.
"""

import argparse
import os
import pathlib
import statistics
import subprocess
import tempfile
import time

import numpy as np

ROWS = 30_000
REPLICATES = 10_000


def rows(clusters, rng):
    """Two systems of about 0.84 accuracy that are right and wrong together within a cluster more often than not."""
    cluster = np.arange(ROWS) if clusters == ROWS else np.concatenate([np.arange(clusters), rng.integers(0, clusters, ROWS - clusters)])
    hard = rng.random(clusters) < 0.3
    right = np.where(hard[cluster], 0.55, 0.96)
    first = rng.random(ROWS) < right
    second = np.where(rng.random(ROWS) < 0.7, first, rng.random(ROWS) < right - 0.01)
    return first, second, cluster


def in_numpy(first, second, cluster):
    start = time.perf_counter()
    difference = first.astype(np.int64) - second.astype(np.int64)
    sums = np.bincount(cluster, weights=difference)
    sizes = np.bincount(cluster).astype(np.float64)
    rng = np.random.default_rng(1)
    means = np.empty(REPLICATES)
    # Blocks of about two million draws: the whole matrix would take gigabytes.
    block = max(1, 2_000_000 // len(sums))
    for begin in range(0, REPLICATES, block):
        count = min(block, REPLICATES - begin)
        drawn = rng.integers(0, len(sums), size=(count, len(sums)))
        means[begin : begin + count] = sums[drawn].sum(axis=1) / sizes[drawn].sum(axis=1)
    low, high = np.percentile(means, [2.5, 97.5])
    milliseconds = (time.perf_counter() - start) * 1000
    return milliseconds, difference.mean(), means.std(ddof=1), low, high


def ours(example, path, threads):
    line = subprocess.run([example, path, str(REPLICATES), str(threads), "1"], check=True, capture_output=True, text=True).stdout
    return tuple(float(number) for number in line.split())


def main():
    target = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", "target"))
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--example", default=str(target / "release" / "examples" / "bootstrap"))
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    threads = len(os.sched_getaffinity(0))
    print(f"{ROWS} rows, {REPLICATES} replicates, median of {options.rounds} rounds in turn; numpy {np.__version__}, 1 thread")
    for clusters in (ROWS, 10_000, 1_000):
        first, second, cluster = rows(clusters, np.random.default_rng(7))
        with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
            file.writelines(f"{int(a)} {int(b)} {c}\n" for a, b, c in zip(first, second, cluster))
            file.flush()
            times = {"numpy": [], "one": [], "all": []}
            for _ in range(options.rounds):
                theirs = in_numpy(first, second, cluster)
                times["numpy"].append(theirs[0])
                one = ours(options.example, file.name, 1)
                times["one"].append(one[0])
                times["all"].append(ours(options.example, file.name, threads)[0])
        median = {name: statistics.median(values) for name, values in times.items()}
        print(f"{clusters:>6} clusters: numpy {median['numpy']:8.1f} ms", end="")
        print(f" | ours, 1 thread {median['one']:6.1f} ms, {median['numpy'] / median['one']:6.1f} times as fast", end="")
        print(f" | ours, {threads} threads {median['all']:6.1f} ms, {median['numpy'] / median['all']:6.1f} times as fast")
        print(f"        numpy {theirs[1]:.6f} se {theirs[2]:.6f} [{theirs[3]:.6f}, {theirs[4]:.6f}]", end="")
        print(f" | ours {one[1]:.6f} se {one[2]:.6f} [{one[3]:.6f}, {one[4]:.6f}]")


if __name__ == "__main__":
    main()
