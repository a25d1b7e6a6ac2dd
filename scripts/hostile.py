"""Tests the binary with damaged and hostile files, and by killing it.

    cargo build --release -p acidtest
    python3 scripts/hostile.py flips 1000      # 1,000 single bit flips per kind of file
    python3 scripts/hostile.py fuzz 3600       # mutated files for every reader, for 3,600 seconds
    python3 scripts/hostile.py kills 50        # `run`, `train` and `challenge`, each killed 50 times

Each prints a table of outcomes and fails (exit code 1) on a panic, a crash, an error of more than one line, a hanging command, excessive memory, a
partial output, or a damaged file that is accepted despite its checksum. Failing files are kept in the folder `hostile-failures`. `--seed N` chooses
other random changes; set `ACIDTEST` to test another binary.

A bit flip in the plain text of a corpus or of predictions changes a letter, which cannot be detected: such a row is counted as read as other text.
"""

import argparse
import collections
import gzip
import json
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TARGET = os.environ.get("CARGO_TARGET_DIR", os.path.join(ROOT, "target"))
BINARY = os.environ.get("ACIDTEST", os.path.join(TARGET, "release", "acidtest"))
FAILURES = os.path.join(os.getcwd(), "hostile-failures")
MOST_MEMORY = 2 << 30
MOST_SECONDS = 60

MODEL = """import json, sys
for line in sys.stdin:
    row = json.loads(line)
    print(json.dumps({"id": row["id"], "label": ["entailment", "neutral", "contradiction"][len(row["premise"]) % 3]}), flush=True)
"""


def limit():
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def run(arguments, folder, limited=True):
    """Exit code, standard output and standard error; the code is None if the command timed out."""
    try:
        done = subprocess.run(
            [BINARY, *arguments], cwd=folder, capture_output=True, timeout=MOST_SECONDS, preexec_fn=limit if limited else None
        )
    except subprocess.TimeoutExpired:
        return None, b"", b""
    return done.returncode, done.stdout, done.stderr


def complaint(code, stderr):
    """The problem with how a command ended, or None."""
    text = stderr.decode("utf-8", "replace")
    if code is None:
        return f"did not end in {MOST_SECONDS} s"
    if "panicked" in text:
        return "panicked"
    if code < 0:
        return f"ended by signal {-code}"
    if code not in (0, 1, 2, 3, 4):
        return f"exit code {code}"
    if code in (1, 2):
        lines = [line for line in text.splitlines() if line.startswith("acidtest: ") or line.startswith("error: ")]
        if len(lines) != 1:
            return f"{len(lines)} lines of error: {text[:300]!r}"
    if any(ord(c) < 32 and c not in "\n\r" for c in text):
        return f"a control character in an error: {text[:300]!r}"
    return None


def keep(name, folder, said):
    """Saves a failing input."""
    os.makedirs(FAILURES, exist_ok=True)
    place = tempfile.mkdtemp(prefix=f"{name}-", dir=FAILURES)
    shutil.copytree(folder, place, symlinks=True, dirs_exist_ok=True)
    with open(os.path.join(place, "said.txt"), "w", encoding="utf-8") as out:
        out.write(said)


class Kind:
    """A kind of file: its path, and the command that reads it."""

    def __init__(self, name, path, command, checked):
        self.name, self.path, self.command, self.checked = name, path, command, checked


