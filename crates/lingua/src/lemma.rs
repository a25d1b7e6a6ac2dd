//! Lemmatisation of tagged words.

use crate::{
    slips::meant,
    tag::Tag,
    wordnet::{PartOfSpeech, WordNet, exceptions},
};
use std::{collections::HashMap, sync::LazyLock};

/// The lemma of a word with its Penn tag. Irregular forms are in WordNet's lists; regular ones are derived by suffix rules, and WordNet
/// decides between candidates such as `hope` and `hop`.
///
/// ```
/// use acidtest_lingua::{lemma::lemma_of, tag::Tag};
/// assert_eq!(lemma_of("geese", Tag::NNS), "goose");
/// assert_eq!(lemma_of("hoping", Tag::VBG), "hope");
/// assert_eq!(lemma_of("left", Tag::JJ), "left");
/// assert_eq!(lemma_of("London", Tag::NNP), "London");
/// ```
pub fn lemma_of(form: &str, tag: Tag) -> String {
    let lower = form.to_lowercase();
    // The base form and the present tense look the same.
    let twin = match tag {
        Tag::VB => Tag::VBP,
        Tag::VBP => Tag::VB,
        other => other,
    };
    if let Some(lemma) = LEARNT.get(&(lower.as_str(), tag)).or_else(|| LEARNT.get(&(lower.as_str(), twin))) {
        return (*lemma).to_owned();
    }
    let may_be_slip = PartOfSpeech::of_tag(tag).is_some() && !tag.is_proper_noun();
    match may_be_slip.then(|| meant(&lower)).flatten() {
        Some(word) => lemma_by_rule(&word, tag),
        None => lemma_by_rule(form, tag),
    }
}

/// The most probable lemma of a word with an uncertain tag; the weights of tags with the same lemma are added.
///
/// ```
/// use acidtest_lingua::{lemma::likeliest_lemma, tag::Tag};
/// assert_eq!(likeliest_lemma("painting", &[(Tag::NN, 100), (Tag::VBG, 80), (Tag::JJ, 10)]), "painting");
/// assert_eq!(likeliest_lemma("reported", &[(Tag::JJ, 100), (Tag::VBN, 80), (Tag::VBD, 60)]), "report");
/// ```
pub fn likeliest_lemma(form: &str, tags: &[(Tag, u8)]) -> String {
    let mut lemmas: Vec<(String, u32)> = Vec::new();
    for &(tag, weight) in tags.iter().filter(|(_, weight)| *weight > 0) {
        let lemma = lemma_of(form, tag);
        match lemmas.iter_mut().find(|(known, _)| known.eq_ignore_ascii_case(&lemma)) {
            Some((_, sum)) => *sum += u32::from(weight),
            None => lemmas.push((lemma, u32::from(weight))),
        }
    }
    // The first of equals.
    let best = lemmas.into_iter().rev().max_by_key(|&(_, sum)| sum);
    best.map_or_else(|| form.to_owned(), |(lemma, _)| lemma)
}

/// Lemmas from treebanks that differ from those of the rules.
static LEARNT: LazyLock<HashMap<(&'static str, Tag), &'static str>> = LazyLock::new(|| {
    let entry = |line: &'static str| {
        let mut fields = line.split(' ');
        let (form, tag, lemma) = (fields.next()?, Tag::from_name(fields.next()?)?, fields.next()?);
        Some(((form, tag), lemma))
    };
    include_str!("../data/lemmas.txt").lines().filter_map(entry).collect()
});

