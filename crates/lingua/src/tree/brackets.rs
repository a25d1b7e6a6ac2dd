//! Finds the brackets of a tree that are open at a position, and checks that all of them balance.
//!
//! Trees have a bracket about every sixth byte, of unpredictable direction, so a byte-by-byte scan mostly waits for mispredicted
//! branches. Many bytes are counted at once instead: 32 with AVX2, otherwise eight. This takes 20 and 41 ns for a hypothesis of SNLI; it
//! is done twice per row of `bench/challenge.py`, which takes about 1,500 ns.

/// Passes the brackets that are open at a position to `open`, the innermost first; returns false if they do not match those closed after
/// it.
pub(super) fn gives_open(text: &str, place: usize, open: impl FnMut(usize)) -> bool {
    let (before, behind) = text.as_bytes().split_at(place);
    let closed = behind.iter().fold(0, |closed, byte| closed + isize::from(*byte == b')') - isize::from(*byte == b'('));
    let Ok(closed) = usize::try_from(closed) else { return false };
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") {
        // SAFETY: AVX2 was detected above.
        #[allow(unsafe_code)]
        if let Some(found) = unsafe { avx2::open_brackets(before, closed) } {
            return found.give(open);
        }
    }
    by_words(before, closed, open)
}

/// Positions of brackets, the innermost first. The few in a normal sentence need no allocation.
#[derive(Debug, Default)]
pub(super) struct OpenBrackets {
    few: [usize; 8],
    count: usize,
    /// All of them, if there are many.
    many: Vec<usize>,
}

impl OpenBrackets {
    pub(super) fn push(&mut self, bracket: usize) {
        match self.few.get_mut(self.count) {
            Some(place) => *place = bracket,
            None => {
                if self.many.is_empty() {
                    self.many.extend(self.few);
                }
                self.many.push(bracket);
            }
        }
        self.count += 1;
    }

    pub(super) fn all(&self) -> &[usize] {
        self.few.get(..self.count).unwrap_or(&self.many)
    }
}

/// Scanning backwards, a bracket is open only if nothing closes it, so eight bytes are counted at once as long as none of them can be
/// open.
fn by_words(bytes: &[u8], expected: usize, mut open: impl FnMut(usize)) -> bool {
    let mut count = 0;
    // Closing brackets whose opening ones have not been reached yet.
    let mut closed = 0;
    let mut one = |at: usize, closed: &mut usize| match bytes[at] {
        b')' => *closed += 1,
        b'(' if *closed > 0 => *closed -= 1,
        b'(' => {
            count += 1;
            open(at);
        }
        _ => {}
    };
    let (rest, words) = bytes.as_rchunks::<8>();
    for (n, word) in words.iter().enumerate().rev() {
        let (opening, closing) = brackets(*word);
        if opening <= closed {
            closed = closed + closing - opening;
        } else {
            (0..8).rev().for_each(|byte| one(rest.len() + 8 * n + byte, &mut closed));
        }
    }
    (0..rest.len()).rev().for_each(|at| one(at, &mut closed));
    closed == 0 && count == expected
}

/// The numbers of opening and closing brackets in eight bytes.
fn brackets(word: [u8; 8]) -> (usize, usize) {
    const ONES: u64 = u64::from_ne_bytes([1; 8]);
    const LOW_BITS: u64 = 0x7f * ONES;
    let word = u64::from_le_bytes(word);
    // Zero if a byte is `(` (0x28) or `)` (0x29), which differ in the lowest bit.
    let others = (word & (0xfe * ONES)) ^ (0x28 * ONES);
    let brackets = (!(((others & LOW_BITS) + LOW_BITS) | others | LOW_BITS)) >> 7;
    let closing = brackets & word;
    let count = |flags: u64| (flags.wrapping_mul(ONES) >> 56) as usize;
    (count(brackets ^ closing), count(closing))
}

#[cfg(target_arch = "x86_64")]
mod avx2 {
    use std::arch::x86_64::{
        __m256i, _mm256_add_epi8, _mm256_and_si256, _mm256_cmpeq_epi8, _mm256_cmpgt_epi8, _mm256_extract_epi8, _mm256_loadu_si256,
        _mm256_max_epu8, _mm256_movemask_epi8, _mm256_permute2x128_si256, _mm256_set1_epi8, _mm256_setzero_si256, _mm256_shuffle_epi8,
        _mm256_slli_si256, _mm256_storeu_si256, _mm256_sub_epi8,
    };

    /// The number of bytes processed at once.
    const LANES: usize = 32;

    /// The maximum number of open brackets that are kept; a sentence has two or three at its final stop.
    const MOST_OPEN: usize = 15;