def prepare(folder):
    """A small file of each kind, with the command that reads it. `checked`: damage must be detected, or have no effect."""

    def write(name, text):
        with open(os.path.join(folder, name), "wb") as out:
            out.write(text if isinstance(text, bytes) else text.encode())

    def must(*arguments):
        code, out, err = run(arguments, folder, limited=False)
        assert code == 0, (arguments, err.decode())
        return out

    with open(os.path.join(ROOT, "crates", "cli", "tests", "fixtures", "parsed.jsonl"), encoding="utf-8") as source:
        rows = source.read()
    write("rows.jsonl", rows)
    write("rows.jsonl.gz", gzip.compress(rows.encode()))
    write("model.py", MODEL)
    write("text.txt", "The judge saw the doctor. It cost $3.50 on 2 May.\nNobody slept; the U.S. team won.\n")
    write("runs.csv", "run,ln_a,ln_b\n1,0.84,0.1\n2,0.85,0.5\n3,0.8,0.25\n")
    write("own.grammar", open(os.path.join(ROOT, "crates", "cli", "tests", "fixtures", "own.grammar"), "rb").read())
    for to, name in [("csv", "rows.csv"), ("multinli-text", "rows.tsv"), ("parquet", "rows.parquet"), ("hf", "hf.jsonl"), ("hans", "hans.txt")]:
        code, _, err = run(["corpus", "convert", "rows.jsonl", "--to", to, "-o", name], folder, limited=False)
        if code != 0:
            # Rows of this corpus that the format cannot represent.
            must("challenge", "hans", "--set", "per_subcase=2", "--to", to, "-o", name)
    array = [json.loads(line) for line in rows.splitlines()]
    write("array.json", json.dumps(array))
    must("predict", "--model", "overlap", "--data", "rows.jsonl", "-o", "answers.jsonl")
    must("predict", "--model", "overlap", "--data", "rows.jsonl", "-o", "answers.csv")
    must("train", "--model", "lexical", "--train", "rows.jsonl", "--set", "folds=2", "-o", "words")
    must("train", "--model", "cbow", "--train", "rows.jsonl", "--dev", "rows.jsonl", "--set", "hidden=4", "--set", "epochs=1", "-o", "network")
    write("report.json", must("evaluate", "--data", "rows.jsonl", "--model", "overlap", "--no-doctor", "--format", "json"))
    asked = ["evaluate", "--data", "rows.jsonl", "--model", "process:python3 model.py", "--no-doctor", "--cache", "cache", "--model-version", "1", "--format", "json"]
    must(*asked)
    cache = [os.path.join(where, name) for where, _, names in os.walk(os.path.join(folder, "cache")) for name in names]
    largest = os.path.relpath(max(cache, key=os.path.getsize), folder)
    convert = lambda path: ["corpus", "convert", path, "-o", "-"]
    score = lambda path: ["evaluate", "--data", "rows.jsonl", "--predictions", path, "--no-doctor", "--format", "json"]
    kinds = [
        Kind("corpus, JSON lines", "rows.jsonl", convert("rows.jsonl"), False),
        Kind("corpus, compressed", "rows.jsonl.gz", convert("rows.jsonl.gz"), True),
        Kind("corpus, comma separated", "rows.csv", convert("rows.csv"), False),
        Kind("corpus, MultiNLI text", "rows.tsv", convert("rows.tsv"), False),
        Kind("corpus, Parquet", "rows.parquet", convert("rows.parquet"), False),
        Kind("corpus, Hugging Face", "hf.jsonl", convert("hf.jsonl"), False),
        Kind("corpus, HANS", "hans.txt", convert("hans.txt"), False),
        Kind("corpus, JSON array", "array.json", convert("array.json"), False),
        Kind("predictions, JSON lines", "answers.jsonl", score("answers.jsonl"), False),
        Kind("predictions, comma separated", "answers.csv", score("answers.csv"), False),
        Kind("lexical model", None, ["predict", "--model", "words", "--data", "rows.jsonl"], True),
        Kind("network", None, ["predict", "--model", "network", "--data", "rows.jsonl"], True),
        Kind("cache of answers", largest, asked, True),
        Kind("stored report", "report.json", ["report", "report.json", "--format", "json"], True),
    ]
    for kind in kinds:
        if kind.path is None:
            parts = [os.path.join(kind.command[2], name) for name in sorted(os.listdir(os.path.join(folder, kind.command[2])))]
            kind.path = parts
    return kinds


