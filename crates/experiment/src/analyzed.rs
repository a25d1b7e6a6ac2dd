//! The analysis of English text as it is given out: as JSON, or as CoNLL-U.

mod conllu;
mod view;

pub use conllu::write as write_conllu;
pub use view::{ClauseView, ConstituentView, ModifierView, NameView, NumberView, PhraseView, SentenceView, TextView, WordView};