/// The lemma by lists and suffix rules only, without the forms learned from treebanks.
pub fn lemma_by_rule(form: &str, tag: Tag) -> String {
    let form = form.replace('’', "'");
    if tag == Tag::NNP {
        return crate::inflect::capitalised(&form);
    }
    let lower = form.to_lowercase();
    if form.starts_with(char::is_uppercase) && matches!(tag, Tag::NN | Tag::JJ) {
        return with_own_capitals(form, lower, tag);
    }
    match tag {
        Tag::NNPS => {
            let lemma = plural_base(&lower);
            // Lower-casing may change the length of some letters, so positions may not correspond.
            let own = form.get(..lemma.len()).filter(|_| form.len() > 1 && lower.starts_with(&lemma));
            own.map_or_else(|| capitalised_like(&form, &lemma), str::to_owned)
        }
        Tag::NNS => plural_base(&lower),
        Tag::VBZ | Tag::VBD | Tag::VBN | Tag::VBG | Tag::VBP | Tag::VB => verb_base(&lower, tag),
        Tag::JJR | Tag::JJS => degree_base(&lower, PartOfSpeech::Adjective),
        Tag::RBR | Tag::RBS => degree_base(&lower, PartOfSpeech::Adverb),
        Tag::MD => modal_base(&lower).to_owned(),
        Tag::RB if matches!(lower.as_str(), "n't" | "nt") => "not".to_owned(),
        Tag::NN if lower.ends_with('s') => known_or(lower, PartOfSpeech::Noun, plural_base),
        Tag::NN => noun_or_adjective(lower),
        Tag::JJ if lower.ends_with("er") || lower.ends_with("est") => {
            known_or(lower, PartOfSpeech::Adjective, |form| degree_base(form, PartOfSpeech::Adjective))
        }
        Tag::FW if lower == "etc" => "etc.".to_owned(),
        Tag::DT if lower == "an" => "a".to_owned(),
        Tag::PRP => pronoun_base(&lower).to_owned(),
        _ => lower,
    }
}

/// The form itself, unless only its base is in the dictionary: then the tag was wrong.
fn known_or(form: String, part: PartOfSpeech, base: impl Fn(&str) -> String) -> String {
    let net = WordNet::get();
    if net.has(&form, part) {
        return form;
    }
    let base = base(&form);
    if net.has(&base, part) { base } else { form }
}

fn capitalised_like(form: &str, lemma: &str) -> String {
    if form.starts_with(char::is_uppercase) { crate::inflect::capitalised(lemma) } else { lemma.to_owned() }
}

/// Nationalities, letters and acronyms keep their capitals; other words are lower-cased.
fn with_own_capitals(form: String, lower: String, tag: Tag) -> String {
    let part = if tag == Tag::NN { PartOfSpeech::Noun } else { PartOfSpeech::Adjective };
    let letters = form.chars().filter(|letter| letter.is_alphabetic()).count();
    let acronym = letters > 1 && !form.chars().any(char::is_lowercase);
    match WordNet::get().spelling(&lower, part) {
        Some(spelled) if spelled.starts_with(char::is_uppercase) && !acronym => spelled.to_owned(),
        Some(_) if letters > 1 => noun_or_adjective(lower),
        None if !acronym => noun_or_adjective(lower),
        _ => form,
    }
}

/// Times of day are written in full.
fn noun_or_adjective(lower: String) -> String {
    match lower.as_str() {
        "am" => "a.m.".to_owned(),
        "pm" => "p.m.".to_owned(),
        _ => lower,
    }
}

fn modal_base(form: &str) -> &str {
    match form {
        "'ll" | "wo" | "ll" => "will",
        "'d" => "would",
        "ca" => "can",
        "sha" => "shall",
        _ => form,
    }
}

fn pronoun_base(form: &str) -> &str {
    match form {
        "me" | "i" => "I",
        "him" => "he",
        "them" | "'em" | "em" => "they",
        "us" | "'s" => "we",
        _ => form,
    }
}

/// The first candidate in WordNet.
fn first_known(candidates: &[String], part: PartOfSpeech) -> Option<String> {
    let net = WordNet::get();
    candidates.iter().find(|candidate| candidate.len() > 1 && net.has(candidate, part)).cloned()
}

fn irregular(form: &str, part: PartOfSpeech) -> Option<&'static str> {
    exceptions().get(form, part).iter().map(String::as_str).find(|base| *base != form)
}

