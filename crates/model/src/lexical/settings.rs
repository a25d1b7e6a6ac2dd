//! How a lexical model is trained.

use super::error::LexicalError;
use super::words::KeptWords;
use serde::{Deserialize, Serialize};

/// The settings of a lexical model and its training, as `--set KEY=VALUE` gives them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct LexicalSettings {
    /// The words that make features: `content` or `all`.
    pub words: KeptWords,
    /// The L2 penalty on weights; without one, the value of [`PENALTIES`] (or beyond them) with the best dev accuracy.
    pub penalty: Option<f64>,
    /// Training stops when the loss is within this share of the smallest possible loss.
    pub tolerance: f64,
    /// The maximum number of epochs; 0 for as many as it takes to converge, up to 500. Folders of earlier versions call it `passes`.
    #[serde(alias = "passes")]
    pub epochs: usize,
    /// Training stops early at this accuracy on the dev examples; 0 for never. Folders of earlier versions call it `stop_at`.
    #[serde(alias = "stop_at")]
    pub target_accuracy: f64,
    /// The number of additional models, each trained without one fold of the data, so that training examples can be scored by a model that has not seen them.
    pub folds: usize,
}

/// The penalties that are tried if none is given, in increasing order; the search continues beyond an end that does best.
pub const PENALTIES: [f64; 6] = [1.0, 2.0, 4.0, 8.0, 16.0, 32.0];

/// The penalty if none is given and there are no dev examples.
pub const DEFAULT_PENALTY: f64 = 4.0;

/// More folds than this gain nothing.
const MOST_FOLDS: usize = 100;

impl Default for LexicalSettings {
    fn default() -> Self {
        LexicalSettings { words: KeptWords::Content, penalty: None, tolerance: 1e-4, epochs: 0, target_accuracy: 0.0, folds: 0 }
    }
}

impl LexicalSettings {
    /// Refuses invalid values.
    pub fn check(&self) -> Result<(), LexicalError> {
        let refuse = |name, found: String, expected| Err(LexicalError::Setting { name, found, expected });
        if let Some(penalty) = self.penalty.filter(|penalty| !(penalty.is_finite() && (1e-3..=1e6).contains(penalty))) {
            return refuse("penalty", penalty.to_string(), "a number from 0.001 to 1000000, such as 4");
        }
        if !(1e-6..=1.0).contains(&self.tolerance) {
            return refuse("tolerance", self.tolerance.to_string(), "a share from 0.000001 to 1, such as 0.0001");
        }
        if !(0.0..=1.0).contains(&self.target_accuracy) {
            return refuse("target_accuracy", self.target_accuracy.to_string(), "an accuracy between 0 and 1, or 0 for none");
        }
        if self.folds == 1 || self.folds > MOST_FOLDS {
            return refuse("folds", self.folds.to_string(), "0 for none, or a number from 2 to 100, such as 5");
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invalid_values_are_refused() {
        let refused = |change: fn(&mut LexicalSettings)| {
            let mut settings = LexicalSettings::default();
            change(&mut settings);
            settings.check().unwrap_err().to_string()
        };
        assert!(LexicalSettings::default().check().is_ok());
        assert!(refused(|settings| settings.penalty = Some(0.0)).contains("`penalty`: invalid value 0"));
        assert!(refused(|settings| settings.penalty = Some(f64::NAN)).contains("`penalty`: invalid value NaN"));
        assert!(refused(|settings| settings.folds = 1).contains("`folds`: invalid value 1"));
        assert!(refused(|settings| settings.tolerance = 0.0).contains("`tolerance`: invalid value 0"));
        assert!(refused(|settings| settings.target_accuracy = 68.0).contains("`target_accuracy`: invalid value 68"));
    }
}
