//! The networks, one per file, each readable beside its paper.

mod bilstm;
mod cbow;
mod context;
mod decomposable;
mod esim;
mod infersent;
mod listed;
mod output;
mod settings;
mod word_table;

pub use bilstm::BiLstmSettings;
pub use cbow::CbowSettings;
pub use context::{ContextEncoder, Sharing};
pub use decomposable::{DecomposableSettings, IntraAttention};
pub use esim::{EsimSettings, Projection};
pub use infersent::InferSentSettings;
pub use listed::{ListedNetwork, ListedSettings, build, complete_settings};
pub use settings::{NetworkSettings, check_dropout, check_size};
pub(crate) use word_table::EMBEDDINGS;
pub use word_table::{WordTable, WordVectors};

use crate::error::Result;
use crate::features::FeaturizerEntry;
use crate::inputs::Inputs;
use crate::ops::WordRows;
use crate::parameters::Parameters;
use crate::segments::Segments;
use crate::sizes::Sizes;
use crate::tape::{Node, Tape};
use acidtest_nli::{Catalog, Named};
use serde_json::Value;
use std::sync::Arc;

/// The catalog of networks.
pub static CATALOG: Catalog<NetworkEntry> =
    Catalog::new("network", &[cbow::ENTRY, bilstm::ENTRY, infersent::ENTRY, decomposable::ENTRY, esim::ENTRY]);

/// The number of words that one thread scores together. Words and not pairs, because a weight loaded from distant memory should be used
/// for many rows.
const GROUP_WORDS: usize = 3072;

/// A network: the forward pass from inputs to logits.
pub trait Network: Send + Sync {
    /// The logits, one row per pair.
    fn logits(&self, tape: &mut Tape<'_>, inputs: &Inputs) -> Node;

    /// The number of words that one thread scores together.
    fn group_words(&self) -> usize {
        GROUP_WORDS
    }

    /// The network as a two-step network, if it encodes sentences independently of each other.
    fn in_two_steps(&self) -> Option<&dyn TwoStepNetwork> {
        None
    }
}

/// A network that encodes each sentence independently before it compares pairs, so that a sentence in many pairs is encoded only once.
pub trait TwoStepNetwork: Send + Sync {
    /// Encodes sentences. The encoding of a sentence may depend on its side, but not on the other sentences.
    fn encode(&self, tape: &mut Tape<'_>, inputs: &Inputs) -> Encoded;

    /// The logits of pairs of encoded sentences, one row per pair.
    fn compare(&self, tape: &mut Tape<'_>, encoded: &Encoded) -> Node;
}

impl<N: TwoStepNetwork> Network for N {
    fn logits(&self, tape: &mut Tape<'_>, inputs: &Inputs) -> Node {
        let encoded = self.encode(tape, inputs);
        self.compare(tape, &encoded)
    }

    fn in_two_steps(&self) -> Option<&dyn TwoStepNetwork> {
        Some(self)
    }
}

/// Encoded sentences.
pub struct Encoded {
    /// The number of premises; with as many hypotheses, the number of pairs.
    pub premises: usize,
    /// The rows of each sentence: one per word, or a single one.
    pub segments: Arc<Segments>,
    /// One or more vectors per row.
    pub parts: Vec<WordRows>,
}

impl Encoded {
    /// One vector per sentence.
    pub fn of_sentences(inputs: &Inputs, vectors: Node) -> Self {
        let segments = Segments::of_lengths((0..inputs.segments.count()).map(|_| 1));
        Encoded { premises: inputs.premises, segments: Arc::new(segments), parts: vec![vectors.into()] }
    }

    /// The vectors of the premises and of the hypotheses, if there is one per sentence.
    pub fn sides(&self, tape: &mut Tape<'_>) -> (Node, Node) {
        halves(tape, self.parts[0].rows, self.premises)
    }
}

/// Splits rows into premises and hypotheses.
fn halves(tape: &mut Tape<'_>, rows: Node, pairs: usize) -> (Node, Node) {
    let premises = tape.rows(rows, 0..pairs);
    (premises, tape.rows(rows, pairs..2 * pairs))
}

/// Declares the parameters of a network.
pub type BuildNetwork = fn(&Value, &mut Parameters, &Sizes, usize) -> Result<Box<dyn Network>>;

/// A catalog entry of a network.
///
/// Settings are JSON objects; missing settings get their defaults and unknown ones are refused.
#[derive(Clone, Copy)]
pub struct NetworkEntry {
    /// The name on the command line.
    pub name: &'static str,
    /// One line.
    pub summary: &'static str,
    /// Where it was published.
    pub source: &'static str,
    /// The featurizer that makes its inputs.
    pub featurizer: FeaturizerEntry,
    /// Checks settings and fills in the defaults.
    pub settings: fn(&Value) -> Result<Value>,
    /// Declares the parameters of a network, given its settings, the featurizer's sizes and the number of classes.
    pub build: BuildNetwork,
}

impl Named for NetworkEntry {
    fn name(&self) -> &str {
        self.name
    }
}

impl std::fmt::Debug for NetworkEntry {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Entry").field(&self.name).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_listed_network_has_default_settings() {
        for entry in &CATALOG {
            let settings = NetworkSettings::of(entry.name).unwrap();
            assert_eq!(settings.name(), entry.name);
            assert_eq!(serde_json::to_value(settings).unwrap()["model"], entry.name);
        }
    }

    #[test]
    fn every_listed_network_can_have_any_number_of_classes() {
        for entry in &CATALOG {
            for classes in [2, 3, 5] {
                let mut parameters = Parameters::new(acidtest_nli::Seed::new(1));
                let sizes = Sizes::new([("words", 4), ("dimension", 3)]);
                (entry.build)(&(entry.settings)(&serde_json::json!({"hidden": 2})).unwrap(), &mut parameters, &sizes, classes).unwrap();
                let output = parameters.named("classifier.output.weight").unwrap();
                assert_eq!(parameters.get(output).value.rows, classes, "{}", entry.name);
            }
        }
    }
}
