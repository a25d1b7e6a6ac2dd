//! Predictions as JSON objects, one per line.

use super::gold::{AMBIGUOUS, is_label, refusal, refuse_by_names};
use super::unique::{UniqueFields, repeated_field};
use super::{LABEL_COLUMNS, PAIR_COLUMN, PredictionOptions, ROW_COLUMNS, ReadPrediction, pair_hash, problem};
use crate::layouts::json::Text;
use crate::{ColumnNames, Field, RowProblem};
use acidtest_nli::{Key, LabelNames, LooseLabels, Prediction, Scores};
use serde::de::DeserializeSeed;
use serde_json::{Map, Value};

/// Reads one line.
pub(super) fn prediction(
    line: &str,
    row: usize,
    options: &PredictionOptions,
    loose: &mut LooseLabels,
) -> Result<ReadPrediction, RowProblem> {
    let json = |error: serde_json::Error| RowProblem::Json(error.to_string().replace(" at line 1 column ", " at column "));
    let object = match serde_json::from_str::<UniqueFields>(line) {
        Ok(UniqueFields(Value::Object(object))) => object,
        Ok(_) => return Err(RowProblem::Json("expected an object".to_string())),
        Err(error) => return Err(repeated_field(&error).map_or_else(|| json(error), |name| RowProblem::Repeated { name })),
    };
    let text = |value: &Value| Text.deserialize(value.clone()).ok().flatten().map(|text| text.into_owned());
    let default = ColumnNames::default();
    let id = match options.columns.given(Field::Id) {
        Some(name) => object.get(name).and_then(text),
        None => {
            let mut ids: Vec<(u8, &Value)> = object
                .iter()
                .filter_map(|(name, value)| match default.field(name) {
                    Some((Field::Id, rank)) => Some((rank, value)),
                    _ => None,
                })
                .collect();
            ids.sort_by_key(|(rank, _)| *rank);
            ids.first().and_then(|(_, value)| text(value))
        }
    };
    let key = match (id, ROW_COLUMNS.iter().find_map(|name| object.get(*name))) {
        (Some(id), _) => Key::Id(id),
        (None, Some(index)) => Key::Index(row_number(index)?),
        (None, None) => Key::Row(row),
    };
    let names = &options.labels;
    let written = ["scores", "probabilities", "probs", "logits"].iter().find_map(|name| object.get(*name));
    let scores = written.map(|value| json_scores(value, names)).transpose()?;
    let label = match options.columns.given(Field::Label) {
        Some(name) => Some(object.get(name).and_then(text).ok_or_else(|| problem(format!("no field `{name}`")))?),
        // Beside scores, `gold_label` is the gold label.
        None => {
            let names = || LABEL_COLUMNS.iter().copied().filter(|name| scores.is_none() || *name != "gold_label");
            let found = names().find_map(|name| Some((name, text(object.get(name)?)?)));
            if let Some((name, _)) = found {
                refuse_gold(name, &object, &options.labels)?;
            }
            found.map(|(_, label)| label)
        }
    };
    let prediction = match (label, scores) {
        (Some(label), Some(scores)) if written.is_some_and(Value::is_array) => {
            Prediction::with_scores(names.answer_beside(&label, &scores, loose)?, Some(scores))
        }
        (Some(label), Some(scores)) => Prediction::with_scores(names.answer_beside_named(&label, &scores, loose)?, Some(scores)),
        (Some(label), None) => Prediction::of(names.answer(&label, loose)?),
        (None, Some(scores)) => Prediction::from_scores(scores),
        (None, None) => return Err(problem("no prediction; expected a field `label`, `prediction` or `scores`")),
    };
    let truncated = object.get("truncated").and_then(Value::as_bool).unwrap_or_default();
    let parts = object.get("parts").and_then(Value::as_u64).and_then(|parts| u32::try_from(parts).ok()).unwrap_or(1).max(1);
    let pair = object.get(PAIR_COLUMN).and_then(Value::as_str).map(pair_hash).transpose()?;
    Ok(ReadPrediction { key, prediction: Prediction { truncated, parts, ..prediction }, pair })
}

/// Refuses a field that may be the gold label.
fn refuse_gold(name: &str, object: &Map<String, Value>, labels: &LabelNames) -> Result<(), RowProblem> {
    let names = || object.keys().map(String::as_str);
    refuse_by_names(name, names())?;
    let other = |(key, value): (&String, &Value)| key != name && value.as_str().is_some_and(|text| is_label(text, labels));
    if AMBIGUOUS.contains(&name) && object.iter().any(other) { Err(refusal(name, names())) } else { Ok(()) }
}

/// Scores as a list in the order of the labels' numbers, or as an object with the labels' names.
fn json_scores(value: &Value, names: &LabelNames) -> Result<Scores, RowProblem> {
    let wrong = || {
        problem(
            "`scores` must be a list with one number per label, or an object with entailment, neutral and contradiction, or with entailment and non-entailment",
        )
    };
    let number = |score: &Value| score.as_f64().ok_or_else(wrong);
    let named = match value {
        Value::Array(list) if list.len() == names.order().len() => names
            .order()
            .iter()
            .zip(list)
            .map(|(judgment, score)| Ok((*judgment, number(score)?)))
            .collect::<Result<Vec<_>, RowProblem>>()?,
        Value::Object(object) => {
            let entry = |(name, score): (&String, &Value)| Ok((names.answer(name, &mut LooseLabels::default())?, number(score)?));
            object.iter().map(entry).collect::<Result<Vec<_>, RowProblem>>()?
        }
        _ => return Err(wrong()),
    };
    Scores::of_named(named).map_err(|_| wrong())
}

/// A row's number, also where it is written as text.
fn row_number(value: &Value) -> Result<usize, RowProblem> {
    let number = value.as_u64().or_else(|| value.as_str()?.trim().parse().ok());
    let found = number.and_then(|number| usize::try_from(number).ok());
    found.ok_or_else(|| problem(format!("`{value}` is not a row number (expected a whole number of at least 0)")))
}
