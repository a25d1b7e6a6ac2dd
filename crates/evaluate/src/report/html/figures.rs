//! The scores of one model on one set, in large letters.

use super::Page;
use super::escape::escaped;
use super::measured::cell;
use super::scale::ShareScale;
use crate::measurement::{Measurement, Metric};
use crate::report::{Cell, SectionId};

impl Page<'_> {
    /// Accuracy and macro F1, where the report is of one model on one set.
    pub(super) fn figures(&self) -> String {
        let is_scored = self.report.sections.iter().any(|section| section.id == SectionId::Overall);
        let measured: Vec<&Measurement> = self.report.measured().filter(|one| !one.model.is_empty()).collect();
        let Some(first) = measured.first().filter(|_| is_scored) else { return String::new() };
        if measured.iter().any(|one| one.model != first.model || one.set != first.set) {
            return String::new();
        }
        let mut cells = Vec::new();
        let is_score = |one: &&&Measurement| matches!(one.metric, Metric::Accuracy | Metric::MacroF1);
        for one in measured.iter().filter(|one| one.group.is_empty() && one.against.is_none() && one.holds_for.is_none()).filter(is_score) {
            cells.extend(one.counts.map(|counts| ("examples", Cell::Count { count: counts.total })));
            cells.push((one.metric.title(), cell(one)));
        }
        let scale = ShareScale::of(cells.iter().map(|(_, cell)| cell));
        let mut figures = String::new();
        for (name, cell) in &cells {
            let written = cell.written();
            let bar = match cell {
                Cell::Rate { count, total, low, high, .. } if cell.has_interval() => {
                    format!("{}{}", scale.interval_bar(*count as f64 / *total as f64, *low, *high), scale.axis())
                }
                _ => String::new(),
            };
            figures.push_str(&format!(
                "<div><dt>{}</dt><dd>{}<span class=\"interval\">{}</span>{bar}</dd></div>",
                escaped(name),
                escaped(&written.head),
                escaped(&written.tail),
            ));
        }
        format!("<dl class=\"figures\">{figures}</dl>")
    }
}
