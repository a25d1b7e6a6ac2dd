//! Tab-separated text without quoting: MultiNLI, SNLI, GLUE, HANS, SICK. Its header is that of every table. Text that is quoted as in comma-separated
//! files is recognised by its content.

mod marks;

use super::commas::Commas;
use super::parts::Parts;
use super::{CorpusFile, Layout, TextFile};
use crate::block::Content;
use crate::field::{Field, LONGEST_LIST, tag_of_column};
use crate::input::InputFile;
use crate::{CorpusError, ReadOptions, RowProblem};
use acidtest_files::ContentHash;
use acidtest_nli::{Example, LooseLabels};
use marks::Marks;
use std::borrow::Cow;
use std::sync::Arc;

pub(super) const LAYOUT: Layout = Layout::Text {
    recognises: |first, options| {
        // A name in the header of a comma-separated file may have a tab in it.
        first.split_once('\t').is_some_and(|(name, _)| !(name.contains(',') && Header::is_header(name, ',', options)))
    },
    open: |mut text, opening| {
        if header_is_quoted(&text.text) {
            return super::commas::open_quoted(text, opening, b'\t');
        }
        let header = Header::new(text.text.split('\t'), opening.options);
        let header = Arc::new(header.map_err(|problem| opening.error(text.line, problem))?);
        if let Some(first) = &mut text.first {
            first.drop_first_line();
        }
        Ok(Box::new(Tabs {
            text: Some(text),
            header,
            quoting: Quoting::Undecided,
            file: opening.file.clone(),
            options: Arc::clone(opening.options),
        }))
    },
};

fn header_is_quoted(header: &str) -> bool {
    all_cells_are_quoted(header.trim_end_matches(['\r', '\n']))
}

/// Whether quotation marks quote cells. The first block with cells that begin with one decides.
enum Quoting {
    Undecided,
    Plain(Marks),
    Quoted(Box<Commas>),
}

/// Whether every cell of a line is in quotation marks; the last may continue on the next line.
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
    /// The lines; none once cells are read as quoted.
    text: Option<TextFile>,
    header: Arc<Header>,
    quoting: Quoting,
    file: InputFile,
    options: Arc<ReadOptions>,
}

impl CorpusFile for Tabs {
    fn next(&mut self) -> Result<Option<Content>, CorpusError> {
        if let Quoting::Quoted(rows) = &mut self.quoting {
            return rows.next();
        }
        let Some(text) = &mut self.text else { return Ok(None) };
        let Some(block) = text.next()? else { return Ok(None) };
        let marks = Marks::of(&block, self.header.len());
        match (&mut self.quoting, marks.quotes_from()) {
            (Quoting::Undecided, Some(line)) => {
                let Some(TextFile { blocks, .. }) = self.text.take() else { return Ok(None) };
                let rows = Commas::after_header((blocks, block), (&self.file, &self.options), (Header::clone(&self.header), line));
                self.quoting = Quoting::Quoted(Box::new(rows));
                return self.next();
            }
            (Quoting::Undecided, None) if marks.begun > 0 => self.quoting = Quoting::Plain(marks),
            (Quoting::Plain(all), _) => all.add(marks),
            (Quoting::Undecided | Quoting::Quoted(_), _) => {}
        }
        Ok(Some(Content::Table(block, Arc::clone(&self.header))))
    }

    fn content_hash(&self) -> ContentHash {
        match (&self.quoting, &self.text) {
            (Quoting::Quoted(rows), _) => rows.content_hash(),
            (_, Some(text)) => text.blocks.content_hash(),
            (_, None) => ContentHash::default(),
        }
    }

    fn notes(&self) -> Vec<String> {
        match &self.quoting {
            Quoting::Undecided => Vec::new(),
            Quoting::Plain(marks) => marks.note().into_iter().collect(),
            Quoting::Quoted(rows) => rows.notes(),
        }
    }
}

