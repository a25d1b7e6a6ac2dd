//! Statistics of correct and wrong predictions: intervals, paired tests, corrections for many tests, runs of one model, agreement.
//!
//! Plain data in, plain data out: rows are slices of `bool` (was the answer right), and rows that belong together (one parent, premise or
//! template) share a `u32` cluster number. Nothing here reads, writes or prints.
//!
//! What to use for what:
//!
//! | question | answer |
//! |---|---|
//! | how sure is one rate? | [`Proportion::wilson`]; with dependent rows [`clustered::ClusteredAccuracy`] |
//! | do two systems differ on the same rows? | [`clustered::ClusteredDifference`]; with a row in every cluster it is [`mcnemar`] |
//! | which of many tests hold together? | [`multiple`] |
//! | how small a difference could have been seen? | [`clustered::ClusteredDifference::minimum_detectable`] |
//! | which models are as good as the best? | [`tied`] |
//! | how much is the seed of the training run? | [`runs`] |
//! | do two ways of training differ beyond their seeds? | [`Welch`] |
//! | how good is a model where labels are wrong? | [`label_noise`] |
//! | how good is it against true labels, of which judges gave some? | [`judged_labels`] |
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
