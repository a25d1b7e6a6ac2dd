//! What nouns stand for and which number they have.

use super::core::{Nominal, Words};
use super::dictionary;
use super::lists::Lists;
use super::reasons::*;
use crate::NotApplicable;
use acidtest_lingua::tag::Tag;
use acidtest_lingua::wordnet::{PartOfSpeech, SynsetId, WordNet};
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::LazyLock;

/// What the most frequent sense of a noun is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NounClass {
    /// A person, an animal or a group of them.
    Animate,
    /// Another thing that can be touched.
    Concrete,
    /// Anything else: an act, an event, a quality.
    Other,
}

/// Singular or plural.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Number {
    Singular,
    Plural,
}

thread_local! {
    /// The classes of nouns that were looked up.
    static CLASSES: RefCell<HashMap<String, NounClass>> = RefCell::new(HashMap::new());
}

/// The class of a noun in its dictionary form.
pub(super) fn class_of(lemma: &str) -> NounClass {
    CLASSES.with_borrow_mut(|classes| dictionary::remembered(classes, lemma, || looked_up(lemma)))
}

fn looked_up(lemma: &str) -> NounClass {
    let lists = Lists::get();
    if lists.has("animate", lemma) {
        return NounClass::Animate;
    }
    let net = WordNet::get();
    let Some(&(first, _)) = net.senses(lemma, PartOfSpeech::Noun).first() else { return NounClass::Other };
    let above: Vec<SynsetId> = std::iter::once(first).chain(net.synset(first).ancestors().iter().map(|synset| synset.id())).collect();
    let is_below = |names: &[Option<SynsetId>]| names.iter().flatten().any(|id| above.contains(id));
    let is_animate = is_below(&CONCEPTS.animate) && !lists.has("inanimate", lemma);
    match () {
        () if is_animate => NounClass::Animate,
        () if lists.has("concrete", lemma) || lists.has("inanimate", lemma) => NounClass::Concrete,
        () if is_below(&CONCEPTS.concrete) && !is_below(&CONCEPTS.other) => NounClass::Concrete,
        () => NounClass::Other,
    }
}

struct Concepts {
    animate: Vec<Option<SynsetId>>,
    concrete: Vec<Option<SynsetId>>,
    other: Vec<Option<SynsetId>>,
}

static CONCEPTS: LazyLock<Concepts> = LazyLock::new(|| {
    let of = |names: &[&str]| names.iter().map(|name| synset(name)).collect();
    Concepts {
        animate: of(&["person.n.01", "animal.n.01", "people.n.01", "social_group.n.01"]),
        concrete: of(&["physical_entity.n.01"]),
        other: of(&["process.n.06", "location.n.01"]),
    }
});

/// The synset of a name such as `person.n.01`.
fn synset(name: &str) -> Option<SynsetId> {
    let net = WordNet::get();
    let word = name.split('.').next()?;
    net.senses(word, PartOfSpeech::Noun).iter().map(|&(id, _)| id).find(|&id| net.synset(id).name() == name)
}

/// The noun that says what a phrase is about: that of the `of` phrase for `a group of people`.
pub(super) fn meant(words: &Words<'_>, nominal: &Nominal) -> usize {
    let head = nominal.head;
    let lemma = lemma(words, head);
    if words.lower(nominal.base_end) == "of" && nominal.words.end > nominal.base_end + 1 && Lists::get().has("container", &lemma) {
        let inner = nominal.base_end + 1..nominal.words.end;
        // The last noun of the first noun group after `of`.
        let first = inner.clone().find(|&at| words.is_noun(at));
        if let Some(first) = first {
            return (first..inner.end).take_while(|&at| words.is_noun(at)).last().unwrap_or(first);
        }
    }
    head
}

/// The dictionary form of a word.
pub(super) fn lemma(words: &Words<'_>, at: usize) -> Rc<str> {
    // A common noun at the beginning of a caption is often tagged as a name.
    let tag = match words.tag(at) {
        Some(Tag::NNP) => Tag::NN,
        Some(Tag::NNPS) => Tag::NNS,
        Some(tag) => tag,
        None => return words.lower(at).into(),
    };
    dictionary::lemma(words.lower(at), tag)
}

