#!/bin/bash
# Trains the five networks, and ESIM without recurrent layers and with shuffled words (Nie et al. 2018, section 4.1), on SNLI with 50d GloVe, and prints one table:
# SNLI dev, MultiNLI matched, CS_0.7 of SNLI dev, HANS as in its table 3, stress sets of MultiNLI dev, seconds of training.
#   bench/networks.sh [FOLDER]       models and sets are kept in FOLDER (default: target/networks); finished ones are reused
# Settings by environment: HIDDEN (300), EPOCHS (5), BATCH (32), RATE (0.0004), HALVE (never: epochs after which the rate is halved), DROPOUT (as in the
# papers), THREADS (all cores), ROWS (all: rows of SNLI train), LEXICAL (folder of a trained lexical model; without it there is no column CS_0.7),
# ACIDTEST_DATA (../shared/data), ACIDTEST (target/release/acidtest).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
root=$PWD
out=$(realpath -m "${1:-target/networks}")
data=$(realpath "${ACIDTEST_DATA:-../shared/data}")
program=$(realpath "${ACIDTEST:-target/release/acidtest}")
mkdir -p "$out"

train=$data/snli/snli_1.0_train_100k.jsonl.gz
if [ -n "${ROWS:-}" ]; then
    train=$out/train_$ROWS.jsonl.gz
    [ -f "$train" ] || "$program" corpus sample "$ROWS" "$data/snli/snli_1.0_train_100k.jsonl.gz" -o "$train"
fi
snli=$data/snli/snli_1.0_dev_text.jsonl.gz
mnli=$data/mnli/mnli_dev_matched.jsonl.gz
hans=$data/hans/heuristics_evaluation_set.txt.gz
glove=$data/glove/glove.6B.50d.nli.txt.gz
stress=(word-overlap negation length-mismatch spelling-swap spelling-keyboard)

for name in "${stress[@]}"; do
    [ -f "$out/$name.jsonl" ] || "$program" challenge "$name" --from "$mnli" -o "$out/$name.jsonl" >&2
done
compositional=
if [ -n "${LEXICAL:-}" ]; then
    compositional=$out/compositional.jsonl
    [ -f "$compositional" ] || "$program" challenge compositional --set lambda=0.7 --lexical "$LEXICAL" --from "$snli" -o "$compositional" >&2
fi

# train_one NAME MODEL FLAGS..: a finished folder is kept; an interrupted one is resumed.
train_one() {
    local name=$1 model=$2
    shift 2
    [ -f "$out/$name/model.json" ] && return
    "$program" train --model "$model" --train "$train" --dev "$snli" --embeddings "$glove" \
        --set hidden="${HIDDEN:-300}" --set epochs="${EPOCHS:-5}" --set batch_size="${BATCH:-32}" --set learning_rate="${RATE:-0.0004}" \
        ${HALVE:+--set schedule=halving --set halve_every="$HALVE"} ${DROPOUT:+--set dropout="$DROPOUT"} ${THREADS:+--threads "$THREADS"} "$@" -o "$out/$name" >&2
}

# accuracy NAME DATA: on all rows, in per cent.
accuracy() {
    "$program" evaluate --data "$2" --model "$out/$1" --format csv | awk -F, '$1 == "overall" && $3 == "accuracy" { printf "%.1f", 100 * $4 }'
}

# hans_of NAME: accuracy in per cent on entailed pairs (lexical overlap, subsequence, constituent), then on non-entailed pairs.
hans_of() {
    local table heuristic gold cell cells=()
    table=$("$program" evaluate --data "$hans" --model "$out/$1" --by heuristic,gold --format csv)
    for gold in entailment non-entailment; do
        cell=
        for heuristic in lexical_overlap subsequence constituent; do
            cell="$cell/$(sed -n "s|^\"by heuristic,gold\",$heuristic / $gold,accuracy,\([^,]*\),.*|\1|p" <<<"$table" | awk '{ printf "%.0f", 100 * $1 }')"
        done
        cells+=("${cell#/}")
    done
    echo "${cells[0]} | ${cells[1]}"
}

networks=(cbow bilstm infersent decomposable esim esim-bag-of-words esim-shuffled-words)
for name in cbow bilstm infersent decomposable esim; do
    train_one "$name" "$name"
done
train_one esim-bag-of-words esim --set encoder=bag-of-words
train_one esim-shuffled-words esim --shuffle-words

head="| model | seconds | SNLI dev | MNLI matched |${compositional:+ CS_0.7 |} HANS entailed | not entailed |"
rule="|---|---|---|---|${compositional:+---|}---|---|"
for name in "${stress[@]}"; do
    head="$head $name |"
    rule="$rule---|"
done
echo "$head"
echo "$rule"
for name in "${networks[@]}"; do
    seconds=$(sed -n 's/^  "seconds": \([0-9]*\).*/\1/p' "$out/$name/model.json")
    line="| $name | $seconds | $(accuracy "$name" "$snli") | $(accuracy "$name" "$mnli") |"
    [ -z "$compositional" ] || line="$line $(accuracy "$name" "$compositional") |"
    line="$line $(hans_of "$name") |"
    for set in "${stress[@]}"; do
        line="$line $(accuracy "$name" "$out/$set.jsonl") |"
    done
    echo "$line"
done
