"""Swapped subjects and objects (Nie et al. 2018, section 3.1) in plain Python over Penn trees, with the rules of the challenge in simple form.

    python baseline_swap.py CORPUS OUTPUT [--once]

CORPUS is SNLI as JSON lines; the trees are read with NLTK. Every example is used; with --once, repeated premises are skipped.
"""

import json
import os
import sys

from nltk.tree import Tree

LISTS = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "crates", "challenge", "data", "composition", "swap.tsv")
BE = {"is": "are", "are": "is", "was": "were", "were": "was", "has": "have", "have": "has"}


def word_lists():
    lists = {}
    with open(LISTS, encoding="utf-8") as source:
        for line in source:
            if line.strip() and not line.startswith("#"):
                name, words = line.rstrip("\n").split("\t")
                lists.setdefault(name, set()).update(words.split(" "))
    return lists


LISTS = word_lists()


def lemma(word, tag):
    """The lemma, by suffix rules only."""
    word = word.lower()
    if tag == "VBG" and word.endswith("ing"):
        stem = word[:-3]
        return stem[:-1] if len(stem) > 2 and stem[-1] == stem[-2] else stem
    if tag in ("VBZ", "NNS") and word.endswith("s"):
        return word[:-1]
    return word


def base(phrase):
    """The base phrase with an `of` phrase or conjuncts, and the rest of the phrase."""
    children = list(phrase)
    if not isinstance(children[0], Tree) or children[0].label() != "NP" or children[0].leaves()[-1] == "'s":
        return phrase.pos(), 0
    words, left = base(children[0])
    for place, child in enumerate(children[1:], 1):
        joins = child.label() == "CC" or (child.label() == "PP" and child.leaves()[0].lower() == "of")
        if left or not (joins or children[place - 1].label() == "CC"):
            left += len(child.leaves())
        else:
            words = words + child.pos()
    return words, left


def is_plural(words):
    head = [tag for _, tag in words if tag.startswith("NN")]
    tags = [tag for _, tag in words]
    return any(tag == "CC" and tags[place - 1].startswith("NN") for place, tag in enumerate(tags)) or bool(head and head[0].endswith("S"))


def core(tree):
    """Subject, auxiliaries, verb, object and the rest, as tagged words; None if a rule excludes the sentence."""
    top = tree[0] if tree.label() == "ROOT" else tree
    children = [child for child in top if child.label() != "."]
    if len(children) < 2 or children[-1].label() != "VP" or children[-2].label() != "NP" or top.label() not in ("S", "NP"):
        return None
    before = [word for child in children[:-2] for word in child.pos()]
    auxiliaries, phrase = [], children[-1]
    while True:
        if any(child.label() == "CC" for child in phrase):
            return None
        verbs = [child for child in phrase if child.label().startswith("VB") or child.label() == "MD"]
        inner = [child for child in phrase if child.label() == "VP"]
        if not verbs:
            return None
        if not inner:
            break
        auxiliaries += [word for child in phrase if child.label() != "VP" for word in child.pos()]
        phrase = inner[0]
    parts = list(phrase)
    place = parts.index(verbs[0])
    if place + 1 >= len(parts) or parts[place + 1].label() != "NP" or sum(part.label() == "NP" for part in parts) > 1:
        return None
    subject, verb = children[-2].pos(), verbs[0].pos()[0]
    found, left = base(parts[place + 1])
    whole = parts[place + 1].pos()
    after = whole[len(found):] + [word for part in parts[place + 2:] for word in part.pos()]
    return before, subject, auxiliaries, verb, found, after


def is_left_out(subject, auxiliaries, verb, found, after):
    words = [word.lower() for word, _ in subject + auxiliaries + found + after]
    if any(word in LISTS["negation"] or word in LISTS["reflexive"] or word in ("or", ",", "?") for word in words[: len(words) - len(after)]):
        return True
    if verb[1] == "VBN" or any(tag == "MD" for _, tag in auxiliaries) or any(tag == "PRP" for _, tag in after):
        return True
    name = lemma(*verb)
    if name in LISTS["symmetric"] or name in LISTS["light"] or name + "e" in LISTS["light"] or verb[0].lower() in BE:
        return True
    if after and after[0][1] in ("VBN", "WDT", "WP", "WRB", "CC", "NN", "NNS", "POS", "TO"):
        return True
    heads = []
    for phrase in (subject, found):
        nouns = [lemma(word, tag) for word, tag in phrase if tag.startswith("NN")]
        if not nouns:
            return True
        if not is_plural(phrase) and phrase[0][1] not in ("DT", "PRP$", "CD") and nouns[0] not in LISTS["mass"]:
            return True
        heads.append(nouns[-1])
    if heads[0] == heads[1] or any(noun in LISTS["object"] or noun in LISTS["time"] for noun in heads[1:]):
        return True
    return any(tag == "PRP$" for _, tag in found) and heads[1] in LISTS["body"]


def swapped(parse):
    tree = Tree.fromstring(parse)
    parts = core(tree)
    if parts is None or is_left_out(*parts[1:]):
        return None
    before, subject, auxiliaries, verb, found, after = parts
    plural = is_plural(found)
    group = [word for word, _ in auxiliaries]
    name = verb[0]
    if not group and verb[1] == "VBG":
        group = ["are" if plural else "is"]
    elif group and group[0] in BE and plural != (group[0] in ("are", "were", "have")):
        group[0] = BE[group[0]]
    elif not group and verb[1] == "VBZ" and plural:
        name = name[:-1]
    elif not group and verb[1] == "VBP" and not plural:
        name += "s"
    first = [word for word, _ in found]
    second = [word for word, _ in subject]
    if not before:
        first[0] = first[0][0].upper() + first[0][1:]
        if not subject[0][1].startswith("NNP"):
            second[0] = second[0][0].lower() + second[0][1:]
    words = [word for word, _ in before] + first + group + [name] + second + [word for word, _ in after]
    return " ".join(words) + " ."


def main():
    source, target = sys.argv[1], sys.argv[2]
    once = "--once" in sys.argv[3:]
    seen, premises = set(), set()
    with open(source, encoding="utf-8") as rows, open(target, "w", encoding="utf-8") as out:
        for line in rows:
            row = json.loads(line)
            if once and row["sentence1"] in premises:
                continue
            premises.add(row["sentence1"])
            hypothesis = swapped(row["sentence1_parse"])
            pair = (row["sentence1"], hypothesis)
            if hypothesis is None or pair in seen:
                continue
            seen.add(pair)
            made = {"sentence1": pair[0], "sentence2": hypothesis, "gold_label": "contradiction", "pairID": row["pairID"] + "/swap"}
            out.write(json.dumps(made) + "\n")


main()
