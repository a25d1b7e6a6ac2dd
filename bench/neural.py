"""Compares the speed of the five networks with PyTorch: training steps and scoring, peak memory, share of the machine's peak.

    cargo build --release -p acidtest-neural --example race
    python bench/neural.py [--models esim,cbow] [--rounds 12] [--threads 2] [--clock wall|cpu] [--statistic median|best]
        [--data FOLDER] [--binary FILE]

Both sides use the same number of threads, batches of 32, the default settings, frozen 300-dimensional word vectors, and the same batches of
real SNLI pairs. A training step is forward, backward, clipping and Adam. Scoring is timed twice: all pairs at once, in batches of either side's
choice, and in the given batches. Rounds alternate; the ratio is that of the medians. PyTorch runs the fastest of its variants: packed or padded
sequences, an embedding bag for CBOW, fused Adam, inference mode, and for scoring all pairs also length-sorted batches of 32, 64 or 128. Its batches
are padded and sorted before timing starts; our own sorting is timed. The peak of the machine is measured as multiply-adds in registers, times the
number of threads; the share counts the multiply-adds of the matrix products.
On a shared machine, `--threads 1 --clock cpu` measures CPU time, and `--statistic best` reports the fastest round.
"""

import argparse
import gzip
import json
import os
import pathlib
import random
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
BATCH, BATCHES, DIMENSION, TURN = 32, 12, 300, 6
KINDS = ("train", "score", "score-batches")
STYLES = {"cbow": ["padded", "bag"], "decomposable": ["padded"], "bilstm": ["packed", "padded"]}
EXTRA = {"esim-multinli": {"model": "esim", "encoders": "separate", "projection": "absent"}}


def main():
    arguments = parsed_arguments()
    if arguments.memory:
        print(pytorch_memory(arguments))
        return
    if arguments.only:
        print(json.dumps(race(arguments.only, arguments)))
        return
    print(f"{arguments.threads} threads, {arguments.rounds} rounds, {arguments.statistic} of {arguments.clock} time, batches of {BATCH}")
    groups = [("training, examples/s", 27), ("scoring all, examples/s", 27), ("scoring batches", 27), ("peak memory, MB", 18), ("share of peak", 18)]
    print(f"{'':<14}" + "".join(f"{title:>{width}}" for title, width in groups))
    columns = ["PyTorch", "here", "ratio"] * 3 + ["PyTorch", "here", "training", "scoring"]
    print(f"{'':<14}" + "".join(f"{column:>9}" for column in columns) + "  PyTorch's best")
    for model in arguments.models.split(","):
        # A separate process per model, to measure its memory.
        command = [sys.executable, __file__, *sys.argv[1:], "--only", model]
        result = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)
        cells = []
        for kind in KINDS:
            theirs, ours = result[kind]
            cells += [f"{BATCH / theirs:9.0f}", f"{BATCH / ours:9.0f}", f"{theirs / ours:9.2f}"]
        cells += [f"{number / 1e6:9.0f}" for number in result["memory"]] + [f"{share:9.0%}" for share in result["shares"]]
        print(f"{model:<14}" + "".join(cells) + "  " + " / ".join(result["styles"]), flush=True)
        peak = result["peak"]
    print(f"peak of the machine: {peak / 1e9:.0f} billion operations a second with {arguments.threads} threads")


def parsed_arguments():
    target = os.environ.get("CARGO_TARGET_DIR", str(ROOT / "target"))
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--models", default="cbow,bilstm,infersent,decomposable,esim,esim-multinli")
    parser.add_argument("--rounds", type=int, default=12)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--clock", choices=["wall", "cpu"], default="wall")
    parser.add_argument("--statistic", choices=["median", "best"], default="median")
    parser.add_argument("--data", default=os.environ.get("ACIDTEST_DATA", str(ROOT.parent / "shared" / "data")))
    parser.add_argument("--binary", default=f"{target}/release/examples/race")
    parser.add_argument("--only", help=argparse.SUPPRESS)
    parser.add_argument("--memory", help=argparse.SUPPRESS)
    return parser.parse_args()


