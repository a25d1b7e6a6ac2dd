//! The rows of a set by what they share.

use crate::breakdown::{GOLD, NO_VALUE};
use crate::join::Item;
use crate::scoring::Judged;
use acidtest_nli::UnknownName;
use std::collections::HashMap;

/// Rows that share the values of some tags.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Slice {
    /// The values, one for each tag.
    pub values: Vec<String>,
    /// The places of the rows among the labelled ones; never empty.
    pub rows: Vec<usize>,
}

/// The labelled rows by the values of these tags, in the order of [`Judged::breakdown`].
pub(super) fn slices<T: AsRef<str>>(judged: &Judged<'_>, tags: &[T]) -> Result<Vec<Slice>, UnknownName> {
    let mut slices: Vec<Slice> = Vec::new();
    let mut places: HashMap<Vec<String>, usize> = HashMap::new();
    for group in judged.breakdown(tags)? {
        places.entry(group.values.clone()).or_insert_with(|| {
            slices.push(Slice { values: group.values, rows: Vec::new() });
            slices.len() - 1
        });
    }
    for (at, (row, _)) in judged.scored().enumerate() {
        let values: Vec<String> = tags.iter().map(|tag| value(row.item, tag.as_ref()).to_string()).collect();
        if let Some(&place) = places.get(&values) {
            slices[place].rows.push(at);
        }
    }
    slices.retain(|slice| !slice.rows.is_empty());
    Ok(slices)
}

fn value<'i>(item: &'i Item, tag: &str) -> &'i str {
    let value = if tag == GOLD { item.gold.map(|gold| gold.name()) } else { item.tags.get(tag) };
    value.unwrap_or(NO_VALUE)
}

/// The values at these places.
pub(super) fn pick<T: Copy>(values: &[T], rows: &[usize]) -> Vec<T> {
    rows.iter().map(|&row| values[row]).collect()
}
