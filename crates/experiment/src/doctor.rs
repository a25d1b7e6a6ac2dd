//! Whether predictions match the examples by id, and whether their labels are read in the right order.

use crate::answers::judge;
use crate::asking::{AskRules, OrderCheck, ask, require_same_texts};
use crate::data::LoadedData;
use crate::error::Error;
use crate::evaluate::{original, with_recorded};
use crate::models::{ModelSource, NamedModel};
use crate::notes::{description_note, long_notes, tie_note};
use crate::row_numbers::placed;
use crate::session::Session;
use crate::spec::SurplusRule;
use acidtest_evaluate::analysis::doctor::{examine, initials};
use acidtest_evaluate::measurement::Subject;
use acidtest_evaluate::report::{Report, grouped};
use acidtest_evaluate::{Missing, Predictions};
use std::collections::BTreeMap;

/// The result of checking the label order.
pub struct LabelOrderReport {
    /// All orders with their fit.
    pub report: Report,
    /// Another order that fits significantly better than the given one, such as `C,E,N`.
    pub better: Option<String>,
}

/// Joins predictions to the examples, and tries every order of their labels. A model is called first.
pub fn check_label_order(data: &LoadedData, model: &NamedModel, session: &Session<'_>) -> Result<LabelOrderReport, Error> {
    let set = original(data);
    let (predictions, notes) = match &model.source {
        ModelSource::Recorded { answers, pairs, .. } => {
            let (answers, pairs) = placed((answers, pairs), &data.gaps, data.examples.len(), &model.name)?;
            require_same_texts((&answers, &pairs), std::slice::from_ref(&set), &model.name)?;
            (Predictions::Keyed(answers.into_owned()), Vec::new())
        }
        ModelSource::Model(_) => asked(data, model, session)?,
    };
    let items = set.items();
    let judged = judge(&items, &predictions, Missing::CountAsWrong, None).map_err(|source| Error::Judge {
        model: model.name.clone(),
        set: set.name().to_string(),
        source,
    })?;
    let examined = examine(&judged, model.labels)?;
    let matched = judged.joined.predictions.iter().flatten().count();
    let mut section = examined.section();
    section.notes.insert(1, format!("{} of {} examples have a prediction.", grouped(matched), grouped(items.len())));
    section.notes.extend(notes);
    section.notes.extend(tie_note([&judged]));
    let mut report = Report::new(
        format!("Label order of {}", model.name),
        session.provenance(with_recorded(data, std::slice::from_ref(model)), BTreeMap::new(), BTreeMap::new()),
        vec![section],
    );
    report.measure(examined.measurements(Subject { model: &model.name, set: &set.id, scoring: Some(judged.scoring) }));
    Ok(LabelOrderReport { report, better: examined.better_labels().map(initials) })
}

/// The model's predictions for all examples, with notes on how it made them.
fn asked(data: &LoadedData, model: &NamedModel, session: &Session<'_>) -> Result<(Predictions, Vec<String>), Error> {
    let rules = AskRules { order: OrderCheck::Skip, surplus: SurplusRule::Refuse, assumed_labels: false, gaps: &data.gaps };
    let asked = ask(model, &[original(data)], rules, session)?;
    model.finished()?;
    let notes = description_note(&asked).into_iter().chain(long_notes(&asked.name, asked.truncated, asked.parts).into_iter().flatten());
    let notes = notes.collect();
    Ok((asked.predictions.into_iter().next().unwrap_or(Predictions::InOrder(Vec::new())), notes))
}
