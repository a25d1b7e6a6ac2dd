"""Races the five networks against PyTorch: training steps and scoring, peak memory, share of the machine's peak.

    cargo build --release -p acidtest-neural --example race
    python bench/neural.py [--models esim,cbow] [--rounds 12] [--threads 2] [--clock wall|cpu] [--statistic median|best]
        [--data FOLDER] [--binary FILE]

Both sides use the same number of threads, batches of 32, the default settings, word vectors of 300 numbers that stay as they are, and the same batches of
real SNLI pairs. A training step is forward, backward, clipping and Adam. The sides take turns; the ratio is that of the medians. PyTorch runs
the fastest of its variants: packed or padded sequences, an embedding bag for CBOW, Adam fused. Batches are padded before the clock starts.
On a machine that others use too, `--threads 1 --clock cpu` counts only the time in which a side really ran, and `--statistic best` takes the
turn that was disturbed least.
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
STYLES = {"cbow": ["padded", "bag"], "decomposable": ["padded"], "bilstm": ["packed", "padded"]}
EXTRA = {"esim-multinli": {"model": "esim", "encoders": "separate", "projection": "absent"}}


def main():
    arguments = parsed_arguments()
    if arguments.only:
        print(json.dumps(race(arguments.only, arguments)))
        return
    print(f"{'':<15}{'training examples/s':>30}{'':>10}{'scoring examples/s':>28}{'':>12}{'peak memory MB':>22}{'share of peak':>22}")
    columns = ["PyTorch", "here", "ratio", "PyTorch", "here", "ratio", "PyTorch", "here", "training", "scoring"]
    print(f"{'':<15}" + "".join(f"{column:>11}" for column in columns) + "  PyTorch's best")
    for model in arguments.models.split(","):
        # A process of its own for each model, so that its memory is its own.
        command = [sys.executable, __file__, *sys.argv[1:], "--only", model]
        result = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)
        train, score = result["train"], result["score"]
        rates = [f"{BATCH / number:11.0f}" for number in train] + [f"{BATCH / number:11.0f}" for number in score]
        memory = [f"{number / 1e6:11.0f}" for number in result["memory"]]
        shares = [f"{share:11.0%}" for share in result["shares"]]
        cells = rates[:2] + [f"{train[0] / train[1]:11.2f}"] + rates[2:] + [f"{score[0] / score[1]:11.2f}"] + memory + shares
        print(f"{model:<15}" + "".join(cells) + f"  {result['styles'][0]} / {result['styles'][1]}", flush=True)


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
    return parser.parse_args()


def race(name, arguments):
    import torch

    sys.path.insert(0, str(ROOT / "crates" / "neural" / "golden"))
    torch.set_num_threads(arguments.threads)
    torch.manual_seed(1)
    settings = EXTRA.get(name, {"model": name}) | {"word_vectors": "frozen"}
    work = snli_batches(pathlib.Path(arguments.data) / "snli" / "snli_1.0_train_100k.jsonl.gz")
    rust = Rust(settings, work, arguments)
    candidates = [Torch(settings, work, style, arguments.clock) for style in STYLES.get(settings["model"], ["packed", "padded"])]
    result = {"styles": []}
    for kind in ("train", "score"):
        turn = TURN if kind == "train" else BATCHES
        for candidate in candidates:
            candidate.run(kind, turn)
        best = min(candidates, key=lambda candidate: min(candidate.run(kind, turn) for _ in range(3)))
        rust.run(kind, turn)
        times = [[], []]
        for _ in range(arguments.rounds):
            for side, times_of_side in zip((best, rust), times):
                times_of_side.append(side.run(kind, turn) / turn)
                # Threads that still spin from this turn must not take time from the next.
                time.sleep(0.05)
        result[kind] = [min(side) if arguments.statistic == "best" else statistics.median(side) for side in times]
        result["styles"].append(best.style)
    result["memory"] = [peak_memory(), rust.ask("memory")]
    peak = arguments.threads * 1e9 / min(rust.run("peak", 1) for _ in range(100))
    words = [sum(map(len, batch["premises"] + batch["hypotheses"])) for batch in work["batches"]]
    operations = {"train": operations_a_step(settings, statistics.mean(words[:TURN]))["train"]}
    operations["score"] = operations_a_step(settings, statistics.mean(words))["score"]
    result["shares"] = [operations[kind] / result[kind][1] / peak for kind in ("train", "score")]
    return result


def snli_batches(path):
    """Random pairs of the training set with the lengths they really have; word ids by first appearance."""
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
    def __init__(self, settings, work, style, clock):
        import torch
        from reference import Batch, Network

        self.style = style
        self.clock = time.process_time if clock == "cpu" else time.perf_counter
        self.network = Network(settings, torch.randn(work["vocabulary"], DIMENSION), style)
        self.batches = [Batch(batch["premises"], batch["hypotheses"], batch["labels"]) for batch in work["batches"]]
        self.parameters = [parameter for parameter in self.network.parameters() if parameter.requires_grad]
        self.optimiser = torch.optim.Adam(self.parameters, lr=4e-4, fused=True)

    def run(self, kind, count):
        import torch

        start = self.clock()
        for batch in self.batches[:count]:
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
        """The time that all threads have run, as Linux counts it."""
        tasks = pathlib.Path(f"/proc/{self.process.pid}/task").glob("*/schedstat")
        return sum(int(task.read_text().split()[0]) for task in tasks) / 1e9


def operations_a_step(settings, words):
    """Multiplications and additions of all products of one batch, from the shapes; what is computed once more is counted once."""
    model, pairs = settings["model"], BATCH
    hidden = 200 if model == "decomposable" else 300
    layers = []  # (rows, inputs, outputs, numbers of the input that need a gradient)

    def bilstm(inputs, wanted):
        layers.extend([(words, inputs + hidden, 4 * hidden, wanted + hidden)] * 2)

    if model in ("bilstm", "infersent"):
        bilstm(DIMENSION, 0)
        layers.append((pairs, 8 * hidden, 512 if model == "infersent" else hidden, 8 * hidden))
    elif model == "cbow":
        layers.append((pairs, 4 * DIMENSION, hidden, 0))
    elif model == "decomposable":
        layers.append((words, DIMENSION, hidden, 0))
        layers.extend([(words, hidden, hidden, hidden)] * 3 + [(words, 2 * hidden, hidden, 2 * hidden)])
        layers.extend([(pairs, 2 * hidden, hidden, 2 * hidden), (pairs, hidden, hidden, hidden)])
    elif model == "esim":
        bilstm(DIMENSION, 0)
        composed = 8 * hidden
        if settings.get("projection") != "absent":
            layers.append((words, composed, hidden, composed))
            composed = hidden
        bilstm(composed, composed)
        layers.append((pairs, 8 * hidden, hidden, 8 * hidden))
    forward = sum(2 * rows * inputs * outputs for rows, inputs, outputs, _ in layers)
    backward = sum(2 * rows * (inputs + wanted) * outputs for rows, inputs, outputs, wanted in layers)
    return {"train": forward + backward, "score": forward}


def peak_memory():
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


if __name__ == "__main__":
    main()
