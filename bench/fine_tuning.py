"""Fine-tunes a transformer with Acidtest and with PyTorch on the same batches, then asks table 4's question of HANS.

    python bench/fine_tuning.py PROGRAM BATCHES FOLDER OUT [--examples 12000] [--dev 4000] [--seeds 1,2,3] [--rate 2e-4]
                                [--hans 6000] [--part accuracy|hans]         (ACIDTEST_DATA names the folder of the corpora)

PROGRAM is `acidtest`, BATCHES the example `batch_order` (cargo build -p acidtest-experiment --example batch_order), FOLDER a model
with a head of three labels (bench/transformer_models.py makes some), OUT a folder for corpora and results. What is in OUT is not
done again, so the work can be divided: one seed at a time.

accuracy  Half of the examples are from SNLI, half from MultiNLI; one epoch in batches of 32, AdamW with warm-up and linear decay.
          PyTorch takes the same pairs in the same order, from the same weights; only the masks of dropout differ. Prints the
          accuracy of each on the same development pairs, and of `transformers` on the folder that Acidtest wrote, with the largest
          difference of a probability; exits with 1 if that is above 1e-4, or if the mean accuracies differ by over 0.5 points.
hans      HANS accuracy by heuristic and label, of seed 1 above and of the same training with N generated HANS pairs added.

Needs torch and transformers.
"""

import argparse
import csv
import gzip
import json
import math
import os
import pathlib
import subprocess
import sys
import time

import torch
from transformers import AutoModelForSequenceClassification, AutoTokenizer, get_linear_schedule_with_warmup

DATA = pathlib.Path(os.environ.get("ACIDTEST_DATA", "../shared/data"))
LABELS = ["entailment", "neutral", "contradiction"]
BATCH = 32


def main():
    arguments = parsed()
    arguments.out.mkdir(parents=True, exist_ok=True)
    write_corpora(arguments)
    differences = []
    if arguments.part in (None, "accuracy"):
        for seed in arguments.seeds:
            ours, again, largest = fine_tuned(arguments, seed)
            theirs = with_torch(arguments, seed)
            differences.append((ours - theirs, largest))
            print(f"seed {seed}: acidtest {100 * ours:.2f} %, opened by transformers {100 * again:.2f} %", end="")
            print(f" (probabilities differ by {largest:.1e} at most), torch {100 * theirs:.2f} %", flush=True)
        mean = sum(difference for difference, _ in differences) / len(differences)
        print(f"mean difference {100 * mean:+.2f} points")
        if abs(mean) > 0.005 or any(largest > 1e-4 for _, largest in differences):
            sys.exit(1)
    if arguments.part in (None, "hans"):
        hans(arguments)


def parsed():
    parser = argparse.ArgumentParser()
    for name in ["program", "batches", "folder", "out"]:
        parser.add_argument(name, type=pathlib.Path)
    parser.add_argument("--examples", type=int, default=12_000)
    parser.add_argument("--dev", type=int, default=4_000)
    parser.add_argument("--seeds", type=lambda text: [int(seed) for seed in text.split(",")], default=[1, 2, 3])
    parser.add_argument("--rate", type=float, default=2e-4)
    parser.add_argument("--hans", type=int, default=6_000)
    parser.add_argument("--part", choices=["accuracy", "hans"])
    arguments = parser.parse_args()
    arguments.program, arguments.batches = arguments.program.resolve(), arguments.batches.resolve()
    return arguments


