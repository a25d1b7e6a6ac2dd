//! Challenges that make pairs from single sentences.

use crate::{ModifierSlot, NotApplicable};
use acidtest_lingua::View;
use acidtest_lingua::edit::Edited;
use acidtest_lingua::view::ViewNeed;
use acidtest_nli::{Judgment, Side, Tags};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Makes pairs of a sentence and an edited copy of it.
///
/// A sentence gives the same pairs wherever it occurs, so that duplicates can be removed.
pub trait FromSentences: Send + Sync {
    /// The sides of a pair whose sentences are used; texts without hypotheses are always used.
    fn sides(&self) -> Sides {
        Sides::Both
    }

    /// Whether every sentence must have a Penn-style parse in the corpus.
    fn trees(&self) -> TreeNeed {
        TreeNeed::Optional
    }

    /// Rejects a sentence by its words alone, before anything is parsed: only sentences that pass are parsed.
    fn screen(&self, _: &SourceSentence<'_, '_>) -> Result<(), NotApplicable> {
        Ok(())
    }

    /// What is computed for many sentences at once before pairs are made; `None` if the words are sufficient.
    fn view_need(&self) -> Option<ViewNeed> {
        Some(ViewNeed::Analysis)
    }

    /// The pairs made from one sentence, or why there are none; the trace records rejected candidates.
    fn pairs(
        &self,
        sentence: &SourceSentence<'_, '_>,
        rng: &mut acidtest_nli::Rng,
        trace: &mut Trace,
    ) -> Result<Vec<SentencePair>, NotApplicable>;

    /// Whether the pairs are tagged with counts of the training data, if there are any.
    fn counts_training(&self) -> bool {
        false
    }

    /// Where to put modifier counts, which must be known before pairs are made; `None` if none are needed.
    fn modifiers(&self) -> Option<&ModifierSlot> {
        None
    }

    /// Which pairs of a sentence belong to the set.
    fn choice(&self) -> PairChoice {
        PairChoice::Every
    }

    /// The maximum share of a set with the same value of a tag.
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

/// Which pairs of a sentence belong to the set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PairChoice {
    /// All of them.
    Every,
    /// One: the one whose value of the limited tag is least used so far.
    LeastUsed,
}

/// Whether sentences must have a Penn-style parse in the corpus.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TreeNeed {
    /// No: our own parser is used if there is none.
    Optional,
    /// Yes: an example without a parse is an error.
    Required,
}

/// A sentence to make pairs from.
#[derive(Debug, Clone, Copy)]
pub struct SourceSentence<'s, 'e> {
    /// The sentence.
    pub view: &'s View<'e>,
    /// Its side of the pair; sentences of a passage are premises.
    pub side: Side,
    /// The tags of its example.
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
    /// Additional tags.
    pub tags: Tags<'static>,
    /// A matched control: another premise made from the same sentence, which entails the hypothesis. It becomes a separate example.
    pub control: Option<Edited>,
}

/// The original sentence or an edited one.
#[derive(Debug, Clone)]
pub enum SentenceVersion {
    /// The original sentence.
    Original,
    /// The sentence after an edit.
    Changed(Edited),
}

/// The maximum share of a set with the same value of a tag.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ShareLimit {
    /// The tag.
    pub tag: &'static str,
    /// The share, above 0 and at most 1.
    pub share: f64,
}

/// A record of rejected candidates: counted by reason, and described only if an explanation is requested.
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

    /// Counts a rejected candidate; it is described only if an explanation is requested.
    pub fn skipped(&mut self, candidate: impl FnOnce() -> String, reason: NotApplicable) {
        *self.counts.entry(reason.0).or_default() += 1;
        if let Some(lines) = &mut self.lines {
            lines.push(format!("{}: skipped, {}", candidate(), reason.0));
        }
    }

    /// Describes a change.
    pub fn made(&mut self, change: impl FnOnce() -> String) {
        if let Some(lines) = &mut self.lines {
            lines.push(format!("{}: made", change()));
        }
    }

    /// Rejected candidates by reason.
    pub fn counts(&self) -> &BTreeMap<&'static str, u64> {
        &self.counts
    }

    /// The decisions in order; empty if no explanation was requested.
    pub fn lines(&self) -> &[String] {
        self.lines.as_deref().unwrap_or_default()
    }
}
