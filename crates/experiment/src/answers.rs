//! Examples and answers as scoring wants them.

use acidtest_evaluate::{Item, JoinError, Judged, Missing, Predictions, Scoring, ScoringError};

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
pub fn judge<'a>(
    items: &'a [Item<'a>],
    predictions: &'a Predictions,
    missing: Missing,
    scoring: Option<Scoring>,
) -> Result<Judged<'a>, JudgeError> {
    let joined = predictions.join(items, missing)?;
    let scoring = scoring.unwrap_or_else(|| Scoring::for_gold(items.iter().filter_map(|item| item.gold)));
    Ok(scoring.judge(joined)?)
}
