//! The folder of a model in the Hugging Face format.

use crate::architectures::{Architecture, CATALOG};
use crate::error::{Result, TransformerError};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// The file that describes a model.
pub const CONFIG_FILE: &str = "config.json";
/// Files are refused from this size on, because no configuration is that long.
const LONGEST_CONFIG: u64 = 64 << 20;

/// A folder that was recognised, before its weights are read.
pub struct Folder {
    /// The folder.
    pub path: PathBuf,
    /// The contents of config.json.
    pub config: Value,
    /// The architecture that config.json names.
    pub architecture: &'static Architecture,
}

/// Whether a folder is a model in this format: it has a config.json that names a type.
pub fn is_transformer(folder: &Path) -> bool {
    read_json(&folder.join(CONFIG_FILE)).is_ok_and(|config| config.get("model_type").is_some())
}

impl Folder {
    /// Reads config.json and refuses what cannot be run.
    pub fn open(path: &Path) -> Result<Self> {
        if path.join("adapter_config.json").is_file() {
            return Err(TransformerError::Adapter { folder: path.to_owned() });
        }
        let file = path.join(CONFIG_FILE);
        let config = read_json(&file)?;
        let Some(kind) = config.get("model_type").and_then(Value::as_str) else {
            return Err(TransformerError::Config {
                path: file,
                problem: "no `model_type`; expected the name of an architecture".to_owned(),
            });
        };
        if config.get("auto_map").is_some_and(|map| !map.is_null()) {
            return Err(TransformerError::OwnCode { path: file });
        }
        let unknown = || TransformerError::UnknownArchitecture { path: file.clone(), found: kind.to_owned(), known: CATALOG.names() };
        let architecture = CATALOG.get(kind).ok_or_else(unknown)?;
        Ok(Folder { path: path.to_owned(), config, architecture })
    }

    /// The path of config.json.
    pub fn config_path(&self) -> PathBuf {
        self.path.join(CONFIG_FILE)
    }

    /// An optional JSON file of the folder.
    pub(crate) fn optional_json(&self, name: &str) -> Result<Option<Value>> {
        let path = self.path.join(name);
        if path.is_file() { read_json(&path).map(Some) } else { Ok(None) }
    }
}

/// Reads a JSON file of reasonable size.
pub(crate) fn read_json(path: &Path) -> Result<Value> {
    let failed = |source| TransformerError::File { path: path.to_owned(), source };
    if std::fs::metadata(path).map_err(failed)?.len() > LONGEST_CONFIG {
        return Err(TransformerError::Json { path: path.to_owned(), message: "the file is too long for a configuration".to_owned() });
    }
    let bytes = std::fs::read(path).map_err(failed)?;
    serde_json::from_slice(&bytes).map_err(|error| TransformerError::Json { path: path.to_owned(), message: error.to_string() })
}
