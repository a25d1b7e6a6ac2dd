"""Compares the speed of a transformer's f32 scoring with onnxruntime, OpenVINO and PyTorch, and of fine-tuning with PyTorch.

    cargo build --release -p acidtest-transformers --example transformer_speed
    python bench/transformer_speed.py FOLDER [--train | --precision bf16 | int8] [--rounds 9] [--threads 2] [--pairs 384] [--peers-only] [--data FOLDER] [--binary FILE]

FOLDER is a model as bench/transformer_models.py writes it. All sides get the token ids of 384 SNLI dev pairs, taken
evenly over the file, in batches of 32, once sorted by length and once in file order. The peers pad each batch to its longest pair, before
the time is taken, and never run more threads than we do. Each side is a process of its own; rounds alternate between them.
The ratio is our median over that of the fastest peer. `logits` is the largest difference from PyTorch's logits, memory the
peak of the process (the peers' include Python), the share of peak is useful work: 2 * layers * (4 h^2 + 2 h f) a token and
4 * layers * h * length^2 a pair, three times that in training; padding does not count.

With `--precision bf16` or `int8` our side computes in that precision and the peers in f32; how many predictions are those of our f32 is printed too.

The program under test is started once, as `transformer_speed FOLDER IDS_FILE ROUNDS THREADS`, with the word `train`, `bf16`
or `int8` in front for these modes. It reads commands from stdin, one a line, and answers each with one
line on stdout; it ends at the end of stdin. ROUNDS is how often each kind of round will be asked for, a warm-up included.

    sorted    score all pairs in batches of 32 after sorting them by length: seconds
    file      score all pairs in batches of 32 in file order: seconds
    train     (only after `train`) a pass of fine-tuning over the batches that `sorted` has: forward with the dropout of
              config.json, backward, AdamW (rate 2e-5, weight decay 0.01) for every batch: seconds
    logits    the logits of all pairs in file order, as a JSON list of lists
    agreement (only after `bf16` or `int8`) how many pairs have the predictions of f32
    peak      the f32 multiply-add peak of THREADS threads, in operations a second (an addition and a product are two), or -

IDS_FILE is JSON: {"pairs": [{"ids": [101, ...], "type_ids": [0, ...], "label": 0}, ...], "batch": 32}; `type_ids` is null
if the model takes none, `label` is the index of the gold label in the model's own order.
"""

import argparse
import gzip
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
BATCH, PAUSE = 32, 0.3
PEERS = {"score": ["onnxruntime", "openvino", "torch"], "train": ["torch"]}


def main():
    arguments = parsed_arguments()
    if arguments.peer:
        serve(arguments)
        return
    kinds = ["train"] if arguments.train else ["sorted", "file"]
    with tempfile.TemporaryDirectory() as scratch:
        ids_file = pathlib.Path(scratch) / "ids.json"
        work = snli_pairs(arguments)
        ids_file.write_text(json.dumps(work))
        graph = pathlib.Path(scratch) / "model.onnx"
        if not arguments.train:
            export(arguments.folder, work, graph)
        sides = {name: Side(peer_command(arguments, name, ids_file, graph)) for name in PEERS["train" if arguments.train else "score"]}
        if not arguments.peers_only:
            mode = ["train"] if arguments.train else [arguments.precision] if arguments.precision != "f32" else []
            numbers = [str(arguments.rounds + 1), str(arguments.threads)]
            sides["here"] = Side([arguments.binary, *mode, arguments.folder, str(ids_file), *numbers])
        report(arguments, kinds, work, sides)


