#!/bin/sh
# Compares our lexically-misleading scores with Nie et al. 2018, section 5: sizes of CS_lambda, the three worked examples, and table 5 with ten
# BERT seeds. Needs the corpora described in CONTRIBUTING.md; takes a few minutes.
#   cargo build --release -p acidtest && bench/compositional.sh [FOLDER]     the models are kept in FOLDER, if given
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
data=${ACIDTEST_DATA:-$root/../shared/data}
acidtest=${ACIDTEST:-${CARGO_TARGET_DIR:-$root/target}/release/acidtest}
work=${1:-$(mktemp -d)}
[ $# -gt 0 ] || trap 'rm -rf "$work"' EXIT
mkdir -p "$work"

snli_train=$data/snli/snli_1.0_train_100k.jsonl.gz
snli_dev=$data/snli/snli_1.0_dev_text.jsonl.gz
snli_test=$data/snli/snli_1.0_test_even.jsonl.gz
mnli_train=$data/mnli/mnli_train_68k.jsonl.gz
mnli_dev=$data/mnli/mnli_dev_matched.jsonl.gz

title() { printf '\n### %s\n\n' "$1"; }

train() {
    [ -e "$work/$1/model.json" ] && return
    name=$1
    shift
    "$acidtest" train --model lexical -o "$work/$name" "$@"
}
# With fold models in case a dev set contains training pairs; these do not.
train snli --train "$snli_train" --dev "$snli_dev" --set folds=5
train mnli --train "$mnli_train" --dev "$mnli_dev" --set folds=5
train both --train "$snli_train" "$mnli_train"

title "Sizes of CS_lambda (the paper, of the 10,000 rows of SNLI dev: CS_0.7 999, CS_0.95 148)"
for pair in snli:"$snli_dev" snli:"$snli_test" mnli:"$mnli_dev"; do
    "$acidtest" lexical score --model "$work/${pair%%:*}" "${pair#*:}" --format markdown | sed '/^## Histogram/,$d'
done

title "The worked values of the paper: 0.9632 (figure 2), 0.8643 (figure 2), 0.2376 (section 6)"
for model in snli mnli both; do
    echo "--- trained on $model"
    explain() { "$acidtest" lexical explain --model "$work/$model" --premise "$1" --hypothesis "$2" --gold "$3"; }
    explain 'Two people are sitting in a station.' 'A couple of people are inside and not standing.' entailment
    explain 'A group of people prepare hot air balloons for takeoff.' 'There are hot air balloons on the ground and air.' neutral
    explain "We can't not go to sleep." 'We have to go to sleep.' entailment
done

title "Table 5: ten BERT seeds"
for pair in snli:"$snli_dev" mnli:"$mnli_dev"; do
    name=${pair%%:*}
    predictions=$data/predictions/bert_ten_seeds_${name}_dev.csv.gz
    seeds=
    for seed in 1 2 3 4 5 6 7 8 9 10; do seeds="$seeds $predictions@seed$seed"; done
    # shellcheck disable=SC2086 # the names have no spaces
    "$acidtest" compare $seeds --data "${pair#*:}" --runs --lexical "$work/$name" --format markdown |
        sed -n '/^## Where words mislead/,/^## /p' | sed '$d'
done

title "Table 5: people (SNLI test rows, which have five labels each), beside the lexical model itself"
"$acidtest" evaluate --data "$snli_test" --model "$work/snli" --lexical "$work/snli" --format markdown |
    sed -n '/^## Where words mislead/,/^## /p' | sed '$d'
