//! Explains why a challenge changes an example or leaves it unchanged.

use crate::{Challenge, ChallengeError, ChallengeKind, Coverage, PairView, Trace};
use acidtest_nli::{Example, Side};

/// The examples that a challenge makes from one example, and the decisions on the way.
#[derive(Debug)]
pub struct Explanation {
    /// The sentences that it considered.
    pub sentences: Vec<ExplainedSentence>,
    /// The examples that it makes.
    pub made: Vec<Example<'static>>,
    /// Why it makes no example, if it does not apply to the pair as a whole.
    pub reasons: Vec<&'static str>,
}

/// What was decided about a sentence.
#[derive(Debug)]
pub struct ExplainedSentence {
    /// The side of the pair.
    pub side: Side,
    /// The text.
    pub text: String,
    /// The candidates in order, with the decision on each; empty for a challenge without candidates.
    pub decisions: Vec<String>,
    /// Why no example was made from the sentence, for a challenge that processes each sentence separately.
    pub reason: Option<&'static str>,
}

impl Challenge {
    /// Explains what the challenge makes from an example, with every decision.
    pub fn explain(&self, example: &Example<'_>) -> Result<Explanation, ChallengeError> {
        let pair = PairView::new(example);
        PairView::prepare(std::slice::from_ref(&pair), [self]);
        let mut coverage = Coverage::default();
        let made: Vec<Example<'static>> = self.rows_of(&pair, &mut coverage)?.into_iter().map(Example::into_owned).collect();
        let explained = |source: &crate::SourceSentence<'_, '_>| {
            let mut trace = Trace::described();
            let reason = match self.kind() {
                ChallengeKind::FromSentences(from) => self.pairs_of(from.as_ref(), source, &mut trace).err().map(|reason| reason.0),
                ChallengeKind::Rewrite(_) | ChallengeKind::Generate(_) | ChallengeKind::Select(_) => None,
            };
            let text = source.view.text().to_string();
            ExplainedSentence { side: source.side, text, decisions: trace.lines().to_vec(), reason }
        };
        let is_used = |source: &&crate::SourceSentence<'_, '_>| match self.kind() {
            ChallengeKind::FromSentences(from) => from.sides().include(source.side),
            ChallengeKind::Rewrite(_) | ChallengeKind::Generate(_) | ChallengeKind::Select(_) => true,
        };
        let sentences = pair.sentences().iter().filter(is_used).map(explained).collect();
        let reasons = if made.is_empty() { coverage.not_applicable.keys().copied().collect() } else { Vec::new() };
        Ok(Explanation { sentences, made, reasons })
    }
}
