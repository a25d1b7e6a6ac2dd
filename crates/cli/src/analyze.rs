//! `acidtest analyze`: parses English text.

use crate::flags::ThreadFlags;
use crate::options::refuse_same;
use acidtest_corpus::{InputFile, TextUnit};
use acidtest_experiment::{AnalysisForm, analyze_text};
use acidtest_files::Output;
use anyhow::{Result, bail};
use clap::{Args, ValueEnum};
use std::path::{Path, PathBuf};

/// Parse English sentences
#[derive(Args)]
#[command(long_about = include_str!("help/analyze.txt"), after_long_help = include_str!("examples/analyze.txt"))]
pub(crate) struct Analyze {
    /// Text files, optionally compressed with gzip or zstd [default: standard input]
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Output format
    #[arg(long, value_enum, default_value_t = Form::Table)]
    format: Form,
    /// What counts as one text
    #[arg(long, value_enum, value_name = "UNIT", default_value_t = By::Line)]
    by: By,
    /// Write to this file [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    threads: ThreadFlags,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Form {
    /// Tables for reading
    Table,
    /// CoNLL-U, the format of Universal Dependencies
    Conllu,
    /// One JSON object per text (docs/analyze.md)
    Json,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum By {
    /// Every line
    Line,
    /// A block of lines that ends at a blank line
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
    pub(crate) fn run(self) -> Result<()> {
        if let Some(folder) = self.files.iter().find(|path| path.is_dir()) {
            bail!("{}: is a folder; expected a text file", folder.display());
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
        let note = analyze_text(files, unit, self.format.into(), &mut output, &self.threads.threads()?)?;
        output.finish()?;
        note.iter().for_each(|note| eprintln!("{note}"));
        Ok(())
    }
}
