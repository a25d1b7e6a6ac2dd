//! How the learning rate changes while training goes on.

use serde::{Deserialize, Serialize};

/// A rule for the learning rate; an epoch is whatever the caller counts as one.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, Default)]
#[serde(rename_all = "kebab-case", tag = "name", deny_unknown_fields)]
pub enum Schedule {
    /// It stays.
    #[default]
    Constant,
    /// It is halved again and again.
    Halving {
        /// After how many epochs.
        every: u32,
    },
    /// It is lowered when the development score has not improved.
    Plateau {
        /// What it is multiplied by.
        factor: f32,
        /// After how many epochs without a better score.
        patience: u32,
    },
}

/// How far a schedule has come.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct ScheduleState {
    /// The learning rate now.
    pub learning_rate: f32,
    /// How many epochs have ended.
    pub epochs: u32,
    /// The best score so far.
    pub best: Option<f64>,
    /// How many epochs have ended since the best one, or since the rate was last lowered.
    pub waited: u32,
}

impl ScheduleState {
    /// Before the first epoch.
    pub fn new(learning_rate: f32) -> Self {
        ScheduleState { learning_rate, epochs: 0, best: None, waited: 0 }
    }

    /// An epoch has ended with this score on the development set; more is better.
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
    fn rates_follow_their_rule() {
        check(Schedule::Constant, &[1.0, 0.0], &[8.0, 8.0]);
        check(Schedule::Halving { every: 2 }, &[1.0, 1.0, 1.0, 1.0], &[8.0, 4.0, 4.0, 2.0]);
        check(Schedule::Plateau { factor: 0.5, patience: 1 }, &[1.0, 0.5, 0.5, 2.0, 1.0], &[8.0, 8.0, 4.0, 4.0, 4.0]);
    }
}