/// The columns of a table, from its header.
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

    /// The number of columns.
    pub(crate) fn len(&self) -> usize {
        self.columns.len()
    }

    /// Whether any of the names is a known field.
    pub(crate) fn is_header(line: &str, separator: char, options: &ReadOptions) -> bool {
        line.split(separator).any(|name| options.columns.field(name.trim_matches('"')).is_some())
    }

    /// Reads one tab-separated line.
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
                // An empty cell of a tag column is no tag.
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

    fn read(text: &str) -> (Vec<String>, Vec<String>) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("in.tsv");
        std::fs::write(&path, text).unwrap();
        let threads = Threads::new(std::num::NonZeroUsize::MIN).unwrap();
        let corpus = read_all(vec![InputFile::new(path)], ReadOptions::default(), &threads).unwrap();
        (corpus.examples.iter().map(|example| example.pair.premise.text.to_string()).collect(), corpus.files[0].notes.clone())
    }

    /// More than a block of lines without a quotation mark.
    fn plain_rows() -> String {
        "A plain premise of some length.\tB\n".repeat(20_000)
    }

    #[test]
    fn the_first_quoted_cell_decides_however_late_it_comes() {
        let quoted = "\"He said \"\"no\"\".\"\tB\n\"A\ttab.\"\tB\n\"Two\nlines.\"\tB\nA \"b\".\tB\n";
        let (premises, notes) = read(&format!("premise\thypothesis\n{}{quoted}", plain_rows()));
        assert_eq!(premises[20_000..], ["He said \"no\".", "A\ttab.", "Two\nlines.", "A \"b\"."]);
        assert_eq!(notes, ["read as tab-separated with quoted cells, because line 20002 is quoted; the quotation marks were removed"]);
    }

    #[test]
    fn the_header_is_not_a_row_if_a_quoted_file_has_invalid_utf8() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("in.tsv");
        std::fs::write(&path, b"premise\thypothesis\n\xff\tB\n\"A \"\"b\"\".\"\tB\n").unwrap();
        let threads = Threads::new(std::num::NonZeroUsize::MIN).unwrap();
        let options = ReadOptions { bad_rows: crate::BadRows::Skip, ..ReadOptions::default() };
        let corpus = read_all(vec![InputFile::new(path)], options, &threads).unwrap();
        let premises: Vec<&str> = corpus.examples.iter().map(|example| example.pair.premise.text.as_ref()).collect();
        assert_eq!((premises, corpus.skipped), (vec!["A \"b\"."], 1));
    }

    #[test]
    fn cells_that_look_quoted_in_a_file_without_quoting_are_noted_with_their_lines_and_the_remedy() {
        let rows = format!("\"No,\" he said.\tB\n{}\"He said \"\"no\"\".\"\tB\n", plain_rows());
        let (premises, notes) = read(&format!("premise\thypothesis\n{rows}"));
        assert_eq!(premises.last().unwrap(), "\"He said \"\"no\"\".\"");
        let expected = "read as tab-separated without quoting, because of line 2: quotation marks are part of the text; 1 cell looks quoted as in comma-separated \
                        files (line 20003): quote all cells or none";
        assert_eq!(notes, [expected]);
    }

    #[test]
    fn a_sentence_that_only_begins_with_a_mark_is_refused_among_quoted_cells() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("in.tsv");
        let rows = format!("\"He said \"\"no\"\".\"\tB\n{}\"No,\" he said.\tB\n", plain_rows());
        std::fs::write(&path, format!("premise\thypothesis\n{rows}")).unwrap();
        let threads = Threads::new(std::num::NonZeroUsize::MIN).unwrap();
        let error = read_all(vec![InputFile::new(path)], ReadOptions::default(), &threads).err().unwrap().to_string();
        assert!(error.ends_with("in.tsv:20003: text after the closing quotation mark of a cell; quote all cells or none"), "{error}");
    }

    #[test]
    fn quoting_is_recognised_by_content() {
        let rows = "premise\thypothesis\n\"He said \"\"no\"\".\"\tB\nA \"b\"\tB\n";
        check(rows, &["He said \"no\".", "A \"b\""]);
        check("premise\thypothesis\nA\tB\n", &["A"]);
        check("\"premise\"\t\"hypothesis\"\n\"A\"\t\"B\"\n", &["A"]);
        check("premise\thypothesis\n\"No.\"\tB\n\"No,\" he said.\tB\n", &["\"No.\"", "\"No,\" he said."]);
        check("premise\thypothesis\n\"No \"\"x\"\".\"\tB\n\"No,\" he said.\tB\n", &["\"No \"\"x\"\".\"", "\"No,\" he said."]);
    }
}
