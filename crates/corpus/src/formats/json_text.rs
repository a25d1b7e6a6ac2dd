//! JSON, written directly into a buffer.

use crate::plain::{count_special, first_special};

/// A row that is being written.
pub(super) struct JsonRow<'o> {
    out: &'o mut Vec<u8>,
    texts: Texts,
    /// The number of quotation marks that belong to the syntax.
    marks: usize,
}

/// How texts are written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Texts {
    AsTheyAre,
    Escaped,
}

/// Writes a row as a line.
///
/// Hardly any row has a text that needs escapes. So a row is first written without escaping, and the special bytes of the whole row are counted:
/// if there are more than expected, it is written again with escapes.
pub(super) fn line(out: &mut Vec<u8>, write: impl Fn(&mut JsonRow<'_>)) {
    let start = out.len();
    let mut row = JsonRow { out, texts: Texts::AsTheyAre, marks: 0 };
    write(&mut row);
    let marks = row.marks;
    if count_special(&out[start..]) != marks {
        out.truncate(start);
        write(&mut JsonRow { out, texts: Texts::Escaped, marks: 0 });
    }
    out.push(b'\n');
}

impl JsonRow<'_> {
    /// Writes JSON that has no quotation marks, such as brackets and commas.
    #[inline(always)]
    pub(super) fn raw<const N: usize>(&mut self, json: &[u8; N]) {
        debug_assert_eq!(marks_in(json), 0);
        self.out.extend_from_slice(json);
    }

    /// Writes the key of a value that is not a string, with the punctuation around it: `,"key":[`.
    #[inline(always)]
    pub(super) fn key<const N: usize>(&mut self, key: &[u8; N]) {
        debug_assert_eq!(marks_in(key), 2);
        self.marks += 2;
        self.out.extend_from_slice(key);
    }

    /// Writes a string field; the key includes the punctuation around it: `,"key":"`.
    #[inline(always)]
    pub(super) fn value<const N: usize>(&mut self, key: &[u8; N], value: &str) {
        debug_assert_eq!(marks_in(key), 3);
        self.marks += 4;
        self.out.reserve(N + value.len() + 1);
        self.out.extend_from_slice(key);
        self.text(value);
        self.out.push(b'"');
    }

    /// Writes an optional field.
    #[inline(always)]
    pub(super) fn optional<const N: usize>(&mut self, key: &[u8; N], text: Option<&str>) {
        if let Some(text) = text {
            self.value(key, text);
        }
    }

    /// Writes a field of any name.
    pub(super) fn named(&mut self, name: &str, value: &str) {
        self.string(name);
        self.out.push(b':');
        self.string(value);
    }

    /// Writes a JSON string.
    pub(super) fn string(&mut self, text: &str) {
        self.marks += 2;
        self.out.reserve(text.len() + 2);
        self.out.push(b'"');
        self.text(text);
        self.out.push(b'"');
    }

    /// Writes a whole number.
    pub(super) fn number(&mut self, number: usize) {
        if number >= 10 {
            self.number(number / 10);
        }
        self.out.push(b'0' + (number % 10) as u8);
    }

    #[inline(always)]
    fn text(&mut self, text: &str) {
        match self.texts {
            Texts::AsTheyAre => self.out.extend_from_slice(text.as_bytes()),
            Texts::Escaped => escaped(text.as_bytes(), self.out),
        }
    }
}

/// Writes the content of a JSON string.
#[cold]
fn escaped(bytes: &[u8], out: &mut Vec<u8>) {
    if first_special(bytes).is_none() {
        out.extend_from_slice(bytes);
        return;
    }
    for &byte in bytes {
        match byte {
            b'"' => out.extend_from_slice(b"\\\""),
            b'\\' => out.extend_from_slice(b"\\\\"),
            b'\n' => out.extend_from_slice(b"\\n"),
            b'\r' => out.extend_from_slice(b"\\r"),
            b'\t' => out.extend_from_slice(b"\\t"),
            0..0x20 => out.extend_from_slice(format!("\\u{byte:04x}").as_bytes()),
            _ => out.push(byte),
        }
    }
}

fn marks_in(json: &[u8]) -> usize {
    json.iter().filter(|byte| **byte == b'"').count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn rows_are_what_a_json_parser_reads(texts in prop::collection::vec("[a-c\"\\\\\u{0}-\u{1f}é🙂]{0,40}|[a-c]{0,80}", 3)) {
            let [first, second, name] = [&texts[0], &texts[1], &texts[2]];
            let mut out = b"before\n".to_vec();
            line(&mut out, |row| {
                row.value(b"{\"first\":\"", first);
                row.key(b",\"list\":[");
                row.string(second);
                row.raw(b"]");
                row.raw(b",");
                row.named(name, second);
                row.optional(b",\"none\":\"", None);
                row.raw(b"}");
            });
            let row = out.strip_prefix(b"before\n").and_then(|row| row.strip_suffix(b"\n")).unwrap();
            prop_assert!(!row.contains(&b'\n'));
            let read: serde_json::Value = serde_json::from_slice(row).unwrap();
            let mut expected = serde_json::json!({ "first": first, "list": [second] });
            expected[name.as_str()] = second.as_str().into();
            prop_assert_eq!(read, expected);
        }
    }

    #[test]
    fn numbers_have_all_their_digits() {
        let mut out = Vec::new();
        line(&mut out, |row| [0, 7, 10, 4096].into_iter().for_each(|found| row.number(found)));
        assert_eq!(out, b"07104096\n");
    }
}
