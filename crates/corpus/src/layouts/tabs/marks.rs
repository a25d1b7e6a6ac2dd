//! Cells of tab-separated text that begin with a quotation mark: whether the mark quotes the cell or is part of the text.

use crate::blocks::LineBlock;

/// Cells that begin with a quotation mark.
#[derive(Default)]
pub(super) struct Marks {
    /// Their number, and the line of the first.
    pub(super) begun: u64,
    first: u64,
    /// The lines of those that are quoted as in CSV, with a doubled mark inside: the first few, and their number.
    quoted_lines: Vec<u64>,
    quoted: u64,
    /// The line of the first that is not: it ends without a mark, or has a single mark inside.
    unquoted: Option<u64>,
}

/// The number of lines that a note names.
const NAMED: usize = 5;

impl Marks {
    /// Those of some lines with this number of columns.
    pub(super) fn of(block: &LineBlock, columns: usize) -> Self {
        let mut found = Marks::default();
        for (line, text) in block.texts().filter(|(_, text)| text.contains('"')) {
            for cell in text.split('\t').filter(|cell| cell.starts_with('"')) {
                found.first = if found.begun == 0 { line } else { found.first };
                found.begun += 1;
                match within_marks(cell) {
                    // A line with another number of cells may be part of a quoted cell.
                    None if text.split('\t').count() != columns => {}
                    None => found.unquoted = found.unquoted.or(Some(line)),
                    Some(inner) if inner.contains("\"\"") => {
                        found.quoted += 1;
                        found.quoted_lines.push(line);
                        found.quoted_lines.truncate(NAMED);
                    }
                    Some(_) => {}
                }
            }
        }
        found
    }

    /// Adds those of later lines.
    pub(super) fn add(&mut self, later: Marks) {
        self.first = if self.begun == 0 { later.first } else { self.first };
        self.begun += later.begun;
        self.quoted += later.quoted;
        self.quoted_lines.extend(later.quoted_lines);
        self.quoted_lines.truncate(NAMED);
        self.unquoted = self.unquoted.or(later.unquoted);
    }

    /// The line that shows that marks quote cells: one with a doubled mark inside, if no sentence of these lines only begins with a mark. Sentences entirely in
    /// quotation marks are ambiguous.
    pub(super) fn quotes_from(&self) -> Option<u64> {
        self.quoted_lines.first().copied().filter(|_| self.unquoted.is_none())
    }

    /// The note that marks are part of the text, with the cells that look quoted.
    pub(super) fn note(&self) -> Option<String> {
        let lines = self.quoted_lines.iter().map(u64::to_string).collect::<Vec<_>>().join(", ");
        let more = self.quoted.saturating_sub(self.quoted_lines.len() as u64);
        let lines = if more > 0 { format!("{lines} and {more} more") } else { lines };
        let quoted = match self.quoted {
            0 => String::new(),
            1 => format!("; 1 cell looks quoted as in comma-separated files (line {lines}): quote all cells or none"),
            count => format!("; {count} cells look quoted as in comma-separated files (lines {lines}): quote all cells or none"),
        };
        let shown = self.unquoted.unwrap_or(self.first);
        (self.begun > 0).then(|| {
            format!("read as tab-separated without quoting, because of line {shown}: quotation marks are part of the text{quoted}")
        })
    }
}

/// The content of a quoted cell, if every mark inside is doubled.
fn within_marks(cell: &str) -> Option<&str> {
    let inner = cell.strip_prefix('"')?.strip_suffix('"')?;
    Some(inner).filter(|inner| !inner.replace("\"\"", "").contains('"'))
}
