//! A sentence as the rules see it: its words with tags, and why nothing can be made of it as a whole.

use super::lists::{Lists, NounClass};
use super::nouns::class_of;
use super::table::noun_lemma;
use crate::NotApplicable;
use acidtest_lingua::View;
use acidtest_lingua::analyzer::AnalyzedSentence;
use acidtest_lingua::dictionary::is_english_word;
use acidtest_lingua::inflect::indefinite_article;
use acidtest_lingua::lemma::lemma_of;
use acidtest_lingua::negation::is_negation;
use acidtest_lingua::tag::Tag;
use acidtest_lingua::wordnet::{PartOfSpeech, WordNet};

pub(super) const NEGATED: NotApplicable = NotApplicable("negation");
pub(super) const QUESTION: NotApplicable = NotApplicable("question");
pub(super) const SPEECH: NotApplicable = NotApplicable("quoted speech, or more than one sentence");
pub(super) const LONG: NotApplicable = NotApplicable("more than 40 words");
pub(super) const SLIP: NotApplicable = NotApplicable("the sentence has a spelling or grammar error");

const MOST_WORDS: usize = 40;

/// The words of a sentence, by the indices of its view.
#[derive(Debug)]
pub(super) struct Words {
    lower: Vec<String>,
    tags: Vec<Option<Tag>>,
    is_capital: Vec<bool>,
}

impl Words {
    /// The words of a view with the tags that its leaves have.
    pub(super) fn tagged(view: &View<'_>) -> Self {
        let tags = view.leaves().iter().map(|leaf| Tag::from_name(leaf.tag)).collect();
        Words::with_tags(view, tags)
    }

    /// The same with the tags of our own parse.
    pub(super) fn parsed(view: &View<'_>, sentence: &AnalyzedSentence) -> Self {
        Words::with_tags(view, sentence.words.iter().map(|word| Some(word.tag)).collect())
    }

    fn with_tags(view: &View<'_>, tags: Vec<Option<Tag>>) -> Self {
        let forms = || view.words().iter().map(|word| word.form);
        let lower = forms().map(|form| form.to_lowercase().replace('\u{2019}', "'")).collect();
        let is_capital = forms().map(|form| form.starts_with(char::is_uppercase)).collect();
        Words { lower, tags, is_capital }
    }

    pub(super) fn len(&self) -> usize {
        self.lower.len()
    }

    /// A word in lower case; nothing beyond the ends.
    pub(super) fn lower(&self, at: usize) -> &str {
        self.lower.get(at).map_or("", String::as_str)
    }

    pub(super) fn before(&self, at: usize) -> &str {
        at.checked_sub(1).map_or("", |before| self.lower(before))
    }

    pub(super) fn tag(&self, at: usize) -> Option<Tag> {
        self.tags.get(at).copied().flatten()
    }

    pub(super) fn is_capital(&self, at: usize) -> bool {
        self.is_capital[at]
    }

    pub(super) fn all(&self) -> impl Iterator<Item = &str> {
        self.lower.iter().map(String::as_str)
    }

    /// The dictionary form in lower case.
    pub(super) fn lemma(&self, at: usize) -> String {
        match self.tag(at) {
            Some(tag) if tag.is_noun() => noun_lemma(self.lower(at), tag.name()),
            Some(tag) => lemma_of(self.lower(at), tag).to_lowercase(),
            None => self.lower(at).to_string(),
        }
    }

    pub(super) fn is_common_noun(&self, at: usize) -> bool {
        matches!(self.tag(at), Some(Tag::NN | Tag::NNS))
    }
}

/// Whether the text alone rules a sentence out.
pub(super) fn check_text(text: &str) -> Result<(), NotApplicable> {
    let text = text.trim_end_matches(|mark: char| mark.is_whitespace() || matches!(mark, '"' | '\'' | ')'));
    if text.ends_with('?') {
        return Err(QUESTION);
    }
    if text.contains(['"', '\u{201c}', '\u{201d}', '?', '!', ';', ':', '(']) || text.trim_end_matches('.').contains(". ") {
        return Err(SPEECH);
    }
    let words = || text.split(|letter: char| letter.is_whitespace() || letter == '.' || letter == ',').filter(|word| !word.is_empty());
    if words().count() > MOST_WORDS {
        return Err(LONG);
    }
    if words().any(|word| is_negation(&word.to_lowercase().replace('\u{2019}', "'")) || word.eq_ignore_ascii_case("without")) {
        return Err(NEGATED);
    }
    Ok(())
}

/// Whether a sentence is written without slips, as far as words and tags show them: what is wrong in it would be wrong in every pair.
pub(super) fn check_writing(words: &Words) -> Result<(), NotApplicable> {
    let slips: [&dyn Fn(usize) -> bool; 7] = [
        &|at| is_misspelt(words, at),
        &|at| words.lower(at) == words.lower(at + 1) && words.lower(at).contains(char::is_alphabetic),
        &|at| is_wrong_article(words, at),
        &|at| is_wrong_number(words, at),
        &|at| lacks_preposition(words, at),
        &|at| disagrees(words, at),
        &|at| lacks_article(words, at),
    ];
    if (0..words.len()).any(|at| slips.iter().any(|slips| slips(at))) { Err(SLIP) } else { Ok(()) }
}

