"""Trains the five networks on SNLI with 50-dimensional GloVe vectors, here and in PyTorch, and prints their dev accuracies.

    cargo build --release -p acidtest-neural --example accuracy
    python bench/neural_accuracy.py [--models esim,cbow] [--seeds 3] [--rows 100000] [--hidden 64] [--epochs 2] [--threads 2]
        [--learning-rate 1e-3] [--clip 10] [--batch-size 32] [--halve-every 1] [--style packed] [--data FOLDER] [--cache FOLDER] [--binary FILE]

Both sides start from the same weights (drawn by PyTorch with the seed) and see the same batches in the same order, with Adam, clipping, the learning
rate halved at regular intervals, no dropout, and frozen word vectors. Each finished run of a model, seed and side is cached under a name with all its
settings, so an interrupted benchmark only repeats the current run. `--style` selects how PyTorch sums words (see `golden/reference.py`): with `bag`
its CBOW rounds differently, which shows how far two training runs diverge by rounding alone.
"""

import argparse
import gzip
import hashlib
import json
import os
import pathlib
import random
import re
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "crates" / "neural" / "golden"))
LABELS = {"entailment": 0, "neutral": 1, "contradiction": 2}


def main():
    arguments = parsed_arguments()
    data = Data(arguments)
    print(f"{len(data.train['labels'])} pairs to train on, {len(data.dev['labels'])} of dev, {len(data.vectors)} words", flush=True)
    print(f"{'':<14}{'PyTorch':>9}{'here':>9}{'apart':>9}   accuracies of the seeds, PyTorch / here; seconds, PyTorch / here")
    for model in arguments.models.split(","):
        results = [[cached(arguments, data, model, seed, side) for seed in range(1, arguments.seeds + 1)] for side in (in_pytorch, here)]
        accuracies = [[100 * result["epochs"][-1] for result in side] for side in results]
        means = [statistics.mean(side) for side in accuracies]
        seconds = [sum(result["seconds"] for result in side) for side in results]
        each = "  ".join(f"{theirs:.2f} / {ours:.2f}" for theirs, ours in zip(*accuracies))
        print(f"{model:<14}{means[0]:9.2f}{means[1]:9.2f}{means[1] - means[0]:+9.2f}   {each}; {seconds[0]:.0f} / {seconds[1]:.0f}", flush=True)


def parsed_arguments():
    target = os.environ.get("CARGO_TARGET_DIR", str(ROOT / "target"))
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--models", default="cbow,bilstm,infersent,decomposable,esim")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--hidden", type=int, default=64)
    parser.add_argument("--epochs", type=int, default=2)
    parser.add_argument("--batch-size", type=int, default=32)
    parser.add_argument("--learning-rate", type=float, default=1e-3)
    parser.add_argument("--clip", type=float, default=10.0)
    parser.add_argument("--halve-every", type=int, default=1)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--style", default="packed")
    parser.add_argument("--data", default=os.environ.get("ACIDTEST_DATA", str(ROOT.parent / "shared" / "data")))
    parser.add_argument("--cache", default=f"{target}/neural-accuracy")
    parser.add_argument("--binary", default=f"{target}/release/examples/accuracy")
    return parser.parse_args()


class Data:
    """Word ids of both sets; words without a vector share id 0, whose vector is zero."""

    def __init__(self, arguments):
        import torch

        folder = pathlib.Path(arguments.data)
        ids, vectors = {}, [[0.0] * 50]
        with gzip.open(folder / "glove" / "glove.6B.50d.nli.txt.gz", "rt", encoding="utf-8") as lines:
            for line in lines:
                word, *numbers = line.rstrip().split(" ")
                if len(numbers) == 50:
                    ids[word] = len(vectors)
                    vectors.append([float(number) for number in numbers])
        self.vectors = torch.tensor(vectors)
        self.train = pairs(folder / "snli" / "snli_1.0_train_100k.jsonl.gz", ids, arguments.rows)
        self.dev = pairs(folder / "snli" / "snli_1.0_dev_text.jsonl.gz", ids, None)


def pairs(path, ids, most):
    result = {"premises": [], "hypotheses": [], "labels": []}
    words = lambda text: [ids.get(word, 0) for word in re.findall(r"\w+|[^\w\s]", text.lower())] or [0]
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for row in map(json.loads, lines):
            label = row.get("gold_label", row.get("label"))
            if label in LABELS and len(result["labels"]) != most:
                result["premises"].append(words(row.get("sentence1", row.get("premise"))))
                result["hypotheses"].append(words(row.get("sentence2", row.get("hypothesis"))))
                result["labels"].append(LABELS[label])
    return result


def settings_of(model, arguments):
    settings = {"model": model, "hidden": arguments.hidden, "dropout": 0.0, "word_vectors": "frozen"}
    return settings | ({"classifier": arguments.hidden} if model == "infersent" else {})


