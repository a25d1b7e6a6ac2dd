//! Initial word vectors.

use crate::error::{NeuralError, Result};
use crate::matrix::Matrix;
use acidtest_nli::{Rng, Seed};
use std::collections::HashSet;

/// The vectors to look up in an embeddings file.
#[derive(Debug, Default)]
pub struct VectorsWanted {
    /// The words to look up.
    pub words: HashSet<String>,
    /// The number of vectors at the start of the file to load as well.
    pub first: usize,
}

/// Words and vectors read from a file.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct KnownVectors {
    /// The dimension of the vectors; 0 if there is no file.
    pub dimension: usize,
    /// The words in the order of the file.
    pub words: Vec<String>,
    /// Their vectors, concatenated.
    pub numbers: Vec<f32>,
}

impl KnownVectors {
    /// The words with their vectors.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &[f32])> {
        self.words.iter().map(String::as_str).zip(self.numbers.chunks_exact(self.dimension.max(1)))
    }
}

/// Pretrained vectors for some words; the others are drawn from a normal distribution, seeded by word id.
#[derive(Debug, Clone, Default)]
pub struct Embeddings {
    dimension: usize,
    ids: Vec<u32>,
    vectors: Vec<f32>,
}

impl Embeddings {
    /// No pretrained vectors, with this dimension.
    pub fn random(dimension: usize) -> Self {
        Embeddings { dimension, ..Embeddings::default() }
    }

    /// Adds a pretrained vector.
    pub fn insert(&mut self, id: u32, vector: &[f32]) -> Result<()> {
        if vector.len() != self.dimension {
            return Err(NeuralError::EmbeddingSize { id, found: vector.len(), expected: self.dimension });
        }
        self.ids.push(id);
        self.vectors.extend_from_slice(vector);
        Ok(())
    }

    /// The dimension of a vector.
    pub fn dimension(&self) -> usize {
        self.dimension
    }

    /// The embedding matrix: one row per word of the vocabulary.
    pub(crate) fn table(&self, vocabulary_size: usize, seed: Seed) -> Result<Matrix> {
        let mut table = Matrix::zeros(vocabulary_size, self.dimension);
        let mut known = vec![false; vocabulary_size];
        for (&id, vector) in self.ids.iter().zip(self.vectors.chunks_exact(self.dimension.max(1))) {
            if id as usize >= vocabulary_size {
                return Err(NeuralError::UnknownVector { id, vocabulary_size });
            }
            table.row_mut(id as usize).copy_from_slice(vector);
            known[id as usize] = true;
        }
        for word in (0..vocabulary_size).filter(|&word| !known[word]) {
            fill_normal(table.row_mut(word), &mut seed.child(&word.to_string()).rng());
        }
        Ok(table)
    }
}

/// A matrix of standard normal numbers, each row seeded by its index.
pub(crate) fn normal_rows(rows: usize, columns: usize, seed: Seed) -> Matrix {
    let mut table = Matrix::zeros(rows, columns);
    (0..rows).for_each(|row| fill_normal(table.row_mut(row), &mut seed.child(&row.to_string()).rng()));
    table
}

/// Fills a slice with standard normal numbers by the Box-Muller transform (1958), two at a time.
fn fill_normal(numbers: &mut [f32], rng: &mut Rng) {
    for pair in numbers.chunks_mut(2) {
        let radius = (-2.0 * (1.0 - rng.unit()).ln()).sqrt();
        let (sine, cosine) = (std::f64::consts::TAU * rng.unit()).sin_cos();
        pair.iter_mut().zip([radius * cosine, radius * sine]).for_each(|(number, drawn)| *number = drawn as f32);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_vectors_stay_and_the_others_are_normal() {
        let mut embeddings = Embeddings::random(5000);
        embeddings.insert(1, &[7.0; 5000]).unwrap();
        let table = embeddings.table(2, Seed::new(1)).unwrap();
        assert!(table.row(1).iter().all(|&number| number == 7.0));
        let mean = table.row(0).iter().sum::<f32>() / 5000.0;
        let variance = table.row(0).iter().map(|number| number * number).sum::<f32>() / 5000.0;
        assert!(mean.abs() < 0.05 && (variance - 1.0).abs() < 0.06, "{mean} {variance}");
    }

    #[test]
    fn a_vector_of_another_size_is_refused() {
        let refused = Embeddings::random(3).insert(4, &[1.0]).unwrap_err();
        assert_eq!(refused.to_string(), "the vector of word 4 has 1 numbers, the embeddings have 3");
    }
}
