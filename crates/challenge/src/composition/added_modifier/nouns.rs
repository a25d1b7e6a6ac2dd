//! What nouns stand for, and how two nouns are related, by WordNet.

use super::lists::{Lists, NounClass};
use acidtest_lingua::wordnet::{PartOfSpeech, SynsetId, WordNet, WordNetRelation};
use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

/// The classes of all synsets that have one; body parts and whatever is not listed have none.
static CLASSES: LazyLock<HashMap<SynsetId, Option<NounClass>>> = LazyLock::new(|| {
    // The first that holds: a person is also an animal's organism, food may be a plant, and everything here is an object.
    let roots = [
        ("person", 0, Some(NounClass::Person)),
        ("animal", 0, Some(NounClass::Animal)),
        ("body_part", 0, None),
        ("plant", 1, Some(NounClass::Plant)),
        ("food", 0, Some(NounClass::Food)),
        ("food", 1, Some(NounClass::Food)),
        ("artifact", 0, Some(NounClass::Artifact)),
        ("object", 0, Some(NounClass::Object)),
    ];
    let net = WordNet::get();
    let mut classes = HashMap::new();
    for (word, sense, class) in roots {
        let mut open: Vec<SynsetId> = net.senses(word, PartOfSpeech::Noun).get(sense).map(|(id, _)| *id).into_iter().collect();
        while let Some(id) = open.pop() {
            if let std::collections::hash_map::Entry::Vacant(vacant) = classes.entry(id) {
                vacant.insert(class);
                open.extend(net.synset(id).hyponyms().map(|below| below.id()));
            }
        }
    }
    classes
});

/// How many of the senses of a noun are looked at for relations: rarer ones are hardly ever meant.
const SENSES: usize = 2;

/// What a noun stands for, by its most frequent sense; none for what is not a concrete thing, and for body parts.
pub(super) fn class_of(noun: &str) -> Option<NounClass> {
    // The first sense of some nouns is not what everyday sentences mean: `table` is an array of data there.
    let classes =
        [("person", NounClass::Person), ("artifact", NounClass::Artifact), ("food", NounClass::Food), ("object", NounClass::Object)];
    for (list, class) in classes {
        if Lists::get().is_in(list, noun) {
            return Some(class);
        }
    }
    let &(first, _) = WordNet::get().senses(noun, PartOfSpeech::Noun).first()?;
    CLASSES.get(&first).copied().flatten()
}

/// Whether one noun may stand for the same thing as the other: they share a sense, or one is more general.
pub(super) fn may_corefer(first: &str, second: &str) -> bool {
    let [first, second] = [first, second].map(senses);
    let above = |ids: &[SynsetId]| -> HashSet<SynsetId> {
        let ancestors = ids.iter().flat_map(|id| WordNet::get().synset(*id).ancestors());
        ids.iter().copied().chain(ancestors.map(|synset| synset.id())).collect()
    };
    let (above_first, above_second) = (above(&first), above(&second));
    first.iter().any(|id| above_second.contains(id)) || second.iter().any(|id| above_first.contains(id))
}

/// Whether one noun stands for a part or a member of what the other stands for.
pub(super) fn are_part_and_whole(first: &str, second: &str) -> bool {
    is_part_of(first, second) || is_part_of(second, first)
}

fn is_part_of(part: &str, whole: &str) -> bool {
    if Lists::get().is_in(&format!("part-of-{whole}"), part) {
        return true;
    }
    let net = WordNet::get();
    let wholes: HashSet<SynsetId> = senses(whole)
        .into_iter()
        .flat_map(|id| std::iter::once(id).chain(net.synset(id).ancestors().into_iter().take(2).map(|synset| synset.id())))
        .collect();
    senses(part).into_iter().any(|id| {
        let synset = net.synset(id);
        let holonyms = synset.related(WordNetRelation::PartHolonym).chain(synset.related(WordNetRelation::MemberHolonym));
        holonyms.into_iter().any(|holonym| wholes.contains(&holonym.id()))
    })
}

fn senses(noun: &str) -> Vec<SynsetId> {
    WordNet::get().senses(noun, PartOfSpeech::Noun).iter().take(SENSES).map(|(id, _)| *id).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nouns_have_the_class_of_their_first_sense() {
        use NounClass::{Animal, Artifact, Food, Object, Person, Plant};
        let expected = [
            ("man", Some(Person)),
            ("people", Some(Person)),
            ("female", Some(Person)),
            ("dog", Some(Animal)),
            ("tree", Some(Plant)),
            ("cake", Some(Food)),
            ("table", Some(Artifact)),
            ("jacket", Some(Artifact)),
            ("mountain", Some(Object)),
            ("hand", None),
            ("game", None),
            ("group", None),
        ];
        for (noun, class) in expected {
            assert_eq!(class_of(noun), class, "{noun}");
        }
    }

    #[test]
    fn more_general_nouns_and_synonyms_may_corefer() {
        assert!(may_corefer("person", "man") && may_corefer("bike", "bicycle") && may_corefer("boy", "male"));
        assert!(!may_corefer("man", "woman") && !may_corefer("man", "dog") && !may_corefer("table", "jacket"));
    }

    #[test]
    fn parts_belong_to_their_wholes() {
        assert!(are_part_and_whole("wheel", "bike") && are_part_and_whole("house", "roof") && are_part_and_whole("city", "street"));
        assert!(!are_part_and_whole("man", "jacket") && !are_part_and_whole("table", "chair"));
    }
}
