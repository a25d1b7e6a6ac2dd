//! The tags as the paper intends them: whole words in any case, Penn tags of leaves.

use super::word_list::entries;
use super::{Annotation, AnnotationMode, Rule, TAGS, TagFinding, overlap_finding};
use crate::statistics::{WordSet, jaccard};
use crate::words::is_punctuation;
use acidtest_lingua::fold::fold;
use acidtest_lingua::tree::Leaf;
use std::collections::HashMap;
use std::sync::LazyLock;
use xxhash_rust::xxh3::xxh3_64;

/// The tags of a pair whose words are given; an empty Penn tag means that the word's part of speech is not known.
///
/// A tag that depends on parts of speech is unknown if no word has it and some word has no Penn tag.
pub fn annotate_leaves(premise: &[Leaf<'_>], hypothesis: &[Leaf<'_>]) -> Annotation {
    let mut lexicon_tags = 0;
    let mut folded = String::new();
    let mut read = |leaves: &[Leaf<'_>]| {
        let mut words = Vec::with_capacity(leaves.len());
        for (at, leaf) in leaves.iter().enumerate() {
            fold(leaf.word, &mut folded);
            lexicon_tags |= LEXICON.tags(&folded, leaf, &leaves[at + 1..]);
            if !is_punctuation(leaf.word) {
                words.push(xxh3_64(folded.as_bytes()));
            }
        }
        words
    };
    let (mut premise_words, mut hypothesis_words) = (read(premise), read(hypothesis));
    let index = jaccard(WordSet::of(&mut premise_words), WordSet::of(&mut hypothesis_words));
    let mut found = Annotation { present: lexicon_tags, ..Annotation::default() };
    for (at, tag) in TAGS.iter().enumerate() {
        let finding = match tag.rule {
            Rule::Words(_) => continue,
            Rule::PennTags(beginnings) => penn_finding(premise, hypothesis, beginnings),
            Rule::TenseMatch => tense_finding(premise, hypothesis),
            Rule::Length { from, below } => TagFinding::of((from..below).contains(&hypothesis.len())),
            Rule::Overlap { over, up_to } => overlap_finding(index, over, up_to),
        };
        found.set(at, finding);
    }
    found
}

fn penn_finding(premise: &[Leaf<'_>], hypothesis: &[Leaf<'_>], beginnings: &[&str]) -> TagFinding {
    let mut finding = TagFinding::Absent;
    for leaf in premise.iter().chain(hypothesis) {
        if beginnings.iter().any(|beginning| leaf.tag.starts_with(beginning)) {
            return TagFinding::Present;
        }
        if leaf.tag.is_empty() {
            finding = TagFinding::Unknown;
        }
    }
    finding
}

/// Whether the tag of the premise's first verb is that of a verb of the hypothesis.
fn tense_finding(premise: &[Leaf<'_>], hypothesis: &[Leaf<'_>]) -> TagFinding {
    if premise.iter().chain(hypothesis).any(|leaf| leaf.tag.is_empty()) {
        return TagFinding::Unknown;
    }
    let first_verb = premise.iter().find(|leaf| leaf.tag.starts_with("VB"));
    TagFinding::of(first_verb.is_some_and(|verb| hypothesis.iter().any(|leaf| leaf.tag == verb.tag)))
}

static LEXICON: LazyLock<Lexicon> = LazyLock::new(Lexicon::new);

/// All word lists at once: a word in lower case, and the tags it gives.
struct Lexicon {
    words: HashMap<String, Entry>,
}

#[derive(Default)]
struct Entry {
    /// The tags that the word alone gives.
    tags: u32,
    /// The tags that the word gives as a name.
    name_tags: u32,
    /// The words that must follow for further tags.
    phrases: Vec<(Vec<&'static str>, u32)>,
}

/// Names of the lists that are common words in lower case.
const NAMES_LIKE_WORDS: [&str; 2] = ["May", "March"];

impl Lexicon {
    fn new() -> Self {
        let mut words: HashMap<String, Entry> = HashMap::new();
        for (at, tag) in TAGS.iter().enumerate() {
            let Rule::Words(list) = tag.rule else { continue };
            for entry in entries(list, AnnotationMode::Clean) {
                let mut parts = entry.split(' ');
                let first = parts.next().unwrap_or_default().to_lowercase();
                let rest: Vec<&str> = parts.collect();
                let known = words.entry(first).or_default();
                if !rest.is_empty() {
                    known.phrases.push((rest, 1 << at));
                } else if NAMES_LIKE_WORDS.contains(&entry) {
                    known.name_tags |= 1 << at;
                } else {
                    known.tags |= 1 << at;
                }
            }
        }
        Lexicon { words }
    }

