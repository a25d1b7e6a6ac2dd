//! A model folder that is ready to score pairs.

use crate::error::{Result, TransformerError};
use crate::folder::Folder;
use crate::labels::Outputs;
use crate::tensors::{Tensors, weight_files};
use crate::tokens::{Subwords, TOKENIZER_FILES};
use acidtest_files::{ContentHash, ContentHasher};
use acidtest_neural::{Classifier, Definition, NetworkSettings, Sizes};
use acidtest_nli::Judgment;
use acidtest_threads::Threads;
use std::path::Path;

/// A transformer with its tokenizer and the meaning of its outputs.
pub struct Transformer {
    /// The network.
    pub classifier: Classifier,
    /// The tokenizer.
    pub subwords: Subwords,
    /// What the outputs mean.
    pub outputs: Outputs,
    /// The architecture, as `model_type` names it.
    pub architecture: &'static str,
}

impl Transformer {
    /// Opens a folder; `labels` is the order of the outputs if the user gives one.
    pub fn open(folder: &Path, labels: Option<&[Judgment]>, threads: &Threads) -> Result<Self> {
        let folder = Folder::open(folder)?;
        let architecture = folder.architecture;
        let tensors = Tensors::open(&folder.path, architecture.prefix)?;
        let missing = |name: &str| acidtest_neural::TensorSource::unlike(&tensors, name, (1, 1));
        let (outputs, _) = tensors.shape(architecture.output).ok_or_else(|| missing(architecture.output))?;
        let (vocabulary, _) = tensors.shape(architecture.embeddings).ok_or_else(|| missing(architecture.embeddings))?;
        let outputs = Outputs::of(&folder.config, outputs, labels, &folder.path)?;
        let in_config = |error: acidtest_neural::NeuralError| match error {
            acidtest_neural::NeuralError::Setting { .. } | acidtest_neural::NeuralError::Settings(_) => {
                TransformerError::Config { path: folder.config_path(), problem: error.to_string() }
            }
            other => other.into(),
        };
        let positions = (architecture.positions)(&folder.config).map_err(in_config)?;
        let subwords = Subwords::open(&folder, vocabulary, positions, (architecture.types)(&folder.config))?;
        let settings = NetworkSettings::with(architecture.network, &folder.config).map_err(in_config)?;
        let sizes = Sizes::new([(crate::tokens::TOKENS, vocabulary)]);
        let definition = Definition { settings, sizes, classes: outputs.count() };
        let classifier = Classifier::from_source(&definition, &tensors, threads).map_err(in_config)?;
        Ok(Transformer { classifier, subwords, outputs, architecture: architecture.network.name })
    }
}

/// A hash of the files that determine predictions: configuration, tokenizer and weights.
pub fn transformer_hash(folder: &Path) -> Result<ContentHash> {
    let mut hash = ContentHasher::default();
    let files = TOKENIZER_FILES.iter().map(|name| folder.join(name)).filter(|path| path.is_file());
    for path in std::iter::once(folder.join(crate::folder::CONFIG_FILE)).chain(files).chain(weight_files(folder)?) {
        let failed = |source| TransformerError::File { path: path.clone(), source };
        hash.update(path.file_name().unwrap_or_default().as_encoded_bytes());
        std::io::copy(&mut std::fs::File::open(&path).map_err(failed)?, &mut hash).map_err(failed)?;
    }
    Ok(hash.hash())
}