fn plural_base(form: &str) -> String {
    // In a hyphenated word, the last part is inflected.
    if let Some((front, last)) = form.rsplit_once('-').filter(|(front, last)| !front.is_empty() && last.len() > 2) {
        return format!("{front}-{}", plural_base(last));
    }
    // Decades have no singular: `1990s`, `the 60's`.
    if form.starts_with(|first: char| first.is_ascii_digit()) {
        return form.replace('\'', "");
    }
    match form {
        "hrs" => return "hour".to_owned(),
        "yrs" => return "year".to_owned(),
        "mins" => return "minute".to_owned(),
        "people" | "species" | "series" | "means" | "data" | "media" | "headquarters" | "news" | "clothes" | "regards" | "troops"
        | "thanks" | "supplies" | "pants" | "jeans" | "scissors" | "trousers" | "outskirts" | "surroundings" => return form.to_owned(),
        _ => {}
    }
    if let Some(base) = irregular(form, PartOfSpeech::Noun) {
        return base.to_owned();
    }
    if let Some(front) = form.strip_suffix("men").filter(|front| front.len() > 1) {
        return format!("{front}man");
    }
    let Some(stem) = form.strip_suffix('s').map(|stem| stem.trim_end_matches('\'')).filter(|stem| stem.len() > 1) else {
        return form.to_owned();
    };
    let mut candidates = Vec::new();
    if let Some(short) = form.strip_suffix("ies") {
        candidates.push(format!("{short}y"));
    }
    candidates.push(stem.to_owned());
    if let Some(short) = form.strip_suffix("es") {
        candidates.push(short.to_owned());
    }
    if let Some(short) = form.strip_suffix("ves") {
        candidates.extend([format!("{short}f"), format!("{short}fe")]);
    }
    first_known(&candidates, PartOfSpeech::Noun).unwrap_or_else(|| match form {
        _ if form.ends_with("ss") || form.ends_with("us") => form.to_owned(),
        _ if form.ends_with("ies") && form.len() > 4 => candidates[0].clone(),
        _ if ["ches", "shes", "sses", "xes", "zes"].iter().any(|ending| form.ends_with(ending)) => form[..form.len() - 2].to_owned(),
        _ => stem.to_owned(),
    })
}

fn verb_base(form: &str, tag: Tag) -> String {
    match (form, tag) {
        ("'s", Tag::VBZ)
        | ("'m" | "'re" | "am" | "are" | "is" | "was" | "were" | "been" | "being" | "be" | "s" | "m" | "re" | "r" | "ai", _) => {
            return "be".to_owned();
        }
        ("'ve" | "ve" | "has" | "had" | "having" | "'d" | "of", _) => return "have".to_owned(),
        ("does" | "did" | "done" | "doing", _) => return "do".to_owned(),
        ("got" | "gotten" | "gon", _) => return if form == "gon" { "go" } else { "get" }.to_owned(),
        ("wan", _) => return "want".to_owned(),
        // WordNet lists it only for `swinge`.
        ("swinging", Tag::VBG) => return "swing".to_owned(),
        ("saw", Tag::VBD) => return "see".to_owned(),
        ("left", Tag::VBD | Tag::VBN) => return "leave".to_owned(),
        ("found", Tag::VBD | Tag::VBN) => return "find".to_owned(),
        ("felt", Tag::VBD | Tag::VBN) => return "feel".to_owned(),
        ("lay", Tag::VBD) => return "lie".to_owned(),
        ("fell", Tag::VBD) => return "fall".to_owned(),
        ("ground", Tag::VBD | Tag::VBN) => return "grind".to_owned(),
        ("wound", Tag::VBD) => return "wind".to_owned(),
        ("bore", Tag::VBD) => return "bear".to_owned(),
        _ => {}
    }
    if matches!(tag, Tag::VB | Tag::VBP) {
        return base_despite_tag(form);
    }
    if let Some((front, last)) = form.rsplit_once('-').filter(|(front, last)| !front.is_empty() && last.len() > 3) {
        return format!("{front}-{}", verb_base(last, tag));
    }
    if let Some(base) = irregular(form, PartOfSpeech::Verb) {
        return base.to_owned();
    }
    let (stem, e_kept) = match tag {
        Tag::VBZ => {
            let Some(stem) = form.strip_suffix('s') else { return form.to_owned() };
            let mut candidates = Vec::new();
            if let Some(short) = form.strip_suffix("ies") {
                candidates.push(format!("{short}y"));
            }
            candidates.push(stem.to_owned());
            candidates.extend(form.strip_suffix("es").map(str::to_owned));
            return first_known(&candidates, PartOfSpeech::Verb).unwrap_or_else(|| regular_s_base(form));
        }
        Tag::VBG => (form.strip_suffix("ing").or_else(|| form.strip_suffix("in'")).or_else(|| form.strip_suffix("in")), false),
        _ => (form.strip_suffix("ed"), true),
    };
    let Some(stem) = stem.filter(|stem| stem.len() > 1 || (e_kept && !stem.is_empty())) else { return form.to_owned() };
    let mut candidates = Vec::new();
    let undoubled = undoubled(stem);
    if undoubled.is_some() {
        candidates.push(stem.to_owned());
        candidates.extend(undoubled.clone());
    }
    if e_kept {
        candidates.extend(stem.strip_suffix('i').map(|short| format!("{short}y")));
    }
    candidates.extend([format!("{stem}e"), stem.to_owned()]);
    // There is `lightning`, but no verb `lightn`: a form that is in the dictionary needs no invented verb.
    let stands = [PartOfSpeech::Noun, PartOfSpeech::Adjective].iter().any(|&part| WordNet::get().has(form, part));
    first_known(&candidates, PartOfSpeech::Verb)
        .unwrap_or_else(|| if stands { form.to_owned() } else { regular_base(stem, undoubled, e_kept) })
}

