//! What the models see of a word: hashes of its form, its affixes and its shape, and its place in the word list.
//!
//! The word list holds a vector, a cluster and the word classes of the dictionary for some fifty thousand words, so that a
//! word the treebanks do not have is still known by its likes.

use crate::{
    hash::{SortedKeys, hash_bytes, hash_str, key, mix},
    linear::read_u32,
};
use std::borrow::Cow;

/// The length of a word vector.
pub const VECTOR: usize = 50;

/// What one step of a stored vector number is worth.
pub const VECTOR_STEP: f32 = 3.5 / 127.0;

/// The known words, each with a cluster, its word classes and a vector; used where its bytes lie.
#[derive(Debug, Clone)]
pub struct WordList {
    keys: SortedKeys,
    bytes: Cow<'static, [u8]>,
    /// Where clusters, word classes and vectors begin.
    begins: [usize; 3],
}

/// A word of the list, as it is built.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ListedWord<'a> {
    /// The word in small letters.
    pub word: &'a str,
    /// Its cluster.
    pub cluster: u8,
    /// The word classes the dictionary gives it, a bit each; see [`SurfaceFeatures::classes`].
    pub classes: u8,
    /// Its vector.
    pub vector: [f32; VECTOR],
}

impl WordList {
    /// Reads the bytes of a word list; none when they are cut short.
    pub fn from_bytes(bytes: impl Into<Cow<'static, [u8]>>) -> Option<WordList> {
        let bytes = bytes.into();
        let (count, rest) = read_u32(&bytes)?;
        let count = count as usize;
        let (keys, rest) = rest.split_at_checked(count.checked_mul(4)?)?;
        if rest.len() != count * (VECTOR + 2) {
            return None;
        }
        let keys = SortedKeys::new(keys.as_chunks::<4>().0.iter().map(|key| u32::from_le_bytes(*key)))?;
        Some(WordList { keys, begins: [4 + count * 4, 4 + count * 5, 4 + count * 6], bytes })
    }

    /// Packs words into the form that [`WordList::from_bytes`] reads; of words that look alike to the hash the first is kept.
    pub fn to_bytes(words: &[ListedWord]) -> Vec<u8> {
        let mut order: Vec<(u32, &ListedWord)> = words.iter().map(|word| (key(hash_str(word.word)), word)).collect();
        order.sort_by_key(|&(key, _)| key);
        order.dedup_by_key(|&mut (key, _)| key);
        let mut bytes = (order.len() as u32).to_le_bytes().to_vec();
        order.iter().for_each(|(key, _)| bytes.extend(key.to_le_bytes()));
        bytes.extend(order.iter().map(|(_, word)| word.cluster));
        bytes.extend(order.iter().map(|(_, word)| word.classes));
        for (_, word) in order {
            bytes.extend(word.vector.iter().map(|number| (number / VECTOR_STEP).round().clamp(-127.0, 127.0) as i8 as u8));
        }
        bytes
    }

    /// The vector of a row in whole steps; each is worth [`VECTOR_STEP`].
    pub fn vector(&self, row: usize) -> impl Iterator<Item = i8> {
        self.bytes[self.begins[2] + row * VECTOR..][..VECTOR].iter().map(|&byte| byte as i8)
    }

    /// How many words there are.
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    /// Whether there are no words at all.
    pub fn is_empty(&self) -> bool {
        self.keys.len() == 0
    }

