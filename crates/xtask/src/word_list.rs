//! The shipped word list: quantised GloVe vectors, their k-means clusters, and WordNet's parts of speech.

use crate::treebank::read_text;
use acidtest_lingua::{
    wordnet::{PartOfSpeech, WordNet},
    words::{ListedWord, VECTOR, WordList},
};
use anyhow::{Context, Result, ensure};
use std::path::Path;

const CLUSTERS: usize = 255;
const ROUNDS: usize = 12;

/// Makes the word list from a GloVe file: one word with its numbers per line, frequent words first.
pub(crate) fn build(glove: &Path) -> Result<Vec<u8>> {
    let text = read_text(glove)?;
    let mut words = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let (word, numbers) = line.split_once(' ').with_context(|| format!("{}:{}: no vector", glove.display(), number + 1))?;
        let vector: Vec<f32> = numbers.split(' ').map(str::parse).collect::<Result<_, _>>()?;
        let vector: [f32; VECTOR] =
            vector.try_into().ok().with_context(|| format!("{}:{}: not {VECTOR} numbers", glove.display(), number + 1))?;
        words.push((word, vector));
    }
    ensure!(words.len() > CLUSTERS, "{}: {} words are too few to cluster", glove.display(), words.len());
    let directions: Vec<[f32; VECTOR]> = words.iter().map(|(_, vector)| unit(*vector)).collect();
    let clusters = k_means(&directions);
    let mut entries = Vec::with_capacity(words.len());
    for (&(word, vector), &cluster) in words.iter().zip(&clusters) {
        entries.push(ListedWord { word, cluster, classes: classes(word), vector });
    }
    Ok(WordList::to_bytes(&entries))
}

/// The parts of speech that WordNet has for a word, as in [`acidtest_lingua::words::SurfaceFeatures::classes`].
fn classes(word: &str) -> u8 {
    let net = WordNet::get();
    let mut bits = 0;
    for (place, part) in PartOfSpeech::ALL.into_iter().enumerate() {
        let own = net.has(word, part);
        bits |= u8::from(own) << place;
        // Adverbs form comparatives and superlatives like adjectives.
        let inflected = net.morphy(word, part).iter().any(|base| base != word);
        bits |= u8::from(inflected) << (4 + place.min(2));
    }
    let senses = net.senses(word, PartOfSpeech::Noun);
    let capital = |&(sense, _): &(_, u32)| {
        let synset = net.synset(sense);
        synset.words().any(|other| other.eq_ignore_ascii_case(word) && other.starts_with(char::is_uppercase))
    };
    bits | u8::from(!senses.is_empty() && senses.iter().all(capital)) << 7
}

fn unit(vector: [f32; VECTOR]) -> [f32; VECTOR] {
    let length = vector.iter().map(|number| number * number).sum::<f32>().sqrt().max(1e-6);
    vector.map(|number| number / length)
}

/// Spherical k-means, initialised with words spread over the frequent third of the list.
fn k_means(vectors: &[[f32; VECTOR]]) -> Vec<u8> {
    let step = vectors.len() / 3 / CLUSTERS;
    let mut centres: Vec<[f32; VECTOR]> = (0..CLUSTERS).map(|cluster| vectors[cluster * step.max(1)]).collect();
    let mut clusters = vec![0u8; vectors.len()];
    for _ in 0..ROUNDS {
        for (cluster, vector) in clusters.iter_mut().zip(vectors) {
            let closeness = |centre: &[f32; VECTOR]| centre.iter().zip(vector).map(|(left, right)| left * right).sum::<f32>();
            let mut best = (0, f32::MIN);
            for (number, centre) in centres.iter().enumerate() {
                let close = closeness(centre);
                if close > best.1 {
                    best = (number, close);
                }
            }
            *cluster = best.0 as u8;
        }
        let mut sums = vec![[0f32; VECTOR]; CLUSTERS];
        for (&cluster, vector) in clusters.iter().zip(vectors) {
            sums[usize::from(cluster)].iter_mut().zip(vector).for_each(|(sum, number)| *sum += number);
        }
        for (centre, sum) in centres.iter_mut().zip(sums) {
            if sum.iter().any(|&number| number != 0.0) {
                *centre = unit(sum);
            }
        }
    }
    clusters
}
