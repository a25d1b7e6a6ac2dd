//! The kinds of models, and how each is opened.
//!
//! This is the only place that knows how models are named. A new kind (HTTP, ONNX, an LLM) is one more entry of [`MODEL_KINDS`].

use crate::embedded::EMBEDDED;
use crate::error::Error;
use crate::session::{CacheUse, Session};
use crate::spec::{ModelSpec, SpecError, is_name};
use crate::trainable::TRAINABLE;
use crate::trained::{ABOUT_FILE, is_trained_model, model_hash, open_model};
use crate::training::TRAINING_FILE;
use crate::transformer::TransformerModel;
use acidtest_corpus::{ColumnNames, FileRead, InputFile, PredictionFile, PredictionOptions, read_predictions};
use acidtest_model::{AnswerCache, CachedModel, Keep, Model, ModelError, ProcessModel, ProcessSettings, TrainingLabels};
use acidtest_neural::{ComputePrecision, NeuralError};
use acidtest_nli::{Answer, Catalog, Key, Label, LabelNames, Named, UnknownName};
use acidtest_transformers::{HasFiles, LongPremises, TransformerError, has_files_of_transformer};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A model with its name in reports.
pub struct NamedModel {
    /// The name.
    pub name: String,
    /// Where its predictions come from.
    pub source: ModelSource,
    /// The order in which its labels are read.
    pub labels: [Label; 3],
    /// Whether that order may be wrong.
    pub order: LabelOrder,
    /// A hash of its weights, if known; for the provenance of reports.
    pub hash: Option<String>,
}

/// Where predictions come from.
pub enum ModelSource {
    /// A model that can be called.
    Model(Box<dyn Model>),
    /// A file of saved predictions.
    Recorded {
        /// The predictions.
        answers: Vec<Answer>,
        /// For each prediction, the hash of its pair, if the file has it.
        pairs: Vec<Option<u64>>,
        /// The file.
        file: FileRead,
        /// How the column of the predictions is known.
        column: AnswerColumn,
    },
}

/// How the column of a file's predictions is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AnswerColumn {
    /// The user named it.
    Named,
    /// Its name is a usual one.
    Usual,
}

/// How the order of a model's labels is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LabelOrder {
    /// The model is a rule over our own labels.
    Known,
    /// The model was trained on our own labels, so its predictions reveal data that was read in another order.
    Learnt,
    /// The user gave it, or it was assumed.
    Stated,
}

impl NamedModel {
    /// A model of the caller.
    pub fn new(name: impl Into<String>, model: impl Model + 'static) -> Self {
        NamedModel {
            name: name.into(),
            source: ModelSource::Model(Box::new(model)),
            labels: Label::ALL,
            order: LabelOrder::Known,
            hash: None,
        }
    }
}

/// A kind of models, recognised by how they are named.
pub struct ModelKind {
    /// The name of the kind.
    pub name: &'static str,
    /// How such a model is named, for lists and messages.
    pub form: &'static str,
    /// A description that completes a sentence beginning with `a model that is`.
    pub summary: &'static str,
    /// The settings that it takes.
    pub settings: &'static [&'static str],
    /// Whether it needs the label counts of the data.
    pub needs_labels: bool,
    /// Whether a text names a model of this kind.
    pub recognises: fn(&str) -> bool,
    /// Opens it.
    pub open: fn(&OpenRequest<'_>) -> Result<NamedModel, Error>,
}

impl Named for ModelKind {
    fn name(&self) -> &str {
        self.name
    }
}

/// What is needed to open a model.
pub struct OpenRequest<'r> {
    /// The name of the model.
    pub model: &'r str,
    /// Settings of its kind.
    pub settings: &'r Map<String, Value>,
    /// The label counts of the data.
    pub labels: TrainingLabels,
    /// The session.
    pub session: &'r Session<'r>,
}

