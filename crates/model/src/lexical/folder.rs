//! The folder of a trained model: `model.json` says what it is, the other files hold numbers.

use super::catalog::CATALOG;
use super::error::LexicalError;
use super::features::Variant;
use super::seen::{Seen, pack_seen};
use super::settings::LexicalSettings;
use super::table::{FoldTables, Table, pack};
use super::train::TrainedLexicalModel;
use acidtest_files::{ContentHash, FileError, FileHashes, OutputFolder, check_file, check_seal, seal_json};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// The format of the folder; increased when older versions could not read it.
const FORMAT: u32 = 3;

const ABOUT: &str = "model.json";
const WEIGHTS: &str = "weights.bin";
const FOLDS: &str = "folds.bin";
const SEEN: &str = "seen.bin";

/// The content of `model.json`.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct About {
    /// The name of the model.
    pub model: String,
    /// The format of the folder.
    pub format: u32,
    /// How it was trained.
    pub settings: LexicalSettings,
    /// The seed of all random choices.
    pub seed: u64,
    /// The L2 penalty.
    pub penalty: f64,
    /// The training examples.
    pub training: UsedRows,
    /// The dev examples.
    pub dev: UsedRows,
    /// How often each label occurs in the training examples: entailment, neutral, contradiction.
    pub labels: [u64; 3],
    /// The number of features of the training examples, and the number of those with a weight.
    pub features: [u64; 2],
    /// The number of epochs.
    pub passes: u64,
    /// The regularised loss before the weights were rounded.
    pub loss: f64,
    /// An upper bound of the relative distance between this loss and the optimum.
    pub gap: f64,
    /// The norm of the gradient.
    pub gradient_norm: f64,
    /// The number of correct predictions on the dev examples.
    pub dev_right: u64,
    /// The accuracy on the dev examples; `None` without any.
    pub dev_accuracy: Option<f64>,
    /// The hashes of the other files.
    pub files: FileHashes,
}

/// The examples that a model was trained or tuned on.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct UsedRows {
    /// Examples that were used.
    pub rows: u64,
    /// Examples without one of the three labels, which were skipped.
    pub unlabelled: u64,
    /// Examples that our tagger tagged, because they have no parse.
    pub tagged: u64,
    /// The files.
    pub files: Vec<SourceFile>,
}

/// A file of examples.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceFile {
    /// Its name as the user gave it.
    pub path: String,
    /// The hash of its content.
    pub hash: String,
    /// The number of its examples.
    pub rows: u64,
}

/// The files of a training run.
#[derive(Debug, Clone, Default)]
pub struct Sources {
    /// The training files.
    pub train: Vec<SourceFile>,
    /// The dev files.
    pub dev: Vec<SourceFile>,
    /// The seed.
    pub seed: u64,
}

/// Refuses a path that is taken by anything but a trained model, before any work is done.
pub fn check_place(folder: &Path) -> Result<(), LexicalError> {
    let occupied = || LexicalError::Occupied { path: folder.display().to_string() };
    if !folder.exists() || is_model(&folder.join(ABOUT)) {
        return Ok(());
    }
    let mut entries = std::fs::read_dir(folder).map_err(|_| occupied())?;
    if entries.next().is_some() { Err(occupied()) } else { Ok(()) }
}

impl TrainedLexicalModel {
    /// Writes the model to a folder, completely or not at all, and returns the content of its `model.json`; a trained model at this path is replaced.
    pub fn write(&self, folder: &Path, sources: &Sources) -> Result<About, LexicalError> {
        check_place(folder)?;
        let files = pack(&self.origins.features(), &self.model, &self.folds);
        let seen = pack_seen(&[self.origins.pairs.as_slice(), &self.origins.premises].concat());
        let written = [(WEIGHTS, &files.weights), (SEEN, &seen)].into_iter().chain(files.folds.iter().map(|folds| (FOLDS, folds)));
        let output = OutputFolder::create(folder)?;
        let mut about = self.about(sources, files.kept);
        for (name, bytes) in written {
            output.write(name, bytes)?;
            about.files.insert(name.to_owned(), ContentHash::of(bytes));
        }
        let text = serde_json::to_string_pretty(&about).map_err(|error| FileError::unwritten(folder, error.into()))?;
        output.write(ABOUT, seal_json(&text).as_bytes())?;
        output.finish()?;
        Ok(about)
    }

