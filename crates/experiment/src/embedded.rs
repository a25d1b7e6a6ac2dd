//! Trained models in the program.

use crate::network::NetworkModel;
use crate::trained::TrainedError;
use acidtest_model::Model;
use acidtest_neural::ModelFiles;
use acidtest_nli::{Catalog, Named};
use acidtest_threads::Threads;
use std::path::Path;

/// A trained model that needs no folder.
pub struct EmbeddedModel {
    /// The name that users type.
    pub name: &'static str,
    /// What it is, in one line.
    pub summary: &'static str,
    /// Where it is described.
    pub source: &'static str,
    /// Opens it.
    pub open: fn(&Threads) -> Result<Box<dyn Model>, TrainedError>,
}

impl Named for EmbeddedModel {
    fn name(&self) -> &str {
        self.name
    }
}

/// All trained models in the program.
pub static EMBEDDED: Catalog<EmbeddedModel> = Catalog::new("model", &[ESIM_SMALL]);

const ESIM_SMALL: EmbeddedModel = EmbeddedModel {
    name: "esim-small",
    summary: "a small ESIM trained on SNLI and MultiNLI, embedded in the program",
    source: "Chen et al. 2017; crates/experiment/data/esim-small/README.md",
    open: esim_small,
};

fn esim_small(threads: &Threads) -> Result<Box<dyn Model>, TrainedError> {
    let files: [(&str, &[u8]); 3] = [
        ("model.json", include_bytes!("../data/esim-small/model.json")),
        ("vocabulary.txt", include_bytes!("../data/esim-small/vocabulary.txt")),
        ("weights.safetensors", include_bytes!("../data/esim-small/weights.safetensors")),
    ];
    Ok(Box::new(NetworkModel::from_files(&ModelFiles::Embedded(Path::new("esim-small"), &files), threads)?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use acidtest_nli::{Judgment, Label};

    #[test]
    fn esim_small_predicts_easy_pairs_and_is_small() {
        let plain = acidtest_corpus::plain_pairs();
        let pairs: Vec<_> = plain.iter().map(|example| example.pair.clone()).collect();
        let answers = esim_small(&Threads::all_cores().unwrap()).unwrap().predictions(&pairs).unwrap();
        let right = answers.iter().zip(&plain).filter(|(answer, example)| Some(answer.answer) == example.gold).count();
        assert!(right * 100 >= plain.len() * 80, "{right} of {}", plain.len());
        assert!(include_bytes!("../data/esim-small/weights.safetensors").len() < 10_000_000);
    }

    #[test]
    fn esim_small_mistakes_word_overlap_for_entailment() {
        let pair = acidtest_nli::Pair::plain("The doctors visited the lawyer.", "The lawyer visited the doctors.");
        let answers = esim_small(&Threads::all_cores().unwrap()).unwrap().predictions(&[pair]).unwrap();
        assert_eq!(answers[0].answer, Judgment::Exact(Label::Entailment));
    }

    #[test]
    fn the_vocabulary_ships_words_and_no_sentences() {
        let text = include_str!("../data/esim-small/vocabulary.txt");
        assert!(text.lines().all(|word| !word.contains(char::is_whitespace)));
    }
}
