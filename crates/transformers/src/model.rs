//! A model folder that is ready to score pairs.

use crate::error::{Result, TransformerError};
use crate::folder::{Folder, file};
use crate::labels::Outputs;
use crate::tensors::{Tensors, weight_files};
use crate::tokens::{Subwords, TOKENIZER_FILES, check_length};
use acidtest_files::{ContentHash, ContentHasher};
use acidtest_neural::{Classifier, ComputePrecision, Definition, NetworkSettings, NeuralError, Sizes};
use acidtest_nli::Judgment;
use acidtest_threads::{Threads, join};
use serde_json::Value;
use std::collections::{BTreeMap, HashMap};
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
    /// The precision in which it computes.
    pub precision: ComputePrecision,
    /// The kernel that computes in it.
    pub kernel: &'static str,
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
    /// Opens a folder to score pairs; `labels` is the order of the outputs if the user gives one.
    pub fn open(folder: &Path, labels: Option<&[Judgment]>, precision: ComputePrecision, threads: &Threads) -> Result<Self> {
        let kernel = precision.kernel()?;
        let folder = Folder::open(folder)?;
        let tensors = Tensors::open(&folder.path, folder.architecture.prefix)?;
        let outputs = rows_of(&tensors, folder.architecture.output)?;
        let outputs = Outputs::of(&folder.config, outputs, labels, &folder.path)?;
        let load = |definition: &Definition, tensors: &Tensors| Classifier::from_source(definition, tensors, threads);
        let config = folder.config.clone();
        let mut transformer = Transformer::build(folder, &config, tensors, outputs, threads, load)?;
        transformer.classifier.set_precision(precision)?;
        Ok(Transformer { precision, kernel, ..transformer })
    }

    /// A network of a folder with this configuration, which may differ from config.json in its rates of dropout; `load` reads its weights.
    pub(crate) fn build(
        folder: Folder,
        config: &Value,
        tensors: Tensors,
        outputs: Outputs,
        threads: &Threads,
        load: impl FnOnce(&Definition, &Tensors) -> acidtest_neural::Result<Classifier> + Send,
    ) -> Result<Self> {
        let architecture = folder.architecture;
        let vocabulary = rows_of(&tensors, architecture.embeddings)?;
        let in_folder = |error: NeuralError| TransformerError::in_folder(error, folder.config_path());
        let positions = (architecture.positions)(&folder.config).map_err(in_folder)?;
        check_length(&folder, positions)?;
        let settings = NetworkSettings::with(architecture.network, config).map_err(in_folder)?;
        let sizes = Sizes::new([(crate::tokens::TOKENS, vocabulary)]);
        let definition = Definition { settings, sizes, classes: outputs.count() };
        // In parallel, because both take about equally long.
        let (classifier, subwords) = threads.run(|| {
            let weights = || load(&definition, &tensors).map_err(in_folder);
            join(weights, || Subwords::open(&folder, vocabulary, positions, (architecture.types)(&folder.config)))
        });
        let (classifier, subwords) = (classifier?, subwords?);
        check_layers(&folder, &tensors, &classifier)?;
        let shape = |name: &String| Some((name.clone(), tensors.shape_in_file(name)?.to_vec()));
        let shapes = classifier.parameters().iter().filter_map(|parameter| shape(&parameter.name)).collect();
        let (architecture, origin) = (architecture.network.name, Origin { folder, shapes });
        let (precision, kernel) = (ComputePrecision::F32, acidtest_neural::instructions());
        Ok(Transformer { classifier, subwords, outputs, architecture, precision, kernel, origin })
    }
}

/// The rows of a tensor that must be there.
fn rows_of(tensors: &Tensors, name: &str) -> Result<usize> {
    let missing = || TransformerError::MissingTensor { path: tensors.path().to_owned(), name: name.to_owned() };
    let (rows, _) = tensors.shape(name).ok_or_else(missing)?;
    Ok(rows)
}

/// Refuses weights with more layers than config.json has: the first of them alone would be another model.
fn check_layers(folder: &Folder, tensors: &Tensors, classifier: &Classifier) -> Result<()> {
    let bare = |name: &str| name.strip_prefix(folder.architecture.prefix).unwrap_or(name).to_owned();
    let mut last: BTreeMap<String, usize> = BTreeMap::new();
    for (stack, layer) in classifier.parameters().iter().filter_map(|parameter| layer_of(&bare(&parameter.name))) {
        let last = last.entry(stack).or_default();
        *last = layer.max(*last);
    }
    let mut found: Vec<(String, usize)> = tensors.names().filter_map(|name| layer_of(&bare(name))).collect();
    found.sort();
    match found.into_iter().find(|(stack, layer)| last.get(stack).is_some_and(|last| layer > last)) {
        None => Ok(()),
        Some((stack, layer)) => {
            let problem = format!("it has {} layers, but the weights have `{stack}.{layer}`", last[&stack] + 1);
            Err(TransformerError::Config { path: folder.config_path(), problem })
        }
    }
}

/// The stack of layers and the number of the layer that a tensor belongs to.
fn layer_of(name: &str) -> Option<(String, usize)> {
    let parts: Vec<&str> = name.split('.').collect();
    let place = parts.iter().position(|part| matches!(*part, "layer" | "layers"))?;
    Some((parts[..=place].join("."), parts.get(place + 1)?.parse().ok()?))
}

/// A hash of the files that determine predictions: configuration, tokenizer and weights.
pub fn transformer_hash(folder: &Path) -> Result<ContentHash> {
    let mut hash = ContentHasher::default();
    let files = TOKENIZER_FILES.iter().filter_map(|name| file(folder, name).transpose()).collect::<Result<Vec<_>>>()?;
    for path in std::iter::once(folder.join(crate::folder::CONFIG_FILE)).chain(files).chain(weight_files(folder)?) {
        let failed = |source| TransformerError::File { path: path.clone(), source };
        hash.update(path.file_name().unwrap_or_default().as_encoded_bytes());
        std::io::copy(&mut std::fs::File::open(&path).map_err(failed)?, &mut hash).map_err(failed)?;
    }
    Ok(hash.hash())
}