    fn about(&self, sources: &Sources, kept: usize) -> About {
        let rows = |counts: &super::batch::RowCounts, files: &[SourceFile]| UsedRows {
            rows: counts.taken,
            unlabelled: counts.unlabelled,
            tagged: counts.tagged,
            files: files.to_vec(),
        };
        let dev_rows = self.dev_counts.taken;
        About {
            model: self.variant.name().to_string(),
            format: FORMAT,
            settings: self.settings.clone(),
            seed: sources.seed,
            penalty: self.penalty,
            training: rows(&self.counts, &sources.train),
            dev: rows(&self.dev_counts, &sources.dev),
            labels: self.counts.labels,
            features: [self.features as u64, kept as u64],
            passes: self.passes as u64,
            loss: self.loss,
            gap: self.gap,
            gradient_norm: self.gradient_norm,
            dev_right: self.dev_right,
            dev_accuracy: (dev_rows > 0).then(|| self.dev_right as f64 / dev_rows as f64),
            files: FileHashes::new(),
        }
    }
}

/// Whether a `model.json` is that of a trained model; other programs use this file name too.
fn is_model(about: &Path) -> bool {
    let text = std::fs::read_to_string(about).unwrap_or_default();
    let about: serde_json::Value = serde_json::from_str(&text).unwrap_or_default();
    about["model"].is_string()
}

/// The keys that every format has.
#[derive(Deserialize)]
struct Version {
    format: u32,
}

/// An opened folder.
pub(super) struct Opened {
    pub about: About,
    pub variant: Variant,
    pub table: Table,
    pub folds: Option<FoldTables>,
    pub seen: Seen,
}

/// Opens the folder of a trained model.
pub(super) fn open(folder: &Path) -> Result<Opened, LexicalError> {
    let path = folder.join(ABOUT);
    let text = std::fs::read_to_string(&path).map_err(|error| LexicalError::unread(&path, error))?;
    let Version { format } = serde_json::from_str(&text).map_err(|error| LexicalError::broken(&path, error.to_string()))?;
    if format != FORMAT {
        return Err(LexicalError::Format { path: path.display().to_string(), found: format, expected: FORMAT });
    }
    check_seal(text.as_bytes()).map_err(|problem| LexicalError::broken(&path, problem))?;
    let about: About = serde_json::from_str(&text).map_err(|error| LexicalError::broken(&path, error.to_string()))?;
    let check = |name: &str, found: ContentHash| {
        check_file(&about.files, name, found).map_err(|problem| LexicalError::broken(&folder.join(name), problem))
    };
    let Some(variant) = CATALOG.get(&about.model).map(|entry| entry.variant) else {
        return Err(LexicalError::broken(&path, format!("`{}` is not a lexical model", about.model)));
    };
    let table = Table::open(&folder.join(WEIGHTS))?;
    check(WEIGHTS, table.hash())?;
    if table.features() != about.features[1] {
        return Err(LexicalError::broken(&folder.join(WEIGHTS), format!("it does not match {ABOUT}")));
    }
    let folds = match about.settings.folds {
        0 => None,
        folds => {
            let path = folder.join(FOLDS);
            let tables = FoldTables::open(&path, &table)?;
            check(FOLDS, tables.hash())?;
            if tables.folds != folds {
                return Err(LexicalError::broken(&path, format!("it does not match {ABOUT}")));
            }
            Some(tables)
        }
    };
    let seen = Seen::open(&folder.join(SEEN))?;
    check(SEEN, seen.hash())?;
    Ok(Opened { variant, table, folds, seen, about })
}
