//! What the entries of all networks share: settings from JSON and back, and building.

use super::Network;
use crate::error::Result;
use crate::parameters::Parameters;
use crate::sizes::Sizes;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// The settings of a network: with defaults for what is not given.
pub trait ListedSettings: Serialize + DeserializeOwned {
    /// Refuses values that no network can have.
    fn check(&self) -> Result<()>;
}

/// A network that a [`NetworkEntry`](super::NetworkEntry) can build.
pub trait ListedNetwork: Network + Sized + 'static {
    /// Its settings.
    type Settings: ListedSettings;

    /// Declares its parameters for inputs of these sizes and so many classes.
    fn new(settings: &Self::Settings, parameters: &mut Parameters, sizes: &Sizes, classes: usize) -> Result<Self>;
}

/// Checks settings and fills in the defaults: for [`NetworkEntry::settings`](super::NetworkEntry::settings).
pub fn complete_settings<N: ListedNetwork>(values: &Value) -> Result<Value> {
    let settings: N::Settings = serde_json::from_value(values.clone())?;
    settings.check()?;
    // By way of text: 32 bits as 64 would show 0.1 as 0.10000000149011612.
    Ok(serde_json::from_str(&serde_json::to_string(&settings)?)?)
}

/// Builds a network from its settings: for [`NetworkEntry::build`](super::NetworkEntry::build).
pub fn build<N: ListedNetwork>(values: &Value, parameters: &mut Parameters, sizes: &Sizes, classes: usize) -> Result<Box<dyn Network>> {
    let settings: N::Settings = serde_json::from_value(values.clone())?;
    Ok(Box::new(N::new(&settings, parameters, sizes, classes)?))
}