/// The number of a noun phrase as the subject of a verb; an error where its words do not agree.
pub(super) fn number(words: &Words<'_>, nominal: &Nominal) -> Result<Number, NotApplicable> {
    let lists = Lists::get();
    let (start, head) = (nominal.words.start, nominal.head);
    let lower = words.lower(head);
    if words.tag(head) == Some(Tag::PRP) {
        return match lower {
            "he" | "she" | "it" | "him" | "her" => Ok(Number::Singular),
            "they" | "we" | "you" | "them" | "us" => Ok(Number::Plural),
            _ => Err(PRONOUN),
        };
    }
    let tagged = match words.tag(head) {
        _ if lists.has("plural", lower) => Number::Plural,
        Some(Tag::NNS | Tag::NNPS) => Number::Plural,
        _ => Number::Singular,
    };
    // `kids play ultimate Frisbee`: tagged as a plural, and none.
    if tagged == Number::Plural
        && !lists.has("plural", lower)
        && !lists.has("invariable", lower)
        && lower == &*lemma(words, head)
        && !lower.ends_with('s')
    {
        return Err(NUMBER);
    }
    let mut of_determiner = None;
    let mut is_determined = false;
    for at in start..head {
        // What stands before a possessor's mark determines the possessor.
        if words.tag(at) == Some(Tag::POS) {
            (of_determiner, is_determined) = (None, true);
            continue;
        }
        let found = match (words.lower(at), words.tag(at)) {
            ("a" | "an" | "another" | "this" | "that" | "each" | "every" | "one" | "1", _) => Some(Number::Singular),
            ("these" | "those" | "several" | "many" | "few" | "both" | "various" | "multiple" | "numerous", _) => Some(Number::Plural),
            (_, Some(Tag::CD)) => Some(Number::Plural),
            (_, Some(Tag::DT | Tag::PRPS)) => {
                is_determined = true;
                continue;
            }
            _ => continue,
        };
        is_determined = true;
        // `a few dogs`, `a dozen eggs`: the last word counts. `a two story house`: the article does.
        let is_article = matches!(words.lower(at), "a" | "an") || of_determiner == Some(Number::Singular);
        let is_number_of_noun = words.tag(at) == Some(Tag::CD) && of_determiner == Some(Number::Singular) && tagged == Number::Singular;
        if !is_number_of_noun && (of_determiner.is_none() || !is_article || matches!(words.lower(at), "few" | "dozen")) {
            of_determiner = found;
        }
    }
    let number = if lists.has("invariable", lower) { of_determiner.ok_or(NUMBER)? } else { tagged };
    let quantity = words.lower(nominal.base_end) == "of" && lists.has("quantity", &lemma(words, head));
    let joined = joins_nouns(words, nominal);
    if of_determiner.is_some_and(|found| found != number) {
        return Err(NUMBER);
    }
    if number == Number::Singular && !is_determined && !lists.has("mass", &lemma(words, head)) {
        return Err(BARE);
    }
    let inner_is_plural =
        || (nominal.base_end + 1..nominal.words.end).any(|at| words.tag(at) == Some(Tag::NNS) || lists.has("plural", words.lower(at)));
    // `a pair of sunglasses is`, but `a pair of dogs are`.
    let is_one_thing = || lower == "pair" && class_of(&lemma(words, meant(words, nominal))) != NounClass::Animate;
    if joined || (quantity && inner_is_plural() && !is_one_thing()) { Ok(Number::Plural) } else { Ok(number) }
}

/// Whether `and` joins the noun with another: `a man and a woman`, but not `a brown and cream pony`.
pub(super) fn joins_nouns(words: &Words<'_>, nominal: &Nominal) -> bool {
    words.lower(nominal.base_end) == "and" && nominal.base_end < nominal.words.end && words.tag(nominal.base_end) == Some(Tag::CC)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nouns_have_classes() {
        let check = |nouns: &[&str], class: NounClass| nouns.iter().for_each(|noun| assert_eq!(class_of(noun), class, "{noun}"));
        check(&["man", "firefighter", "dog", "crowd", "police", "bull"], NounClass::Animate);
        check(&["bat", "stroller", "table", "branch", "cookie", "guitar", "water", "sign", "newspaper", "hill"], NounClass::Concrete);
        check(&["trick", "soccer", "marathon", "freedom", "game"], NounClass::Other);
    }
}
