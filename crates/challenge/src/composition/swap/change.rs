//! The changes: subject and object change places; the verb becomes passive.

use super::core::{Core, Form, Words};
use super::dictionary::{is_verb, lemma};
use super::nouns::Number;
use super::reasons::*;
use crate::NotApplicable;
use acidtest_lingua::View;
use acidtest_lingua::edit::{Edit, Edited};
use acidtest_lingua::inflect::{inflect, like, participle};
use acidtest_lingua::tag::Tag;
use acidtest_lingua::wordnet::{PartOfSpeech, WordNet};

/// The sentence with subject and object swapped, for an object of this number.
pub(super) fn swapped(view: &View<'_>, words: &Words<'_>, core: &Core, number: Number) -> Result<Edited, NotApplicable> {
    let mut edit = view.edit();
    edit.swap(core.subject.words.clone(), core.object.words.clone());
    match core.form {
        Form::Fragment => {
            let (form, tag) = of_be(number, Tense::Present);
            edit.insert(core.subject.words.end, &[(form, tag)]);
        }
        Form::Clause => {
            let finite = core.auxiliaries.first().copied().unwrap_or(core.verb);
            let old = words.form(finite);
            let new = agreeing(words, finite, number)?;
            if !old.eq_ignore_ascii_case(&new) {
                edit.replace(finite..finite + 1, &like(old, &new));
            }
        }
    }
    for nominal in [&core.subject, &core.object] {
        if let Some(other) = other_case(words, nominal.head) {
            edit.replace(nominal.head..nominal.head + 1, other);
        }
    }
    keep_small(&mut edit, words, core.subject.words.start);
    Ok(edit.write_out().finish()?)
}

/// The sentence with its verb in the passive, its object after `by`, and a subject of this number.
pub(super) fn passive(view: &View<'_>, words: &Words<'_>, core: &Core, number: Number) -> Result<Edited, NotApplicable> {
    let verb = core.verb;
    let mut edit = view.edit();
    let lemma = lemma(words.lower(verb), words.tag(verb).ok_or(VERB_FORM)?);
    edit.replace(verb..verb + 1, &participle(&lemma));
    // Before adverbs: `is slowly ridden`.
    let finite = core.subject.words.end;
    match (core.form, core.auxiliaries.as_slice(), words.tag(verb)) {
        (Form::Fragment, ..) if finite == verb => {
            let (form, tag) = of_be(number, Tense::Present);
            edit.insert(verb, &[(form, tag), ("being", "VBG")]);
        }
        (Form::Fragment, ..) => {
            let (form, tag) = of_be(number, Tense::Present);
            edit.insert(finite, &[(form, tag)]).insert(verb, &[("being", "VBG")]);
        }
        (Form::Clause, [], Some(Tag::VBZ)) => _ = edit.insert(finite, &[of_be(Number::Singular, Tense::Present)]),
        (Form::Clause, [], Some(Tag::VBP | Tag::VB)) => _ = edit.insert(finite, &[of_be(Number::Plural, Tense::Present)]),
        (Form::Clause, [], Some(Tag::VBD)) => _ = edit.insert(finite, &[of_be(number, Tense::Past)]),
        (Form::Clause, [_], Some(Tag::VBG)) => _ = edit.insert(verb, &[("being", "VBG")]),
        (Form::Clause, [_], Some(Tag::VBN)) => _ = edit.insert(verb, &[("been", "VBN")]),
        _ => return Err(VERB_FORM),
    }
    edit.insert(core.object.words.start, &[("by", "IN")]);
    Ok(edit.write_out().finish()?)
}

/// The tense of a form of `be`.
#[derive(Clone, Copy)]
enum Tense {
    Present,
    Past,
}

fn of_be(number: Number, tense: Tense) -> (&'static str, &'static str) {
    match (number, tense) {
        (Number::Singular, Tense::Present) => ("is", "VBZ"),
        (Number::Plural, Tense::Present) => ("are", "VBP"),
        (Number::Singular, Tense::Past) => ("was", "VBD"),
        (Number::Plural, Tense::Past) => ("were", "VBD"),
    }
}

/// A finite verb in the form that goes with a subject of this number.
fn agreeing(words: &Words<'_>, at: usize, number: Number) -> Result<String, NotApplicable> {
    let lower = words.lower(at);
    let form = match (lower, number) {
        ("is" | "are", Number::Singular) => "is",
        ("is" | "are", Number::Plural) => "are",
        ("was" | "were", Number::Singular) => "was",
        ("was" | "were", Number::Plural) => "were",
        ("has" | "have", Number::Singular) => "has",
        ("has" | "have", Number::Plural) => "have",
        _ => return inflected(words, at, number),
    };
    Ok(form.to_string())
}

fn inflected(words: &Words<'_>, at: usize, number: Number) -> Result<String, NotApplicable> {
    let tag = words.tag(at).ok_or(VERB_FORM)?;
    let lower = words.lower(at);
    if !matches!(tag, Tag::VBZ | Tag::VBP | Tag::VB) {
        return Ok(lower.to_string());
    }
    let lemma = lemma(lower, tag);
    let fits = |form: Option<String>| form.as_deref() == Some(lower);
    if !is_verb(&lemma) || !fits(inflect(&lemma, tag)) {
        return Err(VERB_FORM);
    }
    let wanted = match number {
        Number::Singular => Tag::VBZ,
        Number::Plural => Tag::VBP,
    };
    inflect(&lemma, wanted).ok_or(VERB_FORM)
}

/// A personal pronoun in the case of the other place.
fn other_case(words: &Words<'_>, at: usize) -> Option<&'static str> {
    if words.tag(at) != Some(Tag::PRP) {
        return None;
    }
    const CASES: [(&str, &str); 4] = [("he", "him"), ("she", "her"), ("they", "them"), ("we", "us")];
    let lower = words.lower(at);
    CASES.iter().find_map(|&(subject, object)| match lower {
        _ if lower == subject => Some(object),
        _ if lower == object => Some(subject),
        _ => None,
    })
}

/// Writes the first word of a subject small where its capital is only that of the sentence, and keeps that of `Asian`.
fn keep_small(edit: &mut Edit<'_, '_>, words: &Words<'_>, first: usize) {
    let form = words.form(first);
    if first > 0 || !form.starts_with(char::is_uppercase) || form.chars().filter(|letter| letter.is_uppercase()).count() > 1 {
        return;
    }
    let parts: &[PartOfSpeech] = match words.tag(first) {
        Some(tag) if tag.is_noun() => &[PartOfSpeech::Noun, PartOfSpeech::Adjective],
        Some(tag) if tag.is_adjective() => &[PartOfSpeech::Adjective, PartOfSpeech::Noun],
        _ => return,
    };
    let lower = words.lower(first);
    let lemma = super::nouns::lemma(words, first);
    let spelling = parts.iter().find_map(|&part| WordNet::get().spelling(lower, part).or_else(|| WordNet::get().spelling(&lemma, part)));
    let small = match spelling {
        Some(spelling) => !spelling.starts_with(char::is_uppercase),
        None => !words.tag(first).is_some_and(Tag::is_proper_noun),
    };
    edit.replace(first..first + 1, if small { lower } else { form });
}
