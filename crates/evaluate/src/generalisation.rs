//! What intervals and p values generalise to: new examples, new premises, new sentences from the same templates, or new values of a tag.

use crate::analysis::wording::grouped;
use crate::join::Unit;
use crate::scoring::Judged;
use std::collections::{BTreeSet, HashSet};

/// The unit of the clusters, which determines what results generalise to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Generalisation {
    units: BTreeSet<UnitName>,
    tag: Option<String>,
    examples: usize,
    clusters: usize,
    untagged: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum UnitName {
    Premise,
    Example,
    Template,
    Tag,
}

impl Generalisation {
    /// The unit of the labelled examples of these sets.
    pub fn of<'j, 'a: 'j>(sets: impl IntoIterator<Item = &'j Judged<'a>>) -> Self {
        let mut found = Generalisation { units: BTreeSet::new(), tag: None, examples: 0, clusters: 0, untagged: 0 };
        for judged in sets {
            let mut clusters = HashSet::new();
            for (item, _) in judged.scored() {
                found.examples += 1;
                clusters.insert(item.cluster);
                found.units.insert(match item.unit {
                    Unit::Example => UnitName::Example,
                    Unit::Premise => UnitName::Premise,
                    Unit::Template => UnitName::Template,
                    Unit::Tag(_) | Unit::Untagged(_) => UnitName::Tag,
                });
                if let Unit::Tag(tag) | Unit::Untagged(tag) = item.unit {
                    found.tag.get_or_insert_with(|| tag.to_string());
                    found.untagged += usize::from(matches!(item.unit, Unit::Untagged(_)));
                }
            }
            found.clusters += clusters.len();
        }
        found
    }

    /// What results generalise to, in one sentence, for one set.
    pub fn sentence(&self) -> String {
        let parts: Vec<String> = self.units.iter().map(|unit| self.about(*unit)).collect();
        let counts = match self.clusters == self.examples {
            true => String::new(),
            false if self.clusters == 1 => format!("; 1 cluster of {} examples", grouped(self.examples)),
            false => format!("; {} clusters of {} examples", grouped(self.clusters), grouped(self.examples)),
        };
        self.put_together(&parts, &counts)
    }

    /// The same for several sets of a table, whose numbers of clusters differ.
    pub fn sentence_of_sets(&self) -> String {
        let parts: Vec<String> = self.units.iter().map(|unit| self.about(*unit)).collect();
        self.put_together(&parts, "")
    }

    fn put_together(&self, parts: &[String], counts: &str) -> String {
        let untagged = match (self.untagged, &self.tag) {
            (0, _) | (_, None) => String::new(),
            (1, Some(tag)) => format!("; 1 example without `{tag}` is its own cluster"),
            (count, Some(tag)) => format!("; each of the {} examples without `{tag}` is its own cluster", grouped(count)),
        };
        match parts {
            [] => "Intervals and p values generalise to new examples.".to_string(),
            parts => format!("Intervals and p values generalise to {}{counts}{untagged}.", parts.join(", and to ")),
        }
    }

    fn about(&self, unit: UnitName) -> String {
        match (unit, &self.tag) {
            (UnitName::Example, _) => "new examples (each example is its own cluster)".to_string(),
            (UnitName::Premise, _) => "new premises (examples that share a premise form one cluster)".to_string(),
            (UnitName::Template, _) => "new sentences from the same templates (generated pairs)".to_string(),
            (UnitName::Tag, tag) => {
                let tag = tag.as_deref().unwrap_or_default();
                format!("new values of `{tag}` (examples that share a value form one cluster)")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::join::{Item, Joined};
    use crate::scoring::Scoring;
    use acidtest_nli::{Label, Prediction};

    #[track_caller]
    fn check(rows: &[(u64, Unit<'static>)], expected: &str) {
        let item = |(cluster, unit): &(u64, Unit<'static>)| Item {
            gold: Some(Label::Neutral.into()),
            cluster: *cluster,
            unit: *unit,
            ..Item::default()
        };
        let items: Vec<Item<'_>> = rows.iter().map(item).collect();
        let predictions = vec![Prediction::of(Label::Neutral); rows.len()];
        let judged = Scoring::ThreeWay.judge(Joined::in_order(&items, &predictions).unwrap()).unwrap();
        assert_eq!(Generalisation::of([&judged]).sentence(), format!("Intervals and p values generalise to {expected}."));
    }

    #[test]
    fn the_unit_is_named_with_its_clusters() {
        let premises = "new premises (examples that share a premise form one cluster)";
        check(&[(1, Unit::Premise), (1, Unit::Premise), (2, Unit::Premise)], &format!("{premises}; 2 clusters of 3 examples"));
        check(&[(1, Unit::Example), (2, Unit::Example)], "new examples (each example is its own cluster)");
        check(
            &[(1, Unit::Template), (2, Unit::Premise)],
            &format!("{premises}, and to new sentences from the same templates (generated pairs)"),
        );
    }

    #[test]
    fn examples_without_the_tag_are_counted() {
        check(
            &[(1, Unit::Tag("genre")), (1, Unit::Tag("genre")), (2, Unit::Untagged("genre"))],
            "new values of `genre` (examples that share a value form one cluster); 2 clusters of 3 examples; \
             1 example without `genre` is its own cluster",
        );
    }
}
