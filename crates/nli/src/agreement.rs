//! Inter-annotator agreement beyond chance.

/// Counts for Fleiss' kappa: every item is put into one of some categories by the same number of judges.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FleissKappa<const CATEGORIES: usize> {
    judges: u64,
    items: u64,
    chosen: [u64; CATEGORIES],
    /// Ordered pairs of two judges of one item who agree.
    agreeing: u64,
}

impl<const CATEGORIES: usize> FleissKappa<CATEGORIES> {
    /// No items yet; each item will have this many judges.
    pub fn new(judges: u64) -> Self {
        FleissKappa { judges, items: 0, chosen: [0; CATEGORIES], agreeing: 0 }
    }

    /// Adds an item, given how many judges chose each category; an item with another number of judges is skipped.
    pub fn add(&mut self, counts: &[usize; CATEGORIES]) {
        if counts.iter().sum::<usize>() as u64 != self.judges {
            return;
        }
        self.items += 1;
        for (sum, &count) in self.chosen.iter_mut().zip(counts) {
            *sum += count as u64;
            self.agreeing += (count * count.saturating_sub(1)) as u64;
        }
    }

    /// Adds the items of another count.
    pub fn merge(&mut self, other: &Self) {
        self.items += other.items;
        self.agreeing += other.agreeing;
        self.chosen.iter_mut().zip(other.chosen).for_each(|(sum, more)| *sum += more);
    }

    /// How many items were added.
    pub fn items(&self) -> u64 {
        self.items
    }

    /// From below 0 (less agreement than by chance) to 1; `None` without items, with fewer than two judges, or if only one category was ever chosen.
    pub fn value(&self) -> Option<f64> {
        let ratings = (self.items * self.judges) as f64;
        let observed = self.agreeing as f64 / (ratings * self.judges.saturating_sub(1) as f64);
        let expected: f64 = self.chosen.iter().map(|&count| (count as f64 / ratings).powi(2)).sum();
        let several = self.chosen.iter().filter(|&&count| count > 0).count() > 1;
        (several && self.judges > 1).then(|| (observed - expected) / (1.0 - expected))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kappa<const CATEGORIES: usize>(judges: u64, items: &[[usize; CATEGORIES]]) -> FleissKappa<CATEGORIES> {
        let mut kappa = FleissKappa::new(judges);
        items.iter().for_each(|item| kappa.add(item));
        kappa
    }

    const ITEMS: [[usize; 3]; 6] = [[5, 0, 0], [3, 2, 0], [0, 5, 0], [1, 1, 3], [0, 0, 5], [2, 3, 0]];

    #[test]
    fn kappa_equals_that_of_statsmodels() {
        // statsmodels.stats.inter_rater.fleiss_kappa(items)
        let found = kappa(5, &ITEMS).value().unwrap();
        assert!((found - 0.5202020202020201).abs() < 1e-12, "{found}");
    }

    #[test]
    fn merged_counts_equal_the_counts_of_all_items() {
        let mut first = kappa(5, &ITEMS[..2]);
        first.merge(&kappa(5, &ITEMS[2..]));
        assert_eq!(first, kappa(5, &ITEMS));
    }

    #[test]
    fn items_with_another_number_of_judges_and_unused_categories_change_nothing() {
        let with_others: Vec<[usize; 4]> = ITEMS.iter().map(|&[a, b, c]| [a, b, c, 0]).chain([[4, 0, 0, 0], [3, 3, 0, 0]]).collect();
        let found = kappa(5, &with_others);
        assert_eq!((found.value(), found.items()), (kappa(5, &ITEMS).value(), 6));
    }

    #[test]
    fn kappa_needs_items_judges_and_two_categories() {
        assert_eq!(kappa::<3>(5, &[]).value(), None);
        assert_eq!(kappa(3, &[[3, 0], [3, 0]]).value(), None);
        assert_eq!(kappa(1, &[[1, 0], [0, 1]]).value(), None);
        assert_eq!(kappa(3, &[[3, 0], [0, 3]]).value(), Some(1.0));
    }
}
