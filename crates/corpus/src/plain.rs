//! The bytes that JSON cannot hold as they are inside a string: quotation marks, backslashes and control characters.
//!
//! Reading searches for them to find the end of a string, writing counts them to check that all texts could be copied. Nearly all bytes of a corpus
//! are examined both times, so vector instructions are used where the processor has them.

/// Finds the first special byte; chosen once for many texts, so that the search can be inlined into the work on them.
pub(crate) trait FindSpecial: Copy {
    /// The position of the first special byte, from an offset on.
    fn first(self, bytes: &[u8], from: usize) -> Option<usize>;
}

/// Work that searches for special bytes repeatedly.
pub(crate) trait SearchWork {
    /// Its result.
    type Done;

    /// Does the work; to be marked `#[inline(always)]`, so that it is compiled for each kind of search.
    fn run(self, find: impl FindSpecial) -> Self::Done;
}

/// Does the work with the fastest search that the processor supports.
#[inline]
pub(crate) fn searching<W: SearchWork>(work: W) -> W::Done {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") {
        // SAFETY: AVX2 was just detected.
        #[allow(unsafe_code)]
        return unsafe { avx2::searching(work) };
    }
    work.run(ByWords)
}

/// The position of the first special byte.
pub(crate) fn first_special(bytes: &[u8]) -> Option<usize> {
    struct First<'b>(&'b [u8]);
    impl SearchWork for First<'_> {
        type Done = Option<usize>;
        #[inline(always)]
        fn run(self, find: impl FindSpecial) -> Option<usize> {
            find.first(self.0, 0)
        }
    }
    searching(First(bytes))
}

/// The number of special bytes.
pub(crate) fn count_special(bytes: &[u8]) -> usize {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") {
        // SAFETY: AVX2 was just detected.
        #[allow(unsafe_code)]
        return unsafe { avx2::count_special(bytes) };
    }
    count_in_lanes(bytes)
}

/// The number of bytes per step.
const LANES: usize = 32;

/// Counts special bytes in a loop that the compiler can vectorise.
#[inline(always)]
fn count_in_lanes(bytes: &[u8]) -> usize {
    let (chunks, rest) = bytes.as_chunks::<LANES>();
    let mut count = rest.iter().filter(|byte| is_special(**byte)).count();
    // A lane can count to 255.
    for chunks in chunks.chunks(usize::from(u8::MAX)) {
        let mut lanes = [0u8; LANES];
        for chunk in chunks {
            lanes.iter_mut().zip(chunk).for_each(|(lane, byte)| *lane += u8::from(is_special(*byte)));
        }
        count += lanes.iter().map(|&lane| usize::from(lane)).sum::<usize>();
    }
    count
}

/// Whether a byte is special. With its second bit flipped, the quotation mark (0x22) directly follows the control characters.
#[inline(always)]
fn is_special(byte: u8) -> bool {
    (byte ^ 0x02 <= 0x20) | (byte == b'\\')
}

/// Searches eight bytes at a time, on any processor.
#[derive(Clone, Copy)]
struct ByWords;

impl FindSpecial for ByWords {
    fn first(self, bytes: &[u8], from: usize) -> Option<usize> {
        let (words, rest) = bytes[from..].as_chunks();
        for (n, word) in words.iter().enumerate() {
            let special = special_in_word(*word);
            if special != 0 {
                return Some(from + 8 * n + special.trailing_zeros() as usize / 8);
            }
        }
        rest.iter().position(|&byte| is_special(byte)).map(|at| bytes.len() - rest.len() + at)
    }
}

/// The highest bit of every special byte; after the first of them, in text order, other bits may be set too.
fn special_in_word(word: [u8; 8]) -> u64 {
    const ONES: u64 = u64::from_ne_bytes([1; 8]);
    let word = u64::from_le_bytes(word);
    let less_than = |word: u64, limit: u64| word.wrapping_sub(limit * ONES) & !word;
    let low = less_than(word ^ (0x02 * ONES), 0x21);
    let backslash = less_than(word ^ (u64::from(b'\\') * ONES), 1);
    (low | backslash) & (0x80 * ONES)
}

#[cfg(target_arch = "x86_64")]
mod avx2 {
    use super::{ByWords, FindSpecial, LANES, SearchWork, count_in_lanes};
    use std::arch::x86_64::{
        _mm256_cmpeq_epi8, _mm256_loadu_si256, _mm256_min_epu8, _mm256_movemask_epi8, _mm256_or_si256, _mm256_set1_epi8, _mm256_xor_si256,
    };

    #[target_feature(enable = "avx2")]
    pub(super) fn searching<W: SearchWork>(work: W) -> W::Done {
        work.run(ByLanes(()))
    }

