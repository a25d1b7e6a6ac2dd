"""The counts of docs/composition.md and docs/added-modifier.md: pairs and controls by analysis, and why premises are left out.

    cargo build --release -p acidtest
    ACIDTEST_DATA=../shared/data python3 bench/composition_counts.py [BINARY]

Counts by premise come from a corpus in which each premise of the first 100,000 examples of SNLI's training set stands once; those with `sides=both` from
all examples. Nothing is drawn by chance but the modifiers, with seed 1.
"""

import gzip
import json
import os
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
DATA = os.environ.get("ACIDTEST_DATA", os.path.join(ROOT, "..", "shared", "data"))
CORPUS = os.path.join(DATA, "snli", "snli_1.0_train_100k.jsonl.gz")
BINARY = sys.argv[1] if len(sys.argv) > 1 else os.path.join(os.environ.get("CARGO_TARGET_DIR", os.path.join(ROOT, "target")), "release", "acidtest")
SETTINGS = {
    "subject-object-swap": [["analysis=tree"], ["analysis=parse"], ["analysis=strict"], ["analysis=tree", "sides=both"]],
    "added-modifier": [
        ["analysis=strict"],
        ["analysis=tree"],
        ["analysis=parse"],
        ["analysis=strict", "existing_adjectives=other-class"],
        ["analysis=tree", "sides=both"],
    ],
}


def coverage(challenge, corpus, settings, folder):
    output = os.path.join(folder, "set.jsonl")
    command = [BINARY, "challenge", challenge, "--from", corpus, "-o", output]
    if challenge == "added-modifier":
        command += ["--modifiers-from", CORPUS]
    for setting in settings:
        command += ["--set", setting]
    subprocess.run(command, check=True, stderr=subprocess.DEVNULL)
    with open(output, encoding="utf-8") as rows:
        tags = [json.loads(row)["tags"] for row in rows]
    with open(output + ".about.json", encoding="utf-8") as about:
        return json.load(about)["coverage"], tags


def main():
    with tempfile.TemporaryDirectory() as folder:
        once = os.path.join(folder, "premises.jsonl")
        premises = set()
        with gzip.open(CORPUS, "rt", encoding="utf-8") as rows, open(once, "w", encoding="utf-8") as target:
            for row in rows:
                premise = json.loads(row)["sentence1"]
                if premise not in premises:
                    premises.add(premise)
                    target.write(row)
        print(f"{len(premises):,} different premises")
        for challenge, all_settings in SETTINGS.items():
            print(f"\n{challenge}")
            for settings in all_settings:
                both = "sides=both" in settings
                found, tags = coverage(challenge, CORPUS if both else once, settings, folder)
                pairs = found["made"] - found["controls"]
                share = "" if both else f", {1000 * pairs / len(premises):.0f} per 1,000 premises"
                print(f"{' '.join(settings)}: {pairs:,} pairs{share}, {found['controls']:,} controls")
                if settings == ["analysis=strict"]:
                    tests = [own for own in tags if own["part"] == "test"]
                    for name, value in (("same-words", "false"), ("reversible", "true")):
                        if any(name in own for own in tests):
                            print(f"  {name}={value}: {sum(own[name] == value for own in tests):,}")
                    for kind in ("not_applicable", "excluded", "skipped"):
                        for reason, count in sorted(found.get(kind, {}).items(), key=lambda item: -item[1]):
                            if kind != "skipped" or reason.startswith("no control"):
                                print(f"  {count:,}: {reason}")


main()
