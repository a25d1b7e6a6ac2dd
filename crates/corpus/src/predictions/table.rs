//! Predictions in the columns of a table.

use super::gold::{AMBIGUOUS, is_label, refusal, refuse_by_names};
use super::{LABEL_COLUMNS, PAIR_COLUMN, PredictionOptions, ROW_COLUMNS, ReadPrediction, pair_hash, problem};
use crate::{ColumnNames, Field, RowProblem};
use acidtest_nli::{Judgment, Key, Label, LabelNames, LooseLabels, Prediction, Scores, UnknownName};

/// The columns of a table.
pub(super) struct Table {
    columns: usize,
    key: Option<(usize, KeyKind)>,
    answer: AnswerColumns,
    /// The column of the hashes of pairs, if there is one.
    pair: Option<usize>,
    /// The names of the columns, if the chosen one may contain gold labels.
    doubtful: Option<Vec<String>>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum KeyKind {
    Id,
    Row,
}

/// The columns of the prediction.
enum AnswerColumns {
    Label(usize),
    /// Columns of the scores.
    Scores(ScoreColumns),
    /// The given label beside its scores.
    Both(usize, ScoreColumns),
}

impl AnswerColumns {
    /// The column of labels.
    fn label(&self) -> Option<usize> {
        match self {
            AnswerColumns::Label(at) | AnswerColumns::Both(at, _) => Some(*at),
            AnswerColumns::Scores(_) => None,
        }
    }
}

/// The columns of the class scores.
#[derive(Clone, Copy)]
enum ScoreColumns {
    /// Of entailment, neutral, contradiction.
    Three([usize; 3]),
    /// Of entailment and non-entailment.
    Two([usize; 2]),
}

impl ScoreColumns {
    /// The columns whose names are those of the classes, if there is one for each class.
    fn of_header(names: &[&str], labels: &LabelNames) -> Option<Self> {
        let column = |judgment: Judgment| names.iter().position(|name| names_judgment(name, judgment, labels));
        match Judgment::ALL.map(column) {
            [Some(entailment), Some(neutral), Some(contradiction), _] => Some(ScoreColumns::Three([entailment, neutral, contradiction])),
            [Some(entailment), None, None, Some(not_entailment)] => Some(ScoreColumns::Two([entailment, not_entailment])),
            _ => None,
        }
    }

    fn are_empty(self, cells: &[&str]) -> bool {
        match self {
            ScoreColumns::Three(columns) => columns.iter().all(|&column| cells[column].is_empty()),
            ScoreColumns::Two(columns) => columns.iter().all(|&column| cells[column].is_empty()),
        }
    }

    fn scores(self, cells: &[&str]) -> Result<Scores, RowProblem> {
        Ok(match self {
            ScoreColumns::Three([e, n, c]) => Scores::Three([finite(cells[e])?, finite(cells[n])?, finite(cells[c])?]),
            ScoreColumns::Two([e, other]) => Scores::Two([finite(cells[e])?, finite(cells[other])?]),
        })
    }
}

impl Table {
    /// The columns inferred from the first row, and whether that row is a header.
    pub(super) fn of(first: &[&str], options: &PredictionOptions) -> Result<(Self, bool), RowProblem> {
        if first.len() == 3 && first.iter().all(|cell| cell.parse::<f64>().is_ok()) {
            let answer = AnswerColumns::Scores(ScoreColumns::Three(score_order(options)?));
            return Ok((Table { columns: 3, key: None, answer, pair: None, doubtful: None }, false));
        }
        if let [cell] = first {
            // A single column may or may not have a header.
            let header = options.labels.answer(cell, &mut LooseLabels::default()).is_err();
            match options.columns.given(Field::Label) {
                Some(name) if header && name != *cell => return Err(missing(name, first)),
                None if header && !LABEL_COLUMNS.contains(cell) => return Err(RowProblem::NoAnswers { found: cell.to_string() }),
                _ => {}
            }
            return Ok((Table { columns: 1, key: None, answer: AnswerColumns::Label(0), pair: None, doubtful: None }, header));
        }
        Ok((Table::from_header(first, options)?, true))
    }

