//! Composition: both sentences of a pair have the same words, so that only their order and structure tell the label (Nie et al. 2018, section 3.1).
//!
//! The sets share where their analysis comes from ([`AnalysisSource`]), the sides they use and their matched controls.

pub(crate) mod added_modifier;
pub(crate) mod analysis;
mod swap;
mod word_shuffle;

pub(crate) use added_modifier::ADDED_MODIFIER;
pub use added_modifier::{ModifierCounts, ModifierSlot, ModifierTable};
pub use analysis::{ANALYSIS, AnalysisSource};
pub(crate) use swap::SUBJECT_OBJECT_SWAP;
pub(crate) use word_shuffle::WORD_SHUFFLE;