/// The base of a verb tagged as a base form. If the dictionary lacks this verb but has one of which it is an inflected form, the tag was
/// wrong.
fn base_despite_tag(form: &str) -> String {
    let net = WordNet::get();
    if net.has(form, PartOfSpeech::Verb) {
        return form.to_owned();
    }
    let other = match () {
        () if form.ends_with("ing") || form.ends_with("in") => Tag::VBG,
        () if form.ends_with("ed") => Tag::VBD,
        () => return irregular(form, PartOfSpeech::Verb).unwrap_or(form).to_owned(),
    };
    let base = verb_base(form, other);
    if net.has(&base, PartOfSpeech::Verb) { base } else { form.to_owned() }
}

/// The guessed base of an unknown verb without its `s`.
fn regular_s_base(form: &str) -> String {
    if let Some(short) = form.strip_suffix("ies").filter(|short| short.len() > 1) {
        return format!("{short}y");
    }
    if ["ches", "shes", "sses", "xes", "zes", "oes"].iter().any(|ending| form.ends_with(ending)) {
        return form[..form.len() - 2].to_owned();
    }
    form[..form.len() - 1].to_owned()
}

/// The guessed base of an unknown verb without `ed` or `ing`.
fn regular_base(stem: &str, undoubled: Option<String>, e_kept: bool) -> String {
    if let Some(short) = undoubled.filter(|short| !short.ends_with(['l', 's', 'f', 'z'])) {
        return short;
    }
    if let Some(short) = stem.strip_suffix('i').filter(|_| e_kept) {
        return format!("{short}y");
    }
    // A vowel before one of these consonants usually had an e after it: fake, tweeze, googl(e).
    let ends_like_e = ["at", "iz", "is", "uc", "ag", "ak", "ov", "iv", "av", "ur", "bl", "gl", "kl", "pl", "tl", "rc", "rg", "dg", "as"];
    if ends_like_e.iter().any(|ending| stem.ends_with(ending)) { format!("{stem}e") } else { stem.to_owned() }
}

/// The stem without a doubled consonant at its end.
fn undoubled(stem: &str) -> Option<String> {
    let mut letters = stem.chars().rev();
    let (last, before) = (letters.next()?, letters.next()?);
    (last == before && last.is_ascii_alphabetic() && !"aeiou".contains(last)).then(|| stem[..stem.len() - 1].to_owned())
}

