//! Surface features of words: hashes of form, affixes and shape, and the row in the word list.
//!
//! The word list has a vector, a cluster and dictionary word classes for about fifty thousand words, so that words missing from the
//! treebanks are still known by similar words.

use crate::{
    hash::{SortedKeys, hash_bytes, hash_str, key, mix},
    linear::read_u32,
};
use std::borrow::Cow;

/// The dimension of a word vector.
pub const VECTOR: usize = 50;

/// The value of one quantisation step of a vector element.
pub const VECTOR_STEP: f32 = 3.5 / 127.0;

/// The known words, each with a cluster, its word classes and a vector, in serialised form.
#[derive(Debug, Clone)]
pub struct WordList {
    keys: SortedKeys,
    bytes: Cow<'static, [u8]>,
    /// The offsets of clusters, word classes and vectors.
    begins: [usize; 3],
}

/// An entry for building a word list.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ListedWord<'a> {
    /// The word in small letters.
    pub word: &'a str,
    /// Its cluster.
    pub cluster: u8,
    /// Its dictionary word classes as bits; see [`SurfaceFeatures::classes`].
    pub classes: u8,
    /// Its vector.
    pub vector: [f32; VECTOR],
}

impl WordList {
    /// Loads a word list; `None` if the bytes are incomplete.
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

    /// Packs words for [`WordList::from_bytes`]; of words with equal hashes, the first is kept.
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

    /// The vector of a row in quantisation steps of [`VECTOR_STEP`].
    pub fn vector(&self, row: usize) -> impl Iterator<Item = i8> {
        self.bytes[self.begins[2] + row * VECTOR..][..VECTOR].iter().map(|&byte| byte as i8)
    }

    /// The number of words.
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    /// Whether there are no words.
    pub fn is_empty(&self) -> bool {
        self.keys.len() == 0
    }

    /// The surface features of each word of a sentence.
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

/// The surface features of a word.
#[derive(Debug, Clone, Copy)]
pub struct SurfaceFeatures {
    /// The hash of the lower-cased form, with digits replaced by 0.
    pub lower: u64,
    /// The hash of the form.
    pub form: u64,
    /// The hashes of the last one to four bytes, lower-cased.
    pub suffixes: [u64; 4],
    /// The hashes of the first one to three bytes, lower-cased.
    pub prefixes: [u64; 3],
    /// The hash of the shape: runs of capitals, lower-case letters, digits and other characters.
    pub shape: u64,
    /// The word's row in the word list.
    pub row: Option<u32>,
    /// The word's cluster, from 1; 0 for a word that is not in the list.
    pub cluster: u16,
    /// The dictionary word classes, from the lowest bit: noun, verb, adjective, adverb; plural, inflected verb, comparative or
    /// superlative; and a noun that is always capitalised. 0 for a word that is not in the list.
    pub classes: u8,
    /// How the word is capitalised.
    pub case: Capitalisation,
    /// How the whole sentence is capitalised.
    pub mode: SentenceMode,
    /// The length in bytes.
    pub length: u8,
}

/// The capitalisation of a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Capitalisation {
    /// No letters.
    None,
    /// Only lower-case letters.
    Lower,
    /// A capital, then lower-case letters.
    Title,
    /// Two or more capitals and no lower-case letter.
    Upper,
    /// A single capital.
    Single,
    /// Any other mixture.
    Mixed,
}

/// The capitalisation of a sentence; telephone transcripts have no capitals, headlines have many.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum SentenceMode {
    /// Normal capitalisation.
    Mixed,
    /// Nothing is capitalised, except perhaps `I`.
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
        // Runs longer than two are shortened to two, so "Xxx" is the shape of every capitalised word.
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
    fn words_are_found_in_any_case() {
        let surfaces = list().surface(["Dog", "dog", "cat"]);
        assert!(surfaces[0].row.is_some());
        assert_eq!(surfaces[0].row, surfaces[1].row);
        assert_eq!(surfaces[0].lower, surfaces[1].lower);
        assert_eq!((surfaces[1].cluster, surfaces[2].cluster), (4, 0));
        assert_eq!((surfaces[1].classes, surfaces[2].classes), (3, 0));
    }

    #[test]
    fn digits_share_a_hash_but_known_numbers_keep_their_row() {
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
    fn cases_and_modes_are_distinguished() {
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
