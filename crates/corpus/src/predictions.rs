//! Predictions files of all kinds: by id or by row, labels or scores.

use crate::blocks::{LineBlock, LineBlocks};
use crate::json::Text;
use crate::{ColumnNames, CorpusError, Field, InputFile, RowProblem};
use acidtest_files::ContentHash;
use acidtest_nli::{Answer, Judgment, Key, Label, LabelNames, Prediction, Scores};
use serde::de::DeserializeSeed;
use serde_json::{Map, Value};

/// How to read predictions.
#[derive(Debug, Clone, Default)]
pub struct PredictionOptions {
    /// The order of numbered labels and of score columns, where it was said.
    pub labels: Option<LabelNames>,
    /// The user's names for the id and label columns.
    pub columns: ColumnNames,
}

/// All predictions of a file, with the file's content hash.
pub fn read_predictions(file: &InputFile, options: &PredictionOptions) -> Result<(Vec<Answer>, ContentHash), CorpusError> {
    let path = file.name();
    let mut blocks = LineBlocks::new(file.clone(), file.open()?);
    let mut rows = Vec::new();
    let mut layout: Option<Layout> = None;
    while let Some(block) = blocks.next_text()? {
        read_block(&block, &mut layout, options, &mut rows).map_err(|(line, problem)| CorpusError::Row {
            path: path.clone(),
            line,
            problem,
        })?;
    }
    if rows.is_empty() {
        return Err(CorpusError::Empty { path });
    }
    Ok((rows, blocks.content_hash()))
}

type Placed<T> = Result<T, (u64, RowProblem)>;

fn read_block(block: &LineBlock, layout: &mut Option<Layout>, options: &PredictionOptions, rows: &mut Vec<Answer>) -> Placed<()> {
    for (line, text) in block.texts() {
        let at = |problem| (line, problem);
        let text = if line == 1 { text.strip_prefix('\u{feff}').unwrap_or(text) } else { text };
        let layout = match layout {
            Some(layout) => layout,
            None => {
                let (found, header) = Layout::of(text, options).map_err(at)?;
                let layout = layout.insert(found);
                if header {
                    continue;
                }
                layout
            }
        };
        let (key, prediction) = layout.read(text, rows.len(), options).map_err(at)?;
        rows.push(Answer { key, prediction, line });
    }
    Ok(())
}

/// How the lines of a file are to be read.
enum Layout {
    Json,
    Table { separator: char, columns: usize, key: Option<(usize, KeyKind)>, answer: AnswerColumns },
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum KeyKind {
    Id,
    Row,
}

/// The columns that hold the answer.
enum AnswerColumns {
    Label(usize),
    /// Columns of the scores.
    Scores(ScoreColumns),
    /// The given answer beside its scores.
    Both(usize, ScoreColumns),
}

/// Where the scores of the classes stand.
#[derive(Clone, Copy)]
enum ScoreColumns {
    /// Of entailment, neutral, contradiction.
    Three([usize; 3]),
    /// Of entailment and non-entailment.
    Two([usize; 2]),
}

impl ScoreColumns {
    /// The columns whose names are those of the classes, if there is one for each class.
    fn of_header(names: &[&str]) -> Option<Self> {
        let column = |judgment: Judgment| names.iter().position(|name| names_judgment(name, judgment));
        match Judgment::ALL.map(column) {
            [Some(entailment), Some(neutral), Some(contradiction), _] => Some(ScoreColumns::Three([entailment, neutral, contradiction])),
            [Some(entailment), None, None, Some(not_entailment)] => Some(ScoreColumns::Two([entailment, not_entailment])),
            _ => None,
        }
    }

