//! Columns of small numbers in base64.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::Serialize;

/// A column of codes, each of one, two or four bytes, the lowest byte first.
#[derive(Debug, Serialize)]
pub(super) struct Codes {
    bytes: u8,
    base64: String,
}

impl Codes {
    pub(super) fn of(codes: &[u16]) -> Self {
        let narrow: Option<Vec<u8>> = codes.iter().map(|code| u8::try_from(*code).ok()).collect();
        match narrow {
            Some(codes) => Codes { bytes: 1, base64: STANDARD.encode(codes) },
            None => Codes { bytes: 2, base64: STANDARD.encode(codes.iter().flat_map(|code| code.to_le_bytes()).collect::<Vec<u8>>()) },
        }
    }

    /// The positions of examples, counted from 1; 0 is none.
    pub(super) fn of_places(places: &[u32]) -> Self {
        Codes { bytes: 4, base64: STANDARD.encode(places.iter().flat_map(|place| place.to_le_bytes()).collect::<Vec<u8>>()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_take_a_second_byte_only_where_they_must() {
        let codes = |codes: &[u16]| (Codes::of(codes).bytes, Codes::of(codes).base64);
        assert_eq!(codes(&[1, 255]), (1, STANDARD.encode([1, 255])));
        assert_eq!(codes(&[1, 256]), (2, STANDARD.encode([1, 0, 0, 1])));
    }
}
