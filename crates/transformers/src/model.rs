//! A model folder that is ready to score pairs.

use crate::error::{Result, TransformerError};
use crate::folder::Folder;
use crate::labels::Outputs;
use crate::tensors::{Tensors, weight_files};
use crate::tokens::{Subwords, TOKENIZER_FILES};
use acidtest_files::{ContentHash, ContentHasher};
use acidtest_neural::{Classifier, Definition, NetworkSettings, NeuralError, Sizes};
use acidtest_nli::Judgment;
use acidtest_threads::Threads;
use std::collections::HashMap;
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
    /// What it was opened from, which is needed to save it.
    pub origin: Origin,
}

/// The folder that a model was opened from.
pub struct Origin {
    pub(crate) folder: Folder,
    /// The shapes of the tensors in that folder.
    pub(crate) shapes: HashMap<String, Vec<usize>>,
}

impl Transformer {
    /// Opens a folder; `labels` is the order of the outputs if the user gives one.
    pub fn open(folder: &Path, labels: Option<&[Judgment]>, threads: &Threads) -> Result<Self> {
        let folder = Folder::open(folder)?;
        let tensors = Tensors::open(&folder.path, folder.architecture.prefix)?;
        let outputs = rows_of(&tensors, folder.architecture.output)?;
        let outputs = Outputs::of(&folder.config, outputs, labels, &folder.path)?;
        Transformer::build(folder, tensors, outputs, |definition, tensors| Classifier::from_source(definition, tensors, threads))
    }

    /// A network of a folder; `load` reads its weights.
    pub(crate) fn build(
        folder: Folder,
        tensors: Tensors,
        outputs: Outputs,
        load: impl FnOnce(&Definition, &Tensors) -> acidtest_neural::Result<Classifier>,
    ) -> Result<Self> {
        let architecture = folder.architecture;
        let vocabulary = rows_of(&tensors, architecture.embeddings)?;
        let in_config = |error: NeuralError| match error {
            NeuralError::Setting { .. } | NeuralError::Settings(_) => {
                TransformerError::Config { path: folder.config_path(), problem: error.to_string() }
            }
            other => other.into(),
        };
        let positions = (architecture.positions)(&folder.config).map_err(in_config)?;
        let subwords = Subwords::open(&folder, vocabulary, positions, (architecture.types)(&folder.config))?;
        let settings = NetworkSettings::with(architecture.network, &folder.config).map_err(in_config)?;
        let sizes = Sizes::new([(crate::tokens::TOKENS, vocabulary)]);
        let definition = Definition { settings, sizes, classes: outputs.count() };
        let classifier = load(&definition, &tensors).map_err(in_config)?;
        let shape = |name: &String| Some((name.clone(), tensors.shape_in_file(name)?.to_vec()));
        let shapes = classifier.parameters().iter().filter_map(|parameter| shape(&parameter.name)).collect();
        Ok(Transformer { classifier, subwords, outputs, architecture: architecture.network.name, origin: Origin { folder, shapes } })
    }
}

/// The rows of a tensor that must be there.
fn rows_of(tensors: &Tensors, name: &str) -> Result<usize> {
    let (rows, _) = tensors.shape(name).ok_or_else(|| acidtest_neural::TensorSource::unlike(tensors, name, (1, 1)))?;
    Ok(rows)
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
