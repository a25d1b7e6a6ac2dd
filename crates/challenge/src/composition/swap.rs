//! Subject and object change places (SOSWAP; Nie et al. 2018, section 3.1).
//!
//! Where code and paper differ: the paper swaps the subject and object of every premise that has them, from dependency parses. Here rules leave out
//! what would be no contradiction or no sentence, and each example that allows it has a passive control with the same hypothesis.

mod change;
mod core;
mod dictionary;
mod from_parse;
mod from_tree;
mod lists;
mod nouns;
mod reasons;
mod repeated;
mod rules;

#[cfg(test)]
mod tests;

use super::analysis::{AnalysisSource, NO_TREE, parsed};
use crate::writing::Writing;
use crate::{
    Build, Case, CaseOutcome, CaseSentence, ChallengeEntry, Family, FromSentences, LabelEffect, Need, NotApplicable, SentencePair,
    SentenceVersion, Sides, SourceSentence, TEST, Trace, TreeNeed,
};
use acidtest_lingua::View;
use acidtest_lingua::edit::Edited;
use acidtest_lingua::tag::Tag;
use acidtest_lingua::tree::Leaf;
use acidtest_lingua::view::ViewNeed;
use acidtest_nli::{Judgment, Label, Rng, Side, Tags, tag};
use core::{Core, Rest, Words};
use reasons::*;
use repeated::Decided;
use rules::Judged;
use serde::{Deserialize, Serialize};
use serde_json::json;

pub(crate) const SUBJECT_OBJECT_SWAP: ChallengeEntry = ChallengeEntry {
    name: "subject-object-swap",
    summary: "swaps the subject and object of a sentence, which contradicts it; with passive controls, which entail it",
    source: "Nie et al. 2018, section 3.1 (SOSWAP)",
    family: Family::Composition,
    label: LabelEffect::Sets,
    in_run: &[],
    needs: &[Need::Names],
    split_by: &[tag::PART],
    examples: &[
        Case {
            premise: CHASED,
            outcome: CaseOutcome::Made {
                premise: "The bulls are chasing the runners.",
                hypothesis: "The runners are chasing the bulls.",
                gold: Judgment::Exact(Label::Contradiction),
            },
            ..Case::not_applicable(Side::Premise, "", "")
        },
        Case { premise: PASSIVE_SENTENCE, ..Case::not_applicable(Side::Premise, "", PASSIVE.0) },
    ],
    defaults: || json!(SwapSettings::default()),
    build: Build::FromSentences(|request| Ok(Box::new(request.settings::<SwapSettings>()?))),
};

const CHASED: CaseSentence = CaseSentence {
    text: "The bulls are chasing the runners.",
    parse: Some("(ROOT (S (NP (DT The) (NNS bulls)) (VP (VBP are) (VP (VBG chasing) (NP (DT the) (NNS runners)))) (. .)))"),
};
const PASSIVE_SENTENCE: CaseSentence = CaseSentence {
    text: "The runners are being chased by the bulls.",
    parse: Some(
        "(ROOT (S (NP (DT The) (NNS runners)) (VP (VBP are) (VP (VBG being) (VP (VBN chased) (PP (IN by) (NP (DT the) (NNS bulls)))))) (. .)))",
    ),
};

/// Which sentences are used and how they are analysed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SwapSettings {
    analysis: AnalysisSource,
    sides: Sides,
    controls: Controls,
    writing: Writing,
}

/// Whether matched controls are made.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Controls {
    /// Where they are sure.
    #[default]
    Passive,
    /// None.
    None,
}

/// A sentence whose subject and object can change places.
struct Candidate<'v> {
    words: Words<'v>,
    core: Core,
    judged: Judged,
}

impl FromSentences for SwapSettings {
    fn sides(&self) -> Sides {
        self.sides
    }

    fn trees(&self) -> TreeNeed {
        self.analysis.trees()
    }

    fn screen(&self, source: &SourceSentence<'_, '_>) -> Result<(), NotApplicable> {
        match self.analysis {
            AnalysisSource::Strict => repeated::screened(*self, source.view, || from_tree(source.view).map(|_| ())),
            AnalysisSource::Tree => Ok(()),
            AnalysisSource::Parse => words_alone(source.view.text()),
        }
    }

    fn view_need(&self) -> Option<ViewNeed> {
        self.analysis.view_need()
    }

    fn pairs(&self, source: &SourceSentence<'_, '_>, _: &mut Rng, trace: &mut Trace) -> Result<Vec<SentencePair>, NotApplicable> {
        if trace.is_described() {
            return self.decided(source.view, trace).pairs;
        }
        let found = repeated::decided(*self, source.view, || self.decided(source.view, &mut Trace::default()));
        if let Some(reason) = found.no_control {
            trace.skipped(String::new, reason);
        }
        found.pairs
    }
}

