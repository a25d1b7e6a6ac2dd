//! Learning rate schedules.

use crate::error::{NeuralError, Result};
use serde::{Deserialize, Serialize};

/// A learning rate schedule; the caller defines what an epoch is.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, Default)]
#[serde(rename_all = "kebab-case", tag = "name", deny_unknown_fields)]
pub enum Schedule {
    /// The learning rate is constant.
    #[default]
    Constant,
    /// The learning rate is halved at regular intervals.
    Halving {
        /// The interval in epochs.
        every: u32,
    },
    /// The learning rate is reduced when the development score stops improving.
    Plateau {
        /// The factor of each reduction.
        factor: f32,
        /// The number of epochs without improvement before a reduction.
        patience: u32,
    },
    /// The learning rate rises from 0 in a straight line, then falls to 0.
    Linear {
        /// The number of steps of the rise.
        warm_up: u64,
        /// The number of steps of the whole training.
        steps: u64,
        /// Where the line of the fall begins.
        #[serde(default)]
        fall: Fall,
    },
}

/// Where the line of a falling learning rate begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Default)]
#[serde(rename_all = "kebab-case")]
pub enum Fall {
    /// At the top of the rise.
    #[default]
    AfterWarmUp,
    /// Above the start of the rise, so that the learning rate drops when the rise ends: as in the code released with BERT.
    FromTheStart,
    /// Nowhere: the learning rate stays at the top of the rise.
    Never,
}

impl Schedule {
    /// A rise over this share of the steps, then a fall.
    pub fn linear(warm_up: f64, steps: u64) -> Self {
        Schedule::linear_with(warm_up, steps, Fall::default())
    }

    /// A rise over this share of the steps, then this fall.
    pub fn linear_with(warm_up: f64, steps: u64, fall: Fall) -> Self {
        // Rounded up, as `transformers` does.
        Schedule::Linear { warm_up: (warm_up * steps as f64).ceil() as u64, steps, fall }
    }

    /// Refuses invalid numbers.
    pub(crate) fn check(&self) -> Result<()> {
        match *self {
            Schedule::Linear { warm_up, steps, .. } if warm_up > steps || steps == 0 => {
                let found = format!("{warm_up} of {steps} steps");
                Err(NeuralError::Setting { setting: "warm_up", found, expected: "at most as many steps as training has" })
            }
            _ => Ok(()),
        }
    }

    /// The factor of the learning rate in a step, counted from 0, apart from what epochs change.
    fn factor(self, step: u64) -> f64 {
        let Schedule::Linear { warm_up, steps, fall } = self else { return 1.0 };
        if step < warm_up {
            return step as f64 / warm_up as f64;
        }
        let length = match fall {
            Fall::AfterWarmUp => steps - warm_up,
            Fall::FromTheStart => steps,
            Fall::Never => return 1.0,
        };
        steps.saturating_sub(step) as f64 / length.max(1) as f64
    }
}

/// The state of a schedule.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct ScheduleState {
    /// The learning rate of this epoch, before the factor of each step.
    pub learning_rate: f32,
    /// The number of completed epochs.
    pub epochs: u32,
    /// The best score so far.
    pub best: Option<f64>,
    /// The number of epochs since the best score or the last reduction.
    pub waited: u32,
}

impl ScheduleState {
    /// Before the first epoch.
    pub fn new(learning_rate: f32) -> Self {
        ScheduleState { learning_rate, epochs: 0, best: None, waited: 0 }
    }

    /// The learning rate of a step, counted from 0.
    pub(crate) fn rate(&self, schedule: Schedule, step: u64) -> f32 {
        (f64::from(self.learning_rate) * schedule.factor(step)) as f32
    }

    /// Updates the state after an epoch with this development score; higher is better.
    pub fn end_epoch(&mut self, schedule: Schedule, score: f64) {
        self.epochs += 1;
        if self.best.is_none_or(|best| score > best) {
            (self.best, self.waited) = (Some(score), 0);
        } else {
            self.waited += 1;
        }
        match schedule {
            Schedule::Constant | Schedule::Linear { .. } => {}
            Schedule::Halving { every } => {
                if self.epochs.is_multiple_of(every.max(1)) {
                    self.learning_rate /= 2.0;
                }
            }
            Schedule::Plateau { factor, patience } => {
                if self.waited > patience {
                    self.learning_rate *= factor;
                    self.waited = 0;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(schedule: Schedule, scores: &[f64], expected: &[f32]) {
        let mut state = ScheduleState::new(8.0);
        let mut rates = Vec::new();
        for &score in scores {
            state.end_epoch(schedule, score);
            rates.push(state.learning_rate);
        }
        assert_eq!(rates, expected);
    }

    #[test]
    fn learning_rates_follow_the_schedule() {
        check(Schedule::Constant, &[1.0, 0.0], &[8.0, 8.0]);
        check(Schedule::Halving { every: 2 }, &[1.0, 1.0, 1.0, 1.0], &[8.0, 4.0, 4.0, 2.0]);
        check(Schedule::linear(0.5, 10), &[1.0, 0.0], &[8.0, 8.0]);
        check(Schedule::Plateau { factor: 0.5, patience: 1 }, &[1.0, 0.5, 0.5, 2.0, 1.0], &[8.0, 8.0, 4.0, 4.0, 4.0]);
    }

    #[test]
    fn a_linear_schedule_rises_and_falls() {
        let rates = |schedule: Schedule| (0..10).map(|step| ScheduleState::new(8.0).rate(schedule, step)).collect::<Vec<f32>>();
        assert_eq!(rates(Schedule::linear(0.15, 10)), [0.0, 4.0, 8.0, 7.0, 6.0, 5.0, 4.0, 3.0, 2.0, 1.0]);
        let bert = Schedule::Linear { warm_up: 2, steps: 8, fall: Fall::FromTheStart };
        assert_eq!(rates(bert), [0.0, 4.0, 6.0, 5.0, 4.0, 3.0, 2.0, 1.0, 0.0, 0.0]);
        assert_eq!(rates(Schedule::linear(0.0, 2)), [8.0, 4.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
        let held = Schedule::linear_with(0.2, 10, Fall::Never);
        assert_eq!(rates(held), [0.0, 4.0, 8.0, 8.0, 8.0, 8.0, 8.0, 8.0, 8.0, 8.0]);
        assert_eq!(rates(Schedule::Constant), [8.0; 10]);
        assert!(Schedule::linear(1.1, 10).check().is_err() && Schedule::linear(0.0, 0).check().is_err());
    }
}
