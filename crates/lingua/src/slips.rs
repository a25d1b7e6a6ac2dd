//! Spelling errors: corrects a word that no dictionary has.
//!
//! Only errors that rarely turn one word into another are corrected: two transposed letters, a letter doubled or missing a double, a
//! missing vowel, and repeated letters (`soooo`).

use crate::wordnet::{PartOfSpeech, WordNet};

/// The corrected word in lower case; `None` if the dictionary has the word, or no close one.
///
/// ```
/// use acidtest_lingua::slips::meant;
/// assert_eq!(meant("appologies").as_deref(), Some("apologies"));
/// assert_eq!(meant("undrstood").as_deref(), Some("understood"));
/// assert_eq!(meant("soooo").as_deref(), Some("so"));
/// assert_eq!(meant("dogs"), None);
/// ```
pub fn meant(lower: &str) -> Option<String> {
    if lower.len() < 4 || !lower.bytes().all(|byte| byte.is_ascii_lowercase()) || is_known(lower) {
        return None;
    }
    if let Some(short) = shortened(lower) {
        return Some(short);
    }
    if lower.len() < 6 {
        return None;
    }
    let mut best: Option<(u32, String)> = None;
    for candidate in candidates(lower.as_bytes()) {
        let frequency = frequency(&candidate).filter(|&count| count > 0);
        if let Some(count) = frequency.filter(|count| best.as_ref().is_none_or(|(most, _)| count > most)) {
            best = Some((count, candidate));
        }
    }
    best.map(|(_, word)| word)
}

/// Whether the dictionary has a form of the word; faster than its frequency.
fn is_known(word: &str) -> bool {
    PartOfSpeech::ALL.into_iter().any(|part| !WordNet::get().morphy(word, part).is_empty())
}

/// The corpus frequency of the lemmas of a word; `None` if it has none.
fn frequency(word: &str) -> Option<u32> {
    let net = WordNet::get();
    let mut most = None;
    for part in PartOfSpeech::ALL {
        for base in net.morphy(word, part) {
            let count: u32 = net.senses(&base, part).iter().map(|(_, count)| count).sum();
            most = most.max(Some(count));
        }
    }
    most
}

/// The word with letters that are repeated three or more times reduced to one or two.
fn shortened(word: &str) -> Option<String> {
    let bytes = word.as_bytes();
    if !bytes.windows(3).any(|three| three[0] == three[1] && three[1] == three[2]) {
        return None;
    }
    let at_most = |most: usize| {
        let mut short = String::new();
        let mut run = 0;
        for (place, &byte) in bytes.iter().enumerate() {
            run = if place > 0 && bytes[place - 1] == byte { run + 1 } else { 1 };
            let drawn_out = bytes[place..].iter().take_while(|&&other| other == byte).count() + run > 3;
            if !drawn_out || run <= most {
                short.push(char::from(byte));
            }
        }
        short
    };
    [1, 2].into_iter().map(at_most).find(|short| is_known(short))
}

fn candidates(word: &[u8]) -> Vec<String> {
    let mut candidates = Vec::new();
    let mut push = |bytes: Vec<u8>| candidates.extend(String::from_utf8(bytes));
    for place in 0..word.len() {
        let (front, back) = word.split_at(place);
        if let [first, second, rest @ ..] = back {
            if first != second {
                push([front, &[*second, *first], rest].concat());
            } else {
                push([front, &[*first], rest].concat());
            }
        }
        if place > 0 {
            push([front, &back[..1], back].concat());
            for vowel in b"aeiou" {
                push([front, &[*vowel], back].concat());
            }
        }
    }
    candidates
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn common_spelling_errors_are_corrected() {
        for (slip, word) in
            [("accomodate", "accommodate"), ("peopel", "people"), ("straigthforward", "straightforward"), ("happpy", "happy")]
        {
            assert_eq!(meant(slip).as_deref(), Some(word), "{slip}");
        }
    }

    #[test]
    fn other_words_are_not_corrected() {
        for word in ["", "a", "redlined", "blorg", "été", "u.s.", "stopped", "women"] {
            assert_eq!(meant(word), None, "{word}");
        }
    }
}
