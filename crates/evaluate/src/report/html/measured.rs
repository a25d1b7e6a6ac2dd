//! The numbers of a page's tables, taken from the measurements of the report, so that page and JSON report cannot disagree.

use super::tables::words;
use crate::breakdown::GOLD;
use crate::measurement::{GroupValues, Measurement, Metric, PlaceKey};
use crate::report::{Cell, Report, Section, SectionId, Table};
use acidtest_nli::tag;
use std::collections::HashMap;

/// The measurements of a report by model and set; comparisons, and measurements without a model, are not in these tables.
pub(super) struct Measured<'a> {
    by_place: HashMap<(&'a str, PlaceKey<'a>), &'a Measurement>,
    /// The model and the set, where the report has one of each.
    only: Option<(&'a str, &'a str)>,
}

impl<'a> Measured<'a> {
    pub(super) fn of(report: &'a Report) -> Self {
        let own = || report.measured().filter(|one| one.against.is_none() && !one.model.is_empty());
        let place = |one: &'a Measurement| (one.model.as_str(), one.set.name.as_str());
        let only = own().next().map(place).filter(|first| own().all(|one| place(one) == *first));
        Measured { by_place: own().map(|one| ((one.model.as_str(), one.key()), one)).collect(), only }
    }

    /// The table with the measured numbers; cells without a measurement stay as they are.
    pub(super) fn table(&self, section: &Section, table: &Table) -> Table {
        let mut measured = table.clone();
        for row in &mut measured.rows {
            for column in table.key_columns..row.len().min(table.columns.len()) {
                if let Some(one) = self.find(section, table, row, column) {
                    let mark = row[column].mark();
                    row[column] = cell(one).marked(mark);
                }
            }
        }
        measured
    }

    /// The measurement of a cell, if there is one.
    fn find(&self, section: &Section, table: &Table, row: &[Cell], column: usize) -> Option<&'a Measurement> {
        let name = table.columns[column].name.as_str();
        let first = words(row.first()?);
        let keys = || {
            let columns = table.columns.iter().zip(row).take(table.key_columns);
            columns.map(|(column, cell)| (column.name.clone(), words(cell).to_string())).collect::<GroupValues>()
        };
        let of_only = |metric: Metric, group: GroupValues| {
            let (model, set) = self.only?;
            self.by_place.get(&(model, (metric, set, &[], &group, None))).copied()
        };
        match &section.id {
            SectionId::Sets => {
                let model = table.title.as_deref()?;
                let is_accuracy = name == Metric::Accuracy.title();
                let of_set = |one: &&&Measurement| is_accuracy && one.set.name == first && one.model == model && is_whole_accuracy(one);
                self.by_place.values().find(of_set).copied()
            }
            SectionId::Comparison if name == Metric::Accuracy.title() => {
                self.by_place.values().find(|one| one.model == first && is_whole_accuracy(one)).copied()
            }
            SectionId::Overall => of_only(Metric::titled(name)?, Vec::new()),
            SectionId::Labels => of_only(Metric::titled(name)?, vec![("label".to_string(), first.to_string())]),
            SectionId::By(_) | SectionId::Lengths => of_only(Metric::titled(name)?, keys()),
            SectionId::Hans => {
                let group = [(tag::HEURISTIC, first), (GOLD, name)].map(|(name, value)| (name.to_string(), value.to_string()));
                of_only(Metric::Accuracy, group.into())
            }
            _ => None,
        }
    }
}

fn is_whole_accuracy(one: &Measurement) -> bool {
    one.metric == Metric::Accuracy && one.group.is_empty() && one.holds_for.is_none()
}

/// A measurement as a cell.
pub(super) fn cell(one: &Measurement) -> Cell {
    match (one.counts, one.interval, &one.within_cluster) {
        (Some(counts), Some(interval), _) => Cell::rate_within(counts, interval).marked(one.mark),
        (Some(counts), None, Some(within)) => Cell::rate_in_one_cluster(counts, within.interval()),
        _ => Cell::number(Some(one.value), 3),
    }
}
