//! Flags that say how corpora are read.

use acidtest_experiment::spec::{BadRowRule, DataSpec, IdRule, UnlabelledRule};
use anyhow::{Context, Result, bail};
use clap::{Args, ValueEnum};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// How corpora are read.
#[derive(Args)]
pub(crate) struct DataFlags {
    /// What the numbers 0, 1, ... mean as labels of the data, such as `entailment,not_entailment` [default: what the data says; 0, 1, 2 are entailment,
    /// neutral, contradiction where it says nothing]
    #[arg(long, value_name = "ORDER", help_heading = "Reading")]
    data_labels: Option<String>,
    /// What other words mean as labels, in the data and in predictions, such as `SUPPORTS=entailment,REFUTES=contradiction`; `-` is no label
    #[arg(long, value_name = "WORD=LABEL,...", value_delimiter = ',', help_heading = "Reading")]
    label_map: Vec<String>,
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

/// What becomes of rows without a gold label.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum UnlabelledRows {
    /// They are written as well
    Keep,
    /// They are left out and counted
    Drop,
}

impl UnlabelledRows {
    /// The rule.
    pub(crate) fn rule(self) -> UnlabelledRule {
        match self {
            UnlabelledRows::Keep => UnlabelledRule::Keep,
            UnlabelledRows::Drop => UnlabelledRule::Drop,
        }
    }

    /// The same corpora with this rule.
    pub(crate) fn of(self, spec: DataSpec) -> DataSpec {
        DataSpec { unlabelled: self.rule(), ..spec }
    }
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
            label_map: self.label_map()?,
            bad_rows: if self.skip_bad_rows { BadRowRule::Skip } else { BadRowRule::Refuse },
            ids: match self.ids {
                Ids::Unique => IdRule::Unique,
                Ids::Content => IdRule::Content,
            },
            ..DataSpec::default()
        })
    }

    /// The meaning of each word, in lower case.
    pub(crate) fn label_map(&self) -> Result<BTreeMap<String, String>> {
        let expected = "expected WORD=LABEL, such as SUPPORTS=entailment";
        let mut map = BTreeMap::new();
        for entry in &self.label_map {
            let (word, label) = entry.rsplit_once('=').with_context(|| format!("--label-map: `{entry}` names no label ({expected})"))?;
            if let Some(other) = map.insert(word.trim().to_lowercase(), label.trim().to_string()) {
                bail!("--label-map: `{}` is both `{other}` and `{}` (expected one label for each word)", word.trim(), label.trim());
            }
        }
        Ok(map)
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
