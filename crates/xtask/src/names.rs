//! Training of the finder of names.

use crate::{perceptron::Perceptron, treebank::read_text};
use acidtest_lingua::{
    hash::hash_str,
    names::{CLASSES, NameFinder, OUTSIDE, features},
    tag::Tagger,
    wordnet::{Part, Relation, WordNet},
    words::WordList,
};
use acidtest_nli::Seed;
use anyhow::Result;
use std::{
    collections::{BTreeMap, HashMap},
    path::Path,
};

/// Words with their class.
pub type Sentence = Vec<(String, usize)>;

/// Reads a file of words and IOB classes; kinds other than people, places and organisations count as no name.
pub fn read(path: &Path) -> Result<Vec<Sentence>> {
    let mut sentences = vec![Vec::new()];
    let mut last = String::new();
    for line in read_text(path)?.lines() {
        if line.trim().is_empty() {
            sentences.push(Vec::new());
            last.clear();
            continue;
        }
        if line.starts_with("# ") {
            continue;
        }
        let fields: Vec<&str> = line.split(['\t', ' ']).collect();
        // Files of the UNER project count their words first.
        let (word, class) = if fields.len() > 3 { (fields[1], fields[2]) } else { (fields[0], fields[fields.len() - 1]) };
        let (begins, kind) = match class.split_once('-') {
            Some((mark, kind)) => (mark == "B" || !last.ends_with(kind) || last == "O", kind),
            None => (true, ""),
        };
        let number = match kind.to_lowercase().as_str() {
            "per" | "person" => Some(0),
            "loc" | "location" => Some(1),
            "org" | "corporation" | "group" => Some(2),
            _ => None,
        };
        let class_number = number.map_or(OUTSIDE, |number: usize| 1 + 2 * number + usize::from(!begins));
        last = class.to_owned();
        if let Some(sentence) = sentences.last_mut() {
            sentence.push((word.to_owned(), class_number));
        }
    }
    sentences.retain(|sentence| !sentence.is_empty());
    Ok(sentences)
}

/// Trains a finder; gives its bytes.
pub fn train(words: &WordList, tagger: &Tagger, sentences: &[Sentence], seed: Seed) -> Vec<u8> {
    let entries = known_names();
    let lists = features::Lists::new(&entries);
    let prepared: Vec<_> = sentences
        .iter()
        .map(|sentence| {
            let sights = words.sight(sentence.iter().map(|(word, _)| word.as_str()));
            let tags = tagger.tag(&sights);
            let known = lists.look_up(&sights);
            (sights, tags, known)
        })
        .collect();
    let mut counts: HashMap<u32, u32> = HashMap::new();
    for (sentence, (sights, tags, known)) in sentences.iter().zip(&prepared) {
        let mut history = [OUTSIDE; 2];
        for (place, &(_, class)) in sentence.iter().enumerate() {
            features::of_word(sights, tags, known, place, history).iter().for_each(|&feature| *counts.entry(feature).or_default() += 1);
            history = [history[1], class];
        }
    }
    let mut perceptron = Perceptron::new(CLASSES, &counts, 2);
    let mut order: Vec<usize> = (0..sentences.len()).collect();
    for round in 0..12 {
        seed.child(&round.to_string()).rng().shuffle(&mut order);
        for &number in &order {
            let (sights, tags, known) = &prepared[number];
            let mut history = [OUTSIDE; 2];
            for (place, &(_, class)) in sentences[number].iter().enumerate() {
                let rows: Vec<u32> =
                    features::of_word(sights, tags, known, place, history).iter().filter_map(|&feature| perceptron.row(feature)).collect();
                history = [history[1], perceptron.step(&rows, class, 4.0)];
            }
        }
    }
    NameFinder::to_bytes(&perceptron.averaged(), 0.15, &entries)
}

/// Names that WordNet knows: people and places by their class, organisations likewise.
fn known_names() -> Vec<(u32, u8)> {
    let net = WordNet::get();
    let mut known: BTreeMap<u32, u8> = BTreeMap::new();
    for synset in net.synsets().filter(|synset| synset.part() == Part::Noun) {
        if synset.related(Relation::InstanceHypernym).next().is_none() {
            continue;
        }
        let classes: Vec<String> = synset.ancestors().iter().map(|above| above.name()).collect();
        let is = |name: &str| classes.iter().any(|class| class == name);
        let kind = match () {
            () if is("person.n.01") => 1,
            () if is("location.n.01") || is("geological_formation.n.01") || is("body_of_water.n.01") || is("land.n.04") => 2,
            () if is("organization.n.01") => 4,
            () => continue,
        };
        for word in synset.words() {
            let lower = word.to_lowercase();
            let parts: Vec<u64> = lower.split('_').map(hash_str).collect();
            if parts.len() <= 3 && word.starts_with(char::is_uppercase) {
                *known.entry(features::Lists::key_of(&parts)).or_default() |= kind;
            }
            // The last word of a person's name is a family name.
            if kind == 1 && parts.len() > 1 {
                *known.entry(features::Lists::key_of(&parts[parts.len() - 1..])).or_default() |= 8;
            }
        }
    }
    known.into_iter().collect()
}

/// Precision and recall of saying that a sentence has a name of a kind, over all kinds, and of exact names.
pub fn score(words: &WordList, tagger: &Tagger, finder: &NameFinder, sentences: &[Sentence]) -> String {
    let mut says = [(0, 0, 0); 4];
    let mut exact = (0, 0, 0);
    for sentence in sentences {
        let sights = words.sight(sentence.iter().map(|(word, _)| word.as_str()));
        let found: Vec<(usize, usize, usize)> =
            finder.find(&sights, &tagger.tag(&sights)).into_iter().map(|name| (name.kind as usize, name.start, name.end)).collect();
        let mut gold: Vec<(usize, usize, usize)> = Vec::new();
        for (place, &(_, class)) in sentence.iter().enumerate() {
            match class {
                OUTSIDE => {}
                class if class % 2 == 1 => gold.push(((class - 1) / 2, place, place + 1)),
                _ => gold.last_mut().into_iter().for_each(|name| name.2 = place + 1),
            }
        }
        exact.0 += found.iter().filter(|name| gold.contains(name)).count();
        exact.1 += found.len();
        exact.2 += gold.len();
        for (kind, (right, said, there)) in says.iter_mut().enumerate() {
            let has = |names: &[(usize, usize, usize)]| names.iter().any(|name| kind == 3 || name.0 == kind);
            *right += usize::from(has(&found) && has(&gold));
            *said += usize::from(has(&found));
            *there += usize::from(has(&gold));
        }
    }
    let share =
        |(right, said, there): (usize, usize, usize)| format!("P {:.3} R {:.3}", right as f64 / said as f64, right as f64 / there as f64);
    let [person, location, organization, any] = says.map(share);
    format!("exact {}; has PERSON {person}; LOCATION {location}; ORGANIZATION {organization}; any {any}", share(exact))
}
