//! The annotation tags of table 5 of the MultiNLI paper: which difficult phenomena a pair has, and how often, with which label, and with which
//! accuracy each occurs.
//!
//! Parts of speech come from the corpus's parses, or from our tagger if there are none. A tag can also be *unknown*: the authors' matching searches
//! for substrings of parses, which needs a parse. Such examples are counted separately, never as examples without the phenomenon.

mod clean;
mod published;
mod table;
mod word_list;

pub use clean::annotate_leaves;
pub use table::{LabelShare, TagRow, TagStatistics, TagTable};

use crate::words::view;
use acidtest_lingua::view::Origin;
use acidtest_nli::Example;
use serde::Serialize;

/// How phenomena are matched.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum AnnotationMode {
    /// Whole words in any case, and Penn tags of leaves.
    #[default]
    Clean,
    /// The authors' matching: raw substrings of the parses, so that `if` is found in `life`.
    AsPublished,
}

/// What a tag is based on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum TagKind {
    /// The part of speech of a word.
    PennTag,
    /// A word or phrase of a list.
    WordList,
    /// The form of the first verb.
    Tense,
    /// The number of words of the hypothesis.
    Length,
    /// The Jaccard index of the words of premise and hypothesis.
    Overlap,
}

/// An annotation tag.
#[derive(Debug, Clone, Copy)]
pub struct AnnotationTag {
    /// The name in files and tables.
    pub name: &'static str,
    /// What a pair with this tag has.
    pub description: &'static str,
    /// Its rule.
    rule: Rule,
}

impl AnnotationTag {
    /// What the tag is based on.
    pub fn kind(&self) -> TagKind {
        match self.rule {
            Rule::PennTags(_) => TagKind::PennTag,
            Rule::Words(_) => TagKind::WordList,
            Rule::TenseMatch => TagKind::Tense,
            Rule::Length { .. } => TagKind::Length,
            Rule::Overlap { .. } => TagKind::Overlap,
        }
    }
}

#[derive(Debug, Clone, Copy)]
enum Rule {
    /// A tag that begins with one of these.
    PennTags(&'static [&'static str]),
    /// An entry of this word list.
    Words(&'static str),
    /// The first verb of the premise has a tag that occurs in the hypothesis.
    TenseMatch,
    /// At least `from` words and fewer than `below`.
    Length { from: usize, below: usize },
    /// Above `over` and at most `up_to`.
    Overlap { over: f64, up_to: f64 },
}

const fn tag(name: &'static str, description: &'static str, rule: Rule) -> AnnotationTag {
    AnnotationTag { name, description, rule }
}

/// All annotation tags, first those of table 5 in its order, then the rest of the length and overlap buckets.
pub const TAGS: &[AnnotationTag] = &[
    tag("pronoun", "a personal or possessive pronoun", Rule::PennTags(&["PRP"])),
    tag("quantifier", "a word such as many, all, few, some", Rule::Words(include_str!("../data/quantifiers.txt"))),
    tag("modal", "a modal verb", Rule::PennTags(&["MD"])),
    tag("negation", "n't, not, none, never, neither, nor", Rule::Words(include_str!("../data/negation.txt"))),
    tag("wh-term", "a word such as who, which, when, how", Rule::PennTags(&["W"])),
    tag("belief-verb", "a verb such as know, believe, think", Rule::Words(include_str!("../data/belief_verbs.txt"))),
    tag("time-term", "a word about time, a month, a day of the week", Rule::Words(include_str!("../data/time_terms.txt"))),
    tag("discourse-marker", "a word such as but, however, despite", Rule::Words(include_str!("../data/discourse_markers.txt"))),
    tag(
        "presupposition-trigger",
        "a word or phrase such as again, too, no longer",
        Rule::Words(include_str!("../data/presupposition_triggers.txt")),
    ),
    tag("comparative-superlative", "a comparative or superlative", Rule::PennTags(&["JJR", "JJS", "RBR", "RBS"])),
    tag("conditional", "the word if", Rule::Words(include_str!("../data/conditionals.txt"))),
    tag("tense-match", "the form of the premise's first verb occurs in the hypothesis", Rule::TenseMatch),
    tag("interjection", "an interjection", Rule::PennTags(&["UH"])),
    // Table 5 says "> 20 words"; the authors' script counts from 20.
    tag("length-20-up", "a hypothesis of 20 words or more", Rule::Length { from: 20, below: usize::MAX }),
    tag("length-15-19", "a hypothesis of 15 to 19 words", Rule::Length { from: 15, below: 20 }),
    tag("length-11-14", "a hypothesis of 11 to 14 words", Rule::Length { from: 11, below: 15 }),
    tag("length-0-10", "a hypothesis of at most 10 words", Rule::Length { from: 0, below: 11 }),
    tag("overlap-very-high", "over 60 % of the words in common", Rule::Overlap { over: 0.6, up_to: 1.0 }),
    tag("overlap-high", "over 37 % of the words in common, up to 60 %", Rule::Overlap { over: 0.37, up_to: 0.6 }),
    tag("overlap-middle", "over 23 % of the words in common, up to 37 %", Rule::Overlap { over: 0.23, up_to: 0.37 }),
    tag("overlap-low", "over 12 % of the words in common, up to 23 %", Rule::Overlap { over: 0.12, up_to: 0.23 }),
    tag("overlap-very-low", "at most 12 % of the words in common", Rule::Overlap { over: -1.0, up_to: 0.12 }),
];

