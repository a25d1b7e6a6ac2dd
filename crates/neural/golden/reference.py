"""The five models in PyTorch, with the padding and masks that frameworks require.

`make_golden.py` uses them for the results that the Rust networks are tested against; `bench/neural.py` compares their speed and
`bench/neural_accuracy.py` their accuracy.
"""

import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence


class Batch:
    """Padded ids and lengths of both sides, concatenated (premises first) and separate."""

    def __init__(self, premises, hypotheses, labels):
        self.pairs = len(premises)
        self.labels = torch.tensor(labels)
        self.sides = [padded(premises), padded(hypotheses)]
        self.joint = padded(premises + hypotheses)
        self.words = torch.tensor([word for sentence in premises + hypotheses for word in sentence])
        self.starts = self.joint[1].cumsum(0) - self.joint[1]


def padded(sentences):
    lengths = torch.tensor([len(sentence) for sentence in sentences])
    longest = int(lengths.max())
    ids = torch.tensor([list(sentence) + [0] * (longest - len(sentence)) for sentence in sentences], dtype=torch.long)
    mask = torch.arange(ids.shape[1])[None, :] < lengths[:, None]
    return ids, lengths, mask


class BiLstm(nn.Module):
    """`style`: "packed" sequences, which are exact, or "padded" ones, which are inexact for the backward direction but may be faster."""

    def __init__(self, inputs, hidden, style):
        super().__init__()
        self.lstm = nn.LSTM(inputs, hidden, batch_first=True, bidirectional=True)
        self.style = style
        for name, parameter in self.lstm.named_parameters():
            if name.startswith("bias_hh"):
                # One bias is enough: the second adds to it.
                nn.init.zeros_(parameter)
                parameter.requires_grad_(False)

    def forward(self, words, lengths):
        if self.style == "padded":
            return self.lstm(words)[0]
        packed = pack_padded_sequence(words, lengths, batch_first=True, enforce_sorted=False)
        return pad_packed_sequence(self.lstm(packed)[0], batch_first=True, total_length=words.shape[1])[0]


class BagOfWords(nn.Module):
    def __init__(self, inputs, hidden, style):
        super().__init__()
        self.layer = nn.Linear(inputs, 2 * hidden)

    def forward(self, words, lengths):
        return torch.relu(self.layer(words))


class Encoder(nn.Module):
    """Encodes both sides, with shared or separate weights."""

    def __init__(self, inputs, hidden, encoder, sharing, style):
        super().__init__()
        kind = BiLstm if encoder == "recurrent" else BagOfWords
        self.layers = nn.ModuleList([kind(inputs, hidden, style) for _ in range(1 if sharing == "shared" else 2)])

    def forward(self, sides, batch):
        if len(self.layers) == 2:
            return [layer(words, side[1]) for layer, words, side in zip(self.layers, sides, batch.sides)]
        # One call for both sides is faster than two calls.
        width = max(words.shape[1] for words in sides)
        joint = torch.cat([nn.functional.pad(words, (0, 0, 0, width - words.shape[1])) for words in sides])
        states = self.layers[0](joint, batch.joint[1])
        return [states[: batch.pairs, : sides[0].shape[1]], states[batch.pairs :, : sides[1].shape[1]]]


def mean(states, side):
    return (states * side[2][:, :, None]).sum(1) / side[1][:, None]


def maximum(states, side):
    return states.masked_fill(~side[2][:, :, None], float("-inf")).max(1).values


def total(states, side):
    return (states * side[2][:, :, None]).sum(1)


def align(keys, values, batch):
    """Aligns each word with the words of the other sentence."""
    scores = keys[0] @ keys[1].transpose(1, 2)
    masks = [side[2] for side in batch.sides]
    forward = scores.masked_fill(~masks[1][:, None, :], float("-inf")).softmax(2)
    backward = scores.transpose(1, 2).masked_fill(~masks[0][:, None, :], float("-inf")).softmax(2)
    return [forward @ values[1], backward @ values[0]]


