//! Optimisers: Adam, AdamW and SGD.

use crate::error::{NeuralError, Result};
use crate::matrix::Matrix;
use crate::parameters::{Decay, Gradient, Gradients, Parameters};
use crate::simd::{self, vectorised};
use acidtest_threads::{Grain, for_each, map};
use serde::{Deserialize, Serialize};

/// The optimiser and its hyperparameters.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "name", deny_unknown_fields)]
pub enum Optimiser {
    /// Adam (Kingma and Ba 2015). Embedding rows that a batch does not use keep their moments unchanged.
    Adam {
        /// β₁: the decay rate of the first moment.
        #[serde(default = "first_decay")]
        first_decay: f32,
        /// β₂: the decay rate of the second moment.
        #[serde(default = "second_decay")]
        second_decay: f32,
        /// ε: avoids division by zero.
        #[serde(default = "epsilon")]
        epsilon: f32,
    },
    /// Adam with decoupled weight decay (Loshchilov and Hutter 2019). Of a table that is updated by rows, only the rows that a batch uses
    /// are decayed.
    #[serde(rename = "adamw")]
    AdamW {
        /// β₁: the decay rate of the first moment.
        #[serde(default = "first_decay")]
        first_decay: f32,
        /// β₂: the decay rate of the second moment.
        #[serde(default = "second_decay")]
        second_decay: f32,
        /// ε: avoids division by zero.
        #[serde(default = "epsilon")]
        epsilon: f32,
        /// λ: each step takes this share, times the learning rate, off every parameter that is decayed.
        #[serde(default = "weight_decay")]
        weight_decay: f32,
        /// Whether the moments are corrected for starting at 0.
        #[serde(default)]
        bias_correction: BiasCorrection,
    },
    /// Stochastic gradient descent with momentum.
    Sgd {
        /// The momentum; 0 for none.
        #[serde(default)]
        momentum: f32,
    },
}

/// Whether Adam's moments are corrected for starting at 0.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum BiasCorrection {
    /// As published.
    #[default]
    On,
    /// As in the code released with BERT (Devlin et al. 2019).
    Off,
}

fn first_decay() -> f32 {
    0.9
}

fn second_decay() -> f32 {
    0.999
}

fn epsilon() -> f32 {
    1e-8
}

fn weight_decay() -> f32 {
    0.01
}

impl Default for Optimiser {
    fn default() -> Self {
        Optimiser::Adam { first_decay: first_decay(), second_decay: second_decay(), epsilon: epsilon() }
    }
}

impl Optimiser {
    /// The names under which the optimiser state of a parameter is saved.
    pub(crate) fn state_names(&self) -> &'static [&'static str] {
        match self {
            Optimiser::Adam { .. } | Optimiser::AdamW { .. } => &["mean", "square"],
            Optimiser::Sgd { .. } => &["momentum"],
        }
    }

    /// Refuses invalid hyperparameters.
    pub(crate) fn check(&self) -> Result<()> {
        let share = |setting, number: f32| {
            if (0.0..1.0).contains(&number) {
                return Ok(());
            }
            Err(NeuralError::Setting { setting, found: number.to_string(), expected: "a number of at least 0 and below 1" })
        };
        match *self {
            Optimiser::Adam { first_decay, second_decay, .. } => share("first_decay", first_decay).and(share("second_decay", second_decay)),
            Optimiser::AdamW { first_decay, second_decay, weight_decay, .. } => {
                share("first_decay", first_decay).and(share("second_decay", second_decay)).and(share("weight_decay", weight_decay))
            }
            Optimiser::Sgd { momentum } => share("momentum", momentum),
        }
    }
}

/// The optimiser state: per parameter, one matrix of its shape for each of the optimiser's state names.
pub(crate) type OptimiserState = Vec<Vec<Matrix>>;

/// The initial optimiser state of each trainable parameter.
pub(crate) fn initial_state(optimiser: &Optimiser, parameters: &Parameters) -> OptimiserState {
    let zeros = |parameter: &crate::parameters::Parameter| match parameter.change {
        crate::parameters::ParameterUpdate::Frozen => Vec::new(),
        _ => optimiser.state_names().iter().map(|_| Matrix::zeros(parameter.value.rows, parameter.value.columns)).collect(),
    };
    parameters.iter().map(zeros).collect()
}

/// The settings of one optimiser step.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Update {
    pub optimiser: Optimiser,
    pub learning_rate: f32,
    /// The number of this step, from 1.
    pub step: u64,
    /// The factor from gradient clipping.
    pub factor: f32,
}

/// The number of elements one thread updates at a time; elements are independent, so the partition does not change the result.
const PART: usize = 1 << 15;

/// Part of a parameter with its gradient and state; the second matrix is empty for an optimiser without it.
struct Part<'a> {
    value: &'a mut [f32],
    gradient: &'a [f32],
    first: &'a mut [f32],
    second: &'a mut [f32],
    own: OwnSettings,
}

