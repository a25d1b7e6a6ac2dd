//! A fast path for the rows of nearly every corpus: an object of plain strings.
//!
//! Rows of SNLI are nine tenths long strings without escapes. Looking only for the quotation marks that end them takes a third of the
//! instructions of a full JSON parser (`bench/challenge.py` has the effect on a whole run). Everything else, errors included, is left to
//! that parser, so both give the same rows and errors come from one place.

use super::super::parts::Parts;
use crate::field::{ColumnNames, Field, tag_of_column};
use crate::plain::{FindSpecial, SearchWork, searching};
use std::borrow::Cow;

/// The keys of an earlier row in their order. Corpora repeat the same keys in the same order, so they need not be looked up again.
#[derive(Default)]
pub(super) struct KeyOrder<'a> {
    keys: Vec<Key<'a>>,
}

#[derive(Clone, Copy)]
struct Key<'a> {
    /// Everything between the previous value, or the beginning of the row, and its own value: `", "name": "`. One comparison of all of it is
    /// faster than separate, dependent comparisons of quotation marks, commas and blanks.
    between: &'a str,
    name: &'a str,
    field: Option<(Field, u8)>,
}

impl<'a> KeyOrder<'a> {
    /// The key at the cursor if it is the key that the earlier row has at this position; the cursor moves to the value.
    #[inline(always)]
    fn known(&self, place: usize, cursor: &mut Cursor<'a, impl FindSpecial>) -> Option<Key<'a>> {
        self.keys.get(place).filter(|key| cursor.take_text(key.between)).copied()
    }

    /// Any other key.
    #[cold]
    fn new_key(&mut self, place: usize, cursor: &mut Cursor<'a, impl FindSpecial>, names: &ColumnNames) -> Option<Key<'a>> {
        let start = cursor.at;
        if place == 0 {
            cursor.take(b'{').then_some(())?;
        } else {
            cursor.end_value(self.keys[place - 1].field)?;
            cursor.take(b',').then_some(())?;
            cursor.take(b' ');
        }
        cursor.take(b'"').then_some(())?;
        let name = cursor.text()?;
        (cursor.take(b'"') && cursor.take(b':')).then_some(())?;
        cursor.take(b' ');
        let field = names.field(name);
        cursor.take(if is_list(field) { b'[' } else { b'"' }).then_some(())?;
        let name = if field.is_none() { tag_of_column(name) } else { name };
        let key = Key { between: &cursor.lines[start..cursor.at], name, field };
        self.keys.truncate(place);
        self.keys.push(key);
        Some(key)
    }
}

/// Whether the value of a field is a list of strings; all others are strings.
#[inline(always)]
fn is_list(field: Option<(Field, u8)>) -> bool {
    matches!(field, Some((Field::Votes, _)))
}

/// Takes the fields of a row of plain strings and lists of them, and returns the length of its line, with the line end; `None` for every other row, of
/// which some fields may have been taken.
///
/// More lines may follow. Where the row's own ends need not be known: line ends are special bytes too, so no value goes past one.
pub(super) fn read<'a>(lines: &'a str, names: &ColumnNames, keys: &mut KeyOrder<'a>, parts: &mut Parts<'a>) -> Option<usize> {
    searching(ReadRow { lines, names, keys, parts })
}

struct ReadRow<'r, 'a> {
    lines: &'a str,
    names: &'r ColumnNames,
    keys: &'r mut KeyOrder<'a>,
    parts: &'r mut Parts<'a>,
}

impl SearchWork for ReadRow<'_, '_> {
    type Done = Option<usize>;

    #[inline(always)]
    fn run(self, find: impl FindSpecial) -> Option<usize> {
        let ReadRow { lines, names, keys, parts } = self;
        let mut cursor = Cursor { lines, at: 0, find };
        for place in 0.. {
            let key = match keys.known(place, &mut cursor) {
                Some(key) => key,
                None => match keys.keys[..place].last().and_then(|last| cursor.next_line(last.field)) {
                    Some(length) => return Some(length),
                    None => keys.new_key(place, &mut cursor, names)?,
                },
            };
            match key.field {
                Some((Field::Votes, _)) => cursor.list(parts)?,
                Some((Field::Annotators | Field::Tags | Field::Changes, _)) => return None,
                field => parts.set_plain(key.name, field, cursor.text()?),
            }
        }
        None
    }
}

/// A position in a row, which more lines may follow. It moves byte by byte, because matching characters costs a call for each.
#[derive(Clone, Copy)]
struct Cursor<'a, F> {
    lines: &'a str,
    at: usize,
    find: F,
}

impl<'a, F: FindSpecial> Cursor<'a, F> {
    /// Skips this byte if it is next.
    #[inline(always)]
    fn take(&mut self, byte: u8) -> bool {
        let found = self.lines.as_bytes().get(self.at) == Some(&byte);
        self.at += usize::from(found);
        found
    }

    /// Skips this text if it is next.
    #[inline(always)]
    fn take_text(&mut self, text: &str) -> bool {
        let end = self.at + text.len();
        let next = self.lines.as_bytes().get(self.at..end);
        let found = next.is_some_and(|next| same(next, text.as_bytes()));
        if found {
            self.at = end;
        }
        found
    }