    #[target_feature(enable = "avx2")]
    pub(super) fn count_special(bytes: &[u8]) -> usize {
        count_in_lanes(bytes)
    }

    /// Searches 32 bytes at a time. Only [`searching`] creates it, after detecting AVX2.
    #[derive(Clone, Copy)]
    struct ByLanes(());

    impl FindSpecial for ByLanes {
        #[inline(always)]
        fn first(self, bytes: &[u8], from: usize) -> Option<usize> {
            // SAFETY: a `ByLanes` exists only if the processor has AVX2.
            #[allow(unsafe_code)]
            unsafe {
                first_special(bytes, from)
            }
        }
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    fn first_special(bytes: &[u8], from: usize) -> Option<usize> {
        let mut rest = &bytes[from..];
        while let Some((chunk, after)) = rest.split_first_chunk() {
            let special = special(chunk);
            if special != 0 {
                return Some(bytes.len() - rest.len() + special.trailing_zeros() as usize);
            }
            rest = after;
        }
        // The last bytes are examined together with earlier ones, which are masked out. Every row ends this way.
        let Some(last) = bytes.last_chunk() else { return ByWords.first(bytes, bytes.len() - rest.len()) };
        let special = u64::from(special(last)) >> (LANES - rest.len());
        (special != 0).then(|| bytes.len() - rest.len() + special.trailing_zeros() as usize)
    }

    /// A bit for each byte, set where it is special.
    #[target_feature(enable = "avx2")]
    #[inline]
    fn special(chunk: &[u8; LANES]) -> u32 {
        // SAFETY: exactly 32 bytes are read, which need not be aligned.
        #[allow(unsafe_code)]
        let bytes = unsafe { _mm256_loadu_si256(chunk.as_ptr().cast()) };
        let turned = _mm256_xor_si256(bytes, _mm256_set1_epi8(0x02));
        let low = _mm256_cmpeq_epi8(_mm256_min_epu8(turned, _mm256_set1_epi8(0x20)), turned);
        let backslash = _mm256_cmpeq_epi8(bytes, _mm256_set1_epi8(b'\\'.cast_signed()));
        _mm256_movemask_epi8(_mm256_or_si256(low, backslash)).cast_unsigned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exactly_the_special_bytes_are_found_at_any_position() {
        for length in (0..20).chain([31, 32, 33, 63, 64, 65, 100]) {
            let plain = vec![b'a'; length];
            assert_eq!((first_special(&plain), ByWords.first(&plain, 0)), (None, None), "{length}");
            for byte in 0..=u8::MAX {
                for at in 0..length {
                    let mut bytes = plain.clone();
                    bytes[at] = byte;
                    // What follows the first does not matter.
                    bytes[at + 1..].fill(if byte % 2 == 0 { b'!' } else { b'\\' });
                    let expected = bytes.iter().position(|&byte| is_special(byte));
                    assert_eq!((first_special(&bytes), ByWords.first(&bytes, 0)), (expected, expected), "{byte} at {at} of {length}");
                }
            }
        }
    }

    #[test]
    fn special_bytes_before_the_offset_do_not_count() {
        struct From<'b>(&'b [u8], usize);
        impl SearchWork for From<'_> {
            type Done = Option<usize>;
            fn run(self, find: impl FindSpecial) -> Option<usize> {
                find.first(self.0, self.1)
            }
        }
        for length in [0, 1, 7, 31, 32, 33, 40, 63, 64, 70] {
            for (from, special) in (0..=length).flat_map(|from| (0..=length).map(move |special| (from, special))) {
                let mut bytes = vec![b'"'; from];
                bytes.resize(length, b'a');
                bytes[special..].fill(b'"');
                let expected = Some(special.max(from)).filter(|at| *at < length);
                assert_eq!(
                    (searching(From(&bytes, from)), ByWords.first(&bytes, from)),
                    (expected, expected),
                    "{from}, {special} of {length}"
                );
            }
        }
    }

    #[test]
    fn all_special_bytes_are_counted() {
        for length in [0, 1, 31, 32, 100, LANES * 255, LANES * 256 + 1] {
            let bytes: Vec<u8> = (0..length).map(|n| (n % 251) as u8).collect();
            let expected = bytes.iter().filter(|byte| is_special(**byte)).count();
            assert_eq!((count_special(&bytes), count_in_lanes(&bytes)), (expected, expected), "{length}");
            assert_eq!(count_special(&vec![b'"'; length]), length);
        }
    }

    #[test]
    fn special_bytes_are_those_that_json_escapes() {
        for byte in 0..0x80u8 {
            let escaped = serde_json::to_string(&char::from(byte)).unwrap().len() > 3;
            assert_eq!(is_special(byte), escaped, "{byte}");
        }
    }
}
