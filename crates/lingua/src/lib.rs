//! English analysis.
//!
//! This crate knows nothing about inference: it analyses sentences and trees.

pub mod abbreviations;
pub mod align;
pub mod analysis;
pub mod analyzer;
pub mod clause_type;
pub mod completeness;
pub mod conllu;
pub mod dictionary;
pub mod edit;
pub mod fold;
pub mod frames;
pub mod hash;
pub mod inflect;
pub mod last_clause;
pub mod lemma;
pub mod linear;
pub mod names;
pub mod negation;
pub mod numbers;
pub mod overlap;
mod packed_text;
pub mod parse;
pub mod reach;
pub mod slips;
mod stop;
pub mod tag;
pub mod tokens;
pub mod tree;
pub mod view;
pub mod wordnet;
pub mod words;

pub use edit::{Edit, Edited};
pub use tree::Tree;
pub use view::{Origin, View};
