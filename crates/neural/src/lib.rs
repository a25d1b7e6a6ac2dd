//! neural
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
mod schedule;
mod simd;
pub mod tape;
mod trainer;
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
