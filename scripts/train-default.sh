#!/bin/bash
# Trains the built-in model esim-small and writes it to crates/experiment/data/esim-small:
#   scripts/train-default.sh [THREADS]
# Reads SNLI and MultiNLI training data, SNLI dev, MultiNLI dev matched, and GloVe 6B 50d from ACIDTEST_DATA (default: ../shared/data).
# An interrupted run is resumed when started again. The same build gives the same bytes on the same kind of processor, for any number
# of threads.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
root=$PWD
threads=${1:-2}
data=$(realpath "${ACIDTEST_DATA:-../shared/data}")
work=${WORK:-$root/target/esim-small}
home=crates/experiment/data/esim-small

program=${ACIDTEST:-$root/target/release/acidtest}
if [ -z "${ACIDTEST:-}" ]; then
    cargo build --release -p acidtest
fi

# Paths are relative to the data folder, so that the training record has no paths of this machine.
cd "$data"
"$program" train --model esim \
    --train snli/snli_1.0_train_100k.jsonl.gz mnli/mnli_train_68k.jsonl.gz \
    --dev snli/snli_1.0_dev_text.jsonl.gz mnli/mnli_dev_matched.jsonl.gz \
    --embeddings glove/glove.6B.50d.nli.txt.gz \
    --set hidden=64 --set dropout=0.1 --set epochs=4 --set batch_size=32 --set learning_rate=0.001 --set schedule=halving \
    --set halve_every=2 --set max_length=60 --set embedding_words=20000 --set weights=f16 \
    --seed 1 --threads "$threads" -o "$work"
cd "$root"

mkdir -p "$home"
cp "$work/vocabulary.txt" "$work/weights.safetensors" "$home/"
# The output folder of the training run is meaningless elsewhere.
sed -e 's| -o [^"]*"|"|' "$work/model.json" > "$home/model.json"
"$program" evaluate --data "$data/snli/snli_1.0_dev_text.jsonl.gz" --model "$home" | head -12
"$program" evaluate --data "$data/mnli/mnli_dev_matched.jsonl.gz" --model "$home" | head -12
