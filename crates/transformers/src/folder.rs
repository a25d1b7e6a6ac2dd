//! The folder of a model in the Hugging Face format.

use crate::architectures::{Architecture, CATALOG};
use crate::error::{Result, TransformerError};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// The file that describes a model.
pub const CONFIG_FILE: &str = "config.json";
/// The keys of config.json that are sizes, with the smallest that can be used.
const SIZES: [(&str, u64); 25] = [
    ("vocab_size", 1),
    ("hidden_size", 1),
    ("dim", 1),
    ("d_model", 1),
    ("embedding_size", 1),
    ("intermediate_size", 1),
    ("hidden_dim", 1),
    ("encoder_ffn_dim", 1),
    ("decoder_ffn_dim", 1),
    ("num_attention_heads", 1),
    ("n_heads", 1),
    ("encoder_attention_heads", 1),
    ("decoder_attention_heads", 1),
    ("num_hidden_layers", 1),
    ("n_layers", 1),
    ("encoder_layers", 1),
    ("decoder_layers", 1),
    ("num_hidden_groups", 1),
    ("inner_group_num", 1),
    ("max_position_embeddings", 1),
    ("global_attn_every_n_layers", 1),
    ("relative_attention_num_buckets", 4),
    ("type_vocab_size", 0),
    ("conv_kernel_size", 0),
    ("local_attention", 0),
];
/// The largest number of rows of a table.
const LARGEST_SIZE: u64 = 1 << 24;
/// The largest number of layers.
const MOST_LAYERS: u64 = 1000;
/// Files are refused from this size on, because no configuration is that long.
const LONGEST_CONFIG: u64 = 16 << 20;

/// A folder that was recognised, before its weights are read.
pub struct Folder {
    /// The folder.
    pub path: PathBuf,
    /// The contents of config.json.
    pub config: Value,
    /// The architecture that config.json names.
    pub architecture: &'static Architecture,
}

/// Files that only models in this format have, besides config.json.
const OWN_FILES: [&str; 5] =
    ["adapter_config.json", "model.safetensors", "model.safetensors.index.json", "pytorch_model.bin", "tokenizer_config.json"];

/// Whether a folder is a model in this format: it has a config.json that names a type.
pub fn is_transformer(folder: &Path) -> bool {
    read_json(&folder.join(CONFIG_FILE)).is_ok_and(|config| config.get("model_type").is_some())
}

/// Whether a folder has a config.json, however damaged, or other files of this format, so that [`Folder::open`] can say what is wrong.
pub fn has_files_of_transformer(folder: &Path) -> HasFiles {
    let has = |name: &str| folder.join(name).symlink_metadata().is_ok();
    match () {
        () if has(CONFIG_FILE) => HasFiles::Config,
        () if OWN_FILES.into_iter().any(has) => HasFiles::Others,
        () => HasFiles::None,
    }
}

/// The files of this format in a folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HasFiles {
    /// A config.json.
    Config,
    /// Only others.
    Others,
    /// None.
    None,
}

impl Folder {
    /// Reads config.json and refuses what cannot be run.
    pub fn open(path: &Path) -> Result<Self> {
        if file(path, "adapter_config.json")?.is_some() {
            return Err(TransformerError::Adapter { folder: path.to_owned() });
        }
        let file = path.join(CONFIG_FILE);
        let config = read_json(&file)?;
        check_sizes(&config).map_err(|problem| TransformerError::Config { path: file.clone(), problem })?;
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
        file(&self.path, name)?.map(|path| read_json(&path)).transpose()
    }
}

/// A file of a folder, if it is there; a folder or a dangling link of this name is an error.
pub(crate) fn file(folder: &Path, name: &str) -> Result<Option<PathBuf>> {
    let path = folder.join(name);
    let found = match std::fs::symlink_metadata(&path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => Err(error),
        Ok(_) => std::fs::metadata(&path),
    };
    match found {
        Ok(found) if found.is_file() => Ok(Some(path)),
        Ok(_) => Err(TransformerError::File { path, source: std::io::Error::other("not a file") }),
        Err(source) => Err(TransformerError::File { path, source }),
    }
}

/// Reads a JSON file of reasonable size.
pub(crate) fn read_json(path: &Path) -> Result<Value> {
    let failed = |source| TransformerError::File { path: path.to_owned(), source };
    let found = std::fs::metadata(path).map_err(failed)?;
    if !found.is_file() {
        return Err(failed(std::io::Error::other("not a file")));
    }
    if found.len() > LONGEST_CONFIG {
        return Err(TransformerError::Json { path: path.to_owned(), message: "the file is too long for a configuration".to_owned() });
    }
    let bytes = std::fs::read(path).map_err(failed)?;
    serde_json::from_slice(&bytes).map_err(|error| TransformerError::Json { path: path.to_owned(), message: error.to_string() })
}

/// Refuses sizes, rates and constants that no network can have, before anything is built from them.
fn check_sizes(config: &Value) -> std::result::Result<(), String> {
    let Some(keys) = config.as_object() else { return Err("not a JSON object".to_owned()) };
    for (key, smallest) in SIZES {
        let Some(found) = keys.get(key).filter(|found| !found.is_null()) else { continue };
        let largest = if key.ends_with("layers") && key != "global_attn_every_n_layers" { MOST_LAYERS } else { LARGEST_SIZE };
        if found.as_u64().is_none_or(|size| size < smallest || size > largest) {
            return Err(format!("`{key}` is {} (expected a whole number from {smallest} to {largest})", shortened(found)));
        }
    }
    for (key, found) in keys.iter().filter(|(_, found)| !found.is_null()) {
        let number = found.as_f64();
        if (key.ends_with("dropout") || key.ends_with("dropout_prob")) && number.is_none_or(|rate| !(0.0..1.0).contains(&rate)) {
            return Err(format!("`{key}` is {} (expected a number of at least 0 and below 1)", shortened(found)));
        }
        if matches!(key.as_str(), "layer_norm_eps" | "norm_eps") && number.is_none_or(|epsilon| epsilon <= 0.0 || epsilon >= 1.0) {
            return Err(format!("`{key}` is {} (expected a number between 0 and 1)", shortened(found)));
        }
    }
    Ok(())
}

/// A value as an error shows it.
fn shortened(value: &Value) -> String {
    const MOST: usize = 60;
    let text = value.to_string();
    if text.chars().count() <= MOST { text } else { text.chars().take(MOST).chain(['…']).collect() }
}
