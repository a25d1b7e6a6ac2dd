//! Which sentences are left out, and why.

use super::core::{Core, Form, Nominal, Rest, Words};
use super::dictionary::{self, is_verb};
use super::lists::{Lists, makes_passive};
use super::nouns::{NounClass, Number, class_of, joins_nouns, lemma, meant, number};
use super::reasons::*;
use crate::NotApplicable;
use acidtest_lingua::inflect::{indefinite_article, inflect, past};
use acidtest_lingua::tag::Tag;
use acidtest_lingua::wordnet::{PartOfSpeech, WordNet};
use std::ops::Range;
use std::rc::Rc;

/// What is known of a sentence that no rule leaves out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Judged {
    /// The number of the subject.
    pub(super) subject: Number,
    /// The number of the object.
    pub(super) object: Number,
    /// Whether both are people or animals.
    pub(super) reversible: bool,
}

/// Whether subject and object can change places; the first reason why not.
pub(super) fn judge(words: &Words<'_>, core: &Core) -> Result<Judged, NotApplicable> {
    let lists = Lists::get();
    sentence(words, core)?;
    verb(words, core)?;
    let numbers = [nominal(words, &core.subject)?, nominal(words, &core.object)?];
    let (subject, object) = (meaning(words, &core.subject), meaning(words, &core.object));
    objects(words, core, &object.0)?;
    if lists.has("depiction", &lemma(words, core.subject.head)) {
        return Err(DEPICTION);
    }
    agreement(words, core, numbers[0])?;
    if subject.1 == NounClass::Other || object.1 == NounClass::Other {
        return Err(ABSTRACT);
    }
    if subject.0 == object.0 || lemma(words, core.subject.head) == lemma(words, core.object.head) {
        return Err(SAME_HEAD);
    }
    let verb = verb_lemma(words, core)?;
    if subject.1 == object.1 && Lists::get().has("mutual", &verb) {
        return Err(MUTUAL);
    }
    let reversible = subject.1 == NounClass::Animate && object.1 == NounClass::Animate;
    Ok(Judged { subject: numbers[0], object: numbers[1], reversible })
}

pub(super) fn verb_lemma(words: &Words<'_>, core: &Core) -> Result<Rc<str>, NotApplicable> {
    Ok(dictionary::lemma(words.lower(core.verb), words.tag(core.verb).ok_or(VERB_FORM)?))
}

/// What a noun phrase stands for: its noun, or pronoun, and the class.
fn meaning(words: &Words<'_>, nominal: &Nominal) -> (Rc<str>, NounClass) {
    if words.tag(nominal.head) == Some(Tag::PRP) {
        let class = if words.lower(nominal.head) == "it" { NounClass::Concrete } else { NounClass::Animate };
        return (words.lower(nominal.head).into(), class);
    }
    let lemma = lemma(words, meant(words, nominal));
    let class = class_of(&lemma);
    (lemma, class)
}

