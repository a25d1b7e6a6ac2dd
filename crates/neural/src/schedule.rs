//! Learning rate schedules.

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
}

/// The state of a schedule.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct ScheduleState {
    /// The current learning rate.
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

    /// Updates the state after an epoch with this development score; higher is better.
    pub fn end_epoch(&mut self, schedule: Schedule, score: f64) {
        self.epochs += 1;
        if self.best.is_none_or(|best| score > best) {
            (self.best, self.waited) = (Some(score), 0);
        } else {
            self.waited += 1;
        }
        match schedule {
            Schedule::Constant => {}
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
        check(Schedule::Plateau { factor: 0.5, patience: 1 }, &[1.0, 0.5, 0.5, 2.0, 1.0], &[8.0, 8.0, 4.0, 4.0, 4.0]);
    }
}
