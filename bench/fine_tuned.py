"""Does `transformers` open a folder that was fine-tuned and saved here, with equal logits?

    python bench/fine_tuned.py PROGRAM FOLDER ...

PROGRAM is the example `fine_tuned` (cargo build -p acidtest-transformers --example fine_tuned). Each FOLDER is trained for
three steps and saved to a temporary folder, which is opened with AutoModelForSequenceClassification and AutoTokenizer.
Prints the largest difference of the logits; exits with 1 if one is above 1e-4, a tensor is missing, or the labels differ.
Needs torch and transformers.
"""

import json
import pathlib
import subprocess
import sys
import tempfile

import torch
from transformers import AutoModelForSequenceClassification, AutoTokenizer


def main(program, folders):
    worst = [(folder, difference(program, folder)) for folder in folders]
    return 0 if all(number <= 1e-4 for _, number in worst) else 1


def difference(program, folder):
    with tempfile.TemporaryDirectory() as scratch:
        saved = pathlib.Path(scratch) / "model"
        done = subprocess.run([program, folder, saved], check=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        ours = json.loads(done.stdout)
        model, info = AutoModelForSequenceClassification.from_pretrained(saved, output_loading_info=True, attn_implementation="eager")
        tokenizer = AutoTokenizer.from_pretrained(saved)
        labels = ", ".join(model.config.id2label[number] for number in range(model.config.num_labels))
        largest = 0.0 if labels == ours["labels"] and not any(info.values()) else float("inf")
        for (premise, hypothesis), logits in zip(ours["pairs"], ours["logits"]):
            inputs = tokenizer([premise], [hypothesis], truncation=True, max_length=ours["length"], return_tensors="pt")
            with torch.no_grad():
                found = model.eval()(**inputs).logits[0]
            largest = max(largest, (found - torch.tensor(logits)).abs().max().item())
        print(f"{folder}: {largest:.1e}, {labels}, {model.dtype}", *[f"{key}: {value}" for key, value in info.items() if value])
        return largest


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
