//! Examples and answers as scoring wants them.

use acidtest_evaluate::{Item, JoinError, Joined, Judged, Missing, Scoring, ScoringError, join};
use acidtest_nli::{Answer, Example, tag};
use xxhash_rust::xxh3::xxh3_64;

/// What scoring needs of an example. Rows of one template or one premise depend on each other.
pub fn item(example: &Example<'static>) -> Item {
    let together = example.tags.get(tag::TEMPLATE).unwrap_or(&example.pair.premise.text);
    Item {
        id: example.pair.id.to_string(),
        gold: example.gold,
        tags: example.tags.clone(),
        cluster: if together.is_empty() { xxh3_64(example.pair.id.as_bytes()) } else { xxh3_64(together.as_bytes()) },
    }
}

/// Answers that do not fit the rows.
#[derive(Debug, thiserror::Error)]
pub enum JudgeError {
    /// Rows and answers do not go together.
    #[error(transparent)]
    Join(#[from] JoinError),
    /// Answers and gold labels do not go together.
    #[error(transparent)]
    Scoring(#[from] ScoringError),
}

/// Joins and judges; without a rule of scoring the set's gold labels say which.
pub fn judge<'a>(items: &'a [Item], answers: &'a [Answer], missing: Missing, scoring: Option<Scoring>) -> Result<Judged<'a>, JudgeError> {
    let joined: Joined<'a> = join(items, answers, missing)?;
    let scoring = scoring.unwrap_or_else(|| Scoring::for_gold(items.iter().filter_map(|item| item.gold)));
    Ok(scoring.judge(joined)?)
}