class Classifier(nn.Module):
    def __init__(self, inputs, hidden, layers, activation, dropout):
        super().__init__()
        self.hidden = nn.ModuleList([nn.Linear(inputs if layer == 0 else hidden, hidden) for layer in range(layers)])
        self.output = nn.Linear(hidden if layers else inputs, 3)
        self.activation = getattr(torch, activation)
        self.dropout = nn.Dropout(dropout)

    def forward(self, features):
        for layer in self.hidden:
            features = self.dropout(self.activation(layer(features)))
        return self.output(features)


class Cbow(nn.Module):
    def __init__(self, inputs, style, hidden=300, layers=1, activation="tanh", dropout=0.1):
        super().__init__()
        self.classifier = Classifier(4 * inputs, hidden, layers, activation, dropout)

    def forward(self, words, batch):
        return self.compare(*(total(side_words, side) for side_words, side in zip(words, batch.sides)))

    def compare(self, p, h):
        return self.classifier(torch.cat([p, h, p - h, p * h], 1))


class BiLstmModel(nn.Module):
    def __init__(self, inputs, style, hidden=300, encoder="recurrent", encoders="separate", dropout=0.1):
        super().__init__()
        self.encoder = Encoder(inputs, hidden, encoder, encoders, style)
        self.classifier = Classifier(8 * hidden, hidden, 1, "tanh", dropout)

    def forward(self, words, batch):
        states = self.encoder(words, batch)
        p, h = (mean(side_states, side) for side_states, side in zip(states, batch.sides))
        return self.classifier(torch.cat([p, h, p - h, p * h], 1))


class InferSent(nn.Module):
    def __init__(self, inputs, style, hidden=300, encoder="recurrent", classifier=512, dropout=0.0):
        super().__init__()
        self.encoder = Encoder(inputs, hidden, encoder, "shared", style)
        self.classifier = Classifier(8 * hidden, classifier, 1, "tanh", dropout)

    def forward(self, words, batch):
        states = self.encoder(words, batch)
        p, h = (maximum(side_states, side) for side_states, side in zip(states, batch.sides))
        return self.classifier(torch.cat([p, h, (p - h).abs(), p * h], 1))


class FeedForward(nn.Module):
    def __init__(self, inputs, hidden, dropout):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(inputs, hidden), nn.Linear(hidden, hidden)])
        self.dropout = nn.Dropout(dropout)

    def forward(self, words):
        for layer in self.layers:
            words = torch.relu(layer(self.dropout(words)))
        return words


class Decomposable(nn.Module):
    FARTHEST = 10

    def __init__(self, inputs, style, hidden=200, intra_attention="absent", dropout=0.2):
        super().__init__()
        self.project = nn.Linear(inputs, hidden, bias=False)
        self.intra = None
        word = hidden
        if intra_attention == "present":
            self.intra = FeedForward(hidden, hidden, dropout)
            self.distances = nn.Parameter(torch.zeros(2 * (self.FARTHEST + 1) + 1))
            word = 2 * hidden
        self.attend = FeedForward(word, hidden, dropout)
        self.compare = FeedForward(2 * word, hidden, dropout)
        self.dropout = nn.Dropout(dropout)
        self.aggregate = Classifier(2 * hidden, hidden, 2, "relu", dropout)

    def own(self, words, side):
        keys = self.intra(words)
        places = torch.arange(words.shape[1])
        near = self.FARTHEST + 1
        distance = (places[None, :] - places[:, None]).clamp(-near, near) + near
        scores = keys @ keys.transpose(1, 2) + self.distances[distance]
        weights = scores.masked_fill(~side[2][:, None, :], float("-inf")).softmax(2)
        return torch.cat([words, weights @ words], 2)

    def forward(self, words, batch):
        words = [self.project(side) for side in words]
        if self.intra is not None:
            words = [self.own(side_words, side) for side_words, side in zip(words, batch.sides)]
        aligned = align([self.attend(side) for side in words], words, batch)
        compared = [self.compare(torch.cat(both, 2)) for both in zip(words, aligned)]
        sums = [total(side_words, side) for side_words, side in zip(compared, batch.sides)]
        return self.aggregate(self.dropout(torch.cat(sums, 1)))


