//! What the catalog entries of all networks share: reading and writing settings, and building.

use super::Network;
use crate::error::Result;
use crate::parameters::Parameters;
use crate::sizes::Sizes;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// The settings of a network, with defaults for missing values.
pub trait ListedSettings: Serialize + DeserializeOwned {
    /// Refuses invalid values.
    fn check(&self) -> Result<()>;
}

/// A network that a [`NetworkEntry`](super::NetworkEntry) can build.
pub trait ListedNetwork: Network + Sized + 'static {
    /// Its settings.
    type Settings: ListedSettings;

    /// Declares the network's parameters.
    fn new(settings: &Self::Settings, parameters: &mut Parameters, sizes: &Sizes, classes: usize) -> Result<Self>;
}

/// Checks settings and fills in the defaults: used as [`NetworkEntry::settings`](super::NetworkEntry::settings).
pub fn complete_settings<N: ListedNetwork>(values: &Value) -> Result<Value> {
    let settings: N::Settings = serde_json::from_value(values.clone())?;
    settings.check()?;
    // Through text, because an f32 converted to f64 would show 0.1 as 0.10000000149011612.
    Ok(serde_json::from_str(&serde_json::to_string(&settings)?)?)
}

/// Builds a network from its settings: used as [`NetworkEntry::build`](super::NetworkEntry::build).
pub fn build<N: ListedNetwork>(values: &Value, parameters: &mut Parameters, sizes: &Sizes, classes: usize) -> Result<Box<dyn Network>> {
    let settings: N::Settings = serde_json::from_value(values.clone())?;
    Ok(Box::new(N::new(&settings, parameters, sizes, classes)?))
}
