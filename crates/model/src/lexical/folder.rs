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

/// The format of the folder; it is raised when older programs could not read it.
const FORMAT: u32 = 3;

const ABOUT: &str = "model.json";
const WEIGHTS: &str = "weights.bin";
const FOLDS: &str = "folds.bin";
const SEEN: &str = "seen.bin";

/// What `model.json` says.
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
    /// The penalty that was given or chosen.
    pub penalty: f64,
    /// The training.
    pub training: UsedRows,
    /// The dev rows.
    pub dev: UsedRows,
    /// How often each label stands in the training rows: entailment, neutral, contradiction.
    pub labels: [u64; 3],
    /// How many features the training rows have, and how many have a weight.
    pub features: [u64; 2],
    /// How often all rows were walked through.
    pub passes: u64,
    /// The regularised loss of the weights before they were rounded.
    pub loss: f64,
    /// The loss is above the smallest possible one by at most this share of it.
    pub gap: f64,
    /// The length of the gradient of the loss.
    pub gradient_norm: f64,
    /// How many dev rows are answered rightly.
    pub dev_right: u64,
    /// The share of the dev rows that are; none without dev rows.
    pub dev_accuracy: Option<f64>,
    /// The hashes of the other files.
    pub files: FileHashes,
}

/// Rows that a model was made from.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct UsedRows {
    /// Rows that were used.
    pub rows: u64,
    /// Rows without one of the three labels, which were left out.
    pub unlabelled: u64,
    /// Rows of which the tagger told the classes of words, because they have no parse.
    pub tagged: u64,
    /// The files.
    pub files: Vec<SourceFile>,
}

/// A file that rows came from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceFile {
    /// Its name as the user gave it.
    pub path: String,
    /// The hash of its content.
    pub hash: String,
    /// How many rows it has.
    pub rows: u64,
}

/// Where the rows of a training came from.
#[derive(Debug, Clone, Default)]
pub struct Sources {
    /// The files to learn from.
    pub train: Vec<SourceFile>,
    /// The files to choose settings by.
    pub dev: Vec<SourceFile>,
    /// The seed.
    pub seed: u64,
}

/// Refuses a place that is taken by something else than a trained model, before any work is done.
pub fn check_place(folder: &Path) -> Result<(), LexicalError> {
    let occupied = || LexicalError::Occupied { path: folder.display().to_string() };
    if !folder.exists() || is_model(&folder.join(ABOUT)) {
        return Ok(());
    }
    let mut entries = std::fs::read_dir(folder).map_err(|_| occupied())?;
    if entries.next().is_some() { Err(occupied()) } else { Ok(()) }
}

impl TrainedLexicalModel {
    /// Writes the model to a folder, whole or not at all, and says what was written; another trained model in this place is replaced.
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

/// Whether a file names a trained model, as the `model.json` of every one does; other programs write files of this name too.
fn is_model(about: &Path) -> bool {
    let text = std::fs::read_to_string(about).unwrap_or_default();
    let about: serde_json::Value = serde_json::from_str(&text).unwrap_or_default();
    about["model"].is_string()
}

/// What every format of the folder says.
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
        return Err(LexicalError::broken(&path, format!("`{}` is no lexical model", about.model)));
    };
    let table = Table::open(&folder.join(WEIGHTS))?;
    check(WEIGHTS, table.hash())?;
    if table.features() != about.features[1] {
        return Err(LexicalError::broken(&folder.join(WEIGHTS), format!("it does not go with {ABOUT}")));
    }
    let folds = match about.settings.folds {
        0 => None,
        folds => {
            let path = folder.join(FOLDS);
            let tables = FoldTables::open(&path, &table)?;
            check(FOLDS, tables.hash())?;
            if tables.folds != folds {
                return Err(LexicalError::broken(&path, format!("it does not go with {ABOUT}")));
            }
            Some(tables)
        }
    };
    let seen = Seen::open(&folder.join(SEEN))?;
    check(SEEN, seen.hash())?;
    Ok(Opened { variant, table, folds, seen, about })
}
