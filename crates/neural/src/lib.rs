//! Small neural networks for sentence pairs, fast on a CPU.
//!
//! **Ragged batches.** The words of all sentences of a batch are the rows of one matrix, premises first; [`Segments`] hold where each
//! sentence begins. There is no padding and there are no masks. **Fused operations.** A [`Tape`] records a few large operations
//! ([`ops`]), each with a hand-written backward pass. **Deterministic.** Initial weights are seeded by parameter name and dropout by
//! step, both from an [`acidtest_nli::Seed`]; no sum is split over threads, so training gives the same weights for any number of threads
//! on a machine. **Threads** are those of the [`acidtest_threads::Threads`] that a [`Classifier`] is given.
//!
//! # Train a network and score pairs
//!
//! A [`Featurizer`] turns pairs into [`Inputs`], ragged [columns](Column) of features: words, tags, characters, trees. It is built while
//! the training pairs are read.
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
//! 1. Write `networks/NAME.rs`: an `ENTRY`, a settings struct with defaults (it may be private), a struct of the layers, and the forward
//!    pass in operations of the tape, close to the formulas of the paper. A network that encodes each sentence independently first is a
//!    [`TwoStepNetwork`](networks::TwoStepNetwork), and each distinct sentence is then encoded only once; any other is a [`Network`]. This
//!    is all of CBOW:
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
//! 2. Add a line to [`CATALOG`] (and the `mod` line) in `networks/mod.rs`. The tests that iterate over the catalog then train it on a toy
//!    set, save and load it, and score it alone, in a batch and among many pairs, with empty sentences, different numbers of threads and of
//!    classes.
//! 3. Write it in PyTorch in `golden/reference.py` (a class, and its name in `MODELS`), add a case with its name to
//!    `golden/make_golden.py` and run that: the test `golden` compares logits, gradients and ten losses.
//! 4. `acidtest list` now shows it, which changes one digest: update it with `ACIDTEST_DIGESTS=write cargo test -p acidtest --test
//!    digests`.
//!
//! A network that needs other features than words brings its own [`Featurizer`] in the same file and names it in its `ENTRY`; nothing
//! else changes. `tests/toy_tree.rs` is an example: trees, an operation of its own, two classes.
//!
//! # Add an operation
//!
//! Write one file in `ops/`, or a function in the file of the network that needs it. The function computes a value from those of a
//! [`Tape`] and [records](Tape::record) it with its backward pass ([`tape::Operation`]). Its test calls [`check`], which compares every
//! gradient with finite differences.

mod bf16;
pub mod check;
mod classifier;
pub mod column;
mod embeddings;
mod error;
mod features;
pub mod featurizers;
mod inputs;
mod int8;
mod kernel;
pub mod matrix;
pub mod networks;
pub mod ops;
pub mod optimiser;
pub mod parameters;
mod precision;
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
mod weights_file;

pub use classifier::{Classifier, Definition};
pub use column::Column;
pub use embeddings::{Embeddings, KnownVectors, VectorsWanted};
pub use error::{NeuralError, Result};
pub use features::{BuiltFeaturizer, Featurizer, FeaturizerBuilder, FeaturizerEntry, ModelFiles, PairFeatures, SentenceFeatures};
pub use inputs::Inputs;
pub use networks::{CATALOG, Network, NetworkEntry, NetworkSettings};
pub use optimiser::{BiasCorrection, Optimiser};
pub use precision::ComputePrecision;
pub use saved::TensorSource;
pub use schedule::{Fall, Schedule, ScheduleState};
pub use segments::Segments;
pub use simd::instructions;
#[doc(hidden)]
pub use simd::{Level, levels, use_level};
pub use sizes::Sizes;
pub use tape::Tape;
pub use trainer::{Step, Trainer, TrainerSettings};
pub use vocabulary::{UNKNOWN, Vocabulary};
pub use weights::{NamedTensor, Precision, write_tensors};
