//! Predictions and models as the user names them.

use crate::Failed;
use acidtest_corpus::{ColumnNames, FileRead, InputFile, PredictionOptions, read_predictions};
use acidtest_evaluate::analysis::doctor::examine;
use acidtest_evaluate::{JoinedExample, Judged};
use acidtest_experiment::{EMBEDDED, LabelOrder, NamedModel, Source, is_trained_model, model_hash, open_model};
use acidtest_model::{AnswerCache, CATALOG, CachedModel, Model, ProcessModel, ProcessSettings, TrainingLabels};
use acidtest_nli::{Answer, Example, Judgment, Label, LabelNames, Named};
use acidtest_threads::Threads;
use anyhow::{Context, Result, anyhow, bail};
use clap::Args;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// How predictions are read.
#[derive(Args)]
pub struct AnswerFlags {
    /// Order of numbered labels and of scores in the predictions, such as `C,E,N`
    #[arg(long, value_name = "ORDER", help_heading = "Predictions")]
    labels: Option<String>,
    /// Name of the column or field that holds the answers
    #[arg(long, value_name = "NAME", help_heading = "Predictions")]
    prediction_column: Option<String>,
}

impl AnswerFlags {
    /// The order that was given.
    pub fn label_names(&self) -> Result<Option<LabelNames>> {
        self.labels.as_deref().map(LabelNames::from_order).transpose().map_err(|error| anyhow!("--labels: {error}"))
    }

    /// The order in which the model's outputs are read: the given one, else entailment, neutral, contradiction.
    pub fn order(&self) -> Result<[Label; 3]> {
        let names = self.label_names()?.unwrap_or_default();
        let labels: Vec<Label> = names.order().iter().filter_map(|judgment| judgment.label()).collect();
        Ok(<[Label; 3]>::try_from(labels).unwrap_or(Label::ALL))
    }

    /// Reads a file of predictions. `FILE@COLUMN` names the column of the answers.
    pub fn read(&self, path: &Path) -> Result<(Vec<Answer>, FileRead)> {
        let given = path.display().to_string();
        let mut columns = ColumnNames::default();
        let (path, column) = with_column(path);
        if let Some(name) = column.as_deref().or(self.prediction_column.as_deref()) {
            columns.set(&format!("label={name}")).map_err(|message| anyhow!("--prediction-column: {message}"))?;
        }
        let (answers, hash) = read_predictions(&InputFile::new(path), &PredictionOptions { labels: self.label_names()?, columns })?;
        let name = match &self.prediction_column {
            Some(column) if !given.contains('@') => format!("{given}@{column}"),
            _ => given,
        };
        let rows = answers.len() as u64;
        Ok((answers, FileRead { name, hash, rows }))
    }
}

/// Stops where the labels were surely read in the wrong order.
pub fn check_label_order(name: &str, judged: &Judged<'_>, flags: &AnswerFlags) -> Result<()> {
    let exact = |judgment: Judgment| judgment.label().is_some();
    let can_tell = |(gold, example): (Judgment, JoinedExample<'_>)| {
        exact(gold) && example.prediction.is_some_and(|prediction| exact(prediction.answer))
    };
    if !judged.joined.labelled().any(can_tell) {
        return Ok(());
    }
    let examined = examine(judged, flags.order()?)?;
    match examined.better_labels() {
        Some(_) => Err(Failed(format!("{name}: {} (--no-doctor goes on all the same)", examined.sentence())).into()),
        None => Ok(()),
    }
}

/// For the provenance of a report: which weights answered, for each of the models that is the folder of a trained one.
pub fn model_hashes<'n>(names: impl IntoIterator<Item = &'n str>) -> Result<BTreeMap<String, String>> {
    let mut hashes = BTreeMap::new();
    for name in names {
        let built_in = CATALOG.iter().any(|entry| entry.name == name) || EMBEDDED.iter().any(|embedded| embedded.name == name);
        if !built_in && is_trained_model(Path::new(name)) {
            hashes.insert(format!("model {name}"), model_hash(Path::new(name)).with_context(|| name.to_string())?.to_string());
        }
    }
    Ok(hashes)
}

/// Takes `FILE@COLUMN` apart, where no file has the whole name.
pub fn with_column(path: &Path) -> (PathBuf, Option<String>) {
    let text = path.to_string_lossy();
    match text.rsplit_once('@') {
        Some((file, column)) if !path.exists() && !column.is_empty() => (PathBuf::from(file), Some(column.to_string())),
        _ => (path.to_path_buf(), None),
    }
}

