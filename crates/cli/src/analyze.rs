//! `acidtest analyze`: what the analysis of English sees in text.

use crate::flags::ThreadFlags;
use crate::options::refuse_same;
use acidtest_corpus::{InputFile, TextUnit};
use acidtest_experiment::{AnalysisForm, analyze_text};
use acidtest_files::Output;
use anyhow::{Result, bail};
use clap::{Args, ValueEnum};
use std::path::{Path, PathBuf};

/// Show sentences, words, tags, parses, names and numbers of English text
///
/// Every line is a text of its own, and is answered as soon as it is there. Places are counted in characters, words from 1.
#[derive(Args)]
pub(crate) struct Analyze {
    /// Files of text, also with gzip or zstd; without any, or as `-`, standard input
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
    /// How the analysis is shown
    #[arg(long, value_enum, default_value_t = Form::Table)]
    format: Form,
    /// What is analysed together
    #[arg(long, value_enum, default_value_t = By::Line)]
    by: By,
    /// File for the analysis [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    threads: ThreadFlags,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Form {
    /// Aligned text for people
    Table,
    /// CoNLL-U, the tables of Universal Dependencies
    Conllu,
    /// One JSON object for each text (docs/analyze.md)
    Json,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum By {
    /// Each line stands for itself
    Line,
    /// Lines up to a blank one stand together
    Paragraph,
}

impl From<Form> for AnalysisForm {
    fn from(form: Form) -> Self {
        match form {
            Form::Table => AnalysisForm::Table,
            Form::Conllu => AnalysisForm::Conllu,
            Form::Json => AnalysisForm::Json,
        }
    }
}

impl Analyze {
    /// Analyses and shows.
    pub(crate) fn run(self) -> Result<()> {
        if let Some(folder) = self.files.iter().find(|path| path.is_dir()) {
            bail!("{}: is a folder (expected files of text)", folder.display());
        }
        let path = self.output.as_deref().unwrap_or(Path::new("-"));
        refuse_same(&self.files, path)?;
        let mut files: Vec<InputFile> = self.files.iter().map(InputFile::new).collect();
        if files.is_empty() {
            files.push(InputFile::new("-"));
        }
        let unit = match self.by {
            By::Line => TextUnit::Line,
            By::Paragraph => TextUnit::Paragraph,
        };
        let mut output = Output::create(path)?;
        analyze_text(files, unit, self.format.into(), &mut output, &self.threads.threads()?)?;
        Ok(output.finish()?)
    }
}
