//! What the released script does.

use super::settings::Changed;
use super::tags;
use crate::{NotApplicable, SentencePair, SentenceVersion, SourceSentence};
use acidtest_lingua::View;
use acidtest_lingua::edit::Edited;
use acidtest_lingua::view::binary_words;
use acidtest_lingua::wordnet::{PartOfSpeech, Synset, WordNet, WordNetRelation, lesk_as_published};
use acidtest_nli::{Side, Tags};
use std::collections::BTreeSet;

/// Words that the script leaves alone.
#[rustfmt::skip]
const STOP_WORDS: [&str; 25] = [
    "here", "goodness", "yes", "no", "decision", "growing", "priority", "cheers", "volume", "right", "left", "goods", "addition", "income",
    "indecision", "there", "parent", "being", "parents", "lord", "lady", "put", "capital", "lowercase", "unions",
];

/// The pairs of a sentence: every token, every antonym of every word of its sense.
pub(super) fn pairs(
    source: &SourceSentence<'_, '_>,
    tag: impl Fn(&str, &str) -> Tags<'static>,
) -> Result<Vec<SentencePair>, NotApplicable> {
    let view = source.view;
    let tokens = tokens(view);
    let context: Vec<&str> = tokens.iter().map(String::as_str).collect();
    let mut made = Vec::new();
    let mut seen = BTreeSet::new();
    for token in tokens.iter().filter(|token| !STOP_WORDS.contains(&token.as_str())) {
        if !may_have_antonym(token) {
            continue;
        }
        let Some(sense) = lesk_as_published(context.iter().copied(), token, None).map(|id| WordNet::get().synset(id)) else { continue };
        // Adjectives have their antonyms in head synsets, which the script passes over; so only nouns are ever changed.
        if !(sense.part() == PartOfSpeech::Noun || sense.is_satellite()) {
            continue;
        }
        for antonym in antonyms(&sense) {
            // The lower-cased token is looked for in the text as it is, so that capitalised words are missed and parts of words are hit.
            let Some(at) = view.text().find(token.as_str()) else { continue };
            let edited = View::plain(view.text()).edit().replace_span(at..at + token.len(), antonym).finish()?;
            if seen.insert(edited.text.clone()) {
                made.push(pair(source.side, edited, tag(token, antonym)));
            }
        }
    }
    if made.is_empty() { Err(NotApplicable("no noun whose sense has an antonym")) } else { Ok(made) }
}

/// (premise, changed premise), but (changed hypothesis, hypothesis).
fn pair(side: Side, edited: Edited, tags: Tags<'static>) -> SentencePair {
    let place = match side {
        Side::Premise => Changed::Hypothesis,
        Side::Hypothesis => Changed::Premise,
    };
    tags::pair(place, SentenceVersion::Changed(edited), tags)
}

/// The tokens of the binary parse in lower case; ours where there is none.
fn tokens(view: &View<'_>) -> Vec<String> {
    match view.binary_parse() {
        Some(parse) => binary_words(parse).map(str::to_lowercase).collect(),
        None => view.words().iter().map(|word| word.form.to_lowercase()).collect(),
    }
}

/// Every antonym of every word of a synset, except names of several words and `civilian`.
fn antonyms(sense: &Synset<'static>) -> Vec<&'static str> {
    let of_word = |word: &'static str| sense.related_words(word, WordNetRelation::Antonym).into_iter().map(|(antonym, _)| antonym);
    sense.words().flat_map(of_word).filter(|antonym| !antonym.contains('_') && *antonym != "civilian").collect()
}

/// Whether any sense that would be taken has an antonym; others need not be told apart.
fn may_have_antonym(token: &str) -> bool {
    let net = WordNet::get();
    let taken = |synset: &Synset<'_>| synset.part() == PartOfSpeech::Noun || synset.is_satellite();
    let has = |synset: Synset<'_>| taken(&synset) && synset.related(WordNetRelation::Antonym).next().is_some();
    net.synsets_of_form(token).into_iter().any(|id| has(net.synset(id)))
}
