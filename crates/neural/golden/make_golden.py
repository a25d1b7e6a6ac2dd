"""Makes the golden files: weights, a batch, and PyTorch's results for them.

    python make_golden.py

Each file has the weights with the names and layout of the Rust networks, `gradient:NAME` for each trainable one,
`logits`, and `losses`: ten steps of Adam with clipping on the same batch. The tests need no PyTorch.
"""

import json
import pathlib

import torch
from reference import Batch, Network, named
from safetensors.torch import save_file

HERE = pathlib.Path(__file__).parent
DIMENSION, VOCABULARY, LEARNING_RATE, CLIP = 5, 16, 0.02, 0.5

PREMISES = [[1, 2, 3, 4, 2], [5, 6], [7, 8, 9, 10, 11, 12, 13, 1, 2, 3, 4, 5, 6], [14]]
HYPOTHESES = [[3, 4], [5, 15, 7, 1], [9], [10, 11, 12]]
LABELS = [0, 2, 1, 0]

CASES = {
    "cbow": {"model": "cbow", "hidden": 6},
    "cbow-released": {"model": "cbow", "hidden": 6, "layers": 3, "activation": "relu"},
    "bilstm": {"model": "bilstm", "hidden": 4},
    "bilstm-bag-of-words": {"model": "bilstm", "hidden": 4, "encoder": "bag-of-words"},
    "infersent": {"model": "infersent", "hidden": 4, "classifier": 6, "word_vectors": "frozen"},
    "decomposable": {"model": "decomposable", "hidden": 6, "word_vectors": "frozen"},
    "decomposable-intra": {"model": "decomposable", "hidden": 6, "intra_attention": "present", "word_vectors": "trained"},
    "esim": {"model": "esim", "hidden": 4},
    "esim-multinli": {"model": "esim", "hidden": 4, "encoders": "separate", "projection": "absent"},
    "esim-bag-of-words": {"model": "esim", "hidden": 4, "encoder": "bag-of-words"},
}


def main():
    for name, settings in CASES.items():
        torch.manual_seed(7)
        settings = settings | {"dropout": 0.0}
        network = Network(settings, torch.randn(VOCABULARY, DIMENSION))
        for parameter in network.parameters():
            if parameter.requires_grad and parameter is not network.embeddings:
                # Small biases and random distance biases, because zeros would hide errors.
                torch.nn.init.uniform_(parameter, -0.6, 0.6)
        write(HERE / f"{name}.safetensors", settings, network)


def write(path, settings, network):
    batch = Batch(PREMISES, HYPOTHESES, LABELS)
    tensors = dict(named(network, lambda parameter: parameter.detach().clone()))
    logits = network(batch)
    torch.nn.functional.cross_entropy(logits, batch.labels).backward()
    changing = lambda parameter: torch.zeros_like(parameter) if parameter.grad is None else parameter.grad.clone()
    tensors |= {f"gradient:{name}": tensor for name, tensor in named(network, changing)}
    if settings.get("word_vectors") == "frozen":
        del tensors["gradient:embeddings"]
    tensors |= {"logits": logits.detach(), "losses": torch.tensor([ten_losses(network, batch)])}
    tensors = {name: tensor.reshape(1, -1) if tensor.dim() == 1 else tensor for name, tensor in tensors.items()}
    note = {"settings": settings, "premises": PREMISES, "hypotheses": HYPOTHESES, "labels": LABELS}
    note |= {"learning_rate": LEARNING_RATE, "clip": CLIP}
    save_file({name: tensor.contiguous() for name, tensor in tensors.items()}, path, metadata={"acidtest": json.dumps(note)})
    print(path.name, path.stat().st_size, "bytes, losses", [round(loss, 4) for loss in tensors["losses"][0].tolist()])


def ten_losses(network, batch):
    dense = [p for p in network.parameters() if p.requires_grad and p is not network.embeddings]
    optimisers = [torch.optim.Adam(dense, lr=LEARNING_RATE)]
    if network.embeddings.requires_grad:
        optimisers.append(torch.optim.SparseAdam([network.embeddings], lr=LEARNING_RATE))
    used = torch.cat([side[0][side[2]] for side in batch.sides]).unique()
    losses = []
    for _ in range(10):
        network.zero_grad()
        loss = torch.nn.functional.cross_entropy(network(batch), batch.labels)
        losses.append(loss.item())
        loss.backward()
        torch.nn.utils.clip_grad_norm_([p for p in network.parameters() if p.requires_grad], CLIP)
        if network.embeddings.requires_grad:
            rows = network.embeddings.grad[used]
            network.embeddings.grad = torch.sparse_coo_tensor(used[None], rows, network.embeddings.shape).coalesce()
        for optimiser in optimisers:
            optimiser.step()
    return losses


if __name__ == "__main__":
    main()
