//! Flags that several verbs share, and the specs that they fill.

mod data;
mod lexical;
mod model;
mod session;

pub use data::DataFlags;
pub use lexical::LexicalFlag;
pub use model::{ModelFlags, PredictionFlags};
pub use session::{SessionFlags, ThreadFlags};
