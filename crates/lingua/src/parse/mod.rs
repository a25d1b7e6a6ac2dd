//! Dependency parsing: a small bidirectional LSTM encodes the sentence, every pair of words is scored as head and dependent, and the best
//! tree is selected.
//!
//! The network is a small version of Dozat and Manning (2017): two BiLSTM layers over embeddings of words, tags, affixes, dictionary word
//! classes and capitalisation, a biaffine scorer for heads (with a distance term, after Qi et al. 2018), and a perceptron for relations.

pub mod batch;
mod decode;
mod integer;
pub mod kernel;
mod network;
mod relation;
pub mod weights;

pub use decode::{best_tree, is_tree};
pub use network::{AFFIXES, Arc, LIKELY, Parser, WordFeatures, distance_bucket, leaky};
pub use relation::Relation;
