//! Small neural networks over two sentences, fast on a processor.
//!
//! **Ragged, everywhere.** The words of all sentences of a batch are the rows of one matrix, premises first; [`Segments`] say where each
//! sentence begins. There is no padding and there are no masks. **Fused.** A [`Tape`] records a few large operations ([`ops`]), each with
//! a backward pass written by hand. **Deterministic.** Weights begin by parameter name and dropout is drawn by step, both from an
//! [`acidtest_nli::Seed`]; no sum is split over threads, so the weights after training are the same for any number of threads on a machine.
//! **Threads** are those of rayon: the global pool, or the pool in which a call is made.
//!
//! # Train and ask a network
//!
//! ```
//! use acidtest_neural::{Batch, Embeddings, Network, Settings, Trainer, Training};
//! use acidtest_nli::Seed;
//!
//! let settings = Settings::from_json(r#"{"model": "decomposable", "hidden": 20, "dropout": 0.0}"#)?;
//! let network = Network::new(&settings, 100, &Embeddings::random(50), Seed::new(1))?;
//! let mut trainer = Trainer::new(network, Training::default())?;
//! let batch = Batch::new(&[vec![3, 14, 15]], &[vec![9, 26]], &[2])?;
//! let before = trainer.step(&batch)?.loss;
//! let after = trainer.step(&batch)?.loss;
//! assert!(after < before);
//! let scores: Vec<[f32; 3]> = trainer.network().scores(&batch)?;
//! # assert_eq!(scores.len(), 1);
//! # Ok::<(), acidtest_neural::Error>(())
//! ```
//!
//! # Add a model
//!
//! 1. Write `models/NAME.rs`: an `ENTRY`, a settings struct with defaults, a struct that holds its layers, and [`models::Model::logits`], which
//!    says in the tape's operations what the paper says in formulas. This is all of CBOW:
//!
//!    ```text
//!    let sums = tape.pool(&text.words, &text.segments, Pooling::Sum); // [2 pairs × inputs]
//!    let premises = tape.rows(sums, 0..text.pairs);
//!    let hypotheses = tape.rows(sums, text.pairs..2 * text.pairs);
//!    self.classifier.logits_of_contrast(tape, premises, hypotheses)
//!    ```
//! 2. Name it in `models/mod.rs`: `mod`, the list [`CATALOG`], and [`Settings`] with its three `match`es. The tests that walk the list now train it
//!    on a toy set, save and load it, score it alone and in a batch, with empty sentences and with other numbers of threads.
//! 3. Write it in PyTorch in `golden/reference.py`, add a case to `golden/make_golden.py` and run that: the test `golden` compares logits,
//!    gradients and ten losses.
//!
//! # Add an operation
//!
//! One file in `ops/`: a method of [`Tape`] that computes the value, a record with the backward pass ([`tape::Operation`]), and a test that calls
//! the one check of them all, which compares every gradient with finite differences.

mod batch;
#[cfg(test)]
mod check;
mod embeddings;
mod error;
mod kernel;
pub mod matrix;
pub mod models;
mod network;
pub mod ops;
pub mod optimiser;
pub mod parameters;
pub mod product;
mod saved;
mod schedule;
mod simd;
pub mod tape;
mod trainer;
mod vocabulary;
mod weights;

pub use batch::{Batch, CLASSES, Segments};
pub use embeddings::Embeddings;
pub use error::{Error, Result};
pub use models::{CATALOG, Settings};
pub use network::Network;
pub use optimiser::Optimiser;
pub use schedule::{Progress, Schedule};
pub use tape::Tape;
pub use trainer::{Step, Trainer, Training};
pub use vocabulary::{UNKNOWN, Vocabulary};
pub use weights::Precision;