def report(arguments, kinds, work, sides):
    lengths = [len(pair["ids"]) for pair in work["pairs"]]
    print(f"{len(lengths)} pairs of {statistics.mean(lengths):.1f} tokens on average, at most {max(lengths)}; {arguments.threads} threads; ", end="")
    print(f"{arguments.rounds} rounds; load {os.getloadavg()[0]:.2f}")
    if not arguments.train:
        padded = {kind: sum(max(row) * len(row) for row in batches(lengths, kind)) / sum(lengths) for kind in kinds}
        print("padded tokens over tokens: " + ", ".join(f"{kind} {factor:.2f}" for kind, factor in padded.items()))
    seconds = {name: {kind: [] for kind in kinds} for name in sides}
    for attempt in range(arguments.rounds + 1):
        for kind in kinds:
            for name, side in sides.items():
                taken = float(side.ask(kind))
                if attempt:
                    seconds[name][kind].append(taken)
                # Threads that are still spinning must not slow down the next side.
                time.sleep(PAUSE)
    rates = {name: {kind: sorted(len(lengths) / taken for taken in times) for kind, times in own.items()} for name, own in seconds.items()}
    reference = None if arguments.train else logits_of(sides["torch"])
    peak = sides["here"].ask("peak") if "here" in sides else "-"
    print(f"{'pairs/s':<12}" + "".join(f"{kind + ' median':>15}{'range':>14}" for kind in kinds) + f"{'memory, MB':>12}{'logits':>10}")
    for name, side in sides.items():
        cells = [f"{statistics.median(rates[name][kind]):15.1f}{rates[name][kind][0]:8.0f}-{rates[name][kind][-1]:.0f}" for kind in kinds]
        difference = "" if reference is None else f"{furthest(reference, logits_of(side)):10.1e}"
        print(f"{name:<12}" + "".join(f"{cell:<29}" for cell in cells) + f"{side.memory() / 1e6:12.0f}{difference}")
    for kind in kinds if "here" in sides else []:
        ours = statistics.median(rates["here"][kind])
        best = max((name for name in sides if name != "here"), key=lambda name: statistics.median(rates[name][kind]))
        line = f"{kind}: {ours / statistics.median(rates[best][kind]):.2f} times {best}"
        if peak != "-":
            work_done = operations(arguments.folder, lengths) * (3 if arguments.train else 1) * ours / len(lengths)
            line += f", {work_done / float(peak):.0%} of the f32 peak of {float(peak) / 1e9:.0f} billion operations a second"
        print(line)
        if best != "onnxruntime" and "onnxruntime" in sides:
            print(f"{kind}: {ours / statistics.median(rates['onnxruntime'][kind]):.2f} times onnxruntime")
    if arguments.precision != "f32" and "here" in sides:
        print(f"{sides['here'].ask('agreement')} of {len(lengths)} predictions are those of f32")
    print(f"load afterwards {os.getloadavg()[0]:.2f}")


def parsed_arguments():
    target = os.environ.get("CARGO_TARGET_DIR", str(ROOT / "target"))
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder")
    parser.add_argument("--train", action="store_true")
    parser.add_argument("--precision", choices=["f32", "bf16", "int8"], default="f32", help="of our side; the peers compute in f32")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--pairs", type=int, default=384)
    parser.add_argument("--peers-only", action="store_true", help="without the program under test")
    parser.add_argument("--data", default=os.environ.get("ACIDTEST_DATA", str(ROOT.parent / "shared" / "data")))
    parser.add_argument("--binary", default=f"{target}/release/examples/transformer_speed")
    parser.add_argument("--peer", help=argparse.SUPPRESS)
    parser.add_argument("--ids-file", help=argparse.SUPPRESS)
    parser.add_argument("--graph", help=argparse.SUPPRESS)
    return parser.parse_args()


