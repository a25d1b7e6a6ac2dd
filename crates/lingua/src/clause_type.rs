//! Whether a sentence is a question, and whether it has a verb.

use crate::lemma::lemma_of;
use crate::tag::Tag;
use crate::tree::Leaf;
use crate::view::View;
use crate::wordnet::{PartOfSpeech, WordNet};
use memchr::memchr2_iter;

/// Whether a sentence is a question: it ends in a question mark, or begins with an auxiliary and its subject (`do you have any`), as in
/// transcripts of speech.
///
/// ```
/// use acidtest_lingua::clause_type::is_question;
/// assert!(is_question("Is it raining?") && is_question("\"Really?\"") && is_question("do you have any"));
/// assert!(!is_question("He asked whether it rained.") && !is_question("Do not run."));
/// ```
pub fn is_question(text: &str) -> bool {
    if without_closing_marks(text).ends_with('?') {
        return true;
    }
    if !text.trim_start().starts_with(|first: char| matches!(first.to_ascii_lowercase(), 'd' | 'i' | 'a' | 'w' | 'h' | 'c' | 's')) {
        return false;
    }
    let mut words = text.split_whitespace();
    let is_one = |word: Option<&str>, known: &[&str]| word.is_some_and(|word| known.iter().any(|known| known.eq_ignore_ascii_case(word)));
    is_one(words.next(), &AUXILIARIES) && is_one(words.next(), &SUBJECTS)
}

/// A text without the blanks, quotes and brackets at its end.
pub(crate) fn without_closing_marks(text: &str) -> &str {
    // Most texts end in a full stop or a letter.
    if text.as_bytes().last().is_some_and(|&last| last == b'.' || last.is_ascii_alphanumeric()) {
        return text;
    }
    text.trim_end_matches(|c: char| c.is_whitespace() || "\"'”’)]".contains(c))
}

/// Whether a sentence has a verb, judged by the tags of its parse, otherwise by a common auxiliary, otherwise by our tagger.
pub fn has_verb(view: &View<'_>) -> bool {
    if let Some(parse) = view.parse() {
        let parse = parse.as_bytes();
        let begins_tag = |at: usize| at > 0 && parse[at - 1] == b'(' && (parse[at..].starts_with(b"VB") || parse[at..].starts_with(b"MD"));
        return memchr2_iter(b'V', b'M', parse).any(begins_tag);
    }
    // Tagging takes much longer than comparing words, and most sentences have one of these.
    let is_certain = |word: &str| CERTAIN_VERBS.contains(&word.trim_matches(|c: char| !c.is_alphabetic()));
    if view.text().split_whitespace().any(is_certain) {
        return true;
    }
    let leaves = view.leaves();
    leaves.iter().any(|leaf| leaf.tag.starts_with("VB") || leaf.tag == "MD") || (1..leaves.len()).any(|at| may_be_verb(leaves, at))
}

/// Whether a word tagged as a plural may be a verb after its subject: `dreams` in `A man dreams.`, which taggers often take for a noun.
fn may_be_verb(leaves: &[Leaf<'_>], at: usize) -> bool {
    let after_subject = matches!(leaves[at - 1].tag, "NN" | "NNP" | "CD");
    let is_verb = |word: &str| WordNet::get().has(&lemma_of(&word.to_lowercase(), Tag::VBZ), PartOfSpeech::Verb);
    leaves[at].tag == "NNS" && after_subject && is_verb(leaves[at].word)
}

/// Their first letters are those that `is_question` looks for.
const AUXILIARIES: [&str; 17] =
    ["do", "does", "did", "is", "are", "was", "were", "am", "have", "has", "had", "can", "could", "will", "would", "should", "don't"];
const SUBJECTS: [&str; 9] = ["i", "you", "he", "she", "it", "we", "they", "there", "y'all"];
/// Word forms that are nearly always verbs.
const CERTAIN_VERBS: [&str; 20] = [
    "is", "are", "was", "were", "am", "has", "had", "have", "does", "did", "would", "could", "should", "been", "said", "isn't", "wasn't",
    "don't", "didn't", "doesn't",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_with_and_without_a_verb() {
        let has = |text: &str| has_verb(&View::plain(text));
        assert!(has("It was late.") && has("The clock stopped.") && has("A man walking.") && has("A man dreams."));
        assert!(!has("The old clock.") && !has("At night") && !has(""));
        assert!(!has_verb(&View::new("Is", Some("(ROOT (NP (NN Is)))"), None)), "the parse is believed");
        assert!(has_verb(&View::new("Run", Some("(ROOT (S (VP (VB Run))))"), None)));
    }
}
