//! Transformer models for sentence pairs in the Hugging Face format, run and trained without Python.
//!
//! [`Transformer::open`] reads a folder with config.json, safetensors weights and a tokenizer. Each architecture is one file in
//! `architectures`, written in the operations of [`acidtest_neural`], so that it runs on ragged batches without padding, gives a pair the
//! same bits alone and in any batch, and can be trained.
//!
//! [`Transformer::for_training`] opens a folder to train it, with a new head where there is none, [`Transformer::prepare`] says which layers
//! learn, and how fast, and [`Transformer::save`] writes a folder that `transformers` opens with equal outputs.
//!
//! # Add an architecture
//!
//! 1. Write `architectures/NAME.rs`: the keys of config.json, a struct of layers that are declared under the names of their tensors, and
//!    the forward pass. Blocks that several architectures share are in `blocks.rs`.
//! 2. List it in `architectures::CATALOG`.
//! 3. Add a tiny random model to `golden/make_golden.py` and run it: the test `golden` compares token ids, hidden states, logits,
//!    gradients and ten losses with PyTorch.

mod architectures;
mod blocks;
mod error;
mod folder;
mod labels;
mod long;
mod model;
mod outline;
mod saving;
mod tensors;
mod tokens;
mod training;
mod vocabulary;

pub use architectures::{Architecture, CATALOG, PairTemplate};
pub use error::{Result, TransformerError};
pub use folder::{CONFIG_FILE, Folder, HasFiles, has_files_of_transformer, is_transformer};
pub use labels::{OneOutput, Outputs};
pub use long::{LongPremises, OVERLAP, combined};
pub use model::{Origin, Transformer, transformer_hash};
pub use saving::WriteFile;
pub use tokens::{Subwords, SubwordsReader, TOKENS, TYPES, TypeIds};
pub use training::{FineTuning, TrainingStart};
