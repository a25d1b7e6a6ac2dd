//! A quick way through the rows that nearly every corpus has: an object of plain strings.
//!
//! Rows of SNLI are nine tenths long strings without escapes. Looking only for the quotation marks that end them takes a third of the
//! instructions of a full JSON parser (`bench/challenge.py` has the effect on a whole run). Anything else, and anything wrong, is left to
//! that parser, so that both give the same rows and errors come from one place.

use super::super::parts::Parts;
use crate::field::{ColumnNames, Field};
use std::borrow::Cow;

/// The fields of a row of plain strings and lists of them; `None` for every other row.
pub(super) fn read<'a>(line: &'a str, names: &ColumnNames) -> Option<Parts<'a>> {
    // A control character must be escaped in JSON.
    if line.bytes().fold(u8::MAX, u8::min) < 0x20 {
        return None;
    }
    let mut parts = Parts::default();
    let mut rest = line.strip_prefix('{')?;
    loop {
        let (name, after) = string(rest)?;
        rest = after.strip_prefix(':')?;
        rest = rest.strip_prefix(' ').unwrap_or(rest);
        let field = names.field(name);
        match field {
            Some((Field::Votes, _)) => rest = list(rest.strip_prefix('[')?, &mut parts)?,
            Some((Field::Annotators | Field::Tags | Field::Changes, _)) => return None,
            _ => {
                let (text, after) = string(rest)?;
                parts.set(Cow::Borrowed(name), field, Some(Cow::Borrowed(text)));
                rest = after;
            }
        }
        match rest.strip_prefix(',') {
            Some(after) => rest = after.strip_prefix(' ').unwrap_or(after),
            None => break,
        }
    }
    (rest.strip_prefix('}')?.trim_ascii().is_empty()).then_some(parts)
}

/// A string without escapes at the beginning of the text, and what follows it.
fn string(text: &str) -> Option<(&str, &str)> {
    let text = text.strip_prefix('"')?;
    let end = memchr::memchr2(b'"', b'\\', text.as_bytes())?;
    (text.as_bytes()[end] == b'"').then(|| (&text[..end], &text[end + 1..]))
}

/// The strings of a list, taken as votes; the rest of the text is what follows the closing bracket.
fn list<'a>(mut text: &'a str, parts: &mut Parts<'a>) -> Option<&'a str> {
    if let Some(after) = text.strip_prefix(']') {
        return Some(after);
    }
    loop {
        let (vote, after) = string(text)?;
        parts.votes.push(Cow::Borrowed(vote));
        if let Some(after) = after.strip_prefix(']') {
            return Some(after);
        }
        let after = after.strip_prefix(',')?;
        text = after.strip_prefix(' ').unwrap_or(after);
    }
}

#[cfg(test)]
mod tests {
    use super::super::{full_row, read_row};
    use super::*;
    use crate::ReadOptions;
    use proptest::prelude::*;

    #[test]
    fn plain_rows_take_the_quick_way() {
        let line = r#"{"annotator_labels": ["neutral", "neutral"], "gold_label": "neutral", "sentence1": "A (b).", "sentence2": "C"}"#;
        assert!(read(line, &ColumnNames::default()).is_some());
        assert!(read(r#"{"label": 1, "premise": "A", "hypothesis": "B"}"#, &ColumnNames::default()).is_none());
        assert!(read(r#"{"premise": "A \" b", "hypothesis": "B"}"#, &ColumnNames::default()).is_none());
    }

    proptest! {
        #[test]
        fn both_ways_give_the_same_row(
            texts in prop::collection::vec("[a-c\"\\\\\u{1}é ,:{}\\[\\]]{0,6}", 4),
            broken in 0usize..90,
            votes in prop::collection::vec(prop_oneof![Just("neutral"), Just("x"), Just("")], 0..3),
        ) {
            let votes: Vec<String> = votes.iter().map(|vote| format!("\"{vote}\"")).collect();
            let row = format!(
                "{{\"sentence1\": \"{}\", \"sentence2\":\"{}\",\"{}\": \"{}\", \"annotator_labels\": [{}]}}",
                texts[0], texts[1], texts[2], texts[3], votes.join(", ")
            );
            // Also rows that break off.
            let cut: String = if broken < 60 { row.chars().take(broken).collect() } else { row };
            let options = ReadOptions::default();
            prop_assert_eq!(read_row(&cut, &options), full_row(&cut, &options), "{}", cut);
        }
    }
}