/// Rules about the sentence as a whole.
fn sentence(words: &Words<'_>, core: &Core) -> Result<(), NotApplicable> {
    let lists = Lists::get();
    let all = || (0..words.len()).map(|at| words.lower(at));
    if all().any(|word| word == "?") {
        return Err(QUESTION);
    }
    // Mistakes of the sentence itself: `a older man`, `hats& coats`.
    let is_wrong_article = |at: usize| {
        matches!(words.lower(at), "a" | "an")
            && words.tag(at) == Some(Tag::DT)
            && at + 1 < words.len()
            && indefinite_article(words.form(at + 1)) != words.lower(at)
    };
    let is_double = |at: usize| at > 0 && [at - 1, at].iter().all(|&at| matches!(words.lower(at), "a" | "an" | "the"));
    if (0..words.len()).any(|at| is_wrong_article(at) || is_double(at)) || all().any(|word| word.contains('&')) {
        return Err(SLIP);
    }
    if all().any(|word| lists.has("negation", word)) {
        return Err(NEGATION);
    }
    if all().any(|word| matches!(word, "or" | "nor" | "and/or" | "if" | "whether")) {
        return Err(DISJUNCTION);
    }
    if all().any(|word| lists.has("reflexive", word)) || has_pair(words, "each", "other") || has_pair(words, "one", "another") {
        return Err(REFLEXIVE);
    }
    let parts = [core.subject.words.clone(), core.object.words.clone()];
    if parts.into_iter().any(|part| words.lowers(part).any(|word| matches!(word, "," | ";" | ":" | "-lrb-" | "(" | "``" | "\""))) {
        return Err(COMMA);
    }
    if core.form == Form::Fragment {
        let is_finite = |at: usize| matches!(words.tag(at), Some(Tag::VBZ | Tag::VBP | Tag::VBD | Tag::MD));
        let is_bare_verb = |at: usize| words.tag(at) == Some(Tag::VB) && (at == 0 || words.tag(at - 1) != Some(Tag::TO));
        if (0..words.len()).any(|at| is_finite(at) || is_bare_verb(at)) {
            return Err(OTHER_VERB);
        }
    }
    let after = core.object.words.end..words.len();
    if after.clone().any(|at| words.tag(at) == Some(Tag::PRP)) {
        return Err(PRONOUN_AFTER);
    }
    let next = after.start;
    // Only adverbs stand between the subject and its verb: not `are at a table eating a meal`.
    let is_of_verb = |at: usize| core.auxiliaries.contains(&at) || matches!(words.tag(at), Some(Tag::RB | Tag::RBR));
    if !(core.subject.words.end..core.verb).all(is_of_verb) {
        return Err(OTHER_PARTS);
    }
    // `a cap, gold jewelry and a coat`; `a horse, which is tired`.
    let goes_on = matches!(words.tag(next + 1), Some(Tag::IN | Tag::VBG | Tag::RB));
    if words.lower(next) == "," && !goes_on {
        return Err(CLAUSE_AFTER);
    }
    // `puts his hat on`.
    if words.tag(next) == Some(Tag::RP) {
        return Err(PARTICLE);
    }
    let is_infinitive = words.tag(next) == Some(Tag::TO) && words.tag(next + 1) == Some(Tag::VB);
    let is_left = matches!(
        words.tag(next),
        Some(
            Tag::VBN
                | Tag::VBD
                | Tag::VBZ
                | Tag::VBP
                | Tag::VB
                | Tag::WDT
                | Tag::WP
                | Tag::WPS
                | Tag::WRB
                | Tag::CC
                | Tag::NN
                | Tag::NNS
                | Tag::NNP
                | Tag::NNPS
                | Tag::POS
                | Tag::JJ
                | Tag::CD
                | Tag::DT
                | Tag::Hyphen
        )
    );
    // `that`, and a clause without a pronoun: `a ball he caught`.
    if is_left || is_infinitive || words.lower(next) == "that" {
        return Err(CLAUSE_AFTER);
    }
    Ok(())
}

fn has_pair(words: &Words<'_>, first: &str, second: &str) -> bool {
    (1..words.len()).any(|at| words.lower(at - 1) == first && words.lower(at) == second)
}

