//! Training of the tagger.

use crate::{perceptron::Perceptron, treebank::Sentence};
use acidtest_lingua::{
    hash::key,
    tag::{
        NAME_ONLY, Tag, TagLexicon, Tagger, UNSURE,
        features::{AmbiguityClass, moving, still},
    },
    words::{SurfaceFeatures, WordList},
};
use acidtest_nli::Seed;
use std::collections::{BTreeMap, HashMap};

/// How the tagger is trained.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Settings {
    pub rounds: usize,
    pub margin: f32,
    /// Rarer features are dropped.
    pub least: u32,
    /// Weights below this are not shipped.
    pub smallest: f32,
}

impl Default for Settings {
    fn default() -> Self {
        Settings { rounds: 10, margin: 8.0, least: 2, smallest: 0.7 }
    }
}

/// Trains a tagger and returns its bytes.
pub(crate) fn train(words: &WordList, sentences: &[Sentence], settings: Settings, seed: Seed) -> Vec<u8> {
    let mut surfaces: Vec<Vec<SurfaceFeatures>> =
        sentences.iter().map(|sentence| words.surface(sentence.iter().map(|word| word.form.as_str()))).collect();
    let lexicon_entries = lexicon(sentences, &surfaces);
    let lexicon = TagLexicon::new(&lexicon_entries).expect("a map is in order");
    surfaces.iter_mut().for_each(|surfaces| lexicon.disguise(surfaces));
    let known: Vec<Vec<(AmbiguityClass, Option<Tag>)>> =
        surfaces.iter().map(|surfaces| surfaces.iter().map(|surface| lexicon.look_up(surface)).collect()).collect();
    let ambiguities: Vec<Vec<AmbiguityClass>> = known.iter().map(|known| known.iter().map(|&(ambiguity, _)| ambiguity).collect()).collect();

    let mut counts: HashMap<u32, u32> = HashMap::new();
    for (number, sentence) in sentences.iter().enumerate() {
        let mut history = [UNSURE; 2];
        for (place, word) in sentence.iter().enumerate() {
            if known[number][place].1.is_none() {
                let still = still(&surfaces[number], &ambiguities[number], place);
                let moving = moving(&surfaces[number], &ambiguities[number], place, history);
                still.iter().chain(&moving).for_each(|&feature| *counts.entry(feature).or_default() += 1);
            }
            history = [history[1], word.tag as u8];
        }
    }
    let mut perceptron = Perceptron::new(Tag::COUNT, &counts, settings.least);
    drop(counts);

    let mut order: Vec<usize> = (0..sentences.len()).collect();
    let mut rows = Vec::new();
    for round in 0..settings.rounds {
        seed.child("order").child(&round.to_string()).rng().shuffle(&mut order);
        for &number in &order {
            let mut history = [UNSURE; 2];
            for (place, word) in sentences[number].iter().enumerate() {
                let tag = match known[number][place].1 {
                    Some(sure) => sure as u8,
                    None => {
                        let still = still(&surfaces[number], &ambiguities[number], place);
                        let moving = moving(&surfaces[number], &ambiguities[number], place, history);
                        rows.clear();
                        rows.extend(still.iter().chain(&moving).filter_map(|&feature| perceptron.row(feature)));
                        perceptron.step(&rows, word.tag as usize, settings.margin) as u8
                    }
                };
                history = [history[1], tag];
            }
        }
    }
    Tagger::to_bytes(&perceptron.averaged(), settings.smallest, &lexicon_entries)
}

/// Frequent words, with a number for the set of their tags, and the tag of words that have only one.
///
/// Rare words are left out on purpose: the tagger must learn to handle unknown words.
fn lexicon(sentences: &[Sentence], surfaces: &[Vec<SurfaceFeatures>]) -> Vec<(u32, u8, u8)> {
    let mut seen: BTreeMap<u32, [u32; Tag::COUNT]> = BTreeMap::new();
    for (word, surface) in sentences.iter().flatten().zip(surfaces.iter().flatten()) {
        seen.entry(key(surface.lower)).or_insert([0; Tag::COUNT])[word.tag as usize] += 1;
    }
    seen.retain(|_, tags| tags.iter().sum::<u32>() >= 4);
    let set_of = |tags: &[u32; Tag::COUNT]| {
        let total: u32 = tags.iter().sum();
        let kept = |&(_, &count): &(usize, &u32)| count * 25 >= total;
        let mut set: Vec<(u32, usize)> = tags.iter().enumerate().filter(kept).map(|(tag, &count)| (count, tag)).collect();
        set.sort_by_key(|&(count, tag)| (std::cmp::Reverse(count), tag));
        set.into_iter().take(3).map(|(_, tag)| tag).collect::<Vec<usize>>()
    };
    let mut sets: BTreeMap<Vec<usize>, u32> = BTreeMap::new();
    seen.values().for_each(|tags| *sets.entry(set_of(tags)).or_default() += 1);
    let mut ranked: Vec<(Vec<usize>, u32)> = sets.into_iter().collect();
    ranked.sort_by(|left, right| right.1.cmp(&left.1).then(left.0.cmp(&right.0)));
    let numbers: HashMap<Vec<usize>, u8> =
        ranked.into_iter().take(250).enumerate().map(|(place, (set, _))| (set, place as u8 + 1)).collect();
    let entry = |(&key, tags): (&u32, &[u32; Tag::COUNT])| {
        let total: u32 = tags.iter().sum();
        let (most, &count) = tags.iter().enumerate().max_by_key(|&(_, &count)| count).expect("there are tags");
        let names = tags[Tag::NNP as usize] + tags[Tag::NNPS as usize];
        let sure = match () {
            () if total >= 60 && count * 1000 >= total * 999 => most as u8,
            () if names == total => NAME_ONLY,
            () => UNSURE,
        };
        (key, numbers.get(&set_of(tags)).copied().unwrap_or(0), sure)
    };
    seen.iter().map(entry).collect()
}

/// A sentence as input of the models.
pub(crate) fn surfaces(words: &WordList, tagger: &Tagger, sentence: &Sentence) -> Vec<SurfaceFeatures> {
    let mut surfaces = words.surface(sentence.iter().map(|word| word.form.as_str()));
    tagger.disguise(&mut surfaces);
    surfaces
}

/// Tagging accuracy.
pub(crate) fn accuracy(words: &WordList, tagger: &Tagger, sentences: &[Sentence]) -> f64 {
    let (mut right, mut all) = (0, 0);
    for sentence in sentences {
        let tags = tagger.tag(&surfaces(words, tagger, sentence));
        right += tags.iter().zip(sentence).filter(|&(&tag, word)| tag == word.tag).count();
        all += sentence.len();
    }
    right as f64 / all as f64
}
