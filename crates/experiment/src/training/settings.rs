//! Settings of a training run: how a network is trained, beside what it is made of.

use super::TrainingError;
use acidtest_neural::{NetworkEntry, NetworkSettings, Optimiser, Precision, Schedule, TrainerSettings};
use acidtest_nli::UnknownName;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// Which optimiser.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum OptimiserName {
    /// Adam.
    Adam,
    /// Stochastic gradient descent with momentum.
    Sgd,
}

/// How the learning rate changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ScheduleName {
    /// It stays.
    Constant,
    /// It is halved every few epochs.
    Halving,
    /// It is lowered when an epoch was no better than the best.
    Plateau,
}

/// How a network is trained; every field is a key of `--set`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TrainingSettings {
    /// The maximum number of epochs.
    pub epochs: u32,
    /// Pairs of a batch.
    pub batch_size: usize,
    /// The initial learning rate.
    pub learning_rate: f32,
    /// From gradients to steps.
    pub optimiser: OptimiserName,
    /// How much of the last change stays (`sgd`).
    pub momentum: f32,
    /// The maximum gradient norm; 0 for no limit.
    pub max_gradient_norm: f32,
    /// How the learning rate changes.
    pub schedule: ScheduleName,
    /// After how many epochs the learning rate is halved (`halving`).
    pub halve_every: u32,
    /// What the learning rate is multiplied by (`plateau`).
    pub plateau_factor: f32,
    /// After how many epochs without a better score (`plateau`).
    pub plateau_patience: u32,
    /// Training ends after this many epochs without a better accuracy on the development rows; 0 for never.
    pub patience: u32,
    /// Bits of a weight in the model folder.
    pub weights: Precision,
}

impl Default for TrainingSettings {
    fn default() -> Self {
        TrainingSettings {
            epochs: 10,
            batch_size: 32,
            learning_rate: 4e-4,
            optimiser: OptimiserName::Adam,
            momentum: 0.9,
            max_gradient_norm: 10.0,
            schedule: ScheduleName::Constant,
            halve_every: 1,
            plateau_factor: 0.5,
            plateau_patience: 0,
            patience: 3,
            weights: Precision::F32,
        }
    }
}

impl TrainingSettings {
    /// What the trainer needs of them.
    pub(crate) fn training(&self) -> TrainerSettings {
        let optimiser = match self.optimiser {
            OptimiserName::Adam => Optimiser::default(),
            OptimiserName::Sgd => Optimiser::Sgd { momentum: self.momentum },
        };
        let schedule = match self.schedule {
            ScheduleName::Constant => Schedule::Constant,
            ScheduleName::Halving => Schedule::Halving { every: self.halve_every },
            ScheduleName::Plateau => Schedule::Plateau { factor: self.plateau_factor, patience: self.plateau_patience },
        };
        let clip = if self.max_gradient_norm == 0.0 { None } else { Some(self.max_gradient_norm) };
        TrainerSettings { optimiser, learning_rate: self.learning_rate, clip, schedule }
    }

    fn check(&self) -> Result<(), TrainingError> {
        let refuse = |key: &str, found: String, expected: &'static str| {
            Err(TrainingError::Setting { key: key.to_string(), message: format!("invalid value {found}: expected {expected}") })
        };
        if self.epochs == 0 {
            return refuse("epochs", "0".to_string(), "at least 1");
        }
        if self.batch_size == 0 {
            return refuse("batch_size", "0".to_string(), "at least 1");
        }
        if !(self.learning_rate > 0.0 && self.learning_rate.is_finite()) {
            return refuse("learning_rate", self.learning_rate.to_string(), "a number above 0");
        }
        if !(self.max_gradient_norm >= 0.0 && self.max_gradient_norm.is_finite()) {
            return refuse("max_gradient_norm", self.max_gradient_norm.to_string(), "a number above 0, or 0 for no limit");
        }
        if !(0.0..1.0).contains(&self.momentum) {
            return refuse("momentum", self.momentum.to_string(), "a number from 0 up to, not including, 1");
        }
        if !(self.plateau_factor > 0.0 && self.plateau_factor < 1.0) {
            return refuse("plateau_factor", self.plateau_factor.to_string(), "a number between 0 and 1");
        }
        if self.halve_every == 0 {
            return refuse("halve_every", "0".to_string(), "at least 1");
        }
        Ok(())
    }
}

/// The settings that something serialises to, each with its value as text.
pub fn settings_text(settings: &impl Serialize) -> Vec<(String, String)> {
    let text = |value: &Value| match value {
        Value::String(text) => text.clone(),
        Value::Null => "unset".to_string(),
        // JSON has made 64 bits of 32, which would show 0.0004 as 0.00039999998989515007.
        Value::Number(number) if number.is_f64() => number.as_f64().map_or_else(String::new, |number| (number as f32).to_string()),
        other => other.to_string(),
    };
    let all = serde_json::to_value(settings).unwrap_or_default();
    all.as_object().into_iter().flatten().map(|(key, value)| (key.clone(), text(value))).collect()
}

