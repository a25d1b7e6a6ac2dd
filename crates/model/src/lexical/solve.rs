//! Softmax regression by dual coordinate ascent, one example at a time.
//!
//! The loss is the sum over examples of `log Σ exp(s) - s[label]`, where `s` are the summed weights of the example's features, plus half the penalty times
//! the sum of all squared weights. The bias is the weight of a feature that every example has, and is penalised like the others.
//!
//! Each example has an estimate `q` of its label probabilities (its dual variables), and the weights are always `1/penalty` times the sum over examples of `features × (label - q)`.
//! A step finds the best `q` of one example while all others are fixed (Shalev-Shwartz and Zhang 2013; Yu, Huang and Lin 2011). At the optimum, `q` is what the weights predict.
//! The primal loss and the dual value bound the optimum from both sides, which gives the duality gap.

use super::problem::{Problem, ScoredRows};
use acidtest_nli::{Rng, Seed};

/// The state of the optimisation.
#[derive(Debug, Clone)]
pub(super) struct Fit {
    penalty: f64,
    /// The weights of the shared features.
    weights: Vec<Two>,
    bias: Two,
    /// The dual variables of each example.
    guesses: Vec<Lanes>,
    /// The number of epochs.
    pub passes: usize,
}

/// The values of three labels, padded for SIMD.
type Lanes = [f32; 4];

/// The values of the first two labels; those of all three sum to 0, because dual variables and labels both sum to 1.
type Two = [f32; 2];

/// How close the weights are to the optimum.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Convergence {
    /// The regularised loss.
    pub loss: f64,
    /// An upper bound of the relative distance between this loss and the optimum.
    pub gap: f64,
    /// The norm of the gradient.
    pub gradient_norm: f64,
}

impl Fit {
    /// Starts with weights of zero.
    pub(super) fn new(problem: &Problem, penalty: f64) -> Self {
        let guesses = problem.labels.iter().map(|label| certain(*label)).collect();
        Fit { penalty, weights: vec![[0.0; 2]; problem.shared], bias: [0.0; 2], guesses, passes: 0 }
    }

    /// Bytes of memory.
    pub(super) fn bytes(&self) -> usize {
        self.weights.capacity() * size_of::<Two>() + self.guesses.capacity() * size_of::<Lanes>()
    }

    /// One epoch: runs of neighbouring examples in random order, each run in corpus order.
    pub(super) fn walk(&mut self, problem: &Problem, rows: &[u32], seed: Seed) {
        let mut rng: Rng = seed.child(&self.passes.to_string()).rng();
        let mut runs: Vec<&[u32]> = rows.chunks(RUN).collect();
        rng.shuffle(&mut runs);
        let inverse = (1.0 / self.penalty) as f32;
        for row in runs.into_iter().flatten() {
            let row = *row as usize;
            let features = problem.row(row);
            let old = self.guesses[row];
            let scores = self.scores(problem, row);
            let new = best_guess(&scores, &old, (features.len() as f32 + problem.own[row] as f32 + 1.0) * inverse);
            self.guesses[row] = new;
            let step = [(old[0] - new[0]) * inverse, (old[1] - new[1]) * inverse];
            add(&mut self.bias, step);
            features.iter().for_each(|id| add(&mut self.weights[*id as usize], step));
        }
        self.passes += 1;
    }

    /// The logits of an example: the bias, the weights of its shared features, and those of features that no other example has.
    #[inline]
    fn scores(&self, problem: &Problem, row: usize) -> Lanes {
        // Two independent sums, so that the processor can overlap them.
        let (mut even, mut odd) = (self.bias, self.own(problem, row, problem.own[row] as f32));
        let mut pairs = problem.row(row).chunks_exact(2);
        for pair in &mut pairs {
            add(&mut even, self.weights[pair[0] as usize]);
            add(&mut odd, self.weights[pair[1] as usize]);
        }
        pairs.remainder().iter().for_each(|id| add(&mut even, self.weights[*id as usize]));
        let (first, second) = (even[0] + odd[0], even[1] + odd[1]);
        [first, second, -first - second, 0.0]
    }

    /// The weight of a feature that only this example has, times their number.
    #[inline]
    fn own(&self, problem: &Problem, row: usize, times: f32) -> Two {
        let (gold, guess) = (certain(problem.labels[row]), self.guesses[row]);
        let factor = times / self.penalty as f32;
        [(gold[0] - guess[0]) * factor, (gold[1] - guess[1]) * factor]
    }