def batches_of(count, seed, arguments):
    """The batches of each epoch, as lists of row indices."""
    chosen = random.Random(seed)
    epochs = []
    for _ in range(arguments.epochs):
        order = list(range(count))
        chosen.shuffle(order)
        epochs.append([order[start : start + arguments.batch_size] for start in range(0, count, arguments.batch_size)])
    return epochs


def cached(arguments, data, model, seed, side):
    """The accuracy of a run after each epoch and its time in seconds, from the cache if available."""
    kept = ("rows", "hidden", "epochs", "batch_size", "learning_rate", "clip", "halve_every")
    run = {"model": model, "seed": seed, "side": side.__name__} | {key: getattr(arguments, key) for key in kept}
    if side is in_pytorch and arguments.style != "packed":
        run["style"] = arguments.style
    name = json.dumps(run, sort_keys=True)
    folder = pathlib.Path(arguments.cache)
    path = folder / f"{model}-{seed}-{side.__name__}-{hashlib.sha256(name.encode()).hexdigest()[:12]}.json"
    if path.exists():
        return json.loads(path.read_text())
    folder.mkdir(parents=True, exist_ok=True)
    start = time.perf_counter()
    epochs = side(arguments, data, model, seed)
    result = {"run": run, "epochs": epochs, "seconds": time.perf_counter() - start}
    beside = path.with_suffix(".part")
    beside.write_text(json.dumps(result))
    beside.rename(path)
    return result


def first_network(arguments, data, model, seed):
    import torch
    from reference import Network

    torch.set_num_threads(arguments.threads)
    torch.manual_seed(seed)
    return Network(settings_of(model, arguments), data.vectors.clone(), arguments.style)


def in_pytorch(arguments, data, model, seed):
    import torch
    from reference import Batch

    network = first_network(arguments, data, model, seed)
    changing = [parameter for parameter in network.parameters() if parameter.requires_grad]
    optimiser = torch.optim.Adam(changing, lr=arguments.learning_rate, fused=True)
    chosen = lambda table, rows: Batch(*([table[column][row] for row in rows] for column in ("premises", "hypotheses", "labels")))
    accuracies = []
    for epoch, batches in enumerate(batches_of(len(data.train["labels"]), seed, arguments), 1):
        network.train()
        for rows in batches:
            batch = chosen(data.train, rows)
            optimiser.zero_grad(set_to_none=True)
            torch.nn.functional.cross_entropy(network(batch), batch.labels).backward()
            torch.nn.utils.clip_grad_norm_(changing, arguments.clip)
            optimiser.step()
        network.eval()
        right, count = 0, len(data.dev["labels"])
        with torch.inference_mode():
            for start in range(0, count, 64):
                batch = chosen(data.dev, range(start, min(start + 64, count)))
                right += int((network(batch).argmax(1) == batch.labels).sum())
        accuracies.append(right / count)
        if epoch % arguments.halve_every == 0:
            for group in optimiser.param_groups:
                group["lr"] /= 2
    return accuracies


def here(arguments, data, model, seed):
    from reference import named

    network = first_network(arguments, data, model, seed)
    tensors = dict(named(network, lambda parameter: parameter.detach().clone()))
    training = {"learning_rate": arguments.learning_rate, "clip": arguments.clip, "schedule": {"name": "halving", "every": arguments.halve_every}}
    epochs = batches_of(len(data.train["labels"]), seed, arguments)
    with tempfile.TemporaryDirectory() as folder:
        files = [pathlib.Path(folder) / name for name in ("settings.json", "weights.safetensors", "work.json")]
        files[0].write_text(json.dumps(settings_of(model, arguments)))
        save_tensors(tensors, files[1])
        files[2].write_text(json.dumps({"training": training, "train": data.train, "dev": data.dev, "epochs": epochs}))
        environment = os.environ | {"RAYON_NUM_THREADS": str(arguments.threads)}
        found = subprocess.run([arguments.binary, *files], check=True, stdout=subprocess.PIPE, text=True, env=environment)
    return [float(line) for line in found.stdout.split()]


def save_tensors(tensors, path):
    """Reads a safetensors file: the length of the header, the header, the numbers."""
    header, parts, end = {}, [], 0
    for name, tensor in tensors.items():
        tensor = tensor.reshape(1, -1) if tensor.dim() == 1 else tensor
        part = tensor.contiguous().numpy().astype("<f4").tobytes()
        header[name] = {"dtype": "F32", "shape": list(tensor.shape), "data_offsets": [end, end + len(part)]}
        parts.append(part)
        end += len(part)
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    path.write_bytes(len(text).to_bytes(8, "little") + text + b"".join(parts))


if __name__ == "__main__":
    main()
