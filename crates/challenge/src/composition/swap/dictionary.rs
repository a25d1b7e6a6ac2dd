//! Dictionary forms and entries of WordNet, remembered: captions have few different words, and looking one up takes longer than reading a tree.

use acidtest_lingua::lemma::lemma_of;
use acidtest_lingua::tag::Tag;
use acidtest_lingua::wordnet::{PartOfSpeech, WordNet};
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

/// How many words are remembered of each kind; then it begins again, so that memory does not grow with the corpus.
const MOST: usize = 20_000;

thread_local! {
    static LEMMAS: RefCell<HashMap<Tag, HashMap<String, Rc<str>>>> = RefCell::default();
    static VERBS: RefCell<HashMap<String, bool>> = RefCell::default();
}

/// What is remembered of a word, or what is found and remembered now.
pub(super) fn remembered<T: Clone>(known: &mut HashMap<String, T>, word: &str, find: impl FnOnce() -> T) -> T {
    if let Some(found) = known.get(word) {
        return found.clone();
    }
    if known.len() >= MOST {
        known.clear();
    }
    let found = find();
    known.insert(word.to_string(), found.clone());
    found
}

/// The dictionary form of a word in small letters.
pub(super) fn lemma(lower: &str, tag: Tag) -> Rc<str> {
    LEMMAS.with_borrow_mut(|lemmas| remembered(lemmas.entry(tag).or_default(), lower, || lemma_of(lower, tag).into()))
}

/// Whether WordNet has a verb of this dictionary form.
pub(super) fn is_verb(lemma: &str) -> bool {
    VERBS.with_borrow_mut(|verbs| remembered(verbs, lemma, || WordNet::get().has(lemma, PartOfSpeech::Verb)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_remembered_is_what_was_found() {
        for _ in 0..2 {
            assert_eq!((&*lemma("dogs", Tag::NNS), &*lemma("dogs", Tag::VBZ)), ("dog", "dog"));
            assert_eq!((&*lemma("left", Tag::VBD), &*lemma("left", Tag::JJ)), ("leave", "left"));
            assert!(is_verb("chase") && !is_verb("table-cloth"));
        }
    }

    #[test]
    fn memory_is_bounded() {
        let mut known = HashMap::new();
        (0..3 * MOST).for_each(|number| assert_eq!(remembered(&mut known, &number.to_string(), || number), number));
        assert!(known.len() <= MOST);
    }
}