impl OpenRequest<'_> {
    fn settings<T: DeserializeOwned>(&self) -> Result<T, Error> {
        let read = |settings: Map<String, Value>| serde_json::from_value::<T>(Value::Object(settings));
        read(self.settings.clone()).map_err(|error| {
            // Try each setting alone to find the invalid one.
            let alone = |key: &String, value: &Value| Some((key.clone(), read(Map::from_iter([(key.clone(), value.clone())])).err()?));
            let (key, error) = self.settings.iter().find_map(|(key, value)| alone(key, value)).unwrap_or((String::new(), error));
            let message = error.to_string();
            let expected = message.split_once("expected ").map_or(message.as_str(), |(_, expected)| expected).trim_end_matches(')');
            setting_error(&key, self.settings.get(&key).map_or(String::new(), plain), expected).into()
        })
    }
}

/// A value in the user's notation.
fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_string)
}

/// The error for an invalid setting of a model.
fn setting_error(key: &str, value: impl Into<String>, expected: impl Into<String>) -> SpecError {
    SpecError::new(format!("model.settings.{key}"), value, expected)
}

/// All kinds of models, in the order in which they are tried.
pub static MODEL_KINDS: Catalog<ModelKind> =
    Catalog::new("kind of model", &[PROCESS, REFERENCE, EMBEDDED_MODEL, TRANSFORMER_FOLDER, TRAINED_FOLDER, PREDICTION_FILE]);

/// The scheme of models that are programs.
pub(crate) const PROCESS_SCHEME: &str = "process:";

const PROCESS: ModelKind = ModelKind {
    name: "process",
    form: "process:COMMAND",
    summary: "a program",
    settings: &["labels", "label_map", "batch_size", "workers", "timeout_seconds", "restarts", "input", "version"],
    needs_labels: false,
    recognises: |model| model.starts_with(PROCESS_SCHEME),
    open: open_process,
};

const REFERENCE: ModelKind = ModelKind {
    name: "reference",
    form: "NAME",
    summary: "a built-in rule",
    settings: &[],
    needs_labels: true,
    recognises: |model| acidtest_model::CATALOG.get(model).is_some(),
    open: |request| {
        let entry = acidtest_model::CATALOG.find(request.model)?;
        Ok(known(request.model, (entry.build)(request.labels)))
    },
};

const EMBEDDED_MODEL: ModelKind = ModelKind {
    name: "embedded",
    form: "NAME",
    summary: "a built-in network",
    settings: &[],
    needs_labels: false,
    recognises: |model| EMBEDDED.get(model).is_some(),
    open: |request| {
        let entry = EMBEDDED.find(request.model)?;
        Ok(NamedModel { order: LabelOrder::Learnt, ..known(request.model, (entry.open)(&request.session.threads)?) })
    },
};

const TRANSFORMER_FOLDER: ModelKind = ModelKind {
    name: "transformer",
    form: "FOLDER",
    summary: "the folder of a transformer in the Hugging Face format",
    settings: &["labels", "long", "precision"],
    needs_labels: false,
    recognises: |model| is_meant_as_transformer(Path::new(model)),
    open: open_transformer,
};

/// The kind of folders of trained models.
pub(crate) const FOLDER: &str = "folder";

const TRAINED_FOLDER: ModelKind = ModelKind {
    name: FOLDER,
    form: "FOLDER",
    summary: "the folder of a trained model",
    settings: &[],
    needs_labels: false,
    recognises: |model| Path::new(model).is_dir(),
    open: |request| {
        let folder = Path::new(request.model);
        let opened = open_model(folder, &request.session.threads)?;
        let hash = if is_trained_model(folder) { Some(hash_of(folder)?) } else { None };
        Ok(NamedModel { hash, order: LabelOrder::Learnt, ..known(request.model, opened) })
    },
};

/// The kind of files of predictions.
pub(crate) const PREDICTIONS: &str = "predictions";

const PREDICTION_FILE: ModelKind = ModelKind {
    name: PREDICTIONS,
    form: "FILE[@COLUMN]",
    summary: "a file of predictions",
    settings: &["labels", "column", "label_map"],
    needs_labels: false,
    recognises: |model| with_column(model).0.exists(),
    open: open_predictions,
};

