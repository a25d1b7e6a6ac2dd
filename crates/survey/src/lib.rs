//! What is in a corpus: its statistics, the annotation tags of its rows, and the artefacts a model could exploit.
//!
//! Everything here is fed row by row and gives plain data; reading files and printing tables is the work of others.

pub mod annotation;
pub mod audit;
mod share;
pub mod statistics;
mod words;

pub use annotation::{Annotation, AnnotationMode, TagTable, annotate};
pub use share::Share;
pub use statistics::{CorpusStatistics, Statistics};
pub use words::{each_word, root_label, view};
