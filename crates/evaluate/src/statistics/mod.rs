//! Statistics of correct and wrong predictions: intervals, paired tests, corrections for many tests, runs of one model, agreement.
//!
//! Inputs and outputs are plain data: outcomes are slices of `bool` (whether a prediction is correct), and examples of one parent, premise or
//! template share a `u32` cluster number. Nothing here reads, writes or prints.
//!
//! What to use:
//!
//! | question | use |
//! |---|---|
//! | how certain is one accuracy? | [`Proportion::wilson`]; for dependent examples [`clustered::ClusteredAccuracy`] |
//! | do two systems differ on the same examples? | [`clustered::ClusteredDifference`]; with one example per cluster it is [`mcnemar`] |
//! | which of many tests are significant together? | [`multiple`] |
//! | what is the minimum detectable difference? | [`clustered::ClusteredDifference::minimum_detectable`] |
//! | which models are not significantly worse than the best? | [`tied`] |
//! | how much does the seed of a training run matter? | [`runs`] |
//! | do two training methods differ beyond their seeds? | [`Welch`] |
//! | how accurate is a model on valid labels? | [`label_noise`] |
//! | how accurate is it against true labels, if judges gave some of them? | [`judged_labels`] |
//! | how far do two judges agree beyond chance? | [`kappa`] |
//! | how far do two or more judges agree on the same items? | [`agreement`] |
//! | were the labels read in the right order? | [`permutation`] |

pub mod agreement;
pub mod clustered;
mod error;
mod interval;
pub mod judged_labels;
pub mod kappa;
pub mod label_noise;
pub mod mcnemar;
pub mod multiple;
pub(crate) mod normal;
mod paired;
pub mod permutation;
pub mod power;
pub mod runs;
pub mod tied;
mod welch;

pub use error::StatisticsError;
pub use interval::{CONFIDENCE, Interval, Proportion};
pub use paired::PairedCounts;
pub use welch::Welch;
