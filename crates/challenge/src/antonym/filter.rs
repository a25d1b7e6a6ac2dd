//! The filters: what they are called, and what they leave alone.

use crate::NotApplicable;

/// A rule that leaves a word alone because the change might not make a contradiction, or no good English.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Filter {
    Pairs,
    Conditions,
    Senses,
    Names,
    Compounds,
    Phrases,
    Present,
    Others,
    Repeated,
    Gender,
    Kinship,
    Negation,
    Questions,
    Modals,
    Attitudes,
    Conditionals,
    Disjunction,
    Comparisons,
    Examples,
    Focus,
    Time,
    Purpose,
    Generic,
    Quantifiers,
    Existential,
    Subject,
    Complement,
    Postposed,
    Spoken,
    Length,
}

/// A filter as the catalog lists it.
#[derive(Debug)]
pub(super) struct FilterEntry {
    /// The setting that switches it off.
    pub(super) name: &'static str,
    /// Which one it is.
    pub(super) filter: Filter,
    /// Why a word was left alone.
    pub(super) reason: NotApplicable,
}

const fn entry(name: &'static str, filter: Filter, reason: &'static str) -> FilterEntry {
    FilterEntry { name, filter, reason: NotApplicable(reason) }
}

/// All filters, in the order in which they are asked: the cheap ones first.
pub(super) const FILTERS: &[FilterEntry] = &[
    entry("name", Filter::Names, "part of a name or capitalised"),
    entry("question", Filter::Questions, "in a question"),
    entry("length", Filter::Length, "sentence of fewer than 3 or more than 40 words"),
    entry("spoken", Filter::Spoken, "spoken filler in the sentence"),
    entry("negation", Filter::Negation, "in the scope of a negation"),
    entry("modal", Filter::Modals, "in the scope of a modal or hedge"),
    entry("attitude", Filter::Attitudes, "depends on a verb of wanting, trying or believing"),
    entry("conditional", Filter::Conditionals, "conditional or temporal clause in the sentence"),
    entry("disjunction", Filter::Disjunction, "disjunction in the sentence"),
    entry("comparison", Filter::Comparisons, "comparison in the sentence"),
    entry("example", Filter::Examples, "in a list of examples"),
    entry("focus", Filter::Focus, "focus word before it"),
    entry("time", Filter::Time, "adverb of time or frequency in the sentence"),
    entry("other", Filter::Others, "`another`, `other`, `each` or the like in the sentence"),
    entry("compound", Filter::Compounds, "part of a compound or next to a hyphen or quotation mark"),
    entry("phrase", Filter::Phrases, "part of a fixed phrase"),
    entry("present", Filter::Present, "antonym already in the sentence"),
    entry("repeated", Filter::Repeated, "word occurs twice in the sentence"),
    entry("kinship", Filter::Kinship, "somebody's relative: both may be true"),
    entry("purpose", Filter::Purpose, "in an infinitive, whose event may not have happened"),
    entry("existential", Filter::Existential, "existential sentence: both may exist"),
    entry("subject", Filter::Subject, "no subject"),
    entry("generic", Filter::Generic, "generic noun phrase: both may be true"),
    entry("quantifier", Filter::Quantifiers, "quantified noun phrase: both may be true"),
    entry("postposed", Filter::Postposed, "adjective alone after its noun"),
    entry("condition", Filter::Conditions, "not in a context where the pair is known to contradict"),
    entry("complement", Filter::Complement, "preposition after it that the antonym does not take"),
    entry("gender", Filter::Gender, "pronoun of the original gender in the sentence"),
    entry("sense", Filter::Senses, "rare sense of the word"),
    entry("pair", Filter::Pairs, "antonym not in the list of pairs"),
];

/// Filters that are switched off.
#[derive(Debug, Clone, Default)]
pub(super) struct SwitchedOff(pub(super) Vec<Filter>);

impl SwitchedOff {
    /// Whether a filter is used.
    pub(super) fn uses(&self, filter: Filter) -> bool {
        !self.0.contains(&filter)
    }
}

/// The reason of a filter.
pub(super) fn reason(filter: Filter) -> NotApplicable {
    FILTERS.iter().find(|entry| entry.filter == filter).map_or(NotApplicable("filtered"), |entry| entry.reason)
}
