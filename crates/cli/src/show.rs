//! Showing reports: on a terminal, or in a format for programs.

use acidtest_evaluate::report::Report;
use acidtest_evaluate::report::terminal::TerminalStyle;
use acidtest_experiment::Screen;
use acidtest_experiment::spec::{ReportFormat, ReportSections, ReportSpec};
pub(crate) use acidtest_experiment::visible;
use anyhow::{Context, Result};
use clap::{Args, ValueEnum};
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};

/// How a report is shown.
#[derive(Args)]
pub(crate) struct ShowFlags {
    /// Format of the report
    #[arg(long, value_enum, default_value_t = ReportForm::Terminal, help_heading = "Report")]
    format: ReportForm,
    /// Print every section, not only the main ones
    #[arg(long, help_heading = "Report")]
    details: bool,
    /// Write the report to this file [default: standard output]
    #[arg(short, long, value_name = "FILE", help_heading = "Report")]
    output: Option<PathBuf>,
}

/// How a report on standard output is shown, for verbs whose output file is another.
#[derive(Args)]
pub(crate) struct FormatFlag {
    /// Format of the report
    #[arg(long, value_enum, default_value_t = ReportForm::Terminal, help_heading = "Report")]
    format: ReportForm,
}

impl FormatFlag {
    pub(crate) fn show(&self, report: &Report) -> Result<()> {
        ShowFlags { format: self.format, output: None, details: true }.show(report)
    }
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ReportForm {
    /// Text for reading
    Terminal,
    /// JSON (docs/report-schema.md), which `acidtest report` renders again
    Json,
    /// One value per line
    Csv,
    /// Tables for a web page or an issue
    Markdown,
    /// Tables for a paper (booktabs)
    Latex,
}

impl From<ReportForm> for ReportFormat {
    fn from(shown: ReportForm) -> Self {
        match shown {
            ReportForm::Terminal => ReportFormat::Terminal,
            ReportForm::Json => ReportFormat::Json,
            ReportForm::Csv => ReportFormat::Csv,
            ReportForm::Markdown => ReportFormat::Markdown,
            ReportForm::Latex => ReportFormat::Latex,
        }
    }
}

/// Widths to fall back on where there is no terminal to ask.
const PLAIN_WIDTH: usize = 120;

impl ShowFlags {
    /// Where the report goes, if not to standard output.
    pub(crate) fn output(&self) -> Option<&Path> {
        self.output.as_deref()
    }

    pub(crate) fn spec(&self) -> ReportSpec {
        ReportSpec {
            format: self.format.into(),
            sections: if self.details { ReportSections::All } else { ReportSections::Main },
            output: self.output.clone(),
            ..ReportSpec::default()
        }
    }

    /// Shows the report, with all its sections.
    pub(crate) fn show(&self, report: &Report) -> Result<()> {
        print_text(self.spec().resolve()?.write(report, screen(self.output()))?)
    }
}

/// How text is laid out: for the terminal where it is shown on one.
pub(crate) fn screen(output: Option<&Path>) -> Screen {
    let on_terminal = output.is_none() && std::io::stdout().is_terminal();
    let style = if on_terminal && std::env::var_os("NO_COLOR").is_none() { TerminalStyle::Coloured } else { TerminalStyle::Plain };
    let width = if on_terminal { terminal_size::terminal_size().map(|(width, _)| usize::from(width.0)) } else { None };
    Screen { width: width.unwrap_or(PLAIN_WIDTH), style }
}

/// Prints a report that did not go to a file.
pub(crate) fn print_text(text: Option<String>) -> Result<()> {
    text.map_or(Ok(()), |text| print_all(&text))
}

/// Prints to standard output; a reader that has seen enough (`| head`) is no failure, and what else is to be done goes on.
pub(crate) fn print_all(text: &str) -> Result<()> {
    match acidtest_files::standard_output().and_then(|mut stdout| stdout.write_all(text.as_bytes())) {
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

/// Whether standard output was closed by its reader.
pub(crate) fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        let io = cause.downcast_ref::<std::io::Error>();
        io.is_some_and(|io| io.kind() == std::io::ErrorKind::BrokenPipe)
    })
}