def snli_pairs(arguments):
    import tokenizers

    folder = pathlib.Path(arguments.folder)
    config = json.loads((folder / "config.json").read_text())
    labels = {label.lower(): int(i) for i, label in config["id2label"].items()}
    tokenizer = tokenizers.Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    has_types = config.get("type_vocab_size", 0) > 1
    with gzip.open(pathlib.Path(arguments.data) / "snli/snli_1.0_dev_text.jsonl.gz", "rt", encoding="utf-8") as lines:
        rows = [row for row in map(json.loads, lines) if row["label"] in labels]
    pairs = []
    for row in (rows[i * len(rows) // arguments.pairs] for i in range(arguments.pairs)):
        encoding = tokenizer.encode(row["premise"], row["hypothesis"])
        types = encoding.type_ids if has_types else None
        pairs.append({"ids": encoding.ids, "type_ids": types, "label": labels[row["label"]]})
    return {"pairs": pairs, "batch": BATCH}


def batches(rows, kind, length=lambda row: row):
    ordered = rows if kind == "file" else sorted(rows, key=length)
    return [ordered[start : start + BATCH] for start in range(0, len(ordered), BATCH)]


def operations(folder, lengths):
    config = json.loads((pathlib.Path(folder) / "config.json").read_text())
    read = lambda *names: next(config[name] for name in names if name in config)
    layers, hidden = read("num_hidden_layers", "n_layers"), read("hidden_size", "dim")
    inner = read("intermediate_size", "hidden_dim")
    token = 2 * layers * (4 * hidden * hidden + 2 * hidden * inner)
    return sum(token * length + 4 * layers * hidden * length * length for length in lengths)


def furthest(reference, logits):
    return max(abs(a - b) for one, other in zip(reference, logits) for a, b in zip(one, other))


def logits_of(side):
    return json.loads(side.ask("logits"))


class Side:
    """A process that answers commands, line by line."""

    def __init__(self, command):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, command):
        self.process.stdin.write(command + "\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline().strip()
        if not answer:
            raise SystemExit(f"{self.process.args} gave no answer to `{command}`")
        return answer

    def memory(self):
        lines = pathlib.Path(f"/proc/{self.process.pid}/status").read_text().splitlines()
        return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("VmHWM"))


def peer_command(arguments, name, ids_file, graph):
    own = [arguments.folder, "--peer", name, "--ids-file", str(ids_file), "--graph", str(graph), "--threads", str(arguments.threads)]
    return [sys.executable, __file__, *own, *(["--train"] if arguments.train else [])]


def serve(arguments):
    """The side of a peer."""
    work = json.loads(pathlib.Path(arguments.ids_file).read_text())
    peer = {"onnxruntime": OnnxRuntime, "openvino": OpenVino, "torch": Torch}[arguments.peer](arguments)
    kinds = ["sorted"] if arguments.train else ["sorted", "file"]
    inputs = {kind: [peer.prepared(rows) for rows in batches(work["pairs"], kind, lambda pair: len(pair["ids"]))] for kind in kinds}
    for command in sys.stdin:
        command = command.strip()
        if command == "logits":
            print(json.dumps([row for batch in inputs["file"] for row in peer.score(batch).tolist()]), flush=True)
            continue
        run, rows = (peer.step, inputs["sorted"]) if command == "train" else (peer.score, inputs[command])
        start = time.perf_counter()
        for batch in rows:
            run(batch)
        print(time.perf_counter() - start, flush=True)


def padded(rows):
    """Input names to matrices of 64-bit numbers, padded to the longest pair of the batch."""
    import numpy

    longest = max(len(row["ids"]) for row in rows)
    columns = {"input_ids": [row["ids"] for row in rows], "attention_mask": [[1] * len(row["ids"]) for row in rows]}
    if rows[0]["type_ids"] is not None:
        columns["token_type_ids"] = [row["type_ids"] for row in rows]
    return {name: numpy.array([own + [0] * (longest - len(own)) for own in column], dtype=numpy.int64) for name, column in columns.items()}


class OnnxRuntime:
    def __init__(self, arguments):
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads, options.inter_op_num_threads = arguments.threads, 1
        self.session = onnxruntime.InferenceSession(arguments.graph, options, providers=["CPUExecutionProvider"])
        self.names = [put.name for put in self.session.get_inputs()]

    def prepared(self, rows):
        columns = padded(rows)
        return {name: columns[name] for name in self.names}

    def score(self, batch):
        return self.session.run(None, batch)[0]


class OpenVino:
    def __init__(self, arguments):
        import openvino

        settings = {"INFERENCE_NUM_THREADS": arguments.threads, "PERFORMANCE_HINT": "LATENCY", "INFERENCE_PRECISION_HINT": "f32"}
        # Two threads of one core count as two, as they do for the others.
        settings |= {"ENABLE_HYPER_THREADING": True}
        self.model = openvino.Core().compile_model(arguments.graph, "CPU", settings)
        self.request = self.model.create_infer_request()
        self.names = [put.get_any_name() for put in self.model.inputs]

    def prepared(self, rows):
        columns = padded(rows)
        return {name: columns[name] for name in self.names}

    def score(self, batch):
        return self.request.infer(batch, share_inputs=True)[0]


class Torch:
    def __init__(self, arguments):
        import torch
        from transformers import AutoModelForSequenceClassification

        torch.set_num_threads(arguments.threads)
        torch.manual_seed(1)
        self.model = AutoModelForSequenceClassification.from_pretrained(arguments.folder, dtype=torch.float32)
        self.model.train(arguments.train)
        self.optimiser = torch.optim.AdamW(self.model.parameters(), lr=2e-5, weight_decay=0.01, fused=True) if arguments.train else None

    def prepared(self, rows):
        import torch

        columns = {name: torch.from_numpy(column) for name, column in padded(rows).items()}
        if self.optimiser:
            columns["labels"] = torch.tensor([row["label"] for row in rows])
        return columns

    def score(self, batch):
        import torch

        with torch.inference_mode():
            return self.model(**batch).logits

    def step(self, batch):
        self.optimiser.zero_grad(set_to_none=True)
        self.model(**batch).loss.backward()
        self.optimiser.step()


def export(folder, work, graph):
    """In a process of its own, so that this one stays small and idle."""
    code = (
        "import sys, json, torch; sys.path.insert(0, sys.argv[4]); import transformer_speed as speed\n"
        "from transformers import AutoModelForSequenceClassification as Auto\n"
        "model = Auto.from_pretrained(sys.argv[1], dtype=torch.float32, attn_implementation='eager').eval()\n"
        "model.config.return_dict = False\n"
        "rows = json.load(open(sys.argv[2]))['pairs'][:3]\n"
        "columns = {name: torch.from_numpy(column) for name, column in speed.padded(rows).items()}\n"
        "free = {name: {0: 'batch', 1: 'length'} for name in columns}\n"
        "torch.onnx.export(model, kwargs=columns, f=sys.argv[3], input_names=list(columns), output_names=['logits'],\n"
        "                  dynamic_axes=free | {'logits': {0: 'batch'}}, opset_version=17, dynamo=False)\n"
    )
    ids = graph.parent / "ids.json"
    command = [sys.executable, "-W", "ignore", "-c", code, folder, str(ids), str(graph), str(pathlib.Path(__file__).parent)]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


if __name__ == "__main__":
    main()
