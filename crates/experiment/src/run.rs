//! Every challenge, every model, one table.

use crate::answers::{JudgeError, item, judge};
use acidtest_challenge::{Coverage, Maker};
use acidtest_evaluate::report::{Block, Cell, Column, Provenance, Report, SCHEMA_VERSION, Section, Table};
use acidtest_evaluate::{Item, Missing, Score};
use acidtest_model::{Model, ModelError};
use acidtest_nli::{Answer, Example, Key, Pair};

/// A model under the name that the report shows.
pub struct NamedModel {
    /// The name.
    pub name: String,
    /// What answers.
    pub model: Box<dyn Model>,
}

/// A run that could not be finished.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// A model did not answer.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// Answers and rows do not go together.
    #[error("set `{set}`: {source}")]
    Judge {
        /// The set.
        set: String,
        /// What is wrong.
        source: JudgeError,
    },
}

/// Puts every model through the corpus and every challenge made from it.
pub fn run_report(
    title: String,
    examples: &[Example<'static>],
    makers: &[Maker],
    models: &[NamedModel],
    provenance: Provenance,
) -> Result<Report, RunError> {
    let mut rows = vec![row_of("clean", examples, models)?];
    let mut notes = Vec::new();
    for maker in makers {
        let mut coverage = Coverage::default();
        let made: Vec<Example<'static>> =
            examples.iter().flat_map(|example| maker.make(example, &mut coverage).into_iter().map(Example::into_owned)).collect();
        notes.extend(
            coverage.not_applicable.iter().map(|(reason, count)| format!("{}: {count} rows not applicable: {reason}.", maker.name())),
        );
        rows.push(row_of(maker.name(), &made, models)?);
    }
    let unlabelled = examples.iter().filter(|example| example.gold.is_none()).count();
    if unlabelled > 0 {
        notes.insert(0, format!("{unlabelled} rows have no gold label and are left out."));
    }
    let mut columns = vec![Column::left("set"), Column::right("rows")];
    columns.extend(models.iter().map(|model| Column::right(&model.name)));
    let table = Table { key_columns: 1, columns, rows };
    let section =
        Section { name: "sets".to_string(), title: "Accuracy on every set".to_string(), notes, blocks: vec![Block::Table(table)] };
    Ok(Report { schema_version: SCHEMA_VERSION, title, provenance, sections: vec![section] })
}

fn row_of(set: &str, examples: &[Example<'static>], models: &[NamedModel]) -> Result<Vec<Cell>, RunError> {
    let pairs: Vec<Pair<'static>> = examples.iter().map(|example| example.pair.clone()).collect();
    let items: Vec<Item> = examples.iter().map(item).collect();
    let labelled = items.iter().filter(|item| item.gold.is_some()).count();
    let mut cells = vec![Cell::text(set), Cell::Count { count: labelled as u64 }];
    for NamedModel { model, .. } in models {
        let predictions = model.answer(&pairs)?;
        let answers: Vec<Answer> = predictions
            .into_iter()
            .enumerate()
            .map(|(row, prediction)| Answer { key: Key::Row(row), prediction, line: row as u64 + 1 })
            .collect();
        let judged = judge(&items, &answers, Missing::Refuse, None).map_err(|source| RunError::Judge { set: set.to_string(), source })?;
        cells.push(Cell::rate(Score::of(&judged).accuracy));
    }
    Ok(cells)
}
