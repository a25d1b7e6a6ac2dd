//! A network's name with its settings.

use super::{CATALOG, NetworkEntry};
use crate::error::{NeuralError, Result};
use acidtest_nli::Named;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Map, Value};

/// A network's name with its settings, such as `{"model": "esim", "hidden": 300}`; missing settings get their defaults.
#[derive(Debug, Clone)]
pub struct NetworkSettings {
    entry: &'static NetworkEntry,
    values: Value,
}

/// The key that names the network.
const MODEL: &str = "model";

impl NetworkSettings {
    /// The default settings of a network.
    pub fn of(name: &str) -> Result<Self> {
        NetworkSettings::with(CATALOG.find(name)?, &Value::Object(Map::new()))
    }

    /// Settings for a network; missing ones get their defaults.
    pub fn with(entry: &'static NetworkEntry, values: &Value) -> Result<Self> {
        Ok(NetworkSettings { entry, values: (entry.settings)(values)? })
    }

    /// Reads settings from JSON.
    pub fn from_json(text: &str) -> Result<Self> {
        NetworkSettings::from_value(serde_json::from_str(text)?)
    }

    fn from_value(mut value: Value) -> Result<Self> {
        let name = value.as_object_mut().and_then(|object| object.remove(MODEL));
        let name = name.as_ref().and_then(Value::as_str).ok_or(NeuralError::Setting {
            setting: MODEL,
            found: name.as_ref().unwrap_or(&Value::Null).to_string(),
            expected: "the name of a network",
        })?;
        NetworkSettings::with(CATALOG.find(name)?, &value)
    }

    /// The catalog entry.
    pub fn entry(&self) -> &'static NetworkEntry {
        self.entry
    }

    /// The name of the network.
    pub fn name(&self) -> &'static str {
        self.entry.name
    }

    /// All settings, without the name.
    pub fn values(&self) -> &Value {
        &self.values
    }
}

impl Named for NetworkSettings {
    fn name(&self) -> &str {
        self.entry.name
    }
}

impl PartialEq for NetworkSettings {
    fn eq(&self, other: &Self) -> bool {
        self.entry.name == other.entry.name && self.values == other.values
    }
}

impl Serialize for NetworkSettings {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        let mut all = self.values.clone();
        all[MODEL] = self.entry.name.into();
        all.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for NetworkSettings {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        NetworkSettings::from_value(Value::deserialize(deserializer)?).map_err(serde::de::Error::custom)
    }
}

/// The largest layer size that is accepted.
const LARGEST_SIZE: usize = 65_536;

/// Refuses layer sizes of 0 and sizes too large to be practical.
pub fn check_size(setting: &'static str, size: usize) -> Result<()> {
    let refused = |expected| Err(NeuralError::Setting { setting, found: size.to_string(), expected });
    match size {
        0 => refused("at least 1"),
        1..=LARGEST_SIZE => Ok(()),
        _ => refused("at most 65536"),
    }
}

/// Refuses dropout rates outside 0 to 1.
pub fn check_dropout(rate: f32) -> Result<()> {
    if (0.0..1.0).contains(&rate) {
        return Ok(());
    }
    Err(NeuralError::Setting { setting: "dropout", found: rate.to_string(), expected: "a number of at least 0 and below 1" })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, message: &str) {
        let found = NetworkSettings::from_json(text).unwrap_err().to_string();
        assert!(found.contains(message), "{found}");
    }

    #[test]
    fn invalid_settings_are_refused() {
        check(r#"{"model": "essim"}"#, "unknown network `essim`; did you mean `esim`?");
        check(r#"{"hidden": 3}"#, "setting `model`: invalid value null: expected the name of a network");
        check(r#"{"model": "esim", "hiden": 3}"#, "unknown field `hiden`, expected one of `hidden`");
        check(r#"{"model": "esim", "hidden": 0}"#, "setting `hidden`: invalid value 0: expected at least 1");
        check(r#"{"model": "infersent", "classifier": 70000}"#, "setting `classifier`: invalid value 70000: expected at most 65536");
        check(r#"{"model": "cbow", "layers": 70000}"#, "setting `layers`: invalid value 70000: expected at most 65536");
        check(r#"{"model": "cbow", "dropout": 1}"#, "setting `dropout`: invalid value 1: expected a number of at least 0 and below 1");
    }

    #[test]
    fn settings_survive_a_round_trip() {
        let settings = NetworkSettings::from_json(r#"{"model": "esim", "hidden": 7, "dropout": 0.25}"#).unwrap();
        assert_eq!(settings.values()["encoder"], "recurrent");
        let text = serde_json::to_string(&settings).unwrap();
        assert_eq!(serde_json::from_str::<NetworkSettings>(&text).unwrap(), settings);
    }
}