/// Rules about the verb.
fn verb(words: &Words<'_>, core: &Core) -> Result<(), NotApplicable> {
    let lists = Lists::get();
    let auxiliaries: Vec<&str> = core.auxiliaries.iter().map(|&at| words.lower(at)).collect();
    if core.auxiliaries.iter().any(|&at| words.tag(at) == Some(Tag::MD)) {
        return Err(MODAL);
    }
    let is_be = |word: &str| matches!(word, "is" | "are" | "was" | "were");
    let is_have = |word: &str| matches!(word, "has" | "have" | "had");
    let tag = words.tag(core.verb).ok_or(VERB_FORM)?;
    match (auxiliaries.as_slice(), tag, core.form) {
        ([], Tag::VBG, Form::Fragment) | ([], Tag::VBZ | Tag::VBP | Tag::VBD, Form::Clause) => {}
        // `A group of people ride bikes`: a tagger that misses the finite verb.
        ([], Tag::VB, Form::Clause) => {}
        ([auxiliary], Tag::VBG, Form::Clause) if is_be(auxiliary) => {}
        ([auxiliary], Tag::VBN, Form::Clause) if is_have(auxiliary) => {}
        ([.., last], Tag::VBN | Tag::VBD, _) if makes_passive(last) => return Err(PASSIVE),
        _ => return Err(VERB_FORM),
    }
    let lower = words.lower(core.verb);
    let lemma = verb_lemma(words, core)?;
    // `A man spray painting a wall`.
    if words.lower(core.subject.words.end.saturating_sub(1)) == "spray" {
        return Err(VERB_FORM);
    }
    if &*lemma == "be" {
        return Err(COPULA);
    }
    let tag = if tag == Tag::VB { Tag::VBP } else { tag };
    if !is_verb(&lemma) || (tag == Tag::VBG) != lower.ends_with("ing") {
        return Err(VERB_FORM);
    }
    if matches!(tag, Tag::VBZ | Tag::VBP | Tag::VBG) && inflect(&lemma, tag).as_deref() != Some(lower) {
        return Err(VERB_FORM);
    }
    if tag == Tag::VBD && lower == &*lemma && past(&lemma) != lower {
        return Err(VERB_FORM);
    }
    if lists.has("symmetric", &lemma) {
        return Err(SYMMETRIC);
    }
    if lists.has("light", &lemma) {
        return Err(LIGHT);
    }
    let has_pronoun = core.particle.is_some() && words.tag(core.subject.head) == Some(Tag::PRP);
    if has_pronoun || core.particle.is_some_and(|particle| !lists.has("particle", &format!("{lemma}_{}", words.lower(particle)))) {
        return Err(PARTICLE);
    }
    Ok(())
}

/// Rules about a noun phrase; its number.
fn nominal(words: &Words<'_>, nominal: &Nominal) -> Result<Number, NotApplicable> {
    let lists = Lists::get();
    let lower = words.lower(nominal.head);
    match words.tag(nominal.head) {
        Some(Tag::PRP) if matches!(lower, "it" | "i" | "me") => return Err(EXPLETIVE),
        Some(Tag::PRP) if nominal.words.len() > 1 => return Err(PRONOUN),
        Some(Tag::PRP) => {}
        Some(tag) if tag.is_noun() => {}
        _ => return Err(PRONOUN),
    }
    if words.lowers(nominal.words.clone()).any(|word| lists.has("indefinite", word))
        || matches!(lower, "one" | "other" | "others" | "there")
    {
        return Err(EXPLETIVE);
    }
    if words.lowers(nominal.words.start..nominal.head).any(|word| lists.has("quantifier", word)) {
        return Err(QUANTIFIER);
    }
    if matches!(words.tag(nominal.words.start), Some(Tag::IN | Tag::TO | Tag::CC | Tag::VBG | Tag::VBN | Tag::RB | Tag::RP)) {
        return Err(OTHER_PARTS);
    }
    // `helps plant new flowers`, where the verb was taken for a noun.
    if (nominal.words.start + 1..nominal.head).any(|at| words.tag(at) == Some(Tag::JJ) && words.tag(at - 1) == Some(Tag::NN)) {
        return Err(NO_NOUN);
    }
    if joins_nouns(words, nominal) {
        // Each conjunct needs its own determiner, or none does: `a man and woman` is common and stays.
        let second = nominal.base_end + 1..nominal.words.end;
        let compound = words.is_noun(second.start) && words.is_noun(second.start + 1);
        let several = second.clone().filter(|&at| words.tag(at) == Some(Tag::CC) && words.is_noun(at - 1)).count() > 0;
        // `a life vest and kayaking`.
        let is_verbal = (second.len() == 1 && words.lower(second.start).ends_with("ing"))
            || matches!(words.tag(second.start), Some(Tag::VBG | Tag::VBZ | Tag::VBP | Tag::VBD));
        if !second.clone().any(|at| words.is_noun(at)) || compound || is_verbal || several {
            return Err(COORDINATION);
        }
    } else if (nominal.words.start + 1..nominal.base_end).any(|at| words.tag(at) == Some(Tag::CC) && !is_adjective(words, at - 1)) {
        // `a fruit and vegetable stand`, `a backpack and teal jacket`.
        return Err(COORDINATION);
    }
    number(words, nominal)
}

