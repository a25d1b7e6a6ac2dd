//! Whether a hypothesis consists of its premise's words: in any order, as a contiguous subsequence, or as a constituent.
//!
//! These are the relations behind the heuristics of McCoy et al. (2019), section 2. [`Matching::Words`] compares words; [`Matching::AsPublished`]
//! does what the scripts behind the paper's table did.

use crate::Tree;
use crate::analysis::{Analysis, Phrase};
use crate::analyzer::Document;
use crate::reach::within_reach;
use crate::view::{View, ViewNeed};
use std::collections::HashSet;

/// How sentences are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Matching {
    /// Sequences of words, without punctuation and in lower case; constituents of a labelled or a binary tree.
    Words,
    /// The paper's scripts: tokens between spaces, with punctuation attached, and constituents of the binary tree.
    AsPublished,
}

/// How a hypothesis overlaps with its premise.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Overlap {
    /// Every word of the hypothesis is in the premise.
    pub lexical: bool,
    /// The hypothesis is a contiguous subsequence of the premise.
    pub subsequence: bool,
    /// The hypothesis is a constituent of the premise; `None` without a tree.
    pub constituent: Option<bool>,
}

/// Compares a hypothesis with its premise, whose tree may be missing.
pub fn overlap(premise: &str, tree: Option<&Tree<'_>>, hypothesis: &str, matching: Matching) -> Overlap {
    match matching {
        Matching::Words => {
            let (whole, part) = (words(premise), words(hypothesis));
            let constituent = tree.map(|tree| is_phrase(&part, tree));
            Overlap { lexical: all_in(&part, &whole), subsequence: is_run(&part, &whole), constituent }
        }
        Matching::AsPublished => {
            let (whole, part) = (published_tokens(premise), published_tokens(hypothesis));
            Overlap {
                // An empty hypothesis counts, since none of its tokens is missing.
                lexical: part.is_empty() || all_in(&part, &whole),
                // Characters, not tokens, are compared: `he ran` is found in `the rancher`.
                subsequence: whole.join(" ").contains(&part.join(" ")),
                constituent: tree.map(|tree| is_published_phrase(&part, tree)),
            }
        }
    }
}

/// The words of a text in lower case, without punctuation; `do n't` is the one word `don't`, as in running text. Of a very long text, only the beginning is
/// read ([`crate::reach`]).
pub fn words(text: &str) -> Vec<String> {
    let text = within_reach(text);
    let mut words = Vec::with_capacity(text.len() / 5);
    for token in text.split_whitespace() {
        add_words(token, &mut words);
    }
    words
}

/// Whether all of these words are among those; `false` for no words.
pub fn all_in<T: AsRef<str>>(part: &[T], whole: &[T]) -> bool {
    if part.is_empty() {
        return false;
    }
    // A short premise is searched faster than it is hashed.
    if whole.len() < 24 {
        return part.iter().all(|word| whole.iter().any(|other| other.as_ref() == word.as_ref()));
    }
    let known: HashSet<&str> = whole.iter().map(AsRef::as_ref).collect();
    part.iter().all(|word| known.contains(word.as_ref()))
}

/// Whether these words occur there contiguously; `false` for no words.
pub fn is_run<T: AsRef<str>>(part: &[T], whole: &[T]) -> bool {
    // Trying every position is faster for sentences, but quadratic in the length of a text.
    if part.len() < 64 {
        return !part.is_empty() && whole.windows(part.len()).any(|run| same(run, part));
    }
    is_long_run(part, whole)
}

/// The linear-time search of Knuth, Morris and Pratt.
fn is_long_run<T: AsRef<str>>(part: &[T], whole: &[T]) -> bool {
    let longer = |borders: &[usize], mut length: usize, word: &T| {
        while length > 0 && part[length].as_ref() != word.as_ref() {
            length = borders[length - 1];
        }
        length + usize::from(part[length].as_ref() == word.as_ref())
    };
    // The failure function: for every prefix, the longest proper prefix that is also its suffix.
    let mut borders = vec![0; part.len()];
    for place in 1..part.len() {
        borders[place] = longer(&borders, borders[place - 1], &part[place]);
    }
    let mut found = 0;
    for word in whole {
        found = longer(&borders, found, word);
        if found == part.len() {
            return true;
        }
    }
    false
}

/// Whether these words, in lower case and without punctuation, are exactly those of a constituent of the tree; a single tagged word is not a constituent.
pub fn is_phrase<T: AsRef<str>>(part: &[T], tree: &Tree<'_>) -> bool {
    if part.is_empty() {
        return false;
    }
    let words = PlacedWords::of(tree.leaves().map(|leaf| leaf.word));
    tree.phrases().iter().any(|&(_, first, end)| words.are(part, first, end))
}

