//! The heuristics that are rules.

use acidtest_lingua::Tree;
use acidtest_lingua::analyzer::Analyzer;
use acidtest_lingua::overlap::{all_in, is_parsed_phrase, is_phrase, is_run, words};
use acidtest_nli::{Judgment, Label, Pair};

const NEGATIONS: &[&str] = &["not", "no", "never", "nobody", "nothing", "none", "neither", "nor", "nowhere", "cannot"];

pub(super) fn lexical_overlap(pair: &Pair<'_>) -> Option<Judgment> {
    all_in(&words(&pair.hypothesis.text), &words(&pair.premise.text)).then_some(Label::Entailment.into())
}

pub(super) fn subsequence(pair: &Pair<'_>) -> Option<Judgment> {
    is_run(&words(&pair.hypothesis.text), &words(&pair.premise.text)).then_some(Label::Entailment.into())
}

pub(super) fn constituent(pair: &Pair<'_>) -> Option<Judgment> {
    constituents(&[pair]).pop().flatten()
}

/// What [`constituent`] says of many pairs; premises without a parse are parsed together.
pub(super) fn constituents(pairs: &[&Pair<'_>]) -> Vec<Option<Judgment>> {
    let mut answers = vec![None; pairs.len()];
    let mut to_parse: Vec<(usize, Vec<String>)> = Vec::new();
    for (row, pair) in pairs.iter().enumerate() {
        let part = words(&pair.hypothesis.text);
        if let Some(tree) = premise_tree(pair) {
            answers[row] = is_phrase(&part, &tree).then_some(Label::Entailment.into());
        } else if is_run(&part, &words(&pair.premise.text)) {
            // A phrase is a run of words, so that few premises need to be parsed.
            to_parse.push((row, part));
        }
    }
    if to_parse.is_empty() {
        return answers;
    }
    let premises: Vec<&str> = to_parse.iter().map(|(row, _)| pairs[*row].premise.text.as_ref()).collect();
    for ((row, part), document) in to_parse.iter().zip(Analyzer::shared().analyze_all(&premises)) {
        answers[*row] = is_parsed_phrase(part, &document).then_some(Label::Entailment.into());
    }
    answers
}

/// The tree of the premise; a parse that cannot be read is as good as none: the corpus reader is the place to complain about it.
pub(super) fn premise_tree<'p>(pair: &'p Pair<'_>) -> Option<Tree<'p>> {
    let parses = [&pair.premise.parse, &pair.premise.binary_parse];
    let parse = parses.into_iter().find_map(|parse| parse.as_deref().filter(|parse| !parse.trim_ascii().is_empty()))?;
    Tree::read(parse).ok()
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
        check("constituent", "The man sits on a chair.", "A chair.", true);
        check("constituent", "The man sits on a chair.", "The man sits.", false);
        check("constituent", "", "", false);
        check("constituent", "(S (NP (-LRB- -LRB-) (PRP It) (-RRB- -RRB-)) (VP (VBZ rains)))", "It rains.", true);
        check("constituent", "(S (NP", "It", false);
    }

    #[test]
    fn pairs_together_are_answered_as_they_are_alone() {
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