// An annotation has one bit for each tag.
const _: () = assert!(TAGS.len() <= u32::BITS as usize);

/// The tags of an example: those it has, and those that are unknown.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Annotation {
    present: u32,
    unknown: u32,
    origin: Origin,
}

impl Annotation {
    /// The names of the tags that the example has, in the order of [`TAGS`].
    pub fn present(&self) -> Vec<&'static str> {
        names(self.present)
    }

    /// The names of the tags that cannot be found without a parse.
    pub fn unknown(&self) -> Vec<&'static str> {
        names(self.unknown)
    }

    /// Where the parts of speech come from: our tagger, if it was needed for either sentence.
    pub fn origin(&self) -> Origin {
        self.origin
    }

    fn set(&mut self, at: usize, finding: TagFinding) {
        match finding {
            TagFinding::Present => self.present |= 1 << at,
            TagFinding::Unknown => self.unknown |= 1 << at,
            TagFinding::Absent => {}
        }
    }
}

/// Whether an example has a tag.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum TagFinding {
    Present,
    Absent,
    Unknown,
}

impl TagFinding {
    fn of(is_present: bool) -> Self {
        if is_present { TagFinding::Present } else { TagFinding::Absent }
    }
}

/// The tags of an example; parts of speech come from its Penn parses, or from our tagger if it has none.
///
/// For parts of speech from elsewhere, use [`annotate_leaves`].
pub fn annotate(example: &Example<'_>, mode: AnnotationMode) -> Annotation {
    match mode {
        AnnotationMode::Clean => {
            let (premise, hypothesis) = (view(&example.pair.premise), view(&example.pair.hypothesis));
            let origin = premise.tag_origin().max(hypothesis.tag_origin());
            Annotation { origin, ..annotate_leaves(premise.leaves(), hypothesis.leaves()) }
        }
        AnnotationMode::AsPublished => published::annotate(&example.pair),
    }
}

/// The overlap bucket; two sentences without words are in none.
fn overlap_finding(index: Option<f64>, over: f64, up_to: f64) -> TagFinding {
    TagFinding::of(index.is_some_and(|index| index > over && index <= up_to))
}

fn names(tags: u32) -> Vec<&'static str> {
    TAGS.iter().enumerate().filter(|(at, _)| tags >> at & 1 == 1).map(|(_, tag)| tag.name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use acidtest_nli::Pair;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    #[test]
    fn no_two_tags_have_one_name() {
        assert_eq!(TAGS.iter().map(|tag| tag.name).collect::<BTreeSet<_>>().len(), TAGS.len());
    }

    #[test]
    fn every_row_is_in_one_length_and_one_overlap_bucket() {
        let pair = Pair::plain("The boat sank in the Pacific.", "The boat sank.");
        let found = annotate(&Example { pair, ..Example::default() }, AnnotationMode::Clean).present();
        let count = |kind| found.iter().filter(|name| TAGS.iter().any(|tag| tag.name == **name && tag.kind() == kind)).count();
        assert_eq!((count(TagKind::Length), count(TagKind::Overlap)), (1, 1), "{found:?}");
    }

    proptest! {
        #[test]
        fn no_text_makes_it_panic(text in "\\PC{0,30}", parse in "[()A-cVB .é\n'-]{0,40}", binary in "[()a-c .é-]{0,30}") {
            let mut pair = Pair::plain(&text, &text);
            pair.premise.parse = Some(parse.as_str().into());
            pair.hypothesis.parse = Some(binary.as_str().into());
            pair.hypothesis.binary_parse = Some(parse.as_str().into());
            let example = Example { pair, ..Example::default() };
            for mode in [AnnotationMode::Clean, AnnotationMode::AsPublished] {
                let found = annotate(&example, mode);
                prop_assert_eq!(found.present & found.unknown, 0);
            }
        }
    }
}
