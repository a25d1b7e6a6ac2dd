//! Manifests: a JSON file that lists the hashes of all other files of a folder and ends with its own.

use crate::ContentHash;
use std::collections::BTreeMap;

/// The hashes of files by name.
pub type FileHashes = BTreeMap<String, ContentHash>;

/// Ends a JSON object with the hash of everything before it, under the key `hash`.
pub fn seal_json(object: &str) -> String {
    let object = object.trim_end();
    let body = object.strip_suffix('}').unwrap_or(object).trim_end();
    format!("{body}{}", seal(ContentHash::of(body.as_bytes())))
}

/// Checks that a file is exactly as [`seal_json`] wrote it; the error says what is wrong.
pub fn check_seal(bytes: &[u8]) -> Result<(), String> {
    let length = seal(ContentHash::default()).len();
    let (body, end) = bytes.split_at(bytes.len().saturating_sub(length));
    if end == seal(ContentHash::of(body)).as_bytes() {
        return Ok(());
    }
    Err("its content does not match the `hash` at its end: it is damaged, edited, or written by an earlier version".to_owned())
}

/// Checks that a file has the hash that is listed; the error says what is wrong.
pub fn check_file(listed: &FileHashes, name: &str, found: ContentHash) -> Result<(), String> {
    match listed.get(name) {
        Some(expected) if *expected == found => Ok(()),
        Some(expected) => Err(format!("its content has changed since it was written: its hash is {found}, not {expected}")),
        None => Err("it has no hash in the list".to_owned()),
    }
}

fn seal(hash: ContentHash) -> String {
    format!(",\n  \"hash\": \"{hash}\"\n}}\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_changed_bit_of_a_sealed_file_is_noticed() {
        let text = seal_json("{\n  \"model\": \"cbow\"\n}\n");
        assert!(text.starts_with("{\n  \"model\": \"cbow\",\n  \"hash\": \"xxh3:"), "{text}");
        assert_eq!(check_seal(text.as_bytes()), Ok(()));
        for bit in 0..text.len() * 8 {
            let mut bytes = text.clone().into_bytes();
            bytes[bit / 8] ^= 1 << (bit % 8);
            assert!(check_seal(&bytes).is_err(), "bit {bit}");
        }
        assert!(check_seal(b"").is_err() && check_seal(b"{}\n").is_err());
        assert!(check_seal(text.trim_end().as_bytes()).is_err());
    }

    #[test]
    fn a_file_has_the_hash_that_is_listed() {
        let listed = FileHashes::from([("a".to_owned(), ContentHash::of(b"1"))]);
        assert_eq!(check_file(&listed, "a", ContentHash::of(b"1")), Ok(()));
        assert!(check_file(&listed, "a", ContentHash::of(b"2")).unwrap_err().contains("has changed since it was written"));
        assert_eq!(check_file(&listed, "b", ContentHash::of(b"1")).unwrap_err(), "it has no hash in the list");
    }
}