    fn from_header(names: &[&str], options: &PredictionOptions) -> Result<Self, RowProblem> {
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
        // Beside scores, `gold_label` is the gold label.
        let beside_scores: Vec<&str> = LABEL_COLUMNS.iter().copied().filter(|name| *name != "gold_label").collect();
        let answer = if let Some(at) = given(Field::Label)? {
            AnswerColumns::Label(at)
        } else if let Some(scores) = ScoreColumns::of_header(names, &options.labels) {
            position(&beside_scores).map_or(AnswerColumns::Scores(scores), |at| AnswerColumns::Both(at, scores))
        } else if let Some(at) = position(LABEL_COLUMNS) {
            AnswerColumns::Label(at)
        } else if names.len() == 2 && key.is_some() {
            AnswerColumns::Label(usize::from(key.is_some_and(|(at, _)| at == 0)))
        } else {
            return Err(RowProblem::NoAnswers { found: names.join(", ") });
        };
        let mut table = Table { columns: names.len(), key, answer, pair: position(&[PAIR_COLUMN]), doubtful: None };
        if let (Some(at), None) = (table.answer.label(), options.columns.given(Field::Label)) {
            refuse_by_names(names[at], names.iter().copied())?;
            let is_doubtful = AMBIGUOUS.contains(&names[at]);
            table.doubtful = is_doubtful.then(|| names.iter().map(|name| name.to_string()).collect());
        }
        Ok(table)
    }

    /// Refuses a row in which another column also contains a label.
    fn refuse_gold(&self, cells: &[&str], labels: &LabelNames) -> Result<(), RowProblem> {
        let (Some(names), Some(at)) = (&self.doubtful, self.answer.label()) else { return Ok(()) };
        match cells.iter().enumerate().any(|(place, cell)| place != at && is_label(cell, labels)) {
            true => Err(refusal(&names[at], names.iter().map(String::as_str))),
            false => Ok(()),
        }
    }

    /// Reads the cells of one row.
    pub(super) fn read(
        &self,
        cells: &[&str],
        row: usize,
        options: &PredictionOptions,
        loose: &mut LooseLabels,
    ) -> Result<ReadPrediction, RowProblem> {
        if cells.len() != self.columns {
            return Err(RowProblem::Columns { found: cells.len(), expected: self.columns });
        }
        self.refuse_gold(cells, &options.labels)?;
        let key = match self.key {
            None => Key::Row(row),
            Some((at, KeyKind::Id)) => Key::Id(cells[at].to_string()),
            Some((at, KeyKind::Row)) => Key::Index(cells[at].parse().map_err(|_| problem(format!("`{}` is not a row number", cells[at])))?),
        };
        let prediction = match &self.answer {
            AnswerColumns::Label(at) => Prediction::of(options.labels.answer(cells[*at], loose)?),
            AnswerColumns::Scores(at) => Prediction::from_scores(at.scores(cells)?),
            // Models without scores leave these columns empty.
            AnswerColumns::Both(label, at) => match at.are_empty(cells) {
                true => Prediction::of(options.labels.answer(cells[*label], loose)?),
                false => {
                    let scores = at.scores(cells)?;
                    Prediction::with_scores(options.labels.answer_beside_named(cells[*label], &scores, loose)?, Some(scores))
                }
            },
        };
        let pair = self.pair.map(|at| pair_hash(cells[at])).transpose()?;
        Ok(ReadPrediction { key, prediction, pair })
    }
}

fn missing(name: &str, names: &[&str]) -> RowProblem {
    let meant = UnknownName::among("column", names.iter().copied(), name).nearest.map(|meant| format!("; did you mean `{meant}`?"));
    problem(format!("no column `{name}` (found {}){}", names.join(", "), meant.unwrap_or_default()))
}

fn names_judgment(name: &str, judgment: Judgment, labels: &LabelNames) -> bool {
    let word = name.strip_prefix("score_").or_else(|| name.strip_prefix("p_")).or_else(|| name.strip_prefix("prob_")).unwrap_or(name);
    let is_name = word.parse::<u32>().is_err() && !word.starts_with("LABEL_");
    is_name && labels.answer(word, &mut LooseLabels::default()) == Ok(judgment)
}

fn finite(text: &str) -> Result<f64, RowProblem> {
    let score = text.trim().parse::<f64>().ok().filter(|score| score.is_finite());
    score.ok_or_else(|| problem(format!("`{text}` is not a score; expected a number")))
}

/// Columns (from 0) of entailment, neutral and contradiction in a file of bare scores.
fn score_order(options: &PredictionOptions) -> Result<[usize; 3], RowProblem> {
    let order = if options.labels.order_is_given() { options.labels.order() } else { &[] };
    let place = |label: Label| order.iter().position(|judgment| *judgment == Judgment::Exact(label));
    match Label::ALL.map(place) {
        [Some(entailment), Some(neutral), Some(contradiction)] => Ok([entailment, neutral, contradiction]),
        _ => Err(RowProblem::ScoreOrder),
    }
}
