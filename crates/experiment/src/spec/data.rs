//! Corpora: which files, and how they are read.

use super::SpecError;
use crate::data::Data;
use crate::error::Error;
use crate::trained::is_trained_model;
use acidtest_corpus::{BadRows, ColumnNames, IdSource, InputFile, ReadOptions, Unlabelled, resolve};
use acidtest_nli::{LabelNames, UnknownLabel};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::path::PathBuf;

/// Corpora to read.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct DataSpec {
    /// Files and folders; `-` is standard input.
    pub files: Vec<PathBuf>,
    /// Names of columns by field: `premise`, `hypothesis`, `label` or `id`.
    pub columns: BTreeMap<String, String>,
    /// The meaning of the numbers 0, 1, ... as labels, such as `entailment,not_entailment`.
    pub labels: Option<String>,
    /// The meaning of the user's own label names, such as `entailment` for `SUPPORTS`; `-` is no label.
    pub label_map: BTreeMap<String, String>,
    /// Where ids come from.
    pub ids: IdRule,
    /// How rows that cannot be read are handled.
    pub bad_rows: BadRowRule,
    /// How unlabelled rows are handled.
    pub unlabelled: UnlabelledRule,
    /// The number of examples to use, from the first [default: all].
    pub limit: Option<NonZeroUsize>,
}

/// How unlabelled rows are handled.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum UnlabelledRule {
    /// They are read like all others.
    #[default]
    Keep,
    /// They are skipped and counted.
    Drop,
}

/// Where the ids of examples come from.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum IdRule {
    /// From the data, where they must be unique; examples without an id get one from their content.
    #[default]
    Unique,
    /// From the content of every example; ids of the data are ignored.
    Content,
}

/// How rows that cannot be read are handled.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum BadRowRule {
    /// The first one is an error.
    #[default]
    Refuse,
    /// They are skipped and counted.
    Skip,
}

impl DataSpec {
    /// These files, with default options.
    pub fn of_files(files: impl IntoIterator<Item = impl Into<PathBuf>>) -> Self {
        DataSpec { files: files.into_iter().map(Into::into).collect(), ..DataSpec::default() }
    }

    /// The files, and how they are read; gold keys (ids and labels without text) are accepted.
    pub fn resolve(&self) -> Result<Data, Error> {
        Ok(Data::Files(self.found()?, ReadOptions { keys_allowed: true, ..self.options()? }))
    }

    /// The same for work that needs the text of every example.
    pub fn resolve_text(&self) -> Result<Data, Error> {
        Ok(Data::Files(self.found()?, self.options()?))
    }

    /// The files; the folder of a trained model is refused.
    fn found(&self) -> Result<Vec<InputFile>, Error> {
        if let Some(folder) = self.files.iter().find(|path| is_trained_model(path)) {
            return Err(Error::ModelFolder { folder: folder.display().to_string(), wanted: "a corpus" });
        }
        Ok(resolve(&self.files)?)
    }

    /// Refuses options on how files are read if there are none.
    pub fn refuse_unused(&self) -> Result<(), SpecError> {
        let given = match self {
            DataSpec { columns, .. } if !columns.is_empty() => {
                let columns: Vec<String> = columns.iter().map(|(field, name)| format!("{field}={name}")).collect();
                ("columns", columns.join(","))
            }
            DataSpec { labels: Some(order), .. } => ("labels", order.clone()),
            DataSpec { label_map, .. } if !label_map.is_empty() => {
                let words: Vec<String> = label_map.iter().map(|(word, meaning)| format!("{word}={meaning}")).collect();
                ("label_map", words.join(","))
            }
            DataSpec { ids: IdRule::Content, .. } => ("ids", "content".to_string()),
            DataSpec { bad_rows: BadRowRule::Skip, .. } => ("bad_rows", "skip".to_string()),
            DataSpec { limit: Some(limit), .. } => ("limit", limit.to_string()),
            _ => return Ok(()),
        };
        if !self.files.is_empty() {
            return Ok(());
        }
        Err(SpecError::new(format!("data.{}", given.0), given.1, "nothing, because there is no corpus to read"))
    }

