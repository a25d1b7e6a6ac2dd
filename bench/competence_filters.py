"""Counts the pairs that each rule of `numeric` and each filter of `antonym` excludes: the figures in the tables of docs/challenges.md.

    cargo build --release --workspace
    ACIDTEST_DATA=../shared/data python3 bench/competence_filters.py [numeric|antonym]

ACIDTEST=PROGRAM runs another build.

Prints every row of these tables with the number of pairs that switching the rule off adds: `numeric` from AQuA and GSM8K without the entity rule,
`antonym` from MultiNLI dev matched and SNLI dev without the limit per antonym pair.
"""

import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
DATA = os.environ.get("ACIDTEST_DATA", os.path.join(ROOT, "..", "shared", "data"))
BINARY = os.environ.get("ACIDTEST") or os.path.join(os.environ.get("CARGO_TARGET_DIR", os.path.join(ROOT, "target")), "release", "acidtest")
PROBLEMS = [os.path.join(DATA, "math", name) for name in ("aqua_dev.jsonl.gz", "aqua_test.jsonl.gz", "gsm8k_train.jsonl.gz")]
MNLI = [os.path.join(DATA, "mnli", "mnli_dev_matched.jsonl.gz")]
SNLI = [os.path.join(DATA, "snli", "snli_1.0_dev_text.jsonl.gz")]


def pairs(challenge, files, folder, *settings, mode=()):
    """The number of pairs made."""
    output = os.path.join(folder, "set.jsonl")
    more = [word for setting in settings for word in ("--set", setting)]
    done = subprocess.run([BINARY, "challenge", challenge, "--from", *files, "-o", output, *more, *mode], check=True, capture_output=True, text=True)
    os.remove(output)
    return int(re.search(r": ([\d,]+) examples? made", done.stderr).group(1).replace(",", ""))


def rules(heading):
    """The names in the first column of the table that begins with this heading."""
    with open(os.path.join(ROOT, "docs", "challenges.md"), encoding="utf-8") as page:
        table = page.read().split(heading, 1)[1].split("\n\n", 1)[0]
    return re.findall(r"^\| `(\w+)`", table, re.MULTILINE)


def numeric(folder):
    base = pairs("numeric", PROBLEMS, folder, "entity=any")
    print(f"numeric: {base:,} pairs with entity=any")
    for rule in rules("| rule | excludes |"):
        print(f"  {rule:<15} +{pairs('numeric', PROBLEMS, folder, 'entity=any', f'{rule}=off') - base:,}", flush=True)
    for setting in ("entity=any", "reading=strict", "decimals=change", "percent=change", "scales=change", "answer=any", "rationale_lines=0"):
        own = [] if setting == "entity=any" else [setting]
        named, every = (pairs("numeric", PROBLEMS, folder, *entity, *own) for entity in ([], ["entity=any"]))
        print(f"  {setting:<18} {named:,} with a name, {every:,} with entity=any", flush=True)
    named, every = (pairs("numeric", PROBLEMS, folder, *entity, mode=["--as-published"]) for entity in ([], ["entity=any"]))
    print(f"  as published       {named:,} with a name, {every:,} with entity=any")


def antonym(folder):
    corpora = [("MultiNLI", MNLI), ("SNLI", SNLI)]
    base = {name: pairs("antonym", files, folder, "most_per_pair=1") for name, files in corpora}
    limited = {name: pairs("antonym", files, folder) for name, files in corpora}
    print(f"antonym: {base} pairs, {limited} with the limit per pair")
    for rule in rules("| filter | excludes |"):
        added = {name: pairs("antonym", files, folder, "most_per_pair=1", f"{rule}=off") - base[name] for name, files in corpora}
        print(f"  {rule:<15} " + "  ".join(f"{name} {count:+,}" for name, count in added.items()), flush=True)


wanted = sys.argv[1:] or ["numeric", "antonym"]
with tempfile.TemporaryDirectory() as own:
    for one in wanted:
        {"numeric": numeric, "antonym": antonym}[one](own)
