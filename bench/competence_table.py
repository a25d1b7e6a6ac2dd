"""Accuracy of the lexical model and `esim-small` on every stress test, beside table 3 of Naik et al. 2018.

    cargo build --release --workspace
    ACIDTEST_DATA=../shared/data python3 bench/competence_table.py [FOLDER]

ACIDTEST=PROGRAM runs another build.

The lexical model is trained on 100,000 SNLI and 68,071 MultiNLI training pairs. The sets are made in clean mode from MultiNLI dev matched; the
numeric set is made from AQuA and GSM8K, as in the paper. Then the number of antonym pairs from the training and development text of SNLI and
MultiNLI together. The trained model and the sets are kept in FOLDER; an existing model is reused.
"""

import json
import os
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
DATA = os.environ.get("ACIDTEST_DATA", os.path.join(ROOT, "..", "shared", "data"))
BINARY = os.environ.get("ACIDTEST") or os.path.join(os.environ.get("CARGO_TARGET_DIR", os.path.join(ROOT, "target")), "release", "acidtest")
SNLI = [os.path.join(DATA, "snli", name) for name in ("snli_1.0_train_100k.jsonl.gz", "snli_1.0_dev_text.jsonl.gz")]
MNLI = [os.path.join(DATA, "mnli", name) for name in ("mnli_train_68k.jsonl.gz", "mnli_dev_matched.jsonl.gz")]
PROBLEMS = [os.path.join(DATA, "math", name) for name in ("aqua_dev.jsonl.gz", "aqua_test.jsonl.gz", "gsm8k_train.jsonl.gz")]

# The matched columns of table 3: Nie and Bansal, Chen et al., RiverCorners, InferSent, BiLSTM, CBOW.
PAPER = {
    "original": [74.2, 73.7, 71.3, 70.3, 70.2, 63.5],
    "antonym": [15.1, 11.6, 36.4, 14.4, 13.2, 6.3],
    "numeric": [21.2, 30.3, 30.2, 28.8, 31.3, 30.3],
    "word-overlap": [47.2, 58.3, 53.7, 50.0, 57.0, 53.6],
    "negation": [39.5, 52.4, 49.5, 46.8, 51.4, 43.7],
    "length-mismatch": [48.2, 63.7, 48.6, 58.7, 49.7, 48.0],
    "spelling-swap-content": [51.1, 68.3, 66.6, 58.3, 65.0, 60.3],
}
FROM_MNLI = ["antonym", "word-overlap", "negation", "length-mismatch", "spelling-swap", "spelling-keyboard", "spelling-swap-content", "spelling-swap-function"]


def acidtest(*arguments):
    if "-o" in arguments and os.path.isfile(arguments[arguments.index("-o") + 1]):
        os.remove(arguments[arguments.index("-o") + 1])
    done = subprocess.run([BINARY, *arguments], check=True, capture_output=True, text=True)
    return done.stdout, done.stderr


def accuracy(data, model):
    """The accuracy of a model on a set in per cent, and the number of examples."""
    report = json.loads(acidtest("evaluate", "--data", data, "--ids", "content", "--model", model, "--format", "json")[0])
    for found in report["measurements"]:
        if found["metric"] == "accuracy" and "group" not in found:
            return 100 * found["value"], found["counts"]["total"]
    raise SystemExit(f"{data}: the report has no accuracy")


def main(folder):
    lexical = os.path.join(folder, "lexical")
    if not os.path.exists(os.path.join(lexical, "model.json")):
        acidtest("train", "--model", "lexical", "--train", SNLI[0], MNLI[0], "--ids", "content", "-o", lexical)
    sets = {"original": MNLI[1]}
    for name in FROM_MNLI:
        sets[name] = os.path.join(folder, f"{name}.jsonl")
        acidtest("challenge", name, "--from", MNLI[1], "-o", sets[name])
    sets["numeric"] = os.path.join(folder, "numeric.jsonl")
    acidtest("challenge", "numeric", "--from", *PROBLEMS, "-o", sets["numeric"])
    print("| set | examples | lexical | esim-small | NB | CH | RC | IS | BiLSTM | CBOW |")
    print("|---|---|---|---|---|---|---|---|---|---|")
    for name, file in sets.items():
        words, count = accuracy(file, lexical)
        network, _ = accuracy(file, "esim-small")
        paper = PAPER.get(name, ["–"] * 6)
        print(f"| `{name}` | {count:,} | {words:.1f} | {network:.1f} | " + " | ".join(str(figure) for figure in paper) + " |", flush=True)
    for more in ([], ["--set", "most_per_pair=1"]):
        output = os.path.join(folder, "all-antonym.jsonl")
        told = acidtest("challenge", "antonym", "--from", *SNLI, *MNLI, "--ids", "content", "-o", output, *more)[1]
        print(f"antonym pairs from SNLI and MultiNLI, training and development{' (no limit per pair)' if more else ''}: {told.split(' examples')[0].split()[-1]}")


if len(sys.argv) > 1:
    os.makedirs(sys.argv[1], exist_ok=True)
    main(sys.argv[1])
else:
    with tempfile.TemporaryDirectory() as own:
        main(own)