/// The settings of one parameter.
#[derive(Clone, Copy)]
struct OwnSettings {
    decay: Decay,
    rate_factor: f32,
}

/// Updates all parameters that have a gradient, in parallel.
pub(crate) fn update(parameters: &mut Parameters, gradients: &Gradients, state: &mut OptimiserState, update: Update) {
    let mut parts = Vec::new();
    for ((parameter, gradient), state) in parameters.iter_mut().zip(gradients.iter()).zip(state) {
        let mut state = state.iter_mut();
        let (Some(first), second) = (state.next(), state.next()) else { continue };
        let own = OwnSettings { decay: parameter.decay, rate_factor: parameter.rate_factor };
        match gradient {
            Gradient::None => {}
            Gradient::Dense(gradient) => {
                let values = parameter.value_mut().data.chunks_mut(PART).zip(gradient.data.chunks(PART));
                let mut seconds = second.map_or(&mut [][..], |matrix| &mut matrix.data).chunks_mut(PART);
                parts.extend(values.zip(first.data.chunks_mut(PART)).map(|((value, gradient), first)| {
                    let second = seconds.next().unwrap_or_default();
                    Part { value, gradient, first, second, own }
                }));
            }
            Gradient::Rows { ids, values } => {
                let (value, mut second) = (parameter.value_mut(), second);
                for (row, &id) in ids.iter().enumerate() {
                    let id = id as usize;
                    let second = second.as_mut().map_or(&mut [][..], |matrix| matrix.row_mut(id));
                    change(update, Part { value: value.row_mut(id), gradient: values.row(row), first: first.row_mut(id), second, own });
                }
            }
        }
    }
    for_each(parts, Grain::AtLeast(2), |part| change(update, part));
}

fn change(update: Update, part: Part<'_>) {
    let Update { factor, step, .. } = update;
    let learning_rate = update.learning_rate * part.own.rate_factor;
    let corrected = |first_decay: f32, second_decay: f32| {
        let correction = |decay: f32| 1.0 - f64::from(decay).powi(step.min(i32::MAX as u64) as i32);
        let rate = (f64::from(learning_rate) / correction(first_decay)) as f32;
        (rate, (1.0 / correction(second_decay)).sqrt() as f32)
    };
    match update.optimiser {
        Optimiser::Adam { first_decay, second_decay, epsilon } => {
            let (rate, spread) = corrected(first_decay, second_decay);
            adam(part, AdamStep { factor, first_decay, second_decay, epsilon, rate, spread });
        }
        Optimiser::AdamW { first_decay, second_decay, epsilon, weight_decay, bias_correction } => {
            if part.own.decay == Decay::Applied {
                simd::scale(part.value, (1.0 - f64::from(learning_rate) * f64::from(weight_decay)) as f32);
            }
            let (rate, spread) = match bias_correction {
                BiasCorrection::On => corrected(first_decay, second_decay),
                BiasCorrection::Off => (learning_rate, 1.0),
            };
            adam(part, AdamStep { factor, first_decay, second_decay, epsilon, rate, spread });
        }
        Optimiser::Sgd { momentum } => {
            // In the first step the momentum buffer is zero, so scaling it is correct too.
            simd::scale(part.first, momentum);
            simd::add_scaled(part.first, factor, part.gradient);
            simd::add_scaled(part.value, -learning_rate, part.first);
        }
    }
}

/// The constants of one Adam step.
#[derive(Clone, Copy)]
struct AdamStep {
    factor: f32,
    first_decay: f32,
    second_decay: f32,
    epsilon: f32,
    /// The learning rate, with bias correction of the first moment if there is any.
    rate: f32,
    /// The bias correction of the second moment; 1 for none.
    spread: f32,
}

vectorised! {
    fn adam(part: Part<'_>, step: AdamStep) {
        let AdamStep { factor, first_decay, second_decay, epsilon, rate, spread } = step;
        let Part { value, gradient, first, second, .. } = part;
        let size = value.len();
        let (gradient, mean, square) = (&gradient[..size], &mut first[..size], &mut second[..size]);
        for place in 0..size {
            let scaled = gradient[place] * factor;
            let average = first_decay * mean[place] + (1.0 - first_decay) * scaled;
            let power = second_decay * square[place] + (1.0 - second_decay) * scaled * scaled;
            mean[place] = average;
            square[place] = power;
            value[place] -= rate * average / (power.sqrt() * spread + epsilon);
        }
    }
}