    /// The maximum depth that a byte can count safely: the next 32 brackets do not make it negative.
    const DEEPEST: u8 = 95;

    /// Counts the depth of each byte forwards: the open bracket of a depth is the last one that opened it. `None` if the tree is too
    /// deep.
    #[target_feature(enable = "avx2")]
    pub(super) fn open_brackets(bytes: &[u8], expected: usize) -> Option<Found> {
        if expected > MOST_OPEN {
            return None;
        }
        let mut count = Count::new(expected);
        let (chunks, rest) = bytes.as_chunks();
        for (n, chunk) in chunks.iter().enumerate() {
            count.add(chunk, LANES * n, 0);
        }
        // The last bytes are processed together with preceding ones that were already counted.
        match bytes.last_chunk() {
            Some(last) => count.add(last, bytes.len() - LANES, LANES - rest.len()),
            None => {
                let mut last = [0; LANES];
                last[..rest.len()].copy_from_slice(rest);
                count.add(&last, 0, 0);
            }
        }
        if bytes_of(count.deepest).iter().any(|depth| *depth > DEEPEST) {
            return None;
        }
        let balanced = _mm256_extract_epi8::<0>(count.depth) as usize == expected;
        Some(Found { openings: count.openings, open: balanced.then_some(expected) })
    }

    /// The result for the text before a position.
    pub(super) struct Found {
        /// The position of the last bracket that opened each depth; depth 0 is unused.
        openings: [usize; MOST_OPEN + 1],
        /// The number of open brackets; `None` if the brackets do not balance.
        open: Option<usize>,
    }

    impl Found {
        /// Passes the open brackets to `open`, the innermost first; false if the brackets do not balance.
        pub(super) fn give(&self, open: impl FnMut(usize)) -> bool {
            let Some(count) = self.open else { return false };
            self.openings[1..=count].iter().rev().copied().for_each(open);
            true
        }
    }

    /// The state of counting.
    struct Count {
        openings: [usize; MOST_OPEN + 1],
        /// One more than the deepest bracket of interest, in every byte.
        deeper: __m256i,
        /// The current depth, in every byte.
        depth: __m256i,
        /// The maximum depth so far; as unsigned numbers, negative depths are the largest.
        deepest: __m256i,
    }

    impl Count {
        #[target_feature(enable = "avx2")]
        #[inline]
        fn new(expected: usize) -> Self {
            let (none, deeper) = (_mm256_setzero_si256(), _mm256_set1_epi8(expected as i8 + 1));
            Count { openings: [0; MOST_OPEN + 1], deeper, depth: none, deepest: none }
        }

        /// Counts the brackets of a chunk at `start`, skipping its first `without` bytes.
        #[target_feature(enable = "avx2")]
        #[inline]
        fn add(&mut self, chunk: &[u8; LANES], start: usize, without: usize) {
            let (opening, sums) = sums(chunk, without);
            let depths = _mm256_add_epi8(sums, self.depth);
            self.depth = last_in_all(depths);
            self.deepest = _mm256_max_epu8(self.deepest, depths);
            let mut wanted = _mm256_movemask_epi8(_mm256_and_si256(opening, _mm256_cmpgt_epi8(self.deeper, depths))).cast_unsigned();
            if wanted == 0 {
                return;
            }
            let depths = bytes_of(depths);
            while wanted != 0 {
                let at = wanted.trailing_zeros() as usize;
                if let Some(opening) = self.openings.get_mut(usize::from(depths[at])) {
                    *opening = start + at;
                }
                wanted &= wanted - 1;
            }
        }
    }

    /// A mask of opening brackets, and the depth at each byte relative to the start of the chunk; skipped bytes do not count.
    #[target_feature(enable = "avx2")]
    #[inline]
    fn sums(chunk: &[u8; LANES], without: usize) -> (__m256i, __m256i) {
        let bytes = vector(chunk);
        let counts = _mm256_cmpgt_epi8(vector(&NUMBERS), _mm256_set1_epi8(without as i8 - 1));
        let opening = _mm256_and_si256(counts, _mm256_cmpeq_epi8(bytes, _mm256_set1_epi8(b'('.cast_signed())));
        let closing = _mm256_and_si256(counts, _mm256_cmpeq_epi8(bytes, _mm256_set1_epi8(b')'.cast_signed())));
        // Prefix sums by doubling in each half; then the total of the first half is added to the second. An equal byte is -1.
        let mut sums = _mm256_sub_epi8(closing, opening);
        sums = _mm256_add_epi8(sums, _mm256_slli_si256::<1>(sums));
        sums = _mm256_add_epi8(sums, _mm256_slli_si256::<2>(sums));
        sums = _mm256_add_epi8(sums, _mm256_slli_si256::<4>(sums));
        sums = _mm256_add_epi8(sums, _mm256_slli_si256::<8>(sums));
        let first_half = _mm256_shuffle_epi8(_mm256_permute2x128_si256::<0x08>(sums, sums), _mm256_set1_epi8(15));
        (opening, _mm256_add_epi8(sums, first_half))
    }