    fn scores(self, cells: &[&str]) -> Result<Scores, RowProblem> {
        Ok(match self {
            ScoreColumns::Three([e, n, c]) => Scores::Three([finite(cells[e])?, finite(cells[n])?, finite(cells[c])?]),
            ScoreColumns::Two([e, other]) => Scores::Two([finite(cells[e])?, finite(cells[other])?]),
        })
    }
}

fn problem(message: impl Into<String>) -> RowProblem {
    RowProblem::Prediction(message.into())
}

/// What the names of a label's column may be, in files of any origin.
const LABEL_COLUMNS: &[&str] = &["prediction", "predicted_label", "predicted", "label", "gold_label", "answer"];
const ROW_COLUMNS: &[&str] = &["index", "row", "idx"];

impl Layout {
    /// The layout that the first line shows, and whether that line is a header.
    fn of(first: &str, options: &PredictionOptions) -> Result<(Self, bool), RowProblem> {
        if first.starts_with('{') {
            return Ok((Layout::Json, false));
        }
        let separator = if first.contains('\t') {
            '\t'
        } else if first.contains(',') {
            ','
        } else {
            ' '
        };
        let cells: Vec<&str> = split(first, separator).collect();
        if cells.iter().all(|cell| cell.parse::<f64>().is_ok()) && cells.len() == 3 {
            let order = score_order(options)?;
            return Ok((
                Layout::Table { separator, columns: 3, key: None, answer: AnswerColumns::Scores(ScoreColumns::Three(order)) },
                false,
            ));
        }
        let names = options.labels.clone().unwrap_or_default();
        if cells.len() == 1 {
            // A bare column may have a header or begin at once.
            let header = names.judgment(cells[0]).is_err();
            if header && !LABEL_COLUMNS.contains(&cells[0]) {
                return Err(problem(format!("`{}` is neither a label nor the name of a column of labels", cells[0])));
            }
            return Ok((Layout::Table { separator, columns: 1, key: None, answer: AnswerColumns::Label(0) }, header));
        }
        Ok((Layout::from_header(&cells, separator, options)?, true))
    }

    fn from_header(names: &[&str], separator: char, options: &PredictionOptions) -> Result<Self, RowProblem> {
        let position = |wanted: &[&str]| wanted.iter().find_map(|name| names.iter().position(|other| other == name));
        let given = |field: Field| match options.columns.given(field) {
            Some(name) => names.iter().position(|other| *other == name).map(Some).ok_or_else(|| missing(name, names)),
            None => Ok(None),
        };
        let id = match given(Field::Id)? {
            Some(at) => Some(at),
            None => names.iter().position(|name| matches!(ColumnNames::default().field(name), Some((Field::Id, _)))),
        };
        let key = id.map(|at| (at, KeyKind::Id)).or_else(|| position(ROW_COLUMNS).map(|at| (at, KeyKind::Row)));
        // Beside scores, a gold label is the gold label.
        let beside_scores: Vec<&str> = LABEL_COLUMNS.iter().copied().filter(|name| *name != "gold_label").collect();
        let answer = if let Some(at) = given(Field::Label)? {
            AnswerColumns::Label(at)
        } else if let Some(scores) = ScoreColumns::of_header(names) {
            position(&beside_scores).map_or(AnswerColumns::Scores(scores), |at| AnswerColumns::Both(at, scores))
        } else if let Some(at) = position(LABEL_COLUMNS) {
            AnswerColumns::Label(at)
        } else if names.len() == 2 && key.is_some() {
            AnswerColumns::Label(usize::from(key.is_some_and(|(at, _)| at == 0)))
        } else {
            return Err(RowProblem::NoAnswers { found: names.join(", ") });
        };
        Ok(Layout::Table { separator, columns: names.len(), key, answer })
    }

