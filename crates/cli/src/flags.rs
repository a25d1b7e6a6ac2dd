//! Flags that several verbs share, and the specs that they fill.

mod data;
mod lexical;
mod model;
mod session;

pub(crate) use data::DataFlags;
pub(crate) use lexical::LexicalFlag;
pub(crate) use model::{ModelFlags, PredictionFlags};
pub(crate) use session::{SessionFlags, ThreadFlags};
