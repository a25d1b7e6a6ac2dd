//! The heuristics that are rules.

use acidtest_lingua::Tree;
use acidtest_lingua::overlap::{all_in, is_phrase, is_run, words};
use acidtest_nli::{Judgment, Label, Pair};

const NEGATIONS: &[&str] = &["not", "no", "never", "nobody", "nothing", "none", "neither", "nor", "nowhere", "cannot"];

pub(super) fn lexical_overlap(pair: &Pair<'_>) -> Option<Judgment> {
    all_in(&words(&pair.hypothesis.text), &words(&pair.premise.text)).then_some(Label::Entailment.into())
}

pub(super) fn subsequence(pair: &Pair<'_>) -> Option<Judgment> {
    is_run(&words(&pair.hypothesis.text), &words(&pair.premise.text)).then_some(Label::Entailment.into())
}

pub(super) fn constituent(pair: &Pair<'_>) -> Option<Judgment> {
    // A parse that cannot be read is as good as none: the corpus reader is the place to complain about it.
    let parse = pair.premise.parse.as_deref().or(pair.premise.binary_parse.as_deref())?;
    let tree = Tree::read(parse).ok()?;
    is_phrase(&words(&pair.hypothesis.text), &tree).then_some(Label::Entailment.into())
}

pub(super) fn negation_word(pair: &Pair<'_>) -> Option<Judgment> {
    let hypothesis = words(&pair.hypothesis.text);
    let negated = hypothesis.iter().any(|word| NEGATIONS.contains(&word.as_str()) || word.ends_with("n't"));
    negated.then_some(Label::Contradiction.into())
}

pub(super) fn length(pair: &Pair<'_>) -> Option<Judgment> {
    let longer = words(&pair.hypothesis.text).len() > words(&pair.premise.text).len();
    longer.then_some(Label::Neutral.into())
}

#[cfg(test)]
mod tests {
    use super::super::HEURISTICS;
    use super::*;
    use acidtest_nli::{Sentence, find};

    /// Whether the heuristic has something to say; a premise in brackets is a parse.
    #[track_caller]
    fn check(heuristic: &str, premise: &str, hypothesis: &str, applies: bool) {
        let heuristic = find("heuristic", HEURISTICS, heuristic).unwrap();
        let mut pair = Pair::plain(premise, hypothesis);
        if premise.starts_with('(') {
            pair.premise = Sentence { parse: Some(premise.into()), ..Sentence::default() };
        }
        assert_eq!((heuristic.answer)(&pair).is_some(), applies, "{premise} / {hypothesis}");
    }

    #[test]
    fn lexical_overlap_wants_every_word() {
        check("lexical-overlap", "The doctor saw the judge.", "The judge saw the doctor .", true);
        check("lexical-overlap", "The doctor left.", "The judge left.", false);
        check("lexical-overlap", "The doctor left.", " .", false);
    }

    #[test]
    fn a_subsequence_is_whole_words_in_one_run() {
        check("subsequence", "The judge by the doctor left.", "The doctor left.", true);
        check("subsequence", "The judge by the doctor left.", "The judge left.", false);
        check("subsequence", "She misread it.", "Read it.", false);
    }

    #[test]
    fn a_constituent_is_one_phrase_of_the_parse() {
        let premise =
            "(ROOT (S (SBAR (IN If) (S (NP (PRP it)) (VP (VBZ does) (RB n't) (VP (VB rain))))) (, ,) (NP (PRP we)) (VP (VBP go))))";
        check("constituent", premise, "It doesn't rain.", true);
        check("constituent", premise, "It doesn't.", false);
        check("constituent", "We go.", "We go.", false);
        check("constituent", "(S (NP (-LRB- -LRB-) (PRP It) (-RRB- -RRB-)) (VP (VBZ rains)))", "It rains.", true);
        check("constituent", "(S (NP", "It", false);
    }

    #[test]
    fn negation_words_are_whole_words() {
        check("negation-word", "It rains.", "It doesn't rain.", true);
        check("negation-word", "It rains.", "It isn’t cold.", true);
        check("negation-word", "It rains.", "Nobody is out.", true);
        check("negation-word", "It does not rain.", "Now it snows in November.", false);
    }

    #[test]
    fn length_counts_words() {
        check("length", "Two words.", "Here are four words.", true);
        check("length", "Two words.", "Two words !", false);
    }
}
