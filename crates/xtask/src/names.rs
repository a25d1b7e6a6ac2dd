//! Training of the named entity recogniser.

use crate::{leanings, perceptron::Perceptron, treebank::read_text};
use acidtest_lingua::{
    hash::hash_str,
    names::{CLASSES, NameFinder, OUTSIDE, features},
    tag::Tagger,
    wordnet::{PartOfSpeech, WordNet, WordNetRelation},
    words::{SurfaceFeatures, WordList},
};
use acidtest_nli::Seed;
use anyhow::Result;
use std::{
    collections::{BTreeMap, HashMap},
    fmt,
    path::Path,
};

/// Words with their class.
pub(crate) type NameSentence = Vec<(String, usize)>;

/// Reads a file of words and IOB classes; kinds other than people, places and organisations count as no name.
pub(crate) fn read(path: &Path) -> Result<Vec<NameSentence>> {
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

/// How the recogniser is trained.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Settings {
    pub rounds: usize,
    /// Subtracted from the score of the class for words outside of names; chosen by `train-lingua eagerness`.
    pub eagerness: f32,
}

impl Default for Settings {
    fn default() -> Self {
        Settings { rounds: 12, eagerness: 6.0 }
    }
}

/// Trains a recogniser and returns its bytes.
pub(crate) fn train(words: &WordList, tagger: &Tagger, sentences: &[NameSentence], settings: Settings, seed: Seed) -> Vec<u8> {
    let mut surfaces: Vec<Vec<SurfaceFeatures>> =
        sentences.iter().map(|sentence| words.surface(sentence.iter().map(|(word, _)| word.as_str()))).collect();
    surfaces.iter_mut().for_each(|surfaces| tagger.disguise(surfaces));
    let (entries, leanings) = (known_names(), leanings::learn(words, &seen_names(words, sentences, &surfaces)));
    let lists = features::Gazetteer::new(&entries).expect("a map is in order");
    let knowledge = features::NameKnowledge { lists, leanings };
    let prepared: Vec<_> = surfaces
        .into_iter()
        .map(|surfaces| {
            let tags = tagger.tag(&surfaces);
            let known = knowledge.look_up(&surfaces);
            (surfaces, tags, known)
        })
        .collect();
    let mut counts: HashMap<u32, u32> = HashMap::new();
    for (sentence, (surfaces, tags, known)) in sentences.iter().zip(&prepared) {
        let mut history = [OUTSIDE; 2];
        for (place, &(_, class)) in sentence.iter().enumerate() {
            features::of_word(surfaces, tags, known, place, history).iter().for_each(|&feature| *counts.entry(feature).or_default() += 1);
            history = [history[1], class];
        }
    }
    let mut perceptron = Perceptron::new(CLASSES, &counts, 2);
    let mut order: Vec<usize> = (0..sentences.len()).collect();
    for round in 0..settings.rounds {
        seed.child(&round.to_string()).rng().shuffle(&mut order);
        for &number in &order {
            let (surfaces, tags, known) = &prepared[number];
            let mut history = [OUTSIDE; 2];
            for (place, &(_, class)) in sentences[number].iter().enumerate() {
                let rows: Vec<u32> = features::of_word(surfaces, tags, known, place, history)
                    .iter()
                    .filter_map(|&feature| perceptron.row(feature))
                    .collect();
                history = [history[1], perceptron.step(&rows, class, 4.0)];
            }
        }
    }
    NameFinder::to_bytes(&perceptron.averaged(), 0.15, settings.eagerness, (&entries, &knowledge.leanings))
}

/// How often the words of the list are names of each kind: capitalised in the corpora, and in WordNet.
fn seen_names(words: &WordList, sentences: &[NameSentence], surfaces: &[Vec<SurfaceFeatures>]) -> Vec<leanings::KindCounts> {
    let mut counts: BTreeMap<usize, [f32; 4]> = BTreeMap::new();
    for ((_, class), surface) in sentences.iter().flatten().zip(surfaces.iter().flatten()) {
        let kind = class.checked_sub(1).map_or(leanings::NO_NAME, |class| class / 2);
        if let Some(row) = surface.row {
            counts.entry(row as usize).or_default()[kind] += 1.0;
        }
    }
    for (kind, name) in wordnet_names() {
        let parts: Vec<String> = name.split('_').map(str::to_lowercase).collect();
        for surface in words.surface(parts.iter().map(String::as_str)).iter().filter(|surface| surface.length > 2) {
            if let Some(row) = surface.row {
                counts.entry(row as usize).or_default()[kind] += 0.5;
            }
        }
    }
    counts.into_iter().map(|(row, counts)| leanings::KindCounts { row, counts }).collect()
}

