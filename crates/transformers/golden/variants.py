"""Makes variants/: folders as they occur, each with one thing changed from the case `bert` or `roberta`.

A variant holds only the files that differ, and variant.json: `base` (the case the other files come from), `leave_out`
(files of the base that the folder must not have), `ids` and `logits` of the base's pairs, null where they are the base's.
What is written has been loaded by transformers.
"""

import json
import pathlib
import shutil
import tempfile

import make_golden as golden
import torch
from safetensors.torch import load_file, save_file
from transformers import AutoTokenizer

HERE = pathlib.Path(__file__).parent
WEIGHTS = "model.safetensors"


def main():
    shutil.rmtree(HERE / "variants", ignore_errors=True)
    for name, write in VARIANTS.items():
        folder = HERE / "variants" / name
        folder.mkdir(parents=True)
        base, leave_out = write(folder)
        for file in folder.iterdir():
            file.chmod(0o644)
        finish(folder, base, leave_out)
        print(name, sum(file.stat().st_size for file in folder.iterdir()), "bytes")


def finish(folder, base, leave_out):
    expected = json.loads((HERE / base / "golden.json").read_text())
    with tempfile.TemporaryDirectory() as whole:
        whole = pathlib.Path(whole)
        for file in [*(HERE / base).iterdir(), *folder.iterdir()]:
            if file.name not in [*leave_out, "golden.json"]:
                shutil.copy(file, whole)
        model, tokenizer = golden.load(whole), AutoTokenizer.from_pretrained(whole)
        pairs, _ = golden.forward(model, tokenizer, expected["length"], golden.PAIRS)
    note = {"base": base, "leave_out": leave_out, "ids": None, "logits": None}
    if [pair["ids"] for pair in pairs] != [pair["ids"] for pair in expected["pairs"]]:
        note["ids"] = [pair["ids"] for pair in pairs]
    logits = lambda all_pairs: torch.tensor([pair["logits"] for pair in all_pairs])
    if logits(pairs).shape != logits(expected["pairs"]).shape or (logits(pairs) - logits(expected["pairs"])).abs().max() > 1e-5:
        note["logits"] = [pair["logits"] for pair in pairs]
    golden.write_json(folder / "variant.json", note)


def weights(folder, change, base="bert"):
    changed = {}
    for name, tensor in load_file(HERE / base / WEIGHTS).items():
        changed |= change(name, tensor)
    save_file({name: tensor.contiguous() for name, tensor in changed.items()}, folder / WEIGHTS, metadata={"format": "pt"})
    return base, []


def precision(dtype):
    return lambda folder: weights(folder, lambda name, tensor: {name: tensor.to(dtype)})


def without_prefix(folder):
    """Also with a tensor of older files that is no weight."""
    positions = {"embeddings.position_ids": torch.arange(64)[None]}
    own = lambda name, tensor: {name.removeprefix("bert."): tensor}
    return weights(folder, lambda name, tensor: own(name, tensor) | (positions if name == "classifier.bias" else {}))


def gamma_and_beta(folder):
    old = {"LayerNorm.weight": "LayerNorm.gamma", "LayerNorm.bias": "LayerNorm.beta"}

    def renamed(name, tensor):
        for new, previous in old.items():
            name = name.replace(new, previous)
        return {name: tensor}

    return weights(folder, renamed)


def sharded(folder):
    tensors = load_file(HERE / "bert" / WEIGHTS)
    names = sorted(tensors)
    parts = {"model-00001-of-00002.safetensors": names[::2], "model-00002-of-00002.safetensors": names[1::2]}
    for file, own in parts.items():
        save_file({name: tensors[name] for name in own}, folder / file, metadata={"format": "pt"})
    index = {
        "metadata": {"total_size": sum(tensor.numel() * 4 for tensor in tensors.values())},
        "weight_map": {name: file for file, own in parts.items() for name in own},
    }
    golden.write_json(folder / "model.safetensors.index.json", index)
    return "bert", [WEIGHTS]


def vocabulary_only(lower_case):
    def write(folder):
        vocabulary = json.loads((HERE / "bert/tokenizer.json").read_text())["model"]["vocab"]
        (folder / "vocab.txt").write_text("".join(f"{token}\n" for token in sorted(vocabulary, key=vocabulary.get)))
        settings = json.loads((HERE / "bert/tokenizer_config.json").read_text()) | {"do_lower_case": lower_case}
        golden.write_json(folder / "tokenizer_config.json", settings)
        return "bert", ["tokenizer.json"]

    return write


def vocabulary_and_merges(folder):
    model = json.loads((HERE / "roberta/tokenizer.json").read_text())["model"]
    golden.write_json(folder / "vocab.json", model["vocab"])
    merges = [merge if isinstance(merge, str) else " ".join(merge) for merge in model["merges"]]
    (folder / "merges.txt").write_text("\n".join(["#version: 0.2", *merges]) + "\n")
    return "roberta", ["tokenizer.json"]


def labels(folder, names):
    config = json.loads((HERE / "bert/config.json").read_text())
    config["id2label"] = {str(i): name for i, name in enumerate(names)}
    config["label2id"] = {name: i for i, name in enumerate(names)}
    (folder / "config.json").write_text(json.dumps(config, indent=2) + "\n")
    return "bert", []


def head(names):
    def write(folder):
        rows = torch.Generator().manual_seed(7)
        first = lambda name, tensor: torch.randn([len(names), *tensor.shape[1:]], generator=rows) if name.startswith("classifier") else tensor
        weights(folder, lambda name, tensor: {name: first(name, tensor)})
        return labels(folder, names)

    return write


VARIANTS = {
    "f16": precision(torch.float16),
    "bf16": precision(torch.bfloat16),
    "sharded": sharded,
    "without-prefix": without_prefix,
    "gamma-and-beta": gamma_and_beta,
    "vocab-txt": vocabulary_only(True),
    "vocab-txt-cased": vocabulary_only(False),
    "vocab-and-merges": vocabulary_and_merges,
    "label-n": lambda folder: labels(folder, ["LABEL_0", "LABEL_1", "LABEL_2"]),
    "two-labels": head(["entailment", "not_entailment"]),
    "one-output": head(["entailment"]),
}

if __name__ == "__main__":
    main()