    /// The tags that a word gives, given what follows it.
    fn tags(&self, folded: &str, leaf: &Leaf<'_>, following: &[Leaf<'_>]) -> u32 {
        let Some(entry) = self.words.get(folded) else { return 0 };
        let mut tags = entry.tags;
        if entry.name_tags != 0 && is_name(leaf) {
            tags |= entry.name_tags;
        }
        for (rest, phrase_tags) in &entry.phrases {
            let follows =
                rest.len() <= following.len() && rest.iter().zip(following).all(|(word, leaf)| leaf.word.eq_ignore_ascii_case(word));
            tags |= if follows { *phrase_tags } else { 0 };
        }
        tags
    }
}

/// Whether a word is used as a name: by its Penn tag, or by its capital where it has none.
fn is_name(leaf: &Leaf<'_>) -> bool {
    if leaf.tag.is_empty() { leaf.word.starts_with(|letter: char| letter.is_uppercase()) } else { leaf.tag.starts_with("NNP") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::{each_word, filled};
    use acidtest_lingua::tree::scan_leaves;
    use acidtest_nli::Sentence;

    fn told(premise: &str, hypothesis: &str) -> Annotation {
        let sentence = |text: &str| {
            let parse = text.starts_with("(ROOT").then(|| text.to_string().into());
            Sentence { text: text.to_string().into(), parse, binary_parse: None }
        };
        let (premise, hypothesis) = (sentence(premise), sentence(hypothesis));
        annotate_leaves(&leaves(&premise), &leaves(&hypothesis))
    }

    /// The words with the tags of the parse; without tags where there is no parse.
    fn leaves<'s>(sentence: &'s Sentence<'_>) -> Vec<Leaf<'s>> {
        if let Some(parse) = filled(&sentence.parse) {
            return scan_leaves(parse).collect();
        }
        let mut found = Vec::new();
        each_word(sentence, |word| found.push(Leaf { tag: "", word }));
        found
    }

    #[track_caller]
    fn check(hypothesis: &str, expected: &[&str]) {
        let listed = |name: &&str| TAGS.iter().any(|tag| tag.name == *name && matches!(tag.rule, Rule::Words(_)));
        let found: Vec<&str> = told("", hypothesis).present().into_iter().filter(listed).collect();
        assert_eq!(found, expected, "{hypothesis}");
    }

    #[test]
    fn words_are_found_whole_and_in_any_case() {
        check("Life is another knot", &["presupposition-trigger"]);
        check("IF he doesn’t", &["negation", "conditional"]);
        check("However, nobody believes it", &["belief-verb", "discourse-marker"]);
    }

    #[test]
    fn phrases_are_adjacent_words() {
        check("They came back", &["presupposition-trigger"]);
        check("They came running back", &[]);
        check("It is no longer here", &["quantifier", "presupposition-trigger"]);
        check("As", &[]);
    }

    #[test]
    fn may_is_a_month_only_as_a_name() {
        check("They met in May", &["time-term"]);
        check("They may meet", &[]);
        check("(ROOT (S (MD May) (PRP I)))", &[]);
        check("on monday", &["time-term"]);
    }

    #[test]
    fn penn_tags_are_looked_up_in_leaves() {
        let found = told("(ROOT (SBARQ (WHNP (WP Who)) (SQ (VP (VBZ knows)))))", "(ROOT (S (NP (PRP$ his) (NN MD)) (VP (VBZ knows))))");
        assert_eq!(found.present()[..5], ["pronoun", "wh-term", "belief-verb", "tense-match", "length-0-10"]);
        assert_eq!(found.unknown().len(), 0);
    }

    #[test]
    fn without_parts_of_speech_tags_are_unknown() {
        let found = told("(ROOT (NP (PRP it)))", "It may rain.");
        assert!(found.present().contains(&"pronoun"));
        assert_eq!(found.unknown(), ["modal", "wh-term", "comparative-superlative", "tense-match", "interjection"]);
    }
}