    /// The text before the next special byte, which must be the closing quotation mark; otherwise the row is left to the full parser.
    #[inline(always)]
    fn text(&mut self) -> Option<&'a str> {
        let start = self.at;
        let end = self.find.first(self.lines.as_bytes(), start)?;
        self.at = end;
        Some(&self.lines[start..end])
    }

    /// Skips the closing quotation mark of this field's value; a list was consumed with its bracket.
    fn end_value(&mut self, field: Option<(Field, u8)>) -> Option<()> {
        (is_list(field) || self.take(b'"')).then_some(())
    }

    /// Where the next line begins, if the row ends after the value of this field.
    fn next_line(&self, field: Option<(Field, u8)>) -> Option<usize> {
        let mut end = *self;
        end.end_value(field)?;
        end.take(b'}').then_some(())?;
        while end.take(b' ') {}
        end.take(b'\r');
        (end.take(b'\n') || end.at == end.lines.len()).then_some(end.at)
    }

    /// The rest of a list of strings, taken as votes.
    #[inline(always)]
    fn list(&mut self, parts: &mut Parts<'a>) -> Option<()> {
        if self.take(b']') {
            return Some(());
        }
        loop {
            self.take(b'"').then_some(())?;
            parts.votes.push(Cow::Borrowed(self.text()?));
            self.take(b'"').then_some(())?;
            if self.take(b']') {
                return Some(());
            }
            self.take(b',').then_some(())?;
            self.take(b' ');
        }
    }
}

/// Whether two texts of the same length are equal. Keys are so short that a call would take longer: their possibly overlapping ends are compared.
#[inline(always)]
fn same(a: &[u8], b: &[u8]) -> bool {
    fn same_ends<const N: usize>(a: &[u8], b: &[u8]) -> bool {
        a.first_chunk::<N>() == b.first_chunk::<N>() && a.last_chunk::<N>() == b.last_chunk::<N>()
    }
    match a.len() {
        8..=16 => same_ends::<8>(a, b),
        17..=32 => same_ends::<16>(a, b),
        _ => a == b,
    }
}

#[cfg(test)]
mod tests {
    use super::super::{RowReader, full_row};
    use super::*;
    use crate::ReadOptions;
    use crate::blocks::LineBlock;
    use acidtest_nli::LooseLabels;
    use proptest::prelude::*;

    #[test]
    fn plain_rows_take_the_fast_path() {
        let quick = |line| read(line, &ColumnNames::default(), &mut KeyOrder::default(), &mut Parts::default()).is_some();
        let line = r#"{"annotator_labels": ["neutral", "neutral"], "gold_label": "neutral", "sentence1": "A (b).", "sentence2": "C"}"#;
        assert!(quick(line));
        assert!(!quick(r#"{"label": 1, "premise": "A", "hypothesis": "B"}"#));
        assert!(!quick(r#"{"premise": "A \" b", "hypothesis": "B"}"#));
    }

    /// A row, or the beginning of one, with its fields in any of several orders.
    fn row() -> impl Strategy<Value = String> {
        let text = "[a-c\"\\\\\u{1}é ,:{}\\[\\]]{0,6}";
        let votes = prop::collection::vec(prop_oneof![Just("neutral"), Just("x"), Just("")], 0..3);
        let name = prop_oneof![Just("genre"), Just("pairID"), Just("sentence1"), Just("a"), Just("tag:label")];
        (prop::collection::vec(text, 3), name, votes, 0..4usize, 0usize..120).prop_map(|(texts, name, votes, first, length)| {
            let votes: Vec<String> = votes.iter().map(|vote| format!("\"{vote}\"")).collect();
            let mut fields = [
                format!("\"sentence1\": \"{}\"", texts[0]),
                format!("\"sentence2\":\"{}\"", texts[1]),
                format!("\"{name}\": \"{}\"", texts[2]),
                format!("\"annotator_labels\": [{}]", votes.join(", ")),
            ];
            fields.rotate_left(first);
            let row = format!("{{{}}}", fields.join(", "));
            if length < 60 { row.chars().take(length).collect() } else { row }
        })
    }

    proptest! {
        #[test]
        fn fast_path_and_full_parser_give_the_same_rows(
            rows in prop::collection::vec(row(), 1..5),
            end in prop::sample::select(vec!["\n", "\r\n", " \n", " \n \r\n"]),
        ) {
            let (options, block) = (ReadOptions::default(), LineBlock::of_bytes(rows.join(end).into_bytes(), 1));
            let (mut reader, mut lines) = (RowReader::default(), block.lines());
            let (mut quick, mut full) = (LooseLabels::default(), LooseLabels::default());
            for (number, line) in block.lines() {
                let line = line.unwrap();
                let expected = Some((number, full_row(line, &options, &mut full)));
                prop_assert_eq!(reader.next(&mut lines, &options, &mut quick), expected, "{}", line);
            }
            prop_assert_eq!(reader.next(&mut lines, &options, &mut quick), None);
        }
    }
}
