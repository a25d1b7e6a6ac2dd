"""Makes the golden folders: tiny random transformers with PyTorch's results for them.

    python make_golden.py [CASE ...]

Each case is a Hugging Face folder for sequence classification (config.json, model.safetensors, tokenizer.json,
tokenizer_config.json) and golden.json:

    versions      of torch, transformers and tokenizers
    length        min(model_max_length, usable positions), to which longer pairs are truncated, longest text first
    pairs         premise, hypothesis, ids, type_ids (null if the tokenizer gives none), whether it was truncated,
                  logits (the pair alone, without padding), and for some pairs `hidden`: the state of the first token
                  after the embeddings and after every layer (BART: of the encoder; `decoder_hidden`: of the last token)
    training      batch (numbers of the pairs), labels, loss and gradient_norms of that batch (mean cross entropy, no
                  dropout), a few whole gradients (flat), learning_rate, betas, epsilon, weight_decay, no_decay (names
                  that are not decayed), and the losses before each of ten steps of AdamW on the same batch

The variants (variants.py) change one thing each of the case `bert` or `roberta`. The tests need no PyTorch.
"""

import json
import pathlib
import shutil
import sys

import tiny_tokenizers as tiny
import tokenizers
import torch
import transformers
from safetensors.torch import load_file
from transformers import AutoConfig, AutoModelForSequenceClassification, AutoTokenizer

HERE = pathlib.Path(__file__).parent
VERSIONS = {"torch": torch.__version__.split("+")[0], "transformers": transformers.__version__, "tokenizers": tokenizers.__version__}
ADAM = {"learning_rate": 1e-3, "betas": [0.9, 0.999], "epsilon": 1e-8, "weight_decay": 0.01}

LONG = "The man on the street is not at the cafe, and the dog is sleeping at no cafe, not on a guitar-player's street. "
PAIRS = [
    ("A man is playing a guitar.", "The man is not sleeping."),
    ("A woman is on the street.", ""),
    (LONG + LONG + LONG, "The dog sleeps."),
    (LONG + LONG, "No. " + LONG + LONG),
    ("A man [SEP] is on </s> the street.", "The man is </s> on [SEP] a street."),
    ("Der Hund schläft im Café – 猫も。", "The dog sleeps at a café ½ 🎸."),
    ("No.", "Sleep " + "z" * 101 + "?"),
    ("Is the dog playing, or  is the woman\tplaying?", "The players' dog is sleeping."),
]
TRACED = [0, 3]

