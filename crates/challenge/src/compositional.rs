//! CS_λ: the examples of a corpus whose words mislead, by the lexically-misleading score (Nie et al. 2018, section 5.4).

use crate::{
    Build, Case, CaseOutcome, CaseSentence, ChallengeEntry, ChallengeError, Family, LabelEffect, LexicalScorer, Need, NotApplicable,
    ScorerError, Select, Selection,
};
use acidtest_nli::{Example, Judgment, Label, Misleading, Tags, tag};
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::sync::Arc;

const HARD: CaseSentence = CaseSentence::plain("The doctor who the lawyer saw left.");
const EASY: CaseSentence = CaseSentence::plain("A man sleeps.");

pub(crate) const COMPOSITIONAL: ChallengeEntry = ChallengeEntry {
    name: "compositional",
    summary: "selects the examples of a corpus whose words alone point to a wrong label",
    source: "Nie et al. 2018, section 5.4 (CS_lambda)",
    family: Family::Composition,
    label: LabelEffect::Keeps,
    in_run: &[],
    needs: &[Need::LexicalModel],
    split_by: &[],
    examples: &[
        Case {
            premise: HARD,
            hypothesis: CaseSentence::plain("The lawyer left."),
            gold: Judgment::Exact(Label::Neutral),
            probabilities: Some([0.75, 0.2, 0.05]),
            outcome: CaseOutcome::Made { premise: HARD.text, hypothesis: "The lawyer left.", gold: Judgment::Exact(Label::Neutral) },
        },
        Case {
            premise: EASY,
            hypothesis: CaseSentence::plain("A man is awake."),
            gold: Judgment::Exact(Label::Contradiction),
            probabilities: Some([0.1, 0.3, 0.6]),
            outcome: CaseOutcome::NotApplicable("the lexically-misleading score is below lambda"),
        },
    ],
    defaults: || json!(CompositionalSettings { lambda: 0.7 }),
    build: Build::Select(|request| {
        let CompositionalSettings { lambda } = request.settings()?;
        if !(0.0..=1.0).contains(&lambda) {
            return Err(request.refused(format!("lambda: invalid value {lambda}: expected a number from 0 to 1, such as 0.7")).into());
        }
        let scorer = request.resources.scorer.clone().ok_or(ChallengeError::NoLexicalModel { name: request.name })?;
        Ok(Box::new(Compositional { scorer, lambda }))
    }),
};

/// The least score of an example of the set.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct CompositionalSettings {
    lambda: f64,
}

struct Compositional {
    scorer: Arc<dyn LexicalScorer>,
    lambda: f64,
}

impl Select for Compositional {
    fn select(&self, example: &Example<'_>) -> Result<Selection, ScorerError> {
        let Some(gold) = example.gold.and_then(|gold| gold.label()) else {
            return Ok(Selection::No(NotApplicable("no exact gold label")));
        };
        let found = Misleading::of(self.scorer.unseen_probabilities(&example.pair)?, gold);
        if !found.is_in(self.lambda) {
            return Ok(Selection::No(NotApplicable("the lexically-misleading score is below lambda")));
        }
        let mut tags = Tags::default();
        tags.set(tag::LMS, format!("{:.4}", found.score));
        tags.set(tag::LAMBDA, self.lambda.to_string());
        Ok(Selection::Yes(tags))
    }
}