    /// How close the weights are to the optimum, over these examples.
    pub(super) fn convergence(&self, problem: &Problem, rows: &[u32]) -> Convergence {
        let (mut data, mut entropy, mut norm) = (0.0, 0.0, squares(self.bias));
        let mut gradient = vec![[0f32; 2]; problem.shared];
        let (mut bias_gradient, mut gradient_norm) = ([0f64; 3], 0.0);
        for row in rows {
            let row = *row as usize;
            let (own, label, guess) = (f64::from(problem.own[row]), problem.labels[row], self.guesses[row]);
            let scores = self.scores(problem, row);
            let (log_sum, probabilities) = softmax([scores[0].into(), scores[1].into(), scores[2].into()]);
            data += log_sum - f64::from(scores[usize::from(label)]);
            norm += own * squares(self.own(problem, row, 1.0));
            let apart: [f64; 3] = std::array::from_fn(|lane| probabilities[lane] - f64::from(guess[lane]));
            for lane in 0..3 {
                let q = f64::from(guess[lane]);
                entropy -= if q > 0.0 { q * q.ln() } else { 0.0 };
                bias_gradient[lane] += apart[lane];
                gradient_norm += own * apart[lane] * apart[lane];
            }
            let apart = [apart[0] as f32, apart[1] as f32];
            problem.row(row).iter().for_each(|id| add(&mut gradient[*id as usize], apart));
        }
        norm += self.weights.iter().map(|weights| squares(*weights)).sum::<f64>();
        let loss = data + 0.5 * self.penalty * norm;
        let dual = entropy - 0.5 * self.penalty * norm;
        gradient_norm += bias_gradient.iter().map(|number| number * number).sum::<f64>();
        gradient_norm += gradient.iter().map(|gradient| squares(*gradient)).sum::<f64>();
        Convergence { loss, gap: ((loss - dual) / loss.max(f64::MIN_POSITIVE)).max(0.0), gradient_norm: gradient_norm.sqrt() }
    }

    /// The weight of a feature for each label.
    pub(super) fn weight(&self, problem: &Problem, feature: usize) -> [f64; 3] {
        match feature.checked_sub(problem.shared) {
            None => three(self.weights[feature]),
            Some(alone) => three(self.own(problem, problem.owners[alone] as usize, 1.0)),
        }
    }

    /// The bias of each label.
    pub(super) fn bias(&self) -> [f64; 3] {
        three(self.bias)
    }

    /// The number of correct predictions.
    pub(super) fn right(&self, problem: &Problem, rows: &ScoredRows) -> u64 {
        rows.right(|features| {
            let mut scores = self.bias();
            for feature in features {
                let weight = self.weight(problem, *feature as usize);
                (0..3).for_each(|lane| scores[lane] += weight[lane]);
            }
            scores
        })
    }
}

/// All probability on one label.
#[inline]
fn certain(label: u8) -> Lanes {
    std::array::from_fn(|lane| f32::from(lane == usize::from(label)))
}

#[inline]
fn add(sum: &mut Two, other: Two) {
    sum[0] += other[0];
    sum[1] += other[1];
}

/// The values of all three labels.
fn three(two: Two) -> [f64; 3] {
    let [first, second] = two.map(f64::from);
    [first, second, -first - second]
}

/// The sum of squares of all three values.
fn squares(two: Two) -> f64 {
    three(two).iter().map(|number| number * number).sum()
}

/// The log-sum-exp, and the probabilities.
pub(super) fn softmax(scores: [f64; 3]) -> (f64, [f64; 3]) {
    let most = scores[0].max(scores[1]).max(scores[2]);
    let powers = scores.map(|score| (score - most).exp());
    let sum: f64 = powers.iter().sum();
    (most + sum.ln(), powers.map(|power| power / sum))
}

