//! Examples of a catalog entry: pairs that it changes, and pairs that it does not apply to.

use acidtest_nli::{Example, Judgment, Label, Pair, Sentence, Side};

/// A pair and its expected outcome with the default settings and seed 1.
#[derive(Debug, Clone, Copy)]
pub struct Case {
    /// The premise.
    pub premise: CaseSentence,
    /// The hypothesis.
    pub hypothesis: CaseSentence,
    /// The gold label.
    pub gold: Judgment,
    /// The probabilities of a lexical model, for a challenge that needs one.
    pub probabilities: Option<[f64; 3]>,
    /// The expected outcome.
    pub outcome: CaseOutcome,
}

/// A sentence, with its Penn-style parse if the challenge uses one.
#[derive(Debug, Clone, Copy)]
pub struct CaseSentence {
    /// The text.
    pub text: &'static str,
    /// The parse.
    pub parse: Option<&'static str>,
}

/// The outcome for a pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CaseOutcome {
    /// An example with these sentences and this label; if several are made, the first.
    Made {
        /// The premise.
        premise: &'static str,
        /// The hypothesis.
        hypothesis: &'static str,
        /// The gold label.
        gold: Judgment,
    },
    /// No example, for this reason.
    NotApplicable(&'static str),
}

impl CaseSentence {
    /// A sentence without a parse.
    pub const fn plain(text: &'static str) -> Self {
        CaseSentence { text, parse: None }
    }
}

/// The other sentence of a pair, which a case does not concern.
const OTHER: CaseSentence = CaseSentence::plain("Nobody knows.");

impl Case {
    /// One sentence of a pair is changed, the label is kept.
    pub const fn changed(side: Side, before: &'static str, after: &'static str) -> Self {
        Self::changed_parsed(side, CaseSentence::plain(before), after)
    }

    /// The same for a sentence with a parse.
    pub const fn changed_parsed(side: Side, before: CaseSentence, after: &'static str) -> Self {
        let gold = Judgment::Exact(Label::Neutral);
        let outcome = match side {
            Side::Premise => CaseOutcome::Made { premise: after, hypothesis: OTHER.text, gold },
            Side::Hypothesis => CaseOutcome::Made { premise: OTHER.text, hypothesis: after, gold },
        };
        Self::about(side, before, outcome)
    }

    /// The challenge does not apply to this sentence.
    pub const fn not_applicable(side: Side, text: &'static str, reason: &'static str) -> Self {
        Self::about(side, CaseSentence::plain(text), CaseOutcome::NotApplicable(reason))
    }

    const fn about(side: Side, given: CaseSentence, outcome: CaseOutcome) -> Self {
        let (premise, hypothesis) = match side {
            Side::Premise => (given, OTHER),
            Side::Hypothesis => (OTHER, given),
        };
        Case { premise, hypothesis, gold: Judgment::Exact(Label::Neutral), probabilities: None, outcome }
    }

    /// The sentence on a side.
    pub fn side(&self, side: Side) -> CaseSentence {
        match side {
            Side::Premise => self.premise,
            Side::Hypothesis => self.hypothesis,
        }
    }

    /// The pair as an example, named `1`.
    pub fn example(&self) -> Example<'static> {
        let sentence = |given: CaseSentence| Sentence { text: given.text.into(), parse: given.parse.map(Into::into), binary_parse: None };
        let pair = Pair { id: "1".into(), premise: sentence(self.premise), hypothesis: sentence(self.hypothesis) };
        Example { pair, gold: Some(self.gold), ..Example::default() }
    }

    /// The sentences that differ, before and after; empty for a case without an example.
    pub fn differences(&self) -> Vec<(Side, &'static str, &'static str)> {
        let CaseOutcome::Made { premise, hypothesis, .. } = self.outcome else { return Vec::new() };
        let sides = [(Side::Premise, self.premise.text, premise), (Side::Hypothesis, self.hypothesis.text, hypothesis)];
        sides.into_iter().filter(|(_, before, after)| before != after).collect()
    }
}
