"""Tiny tokenizers of the kinds that the architectures use, as tokenizer.json with the right template and segment ids."""

from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, processors

WORDS = ["a", "man", "is", "play", "guitar", "the", "not", "sleep", "woman", "dog", "on", "street", "cafe", "at", "no"]
ENDINGS = ["##ing", "##s", "##er", "##y", "##n"]
SIGNS = [".", ",", "?", "-", "/", "<", ">", "s"]
MERGES = ["Ġ t", "Ġ a", "h e", "i n", "Ġt he", "in g", "m an", "Ġ man", "Ġ is", "i s", "o n", "Ġ n", "Ġn o"]
PIECES = ["▁", "▁a", "▁man", "▁is", "▁play", "ing", "▁the", "▁not", "▁sleep", "s", ".", ",", "er", "▁woman", "▁dog", "▁on"]
LETTERS = list("aeinorstlhdmcpguy")

BERT = {"padding": "[PAD]", "unknown": "[UNK]", "first": "[CLS]", "separator": "[SEP]", "mask": "[MASK]"}
ROBERTA = {"padding": "<pad>", "unknown": "<unk>", "first": "<s>", "separator": "</s>", "mask": "<mask>"}
MPNET = ROBERTA | {"unknown": "[UNK]"}


def word_piece(names, order):
    """Lower-cased WordPiece; `order` gives the special tokens in the order of their ids."""
    vocabulary = [names[name] for name in order] + SIGNS + WORDS + ENDINGS
    model = models.WordPiece({token: i for i, token in enumerate(vocabulary)}, unk_token=names["unknown"])
    tokenizer = Tokenizer(model)
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.decoder = decoders.WordPiece()
    return with_special(tokenizer, names)


def byte_pairs(names, order):
    """Byte-level BPE: every byte is in the vocabulary, so nothing is unknown."""
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    merged = [merge.replace(" ", "") for merge in sorted(set(MERGES), key=MERGES.index)]
    last = [names["mask"]]
    vocabulary = [names[name] for name in order if name != "mask"] + alphabet + merged + last
    pairs = [tuple(merge.split(" ")) for merge in MERGES if all(part in vocabulary for part in merge.split(" "))]
    tokenizer = Tokenizer(models.BPE({token: i for i, token in enumerate(vocabulary)}, pairs))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    return with_special(tokenizer, names)


def unigram(names, order, normalizer, pre_tokenizer):
    """Unigram with the mask as the last token."""
    pieces = [(names[name], 0.0) for name in order if name != "mask"]
    pieces += [(piece, -2.0 - 0.1 * i) for i, piece in enumerate(PIECES)]
    pieces += [(letter, -6.0 - 0.1 * i) for i, letter in enumerate(LETTERS) if letter != "s"]
    pieces += [(names["mask"], 0.0)]
    unknown = [piece for piece, _ in pieces].index(names["unknown"])
    tokenizer = Tokenizer(models.Unigram(pieces, unknown, False))
    tokenizer.normalizer = normalizer
    tokenizer.pre_tokenizer = pre_tokenizer
    tokenizer.decoder = decoders.Metaspace()
    return with_special(tokenizer, names)


def with_special(tokenizer, names):
    mask = AddedToken(names["mask"], lstrip=True, special=True)
    tokenizer.add_special_tokens([names[name] for name in ("padding", "unknown", "first", "separator")] + [mask])
    return tokenizer


def special(tokenizer, names):
    return [(names[name], tokenizer.token_to_id(names[name])) for name in ("first", "separator")]


def segments(tokenizer, names):
    """[CLS] a [SEP] b [SEP], the second text being segment 1."""
    first, separator = names["first"], names["separator"]
    tokenizer.post_processor = processors.TemplateProcessing(
        single=f"{first}:0 $A:0 {separator}:0",
        pair=f"{first}:0 $A:0 {separator}:0 $B:1 {separator}:1",
        special_tokens=special(tokenizer, names),
    )
    return tokenizer


def two_separators(tokenizer, names):
    """<s> a </s> </s> b </s>, as a template."""
    tokenizer.post_processor = processors.TemplateProcessing(
        single=["<s>", "$A", "</s>"],
        pair=["<s>", "$A", "</s>", "</s>", "$B", "</s>"],
        special_tokens=special(tokenizer, names),
    )
    return tokenizer


def roberta_processing(tokenizer, names):
    """The same by the processor that RoBERTa's files name."""
    first, separator = special(tokenizer, names)
    tokenizer.post_processor = processors.RobertaProcessing(separator, first, trim_offsets=True, add_prefix_space=False)
    return tokenizer


BERT_ORDER = ["padding", "unknown", "first", "separator", "mask"]
DEBERTA_ORDER = ["padding", "first", "separator", "unknown", "mask"]
ROBERTA_ORDER = ["first", "padding", "separator", "unknown", "mask"]


def bert():
    return segments(word_piece(BERT, BERT_ORDER), BERT)


def mpnet():
    tokenizer = two_separators(word_piece(MPNET, ROBERTA_ORDER), MPNET)
    # Released files ask for padding to 128 and truncate at it; both must be overridden.
    tokenizer.enable_padding(length=128, pad_id=1, pad_token="<pad>")
    tokenizer.enable_truncation(max_length=128)
    return tokenizer


def roberta():
    return roberta_processing(byte_pairs(ROBERTA, ROBERTA_ORDER), ROBERTA)


def modernbert():
    tokenizer = segments(byte_pairs(BERT, BERT_ORDER), BERT)
    tokenizer.normalizer = normalizers.NFC()
    return tokenizer


def xlm_roberta():
    spaces = pre_tokenizers.Sequence([pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Metaspace()])
    return two_separators(unigram(ROBERTA, ROBERTA_ORDER, None, spaces), ROBERTA)


def albert():
    quotes = [normalizers.Replace("``", '"'), normalizers.Replace("''", '"')]
    accents = [normalizers.NFKD(), normalizers.StripAccents(), normalizers.Lowercase()]
    normalizer = normalizers.Sequence([*quotes, *accents, normalizers.Replace(Regex(" {2,}"), " ")])
    spaces = pre_tokenizers.Sequence([pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Metaspace()])
    return segments(unigram({**BERT, "padding": "<pad>", "unknown": "<unk>"}, BERT_ORDER, normalizer, spaces), BERT)


def deberta():
    spaces = normalizers.Replace(Regex(r"\s{2,}|[\n\r\t]"), " ")
    normalizer = normalizers.Sequence([spaces, normalizers.NFC(), normalizers.Strip(left=False, right=True)])
    pieces = unigram(BERT, DEBERTA_ORDER, normalizer, pre_tokenizers.Sequence([pre_tokenizers.Metaspace()]))
    return segments(pieces, BERT)


def names_of(tokenizer):
    """The special tokens under the names of tokenizer_config.json."""
    kind = ROBERTA if tokenizer.token_to_id("<s>") is not None else BERT
    found = lambda *names: next(name for name in names if tokenizer.token_to_id(name) is not None)
    return {
        "pad_token": found(kind["padding"], "<pad>"),
        "unk_token": found("[UNK]", "<unk>"),
        "cls_token": kind["first"],
        "sep_token": kind["separator"],
        "mask_token": kind["mask"],
    }
