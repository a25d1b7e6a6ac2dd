//! Challenges that make pairs from single sentences, whichever pair they stand in.

use crate::{ModifierSlot, NotApplicable};
use acidtest_lingua::View;
use acidtest_lingua::edit::Edited;
use acidtest_lingua::view::ViewNeed;
use acidtest_nli::{Judgment, Side, Tags};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A way to make pairs from a sentence and a changed copy of it.
///
/// The same sentence gives the same pairs wherever it stands, so that a set has none twice.
pub trait FromSentences: Send + Sync {
    /// The sides of a pair whose sentences are used; texts without hypotheses always are.
    fn sides(&self) -> Sides {
        Sides::Both
    }

    /// Whether every sentence must have a Penn-style parse of the corpus.
    fn trees(&self) -> TreeNeed {
        TreeNeed::Optional
    }

    /// Whether the words alone rule the sentence out. Asked before anything is parsed: only sentences that pass are.
    fn screen(&self, _: &SourceSentence<'_, '_>) -> Result<(), NotApplicable> {
        Ok(())
    }

    /// What is worked out for many sentences at once before pairs are made from them; nothing where the words alone are enough.
    fn view_need(&self) -> Option<ViewNeed> {
        Some(ViewNeed::Analysis)
    }

    /// The pairs made from one sentence, or why there are none; the trace takes what was considered and left alone.
    fn pairs(
        &self,
        sentence: &SourceSentence<'_, '_>,
        rng: &mut acidtest_nli::Rng,
        trace: &mut Trace,
    ) -> Result<Vec<SentencePair>, NotApplicable>;

    /// Whether the pairs are tagged with counts of the training data, where there are any.
    fn counts_training(&self) -> bool {
        false
    }

    /// Where the counts of modifiers go that must be known before pairs are made; none for a challenge that needs no such counts.
    fn modifiers(&self) -> Option<&ModifierSlot> {
        None
    }

    /// Which of the pairs that a sentence gives belong to a set.
    fn choice(&self) -> PairChoice {
        PairChoice::Every
    }

    /// How much of a set may have the same value of a tag.
    fn limit(&self) -> Option<ShareLimit> {
        None
    }
}

/// The sides of a pair whose sentences are used.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Sides {
    /// Premises only.
    #[default]
    Premise,
    /// Premises and hypotheses.
    Both,
}

impl Sides {
    /// Whether the sentence on a side is used.
    pub fn include(self, side: Side) -> bool {
        self == Sides::Both || side == Side::Premise
    }
}

/// Which of the pairs that a sentence gives belong to a set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PairChoice {
    /// All of them.
    Every,
    /// One: that whose value of the limited tag the set has least often.
    LeastUsed,
}

/// Whether sentences must have a Penn-style parse of the corpus.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TreeNeed {
    /// No: our own parse is used where there is none.
    Optional,
    /// Yes: an example without one is an error.
    Required,
}

/// A sentence that pairs are made from.
#[derive(Debug, Clone, Copy)]
pub struct SourceSentence<'s, 'e> {
    /// The sentence.
    pub view: &'s View<'e>,
    /// The side of the pair it stands on; sentences of a passage are premises.
    pub side: Side,
    /// The tags of the example it stands in.
    pub tags: &'s Tags<'e>,
}

/// A pair made from one sentence.
#[derive(Debug, Clone)]
pub struct SentencePair {
    /// The premise.
    pub premise: SentenceVersion,
    /// The hypothesis.
    pub hypothesis: SentenceVersion,
    /// The gold label.
    pub gold: Judgment,
    /// Tags of its own.
    pub tags: Tags<'static>,
    /// A matched control: another premise, made from the same sentence, which entails the hypothesis. It becomes an example of its own.
    pub control: Option<Edited>,
}

/// A sentence as it was or as it was changed.
#[derive(Debug, Clone)]
pub enum SentenceVersion {
    /// The sentence as it was.
    Original,
    /// The sentence after an edit.
    Changed(Edited),
}

/// The largest share of a set that examples with the same value of a tag may have.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ShareLimit {
    /// The tag.
    pub tag: &'static str,
    /// The share, above 0 and at most 1.
    pub share: f64,
}

/// What was considered in a sentence and left alone: counted by reason, and described where somebody asks why.
#[derive(Debug, Default)]
pub struct Trace {
    counts: BTreeMap<&'static str, u64>,
    lines: Option<Vec<String>>,
}

impl Trace {
    /// A trace that also describes every decision.
    pub fn described() -> Self {
        Trace { counts: BTreeMap::new(), lines: Some(Vec::new()) }
    }

    /// Whether every decision is described.
    pub fn is_described(&self) -> bool {
        self.lines.is_some()
    }

    /// Counts a candidate that was left alone; it is described only where somebody asks.
    pub fn skipped(&mut self, candidate: impl FnOnce() -> String, reason: NotApplicable) {
        *self.counts.entry(reason.0).or_default() += 1;
        if let Some(lines) = &mut self.lines {
            lines.push(format!("{}: skipped, {}", candidate(), reason.0));
        }
    }

    /// Describes a change that was made.
    pub fn made(&mut self, change: impl FnOnce() -> String) {
        if let Some(lines) = &mut self.lines {
            lines.push(format!("{}: made", change()));
        }
    }

    /// Candidates that were left alone, by reason.
    pub fn counts(&self) -> &BTreeMap<&'static str, u64> {
        &self.counts
    }

    /// The decisions, in the order in which they were made; empty if nobody asked for them.
    pub fn lines(&self) -> &[String] {
        self.lines.as_deref().unwrap_or_default()
    }
}