/// Whether a text names a program by its command.
pub(crate) fn is_command(model: &str) -> bool {
    (PROCESS.recognises)(model)
}

fn hash_of(folder: &Path) -> Result<String, Error> {
    let hash = model_hash(folder).map_err(|source| Error::File { path: folder.display().to_string(), source })?;
    Ok(hash.to_string())
}

fn known(name: &str, model: Box<dyn Model>) -> NamedModel {
    let source = ModelSource::Model(model);
    NamedModel { name: name.to_string(), source, labels: Label::ALL, order: LabelOrder::Known, hash: None }
}

fn open_process(request: &OpenRequest<'_>) -> Result<NamedModel, Error> {
    let command = request.model.strip_prefix(PROCESS_SCHEME).unwrap_or(request.model);
    if command.trim().is_empty() {
        return Err(SpecError::new("model", request.model, "a command after `process:`, such as `process:./model.py`").into());
    }
    let mut settings: ProcessSettings = request.settings()?;
    settings.labels = with_words(settings.labels, &settings.label_map)?;
    let labels = exact_order(&settings.labels);
    let keep = match (request.session.cache_use, &settings.version) {
        (CacheUse::Resume | CacheUse::Refresh, None) => Keep::UntilFinished,
        (CacheUse::Reuse, _) | (_, Some(_)) => Keep::ForLater,
    };
    let model = ProcessModel::start(command, settings).map_err(|error| match error {
        ModelError::Setting { name, found, expected } => Error::Spec(setting_error(name, found, expected)),
        other => other.into(),
    })?;
    let model = cached(model, keep, request.session)?;
    Ok(NamedModel { name: command.to_string(), source: ModelSource::Model(model), labels, order: LabelOrder::Stated, hash: None })
}

/// The model with the session's cache of predictions, if there is one.
fn cached(model: impl Model + 'static, keep: Keep, session: &Session<'_>) -> Result<Box<dyn Model>, Error> {
    let (Some(folder), Some(identity)) = (&session.cache, model.identity()) else { return Ok(Box::new(model)) };
    if session.cache_use == CacheUse::Refresh {
        for keep in [Keep::UntilFinished, Keep::ForLater] {
            AnswerCache::open(folder, &answers_of(&identity, keep))?.clear()?;
        }
    }
    Ok(Box::new(CachedModel::new(model, AnswerCache::open(folder, &answers_of(&identity, keep))?, keep)))
}

/// Whether a folder is a transformer, even a damaged one, and not a model that Acidtest trained or is still training.
fn is_meant_as_transformer(folder: &Path) -> bool {
    match has_files_of_transformer(folder) {
        HasFiles::Config => true,
        HasFiles::Others => ![ABOUT_FILE, TRAINING_FILE].iter().any(|name| folder.join(name).is_file()),
        HasFiles::None => false,
    }
}

/// How the outputs of a transformer are read.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct TransformerSettings {
    /// The order of the outputs, in place of the names in config.json.
    labels: Option<String>,
    /// What happens to premises that are too long.
    long: LongPremises,
    /// The precision in which it computes.
    precision: ComputePrecision,
}

fn open_transformer(request: &OpenRequest<'_>) -> Result<NamedModel, Error> {
    let folder = Path::new(request.model);
    if is_trained_model(folder) {
        return Err(Error::TwoModels { folder: folder.display().to_string() });
    }
    let settings: TransformerSettings = request.settings()?;
    let given = settings.labels.as_deref().map(label_names).transpose()?;
    settings.precision.kernel().map_err(|error| match error {
        NeuralError::Setting { setting, found, expected } => Error::Spec(setting_error(setting, found, expected)),
        other => TransformerError::from(other).into(),
    })?;
    let order = given.as_ref().map(LabelNames::order);
    let model = TransformerModel::open(folder, order, (settings.precision, settings.long), &request.session.threads)?;
    let (labels, hash) = (model.labels(), Some(model.hash().to_string()));
    // The hash of the folder is part of the identity, so predictions are never those of another model.
    let source = ModelSource::Model(cached(model, Keep::ForLater, request.session)?);
    Ok(NamedModel { name: request.model.to_string(), source, labels, order: LabelOrder::Stated, hash })
}

