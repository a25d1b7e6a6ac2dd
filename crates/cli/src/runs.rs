//! `acidtest runs`: how far runs of one model differ, from a table of their results.

use crate::show::{ShowFlags, inputs, provenance};
use acidtest_corpus::{FileRead, InputFile, read_result_table};
use acidtest_evaluate::analysis::runs::RunTable;
use acidtest_evaluate::report::Report;
use anyhow::Result;
use clap::Args;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Show how far runs of one model differ, from a table with one run a line and one accuracy a column
///
/// For runs whose predictions are at hand, `acidtest compare --runs` says more.
#[derive(Args)]
pub(crate) struct Runs {
    /// Comma separated table with a header; the first column names the run
    #[arg(value_name = "TABLE.csv")]
    table: PathBuf,
    /// Read only columns whose names begin so, such as `ln_,sn_,cn_`
    #[arg(long, value_name = "PREFIX[,PREFIX]", value_delimiter = ',')]
    columns: Vec<String>,
    /// What a column stands for
    #[arg(long, value_name = "NAME", default_value = "subcase")]
    title: String,
    #[command(flatten)]
    show: ShowFlags,
}

impl Runs {
    /// Reads and shows.
    pub(crate) fn run(self) -> Result<()> {
        let file = InputFile::new(&self.table);
        let table = read_result_table(&file, &self.columns)?;
        if !table.left_out.is_empty() {
            eprintln!("{} lines are no runs: {}", table.left_out.len(), table.left_out.join(", "));
        }
        let source = FileRead { name: file.name(), hash: table.hash, rows: table.runs.len() as u64 };
        let found = RunTable { column_title: self.title, runs: table.runs, columns: table.columns, accuracies: table.accuracies };
        let report = Report::new(
            format!("Runs of {}", file.name()),
            provenance(inputs("results", &[source]), BTreeMap::new(), BTreeMap::new()),
            vec![found.section()?],
        );
        self.show.show(&report)
    }
}
