//! A report against an earlier one: which rates have significantly dropped.

use crate::report::{Block, Cell, Report};
use crate::statistics::{Proportion, multiple, normal};
use std::collections::BTreeMap;

/// A rate that both reports have.
#[derive(Debug, Clone, PartialEq)]
pub struct Held {
    /// Section, row and column.
    pub name: String,
    /// The rate in the earlier report.
    pub before: Proportion,
    /// The rate now.
    pub now: Proportion,
    /// Holm's adjusted p value of a drop over all rates.
    pub p: f64,
}

impl Held {
    /// Whether the rate has dropped, at this level.
    pub fn has_dropped(&self, alpha: f64) -> bool {
        self.p < alpha
    }
}

/// Holds every rate of the tables of two reports against each other: a one-sided test of two proportions, with Holm's correction.
///
/// An earlier report keeps counts and no rows, so the test is not paired and finds only larger drops than a comparison of predictions would.
pub fn against(now: &Report, before: &Report) -> Vec<Held> {
    let earlier = rates(before);
    let mut held: Vec<Held> = rates(now)
        .into_iter()
        .filter_map(|(name, now)| {
            let before = *earlier.get(&name)?;
            Some(Held { p: drop_p(before, now), name, before, now })
        })
        .collect();
    let adjusted = multiple::holm(&held.iter().map(|held| held.p).collect::<Vec<_>>());
    if let Ok(adjusted) = adjusted {
        for (held, p) in held.iter_mut().zip(adjusted) {
            held.p = p;
        }
    }
    held
}

/// The accuracies of a report's tables by section, row and column: of other rates, less may be better.
pub fn rates(report: &Report) -> BTreeMap<String, Proportion> {
    let mut rates = BTreeMap::new();
    let scores = |name: &str| matches!(name, "sets" | "overall") || name.starts_with("by ");
    for section in report.sections.iter().filter(|section| scores(&section.name)) {
        for block in &section.blocks {
            let Block::Table(table) = block else { continue };
            for row in &table.rows {
                let key: Vec<&str> = row[..table.key_columns.min(row.len())]
                    .iter()
                    .filter_map(|cell| match cell {
                        Cell::Text { text } => Some(text.as_str()),
                        _ => None,
                    })
                    .collect();
                for (column, cell) in table.columns.iter().zip(row).skip(table.key_columns) {
                    if let Cell::Rate { count, total, .. } = cell {
                        let name = format!("{} / {} / {}", section.name, key.join(" "), column.name);
                        rates.insert(name, Proportion { count: *count, total: *total });
                    }
                }
            }
        }
    }
    rates
}

fn drop_p(before: Proportion, now: Proportion) -> f64 {
    let (n, m) = (before.total as f64, now.total as f64);
    let pooled = (before.count + now.count) as f64 / (n + m);
    let error = (pooled * (1.0 - pooled) * (1.0 / n + 1.0 / m)).sqrt();
    if error == 0.0 {
        return 1.0;
    }
    let drop = before.count as f64 / n - now.count as f64 / m;
    1.0 - normal::below(drop / error)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_accuracies_are_held() {
        use crate::report::{Column, Provenance, SCHEMA_VERSION, Section, Table};
        let section = |name: &str, count: u64| Section {
            name: name.to_string(),
            title: String::new(),
            notes: Vec::new(),
            blocks: vec![Block::Table(Table {
                key_columns: 1,
                columns: vec![Column::left("set"), Column::right("accuracy")],
                rows: vec![vec![Cell::text("clean"), Cell::rate(Proportion { count, total: 100 })]],
            })],
        };
        let report = |right: u64| Report {
            schema_version: SCHEMA_VERSION,
            title: String::new(),
            provenance: Provenance::default(),
            sections: vec![section("sets", right), section("errors", 100 - right)],
        };
        let dropped = |now: u64, before: u64| against(&report(now), &report(before)).iter().filter(|held| held.has_dropped(0.05)).count();
        assert_eq!((dropped(99, 40), dropped(40, 99)), (0, 1));
    }

    #[test]
    fn a_drop_is_told_from_noise() {
        // statsmodels.stats.proportion.proportions_ztest([900, 850], [1000, 1000], alternative="larger")
        let p = drop_p(Proportion { count: 900, total: 1000 }, Proportion { count: 850, total: 1000 });
        assert!((p - 0.00036161635821507776_f64).abs() < 1e-10, "{p}");
        let p = drop_p(Proportion { count: 850, total: 1000 }, Proportion { count: 900, total: 1000 });
        assert!(p > 0.99);
    }
}
