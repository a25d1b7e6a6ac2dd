//! `acidtest analyze`: what the analysis of English sees in text.

mod table;

use crate::flags::ThreadFlags;
use crate::options::refuse_same;
use acidtest_corpus::{CorpusError, InputFile, TextBlock, TextReader, TextUnit};
use acidtest_experiment::{TextView, write_conllu};
use acidtest_files::Output;
use acidtest_lingua::analyzer::Analyzer;
use acidtest_threads::in_order;
use anyhow::{Result, bail};
use clap::{Args, ValueEnum};
use std::path::{Path, PathBuf};

/// Parse English sentences
///
/// You get words, part-of-speech tags, lemmas, dependencies, clauses, names and numbers of every line, as soon as it is read. Positions are in characters; words count
/// from 1.
#[derive(Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Analyze {
    /// Text files, also compressed with gzip or zstd [default: standard input]
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Output format
    #[arg(long, value_enum, default_value_t = Form::Table)]
    format: Form,
    /// What is one text
    #[arg(long, value_enum, default_value_t = By::Line)]
    by: By,
    /// Write to this file [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    threads: ThreadFlags,
}

const EXAMPLES: &str = "Examples:
  echo 'The old man saw two dogs.' | acidtest analyze
  acidtest analyze sentences.txt --format conllu -o sentences.conllu";

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
    /// The lines up to a blank one
    Paragraph,
}

/// A block that was analysed: what is to be written, and the error that comes after it.
struct AnalysedBlock {
    text: String,
    error: Option<CorpusError>,
}

impl Analyze {
    /// Analyses and shows.
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
        let mut reader = TextReader::new(files, unit);
        let mut output = Output::create(path)?;
        in_order(
            &self.threads.threads()?,
            || reader.next_block(),
            |block| Ok(self.analysed(&block)),
            |done| {
                output.write(done.text.as_bytes())?;
                done.error.map_or(Ok(()), Err)
            },
        )?;
        Ok(output.finish()?)
    }

    fn analysed(&self, block: &TextBlock) -> AnalysedBlock {
        let several = self.files.len() > 1;
        let (pieces, error) = block.pieces();
        let mut text = String::new();
        if pieces.is_empty() {
            return AnalysedBlock { text, error };
        }
        let texts: Vec<&str> = pieces.iter().map(|piece| piece.text).collect();
        for (piece, document) in pieces.iter().zip(Analyzer::shared().analyze_all(&texts)) {
            let view = TextView::new(block.path(), piece.line, &document);
            match self.format {
                Form::Table => table::write(&view, several.then_some(block.path()), &mut text),
                Form::Conllu => write_conllu(&view, several.then_some(block.file() + 1), &mut text),
                Form::Json => {
                    // Numbers that are not finite are null, and nothing else can go wrong.
                    text.push_str(&serde_json::to_string(&view).unwrap_or_default());
                    text.push('\n');
                }
            }
        }
        AnalysedBlock { text, error }
    }
}