fn is_misspelt(words: &Words, at: usize) -> bool {
    let word = words.lower(at);
    if !words.is_capital(at) && Lists::get().is_in("capitals", word) {
        return true;
    }
    if word.len() < 3
        || !word.bytes().all(|byte| byte.is_ascii_lowercase())
        || (words.is_capital(at) && at > 0)
        || is_english_word(word)
        || Lists::get().is_in("words", word)
        || Lists::get().class_of(word).is_some()
    {
        return false;
    }
    let net = WordNet::get();
    !PartOfSpeech::ALL.iter().any(|part| net.morphy(word, *part).iter().any(|base| net.has(base, *part)))
}

/// `a apple`, `an dog`.
fn is_wrong_article(words: &Words, at: usize) -> bool {
    let article = words.lower(at);
    let next = words.lower(at + 1);
    matches!(article, "a" | "an") && next.starts_with(char::is_alphabetic) && indefinite_article(next) != article
}

/// `a dogs`, `two dog`, `these dog`: a determiner or number before a noun, or before its adjectives, that has another number.
fn is_wrong_number(words: &Words, at: usize) -> bool {
    let mut noun = at + 1;
    while matches!(words.tag(noun), Some(Tag::JJ | Tag::VBN)) || (noun > at + 1 && words.tag(noun) == Some(Tag::CC)) {
        noun += 1;
    }
    let tag = words.tag(noun).filter(|_| !words.tag(noun + 1).is_some_and(Tag::is_noun));
    match words.lower(at) {
        // `a few dogs`, `a hundred dogs`.
        "a" | "an" => {
            let counts = |word: &str| matches!(word, "few" | "many" | "great" | "good" | "couple" | "dozen");
            tag == Some(Tag::NNS) && !(at + 1..noun).any(|between| counts(words.lower(between)))
        }
        "this" | "another" | "each" | "every" => tag == Some(Tag::NNS),
        "these" | "those" | "several" | "many" | "two" | "three" | "four" | "five" | "six" | "seven" | "eight" | "nine" | "ten" => {
            tag == Some(Tag::NN) && words.lower(noun) != "people" && !is_uninflected(words.lower(noun))
        }
        _ => false,
    }
}

fn is_uninflected(noun: &str) -> bool {
    matches!(noun, "fish" | "sheep" | "deer" | "police" | "aircraft" | "year" | "men" | "women" | "children" | "dozen")
}

/// Verbs that take no object right after them.
fn lacks_preposition(words: &Words, at: usize) -> bool {
    words.tag(at).is_some_and(Tag::is_verb)
        && matches!(
            words.lemma(at).as_str(),
            "lie" | "sit" | "sleep" | "stare" | "smile" | "kneel" | "crouch" | "squat" | "listen" | "wait"
        )
        && matches!(words.lower(at + 1), "a" | "an" | "the" | "his" | "her" | "their")
}

/// A finite verb right after its subject that has the other number: `a man and a woman is`, `the dogs is`, `a man are`.
fn disagrees(words: &Words, at: usize) -> bool {
    let singular_verb = matches!(words.lower(at), "is" | "was" | "has");
    let plural_verb = matches!(words.lower(at), "are" | "were" | "have");
    if at == 0 || !(singular_verb || plural_verb) || !words.is_common_noun(at - 1) {
        return false;
    }
    let subject = at - 1;
    let start = phrase_start(words, subject);
    if words.before(start) == "and" && start >= 2 && words.is_common_noun(start - 2) {
        return singular_verb && begins_clause(words, phrase_start(words, start - 2));
    }
    let collective =
        matches!(words.lower(subject), "group" | "family" | "team" | "band" | "crowd" | "couple" | "people" | "pair" | "police");
    let plural = words.tag(subject) == Some(Tag::NNS);
    // What stands before decides otherwise: `a man with two dogs is` is right.
    begins_clause(words, start) && !collective && if plural { singular_verb } else { plural_verb }
}

/// The first word of the noun phrase that ends in a noun.
fn phrase_start(words: &Words, noun: usize) -> usize {
    let mut start = noun;
    while start > 0 && matches!(words.tag(start - 1), Some(Tag::NN | Tag::NNS | Tag::JJ | Tag::DT | Tag::CD | Tag::PRPS)) {
        start -= 1;
        if matches!(words.tag(start), Some(Tag::DT | Tag::PRPS)) {
            break;
        }
    }
    start
}

fn begins_clause(words: &Words, start: usize) -> bool {
    start == 0 || matches!(words.before(start), "while" | "as" | "that")
}

/// A single person or animal without an article at the beginning, as in a headline: `Man in a hat`.
fn lacks_article(words: &Words, at: usize) -> bool {
    if at == 0 && Lists::get().is_in("headlines", words.lower(0)) && !words.is_common_noun(1) {
        return true;
    }
    let continues = |at: usize| matches!(words.tag(at), Some(Tag::NN | Tag::NNP | Tag::JJ));
    if at > 0 || !(continues(0) || words.tag(0) == Some(Tag::VBG)) {
        return false;
    }
    let noun = (0..words.len()).find(|&at| !continues(at + 1)).unwrap_or(0);
    let lemma = noun_lemma(words.lower(noun), "NN");
    let is_singular = matches!(words.tag(noun), Some(Tag::NN | Tag::NNP)) && words.lower(noun) == lemma;
    is_singular && matches!(class_of(&lemma), Some(NounClass::Person | NounClass::Animal))
}

/// Whether a sentence has a word of a list, so that a modifier about the same matter may follow or clash.
pub(super) fn speaks_of(words: &Words, list: &str) -> bool {
    (0..words.len()).any(|at| Lists::get().is_in(list, words.lower(at)) || Lists::get().is_in(list, &words.lemma(at)))
}