def damaged_copy(source, kind, change):
    """A copy of the folder in which one file of this kind is replaced by `change(bytes)`."""
    folder = tempfile.mkdtemp(prefix="hostile-")
    shutil.copytree(source, folder, dirs_exist_ok=True)
    path = os.path.join(folder, kind)
    with open(path, "rb") as file:
        data = bytearray(file.read())
    with open(path, "wb") as file:
        file.write(change(data))
    return folder


def without_place(output):
    """A report without the fields that differ between runs."""
    try:
        report = json.loads(output)
    except ValueError:
        return output
    if isinstance(report, dict):
        report.pop("provenance", None)
        report.pop("checksum", None)
    return json.dumps(report).encode()


def flips(count, seed):
    rng = random.Random(seed)
    table = collections.OrderedDict()
    failed = 0
    with tempfile.TemporaryDirectory() as source:
        kinds = prepare(source)
        for kind in kinds:
            code, expected, err = run(kind.command, source)
            assert code == 0, (kind.name, err)
            outcomes = collections.Counter()
            parts = kind.path if isinstance(kind.path, list) else [kind.path]
            sizes = [os.path.getsize(os.path.join(source, part)) for part in parts]
            plans = []
            for _ in range(count):
                # Every file of a folder is changed equally often, however small.
                part = rng.randrange(len(parts))
                plans.append((parts[part], rng.randrange(sizes[part]), rng.randrange(8)))

            def one(plan):
                part, at, bit = plan

                def flip(data):
                    data[at] ^= 1 << bit
                    return data

                folder = damaged_copy(source, part, flip)
                try:
                    code, out, err = run(kind.command, folder)
                    wrong = complaint(code, err)
                    if wrong is None and code != 0:
                        return "refused"
                    if wrong is None and without_place(out) == without_place(expected):
                        return "read as before"
                    if wrong is None and not kind.checked:
                        return "read as other text"
                    said = f"{kind.name}: bit {bit} of byte {at} of {part}: {wrong or 'read as something else'}"
                    keep("flip", folder, said)
                    print(said, file=sys.stderr)
                    return "WRONG"
                finally:
                    shutil.rmtree(folder, ignore_errors=True)

            with ThreadPoolExecutor(os.cpu_count()) as pool:
                outcomes.update(pool.map(one, plans))
            table[kind.name] = outcomes
            failed += outcomes["WRONG"]
            print_row(kind.name, outcomes)
    return failed


TOKENS = [b"{", b"}", b"[", b"]", b'"', b"\\", b"\\u0000", b"\\ud800", b",", b":", b"\n", b"\r\n", b"\t", b"\0", b"\xff", b"\xef\xbb\xbf", b"\xff\xfe",
          b"null", b"true", b"1e999", b"-1", b"99999999999999999999", b"NaN", b"(", b")", b"( ( (", b"\x1b[31m", b"\xe2\x80\xae", b"entailment", b"gold_label",
          b"sentence1", b"id", b"PAR1", b"\x1f\x8b", b"ARROW1", b"a " * 500, b"(" * 500, b'{"a":' * 200]


def mutated(data, rng):
    """Randomly changes some of the bytes."""
    data = bytearray(data)
    for _ in range(rng.choice([1, 1, 1, 2, 3, 8])):
        at = rng.randrange(len(data) + 1)
        length = min(rng.choice([1, 1, 2, 4, 16, 64, 1024]), len(data) - at)
        what = rng.randrange(8)
        if what == 0 and length:
            data[at] ^= 1 << rng.randrange(8)
        elif what == 1:
            del data[at : at + length]
        elif what == 2:
            data[at:at] = data[at : at + length] * rng.choice([1, 2, 50])
        elif what == 3:
            data[at:at] = rng.choice(TOKENS)
        elif what == 4:
            del data[at:]
        elif what == 5:
            data[at : at + length] = rng.randbytes(length)
        elif what == 6 and data:
            other = rng.randrange(len(data))
            data[at : at + length] = data[other : other + length]
        elif what == 7 and length:
            data[at : at + length] = bytes([rng.choice([0, 255, 32, 48, 57])]) * length
    return data