E, N, C = "entailment", "neutral", "contradiction"
ENC, CNE, CEN, NEC = [E, N, C], [C, N, E], [C, E, N], [N, E, C]
UNLIMITED = int(1e30)
SIZE = {"hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 24}
DROPOUT = {"hidden_dropout_prob": 0.0, "attention_probs_dropout_prob": 0.0}
BERT = SIZE | DROPOUT | {"max_position_embeddings": 64}
ROBERTA = SIZE | DROPOUT | {"max_position_embeddings": 66, "layer_norm_eps": 1e-5, "type_vocab_size": 1}
ROBERTA_IDS = {"bos_token_id": 0, "pad_token_id": 1, "eos_token_id": 2}
DEBERTA = BERT | {
    "hidden_size": 12,
    "num_attention_heads": 3,
    "type_vocab_size": 0,
    "position_biased_input": False,
    "relative_attention": True,
    "max_relative_positions": -1,
    "position_buckets": 8,
    "norm_rel_ebd": "layer_norm",
    "layer_norm_eps": 1e-7,
    "pooler_hidden_act": "gelu",
    "pooler_dropout": 0,
    "pooler_hidden_size": 12,
}
MODERNBERT = {
    "hidden_size": 12,
    "num_hidden_layers": 4,
    "num_attention_heads": 3,
    "intermediate_size": 14,
    "max_position_embeddings": 64,
    "local_attention": 16,
    "bos_token_id": 2,
    "cls_token_id": 2,
    "eos_token_id": 3,
    "sep_token_id": 3,
    "pad_token_id": 0,
}
BART = {
    "d_model": 12,
    "encoder_layers": 2,
    "decoder_layers": 2,
    "encoder_attention_heads": 3,
    "decoder_attention_heads": 2,
    "encoder_ffn_dim": 18,
    "decoder_ffn_dim": 20,
    "max_position_embeddings": 64,
    "dropout": 0.0,
    "decoder_start_token_id": 2,
    "forced_eos_token_id": 2,
}
# Per case: model_type, settings, tokenizer, its class, model_max_length, usable positions, labels.
CASES = {
    "bert": ("bert", BERT, tiny.bert, "BertTokenizer", 64, 64, ENC),
    "distilbert": (
        "distilbert",
        {"dim": 16, "n_layers": 2, "n_heads": 2, "hidden_dim": 20, "max_position_embeddings": 64, "dropout": 0.0}
        | {"attention_dropout": 0.0, "seq_classif_dropout": 0.0},
        tiny.bert,
        "DistilBertTokenizer",
        48,
        64,
        CEN,
    ),
    "roberta": ("roberta", ROBERTA | ROBERTA_IDS, tiny.roberta, "RobertaTokenizer", UNLIMITED, 64, CNE),
    "xlm-roberta": ("xlm-roberta", ROBERTA | ROBERTA_IDS, tiny.xlm_roberta, "XLMRobertaTokenizer", 64, 64, NEC),
    "electra": ("electra", BERT | {"embedding_size": 8}, tiny.bert, "ElectraTokenizer", 64, 64, [C.upper(), N.upper(), E.upper()]),
    "albert": (
        "albert",
        BERT | {"embedding_size": 8, "num_hidden_layers": 3, "num_hidden_groups": 1, "inner_group_num": 1}
        | {"classifier_dropout_prob": 0.0, "bos_token_id": 2, "eos_token_id": 3, "pad_token_id": 0},
        tiny.albert,
        "AlbertTokenizer",
        64,
        64,
        [E.title(), N.title(), C.title()],
    ),
    "mpnet": (
        "mpnet",
        SIZE | DROPOUT | ROBERTA_IDS | {"max_position_embeddings": 66, "layer_norm_eps": 1e-5},
        tiny.mpnet,
        "MPNetTokenizer",
        64,
        64,
        CEN,
    ),
    "deberta-v3": (
        "deberta-v2",
        DEBERTA | {"share_att_key": True, "pos_att_type": "p2c|c2p"},
        tiny.deberta,
        "DebertaV2Tokenizer",
        UNLIMITED,
        64,
        ENC,
    ),
    "deberta-v2": (
        "deberta-v2",
        DEBERTA | {"share_att_key": False, "pos_att_type": ["c2p", "p2c"], "conv_kernel_size": 3, "conv_act": "gelu"},
        tiny.deberta,
        "DebertaV2Tokenizer",
        64,
        64,
        CNE,
    ),
    "modernbert": ("modernbert", MODERNBERT | {"classifier_pooling": "cls"}, tiny.modernbert, "PreTrainedTokenizerFast", 64, 64, NEC),
    "modernbert-mean": (
        "modernbert",
        MODERNBERT | {"classifier_pooling": "mean"},
        tiny.modernbert,
        "PreTrainedTokenizerFast",
        64,
        64,
        ENC,
    ),
    "bart": ("bart", BART | ROBERTA_IDS, tiny.roberta, "BartTokenizer", 64, 64, CNE),
}


def main(names):
    for name in names or CASES:
        folder = HERE / name
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        model, tokenizer, length = make(folder, *CASES[name])
        pairs, inputs = forward(model, tokenizer, length, PAIRS)
        golden = {"versions": VERSIONS, "length": length, "pairs": pairs, "training": training(model, tokenizer, inputs)}
        write_json(folder / "golden.json", golden)
        size = sum(file.stat().st_size for file in folder.iterdir())
        print(name, size, "bytes, losses", [round(loss, 4) for loss in golden["training"]["losses"]])
    if not names:
        import variants

        variants.main()


def make(folder, model_type, settings, build, tokenizer_class, longest, usable, labels):
    tokenizer = build()
    tokenizer.save(str(folder / "tokenizer.json"), pretty=False)
    names = tiny.names_of(tokenizer)
    write_json(folder / "tokenizer_config.json", tokenizer_settings(tokenizer_class, names, longest))
    settings = {"pad_token_id": tokenizer.token_to_id(names["pad_token"])} | settings
    label_names = {"id2label": dict(enumerate(labels)), "label2id": {label: i for i, label in enumerate(labels)}}
    config = AutoConfig.for_model(model_type, vocab_size=tokenizer.get_vocab_size(), **settings, **label_names)
    random_model(config).save_pretrained(folder)
    if folder.name == "modernbert-mean":
        as_in_transformers_4(folder / "config.json")
    if folder.name == "deberta-v3":
        # As in released files; transformers 5 writes a list.
        replace_setting(folder / "config.json", "pos_att_type", settings["pos_att_type"])
    (folder / "model.safetensors").chmod(0o644)
    model = load(folder)
    assert {name for name, _ in model.named_parameters()} == set(load_file(folder / "model.safetensors")), "names change on saving"
    loaded = AutoTokenizer.from_pretrained(folder)
    length = min(loaded.model_max_length, usable)
    same_as_the_file(folder, loaded, length)
    return model, loaded, length


def tokenizer_settings(tokenizer_class, names, longest):
    settings = {"tokenizer_class": tokenizer_class, "model_max_length": longest, **names}
    if tokenizer_class in ("BertTokenizer", "DistilBertTokenizer", "ElectraTokenizer", "MPNetTokenizer"):
        settings["do_lower_case"] = True
    if tokenizer_class == "PreTrainedTokenizerFast":
        settings["model_input_names"] = ["input_ids", "attention_mask"]
    if tokenizer_class == "AlbertTokenizer":
        # transformers 5 gives it no type ids unless it is told to; transformers 4 did, and so do the template of the released files
        # and the training of the released models.
        settings["model_input_names"] = ["input_ids", "token_type_ids", "attention_mask"]
    return settings


def random_model(config):
    """Weights large enough that an error in any of them shows in the logits."""
    torch.manual_seed(7)
    model = AutoModelForSequenceClassification.from_config(config, attn_implementation="eager", dtype=torch.float32)
    with torch.no_grad():
        for name, module in model.named_modules():
            for own, parameter in module.named_parameters(recurse=False):
                if isinstance(module, torch.nn.LayerNorm) and own == "weight":
                    parameter.uniform_(0.6, 1.4)
                elif own == "bias":
                    parameter.uniform_(-0.4, 0.4)
                elif isinstance(module, torch.nn.Embedding):
                    parameter.normal_(0, 0.6)
                else:
                    parameter.normal_(0, 0.4 if "layer" in name else 0.8)
    return model


def load(folder):
    model = AutoModelForSequenceClassification.from_pretrained(folder, attn_implementation="eager", dtype=torch.float32)
    return model.eval()


def replace_setting(path, key, value):
    path.write_text(json.dumps(json.loads(path.read_text()) | {key: value}, indent=2, sort_keys=True) + "\n")


def as_in_transformers_4(path):
    """Rotary settings under the names that released ModernBERT files use."""
    config = json.loads(path.read_text())
    rope = config.pop("rope_parameters")
    del config["layer_types"]
    config["global_rope_theta"] = rope["full_attention"]["rope_theta"]
    config["local_rope_theta"] = rope["sliding_attention"]["rope_theta"]
    config["global_attn_every_n_layers"] = 3
    config["torch_dtype"] = config.pop("dtype")
    config["transformers_version"] = "4.57.0"
    path.write_text(json.dumps(config, indent=2, sort_keys=True) + "\n")


def same_as_the_file(folder, loaded, length):
    """transformers 5 rebuilds most tokenizers by class: the golden ids must also be those of the file itself."""
    direct = tokenizers.Tokenizer.from_file(str(folder / "tokenizer.json"))
    direct.no_padding()
    direct.enable_truncation(length, strategy="longest_first")
    for premise, hypothesis in PAIRS:
        ids = encoded(loaded, length, premise, hypothesis)["input_ids"]
        expected = direct.encode(premise, hypothesis).ids
        assert ids == expected, (folder.name, premise, ids, expected)


def encoded(tokenizer, length, premise, hypothesis):
    # As a list of one, because `tokenizer(premise, "")` leaves an empty hypothesis and its separator out.
    rows = tokenizer([premise], [hypothesis], truncation=True, max_length=length, padding=False)
    return {name: row[0] for name, row in rows.items()}


def forward(model, tokenizer, length, pairs):
    inputs = [encoded(tokenizer, length, *pair) for pair in pairs]
    entries = []
    for i, ((premise, hypothesis), single) in enumerate(zip(pairs, inputs)):
        whole = tokenizer([premise], [hypothesis], truncation=False, padding=False, verbose=False)["input_ids"][0]
        entry = {"premise": premise, "hypothesis": hypothesis, "ids": single["input_ids"]}
        entry |= {"type_ids": single.get("token_type_ids"), "truncated": len(whole) > len(single["input_ids"])}
        with torch.no_grad():
            output = model(**tensors(tokenizer, [single]), output_hidden_states=True)
        entry["logits"] = numbers(output.logits[0])
        if i in TRACED:
            entry |= states(output)
        entries.append(entry)
    assert any(entry["truncated"] for entry in entries)
    spread = torch.tensor([entry["logits"] for entry in entries]).std(0)
    assert spread.min() > 0.05, ("the pairs have nearly the same logits", spread)
    return entries, inputs


def tensors(tokenizer, inputs):
    return dict(tokenizer.pad(inputs, return_tensors="pt"))


def states(output):
    if "encoder_hidden_states" in output:
        return {
            "hidden": [numbers(state[0, 0]) for state in output.encoder_hidden_states],
            "decoder_hidden": [numbers(state[0, -1]) for state in output.decoder_hidden_states],
        }
    return {"hidden": [numbers(state[0, 0]) for state in output.hidden_states]}


def training(model, tokenizer, inputs):
    batch = list(range(len(inputs)))
    if model.config.model_type == "bart":
        # transformers refuses batches whose rows have different numbers of </s>.
        ends = [single["input_ids"].count(model.config.eos_token_id) for single in inputs]
        batch = [i for i in batch if ends[i] == ends[0]]
    labels = [i % model.config.num_labels for i in batch]
    rows = tensors(tokenizer, [inputs[i] for i in batch]) | {"labels": torch.tensor(labels)}
    model.train()
    loss = model(**rows).loss
    loss.backward()
    gradients = {name: numbers_or_none(parameter) for name, parameter in model.named_parameters()}
    norms = {name: 0.0 if p.grad is None else rounded(p.grad.norm().item()) for name, p in model.named_parameters()}
    whole = {name: gradients[name] for name in chosen(model)}
    skipped = no_decay(model)
    losses = ten_losses(model, rows, skipped)
    return {
        "batch": batch,
        "labels": labels,
        "loss": rounded(loss.item()),
        "gradient_norms": norms,
        "gradients": whole,
        **ADAM,
        "no_decay": sorted(skipped),
        "losses": losses,
    }


def chosen(model):
    """Parameters whose whole gradient is kept: small ones of every kind, from the embeddings to the head."""
    parts = ("position_embeddings.weight", "token_type_embeddings.weight", "rel_embeddings.weight", "relative_attention_bias.weight")
    parts += ("key.weight", "key_proj.weight", "attn.k.weight", "k_lin.weight", "Wqkv.weight", "k_proj.weight", "pos_query_proj.weight")
    parts += ("conv.weight", "conv.conv.weight", "embeddings_project.weight", "embedding_hidden_mapping_in.weight")
    kept = {}
    for name, parameter in model.named_parameters():
        kind = next((part for part in parts if name.endswith(part)), None)
        if kind and parameter.numel() <= 600:
            kept.setdefault(kind, name)
    first_norm = next(name for name, module in model.named_modules() if isinstance(module, torch.nn.LayerNorm))
    heads = ("classifier", "classification_head")
    head = min((p.numel(), name) for name, p in model.named_parameters() if name.startswith(heads) and p.dim() == 2)[1]
    return sorted({*kept.values(), first_norm + ".weight", head})


def no_decay(model):
    norms = {f"{name}.weight" for name, module in model.named_modules() if isinstance(module, torch.nn.LayerNorm)}
    return {name for name, _ in model.named_parameters() if name in norms or "bias" in name}


def ten_losses(model, rows, skipped):
    groups = [
        {"params": [p for name, p in model.named_parameters() if name not in skipped], "weight_decay": ADAM["weight_decay"]},
        {"params": [p for name, p in model.named_parameters() if name in skipped], "weight_decay": 0.0},
    ]
    optimiser = torch.optim.AdamW(groups, lr=ADAM["learning_rate"], betas=ADAM["betas"], eps=ADAM["epsilon"])
    losses = []
    for _ in range(10):
        optimiser.zero_grad()
        loss = model(**rows).loss
        losses.append(rounded(loss.item()))
        loss.backward()
        optimiser.step()
    return losses


def numbers_or_none(parameter):
    return None if parameter.grad is None else numbers(parameter.grad.flatten())


def numbers(tensor):
    return [rounded(number) for number in tensor.tolist()]


def rounded(number):
    """Eight digits: enough for f32."""
    return float(f"{number:.8g}")


def write_json(path, value):
    """One line a key, one line a pair, so that differences can be read."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    if "pairs" in value:
        parts = [f'"{key}":{json.dumps(part, ensure_ascii=False, separators=(",", ":"))}' for key, part in value.items() if key != "pairs"]
        pairs = ",\n".join(json.dumps(pair, ensure_ascii=False, separators=(",", ":")) for pair in value["pairs"])
        text = "{" + ",\n".join([*parts, f'"pairs":[\n{pairs}]']) + "}"
    path.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