def write_corpora(arguments):
    """OUT/train.jsonl and OUT/dev.jsonl, half of each from SNLI."""
    parts = {
        "train.jsonl": (arguments.examples, "snli/snli_1.0_train_100k.jsonl.gz", "mnli/mnli_train_68k.jsonl.gz"),
        "dev.jsonl": (arguments.dev, "snli/snli_1.0_dev_text.jsonl.gz", "mnli/mnli_dev_matched.jsonl.gz"),
    }
    for name, (count, *files) in parts.items():
        if (arguments.out / name).exists():
            continue
        pairs = [pair for file in files for pair in labelled(DATA / file, count // 2)]
        lines = [json.dumps({"id": f"{n}", "premise": p, "hypothesis": h, "label": l}) for n, (p, h, l) in enumerate(pairs)]
        (arguments.out / name).write_text("\n".join(lines) + "\n")


def labelled(path, count):
    """Pairs spread over a corpus."""
    with gzip.open(path, "rt") as file:
        rows = [json.loads(line) for line in file]
    text = lambda row, *names: next(row[name] for name in names if name in row)
    pairs = [(text(row, "premise", "sentence1"), text(row, "hypothesis", "sentence2"), text(row, "label", "gold_label")) for row in rows]
    pairs = [pair for pair in pairs if pair[2] in LABELS]
    return pairs[:: len(pairs) // count][:count]


def pairs_of(path):
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    return [row["premise"] for row in rows], [row["hypothesis"] for row in rows], [LABELS.index(row["label"]) for row in rows]


def train(arguments, name, seed, *more):
    """Trains OUT/NAME with Acidtest, if it is not there."""
    folder = arguments.out / name
    if not (folder / "config.json").exists():
        command = [arguments.program, "train", "--model", arguments.folder, "--train", arguments.out / "train.jsonl"]
        command += ["--dev", arguments.out / "dev.jsonl", "-o", folder, "--seed", str(seed), "--epochs", "1", "--threads", "2"]
        command += ["--learning-rate", str(arguments.rate), "--batch-size", str(BATCH), *more]
        began = time.time()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        print(f"{name}: trained in {time.time() - began:.0f} s", flush=True)
    return folder


def predicted(arguments, folder, data):
    """The probabilities that Acidtest gives for a file, by id."""
    written = folder.parent / f"{folder.name}-{data.name.split('.')[0]}.predictions.jsonl"
    if not written.exists():
        command = [arguments.program, "predict", "--model", folder, "--data", data, "-o", written, "--threads", "2"]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return [json.loads(line) for line in written.read_text().splitlines()]


def fine_tuned(arguments, seed):
    """Dev accuracy of Acidtest's model, that of `transformers` on its folder, and the largest difference of a probability."""
    folder = train(arguments, f"ours-{seed}", seed)
    ours = json.loads((folder / "acidtest.json").read_text())["dev_accuracy"]
    model = AutoModelForSequenceClassification.from_pretrained(folder)
    order = [LABELS.index(model.config.id2label[number]) for number in range(3)]
    assert order == [0, 1, 2], model.config.id2label
    probabilities, accuracy = scored(model, AutoTokenizer.from_pretrained(folder), pairs_of(arguments.out / "dev.jsonl"))
    found = torch.tensor([row["scores"] for row in predicted(arguments, folder, arguments.out / "dev.jsonl")])
    return ours, accuracy, (found - probabilities).abs().max().item()


def scored(model, tokenizer, pairs):
    """Probabilities of all pairs, and the accuracy."""
    model.eval()
    premises, hypotheses, labels = pairs
    rows = sorted(range(len(labels)), key=lambda row: len(premises[row]) + len(hypotheses[row]))
    probabilities = torch.zeros(len(labels), 3)
    for start in range(0, len(rows), BATCH):
        batch = rows[start : start + BATCH]
        inputs = encoded(tokenizer, premises, hypotheses, batch)
        with torch.no_grad():
            probabilities[batch] = model(**inputs).logits.softmax(-1)
    return probabilities, (probabilities.argmax(-1) == torch.tensor(labels)).float().mean().item()


def encoded(tokenizer, premises, hypotheses, rows):
    first, second = [premises[row] for row in rows], [hypotheses[row] for row in rows]
    return tokenizer(first, second, truncation=True, max_length=longest(tokenizer), padding=True, return_tensors="pt")


def longest(tokenizer):
    return min(tokenizer.model_max_length, 512)


def with_torch(arguments, seed):
    """Dev accuracy of the same training in PyTorch."""
    done = arguments.out / f"torch-{seed}.json"
    if done.exists():
        return json.loads(done.read_text())["dev_accuracy"]
    torch.manual_seed(seed)
    torch.set_num_threads(2)
    tokenizer = AutoTokenizer.from_pretrained(arguments.folder)
    model = AutoModelForSequenceClassification.from_pretrained(arguments.folder)
    premises, hypotheses, labels = pairs_of(arguments.out / "train.jsonl")
    ids = tokenizer(premises, hypotheses, truncation=True, max_length=longest(tokenizer))["input_ids"]
    lengths = json.dumps([len(pair) for pair in ids])
    order = subprocess.run([arguments.batches, str(seed), "1", str(BATCH)], input=lengths, check=True, capture_output=True, text=True)
    batches = json.loads(order.stdout)
    spared = lambda name: "bias" in name or "LayerNorm" in name
    groups = [
        {"params": [p for name, p in model.named_parameters() if not spared(name)], "weight_decay": 0.01},
        {"params": [p for name, p in model.named_parameters() if spared(name)], "weight_decay": 0.0},
    ]
    optimiser = torch.optim.AdamW(groups, lr=arguments.rate, eps=1e-8)
    schedule = get_linear_schedule_with_warmup(optimiser, math.ceil(0.1 * len(batches)), len(batches))
    model.train()
    began = time.time()
    for batch in batches:
        inputs = encoded(tokenizer, premises, hypotheses, batch)
        loss = model(**inputs, labels=torch.tensor([labels[row] for row in batch])).loss
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimiser.step()
        schedule.step()
        optimiser.zero_grad()
    print(f"torch-{seed}: trained in {time.time() - began:.0f} s", flush=True)
    _, accuracy = scored(model, tokenizer, pairs_of(arguments.out / "dev.jsonl"))
    done.write_text(json.dumps({"dev_accuracy": accuracy}))
    return accuracy


def hans(arguments):
    """HANS accuracy by heuristic and label, before and after augmentation."""
    data = DATA / "hans/heuristics_evaluation_set.txt.gz"
    with gzip.open(data, "rt") as file:
        rows = {row["pairID"]: row for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)}
    for name, more in [("ours-1", []), ("ours-1-hans", ["--augment", f"hans={arguments.hans}"])]:
        folder = train(arguments, name, 1, *more)
        accuracy = json.loads((folder / "acidtest.json").read_text())["dev_accuracy"]
        counts = {}
        for answer in predicted(arguments, folder, data):
            row = rows[answer["id"]]
            count = counts.setdefault((row["gold_label"], row["heuristic"]), [0, 0])
            count[0] += (answer["label"] == "entailment") == (row["gold_label"] == "entailment")
            count[1] += 1
        print(f"{name}: dev {100 * accuracy:.1f} %, HANS {100 * sum(c[0] for c in counts.values()) / sum(c[1] for c in counts.values()):.1f} %")
        for (label, heuristic), (right, total) in sorted(counts.items()):
            print(f"  {label:15} {heuristic:16} {100 * right / total:5.1f} %")
        command = [arguments.program, "evaluate", "--data", data, "--model", f"model={folder}", "--threads", "2"]
        shown = " ".join(subprocess.run(command, check=True, capture_output=True, text=True).stdout.split())
        place = shown.find("model was trained on")
        print("  " + (shown[place : shown.find(".", place) + 1] if place >= 0 else "no HANS pair of the evaluation set is among the training pairs"))


if __name__ == "__main__":
    main()
