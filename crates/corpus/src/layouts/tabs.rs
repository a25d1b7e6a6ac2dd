//! Tab separated text without quoting: MultiNLI, SNLI, GLUE, HANS, SICK. Its header is that of every table. Text that is quoted as in comma separated
//! files is told by its content.

use super::parts::Parts;
use super::{CorpusFile, Layout, TextFile};
use crate::block::Content;
use crate::blocks::LineBlock;
use crate::field::{Field, LONGEST_LIST, tag_of_column};
use crate::{CorpusError, ReadOptions, RowProblem};
use acidtest_files::ContentHash;
use acidtest_nli::{Example, LooseLabels};
use std::borrow::Cow;
use std::sync::Arc;

pub(super) const LAYOUT: Layout = Layout::Text {
    recognises: |first, options| {
        // A name in the header of a comma separated file may have a tab in it.
        first.split_once('\t').is_some_and(|(name, _)| !(name.contains(',') && Header::is_header(name, ',', options)))
    },
    open: |mut text, opening| {
        let dialect = Dialect::of(&text);
        if dialect == Dialect::Quoted {
            return super::commas::open_quoted(text, opening, b'\t');
        }
        let header = Header::new(text.text.split('\t'), opening.options);
        let header = Arc::new(header.map_err(|problem| opening.error(text.line, problem))?);
        if let Some(first) = &mut text.first {
            first.drop_first_line();
        }
        Ok(Box::new(Tabs { text, header, dialect }))
    },
};

/// What quotation marks are in a tab separated file, as far as its first lines tell.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Dialect {
    /// No cell begins with one.
    NoMarks,
    /// Characters as all others.
    Plain,
    /// They quote cells.
    Quoted,
}

impl Dialect {
    fn of(text: &TextFile) -> Self {
        if is_quoted(text) {
            return Dialect::Quoted;
        }
        let mut lines = text.first.iter().flat_map(LineBlock::texts);
        let marks = lines.any(|(_, line)| line.split('\t').any(|cell| cell.starts_with('"')));
        if marks { Dialect::Plain } else { Dialect::NoMarks }
    }
}

/// Whether quotation marks quote cells: all cells of the first lines that begin with one are quoted as programs that write tables do it, and one of them
/// has a doubled mark within, or all names of the header are quoted. Sentences that only happen to begin with a mark are not like that.
fn is_quoted(text: &TextFile) -> bool {
    let within = |cell: &str| Some(cell.strip_prefix('"')?.strip_suffix('"')?.to_string());
    if text.text.split('\t').all(|name| within(name).is_some()) {
        return true;
    }
    let mut doubled = false;
    let lines = text.first.iter().flat_map(LineBlock::texts);
    for cell in lines.flat_map(|(_, line)| line.split('\t')).filter(|cell| cell.starts_with('"')) {
        let Some(inner) = within(cell).filter(|inner| !inner.replace("\"\"", "").contains('"')) else { return false };
        doubled |= inner.contains("\"\"");
    }
    doubled
}

struct Tabs {
    text: TextFile,
    header: Arc<Header>,
    dialect: Dialect,
}

impl CorpusFile for Tabs {
    fn next(&mut self) -> Result<Option<Content>, CorpusError> {
        Ok(self.text.next()?.map(|block| Content::Table(block, Arc::clone(&self.header))))
    }

    fn content_hash(&self) -> ContentHash {
        self.text.blocks.content_hash()
    }

    fn notes(&self) -> Vec<String> {
        let plain = (self.dialect == Dialect::Plain).then_some("tab separated without quoting: quotation marks are part of the text");
        plain.map(str::to_string).into_iter().collect()
    }
}

/// What the header of a table says of its columns.
#[derive(Debug, Clone)]
pub(crate) struct Header {
    columns: Vec<(String, Option<(Field, u8)>)>,
}

