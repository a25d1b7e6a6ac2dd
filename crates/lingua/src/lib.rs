//! English analysis.
//!
//! This crate knows nothing of inference: it reads sentences and trees, and says what is in them.

pub mod align;
pub mod overlap;
pub mod tree;

pub use tree::Tree;
