//! Surveys of corpora: statistics, annotation tags, and artefacts that a model could exploit.
//!
//! Everything here takes examples one by one and returns plain data; reading files and printing tables happen elsewhere.

pub mod annotation;
pub mod audit;
mod share;
pub mod statistics;
mod words;

pub use annotation::{Annotation, AnnotationMode, TagTable, annotate};
pub use share::Share;
pub use statistics::{CorpusStatistics, Statistics};
pub use words::{each_word, root_label, view};
