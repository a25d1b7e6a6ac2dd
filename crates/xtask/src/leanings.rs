//! The likely kind of name of each word of the list, predicted from its vector.
//!
//! A softmax regression learns from the names of WordNet and of the training corpora which vectors belong to people, places and
//! organisations; then every word of the list gets its most likely kind, also words that no corpus has.

use acidtest_lingua::{
    names::Leaning,
    words::{VECTOR, VECTOR_STEP, WordList},
};

/// The kinds of names, and words that are not names.
const KINDS: usize = 4;
/// The class of words that are not names.
pub(crate) const NO_NAME: usize = 3;
const ROUNDS: usize = 40;

/// How often a word of the list (by row) occurs as each kind.
pub(crate) struct KindCounts {
    pub row: usize,
    pub counts: [f32; KINDS],
}

/// The most likely kind of every word of the list.
pub(crate) fn learn(words: &WordList, seen: &[KindCounts]) -> Vec<Leaning> {
    let vectors: Vec<[f32; VECTOR + 1]> = (0..words.len()).map(|row| vector(words, row)).collect();
    let mut weights = [[0f64; VECTOR + 1]; KINDS];
    for round in 0..ROUNDS {
        let rate = 0.05 / (1.0 + round as f64 / 4.0);
        for word in seen {
            let total: f32 = word.counts.iter().sum();
            let shares = shares(&weights, &vectors[word.row]);
            for ((weights, count), share) in weights.iter_mut().zip(word.counts).zip(shares) {
                let step = rate * (f64::from(count / total) - share);
                weights.iter_mut().zip(&vectors[word.row]).for_each(|(weight, number)| *weight += step * f64::from(*number));
            }
        }
    }
    vectors.iter().map(|vector| Leaning::from_shares(&shares(&weights, vector)[..NO_NAME])).collect()
}

fn vector(words: &WordList, row: usize) -> [f32; VECTOR + 1] {
    let mut numbers = [1.0; VECTOR + 1];
    numbers.iter_mut().zip(words.vector(row)).for_each(|(number, step)| *number = f32::from(step) * VECTOR_STEP);
    numbers
}

fn shares(weights: &[[f64; VECTOR + 1]; KINDS], vector: &[f32; VECTOR + 1]) -> [f64; KINDS] {
    let mut scores = [0.0; KINDS];
    for (score, weights) in scores.iter_mut().zip(weights) {
        *score = weights.iter().zip(vector).map(|(weight, number)| weight * f64::from(*number)).sum();
    }
    let most = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let powers = scores.map(|score| (score - most).exp());
    let sum: f64 = powers.iter().sum();
    powers.map(|power| power / sum)
}
