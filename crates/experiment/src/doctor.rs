//! Whether the labels of predictions are read in the right order.

use crate::answers::judge;
use crate::asking::require_same_texts;
use crate::data::LoadedData;
use crate::error::Error;
use crate::evaluate::{original, with_recorded};
use crate::models::{ModelSource, NamedModel};
use crate::session::Session;
use acidtest_evaluate::analysis::doctor::{examine, initials};
use acidtest_evaluate::measurement::Subject;
use acidtest_evaluate::report::Report;
use acidtest_evaluate::{Missing, Predictions};
use std::collections::BTreeMap;

/// What was found about the order of labels.
pub struct LabelOrderReport {
    /// All orders and how well they fit.
    pub report: Report,
    /// Another order that fits significantly better than the given one, such as `C,E,N`.
    pub better: Option<String>,
}

/// Tries every order of the labels of recorded predictions.
pub fn check_label_order(data: &LoadedData, model: &NamedModel, session: &Session<'_>) -> Result<LabelOrderReport, Error> {
    let ModelSource::Recorded { answers, pairs, .. } = &model.source else { return Err(Error::NotRecorded { model: model.name.clone() }) };
    let set = original(data);
    require_same_texts((answers, pairs), std::slice::from_ref(&set), &model.name)?;
    let (items, predictions) = (set.items(), Predictions::Keyed(answers.clone()));
    let judged = judge(&items, &predictions, Missing::CountAsWrong, None).map_err(|source| Error::Judge {
        model: model.name.clone(),
        set: set.name().to_string(),
        source,
    })?;
    let examined = examine(&judged, model.labels)?;
    let mut report = Report::new(
        format!("Label order of {}", model.name),
        session.provenance(with_recorded(data, std::slice::from_ref(model)), BTreeMap::new(), BTreeMap::new()),
        vec![examined.section()],
    );
    report.measure(examined.measurements(Subject { model: &model.name, set: &set.id, scoring: Some(judged.scoring) }));
    Ok(LabelOrderReport { report, better: examined.better_labels().map(initials) })
}
