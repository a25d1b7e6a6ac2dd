//! Composition: both sentences of a pair have the same words, so that only their order and structure tell the label (Nie et al. 2018, section 3.1).
//!
//! The sets share where their analysis comes from ([`AnalysisSource`]), the sides they use and their matched controls.

pub(crate) mod analysis;
mod swap;

pub use analysis::{ANALYSIS, AnalysisSource};
pub(crate) use swap::SUBJECT_OBJECT_SWAP;
