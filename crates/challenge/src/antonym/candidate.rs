//! Words of a sentence that may have an antonym.

use super::lists::{AntonymType, Lists};
use super::sentence::Sentence;
use acidtest_lingua::inflect::inflect;
use acidtest_lingua::tag::Tag;
use acidtest_lingua::wordnet::{PartOfSpeech, WordNet, WordNetRelation};
use std::collections::HashMap;

/// A word of a sentence that may be changed.
#[derive(Debug, Clone, Copy)]
pub(super) struct Candidate<'s, 'v> {
    /// The sentence it stands in.
    pub(super) sentence: &'s Sentence<'v>,
    /// All sentences of the text.
    pub(super) text: &'s [Sentence<'v>],
    /// The text itself.
    pub(super) source: &'s str,
    /// Its place in the sentence.
    pub(super) at: usize,
    /// Its word class.
    pub(super) part: PartOfSpeech,
    /// Its dictionary form.
    pub(super) lemma: &'s str,
}

impl Candidate<'_, '_> {
    /// Whether every listed antonym of the word is its complement: what is not the one is the other.
    pub(super) fn is_complementary(&self) -> bool {
        let mut listed = Lists::get().of_word(self.part, self.lemma).peekable();
        listed.peek().is_some() && listed.all(|pair| pair.kind == AntonymType::Complementary)
    }

    /// The noun phrase that is changed: the noun itself, or the one that the adjective describes.
    pub(super) fn noun(&self) -> Option<usize> {
        match self.part {
            PartOfSpeech::Noun => Some(self.at),
            PartOfSpeech::Adjective => self.sentence.described(self.at),
            PartOfSpeech::Verb | PartOfSpeech::Adverb => None,
        }
    }
}

/// Forms of words that have an antonym, each with the dictionary forms it may belong to.
#[derive(Debug)]
pub(super) struct Forms(HashMap<String, Vec<(PartOfSpeech, &'static str)>>);

impl Forms {
    /// The forms of the listed words of some word classes.
    pub(super) fn listed(parts: &[PartOfSpeech]) -> Forms {
        Forms::of(Lists::get().pairs.iter().map(|pair| (pair.part, pair.word)).filter(|(part, _)| parts.contains(part)))
    }

    /// The forms of all words of some word classes to which WordNet gives an antonym, directly or through a word of the same synset.
    pub(super) fn of_wordnet(parts: &[PartOfSpeech]) -> Forms {
        let net = WordNet::get();
        let opposed =
            net.synsets().filter(|synset| parts.contains(&synset.part()) && synset.related(WordNetRelation::Antonym).next().is_some());
        let words = opposed.flat_map(|synset| synset.words().map(move |word| (synset.part(), word)));
        Forms::of(words.filter(|(_, word)| word.bytes().all(|byte| byte.is_ascii_lowercase())))
    }

    /// The forms of every word of the list, changed or changed to.
    pub(super) fn of_antonyms() -> Forms {
        Forms::of(Lists::get().pairs.iter().flat_map(|pair| [(pair.part, pair.word), (pair.part, pair.antonym)]))
    }

    fn of(words: impl Iterator<Item = (PartOfSpeech, &'static str)>) -> Forms {
        let mut forms: HashMap<String, Vec<(PartOfSpeech, &'static str)>> = HashMap::new();
        for (part, word) in words {
            for tag in tags_of(part) {
                let Some(form) = inflect(word, *tag) else { continue };
                let known = forms.entry(form).or_default();
                if !known.contains(&(part, word)) {
                    known.push((part, word));
                }
            }
        }
        Forms(forms)
    }

    /// Whether any word has this form, in lower case.
    pub(super) fn has(&self, form: &str) -> bool {
        self.0.contains_key(form)
    }

    /// The dictionary forms of a form in lower case, whatever its word class.
    pub(super) fn lemmas(&self, form: &str) -> impl Iterator<Item = &'static str> {
        self.0.get(form).into_iter().flatten().map(|(_, word)| *word)
    }

    /// The dictionary forms of a form in lower case with this tag.
    pub(super) fn find(&self, form: &str, tag: Tag) -> impl Iterator<Item = (PartOfSpeech, &'static str)> {
        let part = PartOfSpeech::of_tag(tag).filter(|_| !tag.is_proper_noun());
        let fits = move |word: &str| inflect(word, tag).is_some_and(|inflected| inflected == form);
        let known = self.0.get(form).into_iter().flatten().copied();
        known.filter(move |(own, word)| Some(*own) == part && fits(word))
    }
}

/// The tags of the forms of a word class.
fn tags_of(part: PartOfSpeech) -> &'static [Tag] {
    match part {
        PartOfSpeech::Noun => &[Tag::NN, Tag::NNS],
        PartOfSpeech::Verb => &[Tag::VB, Tag::VBD, Tag::VBG, Tag::VBN, Tag::VBP, Tag::VBZ],
        PartOfSpeech::Adjective => &[Tag::JJ, Tag::JJR, Tag::JJS],
        PartOfSpeech::Adverb => &[Tag::RB, Tag::RBR, Tag::RBS],
    }
}
