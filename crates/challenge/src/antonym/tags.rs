//! The pairs with their tags.

use super::lists::{AntonymType, Lists};
use super::settings::{Changed, part_name};
use super::training::TrainingCounts;
use crate::{SentencePair, SentenceVersion};
use acidtest_lingua::wordnet::PartOfSpeech;
use acidtest_nli::{Judgment, Label, Tags, tag};

/// The tags of a change.
pub(super) fn of_change(part: PartOfSpeech, word: &str, antonym: &str, training: Option<&TrainingCounts>) -> Tags<'static> {
    let mut tags = Tags::default();
    tags.set(tag::ANTONYM, format!("{word}>{antonym}"));
    tags.set(tag::ANTONYM_PAIR, pair_name(word, antonym));
    tags.set(tag::ANTONYM_TYPE, type_of(part, word, antonym).name());
    if let Some(counts) = training {
        tags.set(tag::TRAINING_COUNT, counts.of(word, antonym).to_string());
    }
    tags.set(tag::WORD_CLASS, part_name(part));
    tags
}

/// The two words in alphabetical order.
pub(super) fn pair_name(word: &str, antonym: &str) -> String {
    let (first, second) = if word <= antonym { (word, antonym) } else { (antonym, word) };
    format!("{first}-{second}")
}

fn type_of(part: PartOfSpeech, word: &str, antonym: &str) -> AntonymType {
    Lists::get().type_of(part, word, antonym)
}

/// A contradiction of a sentence and its changed copy.
pub(super) fn pair(place: Changed, changed: SentenceVersion, tags: Tags<'static>) -> SentencePair {
    let (premise, hypothesis) = match place {
        Changed::Hypothesis => (SentenceVersion::Original, changed),
        Changed::Premise => (changed, SentenceVersion::Original),
    };
    SentencePair { premise, hypothesis, gold: Judgment::Exact(Label::Contradiction), tags, control: None }
}
