//! A sentence as the rules see it: its words with tags, and why nothing can be made of it as a whole.

use super::lists::Lists;
use crate::NotApplicable;
use acidtest_lingua::View;
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

    /// The same with the tags of our own parse, where the words are the same.
    pub(super) fn parsed(view: &View<'_>) -> Self {
        let mut ours = view.document().sentences.iter().flat_map(|sentence| &sentence.words).peekable();
        let tag = |span: &Option<std::ops::Range<usize>>| {
            let span = span.as_ref()?;
            while ours.next_if(|word| word.start < span.start).is_some() {}
            ours.peek().filter(|word| word.start == span.start && word.end == span.end).map(|word| word.tag)
        };
        let tags = view.words().iter().map(|word| &word.span).map(tag).collect();
        Words::with_tags(view, tags)
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
        self.tag(at).map_or_else(|| self.lower(at).to_string(), |tag| lemma_of(self.lower(at), tag).to_lowercase())
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
    let slips: [&dyn Fn(usize) -> bool; 6] = [
        &|at| is_misspelt(words, at),
        &|at| words.lower(at) == words.lower(at + 1) && words.lower(at).contains(char::is_alphabetic),
        &|at| is_wrong_article(words, at),
        &|at| is_wrong_number(words, at),
        &|at| lacks_preposition(words, at),
        &|at| disagrees(words, at),
    ];
    if (0..words.len()).any(|at| slips.iter().any(|slips| slips(at))) { Err(SLIP) } else { Ok(()) }
}

fn is_misspelt(words: &Words, at: usize) -> bool {
    let word = words.lower(at);
    if word.len() < 3 || !word.bytes().all(|byte| byte.is_ascii_lowercase()) || (words.is_capital(at) && at > 0) || is_english_word(word) {
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

/// `a dogs`, `two dog`, `these dog`, of a determiner or number right before a noun or before its adjectives.
fn is_wrong_number(words: &Words, at: usize) -> bool {
    let mut noun = at + 1;
    while matches!(words.tag(noun), Some(Tag::JJ)) || (words.is_common_noun(noun) && words.is_common_noun(noun + 1)) {
        noun += 1;
    }
    let tag = words.tag(noun);
    match words.lower(at) {
        // `a few dogs`, `a hundred dogs`.
        "a" | "an" => {
            tag == Some(Tag::NNS)
                && !(at + 1..noun).any(|between| matches!(words.lower(between), "few" | "many" | "great" | "good" | "couple" | "dozen"))
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
        && matches!(words.lemma(at).as_str(), "lie" | "sit" | "sleep" | "stare" | "smile" | "kneel" | "crouch" | "lean" | "squat" | "listen" | "wait")
        && matches!(words.lower(at + 1), "a" | "an" | "the" | "his" | "her" | "their")
}

/// A finite verb right after its subject that has the other number: `a man and a woman is`, `the dogs is`, `a man are`.
fn disagrees(words: &Words, at: usize) -> bool {
    let Some(subject) = at.checked_sub(1).filter(|&before| words.is_common_noun(before)) else { return false };
    let singular_verb = matches!(words.lower(at), "is" | "was" | "has");
    let plural_verb = matches!(words.lower(at), "are" | "were" | "have");
    if !singular_verb && !plural_verb {
        return false;
    }
    let mut start = subject;
    while start > 0 && matches!(words.tag(start - 1), Some(Tag::NN | Tag::NNS | Tag::JJ | Tag::DT | Tag::CD | Tag::PRPS)) {
        start -= 1;
        if matches!(words.tag(start), Some(Tag::DT | Tag::PRPS)) {
            break;
        }
    }
    let joined = words.before(start) == "and" && start >= 2 && words.is_common_noun(start - 2);
    // What stands before decides: `a man with a dog is` is right.
    let first = start == 0 || matches!(words.before(start), "," | "that" | "while" | "as");
    let plural = words.tag(subject) == Some(Tag::NNS);
    if joined {
        return singular_verb && !(0..start).any(|before| words.tag(before) == Some(Tag::IN));
    }
    let collective = matches!(words.lower(subject), "group" | "family" | "team" | "band" | "crowd" | "couple" | "people" | "pair" | "police");
    first && !collective && ((plural && singular_verb) || (!plural && plural_verb))
}

/// Whether the words of a sentence have something to say about a feeling, so that a feeling that is added may follow or clash.
pub(super) fn speaks_of_feelings(words: &Words) -> bool {
    (0..words.len()).any(|at| Lists::get().is_in("feelings", words.lower(at)) || Lists::get().is_in("feelings", &words.lemma(at)))
}
