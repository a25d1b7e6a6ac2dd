//! The tags as the authors' released script finds them: raw substrings of the parses, case kept.
//!
//! Differences from the paper: words are found inside other words (`if` in `life`), so are tags in phrase labels (`W` in `WHNP`) and
//! other tags (`VB` in `VBZ`); phrases of two words are never found, because no parse has two adjacent words; the overlap counts the brackets of
//! the binary parses as tokens; "more than 20 words" begins at 20.

use super::word_list::entries;
use super::{Annotation, AnnotationMode, Rule, TAGS, TagFinding, overlap_finding};
use crate::statistics::{WordSet, jaccard};
use crate::words::{binary_tokens, filled, is_bracket};
use acidtest_nli::Pair;
use std::sync::LazyLock;
use xxhash_rust::xxh3::xxh3_64;

/// The tags of a pair; those that need a missing parse are unknown.
pub(super) fn annotate(pair: &Pair<'_>) -> Annotation {
    let parses = filled(&pair.premise.parse).zip(filled(&pair.hypothesis.parse));
    let binary = filled(&pair.premise.binary_parse).zip(filled(&pair.hypothesis.binary_parse));
    let index = binary.and_then(|(premise, hypothesis)| jaccard(WordSet::of(&mut tokens(premise)), WordSet::of(&mut tokens(hypothesis))));
    let length = filled(&pair.hypothesis.binary_parse).map(|parse| binary_tokens(parse).filter(|token| !is_bracket(token)).count());
    let mut found = Annotation::default();
    for (at, (tag, patterns)) in TAGS.iter().zip(PATTERNS.iter()).enumerate() {
        let finding = match tag.rule {
            Rule::PennTags(_) | Rule::Words(_) => parses.map(|(premise, hypothesis)| {
                TagFinding::of(patterns.iter().any(|pattern| premise.contains(pattern.as_str()) || hypothesis.contains(pattern.as_str())))
            }),
            Rule::TenseMatch => parses.map(|(premise, hypothesis)| TagFinding::of(tense_match(premise, hypothesis))),
            Rule::Length { from, below } => length.map(|length| TagFinding::of((from..below).contains(&length))),
            Rule::Overlap { over, up_to } => binary.map(|_| overlap_finding(index, over, up_to)),
        };
        found.set(at, finding.unwrap_or(TagFinding::Unknown));
    }
    found
}

/// The search patterns of each of [`TAGS`].
static PATTERNS: LazyLock<Vec<Vec<String>>> = LazyLock::new(|| {
    let patterns = TAGS.iter().map(|tag| match tag.rule {
        Rule::PennTags(beginnings) => beginnings.iter().map(|beginning| format!("({beginning}")).collect(),
        Rule::Words(list) => entries(list, AnnotationMode::AsPublished).map(str::to_string).collect(),
        _ => Vec::new(),
    });
    patterns.collect()
});

/// Whether the opening of the premise's first verb occurs in the hypothesis, neither at the very beginning of its parse.
fn tense_match(premise: &str, hypothesis: &str) -> bool {
    let Some(start) = premise.find("(VB").filter(|&start| start > 0) else { return false };
    let verb = premise[start..].split_whitespace().next().unwrap_or_default();
    hypothesis.find(verb).is_some_and(|at| at > 0)
}

fn tokens(parse: &str) -> Vec<u64> {
    binary_tokens(parse).map(|token| xxh3_64(token.as_bytes())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use acidtest_nli::Sentence;

    fn told(premise: &str, hypothesis: &str) -> Vec<&'static str> {
        let sentence = |parse: &str| Sentence { text: "".into(), parse: Some(parse.to_string().into()), binary_parse: None };
        annotate(&Pair { id: "1".into(), premise: sentence(premise), hypothesis: sentence(hypothesis) }).present()
    }

    #[test]
    fn words_are_found_inside_other_words() {
        assert_eq!(told("(ROOT (NP (NN life)))", "(ROOT (NP (NN ice)))"), ["conditional"]);
        assert_eq!(told("(ROOT (NP (NN ice)))", "(ROOT (NP (NN north)))"), ["quantifier", "negation"]);
    }

    #[test]
    fn seconds_and_hour_are_missed_because_of_a_missing_comma() {
        assert_eq!(told("(ROOT (NP (NN hour)))", "(ROOT (NP (NNS seconds)))"), Vec::<&str>::new());
    }

    #[test]
    fn a_base_form_matches_every_verb() {
        assert_eq!(told("(ROOT (VP (VB go)))", "(ROOT (VP (VBZ goes)))"), ["tense-match"]);
        assert_eq!(told("(ROOT (VP (VBZ goes)))", "(ROOT (VP (VB go)))"), Vec::<&str>::new());
    }

    #[test]
    fn all_tags_of_an_example_without_parses_are_unknown() {
        let found = annotate(&Pair::plain("If", "not"));
        assert_eq!((found.present().len(), found.unknown().len()), (0, TAGS.len()));
    }
}
