//! Why a challenge changes an example or leaves it alone.

use crate::{Challenge, ChallengeError, ChallengeKind, Coverage, PairView, Trace};
use acidtest_nli::{Example, Side};

/// What a challenge makes of one example, and what it decided on the way.
#[derive(Debug)]
pub struct Explanation {
    /// The sentences that it looked at.
    pub sentences: Vec<ExplainedSentence>,
    /// The examples that it makes.
    pub made: Vec<Example<'static>>,
    /// Why it makes none of the example as a whole.
    pub reasons: Vec<&'static str>,
}

/// What was decided about a sentence.
#[derive(Debug)]
pub struct ExplainedSentence {
    /// The side of the pair.
    pub side: Side,
    /// The text.
    pub text: String,
    /// What was considered, in order, and what became of it; empty for a challenge that does not choose among candidates.
    pub decisions: Vec<String>,
    /// Why nothing was made of the sentence, for a challenge that takes each sentence by itself.
    pub reason: Option<&'static str>,
}

impl Challenge {
    /// What the challenge makes of an example, with every decision on the way.
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