/// Whether a word is an adjective or a number, by its tag and by the dictionary.
fn is_adjective(words: &Words<'_>, at: usize) -> bool {
    match words.tag(at) {
        Some(Tag::JJ) => words.lower(at).contains('-') || WordNet::get().has(words.lower(at), PartOfSpeech::Adjective),
        Some(tag) => matches!(tag, Tag::JJR | Tag::JJS | Tag::CD | Tag::VBN | Tag::VBG),
        None => false,
    }
}

/// Rules about the object.
fn objects(words: &Words<'_>, core: &Core, meant: &str) -> Result<(), NotApplicable> {
    let lists = Lists::get();
    let head = core.object.head;
    let lemma = lemma(words, head);
    if lists.is_time(words.lower(head)) || lists.has("measure", &lemma) {
        return Err(TIME);
    }
    if lists.has("object", &lemma) || lists.has("object", meant) {
        return Err(EVENT);
    }
    let last = core.object.words.end - 1;
    let may_be_verb = |at: usize| words.tag(at) == Some(Tag::NNS) && is_verb(&dictionary::lemma(words.lower(at), Tag::VBZ));
    // `holds up a sandal and smiles`; `wearing a shirt and blue kilt dances`.
    let is_finite = words.tag(core.verb) == Some(Tag::VBZ) && last == core.object.base_end + 1 && joins_nouns(words, &core.object);
    let is_caption = core.form == Form::Fragment && words.is_noun(last - 1) && &*verb_lemma(words, core)? == "wear";
    if (is_finite || is_caption) && may_be_verb(last) {
        return Err(OTHER_VERB);
    }
    let is_possessed = (core.object.words.start..head).any(|at| matches!(words.tag(at), Some(Tag::PRPS | Tag::POS)));
    let is_determined = (core.object.words.start..head).any(|at| matches!(words.tag(at), Some(Tag::DT | Tag::CD)));
    let is_of = words.lower(core.object.base_end) == "of";
    if (is_possessed || is_of || !is_determined) && lists.has("body", &lemma) {
        return Err(BODY_PART);
    }
    Ok(())
}

/// The finite verb agrees with the subject.
fn agreement(words: &Words<'_>, core: &Core, subject: Number) -> Result<(), NotApplicable> {
    if core.form == Form::Fragment {
        return Ok(());
    }
    let finite = core.auxiliaries.first().copied().unwrap_or(core.verb);
    let verb = match (words.lower(finite), words.tag(finite)) {
        ("is" | "was" | "has", _) => Number::Singular,
        ("are" | "were" | "have", _) => Number::Plural,
        (_, Some(Tag::VBZ)) => Number::Singular,
        (_, Some(Tag::VBP | Tag::VB)) => Number::Plural,
        _ => return Ok(()),
    };
    // `A group of people are` is as good as `is`.
    let is_collective = Lists::get().has("collective", &lemma(words, core.subject.head));
    if verb == subject || is_collective { Ok(()) } else { Err(NUMBER) }
}