impl SwapSettings {
    fn decided(&self, view: &View<'_>, trace: &mut Trace) -> Decided {
        let candidate = match self.candidate(view) {
            Ok(candidate) => candidate,
            Err(reason) => return Decided { pairs: Err(reason), no_control: None },
        };
        match self.pair(view, &candidate, trace) {
            Ok((pair, no_control)) => Decided { pairs: Ok(vec![pair]), no_control },
            Err(reason) => Decided { pairs: Err(reason), no_control: None },
        }
    }

    fn candidate<'v>(&self, view: &'v View<'_>) -> Result<Candidate<'v>, NotApplicable> {
        let candidate = match self.analysis {
            AnalysisSource::Tree => from_tree(view)?,
            AnalysisSource::Parse => from_parse(view)?,
            AnalysisSource::Strict => {
                let mut candidate = from_tree(view)?;
                let ours = from_parse::core(parsed(view)?).map_err(|_| DISAGREE)?;
                if !ours.agrees(&candidate.core) {
                    return Err(DISAGREE);
                }
                if ours.rest == Rest::Modifiers {
                    candidate.core.rest = Rest::Modifiers;
                }
                candidate
            }
        };
        self.writing.check(&candidate.words, view.text())?;
        Ok(candidate)
    }

    /// The pair with its control, or why there is no control.
    fn pair(
        &self,
        view: &View<'_>,
        candidate: &Candidate<'_>,
        trace: &mut Trace,
    ) -> Result<(SentencePair, Option<NotApplicable>), NotApplicable> {
        let premise = view.edit().write_out().finish()?;
        let swapped = change::swapped(view, &candidate.words, &candidate.core, candidate.judged.object)?;
        if swapped.text.eq_ignore_ascii_case(&premise.text) {
            return Err(SAME_MEANING);
        }
        trace.made(|| candidate.described());
        let (control, no_control) = match self.controls {
            Controls::None => (None, None),
            Controls::Passive => match candidate.passive(view) {
                Ok(control) => (Some(control), None),
                Err(reason) => (None, Some(reason)),
            },
        };
        if let Some(reason) = no_control {
            trace.skipped(|| candidate.described(), reason);
        }
        let tags = candidate.tags(view, &swapped);
        let hypothesis = SentenceVersion::Changed(swapped);
        let premise = if premise.changes.is_empty() { SentenceVersion::Original } else { SentenceVersion::Changed(premise) };
        Ok((SentencePair { premise, hypothesis, gold: Label::Contradiction.into(), tags, control }, no_control))
    }
}

impl Candidate<'_> {
    /// Subject, verb and object, for people.
    fn described(&self) -> String {
        let (words, core) = (&self.words, &self.core);
        let [subject, object] = [&core.subject, &core.object].map(|nominal| words.text(nominal.words.clone()));
        format!("{subject} | {} | {object}", words.form(core.verb))
    }

    /// The premise of the control, or why it would not be a sure one.
    fn passive(&self, view: &View<'_>) -> Result<Edited, NotApplicable> {
        rules::control(&self.words, &self.core)?;
        change::passive(view, &self.words, &self.core, self.judged.subject)
    }

    fn tags(&self, view: &View<'_>, swapped: &Edited) -> Tags<'static> {
        let mut tags = Tags::default();
        tags.set(tag::PART, TEST);
        tags.set(tag::REVERSIBLE, self.judged.reversible.to_string());
        tags.set(tag::SAME_WORDS, has_same_words(view.text(), &swapped.text).to_string());
        tags
    }
}

/// Whether two texts have the same words, each as often.
fn has_same_words(left: &str, right: &str) -> bool {
    let words = |text: &str| {
        let lower = text.to_lowercase();
        let mut words: Vec<String> =
            lower.split(|letter: char| !letter.is_alphanumeric()).map(str::to_string).filter(|word| !word.is_empty()).collect();
        words.sort_unstable();
        words
    };
    words(left) == words(right)
}

fn from_tree<'v>(view: &'v View<'_>) -> Result<Candidate<'v>, NotApplicable> {
    let tree = view.penn_tree().ok_or(NO_TREE)?;
    let leaves: Vec<Leaf<'_>> = tree.leaves().collect();
    let core = from_tree::core(tree, &leaves)?;
    let words = Words::new(leaves.iter().map(|leaf| (leaf.word, Tag::from_name(leaf.tag))));
    let judged = rules::judge(&words, &core)?;
    Ok(Candidate { words, core, judged })
}

fn from_parse<'v>(view: &'v View<'_>) -> Result<Candidate<'v>, NotApplicable> {
    let sentence = parsed(view)?;
    let core = from_parse::core(sentence)?;
    let words = Words::new(sentence.words.iter().map(|word| (word.form.as_str(), Some(word.tag))));
    let judged = rules::judge(&words, &core)?;
    Ok(Candidate { words, core, judged })
}

/// Whether the words alone rule a text out, before it is parsed.
fn words_alone(text: &str) -> Result<(), NotApplicable> {
    if text.contains('?') {
        return Err(QUESTION);
    }
    Ok(())
}
