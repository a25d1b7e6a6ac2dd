//! Groups of examples by the values of tags.

use crate::breakdown::{GOLD, NO_VALUE};
use crate::join::Item;
use crate::scoring::Judged;
use acidtest_nli::UnknownName;
use std::collections::HashMap;

/// Examples that share the values of some tags.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Slice {
    /// The values, one for each tag.
    pub values: Vec<String>,
    /// The indices of the examples among the labelled ones; never empty.
    pub rows: Vec<usize>,
}

/// The labelled examples by the values of these tags, in the order of [`Judged::breakdown`].
pub(super) fn slices<T: AsRef<str>>(judged: &Judged<'_>, tags: &[T]) -> Result<Vec<Slice>, UnknownName> {
    let mut slices: Vec<Slice> = Vec::new();
    let groups = judged.breakdown(tags)?;
    let mut places: HashMap<Vec<&str>, usize> = HashMap::new();
    for group in &groups {
        places.entry(group.values.iter().map(String::as_str).collect()).or_insert_with(|| {
            slices.push(Slice { values: group.values.clone(), rows: Vec::new() });
            slices.len() - 1
        });
    }
    let mut values = Vec::with_capacity(tags.len());
    for (at, (item, _)) in judged.scored().enumerate() {
        values.clear();
        values.extend(tags.iter().map(|tag| value(item, tag.as_ref())));
        if let Some(&place) = places.get(&values) {
            slices[place].rows.push(at);
        }
    }
    slices.retain(|slice| !slice.rows.is_empty());
    Ok(slices)
}

fn value<'i>(item: &Item<'i>, tag: &str) -> &'i str {
    let value = if tag == GOLD { item.gold.map(|gold| gold.name()) } else { item.tags.get(tag) };
    value.unwrap_or(NO_VALUE)
}

/// The values at these indices.
pub(super) fn pick<T: Copy>(values: &[T], rows: &[usize]) -> Vec<T> {
    rows.iter().map(|&row| values[row]).collect()
}
