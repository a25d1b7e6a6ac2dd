"""Measures memory and time of every verb on very long lines.

    cargo build --release -p acidtest
    python3 bench/long_lines.py            # lines of 4 and 16 MB
    python3 bench/long_lines.py 0.9 0.45   # other sizes, in MB

Fails (exit code 1) if a verb fails, needs more than 500 MB, or takes much more than linear time. Set `ACIDTEST` to test another binary.
"""

import json
import os
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TARGET = os.environ.get("CARGO_TARGET_DIR", os.path.join(ROOT, "target"))
BINARY = os.environ.get("ACIDTEST", os.path.join(TARGET, "release", "acidtest"))
MOST_KB = 500 << 10
# Start-up, which does not depend on the line.
START_SECONDS = 1.0
MOST_TIMES_PROPORTIONAL = 2.0

# The content of the lines: many short words, sentences, one long word, punctuation, unclosed brackets.
CONTENTS = {
    "words": "a ",
    "text": "The old man, who was tired, saw 3 dogs in London and didn't stop. ",
    "word": "x",
    "marks": "'a;.",
    "lines": "No\n",
    "numbers": "12 million 3,000 ",
    "names": "Mary Smith ",
    "distinct": None,
}

VERBS = {
    "analyze": "analyze {text} -o out --format json",
    "stats": "corpus stats {rows}",
    "audit": "corpus audit {rows}",
    "tags": "corpus tags {rows}",
    "convert": "corpus convert {rows} -o out.csv",
    "convert to parquet": "corpus convert {rows} -o out.parquet",
    "sample": "corpus sample 5 {rows} -o out.jsonl",
    "split": "corpus split {rows} -o out --part a=0.5 --part b=0.5",
    "challenge all": "challenge all --from {rows} -o out",
    "run, rules": "run --data {rows} --model overlap --model negation-word",
    "run, network": "run --data {rows} --model esim-small --challenge negation",
    "predict, rules": "predict --data {rows} --model overlap -o out.jsonl",
    "predict, network": "predict --data {rows} --model esim-small -o out.jsonl",
    "evaluate": "evaluate --data {rows} --model overlap --details",
    "train lexical": "train --model lexical --train {rows} -o out",
    "train cbow": "train --model cbow --train {rows} --dev {rows} -o out --set epochs=1",
    "predict, lexical": "predict --data {rows} --model {lexical} -o out.jsonl",
    "lms": "lms --model {lexical} {rows} -o out.jsonl",
    "identify": "challenge identify {rows}",
}


def row(number, premise, hypothesis, label):
    parts = {"pairID": str(number), "gold_label": label, "sentence1": premise, "sentence2": hypothesis}
    return json.dumps(parts) + "\n"


def measure(command, folder):
    """Seconds, kilobytes, exit code, and the last line of output."""
    log = os.path.join(folder, "said")
    child = os.fork()
    if child == 0:
        os.chdir(folder)
        handle = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        os.dup2(handle, 1)
        os.dup2(handle, 2)
        os.execv(BINARY, [BINARY, *command])
    _, status, used = os.wait4(child, 0)
    with open(log, errors="replace") as said:
        last = (said.read().strip().splitlines() or [""])[-1][:100]
    return used.ru_utime + used.ru_stime, used.ru_maxrss, os.waitstatus_to_exitcode(status), last


def long_text(content, megabytes):
    """One content repeated, or only distinct words."""
    length = int(megabytes * (1 << 20))
    if content is None:
        return " ".join(f"w{number:07}" for number in range(length // 9))
    return (content * (length // len(content))).strip()


def one(verb, content, megabytes, side):
    with tempfile.TemporaryDirectory() as folder:
        # A line of this many megabytes, whatever its content.
        long = long_text(content, megabytes / 2 if side == 2 else megabytes)
        other = " ".join(reversed(long.split(" "))) if content is None else long
        pairs = [(long, "A man sleeps."), ("A man sleeps.", long), (long, other)][side : side + 1]
        with open(f"{folder}/rows.jsonl", "w") as rows:
            for number, (premise, hypothesis) in enumerate(pairs):
                rows.write(row(number, premise, hypothesis, "entailment"))
            for number in range(9):
                rows.write(row(10 + number, f"A man sleeps in bed {number}.", "A man sleeps.", ["neutral", "contradiction", "entailment"][number % 3]))
        with open(f"{folder}/text.txt", "w") as text:
            text.write(long.replace("\n", " ") + "\nA man sleeps.\n")
        if "{lexical}" in verb:
            with open(f"{folder}/small.jsonl", "w") as rows:
                for number in range(9):
                    label = ["neutral", "contradiction", "entailment"][number % 3]
                    rows.write(row(number, f"A dog barks at cat {number}.", "A dog barks.", label))
            measure("train --model lexical --train small.jsonl -o lexical".split(), folder)
        command = verb.format(rows="rows.jsonl", text="text.txt", lexical="lexical").split()
        return measure(command, folder)


def main():
    sizes = [float(size) for size in sys.argv[1:] if size[0].isdigit()] or [4, 16]
    chosen = [name for name in sys.argv[1:] if not name[0].isdigit()]
    small, large = min(sizes), max(sizes)
    failed = 0
    for name, verb in VERBS.items():
        if chosen and name not in chosen:
            continue
        for kind, content in CONTENTS.items():
            for side in range(1 if name == "analyze" else 3):
                seconds, _, code, last = one(verb, content, small, side)
                later, memory, later_code, last = one(verb, content, large, side)
                allowed = (seconds + START_SECONDS) * large / small * MOST_TIMES_PROPORTIONAL
                wrong = code != 0 or later_code != 0 or memory > MOST_KB or later > allowed
                failed += wrong
                side_name = ["premise", "hypothesis", "both"][side]
                figures = f"{seconds:7.2f} s {later:7.2f} s {memory / 1024:6.0f} MB  {code} {later_code}"
                print(f"{name:20} {kind:8} {side_name:10} {figures}  {'WRONG ' + last if wrong else ''}", flush=True)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