/// The name of something that the program carries.
pub struct Known(pub &'static str);

impl Named for Known {
    fn name(&self) -> &str {
        self.0
    }
}

/// How models are asked.
#[derive(Args)]
pub struct ModelFlags {
    /// Folder in which answers of process models are kept, so that no pair is asked twice [default: the user's cache folder]
    #[arg(long, value_name = "FOLDER", help_heading = "Models")]
    cache: Option<PathBuf>,
    /// Ask process models every time, and keep nothing
    #[arg(long, conflicts_with = "cache", help_heading = "Models")]
    no_cache: bool,
    /// Pairs that a process model has in hand at a time
    #[arg(long, value_name = "N", default_value_t = ProcessSettings::default().batch, help_heading = "Models")]
    batch: usize,
    /// Processes of a process model that work side by side
    #[arg(long, value_name = "N", default_value_t = ProcessSettings::default().workers, help_heading = "Models")]
    workers: usize,
    /// Seconds to wait for an answer of a process model
    #[arg(long, value_name = "SECONDS", default_value_t = ProcessSettings::default().time_out_seconds, help_heading = "Models")]
    time_out: f64,
}

impl ModelFlags {
    /// The model of this name: one of the catalog, `process:COMMAND`, the folder of a trained model, or a file of predictions.
    pub fn model(&self, name: &str, flags: &AnswerFlags, training: &[Example<'static>], threads: &Threads) -> Result<NamedModel> {
        let labels = flags.order()?;
        if let Some(command) = name.strip_prefix("process:") {
            return Ok(NamedModel {
                name: command.to_string(),
                source: Source::Model(self.process(command, flags)?),
                labels,
                order: LabelOrder::Stated,
            });
        }
        if let Some(entry) = CATALOG.iter().find(|entry| entry.name == name) {
            let mut counts = TrainingLabels::default();
            for label in training.iter().filter_map(|example| example.gold?.label()) {
                counts.0[label.index()] += 1;
            }
            return Ok(NamedModel {
                name: name.to_string(),
                source: Source::Model((entry.build)(counts)),
                labels,
                order: LabelOrder::Known,
            });
        }
        if let Some(embedded) = EMBEDDED.iter().find(|embedded| embedded.name == name) {
            let source = Source::Model((embedded.open)(threads)?);
            return Ok(NamedModel { name: name.to_string(), source, labels, order: LabelOrder::Known });
        }
        if Path::new(name).is_dir() {
            let source = Source::Model(open_model(Path::new(name), threads)?);
            return Ok(NamedModel { name: name.to_string(), source, labels, order: LabelOrder::Known });
        }
        let (path, _) = with_column(Path::new(name));
        if path.exists() {
            return Ok(NamedModel {
                name: name.to_string(),
                source: Source::Recorded(flags.read(Path::new(name))?.0),
                labels,
                order: LabelOrder::Stated,
            });
        }
        if crate::train::trainable().iter().any(|trainable| trainable.name == name) {
            bail!("`{name}` must be trained first: `acidtest train --model {name} --train FILE -o FOLDER`, then --model FOLDER");
        }
        let known: Vec<Known> = EMBEDDED.iter().map(|model| model.name).chain(CATALOG.iter().map(|entry| entry.name)).map(Known).collect();
        let unknown = acidtest_nli::find("model", &known, name).err().map(|error| error.to_string()).unwrap_or_default();
        bail!("{unknown}; the folder of a trained model, a file of predictions and `process:COMMAND` will do too")
    }

    fn process(&self, command: &str, flags: &AnswerFlags) -> Result<Box<dyn acidtest_model::Model>> {
        let settings = ProcessSettings {
            batch: self.batch,
            workers: self.workers,
            time_out_seconds: self.time_out,
            labels: flags.label_names()?.unwrap_or_default(),
            ..ProcessSettings::default()
        };
        let model = ProcessModel::start(command, settings)?;
        if self.no_cache {
            return Ok(Box::new(model));
        }
        let folder = match &self.cache {
            Some(folder) => folder.clone(),
            None => default_cache()?,
        };
        let cache = AnswerCache::open(&folder, &model.identity().unwrap_or_default())?;
        Ok(Box::new(CachedModel::new(model, cache)))
    }
}

fn default_cache() -> Result<PathBuf> {
    let home = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let base = home("XDG_CACHE_HOME").or_else(|| home("HOME").map(|home| home.join(".cache")));
    base.map(|base| base.join("acidtest")).ok_or_else(|| anyhow!("there is no cache folder; name one with --cache or pass --no-cache"))
}
