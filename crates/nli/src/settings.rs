//! Settings of a component as users write them, `key=value`, checked against the component's defaults.

use crate::catalog::nearest;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

/// Settings that override a component's defaults.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Settings(Map<String, Value>);

/// Settings that a component does not accept.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SettingsError {
    /// Not of the form `key=value`.
    #[error("`{0}` is not a setting; expected KEY=VALUE")]
    NotAPair(String),
    /// One key with two values.
    #[error("the setting `{0}` is given twice; give each setting once")]
    GivenTwice(String),
    /// A key that the component does not have.
    #[error("`{component}` has no setting `{key}`{} (known: {})", suggestion(.nearest), .known.join(", "))]
    Unknown {
        /// The challenge or model.
        component: &'static str,
        /// The key that was given.
        key: String,
        /// The known key closest to it, if one is close enough.
        nearest: Option<String>,
        /// All keys of the component.
        known: Vec<String>,
    },
    /// The component refuses a value.
    #[error("setting of `{component}`: {message}")]
    Refused {
        /// The challenge or model.
        component: &'static str,
        /// What is wrong, and what is accepted.
        message: String,
    },
}

impl Settings {
    /// Settings that are already parsed, such as those of a TOML file.
    pub fn from_map(map: Map<String, Value>) -> Self {
        Settings(map)
    }

    /// Parses `key=value` pairs; numbers, `true` and `false` are recognised.
    pub fn parse<'a>(pairs: impl IntoIterator<Item = &'a str>) -> Result<Self, SettingsError> {
        let mut map = Map::new();
        for pair in pairs {
            let (key, value) = pair.split_once('=').ok_or_else(|| SettingsError::NotAPair(pair.to_string()))?;
            let value = match serde_json::from_str(value) {
                Ok(value @ (Value::Number(_) | Value::Bool(_))) => value,
                _ => Value::String(value.to_string()),
            };
            let key = key.trim().to_string();
            if map.contains_key(&key) {
                return Err(SettingsError::GivenTwice(key));
            }
            map.insert(key, value);
        }
        Ok(Settings(map))
    }

    /// Sets one more; an earlier value is replaced.
    pub fn with(mut self, key: &str, value: impl Into<Value>) -> Self {
        self.0.insert(key.to_string(), value.into());
        self
    }

    /// The component's settings: its defaults, overridden by what was given.
    pub fn over<T: DeserializeOwned + Serialize>(&self, component: &'static str, defaults: &T) -> Result<T, SettingsError> {
        let defaults = serde_json::to_value(defaults).map_err(|error| refused(component, &error))?;
        let resolved = self.over_json(component, defaults)?;
        serde_json::from_value(resolved).map_err(|error| refused(component, &error))
    }

    /// The same for defaults that are only known as JSON; an unknown key is refused, whatever its value.
    pub fn over_json(&self, component: &'static str, defaults: Value) -> Result<Value, SettingsError> {
        let Value::Object(mut resolved) = defaults else {
            return Err(SettingsError::Refused { component, message: "the defaults are not an object".to_string() });
        };
        for (key, value) in &self.0 {
            let Some(place) = resolved.get_mut(key) else {
                let known: Vec<String> = resolved.keys().cloned().collect();
                let nearest = nearest(known.iter().map(String::as_str), key).map(str::to_string);
                return Err(SettingsError::Unknown { component, key: key.clone(), nearest, known });
            };
            *place = value.clone();
        }
        Ok(Value::Object(resolved))
    }

    /// The given settings, for provenance.
    pub fn as_json(&self) -> Value {
        Value::Object(self.0.clone())
    }
}

impl From<Map<String, Value>> for Settings {
    fn from(map: Map<String, Value>) -> Self {
        Settings(map)
    }
}

fn refused(component: &'static str, error: &serde_json::Error) -> SettingsError {
    SettingsError::Refused { component, message: error.to_string() }
}

fn suggestion(nearest: &Option<String>) -> String {
    nearest.as_ref().map_or(String::new(), |key| format!("; did you mean `{key}`?"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, PartialEq, Serialize, serde::Deserialize)]
    struct Colours {
        ground: String,
        times: u32,
        frame: Option<bool>,
    }

    fn over(pairs: &[&str]) -> Result<Colours, String> {
        let defaults = Colours { ground: "white".to_string(), times: 1, frame: None };
        let settings = Settings::parse(pairs.iter().copied()).map_err(|error| error.to_string())?;
        settings.over("colours", &defaults).map_err(|error| error.to_string())
    }

    #[test]
    fn given_settings_override_the_defaults() {
        let expected = Colours { ground: "red=blue".to_string(), times: 3, frame: Some(true) };
        assert_eq!(over(&["ground=red=blue", "times=3", "frame=true"]), Ok(expected));
        assert_eq!(over(&[]).map(|colours| colours.ground), Ok("white".to_string()));
    }

    #[test]
    fn an_unknown_key_is_refused_with_the_nearest_one() {
        let error = over(&["tiems=3"]).unwrap_err();
        assert_eq!(error, "`colours` has no setting `tiems`; did you mean `times`? (known: frame, ground, times)");
        assert_eq!(over(&["xyz=3"]).unwrap_err(), "`colours` has no setting `xyz` (known: frame, ground, times)");
    }

    #[test]
    fn a_setting_that_is_given_twice_is_refused() {
        assert_eq!(over(&["times=2", "times=3"]).unwrap_err(), "the setting `times` is given twice; give each setting once");
    }

    #[test]
    fn a_wrong_value_and_a_lone_word_are_refused() {
        assert!(over(&["times=many"]).unwrap_err().starts_with("setting of `colours`: invalid type: string \"many\""));
        assert_eq!(over(&["times"]).unwrap_err(), "`times` is not a setting; expected KEY=VALUE");
    }
}
