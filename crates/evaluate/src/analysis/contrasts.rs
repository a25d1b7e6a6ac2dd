//! Groups of examples, each against all the others: where is accuracy lower or higher than elsewhere?

use super::reliance::LEAST_EXAMPLES;
use super::wording::{bracket, grouped, points};
use crate::report::{Cell, SMALL_GROUP};
use crate::statistics::Interval;
use crate::statistics::clustered::{ClusteredAccuracy, DifferenceInterval};

/// Every group that is large enough, against the other examples.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Contrasts {
    /// One entry per group, in the order given; `None` for a group that is too small, or that has too few others beside it.
    pub groups: Vec<Option<Contrast>>,
    /// How many groups are tested.
    pub tested: usize,
}

/// One group and the other examples.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Contrast {
    /// The accuracy on the group.
    pub own: ClusteredAccuracy,
    /// The accuracy on the other examples.
    pub rest: ClusteredAccuracy,
    /// The interval of the first less the second, at a confidence that is corrected for all groups (Bonferroni).
    pub interval: Interval,
}

impl Contrast {
    /// The accuracy on the group less that on the others.
    pub(crate) fn difference(&self) -> f64 {
        let rate = |share: &ClusteredAccuracy| share.proportion().rate().unwrap_or(0.0);
        rate(&self.own) - rate(&self.rest)
    }

    fn is_significant(&self) -> bool {
        self.interval.low > 0.0 || self.interval.high < 0.0
    }

    /// The difference as a cell.
    pub(crate) fn cell(&self) -> Cell {
        Cell::excess(self.difference(), DifferenceInterval { interval: self.interval, is_zero_left_out: false })
    }
}

impl Contrasts {
    /// Of correct and wrong predictions in their clusters, each in one of so many groups; what is in none is left out.
    pub(crate) fn of(right: &[bool], clusters: &[u32], group_of: &[Option<usize>], groups: usize) -> Self {
        let places = clusters.iter().max().map_or(0, |most| *most as usize + 1);
        let mut all = vec![(0u64, 0u64); places];
        let mut rows: Vec<Vec<usize>> = vec![Vec::new(); groups];
        for (row, group) in group_of.iter().enumerate() {
            let Some(group) = group else { continue };
            rows[*group].push(row);
            add(&mut all, clusters[row], right[row]);
        }
        let of_counts = |counts: &mut dyn Iterator<Item = (u64, u64)>| ClusteredAccuracy::of_counts(counts.filter(|(_, rows)| *rows > 0));
        let mut own = vec![(0u64, 0u64); places];
        let mut found: Vec<Option<(ClusteredAccuracy, ClusteredAccuracy)>> = Vec::new();
        for rows in &rows {
            if (rows.len() as u64) < LEAST_EXAMPLES {
                found.push(None);
                continue;
            }
            rows.iter().for_each(|&row| add(&mut own, clusters[row], right[row]));
            // Examples of one cluster may be in several groups; the cluster is one all the same.
            let mut others = all.iter().zip(&own).map(|(all, own)| (all.0 - own.0, all.1 - own.1));
            let rest = of_counts(&mut others);
            let group = of_counts(&mut own.iter().copied());
            own.fill((0, 0));
            let is_large = group.equal_clusters() >= SMALL_GROUP && rest.proportion().total >= LEAST_EXAMPLES;
            found.push(is_large.then_some((group, rest)));
        }
        let tested = found.iter().flatten().count();
        // Bonferroni's correction: all groups are looked at.
        let confidence = 1.0 - 0.05 / tested.max(1) as f64;
        let contrast =
            |(own, rest): (ClusteredAccuracy, ClusteredAccuracy)| Contrast { own, rest, interval: own.less_at(&rest, confidence) };
        Contrasts { groups: found.into_iter().map(|found| found.map(contrast)).collect(), tested }
    }

