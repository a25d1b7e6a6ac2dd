//! Dependency parses: a small recurrent network reads the sentence both ways, every pair of words is scored as head and
//! dependent, and the best tree is taken.
//!
//! The network is that of Dozat and Manning (2017) made small: two layers of bidirectional LSTM over vectors of words,
//! tags, beginnings and endings of words, word classes and capitalisation, a bilinear form for heads (with a term for distance, after Qi et al. 2018), and
//! a perceptron for relations.

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
