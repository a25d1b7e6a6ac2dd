//! How often each kind of thing comes up when many things are drawn with replacement, without drawing them one by one.
//!
//! All draws are split in two by the weight of the left half of the kinds, each half again, down to single kinds. One split is a binomial
//! number with a rational probability, made exactly from fair coins: every draw compares the binary digits of a uniform number with those
//! of the probability, 64 draws to a machine word, and half of the draws are decided by each digit. So the distribution is exactly that of
//! drawing one by one, in whole numbers only (the same on every machine), at about 2 random bits for each draw and split.

use acidtest_nli::Rng;

/// Kinds of things with how many there are of each.
pub(crate) struct Multinomial {
    /// The tree of splits, each followed by its left part.
    nodes: Vec<Node>,
}

enum Node {
    Kind(usize),
    Split { left_weight: u64, weight: u64, right: usize },
}

impl Multinomial {
    /// The kinds' weights, which must not be 0 and add up to less than 2^62.
    pub(crate) fn new(weights: &[u64]) -> Self {
        let mut nodes = Vec::with_capacity(weights.len() * 2);
        if !weights.is_empty() {
            grow(&mut nodes, weights, 0);
        }
        Multinomial { nodes }
    }

    /// Makes so many draws and tells how often each kind came up, where it did; gives the generator back for what comes next.
    pub(crate) fn draw(&self, draws: u64, rng: Rng, mut each: impl FnMut(usize, u64)) -> Rng {
        let mut coins = Coins { rng, word: 0, left: 0 };
        if !self.nodes.is_empty() {
            self.descend(0, draws, &mut coins, &mut each);
        }
        coins.rng
    }

    fn descend(&self, node: usize, draws: u64, coins: &mut Coins, each: &mut impl FnMut(usize, u64)) {
        if draws == 0 {
            return;
        }
        match self.nodes[node] {
            Node::Kind(kind) => each(kind, draws),
            Node::Split { left_weight, weight, right } => {
                let left = coins.binomial(draws, left_weight, weight);
                self.descend(node + 1, left, coins, each);
                self.descend(right, draws - left, coins, each);
            }
        }
    }
}

/// Adds the tree of these kinds, the first of which has the number `first`; returns their weight.
fn grow(nodes: &mut Vec<Node>, weights: &[u64], first: usize) -> u64 {
    let weight: u64 = weights.iter().sum();
    if weights.len() == 1 {
        nodes.push(Node::Kind(first));
        return weight;
    }
    // The cut nearest to the middle of the weight keeps the tree shallow where the draws are many.
    let mut left_weight = weights[0];
    let mut cut = 1;
    while cut < weights.len() - 1 && 2 * left_weight + weights[cut] <= weight {
        left_weight += weights[cut];
        cut += 1;
    }
    let place = nodes.len();
    nodes.push(Node::Kind(first));
    grow(nodes, &weights[..cut], first);
    let right = nodes.len();
    grow(nodes, &weights[cut..], first + cut);
    nodes[place] = Node::Split { left_weight, weight, right };
    weight
}

/// Fair coins, 64 to a word.
struct Coins {
    rng: Rng,
    /// The coins left over from the last word that was begun.
    word: u64,
    left: u64,
}

impl Coins {
    /// How many of `draws` fall to a part of the whole.
    fn binomial(&mut self, draws: u64, part: u64, whole: u64) -> u64 {
        let (mut undecided, mut taken, mut rest) = (draws, 0, part);
        // `rest / whole` is what follows the digits of `part / whole` compared so far; once it is 0, no undecided number is below.
        while undecided > 0 && rest > 0 {
            rest *= 2;
            let ones = self.heads(undecided);
            if rest >= whole {
                rest -= whole;
                taken += undecided - ones;
                undecided = ones;
            } else {
                undecided -= ones;
            }
        }
        taken
    }

