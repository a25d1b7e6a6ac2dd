"""Compares real models with PyTorch and transformers: token ids, logits, accuracy, and the time to open a folder.

    cargo build --release -p acidtest-transformers --example transformer_pairs
    python bench/transformer_check.py PROGRAM FOLDER ...          (folders of bench/transformer_models.py)

For every folder it prints the largest difference from the logits in golden-real.json; for how many pairs the ids differ from
those of golden-real.json, and from transformers' for pairs that are hard to tokenize or truncate, once with tokenizer.json as it
stands (PreTrainedTokenizerFast) and once as AutoTokenizer builds it; the median time to open it; and, where ACIDTEST_DATA
names the folder of the corpora and `--accuracy N` is given, the accuracy on N pairs of SNLI dev and of MultiNLI dev matched.
"""

import argparse
import json
import pathlib
import statistics
import subprocess

import transformers
from transformers import AutoTokenizer, PreTrainedTokenizerFast

LABELS = ["entailment", "neutral", "contradiction"]
LONG = "The man on the street is not at the cafe, and the dog is sleeping, not playing, on a player's unbelievably tall guitar. "
ROUNDS = 7


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("folders", nargs="+", type=pathlib.Path)
    parser.add_argument("--accuracy", type=int, default=0)
    arguments = parser.parse_args()
    transformers.logging.set_verbosity_error()
    for folder in arguments.folders:
        check(arguments.program, folder, arguments.accuracy)


def check(program, folder, count):
    golden = json.loads((folder / "golden-real.json").read_text())
    _, found = run(program, folder, golden["pairs"])
    difference = max(abs(a - b) for ours, pair in zip(found, golden["pairs"]) for a, b in zip(ours["logits"], pair["logits"]))
    same = sum(best(ours["logits"]) == best(pair["logits"]) for ours, pair in zip(found, golden["pairs"]))
    other = sum(ours["ids"] != pair["ids"] for ours, pair in zip(found, golden["pairs"]))
    print(f"{folder.name}: {len(found)} pairs")
    print(f"  largest difference of logits {difference:.1e}, same prediction {same}, other ids {other}")
    pairs = hard_pairs(golden["length"])
    note, found = run(program, folder, pairs)
    assert note["length"] == golden["length"], note
    as_file, automatic = tokenizers(folder)
    differ = {name: [pair for pair, ours in zip(pairs, found) if ours["ids"] != ids(own, pair, golden["length"])] for name, own in automatic.items()}
    cut = sum(ours["truncated"] for ours in found)
    wrong = [pair for pair, ours in zip(pairs, found) if ours["truncated"] != (len(ids(as_file, pair, 10**6)) > golden["length"])]
    print(f"  {len(pairs)} hard pairs, {cut} truncated ({len(wrong)} wrongly flagged); other ids than", end=" ")
    print(", ".join(f"{name} {len(rows)}" for name, rows in differ.items()))
    for name, rows in differ.items():
        for pair in rows[:3]:
            print(f"    {name}: {pair['premise'][:60]!r} / {pair['hypothesis'][:60]!r}")
    times = [run(program, folder, [])[0]["milliseconds"] for _ in range(ROUNDS)]
    print(f"  opens in {statistics.median(times):.0f} ms (median of {ROUNDS}, {min(times):.0f} to {max(times):.0f})")
    if count:
        print(f"  accuracy on {count} pairs: {accuracies(program, folder, count)}", flush=True)


def tokenizers(folder):
    as_file = PreTrainedTokenizerFast(tokenizer_file=str(folder / "tokenizer.json"))
    return as_file, {"the file": as_file, "AutoTokenizer": AutoTokenizer.from_pretrained(folder)}


def ids(tokenizer, pair, length):
    return tokenizer([pair["premise"]], [pair["hypothesis"]], truncation="longest_first", max_length=length, padding=False)["input_ids"][0]


def hard_pairs(length):
    """Odd and even excess on either side or both, special tokens in the text, nothing, long words, emoji and other scripts."""
    words = lambda count: " ".join(["dog"] * count)
    sizes = [(length + extra, 5) for extra in range(-14, 4)] + [(5, length + extra) for extra in range(-14, 4)]
    sizes += [(length // 2 + a, length // 2 + b) for a in range(-5, 6) for b in range(-5, 6)] + [(3 * length, 3 * length), (3 * length, length - 3)]
    pairs = [(words(a), words(b)) for a, b in sizes] + [(LONG * a, LONG * b) for a in (1, 40) for b in (1, 39, 41)]
    odd = ["", " ", "\t\n", "[SEP]", "A man [SEP] is on </s> the [CLS] street <s> [MASK] <mask> [PAD] <pad> [UNK].", "z" * 99, "z" * 101, "z" * 400]
    odd += ["👩‍👩‍👧‍👦 🏳️‍🌈 🫠🎸", "猫が寝ている。男はギターを弾く。", "北京的人不在街上。", "Der Hund schläft im Café.", "e\u0301\u0301 ﬁ ½ Ａ №", "الرجل يعزف"]
    odd += ["don't can't I'm we'll", "  two  spaces  ", "$3.50 (1,000) 10%", "a\u0000b\u200b\ufeff\u00ad", "''``--...", "▁Ġ##ing", LONG * 60]
    pairs += [(a, b) for a in odd for b in odd]
    return [{"premise": premise, "hypothesis": hypothesis} for premise, hypothesis in pairs]


def run(program, folder, pairs):
    lines = "".join(json.dumps({"premise": pair["premise"], "hypothesis": pair["hypothesis"]}) + "\n" for pair in pairs)
    output = subprocess.run([program, str(folder)], input=lines, capture_output=True, text=True, check=True).stdout.splitlines()
    note, *rows = [json.loads(line) for line in output]
    return note, rows


def accuracies(program, folder, count):
    import transformer_models as models

    found = {}
    for source in ("snli", "mnli"):
        pairs = models.spread(models.dev_pairs(source), count)
        rows = run(program, folder, pairs)[1]
        found[source] = f"{sum(LABELS[best(row['logits'])] == pair['label'] for row, pair in zip(rows, pairs)) / len(pairs):.1%}"
    return found


def best(logits):
    return max(range(len(logits)), key=logits.__getitem__)


if __name__ == "__main__":
    main()
