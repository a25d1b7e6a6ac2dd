//! Showing reports: on a terminal, or in a format for programs.

use acidtest_evaluate::report::Report;
use acidtest_evaluate::report::terminal::{Letters, TerminalOptions, TerminalStyle};
use acidtest_experiment::spec::{ReportFormat, ReportSections, ReportSpec};
pub(crate) use acidtest_experiment::visible;
pub(crate) use acidtest_nli::{counted, grouped};
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
    /// Print only this section, named as in the JSON report, such as `sets` or `comparison`; may be repeated
    #[arg(long, value_name = "SECTION", help_heading = "Report")]
    table: Vec<String>,
    /// Write the report to this file [default: standard output]
    #[arg(short, long, value_name = "FILE", help_heading = "Report")]
    output: Option<PathBuf>,
}

/// The format of a report on standard output, for verbs whose `--output` is another file.
#[derive(Args)]
pub(crate) struct FormatFlag {
    /// Format of the report
    #[arg(long, value_enum, default_value_t = ReportForm::Terminal, help_heading = "Report")]
    format: ReportForm,
}

impl FormatFlag {
    /// Shows the report in a file, with all its sections.
    pub(crate) fn to_file(&self, output: Option<PathBuf>) -> ShowFlags {
        ShowFlags { format: self.format, output, details: true, table: Vec::new() }
    }

    pub(crate) fn show(&self, report: &Report) -> Result<()> {
        ShowFlags { format: self.format, output: None, details: true, table: Vec::new() }.show(report)
    }
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ReportForm {
    /// Text for reading in a terminal
    Terminal,
    /// For programs, see docs/report-schema.md; `acidtest report` converts it to the other formats
    Json,
    /// One value per line, for spreadsheets
    Csv,
    /// Tables for a web page or an issue
    Markdown,
    /// Booktabs tables for a paper
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

impl ShowFlags {
    /// The file of the report, if it is not printed on standard output.
    pub(crate) fn output(&self) -> Option<&Path> {
        self.output.as_deref()
    }

    pub(crate) fn spec(&self) -> ReportSpec {
        ReportSpec {
            format: self.format.into(),
            sections: if self.details { ReportSections::All } else { ReportSections::Main },
            tables: self.table.clone(),
            output: self.output.clone(),
            ..ReportSpec::default()
        }
    }

    /// Shows the report, with all its sections.
    pub(crate) fn show(&self, report: &Report) -> Result<()> {
        print_text(self.spec().resolve()?.write(report, screen(self.output()))?)
    }
}

/// The layout of text: for the terminal if there is one, in 80 columns otherwise.
pub(crate) fn screen(output: Option<&Path>) -> TerminalOptions {
    let plain = TerminalOptions::default();
    if output.is_some() {
        return plain;
    }
    let letters = locale_letters(|name| std::env::var(name).ok());
    if !std::io::stdout().is_terminal() {
        return TerminalOptions { letters, ..plain };
    }
    let is_coloured = std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
    let style = if is_coloured { TerminalStyle::Coloured } else { TerminalStyle::Plain };
    let width = terminal_size::terminal_size().map_or(plain.width, |(width, _)| usize::from(width.0));
    TerminalOptions { width, style, letters }
}

/// The characters that the locale can show: the first of the three variables that is set names its encoding. If none is set, UTF-8 is assumed.
fn locale_letters(variable: impl Fn(&str) -> Option<String>) -> Letters {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().filter_map(variable).find(|value| !value.is_empty());
    let is_utf8 = |locale: String| {
        let locale = locale.to_ascii_lowercase();
        locale.contains("utf-8") || locale.contains("utf8")
    };
    if locale.is_none_or(is_utf8) { Letters::Unicode } else { Letters::Ascii }
}

/// Prints a report that did not go to a file.
pub(crate) fn print_text(text: Option<String>) -> Result<()> {
    text.map_or(Ok(()), |text| print_all(&text))
}

/// Prints to standard output. A closed pipe (`| head`) is not an error, and the remaining work continues.
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

/// Whether the reader of standard output closed the pipe.
pub(crate) fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        let io = cause.downcast_ref::<std::io::Error>();
        io.is_some_and(|io| io.kind() == std::io::ErrorKind::BrokenPipe)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_variable_of_the_locale_that_is_set_decides() {
        let letters = |set: &[(&str, &str)]| {
            let value = |name: &str| set.iter().find(|(known, _)| *known == name).map(|(_, value)| value.to_string());
            locale_letters(value)
        };
        assert_eq!(letters(&[("LANG", "en_GB.UTF-8")]), Letters::Unicode);
        assert_eq!(letters(&[("LC_ALL", "C"), ("LANG", "en_GB.UTF-8")]), Letters::Ascii);
        assert_eq!(letters(&[("LC_ALL", ""), ("LC_CTYPE", "C.utf8"), ("LANG", "C")]), Letters::Unicode);
        assert_eq!(letters(&[("LANG", "de_DE.ISO-8859-1")]), Letters::Ascii);
        assert_eq!(letters(&[]), Letters::Unicode);
    }
}
