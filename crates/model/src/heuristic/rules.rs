//! The heuristics that are rules.

use acidtest_lingua::View;
use acidtest_lingua::negation::is_negation;
use acidtest_lingua::overlap::{all_in, are_phrases, is_run, words};
use acidtest_nli::{Judgment, Label, Pair};

pub(crate) fn lexical_overlap(pair: &Pair<'_>) -> Option<Judgment> {
    all_in(&words(&pair.hypothesis.text), &words(&pair.premise.text)).then_some(Label::Entailment.into())
}

pub(super) fn subsequence(pair: &Pair<'_>) -> Option<Judgment> {
    is_run(&words(&pair.hypothesis.text), &words(&pair.premise.text)).then_some(Label::Entailment.into())
}

pub(super) fn constituent(pair: &Pair<'_>) -> Option<Judgment> {
    constituents(&[pair]).pop().flatten()
}

/// The labels of [`constituent`] for many pairs; premises without a parse are parsed together.
pub(super) fn constituents(pairs: &[&Pair<'_>]) -> Vec<Option<Judgment>> {
    let views: Vec<View<'_>> = pairs.iter().map(|pair| premise_view(pair)).collect();
    let parts: Vec<(Vec<String>, &View<'_>)> = pairs.iter().zip(&views).map(|(pair, view)| (words(&pair.hypothesis.text), view)).collect();
    are_phrases(&parts).into_iter().map(|is_phrase| is_phrase.then_some(Label::Entailment.into())).collect()
}

/// The premise with its parses.
pub(super) fn premise_view<'p>(pair: &'p Pair<'_>) -> View<'p> {
    View::new(&pair.premise.text, pair.premise.parse.as_deref(), pair.premise.binary_parse.as_deref())
}

pub(crate) fn negation_word(pair: &Pair<'_>) -> Option<Judgment> {
    let hypothesis = words(&pair.hypothesis.text);
    let negated = hypothesis.iter().any(|word| is_negation(word));
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
    use acidtest_nli::Sentence;

    /// Whether the heuristic applies; a premise in brackets is a parse.
    #[track_caller]
    fn check(heuristic: &str, premise: &str, hypothesis: &str, applies: bool) {
        let heuristic = HEURISTICS.find(heuristic).unwrap();
        let mut pair = Pair::plain(premise, hypothesis);
        if premise.starts_with('(') {
            pair.premise = Sentence { parse: Some(premise.into()), ..Sentence::default() };
        }
        assert_eq!((heuristic.answer)(&pair).is_some(), applies, "{premise} / {hypothesis}");
    }

    #[test]
    fn lexical_overlap_needs_every_word() {
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
        check("constituent", "The man sits on a chair.", "A chair.", true);
        check("constituent", "The man sits on a chair.", "The man sits.", false);
        check("constituent", "", "", false);
        check("constituent", "(S (NP (-LRB- -LRB-) (PRP It) (-RRB- -RRB-)) (VP (VBZ rains)))", "It rains.", true);
        check("constituent", "(S (NP", "It", false);
    }

    #[test]
    fn labels_are_the_same_for_pairs_together_and_alone() {
        let mut pairs: Vec<Pair<'_>> = [("The man sits on a chair.", "A chair."), ("It rains.", "It"), ("It rains.", "Rains it")]
            .map(|(premise, hypothesis)| Pair::plain(premise, hypothesis))
            .into();
        pairs[1].premise.parse = Some("(ROOT (S (NP (PRP It)) (VP (VBZ rains))))".into());
        let together = constituents(&pairs.iter().collect::<Vec<_>>());
        assert_eq!(together, pairs.iter().map(constituent).collect::<Vec<_>>());
        assert_eq!(together.iter().map(Option::is_some).collect::<Vec<_>>(), [true, true, false]);
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