    /// The indices of the bytes.
    const NUMBERS: [u8; LANES] = {
        let (mut numbers, mut n) = ([0; LANES], 0);
        while n < LANES {
            numbers[n] = n as u8;
            n += 1;
        }
        numbers
    };

    #[target_feature(enable = "avx2")]
    #[inline]
    fn vector(bytes: &[u8; LANES]) -> __m256i {
        // SAFETY: reads exactly the 32 bytes of the chunk; they need not be aligned.
        #[allow(unsafe_code)]
        unsafe {
            _mm256_loadu_si256(bytes.as_ptr().cast())
        }
    }

    /// Broadcasts the last byte.
    #[target_feature(enable = "avx2")]
    #[inline]
    fn last_in_all(bytes: __m256i) -> __m256i {
        _mm256_shuffle_epi8(_mm256_permute2x128_si256::<0x11>(bytes, bytes), _mm256_set1_epi8(15))
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    fn bytes_of(vector: __m256i) -> [u8; LANES] {
        let mut bytes = [0; LANES];
        // SAFETY: writes exactly 32 bytes; they need not be aligned.
        #[allow(unsafe_code)]
        unsafe {
            _mm256_storeu_si256(bytes.as_mut_ptr().cast(), vector)
        };
        bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Compares both implementations with a stack.
    fn check(text: &str, place: usize) {
        let (mut stack, mut balanced) = (Vec::new(), true);
        for (at, byte) in text.bytes().enumerate().take(place) {
            match byte {
                b'(' => stack.push(at),
                b')' => balanced &= stack.pop().is_some(),
                _ => {}
            }
        }
        stack.reverse();
        let behind = text[place..].matches(')').count() as isize - text[place..].matches('(').count() as isize;
        let expected = balanced && behind == stack.len() as isize;
        let (mut open, mut open_by_words) = (Vec::new(), Vec::new());
        assert_eq!(gives_open(text, place, |bracket| open.push(bracket)), expected, "{text} at {place}");
        assert!(!expected || open == stack, "{text} at {place}");
        if let Ok(behind) = usize::try_from(behind) {
            assert_eq!(by_words(&text.as_bytes()[..place], behind, |bracket| open_by_words.push(bracket)), expected, "{text} at {place}");
            assert!(!expected || open_by_words == stack, "{text} at {place}");
        }
    }

    proptest! {
        #[test]
        fn unclosed_brackets_are_open(text in "[()' *\u{a8}\u{a9}\u{7f}]{0,120}|[(]{0,12}[()a]{0,100}", cut: prop::sample::Index) {
            let places: Vec<usize> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
            check(&text, places[cut.index(places.len())]);
        }

        #[test]
        fn brackets_that_balance_are_found_at_any_depth(shape in prop::collection::vec(0..3u8, 0..200), cut: prop::sample::Index) {
            let (mut text, mut depth) = (String::new(), 0);
            for part in shape {
                match part {
                    0 => text.push_str("(S "),
                    1 if depth > 0 => text.push(')'),
                    _ => text.push_str("word "),
                }
                depth = depth + usize::from(part == 0) - usize::from(part == 1 && depth > 0);
            }
            text.push_str(&")".repeat(depth));
            check(&text, cut.index(text.len() + 1));
        }
    }

    #[test]
    fn few_and_many_open_brackets_are_kept_in_their_order() {
        let mut open = OpenBrackets::default();
        for count in 0..20 {
            assert_eq!(open.all(), (0..count).collect::<Vec<_>>());
            open.push(count);
        }
    }

    #[test]
    fn trees_deeper_than_a_byte_can_count_are_handled() {
        for depth in [15, 16, 95, 96, 127, 128, 255, 256, 300, 1000] {
            let text = format!("{}{}", "(".repeat(depth), ")".repeat(depth));
            for place in [0, 1, 10, depth, depth + 1, 2 * depth - 20, 2 * depth - 1, 2 * depth] {
                check(&text, place);
                check(&text[..text.len() - 1], place.min(text.len() - 1));
                check(&format!(")){text}(("), place);
            }
        }
    }
}
