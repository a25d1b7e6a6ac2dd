//! Columns that may contain gold labels instead of predictions.
//!
//! `label` and `gold_label` are taken for predictions if there is no other candidate: submission files use these names. Beside another column of labels, or
//! beside the sentences of a corpus, they may be the gold labels, and scoring gold labels against themselves would give 100 %.

use super::LABEL_COLUMNS;
use crate::{ColumnNames, Field, RowProblem};
use acidtest_nli::{LabelNames, LooseLabels};

/// The names of columns that contain predictions in some files and gold labels in others.
pub(super) const AMBIGUOUS: [&str; 2] = ["label", "gold_label"];

/// Refuses to take a column for predictions if the other names suggest that it may contain gold labels.
pub(super) fn refuse_by_names<'n>(column: &str, names: impl Iterator<Item = &'n str> + Clone) -> Result<(), RowProblem> {
    if !AMBIGUOUS.contains(&column) {
        let is_prediction = |name: &&str| LABEL_COLUMNS.contains(name) && !AMBIGUOUS.contains(name);
        let predictions: Vec<&str> = names.filter(is_prediction).collect();
        return match predictions.len() {
            0 | 1 => Ok(()),
            _ => Err(RowProblem::SeveralPredictions { found: predictions.join(", ") }),
        };
    }
    let fields = ColumnNames::default();
    let has = |wanted: Field| names.clone().any(|name| fields.field(name).is_some_and(|(field, _)| field == wanted));
    let sentences = has(Field::Premise) && has(Field::Hypothesis);
    if !sentences && !names.clone().any(|name| name != column && sounds_like_labels(name)) {
        return Ok(());
    }
    Err(refusal(column, names))
}

/// The error, with the columns found.
pub(super) fn refusal<'n>(column: &str, names: impl Iterator<Item = &'n str>) -> RowProblem {
    RowProblem::GoldOrPrediction { column: column.to_string(), found: names.collect::<Vec<_>>().join(", ") }
}

/// Whether a column of this name contains gold labels or predictions.
fn sounds_like_labels(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    ["pred", "gold", "output", "answer", "target", "truth"].iter().any(|part| name.contains(part)) || name.ends_with("label")
}

/// Whether a text is an unambiguous label name.
pub(super) fn is_label(text: &str, labels: &LabelNames) -> bool {
    let lower = text.to_ascii_lowercase();
    ["entail", "neutral", "contradict"].iter().any(|part| lower.contains(part)) && labels.answer(text, &mut LooseLabels::default()).is_ok()
}
