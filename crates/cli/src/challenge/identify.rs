//! `acidtest challenge identify`: recovers the annotation of HANS pairs.

use crate::flags::{DataFlags, ThreadFlags};
use crate::progress::Terminal;
use crate::show::FormatFlag;
use acidtest_challenge::Mode;
use acidtest_challenge::hans::{HansSettings, Identifier};
use acidtest_corpus::Format;
use acidtest_experiment::{Destination, IdentifyRequest, identify};
use anyhow::Result;
use clap::Args;
use std::path::PathBuf;

/// Recover heuristic, subcase, template and parses of HANS pairs
#[derive(Args)]
#[command(long_about = include_str!("../help/challenge-identify.txt"), after_long_help = include_str!("../examples/challenge-identify.txt"))]
pub(super) struct Identify {
    /// Corpora: files, folders, or `-` for standard input
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Write the annotated pairs to this file; with `-`, they are printed instead of the report
    #[arg(short, long, value_name = "OUT")]
    output: Option<PathBuf>,
    /// Grammar that generated the pairs (see docs/grammar.md) [default: that of HANS]
    #[arg(long, value_name = "FILE")]
    grammar: Option<PathBuf>,
    /// Format of the output (see `acidtest list formats`) [default: by file extension (.txt is HANS text), else acidtest]
    #[arg(long, value_name = "FORMAT", requires = "output")]
    to: Option<String>,
    #[command(flatten)]
    threads: ThreadFlags,
    #[command(flatten)]
    read: DataFlags,
    #[command(flatten)]
    format: FormatFlag,
}

impl Identify {
    pub(super) fn run(self) -> Result<()> {
        self.grammar.iter().for_each(|grammar| acidtest_files::note_read(grammar));
        let grammar = HansSettings { grammar: self.grammar, ..HansSettings::default() }.read_grammar()?;
        let sets = [grammar.set_up(Mode::AsPublished)?, grammar.set_up(Mode::Clean)?];
        let format = match &self.output {
            Some(output) => Destination::with_own_text(output, self.to.as_deref(), Some(Format::HANS.name()))?.format,
            None => Format::ACIDTEST,
        };
        let terminal = Terminal::new();
        let session = self.threads.session(&terminal)?;
        let request = IdentifyRequest {
            identifier: &Identifier::new(&sets),
            data: self.read.spec(&self.files)?.resolve_text()?,
            output: self.output.clone(),
            format,
        };
        let (found, report) = identify(request, &sets[0], &session)?;
        drop(terminal);
        if self.output.as_ref().is_some_and(|output| output.as_os_str() == "-") {
            let (unique, ambiguous) = (found.unique_rows(), found.ambiguous_rows());
            eprintln!("{} pairs: {unique} with one reading, {ambiguous} with several, {} not recognised", found.rows, found.unrecognised);
            return Ok(());
        }
        self.format.show(&report)
    }
}
