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
        if is_quoted(&text) {
            return super::commas::open_quoted(text, opening, b'\t');
        }
        let header = Header::new(text.text.split('\t'), opening.options);
        let header = Arc::new(header.map_err(|problem| opening.error(text.line, problem))?);
        if let Some(first) = &mut text.first {
            first.drop_first_line();
        }
        Ok(Box::new(Tabs { text, header, marks: Marks::default() }))
    },
};

/// Cells of a file without quoting that begin with a quotation mark.
#[derive(Default)]
struct Marks {
    /// How many there are.
    begun: u64,
    /// How many of them are quoted as programs that write tables do it, with a doubled mark within, and the line of the first.
    quoted: u64,
    first: u64,
}

impl Marks {
    fn add(&mut self, block: &LineBlock) {
        for (line, text) in block.texts().filter(|(_, text)| text.contains('"')) {
            for cell in text.split('\t').filter(|cell| cell.starts_with('"')) {
                self.begun += 1;
                if within_marks(cell).is_some_and(|inner| inner.contains("\"\"")) {
                    self.first = if self.quoted == 0 { line } else { self.first };
                    self.quoted += 1;
                }
            }
        }
    }

    fn note(&self) -> Option<String> {
        let quoted = match self.quoted {
            0 => String::new(),
            1 => format!("; one cell (line {}) looks quoted as in comma separated files", self.first),
            more => format!("; {more} cells (the first in line {}) look quoted as in comma separated files", self.first),
        };
        (self.begun > 0).then(|| format!("tab separated without quoting: quotation marks are part of the text{quoted}"))
    }
}

/// What stands between the marks of a quoted cell, if every mark within is doubled.
fn within_marks(cell: &str) -> Option<&str> {
    let inner = cell.strip_prefix('"')?.strip_suffix('"')?;
    Some(inner).filter(|inner| !inner.replace("\"\"", "").contains('"'))
}

/// Whether quotation marks quote cells: all cells of the first lines that begin with one are quoted as programs that write tables do it, and one of them
/// has a doubled mark within, or all names of the header are quoted. Sentences that only happen to begin with a mark are not like that.
fn is_quoted(text: &TextFile) -> bool {
    if all_cells_are_quoted(text.text.trim_end_matches(['\r', '\n'])) {
        return true;
    }
    let mut doubled = false;
    let lines = text.first.iter().flat_map(LineBlock::texts);
    for cell in lines.flat_map(|(_, line)| line.split('\t')).filter(|cell| cell.starts_with('"')) {
        let Some(inner) = within_marks(cell) else { return false };
        doubled |= inner.contains("\"\"");
    }
    doubled
}

/// Whether every cell of a line is in quotation marks; the last may go on in the next line.
fn all_cells_are_quoted(line: &str) -> bool {
    let mut rest = line;
    loop {
        let Some(inner) = rest.strip_prefix('"') else { return false };
        let mut end = 0;
        // A doubled mark is part of the cell.
        let closed = loop {
            let Some(mark) = inner[end..].find('"') else { break None };
            match inner[end + mark + 1..].starts_with('"') {
                true => end += mark + 2,
                false => break Some(end + mark + 1),
            }
        };
        match closed.map(|closed| &inner[closed..]) {
            None | Some("") => return true,
            Some(after) => match after.strip_prefix('\t') {
                Some(next) => rest = next,
                None => return false,
            },
        }
    }
}

struct Tabs {
    text: TextFile,
    header: Arc<Header>,
    marks: Marks,
}

impl CorpusFile for Tabs {
    fn next(&mut self) -> Result<Option<Content>, CorpusError> {
        let block = self.text.next()?;
        block.iter().for_each(|block| self.marks.add(block));
        Ok(block.map(|block| Content::Table(block, Arc::clone(&self.header))))
    }

    fn content_hash(&self) -> ContentHash {
        self.text.blocks.content_hash()
    }

    fn notes(&self) -> Vec<String> {
        self.marks.note().into_iter().collect()
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
    fn a_quoted_cell_behind_the_first_lines_is_noted() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("in.tsv");
        let rows = "A plain premise of some length.\tB\n".repeat(20_000);
        std::fs::write(&path, format!("premise\thypothesis\n{rows}\"He said \"\"no\"\".\"\tB\n")).unwrap();
        let threads = Threads::new(std::num::NonZeroUsize::MIN).unwrap();
        let corpus = read_all(vec![InputFile::new(path)], ReadOptions::default(), &threads).unwrap();
        let expected = "tab separated without quoting: quotation marks are part of the text; one cell (line 20002) looks quoted as in comma separated files";
        assert_eq!(corpus.files[0].notes, [expected]);
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