/// Everything about a training that can be set.
#[derive(Debug, Clone, PartialEq)]
pub struct AllSettings {
    /// The network.
    pub network: NetworkSettings,
    /// How text becomes what the network reads.
    pub featurizer: Value,
    /// How it is trained.
    pub training: TrainingSettings,
}

impl AllSettings {
    /// The defaults of a network, changed by what was given.
    pub fn of(entry: &'static NetworkEntry, given: &Map<String, Value>) -> Result<Self, TrainingError> {
        let nothing = Value::Object(Map::new());
        let mut parts =
            [(entry.settings)(&nothing)?, (entry.featurizer.settings)(&nothing)?, serde_json::to_value(TrainingSettings::default())?];
        let keys: Vec<String> = parts.iter().filter_map(Value::as_object).flat_map(Map::keys).cloned().collect();
        let read = |[network, featurizer, training]: &[Value; 3]| -> Result<AllSettings, TrainingError> {
            let training: TrainingSettings = serde_json::from_value(training.clone())?;
            training.check()?;
            Ok(AllSettings {
                network: NetworkSettings::with(entry, network)?,
                featurizer: (entry.featurizer.settings)(featurizer)?,
                training,
            })
        };
        for (key, value) in given {
            let Some(part) = parts.iter_mut().find(|part| part.get(key).is_some()) else {
                return Err(UnknownName::among("setting", keys.iter().map(String::as_str), key).into());
            };
            part[key] = value.clone();
            // Each is tried by itself, so that the message can name it.
            read(&parts).map_err(|error| match error {
                TrainingError::Json(error) | TrainingError::Network(acidtest_neural::NeuralError::Settings(error)) => {
                    TrainingError::Setting { key: key.to_string(), message: error.to_string() }
                }
                other => other,
            })?;
        }
        read(&parts)
    }

    /// The settings that are no network's own, with their values as text.
    pub fn of_training(&self) -> Vec<(String, String)> {
        let mut all = settings_text(&self.training);
        all.extend(settings_text(&self.featurizer));
        all.sort();
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use acidtest_nli::Settings;

    fn settings(given: &[&str]) -> Result<AllSettings, String> {
        let given = Settings::parse(given.iter().copied()).map_err(|error| error.to_string())?.as_json();
        let entry = acidtest_neural::CATALOG.find("esim").unwrap();
        AllSettings::of(entry, given.as_object().unwrap()).map_err(|error| error.to_string())
    }

    #[test]
    fn settings_are_told_in_as_few_digits_as_they_were_given() {
        let text = settings_text(&TrainingSettings::default());
        assert!(text.contains(&("learning_rate".to_string(), "0.0004".to_string())), "{text:?}");
        assert!(settings_text(settings(&[]).unwrap().network.values()).contains(&("encoder".to_string(), "recurrent".to_string())));
    }

    #[test]
    fn keys_go_to_the_network_to_the_featurizer_or_to_the_training() {
        let given = ["hidden=7", "encoder=bag-of-words", "epochs=3", "weights=f16", "schedule=halving", "max_length=9"];
        let AllSettings { network, featurizer, training } = settings(&given).unwrap();
        let network = network.values();
        assert_eq!(featurizer["max_length"], 9);
        assert_eq!((network["hidden"].as_u64(), network["encoder"].as_str()), (Some(7), Some("bag-of-words")));
        assert_eq!((training.epochs, training.weights), (3, Precision::F16));
        assert_eq!(training.training().schedule, Schedule::Halving { every: 1 });
    }

    #[test]
    fn what_is_not_understood_is_refused() {
        let check = |pair: &str, message: &str| {
            let refused = settings(&[pair]).unwrap_err();
            assert!(refused.contains(message), "{refused}");
        };
        check("hiden=3", "unknown setting `hiden`; did you mean `hidden`?");
        check("hidden=many", "setting `hidden`: invalid type: string \"many\", expected usize");
        check("case=upper", "setting `case`: unknown variant `upper`, expected `lower` or `kept`");
        check("epochs=0", "setting `epochs`: invalid value 0: expected at least 1");
        check("learning_rate=-1", "setting `learning_rate`: invalid value -1: expected a number above 0");
        check("hidden=0", "setting `hidden`: invalid value 0: expected at least 1");
        check("hidden=1000000000", "setting `hidden`: invalid value 1000000000: expected at most 65536");
        check("embedding_dimension=65537", "setting `embedding_dimension`: invalid value 65537: expected at most 65536");
        check("dropout=1.5", "setting `dropout`: invalid value 1.5: expected a number from 0 up to, not including, 1");
        check("epochs", "`epochs` is not a setting; expected KEY=VALUE");
    }
}
