//! Flags that say how corpora are read.

use acidtest_experiment::spec::{BadRowRule, DataSpec, IdRule, UnlabelledRule, parse_columns, parse_label_map};
use anyhow::Result;
use clap::{Args, ValueEnum};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// How corpora are read.
#[derive(Args)]
pub(crate) struct DataFlags {
    /// Labels that the numbers 0, 1, ... of the data stand for, such as `C,E,N`
    ///
    /// Without it, label names in the data are used if there are any, otherwise the order entailment, neutral, contradiction. Two labels are also accepted: `entailment,not_entailment`.
    #[arg(long, value_name = "ORDER", help_heading = "Reading data")]
    data_labels: Option<String>,
    /// Meaning of other label names, such as `SUPPORTS=entailment`
    ///
    /// Applies to data and predictions. Several are separated by commas: `SUPPORTS=entailment,REFUTES=contradiction`; `-` stands for no label.
    #[arg(long, value_name = "WORD=LABEL,...", value_delimiter = ',', help_heading = "Reading data")]
    label_map: Vec<String>,
    /// Column of the premise, hypothesis, label or id, such as `premise=passage`; may be repeated
    #[arg(long, value_name = "FIELD=NAME", help_heading = "Reading data")]
    column: Vec<String>,
    /// Skip and count rows that cannot be read or that repeat an id, instead of stopping at the first
    #[arg(long, help_heading = "Reading data")]
    skip_bad_rows: bool,
    /// Where the ids of examples come from
    #[arg(long, value_enum, value_name = "SOURCE", default_value_t = Ids::Unique, help_heading = "Reading data")]
    ids: Ids,
}

/// What happens to examples without a gold label.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum UnlabelledRows {
    /// Write them too
    Keep,
    /// Exclude and count them
    Drop,
}

impl UnlabelledRows {
    pub(crate) fn rule(self) -> UnlabelledRule {
        match self {
            UnlabelledRows::Keep => UnlabelledRule::Keep,
            UnlabelledRows::Drop => UnlabelledRule::Drop,
        }
    }

    pub(crate) fn of(self, spec: DataSpec) -> DataSpec {
        DataSpec { unlabelled: self.rule(), ..spec }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Ids {
    /// Read from the file; duplicate ids are an error
    Unique,
    /// A hash of premise and hypothesis; ids of the file are ignored
    Content,
}

impl DataFlags {
    pub(crate) fn spec(&self, files: &[PathBuf]) -> Result<DataSpec> {
        Ok(DataSpec {
            files: files.to_vec(),
            columns: parse_columns(&self.column)?,
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

    pub(crate) fn label_map(&self) -> Result<BTreeMap<String, String>> {
        Ok(parse_label_map(&self.label_map)?)
    }

    /// The spec of optional corpora; without corpora, the default spec.
    pub(crate) fn spec_if_any(&self, files: &[PathBuf]) -> Result<DataSpec> {
        if files.is_empty() { Ok(DataSpec::default()) } else { self.spec(files) }
    }

    /// Refuses these flags where there is no corpus to read.
    pub(crate) fn refuse_unused(&self) -> Result<()> {
        Ok(self.spec(&[])?.refuse_unused()?)
    }
}
