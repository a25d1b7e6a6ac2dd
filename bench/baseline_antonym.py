"""The method of the released antonym script, with NLTK: simplified Lesk for every word of a sentence, and the antonyms of its sense.

    python baseline_antonym.py WORDNET SENTENCES OUTPUT

WORDNET is the folder of WordNet's database files; SENTENCES has one sentence per line.
"""

import json
import os
import re
import shutil
import sys
import tempfile

import nltk
from nltk.corpus import wordnet
from nltk.wsd import lesk

STOP = set(
    "here goodness yes no decision growing priority cheers volume right left goods addition income indecision there parent being "
    "parents lord lady put capital lowercase unions civilian".split()
)
# The names of WordNet's lexicographer files, which NLTK reads but Debian's package lacks: number, name, word class.
NAMES = (
    "adj.all:3 adj.pert:3 adv.all:4 noun.Tops:1 noun.act:1 noun.animal:1 noun.artifact:1 noun.attribute:1 noun.body:1 noun.cognition:1 "
    "noun.communication:1 noun.event:1 noun.feeling:1 noun.food:1 noun.group:1 noun.location:1 noun.motive:1 noun.object:1 noun.person:1 "
    "noun.phenomenon:1 noun.plant:1 noun.possession:1 noun.process:1 noun.quantity:1 noun.relation:1 noun.shape:1 noun.state:1 "
    "noun.substance:1 noun.time:1 verb.body:2 verb.change:2 verb.cognition:2 verb.communication:2 verb.competition:2 verb.consumption:2 "
    "verb.contact:2 verb.creation:2 verb.emotion:2 verb.motion:2 verb.perception:2 verb.possession:2 verb.social:2 verb.stative:2 "
    "verb.weather:2 adj.ppl:3"
).split()


def wordnet_folder(database, folder):
    """A folder in the layout of NLTK, with copies of the database files, because NLTK refuses links."""
    target = os.path.join(folder, "corpora", "wordnet")
    os.makedirs(target)
    for name in os.listdir(database):
        if os.path.isfile(os.path.join(database, name)):
            shutil.copy(os.path.join(database, name), os.path.join(target, name))
    # Sense keys are not used here.
    open(os.path.join(target, "index.sense"), "a", encoding="utf-8").close()
    if not os.path.exists(os.path.join(target, "lexnames")):
        with open(os.path.join(target, "lexnames"), "w", encoding="utf-8") as file:
            for number, entry in enumerate(NAMES):
                name, part = entry.split(":")
                file.write(f"{number:02d}\t{name}\t{part}\n")
    return folder


def changed(sentence):
    tokens = re.findall(r"\w+|[^\w\s]", sentence.lower())
    for token in tokens:
        if token in STOP:
            continue
        sense = lesk(tokens, token)
        if sense is None or sense.pos() not in ("n", "s"):
            continue
        for lemma in sense.lemmas():
            for antonym in lemma.antonyms():
                if "_" not in antonym.name() and antonym.name() not in STOP and token in sentence:
                    yield sentence.replace(token, antonym.name(), 1)


def main():
    database, sentences, output = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        nltk.data.path.insert(0, wordnet_folder(database, folder))
        wordnet.ensure_loaded()
        with open(sentences, encoding="utf-8") as source, open(output, "w", encoding="utf-8") as target:
            for line in source:
                for other in changed(line.strip()):
                    target.write(json.dumps([line.strip(), other]) + "\n")


main()
