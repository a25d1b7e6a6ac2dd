//! The embedding layer of a network.

use crate::error::Result;
use crate::featurizers::words::{DIMENSION, WORDS};
use crate::inputs::Inputs;
use crate::ops::WordRows;
use crate::parameters::{ParameterId, ParameterUpdate, Parameters};
use crate::sizes::Sizes;
use crate::tape::Tape;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Whether the word vectors are trained.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum WordVectors {
    /// They are trained.
    Trained,
    /// They are frozen.
    Frozen,
}

/// The embedding matrix, the parameter `embeddings`.
#[derive(Debug, Clone, Copy)]
pub struct WordTable {
    table: ParameterId,
    /// The embedding dimension.
    pub dimension: usize,
}

pub(crate) const EMBEDDINGS: &str = "embeddings";

impl WordTable {
    /// Declares the table. It must be the first parameter of a network.
    pub fn new(parameters: &mut Parameters, sizes: &Sizes, vectors: WordVectors) -> Result<Self> {
        let (words, dimension) = (sizes.required(WORDS)?, sizes.required(DIMENSION)?);
        let change = match vectors {
            WordVectors::Trained => ParameterUpdate::Rows,
            WordVectors::Frozen => ParameterUpdate::Frozen,
        };
        Ok(WordTable { table: parameters.table(EMBEDDINGS, words, dimension, change), dimension })
    }

    /// Looks up the vector of each word; equal words share a row.
    pub fn embed(&self, tape: &mut Tape<'_>, inputs: &Inputs) -> WordRows {
        let words = inputs.ids(WORDS);
        let mut distinct = words.to_vec();
        distinct.sort_unstable();
        distinct.dedup();
        let places = words.iter().map(|word| distinct.partition_point(|other| other < word) as u32).collect();
        WordRows { rows: tape.embed(self.table, &Arc::new(distinct)), places: Some(Arc::new(places)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::featurizers::words::pair_of_ids;
    use crate::tape::{Buffers, TapeMode};
    use acidtest_nli::Seed;

    #[test]
    fn each_distinct_word_has_one_row() {
        let mut parameters = Parameters::new(Seed::new(1));
        let table = WordTable::new(&mut parameters, &Sizes::new([(WORDS, 8), (DIMENSION, 2)]), WordVectors::Trained).unwrap();
        let mut tape = Tape::new(&parameters, TapeMode::Inference, Buffers::default());
        let words = table.embed(&mut tape, &Inputs::of_pairs(&[&pair_of_ids(&[7, 2], &[7])]).unwrap());
        assert_eq!(tape.value(words.rows).rows, 2);
        assert_eq!(*words.places.unwrap(), [1, 0, 1]);
    }
}
