//! `acidtest analyze`: what the analysis of English sees in text.

mod table;

use crate::flags::ThreadFlags;
use crate::options::refuse_same;
use acidtest_corpus::{CorpusError, InputFile, LONGEST_PIECE_KB, TextBlock, TextReader, TextUnit};
use acidtest_experiment::{TextView, write_conllu};
use acidtest_files::Output;
use acidtest_lingua::analyzer::Analyzer;
use acidtest_threads::in_order;
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

/// A block that was analysed: what is to be written, and the error that comes after it.
struct AnalysedBlock {
    text: String,
    error: Option<CorpusError>,
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
        output.finish()?;
        if reader.cut() > 0 {
            let lines = if reader.cut() == 1 { "1 text was".to_string() } else { format!("{} texts were", reader.cut()) };
            eprintln!("{lines} longer than {LONGEST_PIECE_KB} KB, and analysed in pieces");
        }
        Ok(())
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
            let view = TextView::new(block.path(), piece.line, piece.piece, &document);
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