/// The cache key of a model. Unless the version is given, a finished run's predictions are not reused: the same command may run another
/// model.
fn answers_of(identity: &str, keep: Keep) -> String {
    match keep {
        Keep::UntilFinished => format!("{identity}\nuntil the run is finished"),
        Keep::ForLater => identity.to_string(),
    }
}

impl NamedModel {
    /// Called when all predictions are made: drops those that were only kept in case of an interruption.
    pub(crate) fn finished(&self) -> Result<(), Error> {
        match &self.source {
            ModelSource::Model(model) => Ok(model.finished()?),
            ModelSource::Recorded { .. } => Ok(()),
        }
    }
}

/// How a file of predictions is read.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct PredictionSettings {
    /// The order of numbered labels and of scores.
    labels: Option<String>,
    /// The column or field of the predictions.
    column: Option<String>,
    /// The meaning of the user's own label names.
    label_map: BTreeMap<String, String>,
}

fn open_predictions(request: &OpenRequest<'_>) -> Result<NamedModel, Error> {
    let settings: PredictionSettings = request.settings()?;
    let (path, column) = with_column(request.model);
    refuse_model_files(&path)?;
    refuse_program(request.model, &path)?;
    let mut columns = ColumnNames::default();
    let name = match (&column, &settings.column) {
        (Some(_), _) | (None, None) => request.model.to_string(),
        (None, Some(column)) => format!("{}@{column}", request.model),
    };
    let column = column.or(settings.column);
    let known = if column.is_some() { AnswerColumn::Named } else { AnswerColumn::Usual };
    if let Some(column) = column {
        columns.set(&format!("label={column}")).map_err(|message| setting_error("column", column, message))?;
    }
    let labels = settings.labels.as_deref().map(label_names).transpose()?.unwrap_or_default();
    let labels = with_words(labels, &settings.label_map)?;
    let order = exact_order(&labels);
    let PredictionFile { answers, pairs, hash } = read_predictions(&InputFile::new(path), &PredictionOptions { labels, columns })?;
    let mut file = FileRead::new(name.clone(), hash, answers.len() as u64);
    if pairs.contains(&None) {
        file.notes.push(format!("matched by {} only: the file has no text hashes, which `predict` writes", how_matched(&answers)));
    }
    let source = ModelSource::Recorded { answers, pairs, file, column: known };
    Ok(NamedModel { name, source, labels: order, order: LabelOrder::Stated, hash: None })
}

/// What predictions and examples are matched by.
fn how_matched(answers: &[Answer]) -> &'static str {
    match answers.first().map(|answer| &answer.key) {
        Some(Key::Row(_)) => "position in the file",
        Some(Key::Index(_)) => "row number",
        Some(Key::Id(_)) | None => "id",
    }
}

/// Endings of programs, and the interpreters that run them.
const PROGRAMS: [(&str, &str); 6] =
    [("py", "python3 "), ("sh", "sh "), ("pl", "perl "), ("rb", "ruby "), ("js", "node "), ("r", "Rscript ")];

/// Refuses a program where a file of predictions belongs.
fn refuse_program(model: &str, path: &Path) -> Result<(), Error> {
    let ending = path.extension().map(|ending| ending.to_string_lossy().to_lowercase()).unwrap_or_default();
    match PROGRAMS.iter().find(|(known, _)| *known == ending) {
        Some((_, runner)) => Err(Error::Program { model: model.to_string(), command: format!("{runner}{}", path.display()) }),
        None => Ok(()),
    }
}