/// Whether these words, in lower case and without punctuation, are exactly those of the text, of one of its sentences, or of a constituent of our own parse.
///
/// ```
/// use acidtest_lingua::{analyzer::Analyzer, overlap::is_parsed_phrase};
/// let document = Analyzer::shared().analyze("The old man saw two dogs.");
/// assert!(is_parsed_phrase(&["two", "dogs"], &document));
/// assert!(!is_parsed_phrase(&["saw", "two"], &document));
/// ```
pub fn is_parsed_phrase<T: AsRef<str>>(part: &[T], document: &Document) -> bool {
    if part.is_empty() {
        return false;
    }
    same(&words(&document.text), part)
        || document.sentences.iter().any(|sentence| {
            let words = PlacedWords::of(sentence.words.iter().map(|word| word.form.as_str()));
            let is_phrase = |phrase: Phrase| words.are(part, phrase.start, phrase.end);
            words.are(part, 0, sentence.words.len())
                || Analysis::from_sentence(sentence).constituents.iter().any(|constituent| is_phrase(constituent.phrase))
        })
}

/// Whether words, in lower case and without punctuation, are a constituent of each sentence: in the corpus's tree, else in our own parse.
///
/// Sentences without a tree are parsed together, and only if they contain the words contiguously, as a constituent does.
pub fn are_phrases<'v, 'a: 'v>(parts: &[(Vec<String>, &'v View<'a>)]) -> Vec<bool> {
    let in_tree = |(part, view): &(Vec<String>, &View<'a>)| view.tree().map(|tree| is_phrase(part, tree));
    let found: Vec<Option<bool>> = parts.iter().map(in_tree).collect();
    let may_be = |(part, view): &&(Vec<String>, &View<'a>)| is_run(part, &words(view.text()));
    let lacking = parts.iter().zip(&found).filter(|(_, found)| found.is_none()).map(|(part, _)| part);
    View::prepare(lacking.filter(may_be).map(|(_, view)| *view), ViewNeed::Analysis);
    let parsed = |part: &(Vec<String>, &View<'a>)| may_be(&part) && is_parsed_phrase(&part.0, part.1.document());
    parts.iter().zip(found).map(|(part, found)| found.unwrap_or_else(|| parsed(part))).collect()
}

/// The words of the leaves, and where those of each leaf begin.
struct PlacedWords {
    words: Vec<String>,
    /// For each leaf and for the end: the number of words before it, and whether it begins within a word.
    places: Vec<(usize, bool)>,
}

impl PlacedWords {
    fn of<'l>(leaves: impl Iterator<Item = &'l str>) -> Self {
        let mut words: Vec<String> = Vec::new();
        let mut places = Vec::new();
        for leaf in leaves {
            let within = is_clitic(leaf) && !words.is_empty();
            places.push((words.len(), within));
            add_words(leaf, &mut words);
        }
        places.push((words.len(), false));
        PlacedWords { words, places }
    }

    /// Whether the leaves of this range consist of these words.
    fn are<T: AsRef<str>>(&self, part: &[T], first: usize, end: usize) -> bool {
        let ((start, cut_before), (stop, cut_after)) = (self.places[first], self.places[end]);
        !cut_before && !cut_after && stop - start == part.len() && same(&self.words[start..stop], part)
    }
}

fn same<A: AsRef<str>, B: AsRef<str>>(a: &[A], b: &[B]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.as_ref() == b.as_ref())
}

/// Adds the words of a token without white space.
fn add_words(token: &str, words: &mut Vec<String>) {
    if is_clitic(token)
        && let Some(last) = words.last_mut()
    {
        last.extend(token.chars().map(straight).flat_map(char::to_lowercase));
        return;
    }
    if is_bracket_name(token) {
        return;
    }
    if token.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
        return words.push(token.to_ascii_lowercase());
    }
    let mut word = String::with_capacity(token.len());
    let mut letters = token.chars().map(straight).peekable();
    while let Some(c) = letters.next() {
        let joins = matches!(c, '\'' | '-' | '.' | ',' | '&' | '/' | ':')
            && !word.is_empty()
            && letters.peek().is_some_and(|next| next.is_alphanumeric());
        if c.is_ascii_alphanumeric() {
            word.push(c.to_ascii_lowercase());
        } else if c.is_alphanumeric() || joins {
            word.extend(c.to_lowercase());
        } else if !word.is_empty() {
            words.push(std::mem::take(&mut word));
        }
    }
    if !word.is_empty() {
        words.push(word);
    }
}

fn straight(c: char) -> char {
    if c == '’' { '\'' } else { c }
}

/// Clitics that treebanks split off.
fn is_clitic(token: &str) -> bool {
    // Most tokens are too long or have no apostrophe.
    if token.len() > 5 || !token.contains(['\'', '’']) {
        return false;
    }
    let is_one_of = |token: &str, clitics: &[&str]| clitics.iter().any(|clitic| token.eq_ignore_ascii_case(clitic));
    match token.strip_prefix(['\'', '’']) {
        Some(rest) => is_one_of(rest, &["s", "re", "ve", "ll", "d", "m"]),
        None => is_one_of(token, &["n't", "n’t"]),
    }
}

/// `-LRB-` and the other names of brackets in trees.
fn is_bracket_name(token: &str) -> bool {
    matches!(token, "-LRB-" | "-RRB-" | "-LSB-" | "-RSB-" | "-LCB-" | "-RCB-")
}