def fuzz(seconds, seed):
    """Mutates the files of every reader; only how the command ends is checked, not its result."""
    table = collections.defaultdict(collections.Counter)
    failed = 0
    end = time.monotonic() + seconds
    with tempfile.TemporaryDirectory() as source:
        kinds = prepare(source)
        readers = [(kind.name, part, kind.command) for kind in kinds for part in (kind.path if isinstance(kind.path, list) else [kind.path])]
        readers += [
            ("grammar", "own.grammar", ["challenge", "hans", "--set", "grammar=own.grammar", "--set", "per_subcase=1", "-o", "-"]),
            ("English text", "text.txt", ["analyze", "text.txt"]),
            ("table of runs", "runs.csv", ["compare", "--results", "runs.csv", "--columns", "ln_"]),
            ("statistics", "rows.jsonl", ["corpus", "stats", "rows.jsonl"]),
            ("audit", "rows.jsonl", ["corpus", "audit", "rows.jsonl"]),
            ("annotation tags", "rows.jsonl", ["corpus", "tags", "rows.jsonl"]),
            ("challenges", "rows.jsonl", ["challenge", "all", "--from", "rows.jsonl", "-o", "made"]),
            ("identify", "hans.txt", ["challenge", "identify", "hans.txt"]),
            ("lexical scores", "rows.jsonl", ["lexical", "score", "rows.jsonl", "--model", "words"]),
            ("bad rows left out", "rows.jsonl", ["corpus", "stats", "rows.jsonl", "--skip-bad-rows"]),
        ]

        def work(number):
            rng = random.Random(f"{seed}/{number}")
            found, failures = collections.defaultdict(collections.Counter), 0
            folder = tempfile.mkdtemp(prefix="hostile-")
            shutil.copytree(source, folder, dirs_exist_ok=True)
            try:
                while time.monotonic() < end:
                    name, part, command = rng.choice(readers)
                    path = os.path.join(folder, part)
                    with open(os.path.join(source, part), "rb") as file:
                        original = file.read()
                    with open(path, "wb") as file:
                        file.write(mutated(original, rng))
                    code, _, err = run(command, folder)
                    wrong = complaint(code, err)
                    if wrong:
                        failures += 1
                        said = f"{name}: {' '.join(command)}: {wrong}"
                        keep("fuzz", folder, said)
                        print(said, file=sys.stderr)
                    found[name]["WRONG" if wrong else "done" if code == 0 else "refused"] += 1
                    shutil.rmtree(os.path.join(folder, "made"), ignore_errors=True)
                    with open(path, "wb") as file:
                        file.write(original)
                    if part.startswith("cache"):
                        shutil.rmtree(os.path.join(folder, "cache"), ignore_errors=True)
                        shutil.copytree(os.path.join(source, "cache"), os.path.join(folder, "cache"))
            finally:
                shutil.rmtree(folder, ignore_errors=True)
            return found, failures

        with ThreadPoolExecutor(os.cpu_count()) as pool:
            for found, failures in pool.map(work, range(os.cpu_count())):
                failed += failures
                for name, outcomes in found.items():
                    table[name].update(outcomes)
    for name, outcomes in table.items():
        print_row(name, outcomes)
    print_row("all", sum(table.values(), collections.Counter()))
    return failed