def race(name, arguments):
    import torch

    torch.set_num_threads(arguments.threads)
    torch.manual_seed(1)
    settings, work = prepared(name, arguments)
    rust = Rust(settings, work, arguments)
    styles = STYLES.get(settings["model"], ["packed", "padded"])
    result = {"styles": []}
    for kind in KINDS:
        turn = TURN if kind == "train" else BATCHES
        sizes = [None, 32, 64, 128] if kind == "score" else [None]
        candidates = [Torch(settings, work, (style, size), arguments.clock) for style in styles for size in sizes]
        best = min(candidates, key=lambda candidate: min(candidate.run(kind, turn) for _ in range(2)))
        del candidates
        rust.run(kind, turn)
        times = [[], []]
        for _ in range(arguments.rounds):
            for side, times_of_side in zip((best, rust), times):
                times_of_side.append(side.run(kind, turn) / turn)
                # Threads that are still spinning must not slow down the next round.
                time.sleep(0.05)
        result[kind] = [min(side) if arguments.statistic == "best" else statistics.median(side) for side in times]
        result["styles"].append(best.style)
    # PyTorch's memory is measured for a single variant in a separate process.
    command = [sys.executable, __file__, *sys.argv[1:], "--memory", result["styles"][0]]
    result["memory"] = [float(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout), rust.ask("memory")]
    result["peak"] = arguments.threads * 1e9 / min(rust.run("peak", 1) for _ in range(30))
    operations = {kind: operations_a_batch(settings, work["batches"], kind) for kind in ("train", "score")}
    result["shares"] = [operations[kind] / result[kind][1] / result["peak"] for kind in ("train", "score")]
    return result


def pytorch_memory(arguments):
    import resource
    import torch

    torch.set_num_threads(arguments.threads)
    settings, work = prepared(arguments.only, arguments)
    variant = Torch(settings, work, (arguments.memory, None), arguments.clock)
    for kind in KINDS:
        variant.run(kind, BATCHES)
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def prepared(name, arguments):
    """The settings of a model, and batches for it."""
    sys.path.insert(0, str(ROOT / "crates" / "neural" / "golden"))
    settings = EXTRA.get(name, {"model": name}) | {"word_vectors": "frozen"}
    return settings, snli_batches(pathlib.Path(arguments.data) / "snli" / "snli_1.0_train_100k.jsonl.gz")


def snli_batches(path):
    """Random pairs of the training set with their real lengths; word ids by first occurrence."""
    chosen = random.Random(1)
    labels = {"entailment": 0, "neutral": 1, "contradiction": 2}
    with gzip.open(path, "rt") as lines:
        rows = [row for row in map(json.loads, lines) if row["gold_label"] in labels]
    ids = {}
    words = lambda parse: [ids.setdefault(word, len(ids)) for word in parse.split() if word not in "()"]
    batches = []
    for _ in range(BATCHES):
        batch = chosen.sample(rows, BATCH)
        sides = {side: [words(row[field + "_binary_parse"]) for row in batch] for side, field in (("premises", "sentence1"), ("hypotheses", "sentence2"))}
        batches.append(sides | {"labels": [labels[row["gold_label"]] for row in batch]})
    return {"vocabulary": len(ids), "dimension": DIMENSION, "batches": batches}


class Torch:
    """One way to run a model; with `size`, length-sorted batches of this many pairs instead of the given ones."""

    def __init__(self, settings, work, variant, clock):
        import torch
        from reference import Batch, Network

        style, size = variant
        self.style = style if size is None else f"{style} sorted {size}"
        self.clock = time.process_time if clock == "cpu" else time.perf_counter
        self.network = Network(settings, torch.randn(work["vocabulary"], DIMENSION), style)
        self.batches = [Batch(*columns) for columns in (sorted_batches(work["batches"], size) if size else map(columns_of, work["batches"]))]
        self.parameters = [parameter for parameter in self.network.parameters() if parameter.requires_grad]
        self.optimiser = torch.optim.Adam(self.parameters, lr=4e-4, fused=True)

    def run(self, kind, count):
        import torch

        start = self.clock()
        for batch in self.batches[:TURN] if kind == "train" else self.batches:
            if kind == "train":
                self.network.train()
                self.optimiser.zero_grad(set_to_none=True)
                torch.nn.functional.cross_entropy(self.network(batch), batch.labels).backward()
                torch.nn.utils.clip_grad_norm_(self.parameters, 10.0)
                self.optimiser.step()
            else:
                self.network.eval()
                with torch.inference_mode():
                    self.network(batch)
        return self.clock() - start