/// The best dual variables while all other examples are fixed: `q` with `ln q + pull × (q - old) = scores`, up to a constant, and a sum of 1.
///
/// `pull` is the squared norm of the example over the penalty: how strongly its logits move with its own dual variables.
fn best_guess(scores: &Lanes, old: &Lanes, pull: f32) -> Lanes {
    // The required value of ln q + pull × q, up to the constant.
    let target: [f32; 3] = std::array::from_fn(|lane| scores[lane] + pull * old[lane]);
    // Newton's method in ln q, starting from the old value, or from one between it and the prediction if the old value is unsuitable.
    let mut q: [f32; 3] = [old[0], old[1], old[2]];
    if q.iter().any(|part| *part < NEAR_ZERO) {
        let most = scores[0].max(scores[1]).max(scores[2]);
        let powers: [f32; 3] = std::array::from_fn(|lane| (scores[lane] - most).exp().max(NEAR_ZERO));
        let sum = powers[0] + powers[1] + powers[2];
        q = std::array::from_fn(|lane| powers[lane] / sum * (1.0 + pull * old[lane]) / (1.0 + pull * powers[lane] / sum));
    }
    let mut log: [f32; 3] = q.map(f32::ln);
    for _ in 0..MOST_STEPS {
        let (mut above, mut below) = (0.0, 0.0);
        let mut want = [0f32; 3];
        let mut slope = [0f32; 3];
        let sum = q[0] + q[1] + q[2];
        for lane in 0..3 {
            want[lane] = target[lane] - log[lane] - pull * q[lane];
            slope[lane] = 1.0 / (1.0 + pull * q[lane]);
            above += q[lane] * want[lane] * slope[lane];
            below += q[lane] * slope[lane];
        }
        let constant = (above - (1.0 - sum)) / below;
        let mut largest = 0f32;
        for lane in 0..3 {
            let step = ((want[lane] - constant) * slope[lane]).clamp(-8.0, 8.0);
            log[lane] = (log[lane] + step).clamp(LOG_NEAR_ZERO, 0.0);
            q[lane] = log[lane].exp();
            largest = largest.max(step.abs());
        }
        if largest < SMALL_STEP {
            break;
        }
    }
    let sum = q[0] + q[1] + q[2];
    [q[0] / sum, q[1] / sum, q[2] / sum, 0.0]
}

/// The number of examples in a run. Neighbours are close in memory and share premises, which makes an epoch faster; short runs in random
/// order converge as quickly as single examples do.
const RUN: usize = 16;

const MOST_STEPS: usize = 12;
const SMALL_STEP: f32 = 1e-2;
const NEAR_ZERO: f32 = 1e-7;
const LOG_NEAR_ZERO: f32 = -20.723_266;

#[cfg(test)]
mod tests {
    use super::*;

    /// Examples with these shared features, numbers of own features, and labels.
    fn problem(rows: &[(&[u32], u32, u8)]) -> Problem {
        let mut starts = vec![0];
        let mut ids = Vec::new();
        let mut owners = Vec::new();
        for (row, (features, own, _)) in rows.iter().enumerate() {
            ids.extend_from_slice(features);
            starts.push(ids.len());
            owners.extend((0..*own).map(|_| row as u32));
        }
        let shared = ids.iter().max().map_or(0, |most| *most as usize + 1);
        let own = rows.iter().map(|row| row.1).collect();
        Problem { starts, ids, own, labels: rows.iter().map(|row| row.2).collect(), shared, owners }
    }

    fn fitted(problem: &Problem, penalty: f64, passes: usize) -> (Fit, Vec<u32>) {
        let rows: Vec<u32> = (0..problem.rows() as u32).collect();
        let mut fit = Fit::new(problem, penalty);
        for _ in 0..passes {
            fit.walk(problem, &rows, Seed::new(1));
        }
        (fit, rows)
    }

    /// The loss by its definition, for any weights.
    fn loss(problem: &Problem, penalty: f64, bias: [f64; 3], weights: &[[f64; 3]]) -> f64 {
        let norm: f64 = weights.iter().chain([&bias]).flatten().map(|weight| weight * weight).sum();
        let of_row = |row: usize| {
            let own = (0..problem.owners.len()).filter(|alone| problem.owners[*alone] as usize == row).map(|alone| problem.shared + alone);
            let features = problem.row(row).iter().map(|id| *id as usize).chain(own);
            let scores = features.fold(bias, |scores, id| std::array::from_fn(|lane| scores[lane] + weights[id][lane]));
            softmax(scores).0 - scores[usize::from(problem.labels[row])]
        };
        (0..problem.rows()).map(of_row).sum::<f64>() + 0.5 * penalty * norm
    }

    fn weights(problem: &Problem, fit: &Fit) -> Vec<[f64; 3]> {
        (0..problem.features()).map(|feature| fit.weight(problem, feature)).collect()
    }