    fn read(&self, line: &str, row: usize, options: &PredictionOptions) -> Result<(Key, Prediction), RowProblem> {
        let Layout::Table { separator, columns, key, answer } = self else {
            return json_prediction(line, row, options);
        };
        let cells: Vec<&str> = split(line, *separator).collect();
        if cells.len() != *columns {
            return Err(RowProblem::Columns { found: cells.len(), expected: *columns });
        }
        let key = match key {
            None => Key::Row(row),
            Some((at, KeyKind::Id)) => Key::Id(cells[*at].to_string()),
            Some((at, KeyKind::Row)) => Key::Row(cells[*at].parse().map_err(|_| problem(format!("`{}` is not a row number", cells[*at])))?),
        };
        let prediction = match answer {
            AnswerColumns::Label(at) => Prediction::of(renamed(cells[*at], options)?),
            AnswerColumns::Scores(at) => Prediction::from_scores(at.scores(&cells)?),
            AnswerColumns::Both(label, at) => {
                let names = options.labels.clone().unwrap_or_default();
                Prediction::with_scores(names.judgment(cells[*label])?, Some(at.scores(&cells)?))
            }
        };
        Ok((key, prediction))
    }
}

/// A label as the given order has it: a number is a place in it, and a name stands for its usual number, so that names which a model was
/// given in the wrong order can be put right too. `LABEL_1` is a number.
fn renamed(text: &str, options: &PredictionOptions) -> Result<Judgment, RowProblem> {
    let names = options.labels.clone().unwrap_or_default();
    let judgment = names.judgment(text.strip_prefix("LABEL_").unwrap_or(text))?;
    let is_name = text.trim().parse::<usize>().is_err() && !text.starts_with("LABEL_");
    let place = judgment.label().filter(|_| is_name && names.order().len() == 3).map(Label::index);
    Ok(place.map_or(judgment, |place| names.order()[place]))
}

fn missing(name: &str, names: &[&str]) -> RowProblem {
    problem(format!("no column `{name}` (found {})", names.join(", ")))
}

fn names_judgment(name: &str, judgment: Judgment) -> bool {
    let word = name.strip_prefix("score_").or_else(|| name.strip_prefix("p_")).or_else(|| name.strip_prefix("prob_")).unwrap_or(name);
    LabelNames::default().judgment(word) == Ok(judgment) && word.parse::<u32>().is_err()
}

fn finite(text: &str) -> Result<f64, RowProblem> {
    let score = text.trim().parse::<f64>().ok().filter(|score| score.is_finite());
    score.ok_or_else(|| problem(format!("`{text}` is not a score (expected a number)")))
}

/// Columns (from 0) of entailment, neutral and contradiction in a file of bare scores.
fn score_order(options: &PredictionOptions) -> Result<[usize; 3], RowProblem> {
    let order = options.labels.as_ref().map(LabelNames::order).unwrap_or_default();
    let place = |label: Label| order.iter().position(|judgment| *judgment == Judgment::Exact(label));
    match Label::ALL.map(place) {
        [Some(entailment), Some(neutral), Some(contradiction)] => Ok([entailment, neutral, contradiction]),
        _ => Err(RowProblem::ScoreOrder),
    }
}

fn split(line: &str, separator: char) -> impl Iterator<Item = &str> {
    line.split(separator).filter(move |cell| separator != ' ' || !cell.is_empty()).map(|cell| cell.trim().trim_matches('"'))
}

fn json_prediction(line: &str, row: usize, options: &PredictionOptions) -> Result<(Key, Prediction), RowProblem> {
    let json = |error: serde_json::Error| RowProblem::Json(error.to_string().replace(" at line 1 column ", " at column "));
    let object: Map<String, Value> = serde_json::from_str(line).map_err(json)?;
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
    let index = ROW_COLUMNS.iter().find_map(|name| object.get(*name)).and_then(Value::as_u64);
    let key = match (id, index) {
        (Some(id), _) => Key::Id(id),
        (None, Some(index)) => Key::Row(index as usize),
        (None, None) => Key::Row(row),
    };
    let names = options.labels.clone().unwrap_or_default();
    let scores = ["scores", "probabilities", "probs", "logits"].iter().find_map(|name| object.get(*name));
    let scores = scores.map(|value| json_scores(value, &names)).transpose()?;
    let label = match options.columns.given(Field::Label) {
        Some(name) => Some(object.get(name).and_then(text).ok_or_else(|| problem(format!("no field `{name}`")))?),
        // Beside scores, a gold label is the gold label.
        None => {
            LABEL_COLUMNS.iter().filter(|name| scores.is_none() || **name != "gold_label").find_map(|name| object.get(*name)).and_then(text)
        }
    };
    let prediction = match (label, scores) {
        (Some(label), None) => Prediction::of(renamed(&label, options)?),
        (Some(label), scores) => Prediction::with_scores(names.judgment(&label)?, scores),
        (None, Some(scores)) => Prediction::from_scores(scores),
        (None, None) => return Err(problem("no answer (expected a field `label`, `prediction` or `scores`)")),
    };
    let truncated = object.get("truncated").and_then(Value::as_bool).unwrap_or_default();
    Ok((key, Prediction { truncated, ..prediction }))
}

/// Scores as a list in the order of the labels' numbers, or as an object with the labels' names.
fn json_scores(value: &Value, names: &LabelNames) -> Result<Scores, RowProblem> {
    let wrong = || {
        problem(
            "`scores` must be a number for each label, or an object with entailment, neutral and contradiction, or with entailment and non-entailment",
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
            let entry = |(name, score): (&String, &Value)| Ok((names.judgment(name)?, number(score)?));
            object.iter().map(entry).collect::<Result<Vec<_>, RowProblem>>()?
        }
        _ => return Err(wrong()),
    };
    Scores::of_named(named).map_err(|_| wrong())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, labels: Option<&str>, expected: &[(Judgment, bool)]) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("predictions");
        std::fs::write(&path, text).unwrap();
        let options = PredictionOptions { labels: labels.map(|order| LabelNames::from_order(order).unwrap()), ..Default::default() };
        let (answers, _) = read_predictions(&InputFile::new(path), &options).unwrap();
        let found: Vec<(Judgment, bool)> = answers.iter().map(|a| (a.prediction.answer, a.prediction.scores.is_some())).collect();
        assert_eq!(found, expected);
    }

    const E: Judgment = Judgment::Exact(Label::Entailment);
    const N: Judgment = Judgment::Exact(Label::Neutral);
    const C: Judgment = Judgment::Exact(Label::Contradiction);

    #[test]
    fn labels_are_read_from_every_kind_of_file() {
        check("pairID,gold_label\nex0,entailment\nex1,contradiction\n", None, &[(E, false), (C, false)]);
        check("entailment\nneutral\n", None, &[(E, false), (N, false)]);
        check("index,label\n0,2\n", None, &[(C, false)]);
        check("{\"id\": \"a\", \"prediction\": \"n\"}\n", None, &[(N, false)]);
        check("{\"id\": \"a\", \"label\": \"LABEL_2\"}\n", None, &[(C, false)]);
    }

    #[test]
    fn scores_follow_their_names_or_the_given_order() {
        check("0.1 0.2 0.7\n", Some("C,E,N"), &[(N, true)]);
        check("id,entailment,neutral,contradiction\na,0.1,0.2,0.7\n", None, &[(C, true)]);
        check("{\"id\": \"a\", \"scores\": [0.1, 0.2, 0.7]}\n", None, &[(C, true)]);
    }

    #[test]
    fn two_scores_are_read_by_name_or_in_a_two_way_order() {
        let not = Judgment::NotEntailment;
        check("id,entailment,non-entailment\na,0.1,0.9\n", None, &[(not, true)]);
        check("{\"id\": \"a\", \"scores\": {\"entailment\": 0.25, \"non-entailment\": 0.75}}\n", None, &[(not, true)]);
        check("{\"id\": \"a\", \"scores\": [0.25, 0.75]}\n", Some("not_entailment,entailment"), &[(E, true)]);
    }

    #[test]
    fn beside_scores_a_gold_label_is_no_answer() {
        check("id,gold_label,entailment,neutral,contradiction\na,neutral,0.1,0.2,0.7\n", None, &[(C, true)]);
        check("id,label,entailment,neutral,contradiction\na,neutral,0.1,0.2,0.7\n", None, &[(N, true)]);
        check("{\"id\": \"a\", \"gold_label\": \"neutral\", \"scores\": [0.1, 0.2, 0.7]}\n", None, &[(C, true)]);
    }

    #[test]
    fn a_name_stands_for_its_number_in_a_given_order() {
        check("entailment\n0\n", Some("C,E,N"), &[(C, false), (C, false)]);
    }
}
