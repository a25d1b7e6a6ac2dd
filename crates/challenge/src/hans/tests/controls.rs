//! The dataset controls of section 3, checked for every shape.

use super::*;
use acidtest_lingua::Tree;
use acidtest_lingua::overlap::{Matching, overlap};
use std::collections::BTreeSet;

/// The templates that violate a control: the hypothesis must match its heuristic, and no narrower one.
fn breaking(mode: Mode) -> BTreeSet<(String, &'static str)> {
    let set = set(mode);
    let mut breaking = BTreeSet::new();
    for row in one_of_each_shape(&set) {
        let parse = row.parse(Side::Premise);
        let found = overlap(&row.text(Side::Premise), Some(&Tree::read(&parse).unwrap()), &row.text(Side::Hypothesis), Matching::Words);
        let constituent = found.constituent.unwrap();
        let mut note = |broken: bool, what: &'static str| {
            if broken {
                breaking.insert((row.template().id.clone(), what));
            }
        };
        note(!found.lexical, "a hypothesis word is not in the premise");
        match row.subcase().heuristic.as_str() {
            "lexical_overlap" => note(found.subsequence || constituent, "is a subsequence"),
            "subsequence" => {
                note(!found.subsequence, "is no subsequence");
                note(constituent, "is a constituent");
            }
            "constituent" => note(!constituent, "is no constituent"),
            other => panic!("an unknown heuristic {other}"),
        }
    }
    breaking
}

#[test]
fn hypotheses_match_their_heuristic_except_for_past_participles() {
    // A reduced relative clause forms a phrase with its noun: `the senators paid in the office` is the subject of `danced`.
    let expected: BTreeSet<_> = ["temp40", "temp41"].map(|id| (id.to_string(), "is a constituent")).into();
    assert_eq!(breaking(Mode::Clean), expected);
    assert_eq!(breaking(Mode::AsPublished), expected);
}
