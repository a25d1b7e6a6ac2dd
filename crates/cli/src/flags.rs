//! Flags that several verbs share, and the specs that they fill.

mod data;
mod evaluation;
mod limit;
mod model;
mod run;
mod session;

pub(crate) use data::{DataFlags, UnlabelledRows};
pub(crate) use evaluation::EvaluationFlags;
pub(crate) use limit::LimitFlag;
pub(crate) use model::{ModelFlags, PredictionFlags};
pub(crate) use run::RunFlags;
pub(crate) use session::{SessionFlags, ThreadFlags};
