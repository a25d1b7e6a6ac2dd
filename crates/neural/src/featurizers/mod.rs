//! Featurizers, one file each; a network names the one it reads with.

pub mod words;