def kills(count, seed):
    """Kills commands at random moments; outputs must be missing or complete, and running again must give the same result as an uninterrupted run."""
    rng = random.Random(seed)
    failed = 0
    with tempfile.TemporaryDirectory() as source:
        prepare(source)
        with open(os.path.join(source, "rows.jsonl"), encoding="utf-8") as file:
            rows = [json.loads(line) for line in file]
        with open(os.path.join(source, "many.jsonl"), "w", encoding="utf-8") as out:
            for copy in range(500):
                for row in rows:
                    out.write(json.dumps({**row, "pairID": f"{row['pairID']}-{copy}", "sentence1": f"{copy} {row['sentence1']}"}) + "\n")
        commands = {
            "run": (["run", "--data", "many.jsonl", "--model", "overlap", "--model", "majority", "--no-doctor", "--challenge", "negation,word-overlap,spelling-swap", "--format", "json", "-o", "out.json", "--report", "page"], ["out.json", "page"]),
            "train": (["train", "--model", "cbow", "--train", "many.jsonl", "--dev", "rows.jsonl", "--set", "hidden=16", "--set", "epochs=2", "--checkpoint-minutes", "0.001", "-o", "trained"], ["trained"]),
            "challenge": (["challenge", "all", "--from", "many.jsonl", "-o", "sets"], ["sets"]),
        }
        for name, (command, outputs) in commands.items():
            whole = tempfile.mkdtemp(prefix="hostile-")
            shutil.copytree(source, whole, dirs_exist_ok=True)
            start = time.monotonic()
            code, _, err = run(command, whole, limited=False)
            took = time.monotonic() - start
            assert code == 0, err.decode()
            expected = {path: contents(os.path.join(whole, path)) for path in outputs}
            outcomes = collections.Counter()
            for _ in range(count):
                folder = tempfile.mkdtemp(prefix="hostile-")
                shutil.copytree(source, folder, dirs_exist_ok=True)
                process = subprocess.Popen([BINARY, *command], cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
                time.sleep(rng.uniform(0, took * 1.05))
                process.send_signal(signal.SIGKILL)
                process.wait()
                wrong = None
                for path, content in expected.items():
                    found = os.path.join(folder, path)
                    # An unfinished training run keeps its checkpoint in its folder; each set of a folder is complete.
                    is_whole = contents(found) == content
                    if name == "challenge" and os.path.exists(found):
                        is_whole = contents(found).items() <= content.items()
                    if os.path.exists(found) and name != "train" and not is_whole:
                        wrong = f"{path} is there and not whole"
                outcomes["finished" if all(os.path.exists(os.path.join(folder, path)) for path in outputs) and name != "train" else "killed"] += 1
                code, _, err = run(command, folder, limited=False)
                if code != 0 and b"already" not in err:
                    wrong = wrong or f"another try fails: {err.decode()[:200]}"
                for path, content in expected.items():
                    if contents(os.path.join(folder, path)) != content:
                        wrong = wrong or f"{path} differs after another try"
                if wrong:
                    failed += 1
                    outcomes["WRONG"] += 1
                    keep("kill", folder, f"{name}: {wrong}")
                    print(f"{name}: {wrong}", file=sys.stderr)
                shutil.rmtree(folder, ignore_errors=True)
            print_row(name, outcomes)
            shutil.rmtree(whole, ignore_errors=True)
    return failed


def contents(path):
    """A file or a folder as comparable data, without times."""
    if os.path.isfile(path):
        with open(path, "rb") as file:
            return without_place(file.read())
    found = {}
    for where, _, names in os.walk(path):
        for name in sorted(names):
            # Temporary files have random names; logs and their page contain times.
            if name.startswith(".acidtest-") or name in ("log.jsonl", "training.html"):
                continue
            with open(os.path.join(where, name), "rb") as file:
                content = file.read()
            if name == "model.json":
                content = json.dumps({key: value for key, value in json.loads(content).items() if key not in ("seconds", "hash")}).encode()
            found[os.path.relpath(os.path.join(where, name), path)] = content
    return found


def print_row(name, outcomes):
    print(f"{name:32}" + "  ".join(f"{what} {outcomes[what]:,}" for what in sorted(outcomes)), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("test", choices=["flips", "fuzz", "kills"])
    parser.add_argument("number", type=int, help="flips for each kind of file, seconds of fuzzing, or kills of each command")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    failed = {"flips": flips, "fuzz": fuzz, "kills": kills}[given.test](given.number, given.seed)
    print(f"{failed} went wrong" if failed else "nothing went wrong")
    sys.exit(1 if failed else 0)


main()
