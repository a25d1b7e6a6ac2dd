//! What challenges need from other corpora: pairs that a generator must not produce, and counts of training data.

use crate::data::{Data, note_read};
use crate::error::Error;
use crate::session::Session;
use acidtest_challenge::TrainingCounts;
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

/// Counts how often antonym pairs are in contradictions of the training data.
pub fn training_counts(data: Data, session: &Session<'_>) -> Result<TrainingCounts, Error> {
    let mut all = TrainingCounts::default();
    let counts = for_blocks(
        &mut *data.source(),
        session.loop_options(IdPolicy::Unchecked),
        |examples| {
            let mut own = TrainingCounts::default();
            examples.for_each(|row| own.add(&row.example));
            Ok(own)
        },
        |own| {
            all.merge(&own);
            Ok::<(), CorpusError>(())
        },
    )?;
    note_read(&counts.files, session);
    Ok(all)
}