fn published_tokens(text: &str) -> Vec<String> {
    within_reach(text).split_whitespace().filter(|token| !is_stop(token)).map(str::to_lowercase).collect()
}

fn is_stop(token: &str) -> bool {
    matches!(token, "." | "?" | "!")
}

/// Only here, punctuation is also removed from the hypothesis's tokens, because it is separate in the tree.
fn is_published_phrase(part: &[String], tree: &Tree<'_>) -> bool {
    let part = part.iter().map(|token| token.replace(['.', '?', '!'], "")).collect::<Vec<_>>().join(" ");
    let leaves: Vec<String> = tree.leaves().map(|leaf| leaf.word.to_lowercase()).collect();
    tree.phrases().iter().any(|&(_, first, end)| {
        let tokens = leaves[first..end].iter().filter(|token| !is_stop(token)).map(String::as_str);
        let length: usize = tokens.clone().map(|token| token.len() + 1).sum();
        length == part.len() + 1 && tokens.collect::<Vec<_>>().join(" ") == part
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analyzer::Analyzer;

    #[track_caller]
    fn check(premise: &str, hypothesis: &str, matching: Matching, expected: (bool, bool)) {
        let found = overlap(premise, None, hypothesis, matching);
        assert_eq!((found.lexical, found.subsequence), expected, "{premise} | {hypothesis}");
        assert_eq!(found.constituent, None);
    }

    #[test]
    fn a_long_run_is_found_in_linear_time() {
        let whole = vec!["a"; 400_000];
        let mut part = vec!["a"; 200_000];
        assert!(is_run(&part, &whole));
        part.push("b");
        assert!(!is_run(&part, &whole));
        for (part, whole) in [("abab", "aababb"), ("aab", "aaab"), ("abc", "abdabc"), ("aba", "abbaab"), ("aa", "a")] {
            let cut = |text: &str| text.chars().map(String::from).collect::<Vec<_>>();
            assert_eq!(is_long_run(&cut(part), &cut(whole)), whole.contains(part), "{part} in {whole}");
        }
    }

    #[test]
    fn words_are_compared_without_case_and_punctuation() {
        check("The doctor near the actor danced.", "The actor danced", Matching::Words, (true, true));
        check("The doctor saw the actor.", "The actor saw the doctor.", Matching::Words, (true, false));
        check("\"Stop!\" he said.", "he said stop", Matching::Words, (true, false));
        check("the rancher", "he ran", Matching::Words, (false, false));
        check("I do n't know.", "I don't know!", Matching::Words, (true, true));
        check("Yes.", "...", Matching::Words, (false, false));
    }

    #[test]
    fn published_tokens_keep_attached_punctuation_and_match_inside_words() {
        check("The actor danced, and left.", "The actor danced", Matching::AsPublished, (false, true));
        check("The actor danced .", "The actor danced", Matching::AsPublished, (true, true));
        check("the rancher", "he ran", Matching::AsPublished, (false, true));
        check("I left.", "I left", Matching::AsPublished, (false, true));
    }

    #[track_caller]
    fn check_phrase(tree: &str, hypothesis: &str, clean: bool, published: bool) {
        let tree = Tree::read(tree).unwrap();
        for (matching, expected) in [(Matching::Words, clean), (Matching::AsPublished, published)] {
            assert_eq!(overlap("", Some(&tree), hypothesis, matching).constituent, Some(expected), "{hypothesis}, {matching:?}");
        }
    }

    #[test]
    fn phrases_are_found_in_either_kind_of_tree() {
        let binary = "( ( If ( ( the artist ) slept ) ) ( , ( ( the actor ) ( ran . ) ) ) )";
        check_phrase(binary, "The artist slept.", true, true);
        check_phrase(binary, "The actor ran .", true, true);
        check_phrase(binary, "artist slept", false, false);
        let labelled = "(ROOT (S (NP (PRP I)) (VP (VBD did) (RB n't) (VP (VB see) (NP (DT the) (NN cat)))) (. .)))";
        check_phrase(labelled, "didn't see the cat", true, false);
        check_phrase(labelled, "see the cat", true, true);
        check_phrase(labelled, "I", true, true);
        check_phrase(labelled, "see the", false, false);
    }

    #[track_caller]
    fn check_parsed(premise: &str, hypothesis: &str, expected: bool) {
        let document = Analyzer::shared().analyze(premise);
        assert_eq!(is_parsed_phrase(&words(hypothesis), &document), expected, "{premise} | {hypothesis}");
    }

    #[test]
    fn phrases_are_found_in_our_own_parse() {
        check_parsed("The man sits on a chair.", "A chair", true);
        check_parsed("The man sits on a chair.", "The man", true);
        check_parsed("The man sits on a chair.", "The man sits on a chair!", true);
        check_parsed("The man sits on a chair.", "The man sits", false);
        check_parsed("It rained. We stayed.", "We stayed", true);
        check_parsed("It rained. We stayed.", "It rained we stayed.", true);
        check_parsed("", "", false);
    }
}