    fn toy() -> Problem {
        problem(&[(&[0, 1], 1, 0), (&[0, 2], 0, 1), (&[1, 2, 3], 2, 2), (&[3], 0, 2), (&[0, 3], 1, 0), (&[], 0, 1), (&[2], 3, 1)])
    }

    #[test]
    fn a_single_example_converges_to_its_closed_form_optimum() {
        // With one feature and the bias, both weights are (label - p) / penalty, and p is the softmax of their sum.
        let problem = problem(&[(&[0], 0, 0)]);
        let (fit, rows) = fitted(&problem, 2.0, 20);
        let [first, second, third] = fit.weight(&problem, 0);
        assert_eq!(fit.weight(&problem, 0), fit.bias());
        assert!((second - third).abs() < 1e-6 && (first + second + third).abs() < 1e-6);
        let p = softmax([2.0 * first, 2.0 * second, 2.0 * third]).1;
        assert!(((1.0 - p[0]) / 2.0 - first).abs() < 1e-5, "{first} {p:?}");
        assert!(fit.convergence(&problem, &rows).gap < 1e-5);
    }

    #[test]
    fn loss_and_gradient_norm_match_their_definitions() {
        let problem = toy();
        for passes in [1, 3, 60] {
            let (fit, rows) = fitted(&problem, 0.7, passes);
            let convergence = fit.convergence(&problem, &rows);
            let (bias, weights) = (fit.bias(), weights(&problem, &fit));
            assert!((convergence.loss - loss(&problem, 0.7, bias, &weights)).abs() < 1e-5);
            // By finite differences, one weight at a time; the bias is the last.
            let mut squares = 0.0;
            for feature in 0..=problem.features() {
                for lane in 0..3 {
                    let moved = |by: f64| {
                        let (mut bias, mut weights) = (bias, weights.clone());
                        *weights.get_mut(feature).map_or(&mut bias[lane], |weights| &mut weights[lane]) += by;
                        loss(&problem, 0.7, bias, &weights)
                    };
                    squares += ((moved(1e-4) - moved(-1e-4)) / 2e-4).powi(2);
                }
            }
            assert!(
                (convergence.gradient_norm - squares.sqrt()).abs() < 1e-3,
                "{passes}: {} {}",
                convergence.gradient_norm,
                squares.sqrt()
            );
        }
    }

    #[test]
    fn epochs_converge_for_every_penalty() {
        let problem = toy();
        for penalty in [0.05, 1.0, 100.0] {
            let (fit, rows) = fitted(&problem, penalty, 300);
            let convergence = fit.convergence(&problem, &rows);
            assert!(convergence.gap < 1e-4 && convergence.gradient_norm < 1e-2, "{penalty}: {convergence:?}");
            // No small step improves the loss.
            let (bias, weights) = (fit.bias(), weights(&problem, &fit));
            for feature in 0..problem.features() {
                for by in [-0.02, 0.02] {
                    let mut moved = weights.clone();
                    moved[feature][1] += by;
                    assert!(loss(&problem, penalty, bias, &moved) > convergence.loss - 1e-6);
                }
            }
        }
    }

    #[test]
    fn the_gap_encloses_the_optimum() {
        let problem = toy();
        let (best, rows) = fitted(&problem, 0.7, 400);
        let best = best.convergence(&problem, &rows).loss;
        for passes in [1, 2, 5, 20] {
            let (fit, rows) = fitted(&problem, 0.7, passes);
            let Convergence { loss, gap, .. } = fit.convergence(&problem, &rows);
            assert!(loss * (1.0 - gap) <= best + 1e-5 && best <= loss + 1e-5, "{passes}: {loss} {gap} {best}");
        }
    }

    #[test]
    fn dual_variables_solve_their_equation() {
        for (scores, old, pull) in [([0.3, -2.0, 1.0, 0.0], [0.2, 0.5, 0.3, 0.0], 12.0), ([9.0, -9.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], 0.5)]
        {
            let new = best_guess(&scores, &old, pull);
            let constants: [f32; 3] = std::array::from_fn(|lane| new[lane].ln() + pull * (new[lane] - old[lane]) - scores[lane]);
            assert!((constants[0] - constants[1]).abs() < 0.05 && (constants[1] - constants[2]).abs() < 0.05, "{new:?} {constants:?}");
            assert!((new[0] + new[1] + new[2] - 1.0).abs() < 1e-6);
        }
    }
}