    /// What the models see of each word of a sentence.
    pub fn surface<'a>(&self, forms: impl IntoIterator<Item = &'a str>) -> Vec<SurfaceFeatures> {
        let mut buffer = Vec::with_capacity(32);
        let mut surfaces: Vec<SurfaceFeatures> = forms.into_iter().map(|form| self.surface_of(form, &mut buffer)).collect();
        let mode = sentence_mode(&surfaces);
        surfaces.iter_mut().for_each(|surface| surface.mode = mode);
        surfaces
    }

    fn surface_of(&self, form: &str, buffer: &mut Vec<u8>) -> SurfaceFeatures {
        buffer.clear();
        let mut has_digit = false;
        if form.is_ascii() {
            for byte in form.bytes() {
                has_digit |= byte.is_ascii_digit();
                buffer.push(byte.to_ascii_lowercase());
            }
        } else {
            buffer.extend(form.to_lowercase().into_bytes());
            has_digit = buffer.iter().any(u8::is_ascii_digit);
        }
        let mut lower = hash_bytes(buffer);
        let row = self.keys.find(key(lower)).map(|row| row as u32);
        let of_row = |part: usize| row.map(|row| self.bytes[self.begins[part] + row as usize]);
        if has_digit {
            buffer.iter_mut().filter(|byte| byte.is_ascii_digit()).for_each(|byte| *byte = b'0');
            lower = hash_bytes(buffer);
        }
        let length = buffer.len();
        let suffix = |size: usize| hash_bytes(&buffer[length.saturating_sub(size)..]);
        let prefix = |size: usize| hash_bytes(&buffer[..length.min(size)]);
        let (shape, case) = shape_of(form);
        SurfaceFeatures {
            lower,
            form: hash_str(form),
            suffixes: [suffix(1), suffix(2), suffix(3), suffix(4)],
            prefixes: [prefix(1), prefix(2), prefix(3)],
            shape,
            row,
            cluster: of_row(0).map_or(0, |cluster| u16::from(cluster) + 1),
            classes: of_row(1).unwrap_or(0),
            case,
            mode: SentenceMode::Mixed,
            length: length.min(255) as u8,
        }
    }
}

/// What the models see of a word.
#[derive(Debug, Clone, Copy)]
pub struct SurfaceFeatures {
    /// Hash of the lower-cased form, each digit written as 0.
    pub lower: u64,
    /// Hash of the form as it stands.
    pub form: u64,
    /// Hashes of the last one to four bytes, lower-cased.
    pub suffixes: [u64; 4],
    /// Hashes of the first one to three bytes, lower-cased.
    pub prefixes: [u64; 3],
    /// Hash of the shape: runs of capitals, small letters, digits and other marks.
    pub shape: u64,
    /// The word's row in the word list.
    pub row: Option<u32>,
    /// The word's cluster, from 1; 0 for a word that is not in the list.
    pub cluster: u16,
    /// What the dictionary has: from the lowest bit a noun, verb, adjective, adverb; a plural, an inflected verb, a degree;
    /// and a noun that is always written with a capital. 0 for a word that is not in the list.
    pub classes: u8,
    /// How the word is capitalised.
    pub case: Capitalisation,
    /// How the whole sentence is capitalised.
    pub mode: SentenceMode,
    /// Length in bytes.
    pub length: u8,
}

/// How a word is capitalised.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Capitalisation {
    /// No letters.
    None,
    /// Small letters only.
    Lower,
    /// A capital, then small letters.
    Title,
    /// Two or more capitals and no small letter.
    Upper,
    /// A single capital.
    Single,
    /// Any other mixture.
    Mixed,
}

/// How a sentence is capitalised; telephone transcripts have no capitals, headlines have many.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum SentenceMode {
    /// Capitals where edited text has them.
    Mixed,
    /// Nothing is capitalised but perhaps `I`.
    Lower,
    /// Everything is in capitals.
    Upper,
    /// Most words begin with a capital.
    Title,
}

fn sentence_mode(surfaces: &[SurfaceFeatures]) -> SentenceMode {
    let count = |case: Capitalisation| surfaces.iter().filter(|surface| surface.case == case).count();
    let (lower, title, upper, mixed) =
        (count(Capitalisation::Lower), count(Capitalisation::Title), count(Capitalisation::Upper), count(Capitalisation::Mixed));
    let words = lower + title + upper + mixed;
    if words < 2 {
        SentenceMode::Mixed
    } else if title + upper + mixed == 0 {
        SentenceMode::Lower
    } else if upper > 1 && upper * 5 >= words * 4 {
        SentenceMode::Upper
    } else if title > 3 && title * 3 >= words * 2 {
        SentenceMode::Title
    } else {
        SentenceMode::Mixed
    }
}

