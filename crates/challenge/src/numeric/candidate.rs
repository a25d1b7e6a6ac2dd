//! A number of a sentence with the words around it.

use super::lists::List;
use acidtest_lingua::analyzer::{AnalyzedSentence, Word};
use acidtest_lingua::numbers::{Number, NumberKind};
use acidtest_lingua::parse::Relation;
use acidtest_lingua::tag::Tag;
use acidtest_lingua::view::View;

/// A number with its place among the words of our own analysis of the sentence.
pub(super) struct Candidate<'v> {
    /// The number.
    pub(super) number: &'v Number,
    /// All numbers of the text.
    pub(super) numbers: &'v [Number],
    /// The sentence that it stands in.
    pub(super) sentence: &'v AnalyzedSentence,
    /// Its words in lower case.
    pub(super) lower: Vec<String>,
    /// The first word of the number, currency sign included.
    pub(super) first: usize,
    /// The word after its last one, unit included.
    pub(super) end: usize,
}

impl<'v> Candidate<'v> {
    /// The numbers of a sentence, in order; one that is part of a longer word of the analysis is left out.
    pub(super) fn all(view: &'v View<'_>) -> Vec<Candidate<'v>> {
        let document = view.document();
        view.numbers().iter().filter_map(|number| Candidate::of(number, view.numbers(), &document.sentences)).collect()
    }

    fn of(number: &'v Number, numbers: &'v [Number], sentences: &'v [AnalyzedSentence]) -> Option<Self> {
        let sentence = sentences.iter().find(|sentence| sentence.start <= number.start && number.end <= sentence.end)?;
        let first = sentence.words.iter().position(|word| word.start == number.start)?;
        let end = sentence.words.iter().position(|word| word.end == number.end)? + 1;
        let lower = sentence.words.iter().map(|word| word.form.to_lowercase()).collect();
        let mut candidate = Candidate { number, numbers, sentence, lower, first, end };
        candidate.first = candidate.currency_before(first).unwrap_or(first);
        (first < end).then_some(candidate)
    }

    /// The currency before a word, which belongs to the number where it is a word of its own: `Rs 50`, `Rs. 50`.
    fn currency_before(&self, word: usize) -> Option<usize> {
        let previous = word.checked_sub(1)?;
        let is_currency = |place: usize| List::Currency.has(&self.lower[place]);
        if is_currency(previous) {
            return Some(previous);
        }
        previous.checked_sub(1).filter(|&place| self.lower[previous] == "." && is_currency(place))
    }

    /// The words.
    pub(super) fn words(&self) -> &'v [Word] {
        &self.sentence.words
    }

    /// The words before the number, in lower case.
    pub(super) fn before(&self) -> &[String] {
        &self.lower[..self.first]
    }

    /// The words after the number, in lower case.
    pub(super) fn after(&self) -> &[String] {
        &self.lower[self.end..]
    }

    /// The word before the number.
    pub(super) fn previous(&self) -> Option<&'v Word> {
        self.first.checked_sub(1).map(|place| &self.words()[place])
    }

    /// The word after the number.
    pub(super) fn next(&self) -> Option<&'v Word> {
        self.words().get(self.end)
    }

    /// Whether it is an amount of money.
    pub(super) fn is_money(&self) -> bool {
        matches!(self.number.kind, NumberKind::Money(_)) || List::Currency.has(&self.lower[self.first])
    }

    /// The noun that the number counts, by its place: its head, or the last of the nouns that follow it where the parse says something else.
    pub(super) fn noun(&self) -> Option<usize> {
        let last = &self.words()[self.end - 1];
        let head = last.head.checked_sub(1).filter(|head| last.relation == Relation::Nummod && *head >= self.end);
        head.or_else(|| {
            let is_noun = |word: &Word| matches!(word.tag, Tag::NN | Tag::NNS);
            let before_noun = |word: &&Word| is_noun(word) || matches!(word.tag, Tag::JJ | Tag::VBN);
            let run = self.words()[self.end..].iter().take_while(before_noun).count();
            (self.end..self.end + run).rev().find(|&place| is_noun(&self.words()[place]))
        })
    }

    /// The head of a word, by its place; none for the root.
    pub(super) fn head_of(&self, word: usize) -> Option<usize> {
        self.words()[word].head.checked_sub(1)
    }

    /// The words that depend on a word.
    pub(super) fn dependents(&self, word: usize) -> impl Iterator<Item = (usize, &'v Word)> {
        self.words().iter().enumerate().filter(move |(_, other)| other.head == word + 1)
    }

    /// Whether what the number counts comes in pieces, so that there can be fewer but not less of it.
    pub(super) fn is_counted(&self) -> bool {
        // A measure is said to be so much: `each story is less than 50 pages`, `the poem is less than 26 lines long`.
        let extends = |noun: usize| self.lower.get(noun + 1).is_some_and(|word| EXTENTS.contains(&word.as_str()));
        let is_copular = |noun: usize| self.dependents(noun).any(|(_, word)| word.relation == Relation::Cop);
        let is_rate = |noun: usize| self.lower.get(noun + 1).is_some_and(|word| word == "per");
        let is_said = |noun: usize| is_copular(noun) && (is_rate(noun) || matches!(self.lower[noun].as_str(), "pages" | "words"));
        // `5 school days` are days of a kind, which are counted; `5 square feet` are not.
        let is_plain = |word: usize| matches!(self.words()[word].tag, Tag::NN | Tag::NNS) && !List::Unit.has(&self.lower[word]);
        let of_a_kind = |noun: usize| (self.end..noun).last().is_some_and(is_plain);
        let is_unit = |noun: usize| (self.end..=noun).any(|word| List::Unit.has(&self.lower[word])) && !of_a_kind(noun);
        let counted = |noun: usize| !extends(noun) && !is_said(noun) && !is_unit(noun);
        self.number.unit().is_none() && !self.is_money() && self.noun().is_some_and(counted)
    }
}

/// Words that make a measure of what is counted before them: `26 lines long`.
const EXTENTS: [&str; 8] = ["long", "wide", "tall", "high", "deep", "thick", "away", "old"];
