//! Joins and scores predictions.

use acidtest_evaluate::{Item, JoinError, Judged, Missing, Predictions, Scoring, ScoringError};

/// Predictions that do not match the examples.
#[derive(Debug, thiserror::Error)]
pub enum JudgeError {
    /// Predictions and examples do not match.
    #[error(transparent)]
    Join(#[from] JoinError),
    /// Predictions and gold labels do not match.
    #[error(transparent)]
    Scoring(#[from] ScoringError),
}

/// Joins and scores predictions; without a scoring rule, the gold labels determine it.
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