/// Names that WordNet knows, with the number of their kind.
fn wordnet_names() -> Vec<(usize, String)> {
    let mut names = Vec::new();
    for synset in WordNet::get().synsets().filter(|synset| synset.part() == PartOfSpeech::Noun) {
        if synset.related(WordNetRelation::InstanceHypernym).next().is_none() {
            continue;
        }
        let classes: Vec<String> = synset.ancestors().iter().map(|above| above.name()).collect();
        let is = |name: &str| classes.iter().any(|class| class == name);
        let kind = match () {
            () if is("person.n.01") => 0,
            () if is("location.n.01") || is("geological_formation.n.01") || is("body_of_water.n.01") || is("land.n.04") => 1,
            () if is("organization.n.01") => 2,
            () => continue,
        };
        names.extend(synset.words().map(|word| (kind, word.to_owned())));
    }
    names
}

/// The keys of WordNet's names, with one bit per kind and one for family names.
fn known_names() -> Vec<(u32, u8)> {
    let mut known: BTreeMap<u32, u8> = BTreeMap::new();
    for (kind, name) in wordnet_names() {
        let lower = name.to_lowercase();
        let parts: Vec<u64> = lower.split('_').map(hash_str).collect();
        if parts.len() <= 3 && name.starts_with(char::is_uppercase) {
            *known.entry(features::Gazetteer::key_of(parts.iter().copied())).or_default() |= 1 << kind;
        }
        // The last word of a person's name is a family name.
        if kind == 0 && parts.len() > 1 {
            *known.entry(features::Gazetteer::key_of(parts[parts.len() - 1..].iter().copied())).or_default() |= 8;
        }
    }
    known.into_iter().collect()
}

/// Wikigold without every tenth sentence, and the tenth sentences, which are held out.
pub(crate) fn wikigold(data: &Path) -> Result<(Vec<NameSentence>, Vec<NameSentence>)> {
    let (mut kept, mut held) = (Vec::new(), Vec::new());
    for (number, sentence) in read(&data.join("ner/wikigold.conll.gz"))?.into_iter().enumerate() {
        if number % 10 == 0 { held.push(sentence) } else { kept.push(sentence) }
    }
    Ok((kept, held))
}

/// The training data: web text counts twice, as its annotation is that of the evaluation.
pub(crate) fn training(wikigold: &[NameSentence], web: &[NameSentence], messages: &[NameSentence]) -> Vec<NameSentence> {
    [wikigold, web, web, messages].concat()
}

/// Correct, predicted and gold names.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Score {
    exact: (usize, usize, usize),
    /// Counts of sentences with a name of each kind, and of any kind.
    sentences: [(usize, usize, usize); 4],
}

impl Score {
    /// Scores a recogniser on sentences.
    pub(crate) fn add(&mut self, words: &WordList, tagger: &Tagger, finder: &NameFinder, sentences: &[NameSentence]) {
        for sentence in sentences {
            let mut surfaces = words.surface(sentence.iter().map(|(word, _)| word.as_str()));
            tagger.disguise(&mut surfaces);
            let found: Vec<(usize, usize, usize)> =
                finder.find(&surfaces, &tagger.tag(&surfaces)).into_iter().map(|name| (name.kind as usize, name.start, name.end)).collect();
            self.compare(&found, &gold(sentence));
        }
    }

    /// Compares the predicted names of a sentence with the gold names.
    pub(crate) fn compare(&mut self, found: &[(usize, usize, usize)], gold: &[(usize, usize, usize)]) {
        self.exact.0 += found.iter().filter(|name| gold.contains(name)).count();
        self.exact.1 += found.len();
        self.exact.2 += gold.len();
        for (kind, (right, said, there)) in self.sentences.iter_mut().enumerate() {
            let has = |names: &[(usize, usize, usize)]| names.iter().any(|name| kind == 3 || name.0 == kind);
            *right += usize::from(has(found) && has(gold));
            *said += usize::from(has(found));
            *there += usize::from(has(gold));
        }
    }
}

impl Score {
    /// Precision and recall of detecting that a sentence has a name: of a person, a place, an organisation, and of any kind.
    pub(crate) fn by_sentence(&self) -> [(f64, f64); 4] {
        self.sentences.map(|(right, said, there)| (right as f64 / said as f64, right as f64 / there as f64))
    }
}

impl fmt::Display for Score {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let share = |(right, said, there): (usize, usize, usize)| {
            format!("P {:.3} R {:.3}", right as f64 / said as f64, right as f64 / there as f64)
        };
        let [person, location, organization, any] = self.sentences.map(share);
        write!(out, "exact {}; has PERSON {person}; LOCATION {location}; ORGANIZATION {organization}; any {any}", share(self.exact))
    }
}

/// The gold names of a sentence: kind, first word, word after the last.
pub(crate) fn gold(sentence: &NameSentence) -> Vec<(usize, usize, usize)> {
    let mut names: Vec<(usize, usize, usize)> = Vec::new();
    for (place, &(_, class)) in sentence.iter().enumerate() {
        match class {
            OUTSIDE => {}
            class if class % 2 == 1 => names.push(((class - 1) / 2, place, place + 1)),
            _ => names.last_mut().into_iter().for_each(|name| name.2 = place + 1),
        }
    }
    names
}