/// Refuses a trained model where a file of predictions belongs.
fn refuse_model_files(path: &Path) -> Result<(), Error> {
    let name = |path: &Path| path.display().to_string();
    if is_trained_model(path) {
        return Err(Error::ModelFolder { folder: name(path), wanted: "a file of predictions" });
    }
    let weights = path.extension().is_some_and(|ending| ["safetensors", "bin"].iter().any(|known| ending == *known));
    match path.parent().filter(|folder| is_trained_model(folder) && (weights || path.ends_with(ABOUT_FILE))) {
        Some(folder) if folder.as_os_str().is_empty() => Err(Error::ModelFile { file: name(path), folder: ".".to_string() }),
        Some(folder) => Err(Error::ModelFile { file: name(path), folder: name(folder) }),
        None => Ok(()),
    }
}

/// The same labels with the user's own names.
fn with_words(labels: LabelNames, words: &BTreeMap<String, String>) -> Result<LabelNames, SpecError> {
    words.iter().try_fold(labels, |labels, (word, meaning)| {
        labels.with_word(word, meaning).map_err(|error| setting_error("label_map", format!("{word}={meaning}"), error.expected))
    })
}

/// The labels of an order such as `C,E,N`.
fn label_names(order: &str) -> Result<LabelNames, SpecError> {
    LabelNames::from_order(order).map_err(|error| setting_error("labels", order, error.expected))
}

/// The order as three labels; the usual one if it is two-way.
fn exact_order(names: &LabelNames) -> [Label; 3] {
    let labels: Vec<Label> = names.order().iter().filter_map(|judgment| judgment.label()).collect();
    <[Label; 3]>::try_from(labels).unwrap_or(Label::ALL)
}

/// Splits `FILE@COLUMN`, unless a file has the whole name.
pub fn with_column(text: &str) -> (PathBuf, Option<String>) {
    match text.rsplit_once('@') {
        Some((file, column)) if !Path::new(text).exists() && !column.is_empty() => (PathBuf::from(file), Some(column.to_string())),
        _ => (PathBuf::from(text), None),
    }
}

/// Whether a text is the model of `NAME=MODEL`.
fn names_a_model(text: &str) -> bool {
    !text.is_empty() && MODEL_KINDS.iter().any(|kind| (kind.recognises)(text))
}

/// The error for a text that does not name a model.
pub(crate) fn unknown(model: &str) -> Error {
    if TRAINABLE.get(model).is_some() {
        return Error::Untrained { model: model.to_string() };
    }
    if let Some((name, _)) = model.split_once('=').filter(|(name, rest)| !is_name(name) && names_a_model(rest)) {
        return SpecError::new("model.name", name, "a name of letters, digits, `_`, `.` and `-` only").into();
    }
    // Model names have no spaces, but most commands do.
    if model.trim().contains(char::is_whitespace) {
        return Error::Program { model: model.to_string(), command: model.trim().to_string() };
    }
    let known = EMBEDDED.names().into_iter().chain(acidtest_model::CATALOG.names());
    let mut others: Vec<&str> = MODEL_KINDS.iter().map(|kind| kind.form).filter(|form| *form != "NAME").collect();
    others.dedup();
    Error::UnknownModel { unknown: UnknownName::among("model", known, model), others }
}

/// Opens models, and checks that their names differ.
pub fn open_models(specs: &[ModelSpec], labels: TrainingLabels, session: &Session<'_>) -> Result<Vec<NamedModel>, Error> {
    let mut models: Vec<NamedModel> = Vec::with_capacity(specs.len());
    for (place, spec) in specs.iter().enumerate() {
        let is_same =
            |other: &&ModelSpec| spec.model.starts_with(PROCESS_SCHEME) && (&other.model, &other.settings) == (&spec.model, &spec.settings);
        if let Some(first) = specs[..place].iter().find(is_same) {
            let [first, second] = [first, spec].map(|spec| spec.name.clone().unwrap_or_else(|| spec.model.clone()));
            return Err(Error::SameCommand { first, second, command: spec.model.clone() });
        }
        let model = spec.resolve(labels, session)?;
        if models.iter().any(|other| other.name == model.name) {
            return Err(Error::SameName { name: model.name });
        }
        models.push(model);
    }
    Ok(models)
}
