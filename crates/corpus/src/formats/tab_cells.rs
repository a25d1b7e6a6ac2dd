//! Tab separated cells, written directly into a buffer, without quoting: a cell with a tab or a line break cannot be represented.

use acidtest_nli::{Example, Pair};

/// The cells of one row.
pub(super) struct Cells<'o> {
    out: &'o mut Vec<u8>,
    start: usize,
    /// The beginning of a cell that cannot be represented.
    refused: Option<String>,
}

impl<'o> Cells<'o> {
    /// A row at the end of the text.
    pub(super) fn new(out: &'o mut Vec<u8>) -> Self {
        Cells { start: out.len(), out, refused: None }
    }

    /// Adds a cell.
    pub(super) fn add(&mut self, cell: &str) {
        if memchr::memchr3(b'\t', b'\n', b'\r', cell.as_bytes()).is_some() && self.refused.is_none() {
            self.refused = Some(cell.chars().take(30).collect());
        }
        self.out.extend_from_slice(cell.as_bytes());
        self.out.push(b'\t');
    }

    /// Adds a tag, or an empty cell.
    pub(super) fn add_tag(&mut self, example: &Example<'_>, name: &str) {
        self.add(example.tags.get(name).unwrap_or_default());
    }

    /// Adds one annotator's label, or an empty cell.
    pub(super) fn add_vote(&mut self, example: &Example<'_>, number: usize) {
        self.add(example.votes.0.get(number).map_or("", |vote| vote.judgment.name()));
    }

    /// Adds binary parses, parses and texts as MultiNLI orders them.
    pub(super) fn add_sentences(&mut self, pair: &Pair<'_>) {
        let sides = [&pair.premise, &pair.hypothesis];
        sides.iter().for_each(|side| self.add(side.binary_parse.as_deref().unwrap_or_default()));
        sides.iter().for_each(|side| self.add(side.parse.as_deref().unwrap_or_default()));
        sides.iter().for_each(|side| self.add(&side.text));
    }

    /// Ends the row; one that cannot be represented is removed.
    pub(super) fn end(self) -> Result<(), String> {
        if let Some(cell) = self.refused {
            self.out.truncate(self.start);
            return Err(format!("`{}` contains a tab or a line break", cell.escape_debug()));
        }
        if let Some(last) = self.out.last_mut() {
            *last = b'\n';
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_that_cannot_be_represented_is_removed() {
        let mut out = b"before\n".to_vec();
        let mut cells = Cells::new(&mut out);
        cells.add("a");
        cells.add("");
        cells.end().unwrap();
        let mut cells = Cells::new(&mut out);
        cells.add("b");
        cells.add("c\td");
        assert_eq!(cells.end(), Err("`c\\td` contains a tab or a line break".to_string()));
        assert_eq!(out, b"before\na\t\n");
    }
}