    /// How the files are read.
    pub fn options(&self) -> Result<ReadOptions, SpecError> {
        let mut columns = ColumnNames::default();
        for (field, name) in &self.columns {
            columns
                .set(&format!("{field}={name}"))
                .map_err(|message| SpecError::new("data.columns", format!("{field}={name}"), message))?;
        }
        let read = |order: &str| LabelNames::from_order(order).map_err(|error| SpecError::new("data.labels", order, error.expected));
        let order = self.labels.as_deref().map(read).transpose()?.unwrap_or_default();
        let labels = self.label_map.iter().try_fold(order, |labels, (word, meaning)| {
            let refused = |error: UnknownLabel| SpecError::new("data.label_map", format!("{word}={meaning}"), error.expected);
            labels.with_word(word, meaning).map_err(refused)
        })?;
        let bad_rows = match self.bad_rows {
            BadRowRule::Refuse => BadRows::Refuse,
            BadRowRule::Skip => BadRows::Skip,
        };
        let ids = match self.ids {
            IdRule::Unique => IdSource::File,
            IdRule::Content => IdSource::Content,
        };
        let unlabelled = match self.unlabelled {
            UnlabelledRule::Keep => Unlabelled::Keep,
            UnlabelledRule::Drop => Unlabelled::Drop,
        };
        Ok(ReadOptions { labels, columns, bad_rows, ids, unlabelled, limit: self.limit, ..ReadOptions::default() })
    }
}

/// The meaning of label names, from `WORD=LABEL` texts; words in lower case.
pub fn parse_label_map(texts: &[String]) -> Result<BTreeMap<String, String>, SpecError> {
    let mut map = BTreeMap::new();
    for text in texts {
        let wrong = |expected| SpecError::new("data.label_map", text, expected);
        let (word, label) = text.rsplit_once('=').ok_or_else(|| wrong("WORD=LABEL, such as SUPPORTS=entailment"))?;
        if map.insert(word.trim().to_lowercase(), label.trim().to_string()).is_some() {
            return Err(wrong("each word once"));
        }
    }
    Ok(map)
}

/// The names of columns by field, from `FIELD=NAME` texts.
pub fn parse_columns(texts: &[String]) -> Result<BTreeMap<String, String>, SpecError> {
    let mut columns = BTreeMap::new();
    for text in texts {
        let wrong = |expected| SpecError::new("data.columns", text, expected);
        let (field, name) = text.split_once('=').ok_or_else(|| wrong("premise=NAME, hypothesis=NAME, label=NAME or id=NAME"))?;
        if columns.insert(field.to_string(), name.to_string()).is_some() {
            return Err(wrong("each field once"));
        }
    }
    Ok(columns)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reading_options_without_files_are_refused() {
        let refused = |spec: DataSpec| spec.refuse_unused().err().map(|error| (error.field, error.value));
        assert_eq!(refused(DataSpec::default()), None);
        assert_eq!(refused(DataSpec { ids: IdRule::Content, ..DataSpec::of_files(["a.csv"]) }), None);
        let given = |field: &str, value: &str| Some((field.to_string(), value.to_string()));
        let columns = BTreeMap::from([("premise".to_string(), "x".to_string())]);
        assert_eq!(refused(DataSpec { columns, ..DataSpec::default() }), given("data.columns", "premise=x"));
        assert_eq!(refused(DataSpec { labels: Some("C,E,N".to_string()), ..DataSpec::default() }), given("data.labels", "C,E,N"));
        let label_map = BTreeMap::from([("yep".to_string(), "entailment".to_string())]);
        assert_eq!(refused(DataSpec { label_map, ..DataSpec::default() }), given("data.label_map", "yep=entailment"));
        assert_eq!(refused(DataSpec { ids: IdRule::Content, ..DataSpec::default() }), given("data.ids", "content"));
        assert_eq!(refused(DataSpec { bad_rows: BadRowRule::Skip, ..DataSpec::default() }), given("data.bad_rows", "skip"));
    }

    #[test]
    fn unknown_fields_and_labels_are_refused() {
        assert!(serde_json::from_str::<DataSpec>(r#"{"file": ["a.jsonl"]}"#).is_err());
        let spec = DataSpec { labels: Some("E,E".to_string()), ..DataSpec::default() };
        assert!(spec.options().unwrap_err().to_string().starts_with("data.labels: invalid value `E,E`"));
        for (word, meaning) in [("", "entailment"), ("SUPPORTS", "supported")] {
            let spec = DataSpec { label_map: BTreeMap::from([(word.to_string(), meaning.to_string())]), ..DataSpec::default() };
            assert_eq!(spec.options().unwrap_err().field, "data.label_map");
        }
        let spec = DataSpec { columns: BTreeMap::from([("premiss".to_string(), "x".to_string())]), ..DataSpec::default() };
        assert_eq!(spec.options().unwrap_err().field, "data.columns");
    }
}
