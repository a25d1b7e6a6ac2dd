//! Settings of a course: how a network is trained, beside what it is made of.

use super::CourseError;
use acidtest_neural::{Optimiser, Precision, Schedule, Settings, Training};
use acidtest_nli::Named;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// How words are spelt before they are looked up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Case {
    /// In small letters.
    Lower,
    /// As they are written.
    Kept,
}

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
pub struct CourseSettings {
    /// How often the training rows are gone through at most.
    pub epochs: u32,
    /// Pairs of a step.
    pub batch: usize,
    /// How far a step goes at first.
    pub learning_rate: f32,
    /// From gradients to steps.
    pub optimiser: OptimiserName,
    /// How much of the last change stays (`sgd`).
    pub momentum: f32,
    /// Gradients longer than this are shortened to it; 0 for no limit.
    pub clip: f32,
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
    /// Words of a sentence that are read; the rest is cut off. 0 for all.
    pub most_words: usize,
    /// How words are spelt before they are looked up.
    pub case: Case,
    /// A word without a known vector must stand this often in the training rows to be known.
    pub least_count: u32,
    /// How many words at the beginning of the embeddings are known though the training rows do not have them.
    pub embedding_words: usize,
    /// Numbers of a word vector where no embeddings are given.
    pub dimension: usize,
    /// Bits of a weight in the model folder.
    pub weights: Precision,
}

impl Default for CourseSettings {
    fn default() -> Self {
        CourseSettings {
            epochs: 10,
            batch: 32,
            learning_rate: 4e-4,
            optimiser: OptimiserName::Adam,
            momentum: 0.9,
            clip: 10.0,
            schedule: ScheduleName::Constant,
            halve_every: 1,
            plateau_factor: 0.5,
            plateau_patience: 0,
            patience: 3,
            most_words: 100,
            case: Case::Lower,
            least_count: 2,
            embedding_words: 20_000,
            dimension: 100,
            weights: Precision::F32,
        }
    }
}

impl CourseSettings {
    /// What the trainer needs of them.
    pub(crate) fn training(&self) -> Training {
        let optimiser = match self.optimiser {
            OptimiserName::Adam => Optimiser::default(),
            OptimiserName::Sgd => Optimiser::Sgd { momentum: self.momentum },
        };
        let schedule = match self.schedule {
            ScheduleName::Constant => Schedule::Constant,
            ScheduleName::Halving => Schedule::Halving { every: self.halve_every },
            ScheduleName::Plateau => Schedule::Plateau { factor: self.plateau_factor, patience: self.plateau_patience },
        };
        let clip = if self.clip == 0.0 { None } else { Some(self.clip) };
        Training { optimiser, learning_rate: self.learning_rate, clip, schedule }
    }

