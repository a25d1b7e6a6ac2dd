//! Random numbers from a tree of names: by purpose, then by id, never by position, thread or clock.
//!
//! The hash (XXH3) and the generator (SplitMix64) are fixed by their specifications, and the step from random numbers to choices is
//! implemented here, so upgrading a dependency never changes a set.

use xxhash_rust::xxh3::xxh3_64_with_seed;

/// A node of the tree of seeds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Seed(u64);

impl Seed {
    /// The root of the tree for the user's seed.
    pub fn new(number: u64) -> Self {
        Seed(xxh3_64_with_seed(b"acidtest", number))
    }

    /// The child node of this name.
    pub fn child(self, name: &str) -> Self {
        Seed(xxh3_64_with_seed(name.as_bytes(), self.0))
    }

    /// A random number generator for this node.
    pub fn rng(self) -> Rng {
        Rng { state: self.0 }
    }

    /// This node's own number, for sampling by the smallest numbers.
    pub fn number(self) -> u64 {
        self.rng().next()
    }
}

/// The state grows by this with each number.
const INCREMENT: u64 = 0x9e37_79b9_7f4a_7c15;

/// A random number generator whose output never changes (SplitMix64).
#[derive(Debug, Clone)]
pub struct Rng {
    state: u64,
}

impl Rng {
    /// 64 random bits.
    #[allow(clippy::should_implement_trait)]
    pub fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(INCREMENT);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Passes over the next numbers at once, so that several threads can draw parts of one sequence.
    pub fn skip(&mut self, count: u64) {
        self.state = self.state.wrapping_add(INCREMENT.wrapping_mul(count));
    }

    /// A number below `limit`, all equally likely; `limit` must not be 0.
    pub fn below(&mut self, limit: usize) -> usize {
        assert!(limit > 0, "there is no number below 0");
        let limit = limit as u64;
        // Lemire's method with rejection, which is unbiased.
        let threshold = limit.wrapping_neg() % limit;
        loop {
            let product = u128::from(self.next()) * u128::from(limit);
            if product as u64 >= threshold {
                return (product >> 64) as usize;
            }
        }
    }

    /// A number of at least 0 and below 1.
    pub fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
    }

    /// A random item, or `None` if there are none.
    pub fn choose<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        if items.is_empty() { None } else { Some(&items[self.below(items.len())]) }
    }

    /// Puts the items in random order.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for end in (1..items.len()).rev() {
            items.swap(end, self.below(end + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn skipped_numbers_are_those_that_would_have_been_drawn() {
        let (mut one, mut other) = (Seed::new(1).rng(), Seed::new(1).rng());
        (0..5).for_each(|_| _ = one.next());
        other.skip(5);
        assert_eq!(one.next(), other.next());
    }

    #[test]
    fn numbers_never_change() {
        let mut rng = Seed::new(1).child("spelling").child("63735n").rng();
        let drawn: Vec<usize> = (0..6).map(|_| rng.below(1000)).collect();
        assert_eq!(drawn, [788, 456, 51, 711, 874, 689]);
    }

    #[test]
    fn every_number_below_the_limit_is_drawn_about_equally_often() {
        let mut rng = Seed::new(7).rng();
        let mut counts = [0usize; 5];
        for _ in 0..50_000 {
            counts[rng.below(5)] += 1;
        }
        assert!(counts.iter().all(|&count| (9_600..10_400).contains(&count)), "{counts:?}");
    }

    #[test]
    fn shuffling_keeps_the_items() {
        let mut items: Vec<u32> = (0..100).collect();
        Seed::new(3).rng().shuffle(&mut items);
        assert_ne!(items, (0..100).collect::<Vec<u32>>());
        items.sort_unstable();
        assert_eq!(items, (0..100).collect::<Vec<u32>>());
    }
}