class Esim(nn.Module):
    def __init__(self, inputs, style, hidden=300, encoder="recurrent", encoders="shared", projection="present", dropout=0.5):
        super().__init__()
        self.encoder = Encoder(inputs, hidden, encoder, encoders, style)
        self.projection = nn.Linear(8 * hidden, hidden) if projection == "present" else None
        self.composition = Encoder(hidden if self.projection else 8 * hidden, hidden, encoder, encoders, style)
        self.classifier = Classifier(8 * hidden, hidden, 1, "tanh", dropout)
        self.dropout = nn.Dropout(dropout)

    def forward(self, words, batch):
        states = self.encoder([self.dropout(side) for side in words], batch)
        aligned = align(states, states, batch)
        compared = [torch.cat([a, b, a - b, a * b], 2) for a, b in zip(states, aligned)]
        if self.projection is not None:
            compared = [self.dropout(torch.relu(self.projection(side))) for side in compared]
        composed = self.composition(compared, batch)
        pooled = [pool(states, side) for states, side in zip(composed, batch.sides) for pool in (mean, maximum)]
        return self.classifier(self.dropout(torch.cat(pooled, 1)))


MODELS = {"cbow": Cbow, "bilstm": BiLstmModel, "infersent": InferSent, "decomposable": Decomposable, "esim": Esim}


class Network(nn.Module):
    """A model with its word vectors."""

    def __init__(self, settings, vectors, style="packed"):
        super().__init__()
        settings = dict(settings)
        self.word_vectors = settings.pop("word_vectors", "trained")
        self.embeddings = nn.Parameter(vectors, requires_grad=self.word_vectors == "trained")
        self.model = MODELS[settings.pop("model")](vectors.shape[1], style, **settings)
        self.style = style

    def forward(self, batch):
        if self.style == "bag":
            # A sum of word vectors needs no padding.
            sums = nn.functional.embedding_bag(batch.words, self.embeddings, batch.starts, mode="sum")
            return self.model.compare(sums[: batch.pairs], sums[batch.pairs :])
        return self.model([nn.functional.embedding(side[0], self.embeddings) for side in batch.sides], batch)


def named(network, tensor_of):
    """All parameters with the names of the Rust networks; an LSTM's input and recurrent weights are concatenated."""
    yield "embeddings", tensor_of(network.embeddings)
    for path, module in network.model.named_modules():
        if not isinstance(module, (BiLstm, nn.Linear)):
            continue
        name = rust_name(path, network.model)
        if isinstance(module, BiLstm):
            for direction, suffix in (("forward", "_l0"), ("backward", "_l0_reverse")):
                parts = [getattr(module.lstm, kind + suffix) for kind in ("weight_ih", "weight_hh")]
                yield f"{name}.{direction}.weight", torch.cat([tensor_of(part) for part in parts], 1)
                yield f"{name}.{direction}.bias", tensor_of(getattr(module.lstm, "bias_ih" + suffix))
        else:
            yield f"{name}.weight", tensor_of(module.weight)
            if module.bias is not None:
                yield f"{name}.bias", tensor_of(module.bias)
    if hasattr(network.model, "distances"):
        yield "intra.distances", tensor_of(network.model.distances)


def rust_name(name, model):
    name = name.replace("aggregate", "classifier").replace("classifier.hidden", "classifier")
    parts = [part for part in name.split(".") if part != "layer"]
    if "layers" not in parts:
        return ".".join(parts)
    place = parts.index("layers")
    if parts[0] not in ("encoder", "composition"):
        del parts[place]
    elif len(getattr(model, parts[0]).layers) == 1:
        del parts[place : place + 2]
    else:
        parts[place : place + 2] = [["premise", "hypothesis"][int(parts[place + 1])]]
    return ".".join(parts)