    /// How many of so many coins show heads.
    fn heads(&mut self, coins: u64) -> u64 {
        let mut heads = 0;
        let mut words = coins / 64;
        // Adding seven words bit by bit leaves three to be counted instead of seven.
        while words >= 7 {
            let (ones_a, twos_a) = add(self.rng.next(), self.rng.next(), self.rng.next());
            let (ones_b, twos_b) = add(ones_a, self.rng.next(), self.rng.next());
            let (ones, twos_c) = add(ones_b, self.rng.next(), self.rng.next());
            let (twos, fours) = add(twos_a, twos_b, twos_c);
            heads += u64::from(ones.count_ones()) + 2 * u64::from(twos.count_ones()) + 4 * u64::from(fours.count_ones());
            words -= 7;
        }
        for _ in 0..words {
            heads += u64::from(self.rng.next().count_ones());
        }
        let few = coins % 64;
        if few == 0 {
            return heads;
        }
        if self.left < few {
            (self.word, self.left) = (self.rng.next(), 64);
        }
        heads += u64::from((self.word & ((1 << few) - 1)).count_ones());
        self.word >>= few;
        self.left -= few;
        heads
    }
}

/// The sum of three bits in each of the 64 places: its ones and its twos.
fn add(a: u64, b: u64, c: u64) -> (u64, u64) {
    let both = a ^ b;
    (both ^ c, (a & b) | (both & c))
}

#[cfg(test)]
mod tests {
    use super::*;
    use acidtest_nli::Seed;
    use proptest::prelude::*;

    fn drawn(weights: &[u64], draws: u64, seed: u64) -> Vec<u64> {
        let mut counts = vec![0; weights.len()];
        Multinomial::new(weights).draw(draws, Seed::new(seed).rng(), |kind, count| counts[kind] += count);
        counts
    }

    #[test]
    fn numbers_never_change() {
        assert_eq!(drawn(&[5, 1, 30, 7, 2], 1000, 1), [124, 28, 638, 169, 41]);
    }

    #[test]
    fn counts_have_the_mean_and_the_spread_of_drawing_one_by_one() {
        let weights = [60, 25, 1, 14];
        let (draws, repeats) = (1000.0, 4000);
        let mut sums = [0.0; 4];
        let mut squares = [0.0; 4];
        let mut product = 0.0;
        for seed in 0..repeats {
            let counts = drawn(&weights, draws as u64, seed);
            for kind in 0..4 {
                sums[kind] += counts[kind] as f64;
                squares[kind] += (counts[kind] as f64).powi(2);
            }
            product += (counts[0] * counts[1]) as f64;
        }
        let repeats = repeats as f64;
        for kind in 0..4 {
            let p = weights[kind] as f64 / 100.0;
            let (mean, variance) = (sums[kind] / repeats, draws * p * (1.0 - p));
            assert!((mean - draws * p).abs() < 4.0 * (variance / repeats).sqrt(), "kind {kind}: mean {mean}");
            let spread = squares[kind] / repeats - mean * mean;
            assert!((spread / variance - 1.0).abs() < 0.1, "kind {kind}: variance {spread}, not {variance}");
        }
        let covariance = product / repeats - sums[0] / repeats * (sums[1] / repeats);
        assert!((covariance / (-draws * 0.6 * 0.25) - 1.0).abs() < 0.1, "covariance {covariance}");
    }

    #[test]
    fn a_third_of_two_draws_is_exact() {
        let mut seen = [0u32; 3];
        for seed in 0..9000 {
            seen[drawn(&[1, 2], 2, seed)[0] as usize] += 1;
        }
        // 4/9, 4/9 and 1/9 of 9000, within four standard errors
        assert!(seen[0].abs_diff(4000) < 190 && seen[1].abs_diff(4000) < 190 && seen[2].abs_diff(1000) < 120, "{seen:?}");
    }

    proptest! {
        #[test]
        fn every_draw_is_of_some_kind(weights in prop::collection::vec(1u64..1000, 1..40), draws in 0u64..3000, seed: u64) {
            prop_assert_eq!(drawn(&weights, draws, seed).iter().sum::<u64>(), draws);
        }
    }
}
