//! Training of linear models by the averaged perceptron.

use acidtest_lingua::hash::KeyIndex;
use std::collections::HashMap;

/// Weights in training: a row a feature, with the sums that averaging wants.
pub struct Perceptron {
    classes: usize,
    keys: Vec<u32>,
    index: KeyIndex,
    counts: Vec<u32>,
    weights: Vec<f32>,
    sums: Vec<f32>,
    steps: f32,
}

impl Perceptron {
    /// A perceptron over the features that were seen at least `least` times.
    pub fn new(classes: usize, counts: &HashMap<u32, u32>, least: u32) -> Self {
        let mut seen: Vec<(u32, u32)> = counts.iter().filter(|&(_, &count)| count >= least).map(|(&key, &count)| (key, count)).collect();
        seen.sort_unstable();
        let keys: Vec<u32> = seen.iter().map(|&(key, _)| key).collect();
        Perceptron {
            classes,
            index: KeyIndex::new(keys.iter().copied()),
            counts: seen.iter().map(|&(_, count)| count).collect(),
            weights: vec![0.0; keys.len() * classes],
            sums: vec![0.0; keys.len() * classes],
            keys,
            steps: 1.0,
        }
    }

    /// The row of a feature, if it is kept.
    pub fn row(&self, feature: u32) -> Option<u32> {
        self.index.get(feature).map(|row| row as u32)
    }

    /// Scores the classes of one decision from its rows, and learns from it; gives the class that was best before learning.
    ///
    /// Learning happens when the right class does not lead the others by `margin`.
    pub fn step(&mut self, rows: &[u32], gold: usize, margin: f32) -> usize {
        let mut scores = [0f32; 64];
        for &row in rows {
            let row = &self.weights[row as usize * self.classes..(row as usize + 1) * self.classes];
            for (score, weight) in scores.iter_mut().zip(row) {
                *score += weight;
            }
        }
        let mut best = 0;
        let mut rival = usize::from(gold == 0);
        for class in 0..self.classes {
            if scores[class] > scores[best] {
                best = class;
            }
            if class != gold && scores[class] > scores[rival] {
                rival = class;
            }
        }
        if scores[gold] - scores[rival] <= margin {
            for &row in rows {
                let at = row as usize * self.classes;
                self.weights[at + gold] += 1.0;
                self.sums[at + gold] += self.steps;
                self.weights[at + rival] -= 1.0;
                self.sums[at + rival] -= self.steps;
            }
        }
        self.steps += 1.0;
        best
    }

    /// The averaged rows, the `most` weightiest of them, by key.
    pub fn averaged(&self, most: usize) -> Vec<(u32, Vec<f32>)> {
        let mut rows: Vec<(f32, u32, Vec<f32>)> = Vec::with_capacity(self.keys.len());
        for (row, &key) in self.keys.iter().enumerate() {
            let range = row * self.classes..(row + 1) * self.classes;
            let average = |(weight, sum): (&f32, &f32)| weight - sum / self.steps;
            let weights: Vec<f32> = self.weights[range.clone()].iter().zip(&self.sums[range]).map(average).collect();
            let weight = weights.iter().map(|weight| weight.abs()).sum::<f32>() * (self.counts[row] as f32).sqrt().min(30.0);
            if weight > 0.0 {
                rows.push((weight, key, weights));
            }
        }
        rows.sort_by(|left, right| right.0.total_cmp(&left.0).then(left.1.cmp(&right.1)));
        rows.truncate(most);
        rows.sort_by_key(|&(_, key, _)| key);
        rows.into_iter().map(|(_, key, weights)| (key, weights)).collect()
    }
}
