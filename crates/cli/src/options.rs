//! Flags that several verbs share.

use acidtest_corpus::{BadRows, ColumnNames, IdSource, InputFile, ReadOptions, resolve};
use acidtest_experiment::is_trained_model;
use acidtest_files::same_place;
use acidtest_nli::LabelNames;
use acidtest_threads::Threads;
use anyhow::{Result, anyhow, bail};
use clap::{Args, ValueEnum};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

/// How corpora are read.
#[derive(Args)]
pub struct ReadFlags {
    /// What the numbers 0, 1, ... mean as labels of the data, such as `entailment,not_entailment`
    #[arg(long, value_name = "ORDER", help_heading = "Reading")]
    data_labels: Option<String>,
    /// Name of the column or field of the premise, hypothesis, label or id, such as `premise=passage`
    #[arg(long, value_name = "FIELD=NAME", help_heading = "Reading")]
    column: Vec<String>,
    /// Leave out and count rows that cannot be read, instead of stopping at the first
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

impl ReadFlags {
    /// The options that the flags stand for.
    pub fn options(&self) -> Result<ReadOptions> {
        let mut columns = ColumnNames::default();
        for column in &self.column {
            columns.set(column).map_err(|message| anyhow!("--column: {message}"))?;
        }
        let labels = match &self.data_labels {
            Some(order) => LabelNames::from_order(order).map_err(|error| anyhow!("--data-labels: {error}"))?,
            None => LabelNames::default(),
        };
        let bad_rows = if self.skip_bad_rows { BadRows::Skip } else { BadRows::Refuse };
        let ids = match self.ids {
            Ids::Unique => IdSource::File,
            Ids::Content => IdSource::Content,
        };
        Ok(ReadOptions { labels, columns, bad_rows, keys_allowed: false, ids })
    }
}

/// How many threads work.
#[derive(Args)]
pub struct ThreadFlags {
    /// Number of threads [default: all cores]
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,
}

impl ThreadFlags {
    /// The threads of the run.
    pub fn threads(&self) -> Result<Threads> {
        Ok(self.threads.map_or_else(Threads::all_cores, Threads::new)?)
    }
}

/// The files that the given paths stand for.
pub fn files(paths: &[PathBuf]) -> Result<Vec<InputFile>> {
    Ok(resolve(paths)?)
}

/// Refuses an output that is one of the inputs, or a file in the folder of a trained model among them.
pub fn refuse_same(inputs: &[PathBuf], output: &Path) -> Result<()> {
    let parent = output.parent().map(|parent| if parent.as_os_str().is_empty() { Path::new(".") } else { parent });
    for input in inputs {
        if same_place(input, output) {
            bail!("{}: is both read and written (expected another name for the output)", input.display());
        }
        if is_trained_model(input) && parent.is_some_and(|parent| same_place(input, parent)) {
            bail!("{}: lies in the folder of a trained model (expected another place for the output)", output.display());
        }
    }
    Ok(())
}

/// Says on standard error how many rows were left out.
pub fn tell_skipped(skipped: u64) {
    match skipped {
        0 => {}
        1 => eprintln!("1 row could not be read and was left out"),
        _ => eprintln!("{skipped} rows could not be read and were left out"),
    }
}

/// What is said of rows that are longer than what a model reads; nothing if there are none.
pub fn cut_short(model: &str, rows: usize) -> Option<String> {
    let rows = match rows {
        0 => return None,
        1 => "1 row is".to_string(),
        _ => format!("{rows} rows are"),
    };
    Some(format!("{model}: {rows} longer than what it reads of a sentence, and judged by the beginning."))
}
