//! The words of a sentence with their tags, whichever analysis these come from.

use acidtest_lingua::View;
use acidtest_lingua::analyzer::AnalyzedSentence;
use acidtest_lingua::lemma::lemma_of;
use acidtest_lingua::tag::Tag;
use std::ops::Range;

/// The words of a sentence, by index.
#[derive(Debug)]
pub(crate) struct Words<'v> {
    words: Vec<Word<'v>>,
}

#[derive(Debug)]
struct Word<'v> {
    form: &'v str,
    lower: String,
    tag: Option<Tag>,
}

impl<'v> Words<'v> {
    /// These words with these tags.
    pub(crate) fn new(words: impl Iterator<Item = (&'v str, Option<Tag>)>) -> Self {
        let word = |(form, tag): (&'v str, Option<Tag>)| {
            let lower = if form.is_ascii() { form.to_ascii_lowercase() } else { form.to_lowercase().replace('\u{2019}', "'") };
            Word { form, lower, tag }
        };
        Words { words: words.map(word).collect() }
    }

    /// The words of a view with the tags that its leaves have.
    pub(crate) fn tagged(view: &'v View<'_>) -> Self {
        let tags = view.leaves().iter().map(|leaf| Tag::from_name(leaf.tag));
        Words::new(view.words().iter().map(|word| word.form).zip(tags))
    }

    /// The same with the tags of our own parse.
    pub(crate) fn parsed(view: &'v View<'_>, sentence: &AnalyzedSentence) -> Self {
        let tags = sentence.words.iter().map(|word| Some(word.tag));
        Words::new(view.words().iter().map(|word| word.form).zip(tags))
    }

    pub(crate) fn len(&self) -> usize {
        self.words.len()
    }

    /// A word as it is written; empty beyond the end.
    pub(crate) fn form(&self, at: usize) -> &'v str {
        self.words.get(at).map_or("", |word| word.form)
    }

    /// The word in small letters; empty beyond the end.
    pub(crate) fn lower(&self, at: usize) -> &str {
        self.words.get(at).map_or("", |word| word.lower.as_str())
    }

    /// The word before one in small letters; empty at the beginning.
    pub(crate) fn before(&self, at: usize) -> &str {
        at.checked_sub(1).map_or("", |before| self.lower(before))
    }

    pub(crate) fn tag(&self, at: usize) -> Option<Tag> {
        self.words.get(at)?.tag
    }

    /// The tag of the word before one.
    pub(crate) fn tag_before(&self, at: usize) -> Option<Tag> {
        self.tag(at.checked_sub(1)?)
    }

    pub(crate) fn is_noun(&self, at: usize) -> bool {
        self.tag(at).is_some_and(Tag::is_noun)
    }

    pub(crate) fn is_common_noun(&self, at: usize) -> bool {
        matches!(self.tag(at), Some(Tag::NN | Tag::NNS))
    }

    pub(crate) fn is_capital(&self, at: usize) -> bool {
        self.form(at).starts_with(char::is_uppercase)
    }

    /// All words in small letters.
    pub(crate) fn all(&self) -> impl Iterator<Item = &str> {
        self.words.iter().map(|word| word.lower.as_str())
    }

    /// The words of a range in small letters.
    pub(crate) fn lowers(&self, range: Range<usize>) -> impl Iterator<Item = &str> {
        range.map(|at| self.lower(at))
    }

    /// The words of a range, joined by spaces.
    pub(crate) fn text(&self, range: Range<usize>) -> String {
        range.map(|at| self.form(at)).collect::<Vec<_>>().join(" ")
    }

    /// The dictionary form in small letters.
    pub(crate) fn lemma(&self, at: usize) -> String {
        match self.tag(at) {
            Some(tag) if tag.is_noun() => noun_lemma(self.lower(at), tag.name()),
            Some(tag) => lemma_of(self.lower(at), tag).to_lowercase(),
            None => self.lower(at).to_string(),
        }
    }
}

/// The dictionary form of a noun, in lower case; that of `people` is `person`.
pub(crate) fn noun_lemma(form: &str, tag: &str) -> String {
    let lemma = Tag::from_name(tag).map_or_else(|| form.to_lowercase(), |tag| lemma_of(form, tag).to_lowercase());
    if lemma == "people" { "person".to_string() } else { lemma }
}
