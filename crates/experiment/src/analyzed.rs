//! The analysis of English text as a table, as CoNLL-U, or as JSON.

mod conllu;
mod table;
mod view;

pub use view::{ClauseView, ConstituentView, ModifierView, NameView, NumberView, PhraseView, SentenceView, TextView, WordView};

use crate::error::Error;
use acidtest_corpus::{CorpusError, InputFile, LONGEST_PIECE_KB, TextBlock, TextReader, TextUnit};
use acidtest_files::Output;
use acidtest_lingua::analyzer::Analyzer;
use acidtest_threads::{Threads, in_order};

/// The format of an analysis.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AnalysisForm {
    /// Aligned text.
    Table,
    /// CoNLL-U, the format of Universal Dependencies.
    Conllu,
    /// One JSON object per text.
    Json,
}

/// An analysed block: the output, and the error that follows it.
struct AnalysedBlock {
    text: String,
    error: Option<CorpusError>,
}

/// Analyses files of text, and writes the analyses in order, block by block. Returns a note if texts were cut into
/// pieces because they are too long.
pub fn analyze_text(
    files: Vec<InputFile>,
    unit: TextUnit,
    form: AnalysisForm,
    output: &mut Output,
    threads: &Threads,
) -> Result<Option<String>, Error> {
    let several = files.len() > 1;
    let mut reader = TextReader::new(files, unit);
    in_order(
        threads,
        || reader.next_block(),
        |block| Ok(analysed(&block, form, several)),
        |done| {
            output.write(done.text.as_bytes())?;
            done.error.map_or(Ok(()), Err)
        },
    )?;
    let texts = match reader.cut() {
        0 => return Ok(None),
        1 => "1 text was".to_string(),
        cut => format!("{cut} texts were"),
    };
    Ok(Some(format!("{texts} longer than {LONGEST_PIECE_KB} KB and analysed in pieces")))
}

/// The analysis of one text as a table.
pub(crate) fn analysis_table(text: &str) -> String {
    let mut out = String::new();
    for document in Analyzer::shared().analyze_all(&[text]) {
        table::write(&TextView::new("", 1, None, &document), None, &mut out);
    }
    out
}

fn analysed(block: &TextBlock, form: AnalysisForm, several: bool) -> AnalysedBlock {
    let (pieces, error) = block.pieces();
    let mut text = String::new();
    if pieces.is_empty() {
        return AnalysedBlock { text, error };
    }
    let texts: Vec<&str> = pieces.iter().map(|piece| piece.text).collect();
    for (piece, document) in pieces.iter().zip(Analyzer::shared().analyze_all(&texts)) {
        let view = TextView::new(block.path(), piece.line, piece.piece, &document);
        match form {
            AnalysisForm::Table => table::write(&view, several.then_some(block.path()), &mut text),
            AnalysisForm::Conllu => conllu::write(&view, several.then_some(block.file() + 1), &mut text),
            AnalysisForm::Json => {
                // Serialisation only fails for non-finite numbers, which are written as null.
                text.push_str(&serde_json::to_string(&view).unwrap_or_default());
                text.push('\n');
            }
        }
    }
    AnalysedBlock { text, error }
}