    fn check(&self) -> Result<(), CourseError> {
        let refuse = |key: &str, found: String, expected: &'static str| {
            Err(CourseError::Setting { key: key.to_string(), message: format!("{found} will not do (expected {expected})") })
        };
        if self.epochs == 0 {
            return refuse("epochs", "0".to_string(), "at least 1");
        }
        if self.batch == 0 {
            return refuse("batch", "0".to_string(), "at least 1");
        }
        if self.dimension == 0 {
            return refuse("dimension", "0".to_string(), "at least 1");
        }
        if self.dimension as u64 > LARGEST_SIZE {
            return refuse("dimension", self.dimension.to_string(), "at most 65536");
        }
        if !(self.learning_rate > 0.0 && self.learning_rate.is_finite()) {
            return refuse("learning_rate", self.learning_rate.to_string(), "a number above 0");
        }
        if !(self.clip >= 0.0 && self.clip.is_finite()) {
            return refuse("clip", self.clip.to_string(), "a number above 0, or 0 for no limit");
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
    let keys = all.as_object().into_iter().flatten().filter(|(key, _)| *key != "model");
    keys.map(|(key, value)| (key.clone(), text(value))).collect()
}

struct Key(String);

impl Named for Key {
    fn name(&self) -> &str {
        &self.0
    }
}

/// The settings of a network and of its course: the defaults, changed by what was given as `key=value`.
pub fn course_settings(model: &str, given: &[String]) -> Result<(Settings, CourseSettings), CourseError> {
    let mut network = serde_json::to_value(Settings::of(model)?)?;
    let mut course = serde_json::to_value(CourseSettings::default())?;
    let keys_of = |value: &Value| value.as_object().map(|map| map.keys().filter(|key| *key != "model").cloned().collect::<Vec<_>>());
    let network_keys = keys_of(&network).unwrap_or_default();
    let all: Vec<Key> = network_keys.iter().cloned().chain(keys_of(&course).unwrap_or_default()).map(Key).collect();
    for pair in given {
        let (key, value) = pair.split_once('=').ok_or_else(|| CourseError::NotASetting(pair.clone()))?;
        let key = key.trim();
        acidtest_nli::find("setting", &all, key)?;
        let value = match serde_json::from_str(value) {
            Ok(value @ (Value::Number(_) | Value::Bool(_))) => value,
            _ => Value::String(value.to_string()),
        };
        // Each is tried by itself, so that the message can name it.
        let refused = |error: serde_json::Error| CourseError::Setting { key: key.to_string(), message: error.to_string() };
        if network_keys.iter().any(|known| known == key) {
            set(&mut network, key, value);
            serde_json::from_value::<Settings>(network.clone()).map_err(refused)?;
        } else {
            set(&mut course, key, value);
            serde_json::from_value::<CourseSettings>(course.clone()).map_err(refused)?;
        }
    }
    let course: CourseSettings = serde_json::from_value(course)?;
    course.check()?;
    check_network(&network)?;
    Ok((serde_json::from_value(network)?, course))
}

/// Larger layers than anybody's memory holds.
const LARGEST_SIZE: u64 = 65_536;

/// Refuses sizes and rates that no network can have, before anything is read or written.
fn check_network(network: &Value) -> Result<(), CourseError> {
    let refuse = |key: &str, expected: &str| {
        Err(CourseError::Setting { key: key.to_string(), message: format!("{} will not do (expected {expected})", network[key]) })
    };
    for (key, value) in network.as_object().into_iter().flatten() {
        match value.as_u64() {
            Some(0) if matches!(key.as_str(), "hidden" | "classifier") => return refuse(key, "at least 1"),
            Some(size) if size > LARGEST_SIZE => return refuse(key, "at most 65536"),
            _ => {}
        }
    }
    match network["dropout"].as_f64() {
        Some(rate) if !(0.0..1.0).contains(&rate) => refuse("dropout", "a number from 0 up to, not including, 1"),
        _ => Ok(()),
    }
}

fn set(settings: &mut Value, key: &str, value: Value) {
    if let Some(map) = settings.as_object_mut().map(|map: &mut Map<String, Value>| map) {
        map.insert(key.to_string(), value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(given: &[&str]) -> Result<(Settings, CourseSettings), String> {
        let given: Vec<String> = given.iter().map(|pair| pair.to_string()).collect();
        course_settings("esim", &given).map_err(|error| error.to_string())
    }

    #[test]
    fn settings_are_told_in_as_few_digits_as_they_were_given() {
        let text = settings_text(&CourseSettings::default());
        assert!(text.contains(&("learning_rate".to_string(), "0.0004".to_string())), "{text:?}");
        assert!(settings_text(&Settings::of("esim").unwrap()).contains(&("encoder".to_string(), "recurrent".to_string())));
    }

    #[test]
    fn keys_go_to_the_network_or_to_the_course() {
        let (network, course) = settings(&["hidden=7", "encoder=bag-of-words", "epochs=3", "weights=f16", "schedule=halving"]).unwrap();
        let network = serde_json::to_value(network).unwrap();
        assert_eq!((network["hidden"].as_u64(), network["encoder"].as_str()), (Some(7), Some("bag-of-words")));
        assert_eq!((course.epochs, course.weights), (3, Precision::F16));
        assert_eq!(course.training().schedule, Schedule::Halving { every: 1 });
    }

    #[test]
    fn what_is_not_understood_is_refused() {
        let check = |pair: &str, message: &str| {
            let refused = settings(&[pair]).unwrap_err();
            assert!(refused.contains(message), "{refused}");
        };
        check("hiden=3", "there is no setting `hiden`, did you mean `hidden`?");
        check("hidden=many", "setting `hidden`: invalid type: string \"many\", expected usize");
        check("case=upper", "setting `case`: unknown variant `upper`, expected `lower` or `kept`");
        check("epochs=0", "setting `epochs`: 0 will not do (expected at least 1)");
        check("learning_rate=-1", "setting `learning_rate`: -1 will not do");
        check("hidden=0", "setting `hidden`: 0 will not do (expected at least 1)");
        check("hidden=1000000000", "setting `hidden`: 1000000000 will not do (expected at most 65536)");
        check("dimension=65537", "setting `dimension`: 65537 will not do (expected at most 65536)");
        check("dropout=1.5", "setting `dropout`: 1.5 will not do (expected a number from 0 up to, not including, 1)");
        check("epochs", "`epochs` is not a setting (expected key=value)");
    }
}
