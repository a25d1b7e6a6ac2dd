//! Flags that say how corpora are read.

use acidtest_experiment::spec::{BadRowRule, DataSpec, IdRule};
use anyhow::{Context, Result, bail};
use clap::{Args, ValueEnum};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// How corpora are read.
#[derive(Args)]
pub(crate) struct DataFlags {
    /// What the numbers 0, 1, ... mean as labels of the data, such as `entailment,not_entailment`
    #[arg(long, value_name = "ORDER", help_heading = "Reading")]
    data_labels: Option<String>,
    /// Name of the column or field of the premise, hypothesis, label or id, such as `premise=passage`
    #[arg(long, value_name = "FIELD=NAME", help_heading = "Reading")]
    column: Vec<String>,
    /// Leave out and count rows that cannot be read or repeat an id, instead of stopping at the first
    #[arg(long, help_heading = "Reading")]
    skip_bad_rows: bool,
    /// What rows are known by: the ids of the file, which must be unique, or their content
    #[arg(long, value_enum, default_value_t = Ids::Unique, help_heading = "Reading")]
    ids: Ids,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Ids {
    /// The ids of the file; one that stands twice is an error
    Unique,
    /// A hash of premise and hypothesis, whatever ids the file has
    Content,
}

impl DataFlags {
    /// These corpora, read as the flags say.
    pub(crate) fn spec(&self, files: &[PathBuf]) -> Result<DataSpec> {
        Ok(DataSpec {
            files: files.to_vec(),
            columns: self.columns()?,
            labels: self.data_labels.clone(),
            bad_rows: if self.skip_bad_rows { BadRowRule::Skip } else { BadRowRule::Refuse },
            ids: match self.ids {
                Ids::Unique => IdRule::Unique,
                Ids::Content => IdRule::Content,
            },
        })
    }

    /// The same for corpora that need not be given; without any nothing is said of how they are read.
    pub(crate) fn spec_if_any(&self, files: &[PathBuf]) -> Result<DataSpec> {
        if files.is_empty() { Ok(DataSpec::default()) } else { self.spec(files) }
    }

    /// Refuses these flags where there is no corpus to read.
    pub(crate) fn refuse_unused(&self) -> Result<()> {
        Ok(self.spec(&[])?.refuse_unused()?)
    }

    fn columns(&self) -> Result<BTreeMap<String, String>> {
        let expected = "expected premise=NAME, hypothesis=NAME, label=NAME or id=NAME";
        let mut columns = BTreeMap::new();
        for column in &self.column {
            let (field, name) = column.split_once('=').with_context(|| format!("--column: `{column}` names no column ({expected})"))?;
            if let Some(other) = columns.insert(field.to_string(), name.to_string()) {
                bail!("--column: `{field}` is both `{other}` and `{name}` (expected one column for each field)");
            }
        }
        Ok(columns)
    }
}
