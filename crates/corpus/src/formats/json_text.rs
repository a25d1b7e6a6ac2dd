//! JSON, written straight into a buffer.

/// Writes a field whose key comes with the comma before it and the quotation mark behind it.
pub(super) fn value(key: &[u8], value: &str, out: &mut Vec<u8>) {
    out.reserve(key.len() + value.len() + 1);
    out.extend_from_slice(key);
    content(value, out);
    out.push(b'"');
}

/// Writes a field that need not be there.
pub(super) fn optional(key: &[u8], text: Option<&str>, out: &mut Vec<u8>) {
    if let Some(text) = text {
        value(key, text, out);
    }
}

/// Writes a JSON string.
pub(super) fn string(text: &str, out: &mut Vec<u8>) {
    out.push(b'"');
    content(text, out);
    out.push(b'"');
}

/// Writes a whole number.
pub(super) fn number(number: usize, out: &mut Vec<u8>) {
    if number >= 10 {
        self::number(number / 10, out);
    }
    out.push(b'0' + (number % 10) as u8);
}

/// Writes what stands between the quotation marks of a JSON string.
fn content(text: &str, out: &mut Vec<u8>) {
    let bytes = text.as_bytes();
    if !needs_escape(bytes) {
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

/// Bytes that are looked at together.
const LANES: usize = 32;

/// Nearly every text needs no escape, which vector instructions find out many bytes at a time; the last of them may overlap those before.
fn needs_escape(bytes: &[u8]) -> bool {
    let Some(last) = bytes.last_chunk::<LANES>() else { return short_needs_escape(bytes) };
    let mut found = last.map(escaped);
    for chunk in bytes.as_chunks::<LANES>().0 {
        found.iter_mut().zip(chunk).for_each(|(found, &byte)| *found |= escaped(byte));
    }
    found != [0; LANES]
}

/// The same for ids, labels and other texts that are shorter than that.
fn short_needs_escape(bytes: &[u8]) -> bool {
    fn ends<const N: usize>(bytes: &[u8]) -> Option<bool> {
        let (first, last) = (bytes.first_chunk::<N>()?, bytes.last_chunk::<N>()?);
        Some(first.map(escaped) != [0; N] || last.map(escaped) != [0; N])
    }
    ends::<16>(bytes).or_else(|| ends::<8>(bytes)).unwrap_or_else(|| bytes.iter().any(|&byte| escaped(byte) != 0))
}

fn escaped(byte: u8) -> u8 {
    u8::from(byte < 0x20) | u8::from(byte == b'"') | u8::from(byte == b'\\')
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn strings_are_what_a_json_parser_reads(text in "[a-c\"\\\\\u{0}-\u{1f}é🙂]{0,80}") {
            let mut out = Vec::new();
            string(&text, &mut out);
            prop_assert_eq!(serde_json::from_slice::<String>(&out).unwrap(), text);
        }
    }

    #[test]
    fn numbers_have_all_their_digits() {
        let mut out = Vec::new();
        [0, 7, 10, 4096].into_iter().for_each(|found| number(found, &mut out));
        assert_eq!(out, b"07104096");
    }
}
