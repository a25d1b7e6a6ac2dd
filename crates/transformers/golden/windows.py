"""Makes windows.json: the windows in which transformers reads premises that are too long, for tokenizers of the golden folders.

    python windows.py

Each case names the folder and the length to which pairs are cut, and has pairs of texts with the ids of every window:
`truncation="only_first", return_overflowing_tokens=True`, with a stride of 64 tokens, or of half a window if that is less.
"""

import json
import pathlib

import make_golden as golden
from transformers import AutoTokenizer

HERE = pathlib.Path(__file__).parent
OVERLAP = 64
# DeBERTa has no table of positions, so the tests may give it another length.
CASES = [("bert", 64), ("roberta", 64), ("mpnet", 64), ("deberta-v3", 64), ("deberta-v3", 300)]
SHORT = "The dog sleeps."


def main():
    cases = []
    for folder, length in CASES:
        tokenizer = AutoTokenizer.from_pretrained(HERE / folder)
        rows = []
        for premise, hypothesis in pairs(tokenizer, length):
            window = length - tokenizer.num_special_tokens_to_add(pair=True) - count(tokenizer, hypothesis)
            stride = min(OVERLAP, window // 2)
            how = {"truncation": "only_first", "max_length": length, "stride": stride, "return_overflowing_tokens": True}
            windows = tokenizer([premise], [hypothesis], **how)["input_ids"]
            rows.append({"premise": premise, "hypothesis": hypothesis, "windows": windows})
        cases.append({"model": folder, "length": length, "pairs": rows})
        print(folder, length, [len(row["windows"]) for row in rows])
    golden.write_json(HERE / "windows.json", cases)


def count(tokenizer, text):
    return len(tokenizer(text, add_special_tokens=False)["input_ids"])


def pairs(tokenizer, length):
    room = length - tokenizer.num_special_tokens_to_add(pair=True) - count(tokenizer, SHORT)
    # Premises that just fit, are one token too long, and so on up to several windows.
    words = lambda tokens: next(text for number in range(9999) if count(tokenizer, text := " ".join(["dog"] * number)) >= tokens)
    just = [(words(room + more), SHORT) for more in (0, 1, room // 2 + 1, room)]
    many = golden.LONG * (3 if length < 100 else 8)
    return just + [(many, SHORT), (many, ""), (many + "Der Hund [SEP] schläft 猫も </s> im Café." + many, "The man </s> [SEP] plays.")]


if __name__ == "__main__":
    main()