def columns_of(batch):
    return batch["premises"], batch["hypotheses"], batch["labels"]


def sorted_batches(batches, size):
    rows = [row for batch in batches for row in zip(*columns_of(batch))]
    rows.sort(key=lambda row: len(row[0]) + len(row[1]))
    return [list(map(list, zip(*rows[start : start + size]))) for start in range(0, len(rows), size)]


class Rust:
    def __init__(self, settings, work, arguments):
        self.clock = arguments.clock
        self.folder = tempfile.TemporaryDirectory()
        files = [pathlib.Path(self.folder.name) / name for name in ("settings.json", "batches.json")]
        for file, content in zip(files, (settings, work)):
            file.write_text(json.dumps(content))
        environment = os.environ | {"RAYON_NUM_THREADS": str(arguments.threads)}
        self.process = subprocess.Popen([arguments.binary, *files], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment)

    def ask(self, command):
        self.process.stdin.write(command + "\n")
        self.process.stdin.flush()
        return float(self.process.stdout.readline())

    def run(self, kind, count):
        start = self.cpu_seconds()
        seconds = self.ask(f"{kind} {count}")
        return self.cpu_seconds() - start if self.clock == "cpu" else seconds

    def cpu_seconds(self):
        """The CPU time of all threads, as counted by Linux."""
        tasks = pathlib.Path(f"/proc/{self.process.pid}/task").glob("*/schedstat")
        return sum(int(task.read_text().split()[0]) for task in tasks) / 1e9


def operations_a_batch(settings, batches, kind):
    """The average number of multiply-adds in the products of one batch as done here: once for equal words where possible."""
    if kind == "train":
        groups = [[batch] for batch in batches[:TURN]]
    else:
        # Two batches are about the size of one scoring group.
        groups = [batches[place : place + 2] for place in range(0, len(batches), 2)]
    count = len(batches[:TURN]) if kind == "train" else len(batches)
    return sum(operations(settings, group, kind) for group in groups) / count


def operations(settings, group, kind):
    model, pairs = settings["model"], BATCH * len(group)
    hidden = 200 if model == "decomposable" else 300
    sides = [[sentence for batch in group for sentence in batch[side]] for side in ("premises", "hypotheses")]
    words = [sum(map(len, side)) for side in sides]
    alike = [len({word for sentence in side for word in sentence}) for side in sides]
    both, distinct = sum(words), len({word for side in sides for sentence in side for word in sentence})
    layers = []  # (rows, inputs, outputs, whether a gradient of the input is wanted)

    def bilstm(inputs, rows, sentences, wanted):
        layers.extend([(rows, inputs, 4 * hidden, wanted), (sentences, hidden, 4 * hidden, True)] * 2)

    if model == "bilstm":
        for side in (0, 1):
            bilstm(DIMENSION, alike[side], words[side] - pairs, False)
        layers.append((pairs, (8 if kind == "train" else 6) * hidden, hidden, True))  # scoring folds the difference away
    elif model == "infersent":
        bilstm(DIMENSION, distinct, both - 2 * pairs, False)
        layers.append((pairs, 8 * hidden, 512, True))
    elif model == "cbow":
        layers.append((pairs, (4 if kind == "train" else 3) * DIMENSION, hidden, False))
    elif model == "decomposable":
        layers.append((distinct, DIMENSION, hidden, False))
        layers.extend([(both if kind == "train" else distinct, hidden, hidden, True)] * 2)
        layers.extend([(both, 2 * hidden, hidden, True), (both, hidden, hidden, True)])
        layers.extend([(pairs, 2 * hidden, hidden, True), (pairs, hidden, hidden, True)])
    elif model == "esim":
        bilstm(DIMENSION, both if kind == "train" else distinct, both - 2 * pairs, False)
        composed = 8 * hidden
        if settings.get("projection") != "absent":
            # The difference of two vectors needs no separate product.
            layers.append((both, 6 * hidden, hidden, True))
            composed = hidden
        bilstm(composed, both, both - 2 * pairs, True)
        layers.append((pairs, 8 * hidden, hidden, True))
    forward = sum(2 * rows * inputs * outputs for rows, inputs, outputs, _ in layers)
    backward = sum(2 * rows * inputs * outputs * (2 if wanted else 1) for rows, inputs, outputs, wanted in layers)
    return forward + backward if kind == "train" else forward


if __name__ == "__main__":
    main()