fn degree_base(form: &str, part: PartOfSpeech) -> String {
    match form {
        "more" | "most" if part == PartOfSpeech::Adverb => return form.to_owned(),
        "more" => return "more".to_owned(),
        "most" => return "most".to_owned(),
        "less" | "least" => return form.to_owned(),
        "better" | "best" => return if part == PartOfSpeech::Adverb { "well" } else { "good" }.to_owned(),
        "worse" | "worst" => return if part == PartOfSpeech::Adverb { "badly" } else { "bad" }.to_owned(),
        "further" | "furthest" | "farther" | "farthest" => return "far".to_owned(),
        _ => {}
    }
    if let Some(base) = irregular(form, part) {
        return base.to_owned();
    }
    let Some(stem) = form.strip_suffix("er").or_else(|| form.strip_suffix("est")).filter(|stem| stem.len() > 1) else {
        return form.to_owned();
    };
    let mut candidates: Vec<String> = stem.strip_suffix('i').map(|short| format!("{short}y")).into_iter().collect();
    candidates.extend([stem.to_owned(), format!("{stem}e")]);
    candidates.extend(undoubled(stem));
    first_known(&candidates, part).or_else(|| first_known(&candidates, PartOfSpeech::Adjective)).unwrap_or_else(|| form.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(tag: Tag, pairs: &[(&str, &str)]) {
        for (form, lemma) in pairs {
            assert_eq!(lemma_of(form, tag), *lemma, "{form} {tag}");
        }
    }

    #[test]
    fn swinging_is_a_form_of_swing() {
        check(Tag::VBG, &[("swinging", "swing"), ("singing", "sing")]);
    }

    #[test]
    fn plurals_lose_their_ending() {
        check(Tag::NNS, &[("dogs", "dog"), ("boxes", "box"), ("horses", "horse"), ("cities", "city"), ("movies", "movie")]);
        check(
            Tag::NNS,
            &[("wolves", "wolf"), ("women", "woman"), ("people", "people"), ("blorgs", "blorg"), ("mother-in-laws", "mother-in-law")],
        );
    }

    #[test]
    fn decades_have_no_singular() {
        check(Tag::NNS, &[("1990s", "1990s"), ("60's", "60s")]);
    }

    #[test]
    fn treebanks_teach_what_rules_cannot() {
        check(Tag::NNS, &[("ppl", "people"), ("glasses", "glasses")]);
        check(Tag::IN, &[("b/c", "because")]);
        assert_eq!(lemma_by_rule("ppl", Tag::NNS), "ppl");
    }

    #[test]
    fn a_wrong_tag_does_not_hide_the_lemma() {
        check(Tag::NN, &[("liens", "lien"), ("gas", "gas"), ("news", "news")]);
        check(Tag::JJ, &[("cheapest", "cheap"), ("honest", "honest"), ("clever", "clever")]);
        check(Tag::VB, &[("meeting", "meet"), ("bring", "bring"), ("blorg", "blorg")]);
        check(Tag::VBG, &[("lightning", "lightning")]);
    }

    #[test]
    fn verbs_lose_tense_and_person() {
        check(
            Tag::VBD,
            &[("hoped", "hope"), ("stopped", "stop"), ("called", "call"), ("went", "go"), ("studied", "study"), ("agreed", "agree")],
        );
        check(Tag::VBG, &[("running", "run"), ("using", "use"), ("lying", "lie"), ("snirking", "snirk"), ("seeing", "see")]);
        check(Tag::VBZ, &[("goes", "go"), ("tries", "try"), ("'s", "be"), ("watches", "watch")]);
    }

    #[test]
    fn comparatives_and_superlatives_become_positives() {
        check(Tag::JJR, &[("bigger", "big"), ("happier", "happy"), ("better", "good"), ("nicer", "nice")]);
        check(Tag::RBR, &[("better", "well"), ("faster", "fast")]);
    }

    #[test]
    fn words_keep_only_inherent_capitals() {
        check(Tag::JJ, &[("Iraqi", "Iraqi"), ("Big", "big")]);
        check(Tag::NN, &[("Dog", "dog"), ("X", "X"), ("GISB", "GISB"), ("PM", "p.m.")]);
    }

    #[test]
    fn any_word_has_a_lemma() {
        for tag in Tag::all() {
            for form in ["", "s", "ed", "ing", "est", "'", "’s", "é", "ÉS", "ies", "-", "a-b-", "ßes"] {
                lemma_of(form, tag);
            }
        }
    }
}