/// The L2 norm of all gradients together.
pub fn norm(gradients: &Gradients) -> f32 {
    // In fixed parts added in order, so the sum is the same for any number of threads.
    let parts: Vec<&[f32]> = gradients.iter().flat_map(|gradient| gradient.numbers().chunks(PART)).collect();
    let squares: Vec<f32> = map(parts, Grain::AtLeast(4), |part| simd::dot(part, part));
    squares.into_iter().map(f64::from).sum::<f64>().sqrt() as f32
}

/// The factor that scales gradients of this norm down to the limit; 1 for smaller norms.
pub(crate) fn clip_factor(norm: f32, limit: Option<f32>) -> f32 {
    limit.map_or(1.0, |limit| (limit / (norm + 1e-6)).min(1.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parameters::ParameterUpdate;
    use acidtest_nli::Seed;

    fn check(optimiser: Optimiser, expected: [f32; 2]) {
        check_parameter("x", 1.0, optimiser, expected);
    }

    #[track_caller]
    fn check_parameter(name: &str, rate_factor: f32, optimiser: Optimiser, expected: [f32; 2]) {
        let mut parameters = Parameters::new(Seed::new(1));
        let id = parameters.insert(name, Matrix::from_vec(1, 1, vec![1.0]), ParameterUpdate::Dense);
        parameters.get_mut(id).rate_factor = rate_factor;
        let mut state = initial_state(&optimiser, &parameters);
        let mut gradients = Gradients::new(&parameters);
        for (step, expected) in expected.into_iter().enumerate() {
            gradients.zeroed(id, 1, 1).data[0] = 2.0;
            update(&mut parameters, &gradients, &mut state, Update { optimiser, learning_rate: 0.1, step: step as u64 + 1, factor: 0.5 });
            let found = parameters.get(id).value.data[0];
            assert!((found - expected).abs() < 1e-5, "{found} is not {expected}");
        }
    }

    fn adamw(weight_decay: f32, bias_correction: BiasCorrection) -> Optimiser {
        Optimiser::AdamW { first_decay: 0.9, second_decay: 0.999, epsilon: 1e-8, weight_decay, bias_correction }
    }

    #[test]
    fn weight_decay_is_apart_from_the_gradient_and_spares_biases() {
        check(adamw(0.0, BiasCorrection::On), [0.9, 0.8]);
        // 1 * 0.95 - 0.1, then 0.85 * 0.95 - 0.1.
        check(adamw(0.5, BiasCorrection::On), [0.85, 0.7075]);
        check_parameter("x.bias", 1.0, adamw(0.5, BiasCorrection::On), [0.9, 0.8]);
    }

    #[test]
    fn without_bias_correction_the_first_steps_are_longer() {
        // The moments are 0.1 and 0.001, then 0.19 and 0.001999.
        let first = 1.0 - 0.1 * 0.1 / 0.001f32.sqrt();
        check(adamw(0.0, BiasCorrection::Off), [first, first - 0.1 * 0.19 / 0.001_999f32.sqrt()]);
    }

    #[test]
    fn a_factor_of_the_learning_rate_shortens_steps_and_decay() {
        check_parameter("x", 0.5, Optimiser::default(), [0.95, 0.9]);
        // 1 * 0.975 - 0.05, then 0.925 * 0.975 - 0.05.
        check_parameter("x", 0.5, adamw(0.5, BiasCorrection::On), [0.925, 0.851_875]);
    }

    #[test]
    fn adam_moves_by_the_learning_rate_under_a_constant_gradient() {
        check(Optimiser::default(), [0.9, 0.8]);
    }

    #[test]
    fn momentum_makes_the_second_step_larger() {
        check(Optimiser::Sgd { momentum: 0.5 }, [0.9, 0.75]);
        check(Optimiser::Sgd { momentum: 0.0 }, [0.9, 0.8]);
    }

    #[test]
    fn unused_rows_are_not_updated() {
        let mut parameters = Parameters::new(Seed::new(1));
        let id = parameters.insert("x", Matrix::from_vec(2, 1, vec![1.0, 1.0]), ParameterUpdate::Rows);
        let optimiser = Optimiser::default();
        let mut state = initial_state(&optimiser, &parameters);
        let mut gradients = Gradients::new(&parameters);
        gradients.add_rows(id, std::sync::Arc::new(vec![1]), Matrix::from_vec(1, 1, vec![3.0]));
        gradients.finish(&parameters);
        update(&mut parameters, &gradients, &mut state, Update { optimiser, learning_rate: 0.1, step: 1, factor: 1.0 });
        assert_eq!(parameters.get(id).value.data[0], 1.0);
        assert!((parameters.get(id).value.data[1] - 0.9).abs() < 1e-5);
    }

    #[test]
    fn clipping_scales_down_only_large_gradients() {
        assert_eq!(clip_factor(5.0, Some(10.0)), 1.0);
        assert!((clip_factor(20.0, Some(10.0)) - 0.5).abs() < 1e-6);
        assert_eq!(clip_factor(20.0, None), 1.0);
    }
}
