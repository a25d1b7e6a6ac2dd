//! Compressed built-in data.

use flate2::read::ZlibDecoder;
use std::io::Read;

/// Decompresses a built-in file.
pub(crate) fn inflate(packed: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(packed.len() * 4);
    ZlibDecoder::new(packed).read_to_end(&mut bytes).expect("the shipped data is whole, as a test reads it through");
    bytes
}

/// Decompresses a built-in text file.
pub(crate) fn inflate_text(packed: &[u8]) -> String {
    String::from_utf8(inflate(packed)).expect("the shipped data is UTF-8, as a test reads it through")
}