fn shape_of(form: &str) -> (u64, Capitalisation) {
    let (mut shape, mut last, mut run) = (0u64, 0u8, 0u32);
    let (mut capitals, mut smalls, mut title) = (0, 0, false);
    for (place, letter) in form.chars().enumerate() {
        let class = if letter.is_ascii_lowercase() {
            b'x'
        } else if letter.is_ascii_uppercase() {
            b'X'
        } else if letter.is_ascii_digit() {
            b'0'
        } else if letter.is_uppercase() {
            b'X'
        } else if letter.is_alphabetic() {
            b'x'
        } else {
            if letter.is_ascii() { letter as u8 } else { b'?' }
        };
        match class {
            b'X' => capitals += 1,
            b'x' => smalls += 1,
            _ => {}
        }
        title |= place == 0 && class == b'X';
        run = if class == last { run + 1 } else { 1 };
        // A run longer than two says no more than one of two, so "Xxx" stands for every capitalised word.
        if run <= 2 {
            shape = mix(shape, u64::from(class));
        }
        last = class;
    }
    let case = match (capitals, smalls) {
        (0, 0) => Capitalisation::None,
        (0, _) => Capitalisation::Lower,
        (1, 0) => Capitalisation::Single,
        (_, 0) => Capitalisation::Upper,
        (1, _) if title => Capitalisation::Title,
        _ => Capitalisation::Mixed,
    };
    (shape, case)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list() -> WordList {
        let dog = ListedWord { word: "dog", cluster: 3, classes: 3, vector: [0.5; VECTOR] };
        let year = ListedWord { word: "1990", cluster: 4, classes: 0, vector: [-9.0; VECTOR] };
        WordList::from_bytes(WordList::to_bytes(&[dog, year])).unwrap()
    }

    #[test]
    fn a_word_is_known_whatever_its_case() {
        let surfaces = list().surface(["Dog", "dog", "cat"]);
        assert!(surfaces[0].row.is_some());
        assert_eq!(surfaces[0].row, surfaces[1].row);
        assert_eq!(surfaces[0].lower, surfaces[1].lower);
        assert_eq!((surfaces[1].cluster, surfaces[2].cluster), (4, 0));
        assert_eq!((surfaces[1].classes, surfaces[2].classes), (3, 0));
    }

    #[test]
    fn digits_look_alike_but_known_numbers_keep_their_row() {
        let surfaces = list().surface(["1990", "1991"]);
        assert_eq!(surfaces[0].lower, surfaces[1].lower);
        assert_eq!((surfaces[0].row.is_some(), surfaces[1].row), (true, None));
    }

    #[test]
    fn vectors_beyond_the_range_are_clamped() {
        let row = list().surface(["1990"])[0].row.unwrap() as usize;
        assert_eq!(list().vector(row).collect::<Vec<_>>(), [-127; VECTOR]);
    }

    #[test]
    fn cases_and_modes_are_told_apart() {
        let check = |form: &str, case: Capitalisation| assert_eq!(shape_of(form).1, case, "{form}");
        check("dog", Capitalisation::Lower);
        check("Dog", Capitalisation::Title);
        check("USA", Capitalisation::Upper);
        check("I", Capitalisation::Single);
        check("iPod", Capitalisation::Mixed);
        check("...", Capitalisation::None);
        let mode = |text: &str| list().surface(text.split(' '))[0].mode;
        assert_eq!(mode("i went home"), SentenceMode::Lower);
        assert_eq!(mode("I went home"), SentenceMode::Lower);
        assert_eq!(mode("We went home"), SentenceMode::Mixed);
        assert_eq!(mode("WE WENT HOME"), SentenceMode::Upper);
    }
}