    /// The groups with the lowest and the highest accuracy among those that differ significantly from the others, in sentences; `by` begins them, and
    /// `name` says which group it is, as the end of "accuracy is lowest".
    pub(crate) fn sentences(&self, by: &str, name: &dyn Fn(usize) -> String) -> Vec<String> {
        if self.tested < 2 {
            return Vec::new();
        }
        let differing =
            || self.groups.iter().enumerate().filter_map(|(place, found)| Some((place, (*found)?))).filter(|(_, one)| one.is_significant());
        let told = |found: Option<(usize, Contrast)>, word: &str| {
            let (place, found) = found?;
            let rate = |share: &ClusteredAccuracy| points(share.proportion().rate().unwrap_or(0.0));
            Some(format!(
                "By {by}, accuracy is {word} {}: {} % against {} % on the other examples, {} points {} (n = {}; significant after Bonferroni \
                 correction for {} groups).",
                name(place),
                rate(&found.own),
                rate(&found.rest),
                points(found.difference()),
                bracket(found.interval),
                grouped(found.own.proportion().total as usize),
                self.tested
            ))
        };
        let order = |a: &(usize, Contrast), b: &(usize, Contrast)| a.1.difference().total_cmp(&b.1.difference());
        let lowest = differing().filter(|(_, found)| found.difference() < 0.0).min_by(order);
        let highest = differing().filter(|(_, found)| found.difference() > 0.0).max_by(order);
        let sentences: Vec<String> = told(lowest, "lowest").into_iter().chain(told(highest, "highest")).collect();
        match sentences.is_empty() {
            true => vec![format!("By {by}, no group differs significantly from the other examples.")],
            false => sentences,
        }
    }

    /// What the column of differences shows; nothing where no group is tested.
    pub(crate) fn caption(&self) -> Option<String> {
        (self.tested > 1).then(|| {
            format!(
                "vs. rest: accuracy minus that on all other groups in the table, in points, for groups of at least {LEAST_EXAMPLES} examples; \
                 these intervals are Bonferroni-corrected for the number of groups."
            )
        })
    }
}

fn add(counts: &mut [(u64, u64)], cluster: u32, right: bool) {
    let (correct, rows) = &mut counts[cluster as usize];
    *correct += u64::from(right);
    *rows += 1;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn examples_of_no_group_are_not_among_the_others() {
        // Group 0: 90 of 100, group 1: 50 of 100, no group: 100 wrong.
        let group_of: Vec<Option<usize>> = (0..300).map(|row| if row < 200 { Some(row / 100) } else { None }).collect();
        let right: Vec<bool> = (0..300).map(|row| row < 90 || (100..150).contains(&row)).collect();
        let clusters: Vec<u32> = (0..300).collect();
        let found = Contrasts::of(&right, &clusters, &group_of, 2);
        assert_eq!(found.tested, 2);
        assert!((found.groups[0].unwrap().difference() - 0.4).abs() < 1e-12, "{found:?}");
        assert_eq!(found.groups[0].unwrap().rest.proportion().total, 100);
    }

    #[test]
    fn a_cluster_in_two_groups_is_one_cluster() {
        let group_of: Vec<Option<usize>> = (0..120).map(|row| Some(row % 3)).collect();
        let clusters: Vec<u32> = (0..120).map(|row| row / 3).collect();
        let found = Contrasts::of(&[true; 120], &clusters, &group_of, 3);
        assert_eq!(found.groups[0].unwrap().rest.clusters(), 40);
    }

    #[test]
    fn intervals_are_those_of_all_groups_together() {
        let group_of: Vec<Option<usize>> = (0..400).map(|row| Some(row / 100)).collect();
        let right: Vec<bool> = (0..400).map(|row| row % 4 > 0).collect();
        let clusters: Vec<u32> = (0..400).collect();
        let found = Contrasts::of(&right, &clusters, &group_of, 4).groups[0].unwrap();
        assert_eq!(found.interval, found.own.less_at(&found.rest, 0.9875));
    }
}
