//! Featurizers, one per file; each network's entry names the one it uses.

pub mod words;