/// Where a clause with a subject of its own begins, which means the same after either sentence: `while two men watch`.
fn own_clause(words: &Words<'_>, mut after: Range<usize>) -> Option<usize> {
    let is_finite = |at: usize| matches!(words.tag(at), Some(Tag::VBZ | Tag::VBP | Tag::VBD));
    let begins = |at: usize| {
        let has_subject = matches!(words.tag(at + 1), Some(Tag::DT | Tag::CD | Tag::NNS | Tag::JJ));
        matches!(words.lower(at), "while" | "as") && has_subject && (at + 2..words.len()).any(is_finite)
    };
    after.find(|&at| begins(at))
}

/// Whether a phrase after the object tells where all of it happens, whatever a parse attaches it to: `in front of a wall`, `on the street`.
fn is_place(words: &Words<'_>, after: Range<usize>) -> bool {
    match words.lower(after.start) {
        "near" | "outside" | "behind" | "beside" | "across" | "along" | "down" | "at" | "under" | "outdoors" | "during" => true,
        "in" if words.lower(after.start + 1) == "front" => true,
        // The noun of the phrase.
        "in" | "on" | "through" => {
            let noun = (after.start + 1..after.end).find(|&at| words.is_noun(at) && !words.is_noun(at + 1));
            noun.is_some_and(|noun| Lists::get().has("place", words.lower(noun)))
        }
        _ => false,
    }
}

/// Why the passive of a swapped sentence would not be a sure control.
pub(super) fn control(words: &Words<'_>, core: &Core) -> Result<(), NotApplicable> {
    let lists = Lists::get();
    let whole = core.object.words.end..words.len();
    let after = whole.start..own_clause(words, whole.clone()).unwrap_or(whole.end);
    let before = 0..core.subject.words.start;
    let is_clause = |at: usize| matches!(words.tag(at), Some(Tag::VBG | Tag::VBN | Tag::VB | Tag::VBZ | Tag::VBP | Tag::VBD));
    // `to grill steaks`, where the verb was taken for a noun.
    let is_infinitive = |at: usize| words.tag(at) == Some(Tag::TO) && matches!(words.tag(at + 1), Some(Tag::VB | Tag::NN | Tag::NNS));
    // `while racing`, taken for a noun.
    let is_short_clause = |at: usize| matches!(words.lower(at), "while" | "when") && words.lower(at + 1).ends_with("ing");
    if before.clone().chain(after.clone()).any(|at| is_clause(at) || is_infinitive(at) || is_short_clause(at)) {
        return Err(CONTROL_CLAUSE);
    }
    if before.chain(after.clone()).any(|at| matches!(words.lower(at), "with" | "like" | "as" | "without" | "by" | "together")) {
        return Err(CONTROL_PHRASE);
    }
    if whole.clone().any(|at| matches!(words.tag(at), Some(Tag::PRP | Tag::PRPS))) {
        return Err(CONTROL_PRONOUN);
    }
    // `in a stroller`: who sits in it is not the same any more.
    let is_carried = after.clone().take(5).any(|at| lists.has("carrier", words.lower(at)));
    let is_inside = is_carried && matches!(words.lower(after.start), "in" | "on");
    if is_inside || core.rest == Rest::Modifiers && !is_place(words, after.clone()) {
        return Err(CONTROL_MODIFIER);
    }
    if lists.has("no_control", &verb_lemma(words, core)?) || lists.has("ambiguous", words.lower(core.verb)) {
        return Err(CONTROL_VERB);
    }
    let is_bare = |nominal: &Nominal| {
        let determined = |at: usize| matches!(words.tag(at), Some(Tag::DT | Tag::PRPS | Tag::CD | Tag::POS));
        matches!(words.tag(nominal.head), Some(Tag::NN)) && !(nominal.words.start..nominal.head).any(determined)
    };
    if is_bare(&core.subject) || is_bare(&core.object) {
        return Err(CONTROL_BARE);
    }
    Ok(())
}