impl Header {
    /// A header from its names; it must name both sentences, or be a gold key where those are allowed.
    pub(crate) fn new<'a>(names: impl IntoIterator<Item = &'a str>, options: &ReadOptions) -> Result<Self, RowProblem> {
        let names: Vec<&str> = names.into_iter().collect();
        options.columns.check(names.iter().copied())?;
        let column = |name: &str| match options.columns.field(name) {
            Some(field) => (name.to_string(), Some(field)),
            None => (tag_of_column(name).to_string(), None),
        };
        let columns: Vec<_> = names.into_iter().map(column).collect();
        let has = |field| columns.iter().any(|(_, known)| known.is_some_and(|(known, _)| known == field));
        let key = options.keys_allowed && has(Field::Id) && has(Field::Label) && !has(Field::Premise) && !has(Field::Hypothesis);
        for (field, name) in [(Field::Premise, "premise"), (Field::Hypothesis, "hypothesis")] {
            if !has(field) && !key {
                let found = columns.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>().join(", ");
                return Err(RowProblem::NoField { field: name, found: found.chars().take(LONGEST_LIST).collect() });
            }
        }
        Ok(Header { columns })
    }

    /// How many columns there are.
    pub(crate) fn len(&self) -> usize {
        self.columns.len()
    }

    /// Whether any of the names means something to us.
    pub(crate) fn is_header(line: &str, separator: char, options: &ReadOptions) -> bool {
        line.split(separator).any(|name| options.columns.field(name.trim_matches('"')).is_some())
    }

    /// Reads one tab separated line.
    pub(crate) fn read_line<'a>(
        &'a self,
        line: &'a str,
        options: &ReadOptions,
        loose: &mut LooseLabels,
    ) -> Result<Example<'a>, RowProblem> {
        self.read(line.split('\t').map(Cow::Borrowed), options, loose)
    }

    /// Reads one row from its fields.
    pub(crate) fn read<'a>(
        &'a self,
        fields: impl Iterator<Item = Cow<'a, str>>,
        options: &ReadOptions,
        loose: &mut LooseLabels,
    ) -> Result<Example<'a>, RowProblem> {
        self.read_cells(fields.map(Some), options, loose)
    }

    /// Reads one row from its fields, of which some may be missing.
    pub(crate) fn read_cells<'a>(
        &'a self,
        fields: impl Iterator<Item = Option<Cow<'a, str>>>,
        options: &ReadOptions,
        loose: &mut LooseLabels,
    ) -> Result<Example<'a>, RowProblem> {
        let mut parts = Parts::default();
        let mut found = 0;
        for text in fields {
            if let Some((name, field)) = self.columns.get(found) {
                // An empty cell of a column that is only a tag says nothing.
                let text = text.filter(|text| field.is_some() || !text.is_empty());
                parts.set(Cow::Borrowed(name.as_str()), *field, text);
            }
            found += 1;
        }
        if found != self.columns.len() {
            return Err(RowProblem::Columns { found, expected: self.columns.len() });
        }
        parts.take_example(options, loose)
    }
}

#[cfg(test)]
mod tests {
    use crate::{InputFile, ReadOptions, read_all};
    use acidtest_threads::Threads;

    #[track_caller]
    fn check(text: &str, premises: &[&str]) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("in.tsv");
        std::fs::write(&path, text).unwrap();
        let threads = Threads::new(std::num::NonZeroUsize::MIN).unwrap();
        let corpus = read_all(vec![InputFile::new(path)], ReadOptions::default(), &threads).unwrap();
        let found: Vec<&str> = corpus.examples.iter().map(|example| example.pair.premise.text.as_ref()).collect();
        assert_eq!(found, premises);
        let marks = text.contains('"');
        let told = if premises.iter().any(|premise| premise.starts_with('"')) { "without quoting" } else { "quoted cells" };
        assert_eq!(
            corpus.files[0].notes.iter().filter(|note| note.contains(told)).count(),
            usize::from(marks),
            "{:?}",
            corpus.files[0].notes
        );
    }

    #[test]
    fn quoting_is_told_by_content() {
        let rows = "premise\thypothesis\n\"He said \"\"no\"\".\"\tB\nA \"b\"\tB\n";
        check(rows, &["He said \"no\".", "A \"b\""]);
        check("premise\thypothesis\nA\tB\n", &["A"]);
        check("\"premise\"\t\"hypothesis\"\n\"A\"\t\"B\"\n", &["A"]);
        check("premise\thypothesis\n\"No.\"\tB\n\"No,\" he said.\tB\n", &["\"No.\"", "\"No,\" he said."]);
        check("premise\thypothesis\n\"No \"\"x\"\".\"\tB\n\"No,\" he said.\tB\n", &["\"No \"\"x\"\".\"", "\"No,\" he said."]);
    }
}
