//! The training settings of a network, besides those of its architecture.

use super::TrainingError;
use acidtest_neural::{NetworkEntry, NetworkSettings, Optimiser, Precision, Schedule, TrainerSettings};
use acidtest_nli::UnknownName;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// The optimiser.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum OptimiserName {
    /// Adam.
    Adam,
    /// Stochastic gradient descent with momentum.
    Sgd,
}

/// The learning rate schedule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ScheduleName {
    /// Constant.
    Constant,
    /// Halved every few epochs.
    Halving,
    /// Reduced when the development score stops improving.
    Plateau,
}

/// Training settings of networks; every field is a key of `--set`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TrainingSettings {
    /// The maximum number of epochs.
    pub epochs: u32,
    /// The batch size in pairs.
    pub batch_size: usize,
    /// The initial learning rate.
    pub learning_rate: f32,
    /// The optimiser.
    pub optimiser: OptimiserName,
    /// The momentum (`sgd`).
    pub momentum: f32,
    /// The maximum gradient norm; 0 for no limit.
    pub max_gradient_norm: f32,
    /// The learning rate schedule.
    pub schedule: ScheduleName,
    /// The number of epochs between halvings (`halving`).
    pub halve_every: u32,
    /// The factor of each reduction (`plateau`).
    pub plateau_factor: f32,
    /// The number of epochs without improvement before a reduction (`plateau`).
    pub plateau_patience: u32,
    /// Early stopping: the number of epochs without improvement of the development accuracy; 0 to disable.
    pub patience: u32,
    /// The precision of weights in the model folder.
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
    /// The settings for the trainer.
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
            return refuse("momentum", self.momentum.to_string(), "a number of at least 0 and below 1");
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

/// The fields of a serialisable struct, with their values as text.
pub fn settings_text(settings: &impl Serialize) -> Vec<(String, String)> {
    let text = |value: &Value| match value {
        Value::String(text) => text.clone(),
        Value::Null => "unset".to_string(),
        // JSON numbers are 64-bit, which would show the f32 0.0004 as 0.00039999998989515007.
        Value::Number(number) if number.is_f64() => number.as_f64().map_or_else(String::new, |number| (number as f32).to_string()),
        other => other.to_string(),
    };
    let all = serde_json::to_value(settings).unwrap_or_default();
    all.as_object().into_iter().flatten().map(|(key, value)| (key.clone(), text(value))).collect()
}

/// Settings as JSON with as many digits as given: an f32 converted to f64 would show 0.1 as 0.10000000149011612.
pub(crate) fn as_given(settings: &impl Serialize) -> Value {
    let text = serde_json::to_string(settings).unwrap_or_default();
    serde_json::from_str(&text).unwrap_or_default()
}

/// All settings of a network and its training.
#[derive(Debug, Clone, PartialEq)]
pub struct AllSettings {
    /// The network.
    pub network: NetworkSettings,
    /// The settings of the featurizer.
    pub featurizer: Value,
    /// The training settings.
    pub training: TrainingSettings,
}

impl AllSettings {
    /// The given settings; the others have the defaults of the network.
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
            // Each setting is tried alone, so that the message can name the invalid one.
            read(&parts).map_err(|error| match error {
                TrainingError::Json(error) | TrainingError::Network(acidtest_neural::NeuralError::Settings(error)) => {
                    TrainingError::Setting { key: key.to_string(), message: error.to_string() }
                }
                other => other,
            })?;
        }
        read(&parts)
    }

    /// The settings that do not belong to the network itself, with their values as text.
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
    fn settings_are_shown_with_as_many_digits_as_given() {
        let text = settings_text(&TrainingSettings::default());
        assert!(text.contains(&("learning_rate".to_string(), "0.0004".to_string())), "{text:?}");
        assert!(settings_text(settings(&[]).unwrap().network.values()).contains(&("encoder".to_string(), "recurrent".to_string())));
    }

    #[test]
    fn keys_are_assigned_to_network_featurizer_or_training() {
        let given = ["hidden=7", "encoder=bag-of-words", "epochs=3", "weights=f16", "schedule=halving", "max_length=9"];
        let AllSettings { network, featurizer, training } = settings(&given).unwrap();
        let network = network.values();
        assert_eq!(featurizer["max_length"], 9);
        assert_eq!((network["hidden"].as_u64(), network["encoder"].as_str()), (Some(7), Some("bag-of-words")));
        assert_eq!((training.epochs, training.weights), (3, Precision::F16));
        assert_eq!(training.training().schedule, Schedule::Halving { every: 1 });
    }

    #[test]
    fn unknown_settings_are_refused() {
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
        check("dropout=1.5", "setting `dropout`: invalid value 1.5: expected a number of at least 0 and below 1");
        check("epochs", "`epochs` is not a setting; expected KEY=VALUE");
    }
}
