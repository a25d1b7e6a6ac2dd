//! Showing reports: on a terminal, or in a format for programs.

use acidtest_corpus::FileRead;
use acidtest_evaluate::report::terminal::TerminalStyle;
use acidtest_evaluate::report::{Provenance, Report, ReportInput, SectionId, csv, json, latex, markdown, terminal};
use anyhow::{Context, Result};
use clap::{Args, ValueEnum};
use std::collections::BTreeMap;
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};

/// How a report is shown.
#[derive(Args)]
pub(crate) struct ShowFlags {
    /// How the report is shown
    #[arg(long, value_enum, default_value_t = ReportForm::Terminal, help_heading = "Report")]
    format: ReportForm,
    /// Show every section as text, not only the main ones
    #[arg(long, help_heading = "Report")]
    details: bool,
    /// File for the report [default: standard output]
    #[arg(short, long, value_name = "FILE", help_heading = "Report")]
    output: Option<PathBuf>,
}

/// How a report on standard output is shown, for verbs whose output file is another.
#[derive(Args)]
pub(crate) struct FormatFlag {
    /// How the report is shown
    #[arg(long, value_enum, default_value_t = ReportForm::Terminal, help_heading = "Report")]
    format: ReportForm,
}

impl FormatFlag {
    /// Shows the report.
    pub(crate) fn show(&self, report: &Report) -> Result<()> {
        ShowFlags { format: self.format, output: None, details: true }.show(report)
    }
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ReportForm {
    /// Aligned text
    Terminal,
    /// The documented JSON form
    Json,
    /// One value a line
    Csv,
    /// Tables for a page or an issue
    Markdown,
    /// Tables for a paper (booktabs)
    Latex,
}

/// Widths to fall back on where there is no terminal to ask.
const PLAIN_WIDTH: usize = 120;

impl ShowFlags {
    /// Where the report goes, if not to standard output.
    pub(crate) fn output(&self) -> Option<&Path> {
        self.output.as_deref()
    }

    /// Shows the report; as text without the sections that are details, unless all were asked for.
    pub(crate) fn show_main(&self, report: &Report, is_detail: impl Fn(&SectionId) -> bool) -> Result<()> {
        if self.details || self.format != ReportForm::Terminal {
            return self.show(report);
        }
        let mut short = report.clone();
        short.sections.retain(|section| !is_detail(&section.id));
        self.show(&short)
    }

    /// Shows the report.
    pub(crate) fn show(&self, report: &Report) -> Result<()> {
        let text = match self.format {
            ReportForm::Terminal => {
                let on_terminal = self.output.is_none() && std::io::stdout().is_terminal();
                let style =
                    if on_terminal && std::env::var_os("NO_COLOR").is_none() { TerminalStyle::Coloured } else { TerminalStyle::Plain };
                let width = if on_terminal { terminal_size::terminal_size().map(|(width, _)| usize::from(width.0)) } else { None };
                terminal::render(report, width.unwrap_or(PLAIN_WIDTH), style)
            }
            ReportForm::Json => json::render(report),
            ReportForm::Csv => csv::render(report),
            ReportForm::Markdown => markdown::render(report),
            ReportForm::Latex => latex::render(report),
        };
        match &self.output {
            Some(path) => acidtest_files::write_file(path, text.as_bytes())?,
            None => print_all(&text)?,
        }
        Ok(())
    }
}

/// Prints to standard output; a reader that has seen enough (`| head`) is no failure, and what else is to be done goes on.
pub(crate) fn print_all(text: &str) -> Result<()> {
    match std::io::stdout().write_all(text.as_bytes()) {
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Ok(()),
        result => result.context("standard output: cannot be written"),
    }
}

/// The command as it was given.
pub(crate) fn command() -> String {
    let quoted = |word: String| {
        let plain = !word.is_empty() && !word.contains(|c: char| c.is_whitespace() || "'\"$*?;&|<>()`\\".contains(c));
        if plain { word } else { format!("'{}'", word.replace('\'', "'\\''")) }
    };
    let words: Vec<String> = std::env::args_os().skip(1).map(|word| quoted(word.to_string_lossy().into_owned())).collect();
    format!("acidtest {}", words.join(" "))
}

/// Where a report comes from.
pub(crate) fn provenance(inputs: Vec<ReportInput>, seeds: BTreeMap<String, u64>, options: BTreeMap<String, String>) -> Provenance {
    Provenance { tool_version: env!("CARGO_PKG_VERSION").to_string(), command: command(), seeds, inputs, options }
}

/// Files that were read, as inputs of a report.
pub(crate) fn inputs(role: &str, files: &[FileRead]) -> Vec<ReportInput> {
    let input =
        |file: &FileRead| ReportInput { role: role.to_string(), path: file.name.clone(), rows: file.rows, hash: file.hash.to_string() };
    files.iter().map(input).collect()
}

/// Whether standard output was closed by its reader.
pub(crate) fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        let io = cause.downcast_ref::<std::io::Error>();
        io.is_some_and(|io| io.kind() == std::io::ErrorKind::BrokenPipe)
    })
}
