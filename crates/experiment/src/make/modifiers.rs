//! The first pass for challenges that add modifiers: counts which modifiers a corpus uses with which nouns.

use crate::data::{Data, note_read};
use crate::error::Error;
use crate::session::Session;
use crate::training::TrainingError;
use acidtest_challenge::{Challenge, ModifierCounts, ModifierTable};
use acidtest_corpus::{CorpusError, IdPolicy, InputFile, for_blocks};
use acidtest_nli::Example;
use acidtest_threads::in_order;
use std::sync::Arc;

/// The number of examples a thread counts at a time.
const BLOCK: usize = 1000;

/// Counts the modifiers of each noun in a corpus. The counts are the same for any number of threads.
pub fn modifier_table(data: Data, session: &Session<'_>) -> Result<ModifierTable, CorpusError> {
    let mut table = ModifierTable::default();
    let counts = for_blocks(
        &mut *data.with_passages().source(),
        session.loop_options(IdPolicy::Unchecked),
        |examples| Ok(examples.map(|row| ModifierCounts::of(&row.example)).collect::<Vec<_>>()),
        |counted| {
            counted.into_iter().for_each(|counts| table.add(counts));
            Ok::<(), CorpusError>(())
        },
    )?;
    note_read(&counts.files, session);
    Ok(table)
}

/// Counts the modifiers of a corpus for challenges that need them and have none. The corpus is read once more, so it cannot be standard
/// input.
pub(crate) fn count_in<'c, E: From<CorpusError> + From<ReadTwice>>(
    data: &Data,
    challenges: impl IntoIterator<Item = &'c Challenge>,
    session: &Session<'_>,
) -> Result<(), E> {
    fill(challenges, || {
        if matches!(data, Data::Files(files, _) if files.iter().any(InputFile::is_standard_input)) {
            return Err(ReadTwice.into());
        }
        Ok(modifier_table(data.clone(), session)?)
    })
}

/// Standard input, which cannot be read a second time.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ReadTwice;

impl From<ReadTwice> for Error {
    fn from(_: ReadTwice) -> Self {
        Error::ReadTwice
    }
}

impl From<ReadTwice> for TrainingError {
    fn from(_: ReadTwice) -> Self {
        TrainingError::ReadTwice
    }
}

/// The same for examples in memory.
pub(crate) fn count_of<'c>(
    examples: &[Example<'_>],
    challenges: impl IntoIterator<Item = &'c Challenge>,
    session: &Session<'_>,
) -> Result<(), Error> {
    fill(challenges, || -> Result<_, Error> {
        let mut table = ModifierTable::default();
        let mut blocks = examples.chunks(BLOCK);
        in_order(
            &session.threads,
            || Ok(blocks.next()),
            |block| Ok::<_, Error>(block.iter().map(ModifierCounts::of).collect::<Vec<_>>()),
            |counted| {
                counted.into_iter().for_each(|counts| table.add(counts));
                Ok(session.check_cancelled()?)
            },
        )?;
        Ok(table)
    })
}

fn fill<'c, E>(challenges: impl IntoIterator<Item = &'c Challenge>, count: impl FnOnce() -> Result<ModifierTable, E>) -> Result<(), E> {
    let empty: Vec<_> = challenges.into_iter().filter_map(Challenge::modifiers).filter(|slot| slot.get().is_none()).collect();
    if !empty.is_empty() {
        let table = Arc::new(count()?);
        empty.into_iter().for_each(|slot| slot.fill(table.clone()));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec::ChallengeSpec;
    use acidtest_challenge::Resources;
    use acidtest_nli::Pair;
    use acidtest_threads::Threads;

    fn examples() -> Vec<Example<'static>> {
        let pair = |n: usize| Pair { id: n.to_string().into(), ..Pair::plain("An old man sits.", "There is a large dog.") };
        let texts = (0..3000).map(|n| Example { pair: pair(n), ..Example::default() });
        let own = ["An old man is here.", "The old man is asleep."].into_iter().enumerate();
        texts
            .chain(
                own.map(|(n, text)| Example { pair: Pair { id: format!("o{n}").into(), ..Pair::plain(text, "") }, ..Example::default() }),
            )
            .collect()
    }

    fn counted(threads: usize) -> (ModifierTable, ModifierTable) {
        let session = Session { threads: Threads::new(threads.try_into().unwrap()).unwrap(), ..Session::quiet().unwrap() };
        let challenge = ChallengeSpec::named("added-modifier").resolve(&Resources::default()).unwrap();
        count_of(&examples(), [&challenge], &session).unwrap();
        let in_memory = challenge.modifiers().and_then(|slot| slot.get()).unwrap().clone();
        (modifier_table(Data::Examples(examples(), Vec::new()), &session).unwrap(), in_memory)
    }

    #[test]
    fn counts_are_the_same_for_any_number_of_threads_and_in_memory() {
        let (streamed, in_memory) = counted(1);
        assert_eq!((streamed.count("old", "man"), streamed.count("large", "dog")), (3, 1));
        assert_eq!(streamed, in_memory);
        assert_eq!((streamed.clone(), in_memory), counted(3));
    }

    #[test]
    fn a_given_table_is_not_counted_again() {
        let table = Arc::new(ModifierTable::default());
        let resources = Resources { modifiers: Some(table), ..Resources::default() };
        let challenge = ChallengeSpec::named("added-modifier").resolve(&resources).unwrap();
        count_of(&examples(), [&challenge], &Session::quiet().unwrap()).unwrap();
        assert_eq!(challenge.modifiers().and_then(|slot| slot.get()).unwrap().sentences(), 0);
    }
}
