//! Reads corpora of any format in blocks.

use crate::CorpusError;
use crate::block::Block;
use crate::class_names::ClassNames;
use crate::field::ColumnNames;
use crate::input::InputFile;
use crate::layouts::{self, CorpusFile};
use crate::source::{BlockSource, FinishedFile};
use acidtest_nli::LabelNames;
use std::collections::VecDeque;
use std::num::NonZeroUsize;
use std::sync::Arc;

/// How to read a corpus.
#[derive(Debug, Clone, Default)]
pub struct ReadOptions {
    /// The meaning of numbered labels.
    pub labels: LabelNames,
    /// The user's names for columns.
    pub columns: ColumnNames,
    /// How rows that cannot be read are handled.
    pub bad_rows: BadRows,
    /// Whether rows with an id and a label but no text (a gold key) are accepted.
    pub keys_allowed: bool,
    /// Whether texts without a hypothesis (word problems, lines of plain text) are accepted.
    pub passages: Passages,
    /// Where the ids of rows come from.
    pub ids: IdSource,
    /// How unlabelled rows are handled.
    pub unlabelled: Unlabelled,
    /// How many examples a caller that loads the corpus keeps, from the first; the reader itself reads all.
    pub limit: Option<NonZeroUsize>,
}

impl ReadOptions {
    /// The same for data that names its numbered labels, unless the user gave their meaning.
    pub(crate) fn with_class_names(options: &Arc<Self>, found: Option<ClassNames>) -> Arc<Self> {
        let Some(ClassNames { names, source }) = found else { return Arc::clone(options) };
        Arc::new(ReadOptions { labels: options.labels.clone().with_names(&names, &source), ..ReadOptions::clone(options) })
    }
}

/// Where the ids of rows come from.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum IdSource {
    /// From the file; rows without an id get one from their content.
    #[default]
    File,
    /// From the content of each row, whatever the file says.
    Content,
}

/// How rows that cannot be read are handled.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum BadRows {
    /// The first one is an error.
    #[default]
    Refuse,
    /// They are skipped and counted.
    Skip,
}

/// How texts without a hypothesis are handled.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Passages {
    /// The first one is an error.
    #[default]
    Refuse,
    /// Each is an example with an empty hypothesis and the tag [`acidtest_nli::tag::PASSAGE`].
    Accept,
}

/// How unlabelled rows are handled.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Unlabelled {
    /// They are read like all others.
    #[default]
    Keep,
    /// They are skipped and counted.
    Drop,
}

/// Reads the files of a corpus in blocks, one after another.
pub struct Reader {
    all: Vec<InputFile>,
    files: VecDeque<InputFile>,
    options: Arc<ReadOptions>,
    current: Option<OpenCorpus>,
    finished: Vec<FinishedFile>,
}

struct OpenCorpus {
    name: Arc<str>,
    number: usize,
    file: Box<dyn CorpusFile>,
    /// How its rows are parsed.
    options: Arc<ReadOptions>,
    has_rows: bool,
}

impl Reader {
    /// A reader of these files.
    pub fn new(files: Vec<InputFile>, options: ReadOptions) -> Self {
        Reader { all: files.clone(), files: files.into(), options: Arc::new(options), current: None, finished: Vec::new() }
    }
}

impl BlockSource for Reader {
    fn next_block(&mut self) -> Result<Option<Block>, CorpusError> {
        loop {
            let Some(current) = &mut self.current else {
                let Some(file) = self.files.pop_front() else { return Ok(None) };
                let (name, number) = (file.name().into(), self.finished.len());
                let (file, options) = layouts::open(&file, &self.options)?;
                self.current = Some(OpenCorpus { name, number, file, options, has_rows: false });
                continue;
            };
            if let Some(content) = current.file.next()? {
                current.has_rows = true;
                return Ok(Some(Block {
                    path: Arc::clone(&current.name),
                    file: current.number,
                    options: Arc::clone(&current.options),
                    content,
                    duplicates: Vec::new(),
                }));
            }
            if !current.has_rows {
                return Err(CorpusError::Empty { path: current.name.to_string() });
            }
            let (hash, notes) = (current.file.content_hash(), current.file.notes());
            let label_names = current.file.label_names().or_else(|| current.options.labels.named());
            self.finished.push(FinishedFile { name: current.name.to_string(), hash, notes, label_names });
            self.current = None;
        }
    }

    fn finished(&self) -> &[FinishedFile] {
        &self.finished
    }

    fn again(&self) -> Option<Box<dyn BlockSource>> {
        let repeatable = self.all.iter().all(InputFile::can_be_read_again);
        repeatable.then(|| Box::new(Reader::new(self.all.clone(), (*self.options).clone())) as Box<dyn BlockSource>)
    }
}
