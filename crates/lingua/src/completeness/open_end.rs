//! How a text ends: complete, or with a mark or a word that announces more.

use crate::clause_type::without_closing_marks;
use memchr::memchr;

/// Whether a text ends in a full stop or an exclamation mark, perhaps inside quotes. Transcripts of speech do not.
pub(super) fn ends_in_stop(text: &str) -> bool {
    without_closing_marks(text).ends_with(['.', '!'])
}

/// Whether a text ends in a mark or a word that announces more, or in brackets that nothing closes.
pub(super) fn has_open_end(text: &str) -> bool {
    if ends_plainly(text) {
        return false;
    }
    let end = without_closing_marks(text);
    let ellipsis = || end.ends_with('…') || end.ends_with("..") || end.ends_with(". .");
    end.ends_with([':', ';', ',', '-', '–', '—']) || ellipsis() || wants_a_word(end) || has_open_bracket(text)
}

/// Whether a text plainly ends in a whole word in small letters, perhaps with a full stop, and has no brackets, as most texts do.
fn ends_plainly(text: &str) -> bool {
    let bytes = text.as_bytes();
    let whole = bytes.strip_suffix(b".").unwrap_or(bytes);
    let Some(blank) = whole.iter().rposition(|byte| !byte.is_ascii_lowercase()).filter(|&at| whole[at] == b' ') else { return false };
    let last = &whole[blank + 1..];
    last.len() > 2 && !matches!(last, b"are" | b"was" | b"were" | b"not" | b"longer" | b"following") && memchr(b'(', bytes).is_none()
}

/// Whether the last word announces another: an abbreviation before a name, initials, a form of `be` with nothing to be.
fn wants_a_word(text: &str) -> bool {
    let whole = text.trim_end_matches([' ', '.', '!']);
    let mut words = whole.rsplit(char::is_whitespace);
    let last = words.next().unwrap_or_default().trim_start_matches(['(', '[', '"', '“']);
    let last = if matches!(last, "not" | "n't") { words.next().unwrap_or_default() } else { last };
    // Every sentence comes here: the length of the last word settles most cases.
    let is_cut = match last.len() {
        1..=5 => WANT_A_NAME.contains(&last) || is_initials(last),
        6 | 9 => ["no longer", "the following"].iter().any(|end| whole.ends_with(end)),
        _ => false,
    };
    let is_bare = last.len() < 8 && whole.len() < text.len() && BARE.contains(&last);
    is_cut || (is_bare && !text.split(char::is_whitespace).any(takes_its_complement))
}

/// Whether the last bracket of a text is never closed.
fn has_open_bracket(text: &str) -> bool {
    text.rfind('(').is_some_and(|open| !text[open..].contains(')'))
}

/// Whether a word is initials of a name that has not come (`L.L`), not a common abbreviation (`U.S`).
fn is_initials(word: &str) -> bool {
    let is_letter = |part: &str| part.len() == 1 && part.chars().all(char::is_uppercase);
    word.contains('.') && word.split('.').all(is_letter) && !WHOLE_INITIALS.contains(&word)
}

/// Whether a word lets a form of `be` stand last: `what it is`, `older than he is`, `all there was`.
fn takes_its_complement(word: &str) -> bool {
    ["wh", "Wh", "how", "How"].iter().any(|begin| word.starts_with(begin))
        || ["than", "as", "that", "all", "here", "Here", "there", "There"].contains(&word)
}

/// Forms of `be` that a predicate follows.
const BARE: [&str; 13] = ["is", "are", "was", "were", "am", "be", "isn't", "aren't", "wasn't", "weren't", "it's", "he's", "they're"];
/// Initials that are words of their own.
const WHOLE_INITIALS: [&str; 20] = [
    "U.S", "U.K", "U.N", "E.U", "D.C", "L.A", "N.Y", "N.J", "N.C", "S.C", "B.C", "A.D", "C.E", "A.M", "P.M", "U.S.A", "T.V", "V.I.P",
    "N.H", "P.R",
];
/// Abbreviations that something must follow: a text that ends in one was cut there.
const WANT_A_NAME: [&str; 40] = [
    "Mr", "Mrs", "Ms", "Dr", "Gen", "Col", "Capt", "Lt", "Sgt", "Sen", "Rep", "Gov", "Rev", "Prof", "i.e", "e.g", "vs", "v", "U.S.C", "cf",
    "Pub", "Mme", "Mlle", "Maj", "Adm", "Hon", "Nos", "Supp", "USC", "Fed", "No", "Vol", "Mt", "Jan", "Feb", "Aug", "Sept", "Oct", "Nov",
    "Dec",
];
