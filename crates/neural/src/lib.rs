//! Small neural networks over two sentences, fast on a processor.
//!
//! **Ragged, everywhere.** The words of all sentences of a batch are the rows of one matrix, premises first; [`Segments`] say where each
//! sentence begins. There is no padding and there are no masks. **Fused.** A [`Tape`] records a few large operations ([`ops`]), each with
//! a backward pass written by hand. **Deterministic.** Weights begin by parameter name and dropout is drawn by step, both from an
//! [`acidtest_nli::Seed`]; no sum is split over threads, so the weights after training are the same for any number of threads on a machine.
//! **Threads** are those of the [`acidtest_threads::Threads`] that a [`Classifier`] is given.
//!
//! # Train and ask a network
//!
//! A [`Featurizer`] turns pairs into [`Inputs`], ragged [columns](Column) of anything a network may read: words, tags, characters, trees. It is
//! built while the training pairs are read.
//!
//! ```
//! use acidtest_neural::{Classifier, Definition, KnownVectors, NetworkSettings, Trainer, TrainerSettings};
//! use acidtest_nli::{Pair, Seed};
//! use acidtest_threads::Threads;
//!
//! let settings = NetworkSettings::from_json(r#"{"model": "decomposable", "hidden": 20, "dropout": 0.0}"#)?;
//! let builder = (settings.entry().featurizer.builder)(&serde_json::json!({"embedding_dimension": 50}))?;
//! let pair = Pair::plain("A dog barks.", "No dog barks.");
//! let mut seen = builder.see(&pair);
//! let built = builder.finish(&KnownVectors::default())?;
//! (built.settle)(&mut seen);
//!
//! let definition = Definition { settings, sizes: built.sizes, classes: 3 };
//! let threads = Threads::all_cores()?;
//! let network = Classifier::new(&definition, built.vectors.as_ref(), Seed::new(1), &threads)?;
//! let mut trainer = Trainer::new(network, TrainerSettings::default())?;
//! let batch = built.featurizer.batch(&[&seen])?.labelled(vec![2])?;
//! let before = trainer.step(&batch)?.loss;
//! let after = trainer.step(&batch)?.loss;
//! assert!(after < before);
//! let scores = trainer.classifier().scores(&[&built.featurizer.features(&pair)])?; // [1 pair × 3 classes]
//! # assert_eq!((scores.rows, scores.columns), (1, 3));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Add a network
//!
//! 1. Write `networks/NAME.rs`: an `ENTRY`, a settings struct with defaults, which may be private, a struct that holds the layers, and what the network
//!    does, which says in the tape's operations what the paper says in formulas. A network that reads each sentence by itself first is a
//!    [`TwoStepNetwork`](networks::TwoStepNetwork), and each distinct sentence is then read once; any other is a [`Network`]. This is all of CBOW:
//!
//!    ```text
//!    fn encode(&self, tape: &mut Tape<'_>, inputs: &Inputs) -> Encoded {
//!        let words = self.words.embed(tape, inputs);
//!        let sums = tape.pool(words, &inputs.segments, Pooling::Sum); // [sentences × dimension]
//!        Encoded::of_sentences(inputs, sums)
//!    }
//!
//!    fn compare(&self, tape: &mut Tape<'_>, encoded: &Encoded) -> Node {
//!        let (premises, hypotheses) = encoded.sides(tape); // [pairs × dimension] each
//!        self.classifier.logits_of_contrast(tape, premises, hypotheses)
//!    }
//!    ```
//! 2. Add a line to the list [`CATALOG`] (and the `mod` line) in `networks/mod.rs`. The tests that walk the list now train it on a toy set, save and
//!    load it, score it alone, in a batch and among many, with empty sentences, other numbers of threads and other numbers of classes.
//! 3. Write it in PyTorch in `golden/reference.py` (a class, and its name in `MODELS`), add a case of the network's name to `golden/make_golden.py` and run
//!    that: the test `golden` compares logits, gradients and ten losses.
//! 4. `acidtest list` now shows it, which changes one digest: `ACIDTEST_DIGESTS=write cargo test -p acidtest --test digests` writes it down.
//!
//! A network that reads something else than words brings its own [`Featurizer`] in the same file and names it in its `ENTRY`; nothing else changes.
//! `tests/toy_tree.rs` is such a network: trees, an operation of its own, two classes.
//!
//! # Add an operation
//!
//! One file in `ops/`, or in the file of the network that needs it: a function that computes a value from those of a [`Tape`] and
//! [records](Tape::record) it with its backward pass ([`tape::Operation`]), and a test that calls the one check of them all, which compares every
//! gradient with finite differences.

pub mod check;
mod classifier;
pub mod column;
mod embeddings;
mod error;
mod features;
pub mod featurizers;
mod inputs;
mod kernel;
pub mod matrix;
pub mod networks;
pub mod ops;
pub mod optimiser;
pub mod parameters;
pub mod product;
mod saved;
mod schedule;
mod scoring;
mod segments;
mod simd;
mod sizes;
pub mod tape;
#[cfg(test)]
mod test_networks;
mod trainer;
mod vocabulary;
mod weights;

pub use classifier::{Classifier, Definition};
pub use column::Column;
pub use embeddings::{Embeddings, KnownVectors, VectorsWanted};
pub use error::{NeuralError, Result};
pub use features::{BuiltFeaturizer, Featurizer, FeaturizerBuilder, FeaturizerEntry, ModelFiles, PairFeatures, SentenceFeatures};
pub use inputs::Inputs;
pub use networks::{CATALOG, Network, NetworkEntry, NetworkSettings};
pub use optimiser::Optimiser;
pub use schedule::{Schedule, ScheduleState};
pub use segments::Segments;
pub use sizes::Sizes;
pub use tape::Tape;
pub use trainer::{Step, Trainer, TrainerSettings};
pub use vocabulary::{UNKNOWN, Vocabulary};
pub use weights::Precision;
