//! Training of linear models by the averaged perceptron.

use acidtest_lingua::hash::KeyIndex;
use std::collections::HashMap;

/// Weights in training: one row per feature, with the sums for averaging.
pub(crate) struct Perceptron {
    classes: usize,
    keys: Vec<u32>,
    index: KeyIndex,
    weights: Vec<f32>,
    sums: Vec<f32>,
    steps: f32,
}

impl Perceptron {
    /// A perceptron over the features that occur at least `least` times.
    pub(crate) fn new(classes: usize, counts: &HashMap<u32, u32>, least: u32) -> Self {
        let mut keys: Vec<u32> = counts.iter().filter(|&(_, &count)| count >= least).map(|(&key, _)| key).collect();
        keys.sort_unstable();
        Perceptron {
            classes,
            index: KeyIndex::new(keys.iter().copied()),
            weights: vec![0.0; keys.len() * classes],
            sums: vec![0.0; keys.len() * classes],
            keys,
            steps: 1.0,
        }
    }

    /// The row of a feature, if it is kept.
    pub(crate) fn row(&self, feature: u32) -> Option<u32> {
        self.index.get(feature).map(|row| row as u32)
    }

    /// Scores the classes of one decision and updates the weights; returns the class that was best before the update.
    ///
    /// Weights are updated if the gold class does not lead the others by `margin`.
    pub(crate) fn step(&mut self, rows: &[u32], gold: usize, margin: f32) -> usize {
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

    /// The averaged rows, by key.
    pub(crate) fn averaged(&self) -> Vec<(u32, Vec<f32>)> {
        let row = |(row, &key): (usize, &u32)| {
            let range = row * self.classes..(row + 1) * self.classes;
            let average = |(weight, sum): (&f32, &f32)| weight - sum / self.steps;
            (key, self.weights[range.clone()].iter().zip(&self.sums[range]).map(average).collect())
        };
        self.keys.iter().enumerate().map(row).collect()
    }
}
