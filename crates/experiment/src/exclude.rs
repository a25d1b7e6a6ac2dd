//! Pairs that a generator must not produce.

use crate::data::{Data, note_read};
use crate::error::Error;
use crate::session::Session;
use acidtest_corpus::{CorpusError, IdPolicy, for_blocks};

/// Premise and hypothesis of every example.
pub fn pairs_of(data: Data, session: &Session<'_>) -> Result<Vec<(String, String)>, Error> {
    let mut pairs = Vec::new();
    let counts = for_blocks(
        &mut *data.source(),
        session.loop_options(IdPolicy::Unchecked),
        |examples| {
            let texts = examples.map(|row| (row.example.pair.premise.text.into_owned(), row.example.pair.hypothesis.text.into_owned()));
            Ok(texts.collect::<Vec<_>>())
        },
        |texts| {
            pairs.extend(texts);
            Ok::<(), CorpusError>(())
        },
    )?;
    note_read(&counts.files, session);
    Ok(pairs)
}
