//! Settings of a component as the user writes them: `key=value`, unknown keys refused.

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

/// Settings that were given, on top of a component's defaults.
#[derive(Debug, Clone, Default)]
pub struct Settings(Map<String, Value>);

/// Settings that a component cannot take.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SettingsError {
    /// Not of the form `key=value`.
    #[error("`{0}` is not a setting (expected key=value)")]
    NotAPair(String),
    /// The component refuses a key or a value.
    #[error("setting of `{component}`: {message}")]
    Refused {
        /// The challenge or model.
        component: &'static str,
        /// What is wrong, and what would do.
        message: String,
    },
}

impl Settings {
    /// Reads `key=value` pairs; a value that reads as a number, `true` or `false` is one.
    pub fn parse<'a>(pairs: impl IntoIterator<Item = &'a str>) -> Result<Self, SettingsError> {
        let mut map = Map::new();
        for pair in pairs {
            let (key, value) = pair.split_once('=').ok_or_else(|| SettingsError::NotAPair(pair.to_string()))?;
            let value = match serde_json::from_str(value) {
                Ok(value @ (Value::Number(_) | Value::Bool(_))) => value,
                _ => Value::String(value.to_string()),
            };
            map.insert(key.trim().to_string(), value);
        }
        Ok(Settings(map))
    }

    /// The component's settings: its defaults, overridden by what was given.
    pub fn over<T: DeserializeOwned + Serialize>(&self, component: &'static str, defaults: &T) -> Result<T, SettingsError> {
        let refused = |error: serde_json::Error| SettingsError::Refused { component, message: error.to_string() };
        let mut value = serde_json::to_value(defaults).map_err(refused)?;
        if let Value::Object(map) = &mut value {
            map.extend(self.0.clone());
        }
        serde_json::from_value(value).map_err(refused)
    }

    /// What was given, for provenance.
    pub fn as_json(&self) -> Value {
        Value::Object(self.0.clone())
    }
}
